#!/usr/bin/env python3
"""Tests of the pages' generator. Ends with "N passed, N failed"."""
import re
import sys
import tempfile
import unittest
import unittest.mock
import xml.dom.minidom
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(HERE.parent / "results")]

import chapters  # noqa: E402
import code_blocks  # noqa: E402
import counters  # noqa: E402
import cuda_words  # noqa: E402
import diagnoses  # noqa: E402
import doxygen  # noqa: E402
import exercises  # noqa: E402
import fill_tables  # noqa: E402
import landing  # noqa: E402
import markdown  # noqa: E402
import marks  # noqa: E402
import navigation  # noqa: E402
import reading_order  # noqa: E402
import reference  # noqa: E402
import search_index  # noqa: E402
import teaching  # noqa: E402
import values  # noqa: E402
from charts import bars, choose, lines, roofline, svg  # noqa: E402
from site_pages import Page, PageError, Site  # noqa: E402


LIST_SIGN = re.compile(r" {0,6}(\d+[.)]|[-+*]) ")


class Folder(unittest.TestCase):
    """A test with a small tree of its own."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = Path(temporary.name)
        self.site = Site(self.root, self.root / "facts", self.root / "out", None, False)

    def put(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file


class Markdown(Folder):
    def convert(self, text):
        return markdown.to_doxygen(text, "page", markdown.Linker(self.site, "docs/a.md"))

    def test_what_doxygen_would_take_for_commands_is_escaped(self):
        self.assertEqual(self.convert("a@b \\c #if x -- y <T>"), "a\\@b \\\\c \\#if x \\-- y &lt;T&gt;")

    def test_code_stays_as_it_is(self):
        self.assertEqual(self.convert("`a<b>(@c)` and `x's`"), "`a<b>(@c)` and ``x's``")
        self.assertEqual(self.convert("text\n\n    x @param <y>\n"), "text\n\n    x @param <y>\n")
        self.assertEqual(self.convert("```cpp\n@x\n```"), "```{.cpp}\n@x\n```")

    def test_code_may_go_on_in_the_next_line(self):
        self.assertEqual(self.convert("a `b --c\n  D` e `f`\ng -- h"), "a `b --c D` e `f`\ng \\-- h")
        self.assertEqual(self.convert("one ` alone\n\nb `c`"), "one ` alone\n\nb `c`")

    def test_the_line_below_a_tables_head_stays(self):
        self.assertEqual(self.convert("| --- | ---: |"), "| --- | ---: |")

    def test_headings_have_ids_that_differ(self):
        self.assertEqual(self.convert("## A b\n## A b"), "## A b {#page_a_b}\n## A b {#page_a_b2}")

    def test_links_lead_to_pages_or_become_text(self):
        self.site.announce("other", "Other", "docs/other.md")
        self.assertEqual(self.convert("[x](other.md) [y](../z.md) [s](#a-b)"), "[x](@ref other) y (`z.md`) s (`docs/a.md`)")

    def test_images_lie_beside_the_pages(self):
        self.assertIn('<img src="p.svg" alt="a &quot;b&quot;"/>', self.convert('![a "b"](pictures/p.svg)'))
        self.assertEqual(self.site.images, {"docs/pictures/p.svg"})

    def test_a_part_that_opens_stays_one(self):
        self.assertEqual(self.convert("<details><summary>Q `x`</summary>\n\na <b>\n\n</details>\n"),
                         "\n@htmlonly[block]\n<details><summary>Q <code>x</code></summary>\n@endhtmlonly\n\n\na &lt;b&gt;\n\n"
                         "\n@htmlonly[block]\n</details>\n@endhtmlonly\n\n")

    def test_marks_of_predictions_become_places_for_boxes(self):
        self.assertEqual(self.convert("How? <!-- question: many -->\n<!-- no mark -->**Answer:**<!-- answer: many long --> 4."),
                         'How? @htmlonly<span class="question-mark" data-names="many"></span>@endhtmlonly\n'
                         '**Answer:**@htmlonly<span class="answer-mark" data-names="many long"></span>@endhtmlonly 4.')

    def test_comments_are_gone(self):
        self.assertEqual(self.convert("a <!-- b\nc --> d"), "a  d")


class Texts(unittest.TestCase):
    @staticmethod
    def accidents(text):
        """Lines that begin a list though the one before is in the middle of a sentence."""
        found, fenced, before, kind = [], False, "", ""  # kind: of the list that the line is in
        for line in text.splitlines():
            fenced ^= line.startswith("```")
            goes_on = before.strip() and not before.startswith("    ") and before.rstrip()[-1] not in ".:;!?|>"
            sign = LIST_SIGN.match(line)
            if sign and goes_on and not fenced and sign[1][-1] != kind:
                found.append(line)
            kind = "" if not line.strip() else sign[1][-1] if sign else kind
            before = line
        return found

    def test_a_number_or_a_plus_at_the_beginning_of_a_line_is_found(self):
        self.assertEqual(self.accidents("rows t and t\n+ 8; down\n"), ["+ 8; down"])
        self.assertEqual(self.accidents("- columns 2t and 2t\n  + 8\n"), ["  + 8"])
        self.assertEqual(self.accidents("the first 24 of row\n1. Rows mean\n"), ["1. Rows mean"])
        self.assertEqual(self.accidents("- a\n- b\n\nThree:\n1. a\n```\nx\n+ 1\n```\n"), [])

    def test_no_line_begins_a_list_by_accident(self):
        files = [file for folder in ("chapters", "solutions", "docs") for file in (ROOT / folder).rglob("*.md")
                 if "site" not in file.parts]
        self.assertGreater(len(files), 80)
        for file in [ROOT / "README.md", *files]:
            self.assertEqual(self.accidents(file.read_text()), [], file)


class Lessons(unittest.TestCase):
    NUMBERED = re.compile(r"\b[a-z_]+_\d+_[a-z0-9_]+")
    # Tables of arrangements and sizes: their rows do not follow from each other.
    NO_LIMITS = {"ch02_coalescing/patterns", "ch03_shared_memory_banks/arrangements", "ch04_occupancy/latency", "ch04_occupancy/tile_sizes",
                 "ch02_coalescing/embedding_host", "ch05_warp_reduce/two_changes", "ch04_occupancy/host_memory", "ch06_tensor_cores/in_flight", "ch06_tensor_cores/tile_sizes", "ch06_tensor_cores_8192/product",
                 *(f"ch06_tensor_cores/layer_{layer}" for layer in ("qkv", "attproj", "fc", "fcproj", "logits"))}
    RUNG = re.compile(r"^///     ( \d|\d\d)  (.+?)  +(\w.*)$", re.MULTILINE)

    def lists_of(self, chapter):
        """The lists of rungs in the headers of a chapter's sources: (ladder, rungs and kernels)."""
        folder = ROOT / "chapters" / chapter
        for source in sorted([*folder.glob("*.cu"), *folder.glob("*.cpp")]):
            for part in source.read_text().split("\n\n")[0].split("/// The rungs of ")[1:]:
                rungs = [match.groups()[1:] for match in self.RUNG.finditer(part)]
                # One list may serve several ladders: they are named in its first line.
                yield from ((ladder, rungs) for ladder in re.findall(r"`(\w+)`", part.split("\n")[0]))

    def test_every_source_of_a_chapter_has_a_page(self):
        files = [path for path in ROOT.glob("chapters/ch*/*") if path.is_file() and path.name != "README.md"]
        self.assertGreater(len(files), 100)
        self.assertEqual([str(path) for path in files if path.suffix not in chapters.SOURCES], [])

    def test_the_header_of_a_ladder_lists_its_rungs_and_kernels(self):
        seen = 0
        for chapter in sorted(path.name for path in ROOT.glob("chapters/ch*")):
            lists = dict(self.lists_of(chapter))
            for ladder in fill_tables.record(chapter).get("ladders", []):
                kernels = [self.NUMBERED.search(rung["kernel"]) for rung in ladder["rungs"]]
                if ladder["parameter"] or not any(kernels):
                    continue
                seen += 1
                listed = lists.get(ladder["name"], [])
                self.assertEqual([name for name, _ in listed], [rung["name"] for rung in ladder["rungs"]], ladder["name"])
                for (name, kernel), match in zip(listed, kernels):
                    if match:
                        self.assertEqual(kernel.split("<")[0], match[0], name)
        self.assertGreater(seen, 12)

    def test_a_kernel_has_the_number_of_the_first_rung_that_uses_it(self):
        seen = 0
        for chapter in sorted(ROOT.glob("chapters/ch*")):
            for ladder, rungs in self.lists_of(chapter.name):
                kernels = [kernel.split("<")[0] for _, kernel in rungs]
                # A ladder that leaves out the first rungs of another keeps the numbers of that one.
                if not any(re.fullmatch(r"\w+?_1_\w+", kernel) for kernel in kernels):
                    continue
                for kernel in dict.fromkeys(kernels):
                    number = re.fullmatch(r"\w+?_(\d+)_\w+", kernel)
                    if number:
                        seen += 1
                        self.assertEqual(int(number[1]), kernels.index(kernel) + 1, (ladder, kernel))
        self.assertGreater(seen, 40)

    def test_every_rung_of_a_ladder_says_what_limits_it_now(self):
        seen = 0
        # The later chapters say it for a whole ladder, in a table or a paragraph of its section.
        for page in sorted(ROOT.glob("chapters/ch0[1-6]_*/README.md")):
            limits = re.findall(r"^- `(.+?)`\. \*\*Limits now:\*\* \w", page.read_text(), re.MULTILINE)
            wanted = []
            for kind, name in re.findall(r"<!-- (results): (\S+) -->", page.read_text()):
                if name in self.NO_LIMITS or (ladder := choose.ladder_of(name)[1])["parameter"]:
                    continue
                wanted += [rung["name"] for rung in ladder["rungs"] if not rung["name"].startswith("cuBLAS")]
            self.assertEqual(sorted(limits), sorted(wanted), page)
            seen += len(limits)
        self.assertGreater(seen, 60)
        for page in set(ROOT.glob("chapters/ch??_*/README.md")) - set(ROOT.glob("chapters/ch0[1-6]_*/README.md")):
            self.assertIn("Limits now", page.read_text(), page)

    def test_a_chapter_calls_its_exercises_where_they_belong(self):
        called = set()
        for page in sorted(ROOT.glob("chapters/ch*/README.md")):
            lesson = page.read_text().split("\n## Exercises\n")[0]
            for call in re.findall(r"^\*\*Now do\*\* (.+?)(?:\n\n|\Z)", lesson, re.MULTILINE | re.DOTALL):
                names = re.findall(r"`(\d\d_\w+)`", call)
                self.assertTrue(names, call)
                for name in names:
                    self.assertTrue((page.parent / "checks" / f"{name}.cu").exists(), f"{page}: {name}")
                    called.add(name)
        self.assertGreater(len(called), 40)

    def test_the_hints_of_a_task_are_folded(self):
        tasks = sorted(ROOT.glob("chapters/*/checks/*.md"))
        self.assertGreater(len(tasks), 40)
        for path in tasks:
            hints = exercises.HINT.findall(path.read_text())
            self.assertEqual(len(hints), 3, path)
            for _, _, text in hints:
                self.assertRegex(text, r"\A\n<details><summary>Show</summary>\n\n(?s:.+)\n\n</details>\n+\Z", path)

    def test_each_check_leads_to_a_section_that_exists(self):
        checks = sorted(ROOT.glob("chapters/*/checks/*.cu"))
        self.assertGreater(len(checks), 30)
        for check in checks:
            for readme, section in re.findall(r'"(chapters/\w+/README\.md), \\"([^"\\]+)\\"', check.read_text()):
                self.assertRegex((ROOT / readme).read_text(), rf"(?m)^#+ {re.escape(section)}$", check)


