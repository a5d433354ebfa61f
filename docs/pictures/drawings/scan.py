"""The running sums of eight lanes in three steps: __shfl_up_sync with distances 1, 2, 4; who adds, who keeps."""
import lane_steps

VALUES = (3, 1, 4, 1, 5, 9, 2, 6)
DISTANCES = (1, 2, 4)


def steps():
    """The values of all lanes before the first step and after each."""
    found = [list(VALUES)]
    for distance in DISTANCES:
        before = found[-1]
        found.append([value + before[lane - distance] if lane >= distance else value for lane, value in enumerate(before)])
    return found


def first(lane, step):
    """The first lane whose value is in the lane's sum after so many steps."""
    return max(0, lane + 1 - 2 ** step)


def draw(_):
    return lane_steps.draw("A scan over eight lanes", steps(), DISTANCES,
                           source=lambda lane, distance: lane - distance if lane >= distance else None,
                           is_done=lambda step, lane, _: first(lane, step) == 0,
                           notes=["Lane i adds the value of lane i - d (blue line).",
                                  "A lane below d has only the grey line: it keeps its own value.",
                                  "Green: the sum of all lanes up to this one. Each step doubles them."])
