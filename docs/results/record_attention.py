#!/usr/bin/env python3
"""record_attention.py [FILE [LIBRARY]]: takes turns between chapter 7's kernels and PyTorch's attention, and
writes FILE, docs/results/ch07_attention_turns.json if not named. Needs a Hopper GPU, PyTorch, and nvcc where no
compiled LIBRARY is named.

Each backend of scaled_dot_product_attention is forced. Before each launch 2 GiB are overwritten, or read: the L2 cache
then holds none of its data, and the GPU is busy for longer than the host takes to prepare the launch, so that the
two events enclose GPU time alone. One warm-up, then A B C ... A B C ...; medians."""
import ctypes, datetime, functools, json, math, pathlib, statistics, subprocess, sys, tempfile

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

root = pathlib.Path(__file__).resolve().parents[2]
chapter = root / "chapters/ch07_attention"
out_file = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else root / "docs/results/ch07_attention_turns.json"
turns = 61
log2_of_e = 1.4426950408889634
rungs = {5: "mma bf16, tiles of 64", 6: "wgmma bf16, bulk copies",
         7: "wgmma bf16, persistent", 8: "wgmma bf16, softmax under products"}
way_names = ["two launches", "one launch", "keys by bulk copies", "keys evicted first"]
backends = {"FlashAttention-2": SDPBackend.FLASH_ATTENTION, "cuDNN": SDPBackend.CUDNN_ATTENTION,
            "memory-efficient": SDPBackend.EFFICIENT_ATTENTION}


def library():
    """Compiles the kernels; returns the loaded library."""
    if len(sys.argv) > 2:
        return ctypes.CDLL(sys.argv[2])
    made = pathlib.Path(tempfile.mkdtemp()) / "attention.so"
    sources = ["attention_problem.cpp", "warp_products.cu", "warpgroups.sm_90a.cu", "head_map.cu", "decode.cu", "decode_bulk.cu"]
    subprocess.run(["nvcc", "-std=c++20", "-O3", "-gencode", "arch=compute_90a,code=sm_90a", "-shared", "-Xcompiler", "-fPIC,-pthread",
                    "-I", root / "common", "-o", made, root / "docs/results/attention_library.cu",
                    *(chapter / name for name in sources)], check=True)
    return ctypes.CDLL(str(made))


def pointer(tensor):
    return ctypes.c_void_p(tensor.data_ptr())


flushed = torch.empty(2 << 30, dtype=torch.uint8, device="cuda")


def microseconds(start, clean):
    """GPU time of one launch, with nothing of its data in the L2 cache. @param clean whether the cache was filled by
    reading; else its lines have to be written back while the launch runs."""
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    if clean:
        flushed.view(torch.int64).sum()
    else:
        flushed.zero_()
    begin.record()
    start()
    end.record()
    torch.cuda.synchronize()
    return begin.elapsed_time(end) * 1e3


def in_turns(ways, clean=False):
    """{name: start} -> {name: median in us}."""
    times = {name: [] for name in ways}
    for turn in range(turns + 1):
        for name, start in ways.items():
            time = microseconds(start, clean)
            if turn > 0:
                times[name].append(time)
    return {name: round(statistics.median(of), 2) for name, of in times.items()}


def forced(backend, *tensors, **options):
    def start():
        with sdpa_kernel(backend):
            return scaled_dot_product_attention(*tensors, **options)
    return start


def attention_case(kernels, B, T, H, causal):
    qkv = torch.randn(B, T, 3, H, 64, device="cuda", dtype=torch.bfloat16)
    out = torch.empty(B, T, H, 64, device="cuda", dtype=torch.bfloat16)
    q, k, v = (part.transpose(1, 2) for part in qkv.unbind(2))
    scale = ctypes.c_float(0.125 * log2_of_e)

    def rung(number):
        return lambda: kernels.start_attention(number, pointer(qkv), pointer(out), B, T, H, scale, int(causal))

    expected = scaled_dot_product_attention(q.float(), k.float(), v.float(), is_causal=causal).transpose(1, 2)
    ways, errors = {}, {}
    for number, name in rungs.items():
        out.fill_(math.nan)
        rung(number)()
        errors[name] = (out.float() - expected).abs().max().item()
        ways[name] = rung(number)
    for name, backend in backends.items():
        try:
            got = forced(backend, q, k, v, is_causal=causal)().transpose(1, 2)
        except RuntimeError:
            continue
        errors[name] = (got.float() - expected).abs().max().item()
        ways[name] = forced(backend, q, k, v, is_causal=causal)
    return {"B": B, "T": T, "H": H, "d": 64, "causal": causal, "median_us": in_turns(ways),
            "largest_error": {name: float(f"{error:.3g}") for name, error in errors.items()}}


