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
import struct

# What cuBLAS wants for results that repeat.
os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
import torch
from torch import nn
from torch.nn import functional

# Heads of 64, the size that chapter 7's kernels take. 257 tokens are padded to 384 rows.
layers, channels, heads, max_tokens = 2, 128, 2, 128
tokens, padded_tokens, end_of_text = 257, 384, 256
seed, batch, steps, held_out_every = 1337, 32, 5000, 20
checkpoint_magic, debug_magic, tokenizer_magic = 20240326, 20240327, 20240328


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


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(channels), nn.LayerNorm(channels)
        self.qkv, self.attproj = nn.Linear(channels, 3 * channels), nn.Linear(channels, channels)
        self.fc, self.fcproj = nn.Linear(channels, 4 * channels), nn.Linear(4 * channels, channels)

    def forward(self, x, drop):
        B, T, C = x.shape
        q, k, v = self.qkv(self.ln_1(x)).view(B, T, 3, heads, C // heads).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) / math.sqrt(C // heads)
        above = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
        weights = scores.masked_fill(above, -math.inf).softmax(-1)
        mixed = (weights @ v).transpose(1, 2).reshape(B, T, C)
        x = x + functional.dropout(self.attproj(mixed), drop, self.training)
        hidden = functional.gelu(self.fc(self.ln_2(x)), approximate="tanh")
        return x + functional.dropout(self.fcproj(hidden), drop, self.training)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(tokens, channels), nn.Embedding(max_tokens, channels)
        self.blocks = nn.ModuleList(Block() for _ in range(layers))
        self.ln_f = nn.LayerNorm(channels)
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                is_projection = "proj" in name
                nn.init.normal_(weight, 0, 0.02 / (math.sqrt(2 * layers) if is_projection else 1))
            elif name.endswith("bias"):
                nn.init.zeros_(weight)

    def forward(self, x, drop=0.0):
        y = self.wte(x) + self.wpe.weight[: x.shape[1]]
        for block in self.blocks:
            y = block(y, drop)
        return self.ln_f(y) @ self.wte.weight.T


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
    model = Model().to(data.device)
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


def header(*first):
    return struct.pack("<256i", *first, *([0] * (256 - len(first))))


def tensors(model):
    """llm.c's 16 tensors, each for all layers."""
    def of_all(get):
        return torch.stack([get(block) for block in model.blocks])
    padding = torch.zeros(padded_tokens - tokens, channels, device=model.wte.weight.device)
    yield torch.cat([model.wte.weight, padding])
    yield model.wpe.weight
    for layer in ("ln_1", "qkv", "attproj", "ln_2", "fc", "fcproj"):
        yield of_all(lambda block: getattr(block, layer).weight)
        yield of_all(lambda block: getattr(block, layer).bias)
    yield model.ln_f.weight
    yield model.ln_f.bias


def write_checkpoint(file, model):
    with open(file, "wb") as out:
        out.write(header(checkpoint_magic, 5, max_tokens, tokens, layers, heads, channels,
                         padded_tokens))
        for tensor in tensors(model):
            bits = tensor.detach().to(torch.bfloat16).contiguous().cpu().view(torch.int16)
            out.write(bits.numpy().tobytes())


def write_tokenizer(file):
    with open(file, "wb") as out:
        out.write(header(tokenizer_magic, 2, tokens, end_of_text))
        for byte in range(256):
            out.write(bytes([1, byte]))
        name = b"<|endoftext|>"
        out.write(bytes([len(name)]) + name)


def write_debug_state(file, model, held_out):
    """Two rows of 33 tokens, from float64 arithmetic on the weights of the file."""
    B, T = 2, 33
    rows = torch.stack([held_out[i * 1000: i * 1000 + T + 1] for i in range(B)])
    x, y = rows[:, :-1], rows[:, 1:]
    model = model.double().eval()
    with torch.no_grad():
        logits = model(x)
        loss = functional.cross_entropy(logits.flatten(0, 1), y.flatten())
    with open(file, "wb") as out:
        out.write(header(debug_magic, 2, B, T))
        for ids in (x, y):
            out.write(ids.to(torch.int32).contiguous().cpu().numpy().tobytes())
        out.write(logits.float().contiguous().cpu().numpy().tobytes())
        out.write(struct.pack("<f", loss.item()))


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
    model = Model().to(data.device)
    # The weights of the file: rounded to bf16 once, so that each precision runs the same ones.
    model.load_state_dict({name: p.to(torch.bfloat16).float() for name, p in state.items()})
    loss = held_out_loss(model, held_out)
    write_checkpoint(given.out / "course.bin", model)
    write_tokenizer(given.out / "course_tokenizer.bin")
    write_debug_state(given.out / "course_debug.bin", model, held_out)
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
