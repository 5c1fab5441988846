# SPDX-License-Identifier: GPL-3.0-or-later
"""The notebooks of the help, run without a browser: no error, no warning, results of every kind, and their pages of the web site."""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

if not all(importlib.util.find_spec(name) for name in ("nbclient", "nbformat", "ipykernel", "pandas", "markdown_it", "pygments")):
    print("skipped: python3-nbclient, -nbformat, -ipykernel, -pandas, -markdown-it or -pygments is not installed")
    sys.exit(77)

RESOURCES = pathlib.Path(__file__).resolve().parents[2] / "resources"
FOLDER = RESOURCES / "help" / "notebooks"
sys.path.insert(0, str(RESOURCES / "site"))
import make_site
import notebooks


def told(results):
    """What a reader sees of the outputs; the text form of pictures has addresses of memory."""
    return [[output.get("data", {}).get("image/svg+xml") or output.get("data", {}).get("text/html") or output.get("text") for output in cell]
            for cell in results]


class Notebooks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.results = {path.stem: notebooks.results_of(path) for path in sorted(FOLDER.glob("*.ipynb"))}

    def testThereIsOneForEachFamilyAndAStudy(self):
        self.assertEqual(set(self.results), {"cinm", "crossbar", "dram_pim", "dual_mode", "language_models", "lut", "study", "upmem"})
        page = (RESOURCES / "help" / "notebooks.md").read_text()
        for name in self.results:
            self.assertIn(f"](notebooks/{name}.ipynb)", page)

    def testNoneIsStoredWithResults(self):
        for path in FOLDER.glob("*.ipynb"):
            notebook = json.loads(path.read_text())
            self.assertEqual(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", path.read_text(), path)  # as Jupyter writes it
            self.assertEqual(set(notebook["metadata"]), {"kernelspec", "language_info"})
            for cell in notebook["cells"]:
                self.assertEqual(cell["metadata"], {})
                if cell["cell_type"] == "code":
                    self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None), path)

    def testEveryCellHasResultsAndNoneWarns(self):
        pictures = 0
        for name, results in self.results.items():
            self.assertGreaterEqual(sum("text/html" in output.get("data", {}) for cell in results for output in cell), 3, name)
            for number, cell in enumerate(results, 1):
                self.assertTrue(cell, f"{name}: cell {number} shows nothing")
                for output in cell:
                    self.assertIn(output["output_type"], ("display_data", "execute_result", "stream"), name)
                    self.assertNotEqual(output.get("name"), "stderr", f"{name}: {output.get('text')}")
                    self.assertNotIn("NaN", output.get("data", {}).get("text/plain", ""), f"{name}: cell {number}")
                    pictures += "image/svg+xml" in output.get("data", {})
        self.assertGreaterEqual(pictures, 6)

    def testTheSameResultsOnAnyNumberOfThreads(self):
        before = os.environ.get("PIM_JOBS")
        os.environ["PIM_JOBS"] = "1"
        try:
            self.assertEqual(told(notebooks.results_of(FOLDER / "dual_mode.ipynb")), told(self.results["dual_mode"]))
        finally:
            os.environ.pop("PIM_JOBS") if before is None else os.environ.update(PIM_JOBS=before)

    def testTheSiteShowsResults(self):
        site = make_site.Site(RESOURCES / "help")
        self.assertEqual(site.problems, [])
        with tempfile.TemporaryDirectory() as name:
            out = pathlib.Path(name)
            site.write(out, {f"notebooks/{each}": results for each, results in self.results.items()})
            for each, results in self.results.items():
                page = (out / "notebooks" / f"{each}.html").read_text()
                outputs = [output.get("data", {}) for cell in results for output in cell]
                self.assertEqual(page.count("<table border="), sum("text/html" in data for data in outputs), each)
                drawn = sorted(path.name for path in (out / "notebooks").glob(f"{each}-*.svg"))
                self.assertEqual(len(drawn), sum("image/svg+xml" in data for data in outputs), each)
                for picture in drawn:
                    self.assertIn(f'src="{picture}"', page)
                    self.assertTrue((out / "notebooks" / picture).read_text().startswith("<svg"), picture)

    def testACellThatFailsIsToldAndLeavesNoSite(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            path = folder / "help" / "notebooks" / "wrong.ipynb"
            path.parent.mkdir(parents=True)
            (folder / "help" / "contents.json").write_text('[{"title": "All", "pages": ["notebooks/wrong"]}]')
            notebook = json.loads((FOLDER / "dual_mode.ipynb").read_text())
            notebook["cells"] = [{"cell_type": "markdown", "metadata": {}, "source": "# Wrong"},
                                 {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [],
                                  "source": "import pimstudio\npimstudio.compile('sample:tiny-gpt', 'no-such-machine')"}]
            path.write_text(json.dumps(notebook))
            done = subprocess.run([sys.executable, make_site.__file__, "--run", "--help-folder", folder / "help", folder / "site"],
                                  capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(f"{path}: a cell ends with ", done.stderr)
            self.assertIn("no-such-machine", done.stderr)
            self.assertNotIn("Traceback", done.stderr)
            self.assertFalse((folder / "site").exists())


if __name__ == "__main__":
    unittest.main()
