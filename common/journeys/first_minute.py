"""Root in a bare system: clone to the first judged kernel, everything compiled anew, timed."""
import time

from walk import clone


def walk(root):
    root.share_compiled()
    way = clone(root, "root", "/root/warpwise")
    # As with an empty cache: it takes what is compiled, and gives nothing.
    way.variables["CCACHE_RECACHE"] = "1"
    begin = time.monotonic()
    way.expect("./learn", says=["installing", "0 of", "01_grid_size: not solved yet"])
    screen = time.monotonic()
    way.expect("cp solutions/ch05_warp_reduce/01_lane_sum.cu exercises/ch05_warp_reduce/ && ./learn run ch05/01", says=["pass"])
    print(f"  {screen - begin:.0f} s to the first screen (with packages), "
          f"{time.monotonic() - screen:.0f} s more to the first judged kernel")
    way.expect("./learn run ch05/01", says=["pass"])
    way.expect("./learn doctor", says=["ok"])
    return way