class Values(unittest.TestCase):
    TIMES = {"a": 10.0, "b": 40.0}
    LADDER = {"name": "l", "parameter": "", "rate": "TFLOP/s", "bytes": 0, "flops": 2e9, "peak_tflops": 102.4, "size_of_times": "8x100",
              "size_of_counts": "4x20", "copy": {"median_us": 5.0},
              "rungs": [{"name": n, "series": "", "value": 0, "time": {"median_us": t}, "counts": {"counters": {
                  values.LOADS[0]: 8e4, values.WAVEFRONTS[0]: 1e5, values.WAVEFRONTS[1]: 6e4, values.ISSUED[0]: 32e4}}} for n, t in TIMES.items()]}

    def filled(self, words):
        return values.filled(lambda chapter: {"ladders": [self.LADDER]}, f"x <!-- value: {words} -->?<!-- end --> y")

    def test_numbers_of_a_record(self):
        for words, number in {'times c/l "b" "a"': "4.0", 'saved c/l b a': "75", 'saved c/l a b': "-300", 'rate c/l a': "200.0",
                              'of_copy c/l a': "50", 'copies c/l b': "8.00", 'of_time_of c/l a b': "25", 'of_peak c/l b': "49", 'of_rate c/l b c/l:a': "25",
                              'ns c/l a': "100", 'loads_of_time c/l a': "20", 'wavefronts_of_time c/l a': "40",
                              'issue_of_time c/l a': "20"}.items():
            self.assertEqual(self.filled(words), f"x <!-- value: {words} -->{number}<!-- end --> y")

    def test_what_no_record_has_is_named(self):
        with self.assertRaisesRegex(values.NotFound, 'c/l has no timed rung "z"'):
            self.filled("times c/l z a")
        with self.assertRaisesRegex(values.NotFound, 'no kind of value "speed"'):
            self.filled("speed c/l a")


