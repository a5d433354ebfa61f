#!/usr/bin/env python3
"""Writes models of GPT-2 124M's and ViT-B/16's shapes with seeded weights, and what PyTorch computes from them in
float64, so that the chapter's passes are tested at full size too:

    python3 chapters/ch08_transformer/models/seeded_models.py --out OUT
    build/ch08_transformer --only debug_state --checkpoint OUT/gpt2.bin --debug-state OUT/gpt2_debug.bin
    build/ch08_transformer --only digits --image-model OUT/vit.bin --image-test OUT/vit_test.bin

Needs PyTorch and a GPU, 2 GB of disk for OUT and some 10 GB of the GPU's memory.
"""
import argparse
import pathlib

import torch

import gpt_model
import vit_model

seed = 1
gpt2_124m = gpt_model.Shape(layers=12, channels=768, heads=12, max_tokens=1024, tokens=50257, padded_tokens=50304)
vit_b_16 = vit_model.Shape(layers=12, channels=768, heads=12, side=14, patch=16, colours=3, classes=1000)
batch, images = 4, 32


def scatter(model):
    """Every number random, so that none may be left out: matrices as GPT-2 begins, scales around 1, biases around 0.
    All are rounded to bf16, so that each precision runs the same ones."""
    for name, weight in model.named_parameters():
        torch.nn.init.normal_(weight, 0, 0.02)
        if ".ln_" in f".{name}" and name.endswith("weight"):
            weight.data += 1
        weight.data = weight.data.to(torch.bfloat16).float()
    return model


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--out", type=pathlib.Path, required=True)
    out = arguments.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(seed)

    model = scatter(gpt_model.Model(gpt2_124m)).cuda()
    gpt_model.write_checkpoint(out / "gpt2.bin", model, torch.float32)
    rows = torch.randint(gpt2_124m.tokens, (batch, gpt2_124m.max_tokens + 1), device="cuda")
    gpt_model.write_debug_state(out / "gpt2_debug.bin", model, rows[:, :-1], rows[:, 1:])
    del model

    model = scatter(vit_model.Model(vit_b_16)).cuda()
    # The file keeps a label in a byte, so the first 256 classes are lifted above the others.
    model.head.bias.data[:256] += 4
    vit_model.write_model(out / "vit.bin", model)
    # Twice as many images as are kept: those whose first class leads by most, which no rounding turns over.
    values = torch.randint(17, (2 * images, vit_b_16.colours, vit_b_16.width, vit_b_16.width), device="cuda")
    scores = vit_model.scores_in_double(model, values)
    two = scores.topk(2, -1).values
    kept = (two[:, 0] - two[:, 1]).topk(images).indices
    values, scores = values[kept], scores[kept]
    vit_model.write_test(out / "vit_test.bin", model, values, scores.argmax(-1), scores)


main()
