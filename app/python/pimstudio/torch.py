# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch modules on processing-in-memory hardware.

    import torch, torchvision
    import pimstudio.torch
    module = torchvision.models.resnet18().eval()
    plan = pimstudio.torch.compile(module, torch.rand(1, 3, 224, 224), target="dynaplasia")
    print(plan.modules)                              # nanoseconds by module path: {"layer1.0.conv1": ...}
    on_chip = pimstudio.torch.offload(module, plan)  # a module that computes what the chip would
    print(on_chip.compare(torch.rand(1, 3, 224, 224)))

A module is exported by torch.onnx, so it is compiled for the shapes of its example. Where torch.compile() is (2.0 and newer), it has a backend
"pimstudio", which is compile_backend() here.
"""
from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import os
import shutil
import tempfile
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy
import torch

from . import Graph, Numbers, Option, Plan, Progress, _core, errors, load
from . import compile as _compile
from .results import frame
from .torch_lut import lut_layers, save_tables

if TYPE_CHECKING:
    from torch.fx.graph_module import GraphModule
    import pandas  # type: ignore[import]

__all__ = ["ModulePlan", "Offloaded", "compile", "compile_backend", "export", "module_path", "offload"]

Example = Union[torch.Tensor, tuple[torch.Tensor, ...]]


def _tuple(example: Example) -> tuple[torch.Tensor, ...]:
    return (example,) if isinstance(example, torch.Tensor) else tuple(example)


def module_path(op: str, paths: Iterable[str]) -> str:
    """The module that an op of the exported network comes from: "/layer1/layer1.0/conv1/Conv" is "layer1.0.conv1".

    Scopes in names of ops are names of attributes, or of places in a container with the name of the container before them.
    """
    known = set(paths)
    path = ""
    for scope in op.strip("/").split("/")[:-1]:
        outer = path.rpartition(".")[0]
        inside = [f"{path}.{scope}", f"{outer}.{scope}", scope] if outer else [f"{path}.{scope}", scope]
        found = next((each for each in inside if each in known), None)
        if found is None:
            break
        path = found
    return path


class ModulePlan(Plan):
    """A plan whose ops know the modules that they come from."""

    def __init__(self, core: _core.Compiled, graph: Graph, paths: list[str], example: tuple[torch.Tensor, ...], has_weights: bool = True) -> None:
        super().__init__(core, graph)
        self.paths = paths
        self.example = example
        self.has_weights = has_weights

    def module_of(self, op: str) -> str:
        """Path of the module of an op, as in Module.get_submodule(); empty: the whole one."""
        return module_path(op, self.paths)

    @property
    def modules(self) -> dict[str, float]:
        """Predicted nanoseconds by module path, in the order of the network."""
        sums: dict[str, float] = {}
        for op in self.ops:
            path = self.module_of(op["name"])
            sums[path] = sums.get(path, 0.0) + float(op["total_ns"])
        return sums

    def to_pandas(self) -> pandas.DataFrame:
        """One row an op, with its module."""
        return frame({"module": self.module_of(op["name"]), **op} for op in self.ops)


class _NoCopies(torch.overrides.TorchFunctionMode):
    """Tracing copies what a module has; of tensors that are one element seen many times there is nothing to copy."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        words = kwargs or {}
        is_tracer = func is torch.Tensor.clone and words.get("memory_format") is torch.preserve_format
        return args[0] if is_tracer and args[0].dim() > 0 and not any(args[0].stride()) else func(*args, **words)


@contextlib.contextmanager
def _without_weights(module: torch.nn.Module) -> Iterator[dict[str, tuple[torch.Tensor, bool]]]:
    """Weights are one zero each, seen as often as they have elements, and buffers without numbers too. Gives all by name; False: it has its numbers."""
    kept: list[tuple[dict[str, Any], str, torch.Tensor]] = []
    hollow: dict[int, torch.Tensor] = {}
    for part in module.modules():
        parameters: dict[str, Any] = part._parameters
        buffers: dict[str, Any] = part._buffers
        for table, is_weight in ((parameters, True), (buffers, False)):
            for name, tensor in table.items():
                if tensor is None or not (is_weight or tensor.is_meta):
                    continue
                kept.append((table, name, tensor))
                if id(tensor) not in hollow:
                    zeros = torch.zeros((), dtype=tensor.dtype).expand(tensor.shape)
                    hollow[id(tensor)] = torch.nn.Parameter(zeros, requires_grad=zeros.is_floating_point()) if is_weight else zeros
                table[name] = hollow[id(tensor)]
    try:
        mode: Any = _NoCopies  # PyTorch does not type it
        with mode(), torch.onnx.select_model_mode_for_export(module, torch.onnx.TrainingMode.EVAL):
            absent = {id(each) for each in hollow.values()}
            yield {name: (each, id(each) in absent) for name, each in module.state_dict(keep_vars=True).items()}
    finally:
        for table, name, tensor in kept:
            table[name] = tensor


