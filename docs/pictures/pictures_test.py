#!/usr/bin/env python3
"""Tests of what the pictures show, without a build. Ends with "N passed, N failed"."""
import itertools
import math
import re
import struct
import sys
import unittest
import xml.dom.minidom
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE)]

import roof  # noqa: E402
import sweep  # noqa: E402
from canvas import WIDTH, Canvas  # noqa: E402
from drawings import (banks, butterfly, causal_tiles, coalescing, divergence, five_steps, formats, fragments, halo, halos, latency,  # noqa: E402
                      layer_launches, occupancy, online_softmax, pass_roofline, pass_shares, patches, pipeline, roles, roofline, scan, score_operand,
                      split_decode, structures, threads, tiled_product, timeline, waves)
from facts import ROOT, Facts  # noqa: E402

FACTS = Facts("build")
H200 = {"facts": [{"name": name, "value": value} for name, value in (
    ("registers per SM", "65536"), ("shared memory reserved per block", "1024 bytes"), ("shared memory comes in units of", "128 bytes"),
    ("shared memory per SM", "233472 bytes"), ("warps per SM", "64"), ("blocks per SM", "32"))]}


class Places(unittest.TestCase):
    def test_the_marked_thread(self):
        self.assertEqual(threads.places(48), (6, 21, 309, 1, 5))

    def test_drawn_sectors_are_the_counted_ones(self):
        for title, word_of, rung in coalescing.CASES:
            self.assertEqual(len(coalescing.sectors(word_of)), coalescing.counted(FACTS, rung), title)

    def test_a_plain_column_is_in_one_bank_and_the_others_in_all(self):
        self.assertEqual([banks.wavefronts(place) for _, place in banks.LAYOUTS], [8, 1, 1])

    def test_after_the_last_step_all_lanes_agree(self):
        found = butterfly.steps()
        self.assertEqual(found[1], [5, 9, 4, 6, 5, 9, 4, 6])
        self.assertEqual(found[-1], [9] * 8)

    def test_after_the_last_step_every_lane_has_its_running_sum(self):
        found = scan.steps()
        self.assertEqual(found[-1], list(itertools.accumulate(scan.VALUES)))
        for step, row in enumerate(found):
            for lane, value in enumerate(row):
                self.assertEqual(value, sum(scan.VALUES[scan.first(lane, step):lane + 1]), (step, lane))

    def test_the_running_sum_is_that_of_two_passes(self):
        found = online_softmax.steps()
        for i, (largest, factor, terms) in enumerate(found):
            read = online_softmax.NUMBERS[:i + 1]
            self.assertEqual(largest, max(read))
            self.assertAlmostEqual(sum(terms), sum(math.exp(x - max(read)) for x in read), 12)
            self.assertEqual(factor < 1, i == 0 or read[-1] > max(read[:-1]))
        self.assertEqual(sum(factor < 1 for _, factor, _ in found[1:]), 2)
        largest, _, terms = found[-1]
        whole = sum(map(math.exp, online_softmax.NUMBERS))
        for x, term in zip(online_softmax.NUMBERS, terms):
            self.assertAlmostEqual(term / sum(terms), math.exp(x) / whole, 12)

    def test_a_lane_holds_four_registers_of_each_fragment(self):
        for name, letter in (("fragments_a", "a"), ("fragments_c", "c")):
            held = [cell[1] for row in fragments.cells(FACTS, name) for cell in row if cell[0] == fragments.CHOSEN]
            self.assertEqual(sorted(held), [f"{letter}{i}" for i in range(4)])

    def test_a_score_and_its_weight_are_in_the_same_lane(self):
        sums, operand = score_operand.pairs_of_sums(FACTS), score_operand.pairs_of_operand(FACTS)
        self.assertEqual([[one[0] for one in row] for row in sums], [[one[0] for one in row] for row in operand])
        # Of rows of 8 keys each holder of a pair holds both of it.
        for row in fragments.cells(FACTS, "fragments_c"):
            self.assertEqual([row[j][0] for j in range(0, 8, 2)], [row[j][0] for j in range(1, 8, 2)])
        text = (ROOT / "chapters/ch07_attention/warp_products.cu").read_text()
        order = re.findall(r"as_pair\((left|right)\[(\d)\], \1\[(\d)\]\)", text[text.index("void add_values"):])[:4]
        expected = [(side == "right", (f"c{i}", f"c{j}"), f"a{n}") for n, (side, i, j) in enumerate(order)]
        for lane in range(32):
            self.assertEqual([one[:3] for one in score_operand.moves(FACTS, lane)], expected, lane)
        self.assertEqual([one[3:] for one in score_operand.moves(FACTS, score_operand.CHOSEN)], [(3, 2), (11, 2), (3, 10), (11, 10)])

    def test_bits_of_the_types_are_those_of_the_machine(self):
        bits = struct.unpack("<I", struct.pack("<f", 1 / 3))[0]
        expected = {"fp32": (bits, 0x7F7FFFFF), "TF32": (bits + 0x1000 & ~0x1FFF, 0x7F7FE000), "bf16": (bits + 0x7FFF + (bits >> 16 & 1) & ~0xFFFF, 0x7F7F0000)}
        for name, exponent_bits, mantissa_bits, _ in formats.FORMATS[:3]:
            third, most = (struct.unpack("<f", struct.pack("<I", pattern))[0] for pattern in expected[name])
            exponent, mantissa, value = formats.rounded(formats.CHOSEN, exponent_bits, mantissa_bits)
            self.assertEqual((exponent << 23 | mantissa << 23 - mantissa_bits, float(value)), (expected[name][0], third), name)
            self.assertEqual(float(formats.largest(exponent_bits, mantissa_bits)), most, name)
        _, exponent_bits, mantissa_bits, _ = formats.FORMATS[3]
        exponent, mantissa, value = formats.rounded(formats.CHOSEN, exponent_bits, mantissa_bits)
        self.assertEqual(exponent << 10 | mantissa, struct.unpack("<H", struct.pack("<e", 1 / 3))[0])
        self.assertEqual(float(formats.largest(exponent_bits, mantissa_bits)), struct.unpack("<e", struct.pack("<H", 0x7BFF))[0])
        # A number that rounds up to a power of two.
        self.assertEqual(formats.rounded(Fraction(4095, 1024), 8, 7), (129, 0, 4))

    def test_significant_bits_of_the_types_are_the_recorded_ones(self):
        rows = FACTS.table("ch06_tensor_cores", "precision")["rows"]
        recorded = {row[0].replace(",", " ").split()[0]: int(row[1]) for row in rows}
        self.assertEqual(recorded, {name: 1 + mantissa_bits for name, _, mantissa_bits, _ in formats.FORMATS if name != "fp16"})

    def test_columns_of_the_timeline_are_the_order_of_each_stream(self):
        found = sorted(timeline.operations(FACTS), key=lambda one: (one[2], one[3]))
        self.assertEqual(timeline.columns(found), [0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5])

    def test_causal_tiles_are_those_on_and_below_the_diagonal(self):
        self.assertEqual([causal_tiles.computed(tiles) for tiles in (1, 2, 16)], [1, 3, 136])

    def test_parts_of_a_split_cache_give_the_result_of_the_whole(self):
        _, factors, l, o = split_decode.combined(split_decode.parts())
        weights = [2.0 ** score for score in split_decode.SCORES]
        whole = sum(weight * value for weight, value in zip(weights, split_decode.VALUES)) / sum(weights)
        self.assertAlmostEqual(o / l, whole, 12)
        # Without the factors the result is another one.
        plain = [sum(one[i] for one in split_decode.parts()) for i in (1, 2)]
        self.assertNotAlmostEqual(plain[1] / plain[0], whole, 2)
        self.assertEqual((len(factors), max(factors)), (split_decode.BLOCKS, 1))

    def test_drawn_launches_are_the_recorded_ones(self):
        for column in layer_launches.COLUMNS:
            self.assertEqual(layer_launches.launches(column), layer_launches.recorded(FACTS, column[1]), column[0])
        self.assertEqual([sum(count for _, count in layer_launches.SPANS), len(layer_launches.SPANS)], [9, 7])

    def test_a_patch_has_the_pixels_that_the_kernel_reads(self):
        rows, label = patches.image(patches.IMAGE)
        self.assertEqual(label, 4)
        found = patches.patch_rows(rows)
        # As image_layers.h's pixel(): row j of the words, the class token at 0, pixel k of a patch.
        side, patch = 4, 2
        for row in range(1, 17):
            j = row - 1
            self.assertEqual(found[j], [rows[j // side * patch + k // patch % patch][j % side * patch + k % patch] for k in range(4)])
        self.assertEqual(sum(map(sum, found)), sum(map(sum, rows)))

    def test_halos_are_the_bytes_that_the_simulator_counted(self):
        table = FACTS.table("ch10_many_gpus_order", "stencil_order")
        row = next(row for row in table["rows"] if row[0] == "halo by copies, then the kernel")
        self.assertEqual(halos.peer_bytes(), int(row[table["columns"].index("peer bytes")]))

    def test_an_array_is_written_on_the_device_before_it_is_copied_from_there(self):
        for i, (call, _, places, written, road) in enumerate(five_steps.STEPS):
            self.assertLessEqual(set(written), set(places), call)
            if road == "to the host":
                before = five_steps.STEPS[i - 1][3]
                self.assertEqual(set(five_steps.filled_at_host(i)) - set(five_steps.filled_at_host(i - 1)), {"y"})
                self.assertIn("y", before)
        self.assertEqual(sum(road == "to the host" for *_, road in five_steps.STEPS), 1)

    def test_parts_of_a_pass_are_all_of_it(self):
        for _, rungs in pass_shares.GROUPS:
            for title, name in rungs:
                table = FACTS.table("ch08_transformer", name)
                for column in ("us", "floor, us"):
                    whole = float(next(row for row in table["rows"] if row[0] == "all")[table["columns"].index(column)])
                    parts = pass_shares.microseconds(table, column)
                    # Rows are rounded to a microsecond.
                    self.assertLess(abs(sum(parts.values()) - whole), 6, (title, column))
                    self.assertTrue(all(us > 0 for us in parts.values()), (title, column))

    def test_no_operation_of_a_pass_is_above_its_roof(self):
        for (kind, name, _), peak in zip(pass_roofline.PASSES, (67.0, 989.5)):
            found = pass_roofline.points(FACTS.table("ch08_transformer", name))
            self.assertGreater(len(found), 5, kind)
            for operation, intensity, tflops in found:
                self.assertLess(tflops, min(peak, intensity * 4.8), (kind, operation))

    def test_caches_lift_the_naive_product_alone_above_the_memory(self):
        found = {name: tflops / (intensity * 4.8) for name, intensity, tflops in roofline.points(FACTS)}
        self.assertEqual([name for name, share in found.items() if share > 1], ["naive"])

    def test_powers_of_ten_are_as_far_apart_on_a_roof(self):
        self.assertEqual(roof.powers((0.3, 1000)), [1, 10, 100, 1000])
        places = [roof.part(value, (0.1, 100)) for value in roof.powers((0.1, 100))]
        for place, third in zip(places, (0, 1 / 3, 2 / 3, 1)):
            self.assertAlmostEqual(place, third)

    def test_no_copy_lands_in_a_stage_that_is_in_use(self):
        for stages in (1, 2, 4):
            steps = pipeline.schedule(stages)
            for step in range(stages, len(steps)):
                self.assertGreaterEqual(steps[step][1], steps[step - stages][2] + pipeline.PRODUCT)
            for before, after in zip(steps, steps[1:]):
                self.assertGreaterEqual(after[2], before[2] + pipeline.PRODUCT)
                self.assertGreaterEqual(after[2], after[1] + pipeline.COPY)

    def test_cuts_of_the_roles_are_those_of_the_kernels(self):
        folder = ROOT / "chapters/ch06_tensor_cores"
        rows, columns, stages = map(int, re.search(r"struct Warpgroups \{\s+static constexpr int block_m = (\d+), block_n = (\d+), block_k = \d+, stages = (\d+)",
                                                   (folder / "warpgroup.sm_90a.cu").read_text()).groups())
        turns = list(map(int, re.search(r"PingPong = Cut<(\d+), (\d+), (\d+),", (folder / "persistent.sm_90a.cu").read_text()).groups()))
        self.assertEqual([rung[3:] for rung in roles.RUNGS], [(stages, (rows, columns))] * 2 + [(turns[2], (turns[0], turns[1]))])

    def test_a_role_waits_for_what_its_barriers_say(self):
        waited = []
        for name, ends, in_turns, stages, tile in roles.RUNGS:
            copies, products, stores = roles.schedule(ends, in_turns, stages, tile)
            for turn, (copy, product) in enumerate(zip(copies, products)):
                self.assertGreaterEqual(product[2], copy[2] + roles.LATENCY, name)
                if turn >= stages:
                    self.assertGreaterEqual(copy[1], products[turn - stages][3], name)
                for groups, number, _, end in stores:
                    if number < product[1] and set(groups) & set(product[0]):
                        self.assertGreaterEqual(product[2], end, name)
            for before, after in zip(products, products[1:]):
                self.assertGreaterEqual(after[2], before[3], name)
            begins = [next(begin for number, begin, _ in copies if number == stores[-1][1])]
            previous = max(end for _, number, _, end in stores if number == stores[-1][1] - 1)
            self.assertEqual(begins[0] >= previous, ends, name)
            waited.append(sum(after[2] - before[3] for before, after in zip(products, products[1:])))
        fill = roles.COPY + roles.LATENCY
        self.assertEqual(waited, [(roles.TILES - 1) * (roles.STORE + roles.START + fill), (roles.TILES - 1) * roles.STORE, 0])

    def test_the_four_limits_give_what_the_programs_recorded(self):
        kernels = set()
        for path in sorted((ROOT / "docs/results").glob("ch??_*.json")):
            for ladder in FACTS.record(path.stem).get("ladders", []):
                for rung in ladder["rungs"]:
                    of = rung.get("residency")
                    if of and of["registers_of"] == 90:
                        kernels.add((math.prod(rung["block"]), of["registers"], of["static_shared_bytes"] + rung["dynamic_shared_bytes"], of["blocks"]))
        self.assertGreater(len(kernels), 50)
        for threads_, registers, shared, blocks in sorted(kernels):
            found = occupancy.limits(H200, threads_, registers, shared)
            self.assertEqual(min(count for _, count, _ in found), blocks, (threads_, registers, shared))

    def test_registers_come_in_units_and_from_one_partition(self):
        self.assertEqual([count for _, count, _ in occupancy.limits(H200, 160, 40, 9000)], [12, 32, 9, 23])
        self.assertEqual(occupancy.limits(H200, 256, 33, 0)[2][1], 6)

    def test_a_sweep_has_all_its_points(self):
        unit, found = sweep.curves(FACTS.ladder("ch02_coalescing", "stride"))
        self.assertEqual((unit, {name: len(points) for name, points in found.items()}), ("GB/s", {"loads": 32, "stores": 32}))

    def test_a_warp_that_splits_does_the_recorded_work(self):
        table = FACTS.table("ch01_programming_model", "divergence_shares")
        for series, share, warp_count, thread_count, lanes, _ in table["rows"]:
            if int(share) != divergence.SHARE:
                continue
            found = [divergence.pieces(FACTS, series, warp) for warp in range(divergence.WARPS)]
            for parts in found:
                self.assertEqual(f"{divergence.at_work(parts):.2f}", lanes)
                self.assertEqual(parts[-1][2] * 64, int(warp_count))
                self.assertEqual(sum((end - begin) * (last - first) for _, begin, end, first, last in parts) * 64, int(thread_count))
            # Both sides get as many lanes in either series.
            self.assertEqual([sum(last - first for parts in found for side, _, _, first, last in parts if side == one) for one in (0, 1)], [32, 32])

    def test_waves_are_those_of_the_recorded_table(self):
        rows = FACTS.table("ch04_occupancy", "wave_table")["rows"]
        self.assertGreater(len(rows), 4)
        for _, blocks, wave, count, last, _ in rows:
            self.assertEqual(waves.waves(int(blocks), int(wave)), (int(count), int(last)))

    def test_blocks_have_places_of_their_own_and_the_others_are_idle(self):
        for blocks in waves.GRIDS:
            taken = {waves.place(block) for block in range(blocks)}
            everywhere = {(wave, sm, slot) for wave in range(max(taken)[0] + 1) for sm in range(waves.SMS) for slot in range(waves.RESIDENT)}
            self.assertEqual((len(taken), taken - everywhere), (blocks, set()))
            self.assertAlmostEqual(waves.idle(blocks, waves.SMS * waves.RESIDENT), len(everywhere - taken) / len(everywhere))

    def test_drawn_loads_obey_littles_law(self):
        for warps, loads in latency.CASES:
            found = latency.schedule(warps, loads)
            arrivals = [arrived for _, _, _, arrived in found]
            self.assertEqual(len(set(arrivals)), len(arrivals), "memory delivers one load per unit")
            for warp in range(warps):
                batches = [one for one in found if one[0] == warp]
                for before, after in zip(batches, batches[loads:]):
                    self.assertGreaterEqual(after[2], before[3], "a warp waits for its loads")
            count, period = latency.rate(warps, loads)
            in_flight = sum(begin <= time < end for _, _, begin, end in found for time in range(period, 2 * period)) / period
            self.assertAlmostEqual(in_flight, count / period * latency.LATENCY)

    def test_loads_in_flight_are_those_of_the_text(self):
        text = (ROOT / "chapters/ch04_occupancy/README.md").read_text()
        *given, loads = re.search(r"(\d+) GB/s \* (\d+) ns / (\d+) SMs / (\d+) bytes = ([\d.]+) loads per SM", text).groups()
        gbps, ns, sms, size = map(int, given)
        self.assertEqual((size, loads), (latency.LOAD_BYTES, f"{latency.needed(gbps, ns, sms):.1f}"))

    def test_sectors_of_structures_are_the_counted_ones(self):
        for title, word_of, rung in structures.LAYOUTS:
            for name in structures.NEEDED:
                self.assertEqual(len(structures.sectors(word_of, [name], structures.WARP)), structures.counted(FACTS, rung), title)
        # One 16-byte load of all four fields touches each of the structures' sectors once; so do four loads of the arrays.
        moved = [len(structures.sectors(word_of, structures.NEEDED, structures.WARP)) for _, word_of, _ in structures.LAYOUTS]
        self.assertEqual(moved, [structures.counted(FACTS, "structures, float4"), structures.counted(FACTS, "arrays") * 4])
        self.assertEqual([len(structures.sectors(word_of, ["vx"], structures.PARTICLES)) for _, word_of, _ in structures.LAYOUTS], [8, 1])

    def test_loads_of_a_tiled_product_are_the_counted_ones(self):
        product = FACTS.ladder("ch03_shared_memory_banks", "product")
        M, N, K = map(int, product["size_of_counts"].split("x"))
        for rung, tile, shared in (("naive", 16, False), ("tiles of 16", 16, True), ("tiles of 32", 32, True)):
            requests = FACTS.rung(product, rung)["counts"]["counters"]["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"]
            self.assertEqual(tiled_product.loads(tile, K, shared) * (M // tile) * (N // tile), 32 * requests, rung)
            # Each loaded number is used so often that the products come out.
            uses = len(tiled_product.readers(tile, 5, 3)) if shared else 1
            self.assertEqual(tiled_product.loads(tile, K, shared) * uses, 2 * tile * tile * K, rung)

    def test_loads_of_a_tile_with_halo_are_the_counted_ones(self):
        stencil = FACTS.ladder("ch03_shared_memory_banks", "stencil")
        n, block = int(stencil["size_of_counts"]), halo.REAL_BLOCK
        requests, sectors = set(), set()
        for begin in range(0, n, block):
            for thread, place, step in halo.loads(block):
                requests.add((begin, thread // 32, step))
                if 0 <= begin + place - halo.RADIUS < n:
                    sectors.add((begin, thread // 32, step, (begin + place - halo.RADIUS) // 8))
        counters = FACTS.rung(stencil, "tile with halo")["counts"]["counters"]
        self.assertEqual([len(requests), len(sectors)],
                         [counters[f"l1tex__t_{name}_pipe_lsu_mem_global_op_ld.sum"] for name in ("requests", "sectors")])

    def test_a_thread_adds_its_own_number_and_three_on_each_side(self):
        tile = [place for _, place, _ in halo.loads(halo.BLOCK)]
        self.assertEqual(tile, list(range(22)))
        self.assertEqual([place for place in tile if halo.owner(place, halo.BLOCK) is None], [0, 1, 2, 19, 20, 21])
        self.assertEqual([halo.owner(place, halo.BLOCK) for place in halo.reads(halo.CHOSEN)], list(range(halo.CHOSEN - 3, halo.CHOSEN + 4)))


class Writing(unittest.TestCase):
    def test_words_that_leave_the_picture_are_refused(self):
        c = Canvas("t", "w")
        c.text(12, 20, "short")
        with self.assertRaises(ValueError):
            c.text(12, 20, "long " * 20)
        with self.assertRaises(ValueError):
            c.text(12, 20, "end", "end")

    def test_every_picture_has_words_both_themes_and_a_page_that_shows_it(self):
        pages = "".join(path.read_text() for path in [ROOT / "README.md", *ROOT.glob("chapters/*/README.md")])
        pictures = sorted(HERE.glob("*.svg"))
        self.assertGreater(len(pictures), 8)
        for path in pictures:
            text = path.read_text()
            xml.dom.minidom.parseString(text)
            self.assertGreater(len(re.search(r"<desc[^>]*>(.*?)</desc>", text, re.DOTALL).group(1)), 20, path)
            self.assertIn("prefers-color-scheme: dark", text)
            self.assertTrue(path.name in pages, f"no page shows {path.name}")
            # A terminal keeps its width: a telephone scrolls it.
            if path.name != "verdict.svg":
                self.assertIn(f'viewBox="0 0 {WIDTH} ', text)


if __name__ == "__main__":
    done = unittest.main(exit=False, verbosity=0).result
    bad = len(done.failures) + len(done.errors)
    print(f"{done.testsRun - bad} passed, {bad} failed")
    sys.exit(1 if bad else 0)