class Flagship(Folder):
    def test_a_name_that_is_no_ladder_is_refused(self):
        self.put("docs/results/ch00.json", '{"ladders": [{"name": "copy", "limit": "", "copy": null, "rungs": []}]}')
        readme = self.put("chapters/ch00/README.md", "<!-- flagship: copi -->")
        with unittest.mock.patch.object(fill_tables, "ROOT", str(self.root)):
            with self.assertRaisesRegex(SystemExit, "flagship copi is not a ladder of its record; there are copy"):
                fill_tables.result_of("ch00")
            readme.write_text("<!-- flagship: copy -->")
            self.assertEqual(fill_tables.result_of("ch00"), "not recorded yet")


class BankConflicts(unittest.TestCase):
    COUNTED = {"warpwise__shared_bank_conflicts_op_ld": 3, "warpwise__shared_bank_conflicts_op_st": 4}
    WAVEFRONTS = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"

    def test_a_dash_where_the_compiled_code_did_not_confirm_the_loads(self):
        self.assertEqual(fill_tables.conflicts({}), "-")
        self.assertEqual(fill_tables.conflicts(self.COUNTED), "7")
        self.assertEqual(fill_tables.conflicts(self.COUNTED | {"ptx__" + self.WAVEFRONTS: 8}), "-")
        self.assertEqual(fill_tables.conflicts(self.COUNTED | {"ptx__" + self.WAVEFRONTS: 0}), "7")
        self.assertEqual(fill_tables.conflicts(self.COUNTED | {"ptx__" + self.WAVEFRONTS: 8, self.WAVEFRONTS: 8}), "7")


