# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python module on real models: the figures and messages of the command line, and no input that ends the interpreter."""
import contextlib
import importlib.util
import json
import multiprocessing
import os
import pickle
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
import xml.etree.ElementTree

import numpy
import pimstudio

PIMC = os.environ["PIM_PIMC"]
QUICK = {"verify": 0}


def setUpModule():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells start jobs in the background without it


def pimc(*words):
    return subprocess.run([PIMC, *words], capture_output=True, text=True, check=False)


def totalOf(model):
    return pimstudio.compile(model, "attacc", options=QUICK).total_ns


class OnTinyGpt(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.graph = pimstudio.load("sample:tiny-gpt")
        cls.plan = pimstudio.compile(cls.graph, "attacc", options=QUICK)

    def onPim(self):
        return [op["name"] for op in self.plan.ops if op["placement"] != "host"]

    def testGraphIsThatOfTheCommandLine(self):
        told = json.loads(pimc("inspect", "sample:tiny-gpt", "--json").stdout)
        self.assertEqual([op["name"] for op in self.graph.ops], [op["name"] for op in told["ops"]])
        self.assertEqual(self.graph.structure_hash, told["structure_hash"])
        self.assertEqual(self.graph.bindings, {each["symbol"]: each["value"] for each in told["bindings"]})
        self.assertEqual(self.graph.inputs[0][:3], ("token", "i64", (1, 1)))

    def testPlanAndSimulationAreThoseOfTheCommandLine(self):
        done = pimc("compile", "sample:tiny-gpt", "--target", "attacc", "--verify", "0", "--simulate", "--json")
        told = json.loads(done.stdout)
        self.assertEqual(self.plan.ops, told["ops"])
        self.assertEqual(self.plan.total_ns, told["total_ns"])
        simulation = self.plan.simulate()
        self.assertEqual(simulation.to_dict(), told["simulation"])
        self.assertEqual(simulation.total_ns, told["simulated_ns"])

    def testLimitsAreThoseOfTheCommandLine(self):
        asked = ["limits", "sample:tiny-gpt", "--target", "attacc", "--verify", "0", "--json"]
        simulation = self.plan.simulate()
        self.assertEqual(simulation.limits(), json.loads(pimc(*asked).stdout))
        helped = simulation.limits(what_helps=True)
        self.assertEqual(helped, json.loads(pimc(*asked, "--what-if").stdout))
        self.assertLess(helped["what_if"]["rows"][0]["twice_ns"], helped["total_ns"])

    def testRooflineIsThatOfTheCommandLine(self):
        asked = ["limits", "sample:tiny-gpt", "--target", "attacc", "--verify", "0", "--json"]
        simulation = self.plan.simulate()
        found = simulation.limits(roofline=True, within_ns=(100, 2000))
        self.assertEqual(found, json.loads(pimc(*asked, "--roofline", "--from", "100", "--to", "2000").stdout))
        self.assertAlmostEqual(found["chain_ns"], 1900)
        for op in found["roofline"]["ops"]:
            self.assertLessEqual(op["share_of_roof"], 1 + 1e-6)
        self.assertIn("host memory", simulation.roofline().svg)
        with self.assertRaisesRegex(pimstudio.errors.UsageError, "no stretch of the run"):
            simulation.limits(within_ns=(5, 1))

    def testPartsAreTheTotal(self):
        parts = dict(self.plan.parts_ns)
        total = parts.pop("total_ns")
        self.assertAlmostEqual(sum(parts.values()), total, delta=1e-6 * total)

    def testOptionsChangeThePlanAsOnTheCommandLine(self):
        plan = pimstudio.compile(self.graph, "attacc", options={"verify": 0, "overlap-transfer": True, "dtype": "bf16"})
        done = pimc("compile", "sample:tiny-gpt", "--target", "attacc", "--verify", "0", "--overlap-transfer",
                    "--dtype", "bf16", "--json")
        self.assertEqual(plan.ops, json.loads(done.stdout)["ops"])

    def testPredictorsRankAsOnTheCommandLine(self):
        def ranked(predictor, target="hbm-pim-hbm3"):
            return pimstudio.compile("sample:tiny-gpt", target, options=QUICK, predictor=predictor)

        def learned(plan):
            return any(op.get("draft_check", {}).get("predicted_ns") is not None for op in plan.ops)

        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "mine.predictor")
            done = pimc("predictor", "train", "--target", "hbm-pim-hbm3", "--model", "sample:tiny-gpt", "--drafts", "4", "--rounds", "2", "--out", file)
            self.assertEqual(done.returncode, 0, done.stderr)
            for predictor in ("auto", "off", "shipped", file):
                with self.subTest(predictor):
                    told = pimc("compile", "sample:tiny-gpt", "--target", "hbm-pim-hbm3", "--verify", "0", "--predictor", predictor, "--json")
                    self.assertEqual(ranked(predictor).ops, json.loads(told.stdout)["ops"])
            self.assertTrue(learned(ranked(file)))
            self.assertFalse(learned(ranked("off")))
            with self.assertRaisesRegex(pimstudio.errors.Error, "it was trained for hbm-pim-hbm3, not for attacc"):
                ranked(file, "attacc")
            with self.assertRaisesRegex(pimstudio.errors.UsageError, "trained with other code passes"):
                pimstudio.compile("sample:tiny-gpt", "hbm-pim-hbm3", options={"verify": 0, "no-code-pass": ["overlap"]}, predictor=file)
        with self.assertRaises(pimstudio.errors.Error):
            ranked("nobody.predictor")
        with self.assertRaises(TypeError):
            ranked(7)

    def testDecisionsAreObeyed(self):
        op = self.onPim()[0]
        plan = pimstudio.compile(self.graph, "attacc", options=QUICK, overrides={"ops": {op: {"placement": "host"}}})
        self.assertEqual([each["placement"] for each in plan.ops if each["name"] == op], ["host"])
        self.assertEqual(plan.overrides["ops"], {op: {"placement": "host"}})

    def testDraftsAreSortedAndInNumpy(self):
        drafts = self.plan.explore(self.onPim()[0])
        self.assertGreater(len(drafts), 1)
        self.assertEqual(drafts.parts_ns.shape, (len(drafts), len(drafts.PARTS)))
        self.assertTrue(numpy.all(numpy.diff(drafts.total_ns) >= -1e-9))

    def testNumbersOfOneOpAreNearNumpy(self):
        matrix = [op["name"] for op in self.plan.ops if op["placement"] != "host" and op["type"] == "MatMul"] + [
            op["name"] for op in self.plan.ops if op["placement"] != "host" and op["type"] == "Gemm"]
        tensors = self.plan.kernel_tensors(matrix[0])
        random = numpy.random.default_rng(7)
        given = {name: random.uniform(-1, 1, shape).astype(numpy.float32) for name, shape, computed in tensors if not computed}
        (name, result), = self.plan.execute(matrix[0], given).items()
        a, b = (array.astype(numpy.float16).astype(numpy.float64) for array in given.values())
        a = a.reshape(-1, a.shape[-1])
        b = b.reshape(b.shape[-2:])
        expected = a @ (b if a.shape[1] == b.shape[0] else b.T)
        self.assertEqual(result.dtype, numpy.float32)
        numpy.testing.assert_allclose(result.reshape(expected.shape), expected, rtol=0.02, atol=0.02)

    def testWrongNumbersAreRefused(self):
        op = self.onPim()[0]
        tensors = [(name, shape) for name, shape, computed in self.plan.kernel_tensors(op) if not computed]
        good = {name: numpy.zeros(shape, numpy.float32) for name, shape in tensors}
        first = tensors[0][0]
        cases = {
            "float32 is expected": {**good, first: good[first].astype(numpy.float64)},
            "is expected": {**good, first: numpy.zeros((3, 5), numpy.float32)},
            "are missing": {name: array for name, array in good.items() if name != first},
            "has no input": {**good, "nobody": numpy.zeros(1, numpy.float32)},
        }
        for message, numbers in cases.items():
            with self.subTest(message), self.assertRaisesRegex(pimstudio.errors.UsageError, message):
                self.plan.execute(op, numbers)

    def testHtmlIsTheReport(self):
        self.assertIn("srcdoc", self.plan._repr_html_())
        self.assertIn("tiny-gpt", self.plan._repr_html_())
        self.assertIn("<table>", self.graph._repr_html_())

    def testPicturesAreSvgOfTheirOwn(self):
        for picture in (self.plan.breakdown(), self.plan.slowest_ops(3)):
            root = xml.etree.ElementTree.fromstring(picture._repr_svg_())
            self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
            self.assertTrue(root.findall("{*}rect"))
            rules = [rule.strip() for rule in root.find("{*}style").text.split("}")]
            self.assertTrue(all(rule.startswith("svg.pim") for rule in rules if rule))
        self.assertEqual(self.plan._repr_svg_(), self.plan.breakdown().svg)
        titles = "".join(xml.etree.ElementTree.fromstring(self.plan.slowest_ops(1).svg).itertext())
        slowest = max(self.plan.ops, key=lambda op: op["total_ns"])
        self.assertIn(slowest["name"], titles)

    def testTheGraphIsAPicture(self):
        root = xml.etree.ElementTree.fromstring(self.graph._repr_svg_())
        texts = [text.text for text in root.findall("{*}text")]
        self.assertEqual(texts.count("Attention"), sum(op["type"] == "Attention" for op in self.graph.ops))
        self.assertIn("past_k_0", texts)
        self.assertGreater(len(root.findall("{*}line")), len(self.graph.ops) // 2)
        few = self.graph.picture(5).svg
        self.assertIn(f"{len(self.graph.ops) - 5} more ops are not drawn", few)
        self.assertLess(len(few), len(self.graph._repr_svg_()))

    def testLargeNetworksStaySmallInNotebooks(self):
        graph = pimstudio.load("sample:gpt3-13b-decode")
        self.assertGreater(len(graph.ops), 1000)
        self.assertLess(len(graph._repr_svg_()), 200_000)
        self.assertIn(f"{len(graph.ops) - 500} more ops", graph._repr_html_())
        self.assertEqual(graph._repr_html_().count("<tr>"), 501)

    def testASimulationIsATimeline(self):
        for target in ("attacc", "dynaplasia", "isaac", "upmem-1"):
            with self.subTest(target):
                simulation = pimstudio.compile(self.graph, target, options={"verify": 0}).simulate()
                root = xml.etree.ElementTree.fromstring(simulation._repr_svg_())
                self.assertTrue(root.findall("{*}rect"))
                self.assertLess(len(simulation.timeline(200).svg), 1_000_000)
        simulation = pimstudio.compile(self.graph, "dynaplasia").simulate()
        texts = [text.text for text in xml.etree.ElementTree.fromstring(simulation.timeline(8).svg).findall("{*}text")]
        self.assertIn("array 0", texts)
        self.assertTrue(any(text.endswith(" more") for text in texts), texts)

    def testPicturesOfNothingAreRefused(self):
        simulation = self.plan.simulate()
        for draw in (self.graph.picture, simulation.timeline):
            for most in (0, -3, 10**6):
                with self.subTest(most), self.assertRaisesRegex(pimstudio.errors.UsageError, "from 1 to 10000"):
                    draw(most)
            with self.assertRaises(TypeError):
                draw("all")

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def testFramesHaveOneRowAnOp(self):
        self.assertEqual(len(self.plan.to_pandas()), len(self.plan.ops))
        self.assertEqual(len(self.graph.to_pandas()), len(self.graph.ops))

    def testRunsAreStoredWhereTheCommandLineFindsThem(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "p.pimproj")
            number = pimstudio.Project(file).record(self.plan, label="from Python")
            runs = pimstudio.Project(file, read_only=True).runs()
            self.assertEqual([(run["id"], run["label"], run["total_ns"]) for run in runs],
                             [(number, "from Python", self.plan.total_ns)])
            self.assertIn("from Python", pimc("runs", file).stdout)


class SeveralMachines(unittest.TestCase):
    MODEL = "sample:tiny-gpt"

    def testItIsThatOfTheCommandLine(self):
        self.assertEqual(pimstudio.systems(), json.loads(pimc("system", "--list", "--json").stdout))
        for given, words in (({}, ()), ({"simulate": False, "pieces": False, "gap": 0}, ("--predict", "--whole", "--gap", "0"))):
            with self.subTest(words):
                found = pimstudio.spread(self.MODEL, "cinm-server", **given)
                told = json.loads(pimc("system", self.MODEL, "-s", "cinm-server", "--json", *words).stdout)
                self.assertEqual(found.document, told)
        self.assertIsNone(found.simulated_ns)
        self.assertGreaterEqual(found.stream["period_ns"], found.stream["least_ns"])
        self.assertEqual(found._repr_html_().count("<tr>"), 2 + len(found.alternatives))
        if importlib.util.find_spec("pandas"):
            self.assertEqual(set(found.to_pandas()["op"].dropna()), set(found.devices))

    def testOperatorsStayWhereTheyArePut(self):
        free = pimstudio.spread(self.MODEL, "cinm-server", simulate=False)
        name = next(op for op, device in free.devices.items() if device != "host")
        placed = pimstudio.spread(self.MODEL, "cinm-server", place={name: "host"}, simulate=False)
        self.assertEqual(placed.devices[name], "host")

    def testWhatCannotBeIsRefused(self):
        for system, given, error in (("nobody", {}, pimstudio.errors.NotFoundError), ("cinm-server", {"gap": -1}, pimstudio.errors.UsageError),
                                     ("cinm-server", {"place": {"/nowhere": "host"}}, pimstudio.errors.IllegalOverrideError),
                                     ("cinm-server", {"dtype": "f17"}, pimstudio.errors.UsageError)):
            with self.subTest(system, **given), self.assertRaises(error):
                pimstudio.spread(self.MODEL, system, **given)


class WhichMachine(unittest.TestCase):
    MODEL, TARGETS = "sample:tiny-gpt", ("attacc", "isaac", "upmem-1", "dynaplasia")

    def command(self, *words):
        targets = [word for target in self.TARGETS for word in ("-t", target)]
        return json.loads(pimc("which", self.MODEL, *targets, "--json", *words).stdout)

    def testRowsAreThoseOfTheCommandLine(self):
        for by in ("request", "stream", "first"):
            with self.subTest(by):
                found = pimstudio.which(self.MODEL, self.TARGETS, by=by)
                told = self.command("--by", by)
                self.assertEqual(found.rows, [{**dict.fromkeys(found.COLUMNS), **row} for row in told])
                self.assertTrue(all(set(row) <= set(found.COLUMNS) for row in told))

    def testWhatIsUnknownIsNone(self):
        rows = {row["machine"]: row for row in pimstudio.which(self.MODEL, self.TARGETS, hosts=False)}
        self.assertEqual(set(rows), set(self.TARGETS))
        self.assertIsNone(rows["isaac"]["load_ns"])  # nobody models programming crossbars
        self.assertIsNone(rows["isaac"]["first_ns"])
        self.assertEqual(rows["attacc"]["first_ns"], rows["attacc"]["load_ns"] + rows["attacc"]["request_ns"])
        self.assertTrue(all(row[name] != 0 for row in rows.values() for name in ("request_ns", "energy_pj", "area_mm2")))

    def testRowsAreToldAsTheyAreFound(self):
        told = []
        found = pimstudio.which(self.MODEL, self.TARGETS, on_result=told.append)
        byMachine = {row["machine"]: row for row in told}
        self.assertEqual(len(told), len(found))
        self.assertEqual(byMachine, {row["machine"]: row for row in found})

    def testWhatListenersRaiseEndsIt(self):
        def refuse(row):
            raise ZeroDivisionError("enough")

        with self.assertRaisesRegex(ZeroDivisionError, "enough"):
            pimstudio.which(self.MODEL, self.TARGETS, on_result=refuse)

    def testControlCEndsIt(self):
        def interrupt(row):
            os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt):
            pimstudio.which("sample:bert-base", on_result=interrupt)

    def testProblemsHaveTheirReason(self):
        row, = pimstudio.which("sample:gpt3-13b-decode", "dynaplasia", hosts=False, simulate=False)
        told, = json.loads(pimc("which", "sample:gpt3-13b-decode", "-t", "dynaplasia", "--no-hosts", "--predict", "--json").stdout)
        self.assertEqual({name: value for name, value in row.items() if name in told}, told)

    def testItIsATableInNotebooksAndAFrame(self):
        found = pimstudio.which(self.MODEL, self.TARGETS)
        self.assertEqual(found._repr_html_().count("<tr>"), 1 + len(found))
        self.assertIn("<td>isaac</td>", found._repr_html_())
        if importlib.util.find_spec("pandas"):
            frame = found.to_pandas()
            self.assertEqual(list(frame["machine"]), [row["machine"] for row in found])
            self.assertEqual(frame["room_fits"].tolist(), [row["room"] and row["room"]["fits"] for row in found])

    def testWrongNamesHaveTheTextsOfTheCommandLine(self):
        cases = [({"targets": ["atacc"]}, ("-t", "atacc")), ({"kinds": "nobody"}, ("--kind", "nobody")),
                 ({"targets": "attacc", "host": "nobody"}, ("-t", "attacc", "--host", "nobody"))]
        for given, words in cases:
            with self.subTest(words), self.assertRaises(pimstudio.errors.NotFoundError) as caught:
                pimstudio.which(self.MODEL, **given)
            self.assertEqual("pimc: error: " + str(caught.exception) + "\n", pimc("which", self.MODEL, *words).stderr)
        for given in ({"by": "best"}, {"dtype": "f17"}, {"least_accuracy": 90}, {"data": "x", "samples": -1},
                      {"data": "x", "least_accuracy": 101}):
            with self.subTest(given), self.assertRaises(pimstudio.errors.UsageError):
                pimstudio.which(self.MODEL, "attacc", **given)


