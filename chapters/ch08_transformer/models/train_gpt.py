#!/usr/bin/env python3
"""Trains the course's byte-level GPT on the course's own text, and writes it in llm.c's formats.

    python3 chapters/ch08_transformer/models/train_gpt.py --commit $(git rev-parse HEAD) --out OUT

Needs PyTorch and a GPU; took 67 s on an H200. The seed is fixed and the algorithms are
deterministic: the same commit, card and PyTorch version give the same files.

Written to OUT:
    course.bin            the checkpoint: 256 ints, then 16 tensors in bf16 (version 5)
    course_tokenizer.bin  256 bytes and the end of text
    course_debug.bin      2 x 33 held-out tokens, their logits and loss, computed in float64
    course.json           what it was trained on and how well it does
"""
import argparse
import hashlib
import json
import math
import os
import pathlib
import re

# What cuBLAS wants for results that repeat.
os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
import torch
from torch import nn
from torch.nn import functional

from gpt_model import Model, Shape, header, write_checkpoint, write_debug_state

# Heads of 64, the size that chapter 7's kernels take. 257 tokens are padded to 384 rows.
tokens, max_tokens, end_of_text = 257, 128, 256
shape = Shape(layers=2, channels=128, heads=2, max_tokens=max_tokens, tokens=tokens, padded_tokens=384)
tokenizer_magic = 20240328
seed, batch, steps, held_out_every = 1337, 32, 5000, 20


def prose(text):
    """Markdown without tables, code and most marks: sentences."""
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"<[^>\n]*>", "", text)
    text = re.sub(r"\[([^\]\n]*)\]\([^)\n]*\)", r"\1", text)
    kept = [line.rstrip() for line in text.split("\n")
            if not line.lstrip().startswith(("|", "#", "\\")) and not line.startswith("    ")]
    text = "\n".join(kept).replace("**", "").replace("*", "")
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def course_text(root):
    """(name, text) of each Markdown file of the course, sorted by name."""
    found = [root / "README.md"]
    for folder in ("docs", "chapters", "exercises", "solutions"):
        found += sorted((root / folder).rglob("*.md"))
    texts = [(str(file.relative_to(root)), prose(file.read_text("utf-8"))) for file in found]
    # The reader of these files tells its own story: it is not learned from itself.
    return [(name, text) for name, text in texts if len(text) > 200 and "ch08" not in name]


def loss_of(model, x, y, drop=0.0):
    return functional.cross_entropy(model(x, drop).flatten(0, 1), y.flatten())


def held_out_loss(model, data):
    """Nats per byte over all whole windows."""
    model.eval()
    count = (len(data) - 1) // max_tokens
    x = data[: count * max_tokens].view(count, max_tokens)
    y = data[1: count * max_tokens + 1].view(count, max_tokens)
    with torch.no_grad():
        loss = loss_of(model, x, y).item()
    model.train()
    return loss


def train(data, held_out):
    """@return the state with the lowest held-out loss, and [step, training, held-out] rows."""
    torch.manual_seed(seed)
    model = Model(shape).to(data.device)
    decayed = [p for p in model.parameters() if p.dim() == 2]
    others = [p for p in model.parameters() if p.dim() != 2]
    optimiser = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.1},
                                   {"params": others, "weight_decay": 0.0}],
                                  lr=3e-3, betas=(0.9, 0.95))
    generator = torch.Generator().manual_seed(seed)
    best, best_loss, history = None, math.inf, []
    for step in range(steps):
        progress = step / steps
        rate = min(1, (step + 1) / 100) * (0.1 + 0.45 * (1 + math.cos(math.pi * progress)))
        for group in optimiser.param_groups:
            group["lr"] = 3e-3 * rate
        at = torch.randint(len(data) - max_tokens - 1, (batch,), generator=generator)
        places = at[:, None].to(data.device) + torch.arange(max_tokens + 1, device=data.device)
        window = data[places]
        loss = loss_of(model, window[:, :-1], window[:, 1:], drop=0.1)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        if (step + 1) % 250 == 0 or step == 0:
            now = held_out_loss(model, held_out)
            history.append([step + 1, round(loss.item(), 4), round(now, 4)])
            print(*history[-1], flush=True)
            if now < best_loss:
                best_loss = now
                best = {name: p.detach().clone() for name, p in model.state_dict().items()}
    return best, history


def write_tokenizer(file):
    with open(file, "wb") as out:
        out.write(header(tokenizer_magic, 2, tokens, end_of_text))
        for byte in range(256):
            out.write(bytes([1, byte]))
        name = b"<|endoftext|>"
        out.write(bytes([len(name)]) + name)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--root", type=pathlib.Path,
                           default=pathlib.Path(__file__).resolve().parents[3])
    arguments.add_argument("--out", type=pathlib.Path, required=True)
    arguments.add_argument("--commit", required=True, help="of the text")
    given = arguments.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    torch.use_deterministic_algorithms(True)

    texts = course_text(given.root)
    parts = {True: [], False: []}
    for i, (_, text) in enumerate(texts):
        parts[i % held_out_every == held_out_every - 1].append(text.encode())
    def data_of(part):
        # Each text ends with the end of text.
        ids = [id for text in part for id in (*text, end_of_text)]
        return torch.tensor(ids, device="cuda")
    data, held_out = data_of(parts[False]), data_of(parts[True])
    print(len(texts), "texts,", len(data), "tokens,", len(held_out), "held out", flush=True)

    state, history = train(data, held_out)
    model = Model(shape).to(data.device)
    # The weights of the file: rounded to bf16 once, so that each precision runs the same ones.
    model.load_state_dict({name: p.to(torch.bfloat16).float() for name, p in state.items()})
    loss = held_out_loss(model, held_out)
    write_checkpoint(given.out / "course.bin", model)
    write_tokenizer(given.out / "course_tokenizer.bin")
    rows = torch.stack([held_out[i * 1000: i * 1000 + 34] for i in range(2)])
    write_debug_state(given.out / "course_debug.bin", model, rows[:, :-1], rows[:, 1:])
    whole = b"".join(text.encode() for _, text in texts)
    (given.out / "course.json").write_text(json.dumps({
        "commit": given.commit, "text_sha256": hashlib.sha256(whole).hexdigest(),
        "texts": len(texts), "tokens": len(data), "held_out_tokens": len(held_out),
        "seed": seed, "held_out_nats_per_byte": round(loss, 4),
        "held_out_bits_per_byte": round(loss / math.log(2), 4),
        "steps": history, "torch": torch.__version__,
        "device": torch.cuda.get_device_name()}, indent=1) + "\n")
    print("held out", loss, "nats per byte")


main()