_ONNX_TYPES = {torch.float32: 1, torch.uint8: 2, torch.int8: 3, torch.int16: 5, torch.int32: 6, torch.int64: 7, torch.bool: 9,
               torch.float16: 10, torch.float64: 11, torch.bfloat16: 16}  # TensorProto.DataType


def _varint(value: int) -> bytes:
    most = bytearray()
    while value > 0x7F:
        most.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*most, value])


def _field(number: int, payload: Union[bytes, int]) -> bytes:
    """A field of a protobuf message: a number, or bytes with their length."""
    if isinstance(payload, int):
        return _varint(number << 3) + _varint(payload)
    return _varint(number << 3 | 2) + _varint(len(payload)) + payload


def _fields(message: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """Number, payload and all bytes of each field; numbers have an empty payload."""
    def number_at(at: int) -> tuple[int, int]:
        value, shift = 0, 0
        while True:
            value |= (message[at] & 0x7F) << shift
            shift += 7
            at += 1
            if message[at - 1] < 0x80:
                return value, at

    at = 0
    while at < len(message):
        start = at
        key, at = number_at(at)
        size, at = number_at(at)  # of what has no length it is the number
        at += size if key & 7 == 2 else 0
        yield key >> 3, message[at - size:at] if key & 7 == 2 else b"", message[start:at]


_GRAPH, _INITIALIZER, _INPUT = 7, 5, 11  # fields of ModelProto and GraphProto


def _add_absent(file: str, tensors: Mapping[str, tuple[torch.Tensor, bool]], location: str, inputs: Sequence[str]) -> None:
    """Makes inputs of an ONNX file that are tensors of these names initializers; bytes of those without numbers would lie in another file, which
    is not written."""
    def initializer(name: str) -> bytes:
        tensor, is_absent = tensors[name]
        head = b"".join(_field(1, extent) for extent in tensor.shape) + _field(2, _ONNX_TYPES[tensor.dtype]) + _field(8, name.encode())
        if is_absent:
            return _field(_INITIALIZER, head + _field(13, _field(1, b"location") + _field(2, location.encode())) + _field(14, 1))
        return _field(_INITIALIZER, head + _field(9, bytes(tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy())))

    def completed(graph: bytes) -> bytes:
        given = [next(name for number, name, _ in _fields(payload) if number == 1).decode() for number, payload, _ in _fields(graph) if number == _INPUT]
        return _field(_GRAPH, graph + b"".join(initializer(name) for name in given if name not in inputs))

    with open(file, "rb") as whole:
        model = whole.read()
    with open(file, "wb") as stream:
        for number, payload, field in _fields(model):
            stream.write(completed(payload) if number == _GRAPH else field)


_TRACED: dict[str, Any] = {"dynamo": False} if "dynamo" in inspect.signature(torch.onnx.export).parameters else {}
"""Newer versions have an exporter that does not trace; names of its ops do not tell modules."""


def export(module: torch.nn.Module, example: Example, file: Union[str, "os.PathLike[str]"], opset: int = 17, *, weights: bool = True) -> None:
    """Writes a module as ONNX, with names of inputs that tell nothing but their order.

    weights: False leaves parameters out, which is enough for plans and times. They need not be there then, the module may be on the device "meta";
    one at a time, of zeros, is in memory while the module is traced. Buffers stay, if they have numbers. What forward() decides by weights it decides
    by zeros.
    """
    if not isinstance(module, torch.nn.Module):
        raise TypeError(f"{type(module).__name__} is no torch.nn.Module")
    inputs = _tuple(example)
    names = [f"input{i}" for i in range(len(inputs))]
    path = os.fspath(file)
    usual: dict[str, Any] = {"do_constant_folding": True}
    # Modes as they are, which torch.onnx makes those of inference by itself, but then it puts weights together that are not there.
    hollow: dict[str, Any] = {"do_constant_folding": False, "export_params": False, "training": torch.onnx.TrainingMode.PRESERVE}
    absent: dict[str, tuple[torch.Tensor, bool]] = {}
    try:
        with contextlib.ExitStack() as stack:
            stack.enter_context(torch.enable_grad())  # so transformers do not take fused ops that ONNX lacks
            stack.enter_context(warnings.catch_warnings())
            warnings.simplefilter("ignore")  # of tracing: about shapes that become constants, as they are meant to
            if not weights:
                absent = stack.enter_context(_without_weights(module))
                inputs = tuple(torch.zeros(each.shape, dtype=each.dtype) if each.is_meta else each for each in inputs)
            torch.onnx.export(module, inputs, path, opset_version=opset, input_names=names, **(usual if weights else hollow), **_TRACED)
        if not weights:
            _add_absent(path, absent, f"{type(module).__name__}.weights-absent", names)
    except Exception as problem:  # whatever a module raises while it is traced
        said = str(problem).strip().splitlines() or [type(problem).__name__]
        errors.refuse(errors.UnsupportedError, type(module).__name__, f"the module cannot be exported as ONNX: {said[0].rstrip('.')}",
                      "trace it with torch.onnx.export by itself to see where")


def _table_passes(module: torch.nn.Module, file: Union[str, "os.PathLike[str]"], paths: list[str], progress: Progress) -> list[str]:
    """Writes the tables of layers that have some beside the file; gives the pass that reads them."""
    layers = lut_layers(module)
    if not layers:
        return []
    by_op = {}
    for op in load(file, progress=progress).ops:
        path = module_path(op["name"], paths)
        if path in layers and op["type"] in ("MatMul", "Gemm"):
            by_op[op["name"]] = layers[path]
    if missing := [path for path, layer in layers.items() if all(layer is not each for each in by_op.values())]:
        errors.refuse(errors.UnsupportedError, type(module).__name__, f'"{missing[0]}" is no product of its own in the network that was exported')
    folder = f"{os.path.splitext(os.fspath(file))[0]}-tables"
    save_tables(by_op, folder, progress)
    return [f"look_up_tables:from={folder}"]


def compile(module: torch.nn.Module, example: Example, target: str = "", host: str = "", *, opset: int = 17,
            options: Optional[Mapping[str, Union[Option, Iterable[str]]]] = None,
            overrides: Optional[Mapping[str, Any]] = None, passes: Iterable[str] = (),
            file: Optional[Union[str, "os.PathLike[str]"]] = None, weights: bool = True, progress: Progress = None) -> ModulePlan:
    """Compiles a module for a machine, for inputs of the shapes of the example.

    options, overrides: as pimstudio.compile(). passes: as pimstudio.load(). file: where the ONNX file is kept; without one it is gone
    with the plan; tables of layers that are pimstudio.torch_lut's lie beside it. weights: False plans without them, see export(); there are no numbers then.
    """
    folder = None
    if file is None:
        folder = tempfile.mkdtemp(prefix="pimstudio-")
        file = os.path.join(folder, f"{type(module).__name__}.onnx")
    try:
        if not weights and isinstance(module, torch.nn.Module) and lut_layers(module):
            errors.refuse(errors.UsageError, type(module).__name__, "tables are made of weights, which are to be left out",
                          'plan the module as it was before swap(), with passes=["look_up_tables:v=4"]')
        export(module, example, file, opset, weights=weights)
        paths = [name for name, _ in module.named_modules() if name]
        graph = load(file, passes=[*passes, *_table_passes(module, file, paths, progress)], progress=progress)
        if not graph.outputs:
            errors.refuse(errors.UnsupportedError, type(module).__name__, "its forward() gives no tensor, so there is nothing to compile")
        compiled = _compile(graph, target, host, options=options, overrides=overrides, progress=progress)
        plan = ModulePlan(compiled._core, graph, paths, _tuple(example), weights)
    except BaseException:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    if folder:  # weights are read when they are needed
        weakref.finalize(graph, shutil.rmtree, folder, True)
    return plan


class Offloaded(torch.nn.Module):
    """Computes what the compiled programs would, in the numbers of the machine. For inference: there are no gradients."""

    def __init__(self, module: torch.nn.Module, plan: ModulePlan, numbers: Numbers) -> None:
        super().__init__()
        self.module = module
        self.plan = plan
        self.numbers = numbers

    def forward(self, *inputs: torch.Tensor) -> Union[torch.Tensor, tuple[torch.Tensor, ...]]:
        if torch.is_grad_enabled() and any(each.requires_grad for each in inputs):
            errors.refuse(errors.UsageError, type(self.module).__name__, "compiled programs have no gradients", "call it under torch.no_grad()")
        arrays = self.numbers(*(each.detach().cpu().contiguous().numpy() for each in inputs))
        outputs = tuple(torch.from_numpy(numpy.ascontiguousarray(each)).to(inputs[0].device) for each in arrays)
        return outputs[0] if len(outputs) == 1 else outputs

    def compare(self, *inputs: torch.Tensor) -> dict[str, float]:
        """How far it is from the module itself: largest and mean difference, and relative to the root mean square of the outputs."""
        with torch.no_grad():
            ours, theirs = self(*inputs), self.module(*inputs)
        pairs = [(a.double(), b.double())
                 for a, b in zip(ours if isinstance(ours, tuple) else (ours,), _flat(theirs)) if b.is_floating_point()]
        difference = torch.cat([(a - b).abs().flatten() for a, b in pairs])
        reference = torch.cat([b.flatten() for _, b in pairs])
        rms = float(reference.square().mean().sqrt())
        return {"max_abs": float(difference.max()), "mean_abs": float(difference.mean()),
                "relative_rms": float(difference.square().mean().sqrt()) / rms if rms > 0 else 0.0}


def _flat(outputs: Any) -> list[torch.Tensor]:
    """Tensors of what a module returns, as torch.onnx orders them."""
    if isinstance(outputs, torch.Tensor):
        return [outputs]
    if isinstance(outputs, Mapping):
        outputs = outputs.values()
    return [tensor for each in outputs for tensor in _flat(each)]


def offload(module: torch.nn.Module, plan: ModulePlan, calibration: Iterable[Example] = (),
            options: Optional[Mapping[str, Option]] = None, progress: Progress = None) -> Offloaded:
    """A module whose forward() runs the programs of the plan on numbers.

    calibration: inputs that ranges of whole numbers come from; the example of the plan if there are none. options: as Plan.numbers().
    """
    if not plan.has_weights:
        errors.refuse(errors.UsageError, type(module).__name__, "the plan was made without weights, so there is nothing to compute with",
                      "compile the module with weights=True")
    samples = [_tuple(each) for each in calibration] or [plan.example]
    arrays = [[tensor.detach().cpu().contiguous().numpy() for tensor in sample] for sample in samples]
    return Offloaded(module, plan, plan.numbers(arrays, options, progress))


class _Graph:
    """A graph that torch.compile() found. What it was found with may be no real tensors, so it is compiled for those of the first call."""

    def __init__(self, module: GraphModule, target: str, host: str, options: Mapping[str, Union[Option, Iterable[str]]]) -> None:
        self.module = module
        self.gives_several = any(isinstance(node.args[0], (tuple, list)) for node in module.graph.nodes if node.op == "output")
        self.machine = target, host, options
        self.chip: Optional[Offloaded] = None
        self.runs_here = False

    def _compile(self, inputs: tuple[torch.Tensor, ...]) -> None:
        target, host, options = self.machine
        try:
            self.chip = offload(self.module, compile(self.module, inputs, target, host, options=options))
        except errors.UnsupportedError as problem:
            warnings.warn(f"a graph runs without {target}: {problem}", stacklevel=4)
            self.runs_here = True

    def __call__(self, *inputs: Any) -> Any:
        if not inputs or not all(isinstance(each, torch.Tensor) for each in inputs):
            return self.module(*inputs)
        if torch.is_grad_enabled() and any(each.requires_grad for each in inputs):
            return self.module(*inputs)
        if self.chip is None and not self.runs_here:
            self._compile(inputs)
        if self.chip is None:
            return self.module(*inputs)
        outputs = self.chip(*inputs)
        return (outputs,) if self.gives_several and not isinstance(outputs, tuple) else outputs


def compile_backend(module: GraphModule, example_inputs: Sequence[Any], *,
                    options: Optional[Mapping[str, Union[Option, Iterable[str]]]] = None, mode: Optional[str] = None) -> Callable[..., Any]:
    """What torch.compile(module, backend="pimstudio", options={"target": "aim"}) calls with each graph it finds.

    The graph is computed in the numbers of the machine, by default HBM-PIM; "host" names another host, other options are those of compile(). A
    graph that cannot be exported runs as it is, with a warning, and so does every call that needs gradients. There are no modes.
    """
    if mode is not None:
        errors.refuse(errors.UsageError, "mode", f'there is no mode "{mode}"', "leave it out")
    words = dict(options or {})
    target, host = (str(words.pop(name, usual)) for name, usual in (("target", "hbm-pim"), ("host", "")))
    return _Graph(module, target, host, words)


def _register_backend() -> bool:
    """With the torch.compile() there is. False: there is none, as in 1.13."""
    if importlib.util.find_spec("torch._dynamo") is None:
        return False
    dynamo = importlib.import_module("torch._dynamo")
    if "pimstudio" not in dynamo.list_backends(None):
        dynamo.register_backend(compile_backend, name="pimstudio")
    return True


_register_backend()
