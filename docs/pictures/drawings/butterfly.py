"""The largest of eight lanes' values in three steps: __shfl_xor_sync with distances 4, 2, 1."""
import lane_steps

VALUES = (3, 1, 4, 1, 5, 9, 2, 6)
DISTANCES = (4, 2, 1)


def steps():
    """The values of all lanes before the first step and after each."""
    found = [list(VALUES)]
    for distance in DISTANCES:
        found.append([max(value, found[-1][lane ^ distance]) for lane, value in enumerate(found[-1])])
    return found


def draw(_):
    return lane_steps.draw("A butterfly over eight lanes", steps(), DISTANCES,
                           source=lambda lane, distance: lane ^ distance,
                           is_done=lambda _, lane, value: value == max(VALUES),
                           notes=["Lane i gets the value of lane i ^ d (blue) and keeps the larger one.",
                                  "After the last step every lane has the largest value (green)."])
