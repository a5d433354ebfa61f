"""What pictures are drawn from: the records of docs/results and what `./learn docs` wrote down."""
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class CannotDraw(Exception):
    """The text says why, and what to do."""


class Facts:
    """@param build a build folder after ./learn docs"""

    def __init__(self, build):
        self.build = Path(build).resolve()

    def written(self, name):
        path = self.build / "docs/facts" / name
        if not path.exists():
            raise CannotDraw(f"{path} is missing: run ./learn docs first")
        return json.loads(path.read_text())

    def gpu(self, name):
        """The row of the GPU table, with its facts."""
        return next(one for one in self.written("gpus.json") if one["id"] == name)

    @staticmethod
    def record(name):
        return json.loads((ROOT / "docs/results" / f"{name}.json").read_text())

    def ladder(self, chapter, name):
        return next(one for one in self.record(chapter)["ladders"] if one["name"] == name)

    def table(self, chapter, name):
        return next(one for one in self.record(chapter)["tables"] if one["name"] == name)

    @staticmethod
    def rung(ladder, name):
        return next(one for one in ladder["rungs"] if one["name"] == name)

    def sectors_per_load(self, chapter, ladder, rung):
        counters = self.rung(self.ladder(chapter, ladder), rung)["counts"]["counters"]
        return counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] / counters["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"]
