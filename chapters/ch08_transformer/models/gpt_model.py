"""GPT-2 in PyTorch, of any size, and its files in llm.c's formats: for train_gpt.py and seeded_models.py."""
import dataclasses
import math
import struct

import torch
from torch import nn
from torch.nn import functional

checkpoint_magic, debug_magic = 20240326, 20240327
bf16_version, fp32_version = 5, 3


@dataclasses.dataclass(frozen=True)
class Shape:
    layers: int
    channels: int
    heads: int
    max_tokens: int
    tokens: int
    padded_tokens: int


class Block(nn.Module):
    def __init__(self, shape):
        super().__init__()
        channels = shape.channels
        self.heads = shape.heads
        self.ln_1, self.ln_2 = nn.LayerNorm(channels), nn.LayerNorm(channels)
        self.qkv, self.attproj = nn.Linear(channels, 3 * channels), nn.Linear(channels, channels)
        self.fc, self.fcproj = nn.Linear(channels, 4 * channels), nn.Linear(4 * channels, channels)

    def forward(self, x, drop):
        B, T, C = x.shape
        size = C // self.heads
        q, k, v = self.qkv(self.ln_1(x)).view(B, T, 3, self.heads, size).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) / math.sqrt(size)
        above = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
        weights = scores.masked_fill(above, -math.inf).softmax(-1)
        mixed = (weights @ v).transpose(1, 2).reshape(B, T, C)
        x = x + functional.dropout(self.attproj(mixed), drop, self.training)
        hidden = functional.gelu(self.fc(self.ln_2(x)), approximate="tanh")
        return x + functional.dropout(self.fcproj(hidden), drop, self.training)


class Model(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.wte = nn.Embedding(shape.tokens, shape.channels)
        self.wpe = nn.Embedding(shape.max_tokens, shape.channels)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.ln_f = nn.LayerNorm(shape.channels)
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                is_projection = "proj" in name
                nn.init.normal_(weight, 0, 0.02 / (math.sqrt(2 * shape.layers) if is_projection else 1))
            elif name.endswith("bias"):
                nn.init.zeros_(weight)

    def forward(self, x, drop=0.0):
        y = self.wte(x) + self.wpe.weight[: x.shape[1]]
        for block in self.blocks:
            y = block(y, drop)
        return self.ln_f(y) @ self.wte.weight.T


def header(*first):
    return struct.pack("<256i", *first, *([0] * (256 - len(first))))


def of_all_layers(model):
    """Weights and biases of the layers as llm.c orders them, each for all layers."""
    for layer in ("ln_1", "qkv", "attproj", "ln_2", "fc", "fcproj"):
        for part in ("weight", "bias"):
            yield torch.stack([getattr(getattr(block, layer), part) for block in model.blocks])
    yield model.ln_f.weight
    yield model.ln_f.bias


def tensors(model):
    """llm.c's 16 tensors."""
    shape = model.shape
    padding = torch.zeros(shape.padded_tokens - shape.tokens, shape.channels, device=model.wte.weight.device)
    yield torch.cat([model.wte.weight, padding])
    yield model.wpe.weight
    yield from of_all_layers(model)


def bytes_of(tensor, dtype):
    tensor = tensor.detach().to(dtype).contiguous().cpu()
    return (tensor.view(torch.int16) if dtype == torch.bfloat16 else tensor).numpy().tobytes()


def write_checkpoint(file, model, dtype=torch.bfloat16):
    """@param dtype torch.bfloat16 or torch.float32"""
    shape = model.shape
    version = bf16_version if dtype == torch.bfloat16 else fp32_version
    with open(file, "wb") as out:
        out.write(header(checkpoint_magic, version, shape.max_tokens, shape.tokens, shape.layers, shape.heads,
                         shape.channels, shape.padded_tokens))
        for tensor in tensors(model):
            out.write(bytes_of(tensor, dtype))


def write_debug_state(file, model, x, y):
    """Tokens x and the ones that follow them, y, with logits and loss from float64 arithmetic on the model's weights.
    Turns the model into float64."""
    B, T = x.shape
    model = model.double().eval()
    with torch.no_grad():
        logits = model(x)
        loss = functional.cross_entropy(logits.flatten(0, 1), y.flatten())
    with open(file, "wb") as out:
        out.write(header(debug_magic, 2, B, T))
        for ids in (x, y):
            out.write(bytes_of(ids, torch.int32))
        out.write(bytes_of(logits, torch.float32))
        out.write(struct.pack("<f", loss.item()))