class Code(unittest.TestCase):
    SOURCE = ["void f(int);", "template <int n>", "__global__ void", "    f(int x) {", "  if (x) {", "  }  // }", "}", "//! [m]", "int y;", "//! [m]"]

    def test_a_function_with_its_template_to_its_closing_brace(self):
        lines_of = ["template <int n>", "__global__ void __launch_bounds__(n)", "    f(int x) {", "  char c = '}';", "}", "int z;"]
        self.assertEqual(code_blocks.find(lines_of, "f", "x.cu"), (0, 5))

    def test_a_declaration_is_no_definition(self):
        self.assertEqual(code_blocks.find(self.SOURCE, "f", "x.cu"), (1, 7))

    def test_marks_win(self):
        self.assertEqual(code_blocks.find(self.SOURCE, "m", "x.cu"), (8, 9))

    def test_the_whole_of_a_file_begins_after_its_first_comment(self):
        self.assertEqual(code_blocks.find(["// A.", "#include <b>", "int c;", ""], "whole", "x.cu"), (1, 3))

    def test_what_is_not_there_is_told(self):
        with self.assertRaisesRegex(code_blocks.NotFound, "x.cu: no function g"):
            code_blocks.find(self.SOURCE, "g", "x.cu")
        with self.assertRaisesRegex(code_blocks.NotFound, "twice"):
            code_blocks.find(["//! [m]"], "m", "x.cu")


