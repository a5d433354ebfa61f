"""A vision transformer in PyTorch, of any size, and its files: for train_vit.py and seeded_models.py."""
import dataclasses
import math

import torch
from torch import nn
from torch.nn import functional

from gpt_model import bytes_of, header, of_all_layers

epsilon = 1e-12
model_magic, test_magic, version = 20261128, 20261129, 1


@dataclasses.dataclass(frozen=True)
class Shape:
    layers: int
    channels: int
    heads: int
    side: int  # patches per side
    patch: int  # pixels per side of a patch
    colours: int
    classes: int

    @property
    def width(self):
        return self.side * self.patch


class Block(nn.Module):
    def __init__(self, shape):
        super().__init__()
        channels = shape.channels
        self.heads = shape.heads
        self.ln_1 = nn.LayerNorm(channels, eps=epsilon)
        self.qkv, self.attproj = nn.Linear(channels, 3 * channels), nn.Linear(channels, channels)
        self.ln_2 = nn.LayerNorm(channels, eps=epsilon)
        self.fc, self.fcproj = nn.Linear(channels, 4 * channels), nn.Linear(4 * channels, channels)

    def forward(self, x):
        B, T, C = x.shape
        size = C // self.heads
        q, k, v = self.qkv(self.ln_1(x)).view(B, T, 3, self.heads, size).permute(2, 0, 3, 1, 4)
        weights = (q @ k.transpose(-1, -2) / math.sqrt(size)).softmax(-1)
        x = x + self.attproj((weights @ v).transpose(1, 2).reshape(B, T, C))
        return x + self.fcproj(functional.gelu(self.fc(self.ln_2(x))))


class Model(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        channels = shape.channels
        self.patches = nn.Linear(shape.colours * shape.patch ** 2, channels)
        self.first = nn.Parameter(torch.empty(channels))
        self.positions = nn.Parameter(torch.empty(shape.side ** 2 + 1, channels))
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.ln_f = nn.LayerNorm(channels, eps=epsilon)
        self.head = nn.Linear(channels, shape.classes)
        for parameter in (self.first, self.positions):
            nn.init.normal_(parameter, 0, 0.02)

    def forward(self, images):
        """@param images (B, colours, width, width), or (B, width, width), in [-1, 1]."""
        B, s = images.shape[0], self.shape
        cut = images.reshape(B, s.colours, s.side, s.patch, s.side, s.patch).permute(0, 2, 4, 1, 3, 5)
        x = self.patches(cut.reshape(B, s.side ** 2, -1))
        x = torch.cat([self.first.expand(B, 1, s.channels), x], 1) + self.positions
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln_f(x)[:, 0])


def tensors(model):
    """The order of llm.c's tensors, the patches in place of the table of tokens; then the ends."""
    yield model.patches.weight
    yield model.positions
    yield from of_all_layers(model)
    yield model.first
    yield model.patches.bias
    yield model.head.weight
    yield model.head.bias


def write_model(file, model):
    s = model.shape
    with open(file, "wb") as out:
        out.write(header(model_magic, version, s.side, s.patch, s.colours, s.classes, s.layers, s.heads, s.channels))
        for tensor in tensors(model):
            out.write(bytes_of(tensor, torch.float32))


def scores_in_double(model, values):
    """Turns the model into float64. @param values pixels from 0 to 16."""
    with torch.no_grad():
        return model.double()(values.double() / 8 - 1).float()


def write_test(file, model, values, labels, scores):
    """@param values of the pixels, 0 to 16. @param labels below 256. @param scores of scores_in_double()."""
    s = model.shape
    with open(file, "wb") as out:
        out.write(header(test_magic, version, len(values), s.colours * s.width ** 2, s.classes))
        for bytes_of_images in (values, labels):
            out.write(bytes_of(bytes_of_images, torch.uint8))
        out.write(bytes_of(scores, torch.float32))
