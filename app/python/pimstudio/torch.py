# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch modules on processing-in-memory hardware.

    import torch, torchvision
    import pimstudio.torch
    module = torchvision.models.resnet18().eval()
    plan = pimstudio.torch.compile(module, torch.rand(1, 3, 224, 224), target="dynaplasia")
    print(plan.modules)                              # nanoseconds by module path: {"layer1.0.conv1": ...}
    on_chip = pimstudio.torch.offload(module, plan)  # a module that computes what the chip would
    print(on_chip.compare(torch.rand(1, 3, 224, 224)))

A module is exported by torch.onnx, so it is compiled for the shapes of its example.
"""
from __future__ import annotations

import os
import shutil
import tempfile
import warnings
import weakref
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy
import torch

from . import Graph, Numbers, Option, Plan, Progress, _core, errors, load
from . import compile as _compile
from .results import frame

if TYPE_CHECKING:
    import pandas  # type: ignore[import]

__all__ = ["ModulePlan", "Offloaded", "compile", "export", "module_path", "offload"]

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

    def __init__(self, core: _core.Compiled, graph: Graph, paths: list[str], example: tuple[torch.Tensor, ...]) -> None:
        super().__init__(core, graph)
        self.paths = paths
        self.example = example

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


def export(module: torch.nn.Module, example: Example, file: Union[str, "os.PathLike[str]"], opset: int = 17) -> None:
    """Writes a module as ONNX, with names of inputs that tell nothing but their order."""
    inputs = _tuple(example)
    try:
        with torch.enable_grad(), warnings.catch_warnings():  # with gradients, transformers do not take fused ops that ONNX lacks
            warnings.simplefilter("ignore")  # of tracing: about shapes that become constants, as they are meant to
            torch.onnx.export(module, inputs, os.fspath(file), opset_version=opset, do_constant_folding=True,
                              input_names=[f"input{i}" for i in range(len(inputs))])
    except Exception as problem:  # whatever a module raises while it is traced
        said = str(problem).strip().splitlines() or [type(problem).__name__]
        message = f"the module cannot be exported as ONNX: {said[0].rstrip('.')}"
        hint = "trace it with torch.onnx.export by itself to see where"
        raise errors.UnsupportedError(f"{type(module).__name__}: {message}. {hint}", message, type(module).__name__,
                                      hint) from problem


def compile(module: torch.nn.Module, example: Example, target: str = "", host: str = "", *, opset: int = 17,
            options: Optional[Mapping[str, Union[Option, Iterable[str]]]] = None,
            overrides: Optional[Mapping[str, Any]] = None, passes: Iterable[str] = (),
            file: Optional[Union[str, "os.PathLike[str]"]] = None, progress: Progress = None) -> ModulePlan:
    """Compiles a module for a machine, for inputs of the shapes of the example.

    options, overrides: as pimstudio.compile(). passes: as pimstudio.load(). file: where the ONNX file is kept; without one it is gone
    with the plan.
    """
    folder = None
    if file is None:
        folder = tempfile.mkdtemp(prefix="pimstudio-")
        file = os.path.join(folder, f"{type(module).__name__}.onnx")
    try:
        export(module, example, file, opset)
        graph = load(file, passes=passes, progress=progress)
        compiled = _compile(graph, target, host, options=options, overrides=overrides, progress=progress)
        paths = [name for name, _ in module.named_modules() if name]
        plan = ModulePlan(compiled._core, graph, paths, _tuple(example))
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
            message = "compiled programs have no gradients"
            raise errors.UsageError(f"{type(self.module).__name__}: {message}. call it under torch.no_grad()", message,
                                    type(self.module).__name__, "call it under torch.no_grad()")
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
    samples = [_tuple(each) for each in calibration] or [plan.example]
    arrays = [[tensor.detach().cpu().contiguous().numpy() for tensor in sample] for sample in samples]
    return Offloaded(module, plan, plan.numbers(arrays, options, progress))
