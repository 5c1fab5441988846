# SPDX-License-Identifier: GPL-3.0-or-later
"""Look-up tables from Python: whole networks as on the command line, and PyTorch modules that are trained on with tables."""
import importlib.util
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

import pimstudio
import pimstudio.lut

PIMC = os.environ["PIM_PIMC"]
DIGITS = pathlib.Path(__file__).resolve().parents[1] / "golden/lut/vit_digits"
MODEL = DIGITS / "vit_digits.onnx"
HOW = {"v": 4, "ct": 8, "method": "kmeans", "int8": "column", "seed": 2}


class Networks(unittest.TestCase):
    def command(self, *words):
        how = ",".join(f"{key}={value}" for key, value in HOW.items())
        return subprocess.run([PIMC, "accuracy", MODEL, "--data", DIGITS, "--lut", how, *words], capture_output=True, text=True, check=False)

    def testFiguresAndFilesAreThoseOfTheCommandLine(self):
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = (pathlib.Path(folder, each) for each in ("ours", "theirs"))
            found = pimstudio.lut.convert(MODEL, DIGITS, ours, HOW, layers=["ffn1:off"], samples=100)
            told = json.loads(self.command("--lut-layer", "ffn1:off", "--samples", "100", "--out", theirs, "--json").stdout)
            self.assertEqual((found.samples, found.accuracy, found.accuracy_dense, found.mean_abs_logit_error),
                             (100, told["accuracy"], told["accuracy_dense"], told["mean_abs_logit_error"]))
            self.assertEqual(found.layers, told["layers"])
            self.assertTrue(found.layers)
            self.assertEqual({file.name: file.read_bytes() for file in ours.iterdir()}, {file.name: file.read_bytes() for file in theirs.iterdir()})
            graph = found.load()
            self.assertEqual([op["type"] for op in graph.ops].count("LookUp"), len(found.layers))
            onPim = {each["op"]: {"placement": "pim"} for each in found.layers[:2]}  # a host is quicker with such small ones
            plan = pimstudio.compile(graph, "upmem-8", options={"dtype": "i8", "verify": 0}, overrides={"ops": onPim})
            self.assertEqual({op["name"] for op in plan.ops if op["placement"] != "host"}, set(onPim))
            self.assertEqual(found._repr_html_().count("<tr>"), 1 + len(found.layers))
            if importlib.util.find_spec("pandas"):
                self.assertEqual(list(found.to_pandas()["op"]), [each["op"] for each in told["layers"]])

    def testTrainingHasACurveAndStopsOnControlC(self):
        found = pimstudio.lut.convert(MODEL, DIGITS, options={"v": 8, "ct": 8, "method": "elut", "steps": 4, "batch": 8}, samples=50)
        self.assertEqual(found.curve[-1]["step"], 4)
        self.assertTrue(all(step["loss"] > 0 for step in found.curve))
        with self.assertRaisesRegex(pimstudio.errors.UsageError, "tables were not kept"):
            found.load()

        def interrupt(*step):
            os.kill(os.getpid(), signal.SIGINT)

        signal.signal(signal.SIGINT, signal.default_int_handler)
        with self.assertRaises(KeyboardInterrupt):
            pimstudio.lut.convert(MODEL, DIGITS, options={"method": "elut", "steps": 100000}, progress=interrupt)

    def testWrongWordsHaveTheTextsOfTheCommandLine(self):
        for words, call in (
                (["--lut", "v=0"], lambda: pimstudio.lut.convert(MODEL, DIGITS, options={"v": 0})),
                (["--lut", "nobody=1"], lambda: pimstudio.lut.convert(MODEL, DIGITS, options={"nobody": 1})),
                (["--lut", "method=best"], lambda: pimstudio.lut.convert(MODEL, DIGITS, options={"method": "best"})),
                (["--lut", "v=4", "--lut-layer", "nobody:off"], lambda: pimstudio.lut.convert(MODEL, DIGITS, options={"v": 4}, layers=["nobody:off"])),
                (["--lut", "v=4", "--data", "/nowhere"], lambda: pimstudio.lut.convert(MODEL, "/nowhere", options={"v": 4}))):
            with self.subTest(words), self.assertRaises(pimstudio.Error) as raised:
                call()
            asked = [PIMC, "accuracy", MODEL, *(() if "--data" in words else ("--data", DIGITS)), *words]
            done = subprocess.run(asked, capture_output=True, text=True, check=False)
            self.assertEqual(done.stderr, f"pimc: error: {raised.exception}\n")
        with self.assertRaisesRegex(pimstudio.errors.UsageError, "-1 samples cannot be taken"):
            pimstudio.lut.convert(MODEL, DIGITS, samples=-1)