def decode_case(kernels, B, Tmax, H, clean=False):
    q = torch.randn(B, H, 1, 64, device="cuda", dtype=torch.bfloat16)
    keys, values = (torch.randn(B, H, Tmax, 64, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    position = torch.full((B,), Tmax - 1, device="cuda", dtype=torch.int32)
    out = torch.empty(B, H, 64, device="cuda", dtype=torch.bfloat16)
    sms = torch.cuda.get_device_properties(0).multi_processor_count

    def splits_of(blocks_of_sm):
        return min(max(-(-blocks_of_sm * sms // (B * H)), 1), Tmax // 64)

    splits = splits_of(4)
    parts = torch.empty(B * H * max(splits, 8) * 66, device="cuda")
    scale = ctypes.c_float(0.125 * log2_of_e)

    arrived = torch.zeros(B * H, device="cuda", dtype=torch.int32)

    def rung(of, way):
        return lambda: kernels.start_decode_of(
            way, pointer(q), pointer(keys), pointer(values), pointer(position), pointer(parts), pointer(arrived),
            pointer(out), B, H, Tmax, of, scale)

    expected = scaled_dot_product_attention(q.float(), keys.float(), values.float())[:, :, 0]
    errors, ways = {}, {}
    bulk = splits_of(2)  # as the ladder's last two rungs have
    cases = [(of, way) for of in sorted({1, 2, 4, 8, splits}) for way in (0, 1)] + [(bulk, 2), (bulk, 3)]
    for of, way in cases:
        name = f"{of} {'block' if of == 1 else 'blocks'} per head, {way_names[way]}" if way < 2 else way_names[way]
        out.fill_(math.nan)
        rung(of, way)()
        errors[name] = (out.float() - expected).abs().max().item()
        ways[name] = rung(of, way)
    for name, backend in backends.items():
        try:
            forced(backend, q, keys, values)()
        except RuntimeError:
            continue
        ways[name] = forced(backend, q, keys, values)
    # The same bytes, read and dropped.
    chunks = ctypes.c_size_t(keys.numel() // 8)
    for blocks_of_sm in (2, 4, 8):
        ways[f"reads alone, {blocks_of_sm} blocks for each SM"] = functools.partial(
            lambda blocks: kernels.start_read(pointer(keys), pointer(values), chunks, pointer(arrived), blocks),
            blocks_of_sm * sms)
    # As many bytes read and written as the cache has to be read.
    half, to = keys.clone(), torch.empty_like(keys)
    ways["copy of as many bytes"] = lambda: to.copy_(half)
    return {"B": B, "Tmax": Tmax, "H": H, "d": 64, "bytes": 4 * keys.numel(), "splits": splits, "clean_cache": clean,
            "median_us": in_turns(ways, clean),
            "largest_error": {name: float(f"{error:.3g}") for name, error in errors.items()}}


def table(name, cases, heads, first):
    """A table for the chapter's page: a row per way, a column per case."""
    ways = list(dict.fromkeys(way for case in cases for way in case["median_us"]))
    rows = [[way] + [f"{case['median_us'][way]:.1f}" if way in case["median_us"] else "-" for case in cases]
            for way in ways]
    return {"name": name, "columns": ["kernel"] + heads, "rows": rows, "note": first}


def main():
    torch.manual_seed(1)
    kernels = library()
    record = {"device": torch.cuda.get_device_name(0), "date": datetime.date.today().isoformat(),
              "torch": torch.__version__, "cudnn": torch.backends.cudnn.version(), "turns": turns,
              "attention": [attention_case(kernels, 4, T, 12, True) for T in (1024, 4096)] +
                           [attention_case(kernels, 32, 197, 12, False)],
              "decode": [decode_case(kernels, B, 1024, 12, clean) for clean in (False, True) for B in (1, 32)]}
    for case in record["attention"] + record["decode"]:
        worst = max(case["largest_error"].values())
        if not worst < 0.05:
            sys.exit(f"wrong result: {case}")
    note = (f"Medians in microseconds of {turns} turns on an {record['device']} ({record['date']}), PyTorch "
            f"{record['torch'].split('+')[0]} with cuDNN {record['cudnn']}, every way after the other in one process.")
    record["tables"] = [
        table("attention", record["attention"],
              ["4x1024x768, causal", "4x4096x768, causal", "32x197x768, no mask"], note),
        table("decode", record["decode"], ["B 1, 3.1 MB", "B 32, 100.7 MB", "B 1, clean cache", "B 32, clean cache"],
              note + " Clean: the L2 cache was filled by reading; else its lines are written back while the kernel runs.")]
    out_file.write_text(json.dumps(record, indent=1) + "\n")
    print(json.dumps(record, indent=1))


main()
