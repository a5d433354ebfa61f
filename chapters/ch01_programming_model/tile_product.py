#!/usr/bin/env python3
"""Rung 5 of batched_product in Triton: a program owns a tile, masks say which elements exist.

    python3 chapters/ch01_programming_model/tile_product.py

Needs Triton, PyTorch and a GPU; where one is missing it says which, and that is no error.
"""
import sys

try:
    import torch
    import triton
    import triton.language as tl
except ImportError as missing:
    print(f"tile_product.py: skipped, {missing.name} is not installed "
          "(pip install torch brings both on Linux)")
    sys.exit(0)

TILE = 16
INNER = 32


@triton.jit
def tile_product(x, w, y, rows, inner, columns, TILE: tl.constexpr, INNER: tl.constexpr):
    """Y[b] = X[b] W for one tile of TILE x TILE; the sum is taken INNER products at a time."""
    batch = tl.program_id(0)
    row = tl.program_id(1) * TILE + tl.arange(0, TILE)
    column = tl.program_id(2) * TILE + tl.arange(0, TILE)
    total = tl.zeros((TILE, TILE), dtype=tl.float32)
    for first in range(0, inner, INNER):
        i = first + tl.arange(0, INNER)
        x_tile = tl.load(x + (batch * rows + row)[:, None] * inner + i[None, :],
                         mask=(row < rows)[:, None] & (i < inner)[None, :], other=0.0)
        w_tile = tl.load(w + i[:, None] * columns + column[None, :],
                         mask=(i < inner)[:, None] & (column < columns)[None, :], other=0.0)
        total += tl.dot(x_tile, w_tile, input_precision="ieee")
    tl.store(y + (batch * rows + row)[:, None] * columns + column[None, :], total,
             mask=(row < rows)[:, None] & (column < columns)[None, :])


def product(x, w):
    """X (B, N, Din) times W (Din, Dout), both contiguous on the device."""
    batches, rows, inner = x.shape
    columns = w.shape[1]
    y = torch.full((batches, rows, columns), float("nan"), device=x.device)
    grid = (batches, triton.cdiv(rows, TILE), triton.cdiv(columns, TILE))
    tile_product[grid](x, w, y, rows, inner, columns, TILE=TILE, INNER=INNER)
    return y


def main():
    if not torch.cuda.is_available():
        print("tile_product.py: skipped, PyTorch finds no GPU")
        return 0
    for batches, rows, inner, columns in [(1, 1, 1, 1), (2, 31, 256, 33), (3, 17, 100, 5),
                                          (256, 32, 256, 32)]:
        x = torch.rand(batches, rows, inner, device="cuda") * 2 - 1
        w = torch.rand(inner, columns, device="cuda") * 2 - 1
        difference = (product(x, w).double() - x.double() @ w.double()).abs().max().item()
        right = difference <= inner * 2.0**-20  # False for a NaN.
        print(f"{batches} x {rows} x {inner} times {inner} x {columns}: "
              f"{'right' if right else 'WRONG'}, largest difference {difference:.2g}")
        if not right:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
