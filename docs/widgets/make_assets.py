#!/usr/bin/env python3
"""Makes what the interactive pages need and nobody writes by hand; ./learn docs calls it.

    docs/widgets/make_assets.py --build FOLDER [--out FOLDER]

What is newer than everything it comes from is kept. Lines "progress: WHAT" say how far it is.
"""
import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))

import calculator  # noqa: E402
import traces  # noqa: E402
from tools import AssetError  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description="Makes the assets of the interactive pages; ./learn docs calls it.")
    parser.add_argument("--build", type=Path, required=True, help="the build folder, with the chapters' programs")
    parser.add_argument("--out", type=Path, help="where the assets go; else BUILD/site_assets")
    options = parser.parse_args()
    build = options.build.resolve()
    out = (options.out or build / "site_assets").resolve()
    out.mkdir(parents=True, exist_ok=True)
    jobs = {"the occupancy calculator": lambda: calculator.make(out)}
    jobs |= {f"the steps of {one}": lambda one=one: traces.make(one, build, out) for one in traces.wanted()}
    # Two at a time: the programs themselves use all processors for a moment.
    with ThreadPoolExecutor(2) as pool:
        running = {name: pool.submit(job) for name, job in jobs.items()}
        try:
            for number, (name, job) in enumerate(running.items(), 1):
                job.result()
                print(f"progress: made {name} [{number}/{len(running)}]", flush=True)
        except AssetError as error:
            for job in running.values():
                job.cancel()
            print(error, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
