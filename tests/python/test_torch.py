# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch modules: exported, compiled, and computed by the programs of machines of all families beside PyTorch itself."""
import gc
import os
import sys
import types
import unittest
import unittest.mock
import warnings

import numpy

try:
    import torch
    from torch import nn
except ImportError:
    print("PyTorch is not installed (Debian: python3-torch); its tests are left out")
    sys.exit(77)

import pimstudio
import pimstudio.torch as pimtorch

try:
    import torchvision
except (ImportError, RuntimeError):
    torchvision = None

QUICK = {"verify": 0}


class Perceptron(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(48, 64), nn.ReLU(), nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10))

    def forward(self, x):
        return self.layers(x)


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 6, 5, padding=2), nn.Conv2d(6, 16, 5)
        self.fc1, self.fc2, self.fc3 = nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10)

    def forward(self, x):
        x = nn.functional.max_pool2d(torch.relu(self.conv1(x)), 2)
        x = nn.functional.max_pool2d(torch.relu(self.conv2(x)), 2)
        return self.fc3(torch.relu(self.fc2(torch.relu(self.fc1(x.flatten(1))))))


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels)
        self.conv2, self.bn2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels)
        self.down = nn.Sequential(nn.Conv2d(channels, channels, 1), nn.BatchNorm2d(channels))

    def forward(self, x):
        return torch.relu(self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(x))))) + self.down(x))


class SmallResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 3, padding=1)
        self.layer1 = nn.Sequential(Residual(16), Residual(16))
        self.fc = nn.Linear(16, 10)

    def forward(self, x):
        return self.fc(self.layer1(self.stem(x)).mean((2, 3)))


class Separable(nn.Module):
    """A block of MobileNet: one channel at a time, then across channels."""

    def __init__(self):
        super().__init__()
        self.wide, self.deep, self.narrow = nn.Conv2d(8, 32, 1), nn.Conv2d(32, 32, 3, padding=1, groups=32), nn.Conv2d(32, 8, 1)

    def forward(self, x):
        return x + self.narrow(nn.functional.relu6(self.deep(nn.functional.relu6(self.wide(x)))))


