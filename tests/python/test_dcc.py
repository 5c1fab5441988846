# SPDX-License-Identifier: GPL-3.0-or-later
"""DCC's interface: the example of its paper on numbers, other kernels beside Python, and what is refused."""
import importlib.util
import json
import os
import subprocess
import unittest

import numpy
import pimstudio
from pimstudio import dcc as DCC
from pimstudio.dcc import DCC_kernel

PIMC = os.environ["PIM_PIMC"]
MACHINES = {"hbm-pim": 0.01, "aim": 0.06, "attacc": 0.01}  # relative to the largest result: float16, bfloat16, float16
STEPS = 24


# DCC paper, Figure 5, lines 1 to 8.
@DCC_kernel
def PIM_kernel(weight, bias, x):  # define PIM kernel
  y = DCC.Tensor.zero([x.size(0), weight.size(0)])
  for b in range(y.size(0)):
    for i in range(y.size(1)):
      for j in range(x.size(1)):
        y[b][i] += x[b][j] * weight[i][j] + bias[j]
  return y


@DCC_kernel
def product(weight, x):
    y = DCC.Tensor.zero([x.size(0), weight.size(0)])
    for b in range(y.size(0)):
        for i in range(y.size(1)):
            for j in range(STEPS):
                y[b, i] += x[b, j] * weight[i, j]
    return y


@DCC_kernel
def with_everything(weight, bias, scale, x):
    y = DCC.Tensor.zero([4, 16])
    for b in range(4):
        for i in range(16):
            for j in range(32):
                y[b][i] += bias[i] * 0.5 - scale[j] + x[b][j] * weight[i][j] + 1
    return y


@DCC_kernel
def added(a, b):
    y = DCC.Tensor.zero([a.size(0), 8])
    for i in range(a.size(0)):
        for j in range(8):
            y[i][j] = a[i][j] + b[i][j]
    return y


@DCC_kernel
def sums_of_before(c, a, b):
    for i in range(4):
        for j in range(8):
            for k in range(16):
                c[i][j] += a[i][k] * b[k][j]
    return c


@DCC_kernel
def products_into(c, a, b):
    for i in range(64):
        c[i] = a[i] * b[i]
    return c


@DCC_kernel
def convolution(weight, x):
    y = DCC.Tensor.zero([4, 6, 6])
    for o in range(4):
        for h in range(6):
            for w in range(6):
                for c in range(3):
                    for r in range(3):
                        for s in range(3):
                            y[o][h][w] += x[c][h + r][w + s] * weight[o][c][r][s]
    return y


def near(case, found, expected, tolerance):
    found, expected = numpy.asarray(found, numpy.float64), numpy.asarray(expected, numpy.float64)
    case.assertEqual(found.shape, expected.shape)
    case.assertLess(numpy.abs(found - expected).max(), tolerance * numpy.abs(expected).max())


class Quiet(DCC.Layer):
    """Without torch: pre-loads what it is told to."""

    def __init__(self, function, sizes, **kept):
        self.kernel = DCC.init_kernel(function, sizes)
        self.kept = kept
        self.updates = []

    def update(self, best_draft):
        self.updates.append(best_draft)
        self.loaded = {name: self.kernel.pre_load(best_draft, numbers, parameter=name) for name, numbers in self.kept.items()}


def numbers(*shape, seed=3):
    return numpy.random.default_rng(seed).uniform(-1, 1, shape).astype(numpy.float32)