class Kinds(Folder):
    def test_a_kind_without_text_and_a_text_without_kind_are_errors(self):
        with self.assertRaisesRegex(PageError, r"no section for: race \(a.cpp\)"):
            diagnoses.require_texts({"race": "a.cpp"}, "### leak\n")
        with self.assertRaisesRegex(PageError, "what nothing finds: leak"):
            diagnoses.require_texts({"race": "a.cpp"}, "### leak\n### race\n")

    def test_kinds_come_from_sources_mistakes_and_gates(self):
        self.put("common/check/verdict/a.cpp", 'fail(size, "diagnosed", "launch", x); fail(n, "signature", "", y);')
        self.put("common/simulator/machine/checks/b.cpp", 'finding("trap", 1); f("out-of-bounds"); found.kind = "timeout";')
        self.put("common/simulator/machine/checks/b_test.cpp", 'finding("never", 1);')
        self.put("solutions/ch/mistakes/x.cu", "y = 1;  // expect: gate sectors\n z;  // expect: wrong result in the frame")
        self.put("chapters/ch/checks/x.cu", '.gates = {{.name = "stores",')
        self.assertEqual(set(diagnoses.kinds(self.site)), {"launch", "signature", "trap", "out-of-bounds", "timeout", "gate sectors",
                                                           "wrong result", "gate stores"})

    def test_names_of_counters(self):
        self.assertEqual(counters.spelled_out("a_{ld,st}.sum"), ["a_ld.sum", "a_st.sum"])
        record = {"rungs": [{"counts": {"ptx__barriers": 1, "ptx__smsp__x.sum": 2, "median_us": 3}}]}
        self.assertEqual(set(counters.names_in(record)), {"ptx__barriers", "smsp__x.sum"})


class CudaWords(unittest.TestCase):
    def coloured(self, line):
        whole = f'<p>threadIdx</p><div class="fragment"><div class="line">{line}</div>\n</div><!-- fragment -->'
        found = cuda_words.coloured(whole)
        self.assertTrue(found.startswith("<p>threadIdx</p>"))  # prose stays
        return re.findall(r'<span class="cuda">(.*?)</span>', found)

    def test_words_of_cuda_are_found(self):
        self.assertEqual(self.coloured("__global__ <span class=\"keywordtype\">void</span> f(float4* x) { x[threadIdx.x] = __ldg(y); }"),
                         ["__global__", "float4", "threadIdx", "__ldg"])
        self.assertEqual(self.coloured("f&lt;&lt;&lt;dim3(1), 2&gt;&gt;&gt;(); cudaFree(p); atomicAdd(p, 1);"),
                         ["&lt;&lt;&lt;", "dim3", "&gt;&gt;&gt;", "cudaFree", "atomicAdd"])

    def test_other_words_and_comments_stay(self):
        self.assertEqual(self.coloured("int my_threadIdx, floats, __foo; <span class=\"comment\">// threadIdx <b>x</b> <span>blockIdx</span> cudaFree</span>"), [])
        self.assertEqual(self.coloured('<span class="stringliteral">"cudaFree"</span>; blockIdx'), ["blockIdx"])


