#!/usr/bin/env python3
"""record_models.py [FILE]: times whole models of chapter 8's shapes in PyTorch, as a baseline, and writes
FILE, docs/results/ch08_transformer_torch.json if not named. Needs a GPU and PyTorch.

GPT-2 124M from tokens to logits at B 4, T 1024, and ViT-B/16 from pixels to classes; seeded weights, attention by
scaled_dot_product_attention. Each pass is a CUDA graph, and is also started launch by launch. Before each run 128
MiB are overwritten, as the course's own timer does; medians."""
import datetime, json, pathlib, statistics, sys

import torch
from torch import nn
from torch.nn.functional import gelu, scaled_dot_product_attention

root = pathlib.Path(__file__).resolve().parents[2]
out_file = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else root / "docs/results/ch08_transformer_torch.json"
runs, C, H, layers = 61, 768, 12, 12


class Block(nn.Module):
    def __init__(self, causal, form, eps):
        super().__init__()
        self.causal, self.form = causal, form
        self.ln_1, self.ln_2 = nn.LayerNorm(C, eps=eps), nn.LayerNorm(C, eps=eps)
        self.qkv, self.attproj = nn.Linear(C, 3 * C), nn.Linear(C, C)
        self.fc, self.fcproj = nn.Linear(C, 4 * C), nn.Linear(4 * C, C)

    def forward(self, x):
        B, T, _ = x.shape
        q, k, v = self.qkv(self.ln_1(x)).view(B, T, 3, H, 64).permute(2, 0, 3, 1, 4)
        mixed = scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        x = x + self.attproj(mixed.transpose(1, 2).reshape(B, T, C))
        return x + self.fcproj(gelu(self.fc(self.ln_2(x)), approximate=self.form))


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(50304, C), nn.Embedding(1024, C)
        self.blocks = nn.Sequential(*(Block(True, "tanh", 1e-5) for _ in range(layers)))
        self.ln_f = nn.LayerNorm(C)

    def forward(self, x):
        return self.ln_f(self.blocks(self.wte(x) + self.wpe.weight[: x.shape[1]])) @ self.wte.weight.T


class Vit(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches, self.head = nn.Conv2d(3, C, 16, 16), nn.Linear(C, 1000)
        self.first, self.positions = nn.Parameter(torch.randn(1, 1, C)), nn.Parameter(torch.randn(197, C))
        self.blocks = nn.Sequential(*(Block(False, "none", 1e-12) for _ in range(layers)))
        self.ln_f = nn.LayerNorm(C, eps=1e-12)

    def forward(self, images):
        x = self.patches(images).flatten(2).transpose(1, 2)
        x = torch.cat([self.first.expand(len(x), 1, C), x], 1) + self.positions
        return self.head(self.ln_f(self.blocks(x))[:, 0])


flushed = torch.empty(128 << 20, dtype=torch.uint8, device="cuda")


def median_ms(start):
    times = []
    for _ in range(runs + 5):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        flushed.zero_()
        begin.record()
        start()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end))
    return statistics.median(times[5:])


def case(name, model, given, dtype):
    model = model.cuda().to(dtype).eval()
    given = given.cuda() if given.dtype == torch.int64 else given.cuda().to(dtype)
    stream = torch.cuda.Stream()
    with torch.no_grad(), torch.cuda.stream(stream):
        for _ in range(3):
            model(given)
        stream.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            model(given)
    torch.cuda.synchronize()
    with torch.no_grad():
        eager = median_ms(lambda: model(given))
    replayed = median_ms(graph.replay)
    return {"pass": name, "eager_ms": round(eager, 3), "graph_ms": round(replayed, 3)}


def main():
    torch.manual_seed(1)
    tokens = torch.randint(50257, (4, 1024))
    cases = [case("GPT-2 124M, B 4, T 1024, fp32", Gpt(), tokens, torch.float32),
             case("GPT-2 124M, B 4, T 1024, bf16", Gpt(), tokens, torch.bfloat16)]
    for B in (1, 32):
        images = torch.randn(B, 3, 224, 224)
        cases.append(case(f"ViT-B/16, B {B}, fp32", Vit(), images, torch.float32))
        cases.append(case(f"ViT-B/16, B {B}, bf16", Vit(), images, torch.bfloat16))
    record = {"device": torch.cuda.get_device_name(0), "date": datetime.date.today().isoformat(),
              "torch": torch.__version__, "runs": runs, "cases": cases}
    note = (f"Medians of {runs} runs on an {record['device']} ({record['date']}), PyTorch "
            f"{record['torch'].split('+')[0]}, TF32 off.")
    record["tables"] = [{"name": "torch", "columns": ["pass", "launch by launch, ms", "CUDA graph, ms"],
                         "rows": [[c["pass"], f"{c['eager_ms']:.2f}", f"{c['graph_ms']:.2f}"] for c in cases],
                         "note": note}]
    out_file.write_text(json.dumps(record, indent=1) + "\n")
    print(json.dumps(record, indent=1))


main()