@unittest.skipUnless(importlib.util.find_spec("torch"), "PyTorch is not installed")
class Modules(unittest.TestCase):
    """A perceptron that learnt to tell three spirals apart: with tables it is wrong more often, trained on less so."""

    @classmethod
    def setUpClass(cls):
        import torch
        from torch import nn

        torch.manual_seed(11)
        turns = torch.linspace(0.2, 3, 200)
        points = torch.cat([torch.stack([turns * torch.cos(4 * turns + arm), turns * torch.sin(4 * turns + arm)], 1) for arm in (0.0, 2.1, 4.2)])
        features = torch.cat([torch.sin(points * rate) for rate in (1, 2, 3)] + [points], 1)
        mix = torch.randn(8, 24) / 3
        cls.inputs = features @ mix + 0.02 * torch.randn(600, 24)
        cls.labels = torch.arange(3).repeat_interleave(200)
        cls.dense = nn.Sequential(nn.Linear(24, 48), nn.ReLU(), nn.Linear(48, 50), nn.ReLU(), nn.Linear(50, 3))
        optimizer = torch.optim.Adam(cls.dense.parameters(), lr=0.01)
        for _ in range(300):
            optimizer.zero_grad()
            nn.functional.cross_entropy(cls.dense(cls.inputs), cls.labels).backward()
            optimizer.step()
        cls.dense.eval()

    def loss(self, module):
        import torch

        with torch.no_grad():
            return float(torch.nn.functional.cross_entropy(module(self.inputs), self.labels))

    def batches(self, count):
        import torch

        shuffled = torch.Generator().manual_seed(5)
        for _ in range(count):
            some = torch.randperm(600, generator=shuffled)[:64]
            yield self.inputs[some], self.labels[some]

    def swapped(self, **words):
        from pimstudio import torch_lut

        return torch_lut.swap(self.dense, [self.inputs[:300], self.inputs[300:]], **{"v": 4, "ct": 8, "layers": "all", **words})

    def testTrainingMakesTablesBetter(self):
        from pimstudio import torch_lut
        import torch

        module = self.swapped()
        self.assertEqual(list(torch_lut.lut_layers(module)), ["0", "2", "4"])
        before, whole = self.loss(module), self.loss(self.dense)
        self.assertGreater(before, 1.5 * whole)
        module(self.inputs)
        missed = float(torch_lut.reconstruction_loss(module).detach())
        curve = torch_lut.train(module, self.batches(150), torch.nn.functional.cross_entropy, beta=0.1, rate=3e-3)
        self.assertEqual(len(curve), 150)
        self.assertLess(self.loss(module), 0.6 * before)
        self.assertLess(sum(curve[-20:]), sum(curve[:20]))
        module(self.inputs)
        self.assertLess(float(torch_lut.reconstruction_loss(module).detach()), missed)
        self.assertEqual(self.loss(self.dense), whole)  # swap() copies

    def testGradientsGoStraightThroughTheChoice(self):
        from pimstudio import torch_lut
        import torch

        module = self.swapped(layers=["2"])
        layer = torch_lut.lut_layers(module)["2"]
        x = torch.randn(5, 48, requires_grad=True)
        upstream = torch.randn(5, 50)
        (layer(x) * upstream).sum().backward()
        torch.testing.assert_close(x.grad, upstream @ layer.weight)  # Eq. 2: as if the choice were the identity
        self.assertIsNone(layer.centroids.grad)  # they learn from the reconstruction loss alone
        torch.testing.assert_close(layer.weight.grad, upstream.T @ layer.closest(x.detach())[:, :48])
        layer.zero_grad()
        layer(x.detach())
        torch.autograd.backward(torch_lut.reconstruction_loss(layer))
        moved = layer.centroids.grad.clone()  # beside a difference
        rows, weight = x.detach(), layer.weight.detach()

        def lost(centroid):
            with torch.no_grad():
                layer.centroids[0, 3, 1] = centroid
                return float(((layer.closest(rows) - rows) @ weight.T).square().mean())

        at = float(layer.centroids[0, 3, 1].detach())
        self.assertNotEqual(float(moved[0, 3, 1]), 0)
        self.assertAlmostEqual(float(moved[0, 3, 1]), (lost(at + 1e-3) - lost(at - 1e-3)) / 2e-3, places=4)

    def testExportedTablesAreReadPlannedAndComputed(self):
        from pimstudio import torch as pimtorch
        from pimstudio import torch_lut
        import torch

        module = self.swapped(layers=["0", "2"])  # 24 and 48 inputs; 50 features
        torch_lut.train(module, self.batches(20), torch.nn.functional.cross_entropy)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "spirals.onnx")
            onPim = {"ops": {name: {"placement": "pim"} for name in ("/0/Gemm", "/2/Gemm")}}  # a host is quicker with such small ones
            plan = pimtorch.compile(module, self.inputs[:64], "upmem-8", options={"dtype": "i8", "verify": 0}, overrides=onPim, file=file)
            self.assertEqual([op["type"] for op in plan.graph.ops].count("LookUp"), 2)
            self.assertEqual([op["type"] for op in plan.ops if op["placement"] != "host"], ["LookUp"] * 2)
            self.assertEqual(list(plan.modules), ["0", "1", "2", "3", "4"])
            again = pimstudio.load(file, passes=[f"look_up_tables:from={folder}/spirals-tables"])
            self.assertEqual([op["name"] for op in again.ops], [op["name"] for op in plan.graph.ops])
            with open(f"{folder}/spirals-tables/layers.json", encoding="utf-8") as listed:
                self.assertEqual({each["table"] for each in json.load(listed)}, {"int8"})
            with torch.no_grad():
                difference = pimtorch.offload(module, plan, [self.inputs[:64]]).compare(self.inputs[:64])
                answers = pimtorch.offload(module, plan, [self.inputs[:64]])(self.inputs[:64]).argmax(1)
                self.assertGreater(float((answers == module(self.inputs[:64]).argmax(1)).float().mean()), 0.9)
            self.assertLess(difference["relative_rms"], 0.15)

    def testTablesOfFloatsAreExact(self):
        from pimstudio import torch as pimtorch
        import torch

        module = self.swapped(int8="", v=5)  # filled up: 5 divides neither 24 nor 48
        plan = pimtorch.compile(module, self.inputs[:16], "attacc", options={"verify": 0})
        with torch.no_grad():
            difference = pimtorch.offload(module, plan).compare(self.inputs[:16])
        self.assertLess(difference["relative_rms"], 2e-3)  # look-ups stay on the host there

    def testOneSeedGivesTheSameCentroids(self):
        import torch
        from pimstudio import torch_lut

        first, again, other = (torch_lut.lut_layers(self.swapped(seed=seed))["2"].centroids for seed in (1, 1, 2))
        self.assertTrue(torch.equal(first, again))
        self.assertFalse(torch.equal(first, other))

    def testTransformersAreSwappedByWhatSamplesGoThrough(self):
        import torch
        from pimstudio import torch_lut

        torch.manual_seed(1)
        layer = torch.nn.TransformerEncoderLayer(16, 2, 32, batch_first=True).train()  # out_proj is called by no forward() of its own
        made = torch_lut.swap(layer, [torch.randn(8, 6, 16)], 2, 8, layers="all")
        self.assertEqual(list(torch_lut.lut_layers(made)), ["linear1", "linear2"])
        self.assertEqual(made(torch.randn(2, 6, 16)).shape, (2, 6, 16))

    def testWhatCannotBe(self):
        import torch
        from pimstudio import torch as pimtorch
        from pimstudio import torch_lut

        usage, unsupported = pimstudio.errors.UsageError, pimstudio.errors.UnsupportedError
        mixed = self.swapped()
        torch_lut.lut_layers(mixed)["0"].int8 = ""
        for call, kind, message in (
                (lambda: self.swapped(v=0), usage, "sub-vectors of 0"),
                (lambda: self.swapped(ct=100000), usage, "centroids"),
                (lambda: self.swapped(layers=["nobody"]), pimstudio.errors.NotFoundError, '"nobody" is no Linear.*there are 0, 2, 4'),
                (lambda: torch_lut.swap(self.dense, []), unsupported, "no Linear is left"),
                (lambda: torch_lut.swap(torch.nn.ReLU(), [self.inputs]), unsupported, "no Linear is left"),
                (lambda: torch_lut.reconstruction_loss(self.dense), usage, "no layer has a reconstruction loss"),
                (lambda: torch_lut.train(self.swapped(), [(self.inputs, self.labels)], lambda *_: torch.tensor(float("nan"))),
                 pimstudio.errors.InvalidModelError, "the loss of batch 1 is nan"),
                (lambda: pimtorch.compile(self.swapped(int8="most"), self.inputs[:1], "upmem-8"), usage, "int8"),
                (lambda: pimtorch.compile(self.swapped(), self.inputs[:1], "upmem-8", weights=False), usage, "tables are made of weights"),
                (lambda: pimtorch.compile(mixed, self.inputs[:1], "upmem-8"), usage, "one value of int8"),
                (lambda: torch_lut.swap(self.dense, [torch.full((30, 24), float("nan"))], layers="all"), pimstudio.errors.InvalidModelError, "nan at row 0")):
            with self.subTest(message), self.assertRaisesRegex(kind, message):
                call()
        self.assertFalse(torch_lut.lut_layers(self.dense))


if __name__ == "__main__":
    unittest.main()