class ReadingOrder(unittest.TestCase):
    def setUp(self):
        self.chapters = [Page(f"ch{number}", f"Chapter {number}", [Page(f"ch{number}_{i}", f"exercise {i}") for i in range(exercises)])
                         for number, exercises in ((1, 2), (7, 0), (9, 1))]
        self.order = reading_order.of_course(self.chapters, Page("index", "Start"))

    def leads(self, page, kind):
        return self.order.links.get(page, {}).get(kind, (None,))[0]

    def test_chapters_follow_each_other_whatever_their_numbers(self):
        self.assertEqual([self.leads(page, "next") for page in ("index", "ch1", "ch7", "ch9")], ["ch1", "ch7", "ch9", None])
        self.assertEqual([self.leads(page, "previous") for page in ("index", "ch1", "ch7", "ch9")], [None, "index", "ch1", "ch7"])

    def test_exercises_lead_to_each_other_and_to_the_next_chapter(self):
        self.assertEqual([self.leads("ch1", "exercise"), self.leads("ch1_0", "next"), self.leads("ch1_1", "next")], ["ch1_0", "ch1_1", "ch7"])
        self.assertEqual([self.leads("ch1_0", "previous"), self.leads("ch1_1", "previous"), self.leads("ch1_1", "up")], ["ch1", "ch1_0", "ch1"])
        self.assertEqual([self.leads("ch9_0", "next"), self.leads("ch7", "exercise")], [None, None])

    def test_no_page_has_two_links_to_the_same(self):
        for page in self.order.links:
            targets = re.findall('href="([^"]*)"', reading_order.links(self.order, page))
            self.assertEqual(len(targets), len(set(targets)), page)

    def test_links_stand_at_the_end_of_the_text(self):
        page = reading_order.with_links("<div>text</div></div><!-- contents -->", self.order, "ch7")
        self.assertIn('<a class="next" href="ch9.html" rel="next"><span>Next</span> Chapter 9</a></nav>\n</div></div>', page)
        start = reading_order.with_links("a</div></div><!-- PageDoc -->\n</div><!-- contents -->", self.order, "index")
        self.assertIn('</nav>\n</div></div><!-- PageDoc -->', start)
        self.assertEqual(reading_order.with_links("a</div></div><!-- contents -->", self.order, "glossary"), "a</div></div><!-- contents -->")


class Tree(unittest.TestCase):
    def test_names_are_short(self):
        self.assertIn('title="3. banks"', navigation.user(Page("ch03", "Chapter 3: banks")))
        self.assertIn('title="01_lane_sum"', navigation.user(Page("x", "01_lane_sum: a sum that every lane needs")))
        self.assertIn('title="Chapter 3 in steps"', navigation.user(Page("x", "Chapter 3 in steps")))