class Inception(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.three, self.five = nn.Conv2d(8, 8, 1), nn.Conv2d(8, 8, 3, padding=1), nn.Conv2d(8, 4, 5, padding=2)

    def forward(self, x):
        return torch.cat([self.one(x), self.three(x), self.five(x), nn.functional.avg_pool2d(x, 3, 1, 1)], 1)


class SqueezeExcite(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.up = nn.Linear(16, 4), nn.Linear(4, 16)

    def forward(self, x):
        gate = torch.sigmoid(self.up(torch.relu(self.down(x.mean((2, 3))))))
        return x * gate[:, :, None, None]


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1, self.down2 = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 16, 3, padding=1)
        self.up, self.out = nn.Conv2d(16, 8, 3, padding=1), nn.Conv2d(16, 2, 1)

    def forward(self, x):
        a = torch.relu(self.down1(x))
        b = torch.relu(self.down2(nn.functional.max_pool2d(a, 2)))
        c = nn.functional.interpolate(torch.relu(self.up(b)), scale_factor=2, mode="nearest")
        return self.out(torch.cat([a, c], 1))


class CausalAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (each.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
                   for each in self.qkv(x).split(width, 2))
        scores = q @ k.transpose(2, 3) / (width // self.heads) ** 0.5
        scores = scores + torch.full((length, length), -1e4).triu(1)
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(batch, length, width))


class GptBlock(nn.Module):
    def __init__(self, width=32, heads=4):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = CausalAttention(width, heads)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class TinyGpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.places = nn.Embedding(50, 32), nn.Embedding(16, 32)
        self.blocks = nn.Sequential(GptBlock(), GptBlock())
        self.norm, self.head = nn.LayerNorm(32), nn.Linear(32, 50, bias=False)

    def forward(self, ids):
        return self.head(self.norm(self.blocks(self.tokens(ids) + self.places.weight[: ids.shape[1]])))


class RmsNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight


class LlamaMlp(nn.Module):
    """Gated, after a norm by the root mean square."""

    def __init__(self):
        super().__init__()
        self.norm = RmsNorm(32)
        self.gate, self.up, self.down = (nn.Linear(*sizes, bias=False) for sizes in ((32, 64), (32, 64), (64, 32)))

    def forward(self, x):
        y = self.norm(x)
        return x + self.down(nn.functional.silu(self.gate(y)) * self.up(y))


class Patches(nn.Module):
    """The beginning of a vision transformer."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Conv2d(3, 32, 4, 4)
        self.token = nn.Parameter(torch.randn(1, 1, 32))
        self.encoder = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)
        self.head = nn.Linear(32, 10)

    def forward(self, x):
        x = self.embed(x).flatten(2).transpose(1, 2)
        return self.head(self.encoder(torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1))[:, 0])


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.across, self.within = nn.Linear(16, 16), nn.Linear(24, 24)

    def forward(self, x):
        x = x + self.across(x.transpose(1, 2)).transpose(1, 2)
        return x + self.within(x)


class Recommender(nn.Module):
    def __init__(self):
        super().__init__()
        self.users, self.items = nn.Embedding(40, 16), nn.Embedding(60, 16)
        self.top = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 1), nn.Sigmoid())

    def forward(self, user, item):
        return self.top(torch.cat([self.users(user), self.items(item)], 1))


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk, self.left, self.right = nn.Linear(24, 32), nn.Linear(32, 4), nn.Linear(32, 6)

    def forward(self, x):
        x = torch.relu(self.trunk(x))
        return self.left(x), self.right(x)


IMAGE = lambda channels, size: torch.rand(1, channels, size, size)
TOKENS = lambda length, width: torch.randn(1, length, width)

MODULES = {
    "perceptron": (Perceptron, lambda: torch.randn(1, 48)),
    "lenet": (LeNet, lambda: IMAGE(1, 28)),
    "resnet": (SmallResNet, lambda: IMAGE(3, 16)),
    "separable": (Separable, lambda: IMAGE(8, 12)),
    "inception": (Inception, lambda: IMAGE(8, 10)),
    "squeeze-excite": (SqueezeExcite, lambda: IMAGE(16, 8)),
    "unet": (UNet, lambda: IMAGE(3, 16)),
    "attention": (lambda: CausalAttention(32, 4), lambda: TOKENS(12, 32)),
    "gpt block": (GptBlock, lambda: TOKENS(12, 32)),
    "tiny gpt": (TinyGpt, lambda: torch.randint(0, 50, (1, 12))),
    "llama mlp": (LlamaMlp, lambda: TOKENS(8, 32)),
    "patches": (Patches, lambda: IMAGE(3, 16)),
    "mixer": (Mixer, lambda: TOKENS(16, 24)),
    "encoder layer": (lambda: nn.TransformerEncoderLayer(32, 4, 64, batch_first=True), lambda: TOKENS(10, 32)),
    "multi-head attention": (lambda: nn.MultiheadAttention(32, 4, batch_first=True), lambda: (TOKENS(10, 32),) * 3),
    "recommender": (Recommender, lambda: (torch.tensor([3]), torch.tensor([7]))),
    "two heads": (TwoHeads, lambda: torch.randn(1, 24)),
    "conv 1d": (lambda: nn.Sequential(nn.Conv1d(4, 8, 3, padding=1), nn.ReLU(), nn.Conv1d(8, 4, 3, padding=1)),
                lambda: torch.rand(1, 4, 20)),
    "norms": (lambda: nn.Sequential(nn.Conv2d(4, 8, 3), nn.GroupNorm(2, 8), nn.Hardswish(), nn.Conv2d(8, 4, 1)),
              lambda: IMAGE(4, 10)),
    "autoencoder": (lambda: nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1), nn.ELU(), nn.ConvTranspose2d(8, 1, 2, 2), nn.Sigmoid()),
                    lambda: IMAGE(1, 12)),
}
if torchvision:
    for name in ("resnet18", "mobilenet_v2", "squeezenet1_1", "shufflenet_v2_x0_5"):
        MODULES["torchvision " + name] = (lambda name=name: getattr(torchvision.models, name)(num_classes=10),
                                          lambda: IMAGE(3, 64))

# How far numbers of a machine may be from float32, as relative root mean square: a few units of its least place, added up over a
# network. 8 bit keeps seven places of the largest number that calibration saw.
MACHINES = {
    "attacc": (QUICK, 0.02),
    "aim": (QUICK, 0.08),
    "hbm-pim": (QUICK, 0.02),
    "dynaplasia": ({}, 0.35),
    "isaac": ({"crossbar.evaluations": 1}, 0.02),
    "upmem-8": ({"dtype": "i16", "verify": 0}, 0.08),
}


def made(name):
    torch.manual_seed(7)
    make, example = MODULES[name]
    module = make()
    if name.startswith("torchvision"):  # statistics of batch norms, without which numbers die out in deep networks
        with torch.no_grad():
            for _ in range(20):
                module.train()(torch.rand(4, *example().shape[1:]))
    return module.eval(), example()


class EveryModule(unittest.TestCase):
    """A machine for each module, in turn: all families see several kinds of layers."""

    def check(self, name, target):
        module, example = made(name)
        options, tolerance = MACHINES[target]
        plan = pimtorch.compile(module, example, target, options=options)
        self.assertGreater(plan.total_ns, 0)
        paths = {path for path, _ in module.named_modules()}
        self.assertLessEqual(set(plan.modules), paths)
        inputs = example if isinstance(example, tuple) else (example,)
        difference = pimtorch.offload(module, plan).compare(*inputs)
        self.assertLess(difference["relative_rms"], tolerance, f"{name} on {target}: {difference}")

    def testModules(self):
        targets = list(MACHINES)
        for i, name in enumerate(MODULES):
            target = "dynaplasia" if name.startswith("torchvision") else targets[(i + i // len(targets)) % len(targets)]
            with self.subTest(module=name, target=target):
                self.check(name, target)


class OneModule(unittest.TestCase):
    def testOpsKnowTheirModules(self):
        module, example = made("resnet")
        plan = pimtorch.compile(module, example, "dynaplasia")
        self.assertEqual(plan.module_of("/layer1/layer1.0/down/down.0/Conv"), "layer1.0.down.0")
        modules = plan.modules
        self.assertIn("layer1.1.conv2", modules)
        self.assertAlmostEqual(sum(modules.values()), sum(op["total_ns"] for op in plan.ops), delta=1e-6)
        frame = plan.to_pandas()
        self.assertEqual(list(frame["module"])[0], "stem")
        for path in modules:
            module.get_submodule(path)

    def testSameNumbersAsTheCommandLineChecks(self):
        """Eight bit on the flow of a chip: whole multiples of one power of two, the same for the same input."""
        module, example = made("perceptron")
        plan = pimtorch.compile(module, example, "dynaplasia")
        chip = pimtorch.offload(module, plan, calibration=[torch.randn(1, 48) for _ in range(8)])
        self.assertIn("8 bit", chip.numbers.numbers)
        ours = chip(example)
        self.assertTrue(torch.equal(ours, chip(example)))
        self.assertFalse(torch.equal(ours, chip(-example)))
        numbers = [float(each) for each in ours.flatten()]
        unit = next(2.0 ** e for e in range(20, -60, -1) if all((each / 2.0 ** e).is_integer() for each in numbers))
        self.assertLessEqual(max(abs(each) for each in numbers) / unit, 128)

    def testConvertersCostAccuracy(self):
        module, example = made("lenet")
        plan = pimtorch.compile(module, example, "isaac", options=MACHINES["isaac"][0])
        exact = pimtorch.offload(module, plan).compare(example)
        coarse = pimtorch.offload(module, plan, options={"adc-bits": 4}).compare(example)
        self.assertLess(exact["relative_rms"], 0.01)
        self.assertGreater(coarse["relative_rms"], 10 * exact["relative_rms"])

    def testTheFileIsKeptWhereItIsWanted(self):
        module, example = made("perceptron")
        plan = pimtorch.compile(module, example, "aim", options=QUICK)
        file = plan.graph.path
        self.assertTrue(os.path.exists(file))
        del plan
        gc.collect()
        self.assertFalse(os.path.exists(file))

    def testWhatCannotBe(self):
        module, example = made("perceptron")
        plan = pimtorch.compile(module, example, "aim", options=QUICK)
        chip = pimtorch.offload(module, plan)
        with self.assertRaises(pimstudio.errors.UsageError) as raised:
            chip(torch.randn(2, 48))
        self.assertRegex(str(raised.exception), r"the shape \[2\D+48\], \[1\D+48\] is expected")
        with self.assertRaises(pimstudio.errors.UsageError) as raised:
            chip(example.double())
        self.assertIn("float64, float32 is expected", str(raised.exception))
        with self.assertRaises(pimstudio.errors.UsageError) as raised:
            chip(example.clone().requires_grad_())
        self.assertIn("under torch.no_grad()", str(raised.exception))
        with self.assertRaises(pimstudio.errors.UsageError):
            chip(example, example)
        with self.assertRaises(pimstudio.errors.UsageError):
            plan.numbers(options={"adc-bits": 4})
        with self.assertRaises(pimstudio.errors.NotFoundError):
            pimtorch.compile(module, example, "nowhere")

        class Broken(nn.Module):
            def forward(self, x):
                raise ValueError("no way")

        with self.assertRaises(pimstudio.errors.UnsupportedError) as raised:
            pimtorch.compile(Broken(), example, "aim")
        self.assertIn("Broken: the module cannot be exported as ONNX: no way", str(raised.exception))

    def testModulesThatCannotBeExportedAreTold(self):
        class Gives(nn.Module):
            def __init__(self, what):
                super().__init__()
                self.what = what

            def forward(self, x):
                return self.what(x)

        class Interrupted(nn.Module):
            def forward(self, x):
                raise KeyboardInterrupt

        x = torch.randn(2, 3)
        for what, message in ((lambda x: None, "gives no tensor"), (lambda x: "text", "gives no tensor"), (lambda x: torch.linalg.qr(x)[0], "qr"), (lambda x: x @ x, "mat1 and mat2|shapes"),
                              (lambda x: 1 / 0, "division by zero"), (lambda x: torch.fft.fft(x), "fft"), (lambda x: {"a": object()}, "")):
            for weights in (True, False):
                with self.subTest(message, weights=weights), self.assertRaisesRegex(pimstudio.Error, message) as raised:
                    pimtorch.compile(Gives(what), x, "aim", weights=weights)
                self.assertNotIsInstance(raised.exception, pimstudio.errors.InternalError)
        with self.assertRaises(KeyboardInterrupt):
            pimtorch.compile(Interrupted(), x, "aim")
        module, _ = made("perceptron")
        for example in ("text", 7, None, (), (x,), (x, x), [x, "text"]):
            with self.subTest(str(type(example))), self.assertRaises((pimstudio.Error, TypeError)):
                pimtorch.compile(module, example, "aim")
        with self.assertRaisesRegex(TypeError, "builtin_function_or_method is no torch.nn.Module"):
            pimtorch.compile(print, x, "aim")
        with self.assertRaises(pimstudio.Error):
            pimtorch.compile(module, torch.randn(1, 48), "aim", file="/nowhere/net.onnx")
        self.assertGreater(pimtorch.compile(module, torch.randn(1, 48), "aim", options=QUICK).total_ns, 0)

    def testNumbersWithoutPyTorch(self):
        plan = pimstudio.compile("sample:tiny-gpt", "attacc", options=QUICK)
        numbers = plan.numbers()
        inputs = [numpy.zeros(shape, numpy.int64 if kind.startswith("i") else numpy.float32)
                  for _, kind, shape, _ in plan.graph.inputs]
        first, again = numbers(*inputs), numbers(*inputs)
        self.assertEqual(len(first), len(plan.graph.outputs))
        for a, b, (_, _, shape, _) in zip(first, again, plan.graph.outputs):
            self.assertEqual(a.shape, tuple(shape))
            numpy.testing.assert_array_equal(a, b)


class WithoutWeights(unittest.TestCase):
    """The work and its time are those of the module; there is nothing to compute with."""

    def testPlansAreThoseWithWeights(self):
        for i, name in enumerate(MODULES):
            target = list(MACHINES)[i % 3] if i % 4 else "dynaplasia"
            with self.subTest(module=name, target=target):
                module, example = made(name)
                options = MACHINES[target][0]
                whole = pimtorch.compile(module, example, target, options=options)
                before = {key: id(each) for key, each in module.state_dict(keep_vars=True).items()}
                hollow = pimtorch.compile(module, example, target, options=options, weights=False)
                self.assertEqual({key: id(each) for key, each in module.state_dict(keep_vars=True).items()}, before)
                self.assertEqual(sum(op["macs"] for op in hollow.graph.ops), sum(op["macs"] for op in whole.graph.ops))
                self.assertEqual([each[1:3] for each in hollow.graph.inputs], [each[1:3] for each in whole.graph.inputs])
                self.assertEqual([each[1:3] for each in hollow.graph.outputs], [each[1:3] for each in whole.graph.outputs])
                self.assertLess(abs(hollow.total_ns / whole.total_ns - 1), 0.02)
                self.assertIn("weights-absent", " ".join(hollow.problems + hollow.graph.problems))

    def testModulesWithoutNumbersAreEnough(self):
        module, example = made("gpt block")
        whole = pimtorch.compile(module, example, "attacc", options=QUICK, weights=False)
        hollow = pimtorch.compile(GptBlock().to("meta").eval(), example.to("meta"), "attacc", options=QUICK, weights=False)
        self.assertEqual(hollow.ops, whole.ops)
        wide = nn.Sequential(*(nn.Linear(2048, 2048, device="meta") for _ in range(6)))
        plan = pimtorch.compile(wide, torch.zeros(1, 2048), "aim", options=QUICK, weights=False)
        self.assertEqual(sum(op["weight_bytes"] for op in plan.graph.ops), 6 * 2048 * 2049 * 4)
        self.assertTrue(all(each.is_meta for each in wide.parameters()))

    def testSharedWeightsAndBuffersStayWhatTheyAre(self):
        class Tied(nn.Module):
            def __init__(self):
                super().__init__()
                self.tokens, self.head, self.idle = nn.Embedding(50, 32), nn.Linear(32, 50, bias=False), nn.Linear(3, 3)
                self.head.weight = self.tokens.weight
                self.register_buffer("mask", torch.full((12, 12), -1e4).triu(1), persistent=False)
                self.register_buffer("scale", torch.tensor(3.0))
                self.register_buffer("twice", torch.tensor([2.0], dtype=torch.float16))
                self.register_buffer("whole", torch.tensor([[1, 0]], dtype=torch.int64))
                self.register_buffer("flag", torch.tensor([True]))

            def forward(self, ids):
                x = self.tokens(ids)
                weight = self.head.weight.clone()
                weight = weight * 2
                scores = x @ x.transpose(1, 2) / self.scale + self.mask
                x = x * self.twice.float() * self.flag + self.whole.sum()
                return nn.functional.linear(scores.softmax(-1) @ x, weight)

        module, example = Tied().eval(), torch.randint(0, 50, (1, 12))
        plans = [pimtorch.compile(module, example, "attacc", options=QUICK, weights=weights) for weights in (True, False)]
        self.assertEqual(*([op["type"] for op in plan.graph.ops if op["macs"]] for plan in plans))
        self.assertEqual(*(sum(op["macs"] for op in plan.graph.ops) for plan in plans))
        self.assertEqual(len(plans[1].graph.inputs), 1)
        self.assertIs(module.head.weight, module.tokens.weight)
        self.assertEqual(float(module.mask[0, 1]), -1e4)

    def testThereAreNoNumbers(self):
        module, example = made("perceptron")
        with self.subTest("file"):
            plan = pimtorch.compile(module, example, "aim", options=QUICK, weights=False)
            self.assertLess(os.path.getsize(plan.graph.path), 4000)
        with self.assertRaisesRegex(pimstudio.errors.UsageError, "the plan was made without weights"):
            pimtorch.offload(module, plan)
        with self.assertRaisesRegex(pimstudio.errors.UnsupportedError, "cannot be exported as ONNX"):
            pimtorch.compile(module.to("meta"), example, "aim")


class CompileBackend(unittest.TestCase):
    """As torch.compile() calls it, on graphs of torch.fx, which 1.13 has too."""

    def testGraphsComputeInTheNumbersOfTheMachine(self):
        for name in ("perceptron", "lenet", "two heads"):
            with self.subTest(name), torch.no_grad():
                module, example = made(name)
                graph = torch.fx.symbolic_trace(module)
                compiled = pimtorch.compile_backend(graph, [example], options={"target": "aim", "verify": 0})
                ours, theirs = compiled(example), module(example)
                self.assertIs(type(ours), type(theirs))
                for a, b in zip(ours if isinstance(ours, tuple) else [ours], theirs if isinstance(theirs, tuple) else [theirs]):
                    difference = float((a - b).square().mean().sqrt() / b.square().mean().sqrt())
                    self.assertLess(difference, MACHINES["aim"][1])
                    self.assertTrue(difference > 0 or name == "two heads", "bfloat16, not float32")

    def testWhatNeedsGradientsRunsAsItIs(self):
        module, example = made("perceptron")
        compiled = pimtorch.compile_backend(torch.fx.symbolic_trace(module), [example])
        given = example.clone().requires_grad_()
        compiled(given).sum().backward()
        self.assertEqual(given.grad.shape, given.shape)

    def testGraphsThatCannotBeExportedRunAsTheyAre(self):
        class Odd(nn.Module):
            def forward(self, x):
                return torch.linalg.qr(x)[0]

        example = torch.randn(4, 4)
        compiled = pimtorch.compile_backend(torch.fx.symbolic_trace(Odd()), [example], options={"target": "attacc"})
        with self.assertWarnsRegex(UserWarning, "a graph runs without attacc: .*cannot be exported"):
            first = compiled(example)
        torch.testing.assert_close(first, Odd()(example))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compiled(example)  # it is said once

    def testGraphsWithoutTensorsAndWrongWordsAreTold(self):
        module, example = made("perceptron")
        graph = torch.fx.symbolic_trace(module)
        with self.assertRaisesRegex(pimstudio.errors.UsageError, 'no mode "max-autotune"'):
            pimtorch.compile_backend(graph, [example], mode="max-autotune")
        with self.assertRaisesRegex(pimstudio.errors.NotFoundError, "nowhere"):
            pimtorch.compile_backend(graph, [example], options={"target": "nowhere"})(example)

        class Sized(nn.Module):
            def forward(self, n):
                return torch.zeros(2) + n

        self.assertEqual(pimtorch.compile_backend(torch.fx.symbolic_trace(Sized()), [3])(3).tolist(), [3, 3])

    def testItIsRegisteredWhereTorchHasIt(self):
        import importlib.util

        if not importlib.util.find_spec("torch._dynamo"):
            self.assertFalse(pimtorch._register_backend())
        registered = {}
        dynamo = types.ModuleType("torch._dynamo")
        dynamo.register_backend = lambda function, name: registered.update({name: function})
        dynamo.list_backends = lambda exclude: list(registered)
        with unittest.mock.patch("importlib.util.find_spec", return_value=object()), \
                unittest.mock.patch("importlib.import_module", return_value=dynamo):
            self.assertTrue(pimtorch._register_backend())
            self.assertTrue(pimtorch._register_backend())  # again, as a module that is reloaded does
        self.assertEqual(registered, {"pimstudio": pimtorch.compile_backend})


if __name__ == "__main__":
    unittest.main(verbosity=1)