class Sweeps(unittest.TestCase):
    MODEL, TARGET = "sample:tiny-gpt", "hbm-pim"
    OVER = "group.count=4..64;past=4,8;group.count<=32"

    def compare(self, found, told):
        """To the last digit, but for the time it took."""
        self.assertEqual(len(found), len(told))
        self.assertTrue(told)
        for point, row in zip(found, told):
            self.assertEqual({name: point[name] for name in row if name != "compile_ms"},
                             {name: value for name, value in row.items() if name != "compile_ms"})

    def command(self, *words):
        return json.loads(pimc("sweep", self.MODEL, "--target", self.TARGET, "--json", *words).stdout)

    def testPointsAreThoseOfTheCommandLine(self):
        found = pimstudio.sweep(self.MODEL, self.OVER, self.TARGET, options=QUICK)
        self.compare(found, self.command("--over", self.OVER, "--verify", "0"))
        self.assertEqual((len(found), found.size, found.axes), (10, 10, ["group.count", "past"]))
        self.assertEqual([point["chosen"]["group.count"] for point in found if point["problem"]], ["64", "64"])
        self.assertTrue(all(point["total_ns"] is None for point in found if point["problem"]))
        self.assertTrue(found.best and found.front)

    def testPredictorsRankAsOnTheCommandLine(self):
        over = "target=attacc,hbm-pim-hbm3;past=4,8"
        for predictor in ("auto", "off", "shipped"):
            with self.subTest(predictor):
                told = json.loads(pimc("sweep", self.MODEL, "--over", over, "--verify", "0", "--predictor", predictor, "--json").stdout)
                self.compare(pimstudio.sweep(self.MODEL, over, options=QUICK, predictor=predictor), told)
        with self.assertRaisesRegex(pimstudio.errors.Error, "nobody.predictor"):
            pimstudio.sweep(self.MODEL, over, options=QUICK, predictor="nobody.predictor")

    def testOptionsDecisionsAndFrontsAreTakenAsOnTheCommandLine(self):
        op = next(op["name"] for op in pimstudio.compile(self.MODEL, self.TARGET, options=QUICK).ops if op["placement"] != "host")
        overrides = {"ops": {op: {"placement": "host"}}}
        words = {"verify": 0, "dtype": "bf16"}
        found = pimstudio.sweep(self.MODEL, "target=attacc,hbm-pim;past=4,8", options=words, overrides=overrides, front="total_ns")
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(overrides, file)
            file.flush()
            told = json.loads(pimc("sweep", self.MODEL, "--over", "target=attacc,hbm-pim;past=4,8", "--verify", "0", "--dtype", "bf16",
                                   "--override", file.name, "--front", "total_ns", "--json").stdout)
        self.compare(found, told)
        self.assertEqual(found.objectives, ["total_ns"])
        self.assertNotEqual([point["total_ns"] for point in found],
                            [point["total_ns"] for point in pimstudio.sweep(self.MODEL, "target=attacc,hbm-pim;past=4,8", options=words)])

    def testSearchesAreThoseOfTheCommandLine(self):
        over = "group.count=1..64+1;timing.nCCDL=1..8+1;timing.nRCDRD=8..48+1"
        for method in ("nsga2", "random"):
            with self.subTest(method):
                found = pimstudio.sweep(self.MODEL, over, self.TARGET, options=QUICK, search=method, evaluations=60, seed=3,
                                        front=["total_ns", "macs_per_s"])
                told = self.command("--over", over, "--verify", "0", "--search", method, "--evaluations", "60", "--search-seed", "3",
                                    "--front", "total_ns,macs_per_s")
                self.compare(found, told)
                self.assertEqual(found.size, 64 * 8 * 41)
                self.assertLessEqual(len(found), 60)

    def testFrontsAreConfirmedAsOnTheCommandLine(self):
        over = "past=8..64;group.count=10..40;timing.nCCDL=2..4+1"
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # all objectives are figures of the points
            found = pimstudio.sweep(self.MODEL, over, "attacc", front=["total_ns", "macs_per_s"], confirm=2)
        self.compare(found, json.loads(pimc("sweep", self.MODEL, "--target", "attacc", "--over", over, "--front", "total_ns,macs_per_s",
                                            "--confirm", "2", "--json").stdout))
        self.assertEqual(found.objectives, ["simulated_ns", "simulated_macs_per_s"])
        self.assertTrue(found.front)
        self.assertTrue(0 < sum(point["simulated_ns"] is not None for point in found) < len(found))

    def testModelsAreAnAxis(self):
        over = "model=sample:tiny-gpt,sample:mobilenetv2,sum(sample:tiny-gpt,sample:mobilenetv2);batch=1,2"
        found = pimstudio.sweep(None, over, self.TARGET, options=QUICK)
        self.compare(found, json.loads(pimc("sweep", "--target", self.TARGET, "--json", "--over", over, "--verify", "0").stdout))
        first, second, together = (sum(point["total_ns"] for point in found[2 * model:2 * model + 2]) for model in range(3))
        self.assertAlmostEqual(together / (first + second), 1)
        bound = pimstudio.sweep(None, "model=sample:tiny-gpt;batch=1", self.TARGET, options=QUICK, bind={"past": 5})
        self.assertEqual(bound[0]["total_ns"],
                         pimstudio.sweep(self.MODEL, "batch=1;past=5", self.TARGET, options=QUICK)[0]["total_ns"])
        with self.assertRaisesRegex(pimstudio.errors.UsageError, "no model was given"):
            pimstudio.sweep(None, "batch=1", self.TARGET)

    def testPointsAreToldAsTheyAreFinished(self):
        told = []
        found = pimstudio.sweep(self.MODEL, self.OVER, self.TARGET, options=QUICK, on_point=told.append)
        self.assertEqual([point["point"] for point in told], list(range(10)))
        self.assertEqual([point["total_ns"] for point in told], [point["total_ns"] for point in found])

    def testControlCAndWhatListenersRaiseEndIt(self):
        def interrupt(point):
            os.kill(os.getpid(), signal.SIGINT)

        def refuse(point):
            raise ZeroDivisionError("enough")

        for listener, kind in ((interrupt, KeyboardInterrupt), (refuse, ZeroDivisionError)):
            with self.subTest(kind), self.assertRaises(kind):
                pimstudio.sweep("sample:bert-base", "seq=32..512;target=aim,attacc", on_point=listener)

    def testItIsATableInNotebooksAndAFrame(self):
        found = pimstudio.sweep(self.MODEL, self.OVER, self.TARGET, options=QUICK)
        self.assertEqual(found._repr_html_().count("<tr>"), 11)
        if importlib.util.find_spec("pandas"):
            frame = found.to_pandas()
            self.assertEqual(frame["past"].tolist(), [4, 8] * 5)
            self.assertEqual(frame["total_ns"].dropna().tolist(), [point["total_ns"] for point in found if not point["problem"]])

    def testAFigureThatNoPointHasIsToldOf(self):
        with self.assertWarnsRegex(UserWarning, 'no point has a figure "nobody"'):
            self.assertFalse(pimstudio.sweep(self.MODEL, "past=4", "attacc", options=QUICK, front="nobody").front)

    def testWrongWordsHaveTheTextsOfTheCommandLine(self):
        for over in ("length=2", "past=8..4", "", "total_ns<=1"):
            with self.subTest(over), self.assertRaises(pimstudio.Error) as caught:
                pimstudio.sweep(self.MODEL, over, "attacc")
            if over:
                done = pimc("sweep", self.MODEL, "--target", "attacc", "--over", over)
                self.assertEqual("pimc: error: " + str(caught.exception) + "\n", done.stderr)
        for given in ({"search": "best"}, {"search": "random", "evaluations": 0}, {"confirm": 95}):
            with self.subTest(given), self.assertRaises(pimstudio.errors.UsageError):
                pimstudio.sweep(self.MODEL, "past=4", "attacc", **given)