class Chapters(unittest.TestCase):
    """What every chapter's README promises its reader."""

    def test_each_exercise_is_called_where_it_belongs_and_in_order(self):
        folders = sorted((ROOT / "chapters").glob("ch*"))
        self.assertGreater(len(folders), 8)
        for folder in folders:
            text = (folder / "README.md").read_text().split("\n## Exercises\n")[0]
            calls = re.findall(r"^\*\*Now do\*\*.*?(?=\n\n)", text, re.MULTILINE | re.DOTALL)
            called = list(dict.fromkeys(re.findall(r"`(\d\d_\w+)`", "\n".join(calls))))
            with self.subTest(folder.name):
                self.assertEqual(called, sorted(path.stem for path in (folder / "checks").glob("*.md")))


    def test_names_of_exercises_lead_to_their_tasks(self):
        chapter = {"exercises": [{"name": "01_grid_size"}, {"name": "02_index"}]}
        text = "**Now do** `01_grid_size` (`./learn run ch01/01`), [`02_index`](elsewhere) and `03_of_another`."
        self.assertEqual(chapters.to_tasks(text, chapter),
                         text.replace("`01_grid_size`", "[01_grid_size](checks/01_grid_size.md)"))
        self.assertEqual(chapters.to_tasks(text, {"exercises": []}), text)


class Search(Folder):
    PAGE = """<nav>x</nav><div class="contents"><div class="toc"><a>left</a></div><div class="textblock"><p>First.</p>
<h1><a class="anchor" id="a_b"></a>
A <code>b</code></h1><p>One &amp; two</p><table><tr><th>head</th></tr><tr><td>word</td><td>4.0</td></tr></table>
<svg><text>drawn</text></svg><nav>next</nav></div></div><!-- contents --> after"""

    def test_a_page_is_its_sections_without_numbers_and_links(self):
        self.assertEqual(search_index.sections(self.PAGE), [["", "", "First."], ["a_b", "A b", "One & two word"]])

    def test_the_index_is_a_script(self):
        script = search_index.script([("p.html", "T", "chapter", self.PAGE)])
        self.assertTrue(script.startswith('const search_pages = [{"page":"p.html","title":"T","kind":"chapter","sections":[["","","First."]'))

    def test_the_landing_page_takes_the_first_paragraph(self):
        self.assertEqual(landing.first_paragraph("\n![p](q.svg)\n\n    code\n\n<!-- m\n\nx -->\n\n**One** two\nthree.\n\nFour."), "**One** two\nthree.")


class Reference(unittest.TestCase):
    def test_each_namespace_is_in_its_room_and_no_line_moves(self):
        text = "#pragma once\nnamespace warpwise::a {\nclass B;\n}\nnamespace warpwise::c {\nint d() {\n}\n}  // namespace warpwise::c\n"
        grouped = reference.grouped(text, "room")
        self.assertEqual(grouped.count("@{"), 1)
        self.assertEqual(grouped.count("@}"), 1)
        self.assertEqual([line.split(" /**")[0].replace("/** @} */ ", "") for line in grouped.split("\n")], text.split("\n"))

    def test_directives_in_comments_are_no_links(self):
        self.assertEqual(reference.grouped("/// an #if and #define", "r"), "/// an \\#if and \\#define")


