# SPDX-License-Identifier: GPL-3.0-or-later
"""The web site of the help: every page, link, anchor and picture is there, by a reader of HTML that knows nothing of how it was made."""
import filecmp
import html.parser
import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from urllib.parse import unquote, urlsplit

if not all(importlib.util.find_spec(name) for name in ("markdown_it", "pygments")):
    print("skipped: python3-markdown-it or python3-pygments is not installed")
    sys.exit(77)

RESOURCES = pathlib.Path(__file__).resolve().parents[2] / "resources"
MAKER = RESOURCES / "site" / "make_site.py"
HELP = RESOURCES / "help"
sys.path.insert(0, str(MAKER.parent))
import make_site

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}


def made(*words):
    return subprocess.run([sys.executable, MAKER, *words], capture_output=True, text=True, check=False)


def files(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


class Reader(html.parser.HTMLParser):
    """What a page of the site has and where it leads."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.title, self.text, self.open = [], [], "", "", []
        self.feed(text)
        self.close()
        assert not self.open, f"left open: {self.open}"

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            elif name in ("href", "src"):
                self.links.append((tag, value))

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open and self.open[-1] == tag, f"</{tag}> inside of {self.open}, line {self.getpos()[0]}"
            self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "title":
            self.title += data
        self.text += data


class OfTheHelp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name) / "site"
        done = made(cls.folder)
        assert done.returncode == 0, done.stderr
        cls.pages = {name: Reader((cls.folder / name).read_text()) for name in files(cls.folder) if name.endswith(".html")}
        text = (cls.folder / "search_index.js").read_text()
        cls.index = json.loads(text[text.index("["):text.rindex("]") + 1])

    def leads(self, page, link):
        """Does a link of a page lead to a file of the site, and to a place there?"""
        parts = urlsplit(link)
        target = (self.folder / page).parent / unquote(parts.path) if parts.path else self.folder / page
        self.assertTrue(target.is_file(), f"{page}: {link}")
        if parts.fragment:
            name = target.resolve().relative_to(self.folder.resolve()).as_posix()
            self.assertIn(unquote(parts.fragment), self.pages[name].ids, f"{page}: {link}")

    def testEveryPageAndNotebookIsThere(self):
        self.assertEqual(len(self.pages), len(list(HELP.glob("*.md"))) + len(list(HELP.glob("notebooks/*.ipynb"))))
        titles = [page.title for page in self.pages.values()]
        self.assertEqual(len(set(titles)), len(titles))
        self.assertTrue(all("PIM Studio" in title for title in titles), titles)
        for name in self.pages:
            self.assertTrue(any(link == name for _, link in self.pages["index.html"].links) or name == "index.html", name)

    def testEveryLinkAnchorAndPictureLeadsSomewhere(self):
        seen = 0
        for name, page in self.pages.items():
            self.assertEqual(len(set(page.ids)), len(page.ids), name)
            for tag, link in page.links:
                if urlsplit(link).scheme:
                    self.assertEqual((tag, urlsplit(link).scheme), ("a", "https"), f"{name}: {link}")  # nothing is fetched from elsewhere
                else:
                    self.leads(name, link)
                    seen += 1
        self.assertGreater(seen, 2000)
        self.assertEqual(sum(link.startswith("images/") for page in self.pages.values() for tag, link in page.links if tag == "img"),
                         sum(path.read_text().count("](images/") for path in HELP.glob("*.md")))

    def testTheIndexKnowsEverySection(self):
        for url, title, heading, text in self.index:
            self.leads("index.html", url)
            self.assertTrue(title and heading, url)
        found = [url for url, _, heading, _ in self.index if heading == "Pareto front"]
        self.assertEqual(found, ["concepts.html#pareto-front"])
        self.assertTrue(any("nsga2" in text for url, _, _, text in self.index if url.startswith("sweep.html")))
        self.assertTrue(any("plan.simulate()" in text for url, _, _, text in self.index if url.startswith("notebooks/dram_pim.html")))
        self.assertEqual({url.split("#")[0] for url, *_ in self.index}, set(self.pages))

    def testTextOfPagesIsWhole(self):
        self.assertIn("pimc compile sample:bert-base --target mine.json", self.pages["cookbook.html"].text)  # code by indentation
        self.assertIn("plan = pimstudio.compile(graph", self.pages["python.html"].text)  # in fences
        self.assertIn("Where does the time go?", self.pages["index.html"].text)  # a table
        self.assertNotIn("](", self.pages["index.html"].text)

    def testTheSameHelpGivesTheSameBytes(self):
        with tempfile.TemporaryDirectory() as name:
            again = pathlib.Path(name) / "again"
            for _ in range(2):  # the second takes the place of the first
                self.assertEqual(made(again).returncode, 0)
            self.assertEqual(files(again), files(self.folder))
            self.assertEqual(filecmp.cmpfiles(again, self.folder, files(again), shallow=False)[1:], ([], []))


class OfBrokenHelp(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.out = pathlib.Path(temporary.name) / "site"
        self.help = pathlib.Path(temporary.name) / "help"
        shutil.copytree(HELP, self.help)

    def added(self, name, *lines):
        """Puts lines at the end of a page. Returns where the last one is."""
        path = self.help / name
        text = path.read_text().rstrip("\n").split("\n") + ["", *lines]
        path.write_text("\n".join(text) + "\n")
        return f"{path}:{len(text)}: "

    def fails(self, *expected):
        done = made("--help-folder", self.help, self.out)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        for each in expected:
            self.assertIn(each, done.stderr)
        self.assertIn(f"{len(expected)} problem", done.stderr.splitlines()[-1])
        self.assertFalse(self.out.exists())
        self.assertNotIn("Traceback", done.stderr)

    def testBrokenLinksAreToldWithFileAndLine(self):
        self.fails(self.added("sweep.md", "Here is [no page](no_such_page.md).") + 'link to "no_such_page.md": there is no page "no_such_page.md"',
                   self.added("lut.md", "A paragraph, and", "in its second line [no heading](sweep.md#no-such-heading).")
                   + 'link to "sweep.md#no-such-heading": "sweep.md" has no heading "no-such-heading"',
                   self.added("upmem.md", "| Here | too |", "|---|---|", "| [none](#nowhere) | |") + 'link to "#nowhere": "upmem.md" has no heading',
                   self.added("runs.md", "![A picture](images/none.svg)") + 'picture "images/none.svg": there is no such file in images',
                   self.added("sql.md", "[Insecure](http://example.org)") + 'link to "http://example.org": only https://')

    def testABrokenLinkInANotebookIsToldWithItsLine(self):
        path = self.help / "notebooks" / "upmem.ipynb"
        lines = path.read_text().split("\n")
        number = next(number for number, line in enumerate(lines) if "../upmem.md" in line)
        lines[number] = lines[number].replace("../upmem.md", "upmem.md")
        path.write_text("\n".join(lines))
        self.fails(f'{path}:{number + 1}: link to "upmem.md": there is no page "notebooks/upmem.md"')

    def testContentsAndPagesAgree(self):
        (self.help / "forgotten.md").write_text("# Forgotten\nNobody lists this page.\n")
        contents = self.help / "contents.json"
        contents.write_text(contents.read_text().replace('"cookbook"', '"cookbook", "nowhere"', 1))
        line = next(number for number, line in enumerate(contents.read_text().splitlines(), 1) if "nowhere" in line)
        self.fails(f"{self.help / 'forgotten.md'}:1: contents.json does not name this page", f'{contents}:{line}: there is no page "nowhere"')

    def testHeadingsOfAPageDiffer(self):
        self.fails(self.added("notes.md", "## Again", "Text again.", "## again") + 'two headings have the anchor "again"')

    def testFilesThatAreNoHelpAreRefused(self):
        (self.help / "contents.json").write_text("{ not JSON")
        self.fails(f"{self.help / 'contents.json'}:1: ")
        (self.help / "contents.json").write_text('[{"title": "Begin"}]')
        self.fails(f"{self.help / 'contents.json'}:1: ")
        shutil.copy(HELP / "contents.json", self.help)
        (self.help / "notebooks" / "lut.ipynb").write_text('{"cells": 3}')
        self.fails(f"{self.help / 'notebooks' / 'lut.ipynb'}:1: ")

    def testAFolderOfSomebodyElseIsLeftAlone(self):
        self.out.mkdir()
        (self.out / "thesis.tex").write_text("mine")
        done = made(self.out)
        self.assertEqual(done.returncode, 1)
        self.assertIn("other files than a site", done.stderr)
        self.assertEqual(files(self.out), ["thesis.tex"])

    def testASiteIsReplacedOnlyByAWholeOne(self):
        self.assertEqual(made(self.out).returncode, 0)
        before = files(self.out)
        self.added("sweep.md", "[no page](no_such_page.md)")
        self.assertEqual(made("--help-folder", self.help, self.out).returncode, 1)
        self.assertEqual(files(self.out), before)
        self.assertEqual(sorted(path.name for path in self.out.parent.iterdir()), ["help", "site"])


class Anchors(unittest.TestCase):
    def testAreThoseOfTheProgram(self):
        for heading, anchor in (("Data tile", "data-tile"), ("What limits a run?", "what-limits-a-run"), ("The paper's figures", "the-papers-figures"),
                                ("pimc check --input", "pimc-check---input"), ("From `cim` to memristor", "from-cim-to-memristor"),
                                ("Größe & Zahl", "größe--zahl"), ("snake_case", "snake-case")):
            self.assertEqual(make_site.anchor_of(heading), anchor)


if __name__ == "__main__":
    unittest.main()