class Projects(unittest.TestCase):
    MODEL, OVER = "sample:tiny-gpt", "past=4..64"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "p.pimproj")
        self.project = pimstudio.Project(self.file)

    def sayTheSame(self, call, *words):
        with self.assertRaises(pimstudio.Error) as caught:
            call()
        self.assertEqual("pimc: error: " + str(caught.exception) + "\n", pimc(*words).stderr)

    def onPim(self):
        return [op["name"] for op in pimstudio.compile(self.MODEL, "attacc", options=QUICK).ops if op["placement"] != "host"]

    def testTheCommandLineObeysDecisionsOfAVariant(self):
        first, second = self.onPim()[:2]
        self.project.decide({"ops": {first: {"placement": "host"}}})
        self.project.decide([{"op": "add", "path": "/ops/" + second.replace("~", "~0").replace("/", "~1"), "value": {"placement": "host"}}],
                            "both", parent="main")
        self.assertEqual(set(self.project.decisions("both")["ops"]), {first, second})
        self.assertEqual([(each["name"], each["parent"], each["decisions"], each["in_force"]) for each in self.project.variants()],
                         [("main", None, 1, False), ("both", "main", 2, False)])
        done = pimc("compile", self.MODEL, "--target", "attacc", "--verify", "0", "--project", self.file, "--variant", "both", "--json")
        placed = {op["name"]: op["placement"] for op in json.loads(done.stdout)["ops"]}
        self.assertEqual((placed[first], placed[second]), ("host", "host"))
        plan = pimstudio.compile(self.MODEL, "attacc", options=QUICK, overrides=self.project.decisions("both"))
        self.assertEqual(plan.ops, json.loads(done.stdout)["ops"])

    def testUndoGoesBackStepByStep(self):
        first = self.onPim()[0]
        self.project.decide({"ops": {first: {"placement": "host"}}})
        self.project.decide({}, "other", parent="main")
        self.project.decide({"network": {"dtype": "bf16"}}, "other")
        self.assertEqual(self.project.undo(), "other")
        self.assertEqual(self.project.decisions("other"), pimstudio.Project(self.file, True).decisions("other"))
        self.assertFalse(self.project.decisions("other").get("network"))
        self.assertEqual(self.project.undo(), "other")
        self.assertEqual([each["name"] for each in self.project.variants()], ["main"])
        self.assertEqual(self.project.undo(), "main")
        self.assertFalse(self.project.decisions().get("ops"))
        with self.assertRaisesRegex(pimstudio.errors.UsageError, "nothing to undo"):
            self.project.undo()

    def testUndoDoesNotTakeBackWhatOthersDecided(self):
        first, second = self.onPim()[:2]
        self.project.decide({"ops": {first: {"placement": "host"}}})
        pimstudio.Project(self.file).decide({"ops": {second: {"placement": "host"}}})
        with self.assertRaisesRegex(pimstudio.errors.UsageError, "was changed elsewhere"):
            self.project.undo()
        self.assertEqual(set(self.project.decisions()["ops"]), {second})

    def testWrongDecisionsAndNamesAreRefused(self):
        for call, kind in ((lambda: self.project.decisions("nobody"), "NotFoundError"),
                           (lambda: self.project.decide({}, "x", parent="nobody"), "NotFoundError"),
                           (lambda: self.project.decide({}, "main", parent="main"), "UsageError"),
                           (lambda: self.project.decide({"oops": {}}), "IllegalOverrideError"),
                           (lambda: self.project.decide({}, ""), "UsageError"),
                           (lambda: pimstudio.Project(self.file, read_only=True).decide({}, "x"), "DatabaseError")):
            with self.subTest(kind), self.assertRaises(pimstudio.Error) as caught:
                call()
            self.assertEqual(type(caught.exception).__name__, kind)
        self.assertEqual([each["name"] for each in self.project.variants()], ["main"])

    def testSweepsThatWereStoppedAreResumed(self):
        def refuse(point):
            if point["point"] == 1:
                raise ZeroDivisionError("enough")

        whole = pimstudio.sweep(self.MODEL, self.OVER, "attacc", options=QUICK)
        with self.assertRaises(ZeroDivisionError):
            pimstudio.sweep(self.MODEL, self.OVER, "attacc", options=QUICK, project=self.project, name="mine", on_point=refuse)
        told, = json.loads(pimc("sweep", "--project", self.file, "--list", "--json").stdout)
        self.assertEqual(self.project.sweeps(), [told])
        self.assertGreaterEqual(told["finished"], 2)
        more = []
        resumed = self.project.resume("mine", on_point=more.append)
        self.assertEqual(len(more), len(whole) - told["finished"])  # none is computed twice
        self.assertEqual([point["total_ns"] for point in resumed], [point["total_ns"] for point in whole])
        stored = self.project.sweep()
        self.assertEqual((stored.name, stored.points), ("mine", resumed.points))
        self.assertEqual(stored.points, [{**dict.fromkeys(stored.COLUMNS), "chosen": {}, "best": False, "front": False, **row} for row in
                                         json.loads(pimc("sweep", "--project", self.file, "--show", "mine", "--json").stdout)])
        self.project.remove_sweep("mine")
        self.assertEqual(self.project.sweeps(), [])

    def testSearchesAndConfirmedFrontsAreKept(self):
        def refuse(point):
            raise ZeroDivisionError("enough")

        over = "group.count=1..64+1;timing.nCCDL=1..8+1;past=4..32"
        words = {"options": QUICK, "search": "nsga2", "evaluations": 40, "front": ["total_ns", "macs_per_s"], "confirm": 3}
        whole = pimstudio.sweep(self.MODEL, over, "attacc", **words)
        with self.assertRaises(ZeroDivisionError):
            pimstudio.sweep(self.MODEL, over, "attacc", **words, project=self.project, name="search", on_point=refuse)
        listed, = self.project.sweeps()
        self.assertEqual([listed], json.loads(pimc("sweep", "--project", self.file, "--list", "--json").stdout))
        self.assertLess(listed["finished"], listed["wanted"])
        self.assertEqual(listed["search"], {"method": "nsga2", "evaluations": 40, "seed": 1, "objectives": words["front"], "finished": False})
        told = []
        resumed = self.project.resume("search", confirm=3, on_point=told.append)
        for found in (resumed, self.project.sweep("search")):
            self.assertEqual(found.objectives, whole.objectives)
            self.assertEqual([(point["point"], point["total_ns"], point["simulated_ns"], point["front"]) for point in found],
                             [(point["point"], point["total_ns"], point["simulated_ns"], point["front"]) for point in whole])
        self.assertTrue(any("simulated_ns" in point for point in told))
        again = []
        self.project.resume("search", confirm=3, on_point=again.append)
        self.assertEqual(again, [])  # nothing is simulated twice

    def testSweepsAreRefusedInTheWordsOfTheCommandLine(self):
        sweep = ("sweep", "--project", self.file)
        self.sayTheSame(self.project.sweep, *sweep, "--show")
        pimstudio.sweep(self.MODEL, self.OVER, "attacc", options=QUICK, project=self.project, name="mine")
        self.sayTheSame(lambda: self.project.sweep("nobody"), *sweep, "--show", "nobody")
        self.sayTheSame(lambda: self.project.resume("nobody"), *sweep, "--resume", "nobody")
        self.sayTheSame(lambda: self.project.remove_sweep("nobody"), *sweep, "--delete", "nobody")
        self.sayTheSame(lambda: pimstudio.sweep(self.MODEL, self.OVER, "attacc", project=self.project, name="mine"),
                        "sweep", self.MODEL, "--target", "attacc", "--over", self.OVER, "--project", self.file, "--name", "mine")

    def testAProjectInUseElsewhereIsToldInTheWordsOfTheCommandLine(self):
        pimstudio.sweep(self.MODEL, self.OVER, "attacc", options=QUICK, project=self.project, name="mine")
        with contextlib.closing(sqlite3.connect(self.file, isolation_level=None)) as other:
            other.execute("DELETE FROM sweep_rows WHERE id > 1")
            with subprocess.Popen(["sleep", "60"]) as alive:
                with open(f"/proc/{alive.pid}/stat", encoding="ascii") as stat:
                    started = stat.read().rpartition(")")[2].split()[19]
                other.execute("UPDATE sweeps SET runner = ?", (f"{alive.pid} {started} {socket.gethostname()}",))
                self.sayTheSame(self.project.resume, "sweep", "--project", self.file, "--resume", "--quiet")
                alive.kill()
            other.execute("BEGIN IMMEDIATE")
            self.sayTheSame(lambda: self.project.remove_sweep("mine"), "sweep", "--project", self.file, "--delete", "mine")
            other.execute("ROLLBACK")
        self.assertEqual(len(self.project.resume()), 5)

    def testItIsRefusedWhileASweepOfItRuns(self):
        refused = []

        def ask(point):
            try:
                self.project.runs()
            except pimstudio.errors.UsageError as error:
                refused.append(str(error))

        pimstudio.sweep(self.MODEL, self.OVER, "attacc", options=QUICK, project=self.project, on_point=ask)
        self.assertEqual(len(refused), 5)
        self.assertIn("a sweep of the project is being computed", refused[0])
        self.assertEqual(self.project.runs(), [])