class Charts(unittest.TestCase):
    def test_bars_stand_in_the_proportion_of_their_values(self):
        drawn = bars.bars("t", [("a", 50, ""), ("b", 100, "50 %")], ("limit", 200), "GB/s", "measured")
        self.assertIn('width="25.00%"', drawn)
        self.assertIn('width="50.00%"', drawn)
        self.assertIn("a 50 GB/s; b 100 GB/s, 50 %. The limit: limit, 200 GB/s.", drawn)

    def test_a_bar_that_dwarfs_all_others_is_cut_off_and_says_so(self):
        drawn = bars.bars("t", [("a", 30, ""), ("b", 900, "x")], ("limit", 60), "GB/s", "measured")
        self.assertIn("900.0 GB/s, x, bar cut off", drawn)
        self.assertIn('width="37.50%"', drawn)
        self.assertIn('width="100.00%"', drawn)
        self.assertNotIn("cut off", bars.bars("t", [("a", 30, ""), ("b", 240, "")], None, "GB/s", ""))

    def test_names_are_escaped(self):
        self.assertIn("a&lt;b&gt; &amp; c", bars.bars("t", [("a<b> & c", 1, "")], None, "us", ""))

    def test_numbers_below_an_axis_never_touch(self):
        for values in (list(range(1, 34)), [32, 64, 96, 128, 192, 256, 320, 384, 512, 640, 768, 896, 1024], [4, 8], [7], list(range(32))):
            axis = lines.Axis(values[0], values[-1], 8, 98)
            places = [axis.place(v) for v in lines.x_ticks(values, axis)]
            self.assertEqual(places, sorted(places))
            self.assertTrue(all(b - a >= 9 for a, b in zip(places, places[1:])), values)

    def test_steps_of_an_axis_are_round(self):
        self.assertEqual([lines.nice_step(x) for x in (5, 32, 64, 3960, 0.9)], [1, 10, 20, 1000, 0.2])

    def test_one_point_and_zeros_draw(self):
        xml.dom.minidom.parseString(lines.lines("t", "x", "y", {"": [(1, 0)]}, "c"))

    def test_the_roof_has_its_ridge(self):
        drawn = roofline.roofline("t", [("a", 0.5, 2.0), ("b", 8, 30.0)], 4800, 67, "c")
        self.assertIn("they meet at 14.0 flops a byte", drawn)

    def test_series_have_signs_of_their_own(self):
        self.assertEqual(len({svg.marker(50, 5, i).split(" ")[0] + svg.marker(50, 5, i)[-80:] for i in range(4)}), 4)

    def test_every_recorded_result_draws_well_formed(self):
        gpus = [{"id": "h200", "name": "NVIDIA H200", "memory_gbps": 4800}, {"id": "h100", "name": "H100", "memory_gbps": 3350}]
        drawn = 0
        for path in sorted((ROOT / "docs/results").glob("ch*.json")):
            data = fill_tables.record(path.stem)
            pictures = [p for ladder in data.get("ladders", []) for p in choose.of_results(f"{path.stem}/{ladder['name']}")]
            pictures += [p for table in data.get("tables", []) for p in choose.of_table(f"{path.stem}/{table['name']}", gpus)]
            for picture in pictures:
                xml.dom.minidom.parseString(picture)
                self.assertRegex(picture, "<figcaption>(Measured|Counted|Computed)")
            drawn += len(pictures)
        self.assertGreater(drawn, 20)

    def test_a_ladder_without_times_has_no_picture(self):
        ladder = {"rungs": [{"name": "a", "time": None}], "title": "t"}
        self.assertEqual(choose.of_ladder({}, ladder), [])


class Pages(Folder):
    def test_what_is_not_recorded_says_so(self):
        self.assertIn("Not recorded yet", marks.one_mark(self.site, "results", "ch99_nothing/x", "p", None))

    def test_a_page_that_loads_from_elsewhere_is_refused(self):
        self.put("html/a.html", '<a href="https://example.org">a link is fine</a><script src="b.js"></script>')
        doxygen.other_hosts(self.root / "html")
        self.put("html/b.html", '<script type="x" src="https://example.org/c.js">')
        with self.assertRaisesRegex(PageError, "b.html would load from another host"):
            doxygen.other_hosts(self.root / "html")
        (self.root / "html/b.html").unlink()
        self.put("html/c.css", 'a { background: url("//example.org/c.png"); }')
        with self.assertRaisesRegex(PageError, "c.css"):
            doxygen.other_hosts(self.root / "html")

    def test_a_chapter_without_notes_is_an_error(self):
        with self.assertRaisesRegex(PageError, "docs/teaching/ch07.md is missing"):
            teaching.notes(self.site, {"id": "ch07_x"})
        self.put("docs/teaching/ch07.md", "# T\n\n## Time\n")
        with self.assertRaisesRegex(PageError, "no section Questions"):
            teaching.notes(self.site, {"id": "ch07_x"})


if __name__ == "__main__":
    result = unittest.TextTestRunner(verbosity=1).run(unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__]))
    wrong = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - wrong} passed, {wrong} failed", flush=True)
    sys.exit(1 if wrong else 0)
