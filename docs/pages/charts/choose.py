"""Which picture a recorded result gets: bars for a ladder, curves for a sweep, and two of their own."""
import re

import fill_tables
from charts.bars import bars
from charts.lines import lines
from charts.roofline import roofline


def measured(data, ladder):
    """"measured" with device, driver and date."""
    return f"Measured on an {fill_tables.device_words(data, ladder)} at {ladder['size_of_times']}."


def counted(ladder):
    return f"Counted by the simulator at {ladder['size_of_counts']}."


def ladder_of(name):
    chapter, ladder_name = fill_tables.chosen(name)[0].split("/")
    data = fill_tables.record(chapter)
    return data, next(ladder for ladder in data["ladders"] if ladder["name"] == ladder_name)


def of_results(name):
    """The pictures of a `results` mark; none where there is nothing to compare.
    Raises FileNotFoundError or StopIteration where nothing is recorded yet."""
    data, ladder = ladder_of(name)
    return of_sweep(data, ladder) if ladder.get("parameter") else of_ladder(data, ladder)


def rate(ladder, microseconds):
    """In the ladder's unit; None where it has no work to count."""
    if ladder.get("rate") == "TFLOP/s":
        return ladder["flops"] / microseconds / 1e6 if ladder["flops"] else None
    return ladder["bytes"] / microseconds / 1e3 if ladder["bytes"] else None


def of_ladder(data, ladder):
    timed = [rung for rung in ladder["rungs"] if rung["time"]]
    if not timed:
        return []
    limit_us, limit_head, _ = fill_tables.limit_of(ladder)
    title = ladder["title"]
    if rate(ladder, 1.0) is None:
        rows = [(rung["name"], rung["time"]["median_us"], "") for rung in timed]
        return [bars(title, rows, None, "us", measured(data, ladder) + " Shorter is faster.")]
    rows = [(rung["name"], rate(ladder, rung["time"]["median_us"]),
             f"{100 * limit_us / rung['time']['median_us']:.0f} %" if limit_us else "") for rung in timed]
    limit = (limit_head.removeprefix("% of "), rate(ladder, limit_us)) if limit_us else None
    return [bars(title, rows, limit, ladder.get("rate", "GB/s"), measured(data, ladder))]


def of_sweep(data, ladder):
    """One picture for the speed, one for each number shown that is not the same everywhere."""
    names = list(dict.fromkeys(rung["series"] for rung in ladder["rungs"]))
    pictures = []

    def curves(value_of):
        found = {name: [(rung["value"], value_of(rung)) for rung in ladder["rungs"]
                        if rung["series"] == name and value_of(rung) is not None] for name in names}
        return {name: points for name, points in found.items() if points}

    speed = curves(lambda rung: rung["time"] and rate(ladder, rung["time"]["median_us"]))
    if speed:
        copy = ladder["copy"] and ("a copy of the same bytes", rate(ladder, ladder["copy"]["median_us"]))
        limit = copy if ladder.get("rate", "GB/s") == "GB/s" else None
        unit = ladder.get("rate", "GB/s")
        pictures.append(lines(heading(ladder, unit), ladder["parameter"], unit, speed, measured(data, ladder), limit))
    for shown in ladder["shows"]:
        found = curves(lambda rung: as_number(rung["shown"].get(shown)))
        if len({round(y) for points in found.values() for _, y in points}) > 1:
            source = measured(data, ladder) if shown in ("us", "ms") else counted(ladder)
            pictures.append(lines(heading(ladder, shown), ladder["parameter"], shown, found, source))
    return pictures


def heading(ladder, shown):
    return f"{ladder['title']}: {shown} over {ladder['parameter']}"


def as_number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def of_table(name, gpus):
    """The picture of a `table` mark: the roofline, and the charts drawn with # and . in text."""
    chapter, table_name = name.split("/")
    data = fill_tables.record(chapter)
    table = next(table for table in data.get("tables", []) if table["name"] == table_name)
    if "flop/byte" in table["columns"]:
        return of_roofline(data, table, gpus)
    cells = [cell for row in table["rows"] for cell in row[1:]]
    if cells and all(re.fullmatch(r"\d+ [#.]+", cell) for cell in cells):
        series = {head: [(float(row[0]), float(row[i].split()[0])) for row in table["rows"]]
                  for i, head in enumerate(table["columns"]) if i}
        return [lines(table["title"], table["columns"][0], "resident warps", series, "Computed by common/occupancy.")]
    return []


def of_roofline(data, table, gpus):
    """The flops a byte of the table with the speeds of the ladder that has kernels of these names."""
    where = {row[0]: float(row[table["columns"].index("flop/byte")]) for row in table["rows"]}
    # A row that is no kernel, a bound, has no speed.
    ladder = max(data["ladders"], key=lambda ladder: len(where.keys() & {rung["name"] for rung in ladder["rungs"]}))
    points = [(rung["name"], where[rung["name"]], rate(ladder, rung["time"]["median_us"]))
              for rung in ladder["rungs"] if rung["name"] in where and rung["time"]]
    if len(points) < 2:
        return []
    gpu = next(gpu for gpu in gpus if gpu["id"] == data["limits_of"])
    caption = (f"{measured(data, ladder)} Flops a byte: {counted(ladder)[0].lower()}{counted(ladder)[1:]} "
               f"Roofs: the data sheet of {gpu['name']}.")
    return [roofline(f"Roofline of {gpu['name']}", points, gpu["memory_gbps"], ladder["peak_tflops"], caption)]
