"""The occupancy calculator: common/occupancy as WebAssembly, in a script that also loads from file://."""
import base64
from pathlib import Path
from tempfile import TemporaryDirectory

from tools import ROOT, is_current, run, write

SOURCE = ROOT / "docs/widgets/occupancy"
COMPILER = "clang++-19"
FLAGS = ("--target=wasm32-wasi", "-mexec-model=reactor", "-std=c++20", "-Os", "-fno-exceptions", "-fno-rtti", "-Wall",
         "-Wextra", "-Wl,--strip-all")


def library():
    """The room's sources, without its tests."""
    return [path for path in sorted((ROOT / "common/occupancy").glob("*.cpp")) if not path.name.endswith("_test.cpp")]


def include_flags():
    return [f"-I{ROOT / 'common'}", f"-I{SOURCE}"]


def make(out):
    made = out / "occupancy_module.js"
    headers = [*SOURCE.glob("*.h"), *(ROOT / "common/occupancy").glob("*.h")]
    sources = [SOURCE / "answer.cpp", SOURCE / "wasm_main.cpp", *library()]
    if is_current(made, [*sources, *headers, Path(__file__)]):
        return
    with TemporaryDirectory() as folder:
        module = Path(folder) / "occupancy.wasm"
        run([COMPILER, *FLAGS, *include_flags(), "-o", module, *sources], 300)
        code = base64.b64encode(module.read_bytes()).decode()
    write(made, f'// common/occupancy, compiled to WebAssembly by docs/widgets/calculator.py.\nconst occupancy_module = "{code}";\n')
