"""The commands of README.md, literally, and what is expected of each."""
import re

# Of a checkout in which nothing is solved yet. A command of the README that is not here fails.
EXPECTED = {
    "./learn": dict(says=["0 of", "01_grid_size: not solved yet"]),
    "./learn test": dict(says=[" passed, 0 failed"]),
    "cmake --preset default": {},
    "cmake --build --preset default --target ch05_warp_reduce": {},
    "build/ch05_warp_reduce": dict(says=["reduce_scale", "warp per row", "01_lane_sum"]),
    "build/ch05_warp_reduce --compare": dict(says=["01_lane_sum", "not solved yet"]),
    "./learn list": dict(says=["ch05_warp_reduce", "01_lane_sum"]),
    "./learn run ch05/01": dict(status=1, says=["not solved yet"]),
    # No input: no guess.
    "./learn predict ch05": dict(says=["1 of ", "No guess was given"]),
    "./learn hint ch05/01": dict(says=["hint 1 of 3"]),
    "./learn explain ch05/01": dict(status=1, says=["solved"]),
    "./learn compare ch05/01": dict(says=["solution"]),
    "./learn reset ch05/01": {},
    "./learn sim program.cu": dict(says=["42"]),
    "./learn sim --json report.json -- ./program arguments": dict(says=["42"]),
    "./learn sim --trace steps.json program.cu": dict(says=["42"]),
    # A plain user without bubblewrap cannot keep strangers' programs apart.
    "./learn grade SUBMISSIONS --assignment FILE": dict(status=3, says=["bubblewrap"]),
    "./learn docs --instructor": dict(asks_for_packages=True),
    "./learn export ../handout": dict(makes_every_image=True),
}


def commands(text):
    """Each indented line, without its comment."""
    lines = re.findall(r"^    (\S.*)$", text, re.MULTILINE)
    return [re.sub(r"\s+#.*", "", line).strip() for line in lines]
