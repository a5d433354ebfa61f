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
import struct

# What cuBLAS wants for results that repeat.
os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional

# Heads of 64, the size that chapter 7's kernels take; 16 patches and the class token.
layers, channels, heads, patch, side, classes = 2, 64, 1, 2, 4, 10
words, pixels_of_patch, epsilon = side * side + 1, patch * patch, 1e-12
seed, split_seed, batch, steps, tested = 1337, 7, 64, 1500, 200
model_magic, test_magic, version = 20261128, 20261129, 1


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1 = nn.LayerNorm(channels, eps=epsilon)
        self.qkv, self.attproj = nn.Linear(channels, 3 * channels), nn.Linear(channels, channels)
        self.ln_2 = nn.LayerNorm(channels, eps=epsilon)
        self.fc, self.fcproj = nn.Linear(channels, 4 * channels), nn.Linear(4 * channels, channels)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(self.ln_1(x)).view(B, T, 3, heads, C // heads).permute(2, 0, 3, 1, 4)
        weights = (q @ k.transpose(-1, -2) / math.sqrt(C // heads)).softmax(-1)
        x = x + self.attproj((weights @ v).transpose(1, 2).reshape(B, T, C))
        return x + self.fcproj(functional.gelu(self.fc(self.ln_2(x))))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches = nn.Linear(pixels_of_patch, channels)
        self.first = nn.Parameter(torch.empty(channels))
        self.positions = nn.Parameter(torch.empty(words, channels))
        self.blocks = nn.ModuleList(Block() for _ in range(layers))
        self.ln_f = nn.LayerNorm(channels, eps=epsilon)
        self.head = nn.Linear(channels, classes)
        for parameter in (self.first, self.positions):
            nn.init.normal_(parameter, 0, 0.02)

    def forward(self, images):
        """@param images (B, 8, 8) in [-1, 1]."""
        B = images.shape[0]
        cut = images.view(B, side, patch, side, patch).transpose(2, 3)
        x = self.patches(cut.reshape(B, side * side, pixels_of_patch))
        x = torch.cat([self.first.expand(B, 1, channels), x], 1) + self.positions
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln_f(x)[:, 0])


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
    model = Model().to(images.device)
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


def header(*first):
    return struct.pack("<256i", *first, *([0] * (256 - len(first))))


def tensors(model):
    """The order of llm.c's tensors, the patches in place of the table of tokens; then the ends."""
    def of_all(get):
        return torch.stack([get(block) for block in model.blocks])
    yield model.patches.weight
    yield model.positions
    for layer in ("ln_1", "qkv", "attproj", "ln_2", "fc", "fcproj"):
        yield of_all(lambda block: getattr(block, layer).weight)
        yield of_all(lambda block: getattr(block, layer).bias)
    yield model.ln_f.weight
    yield model.ln_f.bias
    yield model.first
    yield model.patches.bias
    yield model.head.weight
    yield model.head.bias


def write_model(file, model):
    with open(file, "wb") as out:
        out.write(header(model_magic, version, side, patch, 1, classes, layers, heads, channels))
        for tensor in tensors(model):
            out.write(tensor.detach().float().contiguous().cpu().numpy().tobytes())


def write_test(file, model, values, labels):
    """@param values (200, 8, 8), 0 to 16. Scores from float64 arithmetic on the weights of the file."""
    with torch.no_grad():
        scores = model.double()((values.double() / 8 - 1)).float()
    with open(file, "wb") as out:
        out.write(header(test_magic, version, len(values), 8 * 8, classes))
        out.write(values.to(torch.uint8).contiguous().cpu().numpy().tobytes())
        out.write(labels.to(torch.uint8).contiguous().cpu().numpy().tobytes())
        out.write(scores.contiguous().cpu().numpy().tobytes())
    two = scores.topk(2, -1).values
    return scores, (two[:, 0] - two[:, 1]).min().item()


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
    _, margin = write_test(given.out / "digits_test.bin", model, values[-tested:], labels[-tested:])
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