class Errors(unittest.TestCase):
    def testTextsAreThoseOfTheCommandLine(self):
        cases = [
            (lambda: pimstudio.load("/nowhere/net.onnx"), ("inspect", "/nowhere/net.onnx"), "NotFoundError"),
            (lambda: pimstudio.load(__file__), ("inspect", __file__), "InvalidFileError"),
            (lambda: pimstudio.load("sample:tiny-gpt", bind={"nobody": 2}),
             ("inspect", "sample:tiny-gpt", "--bind", "nobody=2"), "UsageError"),
            (lambda: pimstudio.compile("sample:tiny-gpt", "atacc"),
             ("compile", "sample:tiny-gpt", "--target", "atacc"), "NotFoundError"),
        ]
        for call, words, kind in cases:
            with self.subTest(words), self.assertRaises(pimstudio.Error) as caught:
                call()
            self.assertEqual("pimc: error: " + str(caught.exception) + "\n", pimc(*words).stderr)
            self.assertEqual(type(caught.exception).__name__, kind)
            again = pickle.loads(pickle.dumps(caught.exception))
            self.assertEqual((str(again), again.code, again.hint), (str(caught.exception), caught.exception.code, caught.exception.hint))

    def testWordsThatAreNoOptionsAreRefused(self):
        graph = pimstudio.load("sample:tiny-gpt")
        for options in ({"dtype": "f17"}, {"conv": "x"}, {"verify": -1}, {"seed": "x"}, {"mapping": "best"},
                        {"overlap-transfer": "maybe"}, {"nobody": 1}, {"no-code-pass": ["nobody"]}):
            with self.subTest(options), self.assertRaises(pimstudio.errors.UsageError):
                pimstudio.compile(graph, "attacc", options=options)

    def testImpossibleDecisionsAreRefused(self):
        graph = pimstudio.load("sample:tiny-gpt")
        with self.assertRaises(pimstudio.errors.IllegalOverrideError):
            pimstudio.compile(graph, "attacc", options=QUICK, overrides={"ops": {graph.ops[0]["name"]: {"placement": "pim"}}})

    def testWrongTypesAreTypeErrors(self):
        for call in (lambda: pimstudio.load(7), lambda: pimstudio.load("sample:tiny-gpt", bind={"batch": "x"}),
                     lambda: pimstudio.compile("sample:tiny-gpt", 7), lambda: pimstudio.load("sample:tiny-gpt", progress=7)):
            with self.assertRaises(TypeError):
                call()

    def testProjectInUseElsewhereIsAnErrorAndNotTheEnd(self):
        plan = pimstudio.compile("sample:tiny-gpt", "attacc", options=QUICK)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "p.pimproj")
            project = pimstudio.Project(file)
            other = sqlite3.connect(file, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            with self.assertRaises(pimstudio.errors.DatabaseError):
                project.record(plan)
            other.execute("ROLLBACK")
            other.close()
            self.assertEqual(project.record(plan), 1)

    def testNoProjectIsAnError(self):
        with self.assertRaises(pimstudio.errors.DatabaseError):
            pimstudio.Project(__file__)


class Arrays(unittest.TestCase):
    """Whatever is given for an array is computed with or refused, and what is computed does not depend on how it lies in memory."""

    @classmethod
    def setUpClass(cls):
        cls.plan = pimstudio.compile("sample:tiny-gpt", "attacc", options=QUICK)
        cls.numbers = cls.plan.numbers()
        random = numpy.random.default_rng(3)
        cls.inputs = [random.integers(0, 9, shape) if kind.startswith("i") else random.uniform(-1, 1, shape).astype(numpy.float32)
                      for _, kind, shape, _ in cls.plan.graph.inputs]
        cls.reals = next(i for i, (_, kind, _, _) in enumerate(cls.plan.graph.inputs) if kind.startswith("f"))
        cls.wholes = next(i for i, (_, kind, _, _) in enumerate(cls.plan.graph.inputs) if kind.startswith("i"))

    def call(self, place, array):
        return self.numbers(*self.inputs[:place], array, *self.inputs[place + 1:])

    def testLayoutInMemoryDoesNotMatter(self):
        good = self.inputs[self.reals]
        wide = numpy.zeros((*good.shape, 3), numpy.float32)
        wide[..., 1] = good
        still = good.copy()
        still.flags.writeable = False
        for name, array in (("Fortran", numpy.asfortranarray(good)), ("strided", wide[..., 1]), ("backwards", good[..., ::-1].copy()[..., ::-1]),
                            ("read-only", still)):
            with self.subTest(name):
                for ours, expected in zip(self.call(self.reals, array), self.numbers(*self.inputs)):
                    numpy.testing.assert_array_equal(ours, expected)
        for kind in (numpy.int8, numpy.uint16, numpy.int32, ">i8"):
            with self.subTest(kind):
                for ours, expected in zip(self.call(self.wholes, self.inputs[self.wholes].astype(kind)), self.numbers(*self.inputs)):
                    numpy.testing.assert_array_equal(ours, expected)

    def testWhatIsNoArrayOfNumbersIsRefused(self):
        good, whole = self.inputs[self.reals], self.inputs[self.wholes]
        for place, array in ((self.reals, good.astype(numpy.float64)), (self.reals, good.astype(numpy.float16)), (self.reals, good.astype(">f4")),
                             (self.reals, good.astype(numpy.complex64)), (self.reals, good.astype(object)), (self.reals, good.astype(str)),
                             (self.reals, numpy.zeros(good.shape, [("a", "f4")])), (self.reals, good[..., None]), (self.reals, numpy.float32(3)),
                             (self.reals, None), (self.reals, object()), (self.reals, "text"), (self.reals, [[1, 2], [3]]), (self.reals, good.tolist()),
                             (self.wholes, whole.astype(numpy.float32)), (self.wholes, whole.astype(object)), (self.wholes, whole.reshape(-1))):
            with self.subTest(repr(array)[:60]), self.assertRaises((pimstudio.errors.UsageError, TypeError)):
                self.call(place, array)
        with self.assertRaisesRegex(pimstudio.errors.UsageError, "arrays, the network has"):
            self.numbers(*self.inputs[1:])
        for samples in ([[]], [[good]], [self.inputs, self.inputs[:-1]], [["a"] * len(self.inputs)], 7):
            with self.subTest(type(samples)), self.assertRaises((pimstudio.errors.UsageError, TypeError)):
                self.plan.numbers(samples)

    def testIndicesBeyondATableAreTold(self):
        with self.assertRaises(pimstudio.Error):
            self.call(self.wholes, self.inputs[self.wholes] + 10**9)
        self.assertTrue(self.numbers(*self.inputs))


class Interrupts(unittest.TestCase):
    MODEL, TARGET = "sample:bert-base", "aim"

    def compileWith(self, progress):
        return pimstudio.compile(self.MODEL, self.TARGET, progress=progress)

    def testControlCStopsTheWork(self):
        def interrupt(*step):
            os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt):
            self.compileWith(interrupt)
        self.assertGreater(pimstudio.compile("sample:tiny-gpt", "attacc", options=QUICK).total_ns, 0)

    def testControlCStopsEveryLongCall(self):
        def interrupt(*step):
            os.kill(os.getpid(), signal.SIGINT)

        plan = self.compileWith(None)
        simulation = plan.simulate()
        chip = pimstudio.compile("sample:tiny-gpt", "dynaplasia", options=QUICK)
        op = next(op["name"] for op in plan.ops if op["placement"] != "host")
        given = {name: numpy.zeros(shape, numpy.float32) for name, shape, computed in plan.kernel_tensors(op) if not computed}
        numbers = chip.numbers()
        inputs = [numpy.zeros(shape, numpy.int64 if kind.startswith("i") else numpy.float32) for _, kind, shape, _ in chip.graph.inputs]
        calls = {
            "load": lambda progress: pimstudio.load(self.MODEL, progress=progress),
            "simulate": lambda progress: plan.simulate(progress),
            "limits": lambda progress: simulation.limits(what_helps=True, progress=progress),
            "execute": lambda progress: plan.execute(op, given, progress),
            "check_numbers": lambda progress: chip.check_numbers(progress=progress),
            "numbers": lambda progress: chip.numbers(progress=progress),
            "call": lambda progress: numbers(*inputs, progress=progress),
            "sweep": lambda progress: pimstudio.sweep("sample:tiny-gpt", "past=4..32", "attacc", options=QUICK, progress=progress),
        }
        for name, call in calls.items():
            with self.subTest(name), self.assertRaises(KeyboardInterrupt):
                call(interrupt)
        for first, again in zip(numbers(*inputs), numbers(*inputs)):  # all of it is still good for use
            numpy.testing.assert_array_equal(first, again)
        self.assertEqual(plan.simulate().total_ns, simulation.total_ns)

    def testControlCStopsWhatSaysNothing(self):
        plan = self.compileWith(None)
        old = signal.signal(signal.SIGALRM, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGALRM, old)
        with self.assertRaises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            plan.numbers()
            signal.pause()  # a machine that was quicker

    def testWhatProgressRaisesIsRaised(self):
        def refuse(*step):
            raise ZeroDivisionError("enough")

        with self.assertRaisesRegex(ZeroDivisionError, "enough"):
            self.compileWith(refuse)

    def testStepsAreReported(self):
        steps = []
        self.compileWith(lambda *step: steps.append(step))
        self.assertTrue(steps)
        self.assertTrue(all(isinstance(stage, str) and done <= max(total, done) for stage, done, total in steps))

    def testOtherThreadsRunMeanwhile(self):
        counted, over = [0], threading.Event()

        def count():
            while not over.wait(0.001):
                counted[0] += 1

        thread = threading.Thread(target=count)
        thread.start()
        self.compileWith(None)
        over.set()
        thread.join()
        self.assertGreater(counted[0], 10)

    def testThreadsCompileSideBySide(self):
        totals = []
        graph = pimstudio.load("sample:tiny-gpt")
        threads = [threading.Thread(target=lambda: totals.append(pimstudio.compile(graph, "attacc", options=QUICK).total_ns))
                   for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(totals), 4)
        self.assertEqual(len(set(totals)), 1)

    def testSaysHowManyThreadsWorkAtOnce(self):
        usual = pimstudio.jobs()
        self.addCleanup(pimstudio.set_jobs)
        graph = pimstudio.load("sample:tiny-gpt")
        plans = []
        for count in (1, 2, 64):
            pimstudio.set_jobs(count)
            self.assertEqual(pimstudio.jobs(), count)
            plans.append(pimstudio.compile(graph, "attacc").to_dict())
        self.assertEqual(plans[1:], plans[:1] * 2)
        for count in (0, -1, 1025, 10**9, "four"):
            with self.subTest(count), self.assertRaisesRegex(pimstudio.errors.UsageError, "not a number of threads from 1 to 1024"):
                pimstudio.set_jobs(count)
        self.assertEqual(pimstudio.jobs(), 64)
        pimstudio.set_jobs()
        self.assertEqual(pimstudio.jobs(), usual)

    def testTheVariableIsCheckedAtTheImport(self):
        def imported(text):
            return subprocess.run([sys.executable, "-c", "import pimstudio; print(pimstudio.jobs())"], capture_output=True, text=True,
                                  env={**os.environ, "PIM_JOBS": text})

        self.assertEqual(imported("3").stdout, "3\n")
        self.assertIn('UsageError: PIM_JOBS: "many" is not a number of threads from 1 to 1024', imported("many").stderr)

    @unittest.skipUnless(hasattr(os, "fork"), "there are no processes that fork")
    def testForkedProcessesCompileToo(self):
        graph = pimstudio.load("sample:tiny-gpt")
        total = pimstudio.compile(graph, "attacc", options=QUICK).total_ns
        with multiprocessing.get_context("fork").Pool(2) as pool:
            self.assertEqual(pool.map(totalOf, ["sample:tiny-gpt"] * 3), [total] * 3)


@unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
class Types(unittest.TestCase):
    def testStrictMypyFindsNothing(self):
        folder = os.path.dirname(pimstudio.__file__)
        cache = os.path.join(os.path.dirname(folder), "mypy_cache")  # of the build: what NumPy and PyTorch say of types takes long to read
        done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, folder], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
