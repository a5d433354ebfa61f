#!/usr/bin/env python3
"""Trains the course's vision transformer on 8 x 8 digits, and writes it in a format like llm.c's.

    python3 chapters/ch08_transformer/models/train_vit.py --out OUT [--device cpu]

Needs PyTorch and scikit-learn, whose copy of the digits it takes: "Optical Recognition of
Handwritten Digits" by E. Alpaydin and C. Kaynak, UCI Machine Learning Repository, CC BY 4.0. The
seed is fixed and the algorithms are deterministic: the same device and PyTorch version give the
same files.

Written to OUT:
    digits.bin        the model: 256 ints, then the tensors in fp32 that were rounded to bf16
    digits_test.bin   200 images that training never saw, their classes, and the scores that
                      PyTorch computed from digits.bin in float64
    digits.json       what it was trained on and how well it does
"""
import argparse
import json
import math
import os
import pathlib

# What cuBLAS wants for results that repeat.
os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
import torch
from sklearn.datasets import load_digits
from torch.nn import functional

from vit_model import Model, Shape, scores_in_double, write_model, write_test

# Heads of 64, the size that chapter 7's kernels take; 16 patches and the class token.
shape = Shape(layers=2, channels=64, heads=1, side=4, patch=2, colours=1, classes=10)
seed, split_seed, batch, steps, tested = 1337, 7, 64, 1500, 200


def right(model, images, labels):
    model.eval()
    with torch.no_grad():
        count = int((model(images).argmax(-1) == labels).sum())
    model.train()
    return count


def train(images, labels, test_images, test_labels):
    """The last step's model. @return it, and [step, loss, right of the test] rows."""
    torch.manual_seed(seed)
    # Made on the host, so that each device begins with the same numbers.
    model = Model(shape).to(images.device)
    optimiser = torch.optim.AdamW(model.parameters(), lr=2e-3, betas=(0.9, 0.99), weight_decay=0.05)
    generator = torch.Generator().manual_seed(seed)
    history = []
    for step in range(steps):
        rate = min(1, (step + 1) / 50) * 0.5 * (1 + math.cos(math.pi * step / steps))
        for group in optimiser.param_groups:
            group["lr"] = 2e-3 * rate
        at = torch.randint(len(images), (batch,), generator=generator).to(images.device)
        noise = 0.3 * torch.randn(batch, 8, 8, generator=generator).to(images.device)
        loss = functional.cross_entropy(model(images[at] + noise), labels[at])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if (step + 1) % 250 == 0:
            history.append([step + 1, round(loss.item(), 4), right(model, test_images, test_labels)])
            print(*history[-1], flush=True)
    return model, history


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--out", type=pathlib.Path, required=True)
    arguments.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    given = arguments.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    torch.use_deterministic_algorithms(True)

    digits = load_digits()
    values = torch.tensor(digits.images, dtype=torch.float32)
    labels = torch.tensor(digits.target)
    order = torch.randperm(len(values), generator=torch.Generator().manual_seed(split_seed))
    values, labels = values[order].to(given.device), labels[order].to(given.device)
    images = values / 8 - 1
    model, history = train(images[:-tested], labels[:-tested], images[-tested:], labels[-tested:])
    # The weights of the file: rounded to bf16 once, so that each precision runs the same ones.
    model.load_state_dict({name: p.to(torch.bfloat16).float() for name, p in model.state_dict().items()})
    count = right(model, images[-tested:], labels[-tested:])
    write_model(given.out / "digits.bin", model)
    scores = scores_in_double(model, values[-tested:])
    write_test(given.out / "digits_test.bin", model, values[-tested:], labels[-tested:], scores)
    two = scores.topk(2, -1).values
    margin = (two[:, 0] - two[:, 1]).min().item()
    (given.out / "digits.json").write_text(json.dumps({
        "data": "UCI, Optical Recognition of Handwritten Digits, E. Alpaydin and C. Kaynak, CC BY 4.0",
        "images": len(values) - tested, "test_images": tested, "right": count,
        "smallest_lead_of_a_score": round(margin, 4), "seed": seed, "split_seed": split_seed,
        "steps": history, "torch": torch.__version__,
        "device": torch.cuda.get_device_name() if given.device == "cuda" else given.device}, indent=1) + "\n")
    print(count, "of", tested, "right")
    if count < 0.95 * tested:
        raise SystemExit("below 95 %")


main()