@unittest.skipUnless(importlib.util.find_spec("torch"), "PyTorch is not installed")
class Figure5(unittest.TestCase):
    HIDDEN = 64

    def model(self):
        import torch

        hidden = self.HIDDEN

        class QKV_Layer(torch.nn.Module, DCC.Layer):
            def __init__(self, layer, input_sizes):  # init kernel and weight
                super().__init__()
                self.kernel = DCC.init_Kernel(PIM_kernel, input_sizes)
                self.weight = layer.weight
                self.bias = layer.bias
                self.updates = 0

            def update(self, best_draft):  # pre-load data
                self.updates += 1
                self.PIM_W = self.kernel.pre_load(best_draft, self.weight)
                self.PIM_b = self.kernel.pre_load(best_draft, self.bias)

            def forward(self, x):  # execute PIM kernel
                return self.kernel(self.PIM_W, self.PIM_b, x)

        class Gpt(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.hidden_size = hidden
                self.norm = torch.nn.LayerNorm(hidden)
                self.qkv_0 = torch.nn.Linear(hidden, 3 * hidden)

            def forward(self, x):
                return self.qkv_0(self.norm(x)).chunk(3, -1)

        torch.manual_seed(5)
        model = Gpt()
        self.dense = model.qkv_0
        in_sizes = [[model.qkv_0.weight.size(), model.qkv_0.bias.size(), [1, model.hidden_size]]]
        model.qkv_0 = QKV_Layer(model.qkv_0, in_sizes)  # replace QKV layer
        return model

    def testRunsOnNumbers(self):
        import torch

        for target, tolerance in MACHINES.items():
            with self.subTest(target), torch.no_grad():
                model = DCC.set_model(self.model(), target=target)  # collect model information
                for rows in (1, 3):
                    request = torch.randn(rows, self.HIDDEN)
                    outputs = model(request)  # run the inference
                    normed = model.norm(request)
                    # What the kernel says: each step of j adds bias[j].
                    expected = normed @ self.dense.weight.T + self.dense.bias[: self.HIDDEN].sum()
                    self.assertTrue(all(isinstance(each, torch.Tensor) and each.dtype == torch.float32 for each in outputs))
                    near(self, torch.cat(outputs, -1), expected, tolerance)

    def testTheLayerIsUpdatedWhenADraftIsDetermined(self):
        import torch

        with torch.no_grad():
            model = DCC.set_model(self.model(), target="attacc")
            layer = model.qkv_0
            before, draft = layer.updates, layer.kernel.best_draft
            self.assertIn(before, (1, 2))
            self.assertIn("weight: const f16", layer.kernel.function.sized(layer.kernel.sizes[0], frozenset(["weight"]))[0])
            model(torch.randn(1, self.HIDDEN))
            self.assertEqual(layer.updates, before)  # known
            model(torch.randn(2, self.HIDDEN))  # dynamic
            self.assertEqual(layer.updates, before + 1)
            self.assertIsNot(layer.kernel.best_draft, draft)
            self.assertEqual(layer.PIM_W.parameter, "weight")
            model(torch.randn(2, self.HIDDEN))
            self.assertEqual(layer.updates, before + 1)
            with torch.enable_grad(), self.assertRaisesRegex(pimstudio.errors.UsageError, "have no gradients"):
                layer(torch.randn(1, self.HIDDEN, requires_grad=True))


class Kernels(unittest.TestCase):
    def testPythonAndUnitsAgree(self):
        weight, x = numbers(16, STEPS), numbers(3, STEPS, seed=4)
        expected = product(weight, x)
        self.assertIsInstance(expected, DCC.Tensor)
        numpy.testing.assert_allclose(numpy.asarray(expected), x @ weight.T, rtol=1e-5, atol=1e-5)
        for target, tolerance in MACHINES.items():
            with self.subTest(target):
                kernel = DCC.init_kernel(product, [weight.shape, x.shape], target=target)
                near(self, kernel.run(weight, x), expected, tolerance)

    def testElementwiseKernelsRunWhereUnitsHaveThem(self):
        a, b = numbers(40, 8), numbers(40, 8, seed=4)
        kernel = DCC.init_kernel(added, [a.shape, b.shape], target="hbm-pim")
        near(self, kernel(a, b), added(a, b), 0.001)
        with self.assertRaisesRegex(pimstudio.errors.UnsupportedError, "GEMV units multiply and add; they have no add"):
            DCC.init_kernel(added, [a.shape, b.shape], target="attacc")(a, b)

    def testParametersAreWrittenAndWindowsSlide(self):
        for function, shapes in ((sums_of_before, [(4, 8), (4, 16), (16, 8)]), (products_into, [(64,)] * 3), (convolution, [(4, 3, 3, 3), (3, 8, 8)])):
            given = [numbers(*shape, seed=i) for i, shape in enumerate(shapes)]
            expected = function(*(each.copy() for each in given))
            for target, tolerance in list(MACHINES.items())[:2]:
                with self.subTest(function.name, target=target):
                    kernel = DCC.init_kernel(function, shapes, target=target)
                    near(self, kernel(*given), expected, tolerance)
                    numpy.testing.assert_array_equal(given[0], numbers(*shapes[0], seed=0))

    def testTheHostAddsWhatUnitsDoNot(self):
        shapes = (16, 32), (16,), (32,), (4, 32)
        weight, bias, scale, x = (numbers(*shape, seed=i) for i, shape in enumerate(shapes))
        kernel = DCC.init_kernel(with_everything, shapes, target="hbm-pim")
        expected = with_everything(weight, bias, scale, x)
        near(self, kernel(weight, bias, scale, x), expected, 0.01)
        near(self, expected, x @ weight.T + 32 * 0.5 * bias - scale.sum() + 32, 1e-5)

    def testDraftsAreThoseOfTheCommandLine(self):
        shapes = {"weight": (48, STEPS), "x": (2, STEPS)}
        kernel = DCC.init_kernel(product, shapes.values(), target="attacc")
        kernel.determine()
        text, used, rest = product.sized(tuple(shapes.values()), frozenset())
        self.assertEqual((used, rest), (["weight", "x"], None))
        sizes = ",".join(f"{name}={'x'.join(map(str, shape))}" for name, shape in shapes.items())
        told = json.loads(subprocess.run([PIMC, "kernel", "-", "--sizes", sizes, "--target", "attacc", "--top", "3", "--json"], input=text,
                                         capture_output=True, text=True, check=True).stdout)
        drafts = kernel.drafts
        self.assertEqual(drafts.texts[:3], [each["draft"] for each in told["drafts"][:3]])
        numpy.testing.assert_allclose(drafts.total_ns[:3], [each["total_ns"] for each in told["drafts"][:3]], rtol=1e-12)
        self.assertEqual(kernel.best_draft.text, drafts.texts[0])

    def testPreLoadedTensorsStayAndArePartlyUpdated(self):
        weight, x = numbers(256, STEPS), numbers(1, STEPS, seed=4)
        layer = DCC.set_model(Quiet(product, [weight.shape, x.shape], weight=weight), target="attacc")
        streamed = DCC.init_kernel(product, [weight.shape, x.shape], target="attacc").determine()
        self.assertLess(layer.kernel.best_draft.total_ns, streamed.total_ns)  # the weights do not come over the bus
        address = layer.loaded["weight"]
        near(self, layer.kernel.run(address, x), x @ weight.T, 0.01)
        part = numbers(2, STEPS, seed=9)
        layer.kernel.pre_load(layer.kernel.best_draft, part, address + 5 * STEPS)
        changed = weight.copy()
        changed[5:7] = part
        near(self, layer.kernel.run(address, x), x @ changed.T, 0.01)
        numpy.testing.assert_array_equal(weight, numbers(256, STEPS))  # what was loaded is a copy

    def testWhatCannotBe(self):
        weight, x = numbers(16, STEPS), numbers(3, STEPS)
        layer = DCC.set_model(Quiet(product, [weight.shape, x.shape], weight=weight))
        kernel, draft, address = layer.kernel, layer.kernel.best_draft, layer.loaded["weight"]
        other = DCC.init_kernel(product, [weight.shape, x.shape])

        @DCC_kernel
        def two_products(a, b):
            y = DCC.Tensor.zero([4])
            for i in range(4):
                for j in range(8):
                    y[i] += a[i][j] * b[j] + b[j] * b[j]
            return y

        @DCC_kernel
        def no_nest(a):
            return a

        @DCC_kernel
        def nonlinear(a, b):
            y = DCC.Tensor.zero([4])
            for i in range(4):
                for j in range(8):
                    y[i] += a[i][j] * b[j] + max(b[j], 0)
            return y

        scope = {"DCC_kernel": DCC_kernel}
        with self.assertRaisesRegex(pimstudio.errors.UsageError, "typed_in: its source text cannot be read"):
            exec("@DCC_kernel\ndef typed_in(a):\n    return a\n", scope)  # as at a prompt
        with self.assertRaisesRegex(pimstudio.errors.UsageError, "is no function"):
            DCC_kernel(lambda a: a)
        usage, unsupported, invalid = pimstudio.errors.UsageError, pimstudio.errors.UnsupportedError, pimstudio.errors.InvalidKernelError
        matrix, vector = numbers(4, 8), numbers(8)
        for call, kind, message in (
                (lambda: DCC.init_kernel(print, []), usage, "is no kernel"),
                (lambda: DCC.init_kernel(product, [[4, 8]]), usage, "sizes of 2 tensors|has 2 parameters"),
                (lambda: DCC.init_kernel(product, [[4, "x"], [4, 8]]), usage, "no sizes of a tensor"),
                (lambda: DCC.init_kernel(product, [[4, 0], [4, 8]]), usage, "no sizes of a tensor"),
                (lambda: other.run(weight, x), usage, "no machine was chosen"),
                (lambda: other.drafts, usage, "no draft was determined"),
                (lambda: kernel.run(weight), usage, "1 tensors are given, it has 2"),
                (lambda: kernel.run(address, numpy.array(["a"])), usage, "fractions are expected"),
                (lambda: kernel.run(address, x.astype(numpy.complex64)), usage, "its numbers are complex64"),
                (lambda: kernel.run(x, address), usage, "what was loaded for weight is given as x"),
                (lambda: other.run(address, x), usage, "another kernel's"),
                (lambda: kernel.pre_load("best", weight), usage, "str is no draft"),
                (lambda: kernel.pre_load(draft, numbers(7, 7)), usage, "no parameter of the shape .7, 7. is left"),
                (lambda: kernel.pre_load(draft, x, parameter="weight"), usage, "no parameter weight of the shape"),
                (lambda: kernel.pre_load(draft, x, address + (16 * STEPS - 1)), usage, "do not fit weight, which has 384"),
                (lambda: kernel.pre_load(draft, x, address + (-1)), usage, "do not fit weight"),
                (lambda: DCC.set_model(object()), usage, "is no model"),
                (lambda: DCC.set_model([]), usage, "no layer of it runs on PIM"),
                (lambda: DCC.set_model(Quiet(product, [weight.shape, x.shape]), target="nowhere"), pimstudio.errors.NotFoundError, "nowhere"),
                (lambda: DCC.set_model(Quiet(product, [weight.shape, x.shape]), target="isaac"), unsupported, ""),
                (lambda: DCC.init_kernel(two_products, [[4, 8], [8]], "attacc").run(matrix, vector), unsupported, "units add products of two tensors"),
                (lambda: DCC.init_kernel(nonlinear, [[4, 8], [8]], "attacc").run(matrix, vector), unsupported, r"the host cannot add .max\("),
                (lambda: DCC.init_kernel(no_nest, [[4, 8]], "attacc").run(matrix), invalid, "no statement"),
                (lambda: DCC.init_kernel(product, [[16], [3, STEPS]], "attacc").run(vector, x), pimstudio.Error, "")):
            with self.subTest(message), self.assertRaisesRegex(kind, message):
                call()
        near(self, kernel.run(address, x), x @ weight.T, 0.01)  # none of it harmed the kernel


if __name__ == "__main__":
    unittest.main()
