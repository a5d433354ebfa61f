#!/usr/bin/env python3
"""record_seeded.py PROGRAM [FILE [MODELS]]: compares chapter 8's passes at the full shapes of GPT-2 124M and ViT-B/16 with
PyTorch in float64 on the same seeded weights, and writes FILE, docs/results/ch08_transformer_seeded.json if not named.
PROGRAM is build/ch08_transformer. Needs a GPU and PyTorch. MODELS is a folder for the files of seeded_models.py, some
2 GB; a temporary one if not named."""
import json, pathlib, subprocess, sys, tempfile

root = pathlib.Path(__file__).resolve().parents[2]
out_file = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else root / "docs/results/ch08_transformer_seeded.json"
gpt2 = ["--checkpoint", "gpt2.bin", "--debug-state", "gpt2_debug.bin"]
tables = {"debug_state": gpt2, "bf16_logits": gpt2,
          "digits": ["--image-model", "vit.bin", "--image-test", "vit_test.bin"]}


def result_of(program, folder, table):
    """The program's own record of one table. The program fails where a number is outside what is allowed."""
    file = folder / f"{table}.json"
    words = [folder / word if word.endswith(".bin") else word for word in tables[table]]
    subprocess.run([program, "--device", "gpu", "--only", table, "--json", file, *words], check=True)
    return json.loads(file.read_text())


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else temporary).resolve()
        subprocess.run([sys.executable, root / "chapters/ch08_transformer/models/seeded_models.py", "--out", folder], check=True)
        records = [result_of(program, folder, table) for table in tables]
    record = {key: records[0][key] for key in ("date", "device")}
    record["tables"] = [table for of_table in records for table in of_table["tables"]]
    out_file.write_text(json.dumps(record, indent=1) + "\n")


main()
