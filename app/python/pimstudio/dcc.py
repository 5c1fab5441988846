# SPDX-License-Identifier: GPL-3.0-or-later
"""The programming interface of the DCC paper (its Table I and Figure 5), over the compiler of this package.

    import torch
    from pimstudio import dcc as DCC
    from pimstudio.dcc import DCC_kernel

    @DCC_kernel
    def PIM_kernel(weight, bias, x):
        y = DCC.Tensor.zero([x.size(0), weight.size(0)])
        for b in range(y.size(0)):
            for i in range(y.size(1)):
                for j in range(x.size(1)):
                    y[b][i] += x[b][j] * weight[i][j] + bias[j]
        return y

    class QKV_Layer(torch.nn.Module, DCC.Layer):
        def __init__(self, layer, input_sizes):
            super().__init__()
            self.kernel = DCC.init_kernel(PIM_kernel, input_sizes)
            self.weight, self.bias = layer.weight, layer.bias

        def update(self, best_draft):
            self.PIM_W = self.kernel.pre_load(best_draft, self.weight)
            self.PIM_b = self.kernel.pre_load(best_draft, self.bias)

        def forward(self, x):
            return self.kernel.run(self.PIM_W, self.PIM_b, x)

    model.qkv_0 = QKV_Layer(model.qkv_0, [[model.qkv_0.weight.shape, model.qkv_0.bias.shape, [1, hidden]]])
    model = DCC.set_model(model, target="hbm-pim")
    output = model(request)

Names and their meaning are the paper's. Where it is silent, this was decided:

- Machines: set_model() takes the target, by default the HBM-PIM of the paper, and init_kernel() may for one kernel. Of the machines those run kernels
  whose commands run on numbers (AttAcc, HBM-PIM, AiM).
- What units compute: kernels are perfect loop nests as `pimc kernel` reads them. Of a statement `y += a * b + ...` the units add up the
  product of two tensors; the host adds the other terms, in float64, once the results are there. Figure 5 so adds the sum of bias[j] to all results.
- Numbers: units round to the type they work in (float16, bfloat16 on AiM); results are float32. For inference, there are no gradients.
- The best draft is the one with the least predicted time. It depends on the sizes and on what was pre-loaded: an update() before knows nothing of
  that, so set_model() has the layer updated a second time where it changes the draft.
- pre_load() takes a tensor for the first parameter of its sizes that has none yet, unless the parameter is named.
- New sizes in run(): the draft is chosen at once, kept, and update() called again. Addresses under another draft stay valid, their numbers are laid out
  anew.
"""
from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Optional

import numpy

from . import Drafts, Progress, _core, errors
from .errors import refuse

if TYPE_CHECKING:
    import numpy.typing

    Array = numpy.typing.NDArray[Any]

__all__ = ["Address", "DCC_kernel", "Draft", "Kernel", "KernelFunction", "Layer", "Tensor", "init_Kernel", "init_kernel", "set_model"]

Sizes = tuple[tuple[int, ...], ...]


class Tensor:
    """Numbers of a kernel, float32. numpy.asarray() takes it; torch() is a torch.Tensor over the same memory."""

    def __init__(self, numbers: Any) -> None:
        self.numbers: Array = numpy.asarray(numbers, dtype=numpy.float32)

    @staticmethod
    def zero(sizes: Iterable[int]) -> Tensor:
        return Tensor(numpy.zeros(tuple(sizes), numpy.float32))

    def size(self, dimension: int) -> int:
        return int(self.numbers.shape[dimension])

    def torch(self) -> Any:
        import torch

        return torch.from_numpy(self.numbers)

    def __getitem__(self, index: int) -> Any:
        return self.numbers[index]

    def __setitem__(self, index: int, value: Any) -> None:
        self.numbers[index] = value

    def __array__(self, dtype: Any = None) -> Array:
        return self.numbers if dtype is None else self.numbers.astype(dtype)


def _is_torch(tensor: Any) -> bool:
    return hasattr(tensor, "detach")


def _wants_gradient(tensor: Any) -> bool:
    if not _is_torch(tensor) or not tensor.requires_grad:
        return False
    import torch

    return torch.is_grad_enabled()


def _array(tensor: Any, where: str) -> Array:
    """Numbers of a torch.Tensor, a Tensor or an array."""
    if _is_torch(tensor):
        tensor = tensor.detach().cpu().float().numpy() if tensor.is_floating_point() else tensor.detach().cpu().numpy()
    array = numpy.asarray(tensor)
    if array.dtype.kind not in "fiub":
        refuse(errors.UsageError, where, f"its numbers are {array.dtype}, fractions are expected", "convert them with .astype(numpy.float32)")
    return numpy.ascontiguousarray(array, dtype=numpy.float32)


class _Sized(ast.NodeTransformer):
    """Puts numbers in the place of sizes that are known, and of constants from around the function."""

    def __init__(self, sizes: Mapping[str, Sequence[int]], around: Mapping[str, Any], where: str) -> None:
        self.sizes = {name: tuple(shape) for name, shape in sizes.items()}
        self.around = around
        self.where = where

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr == "size" and isinstance(function.value, ast.Name):
            name = function.value.id
            if name in self.sizes and len(node.args) == 1 and isinstance(node.args[0], ast.Constant):
                dimension, shape = node.args[0].value, self.sizes[name]
                if not isinstance(dimension, int) or not -len(shape) <= dimension < len(shape):
                    refuse(errors.InvalidKernelError, self.where, f"{name} has {len(shape)} dimensions, not one numbered {dimension}")
                return ast.Constant(shape[dimension])
        if isinstance(function, ast.Attribute) and function.attr == "zero":  # whatever the module is called there
            node.func = ast.parse("DCC.Tensor.zero", mode="eval").body
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        value = self.around.get(node.id)
        return ast.Constant(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else node


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _reads(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Subscript) for each in ast.walk(node))


def _has_product(node: ast.AST) -> bool:
    return any(isinstance(each, ast.BinOp) and isinstance(each.op, ast.Mult) and _reads(each.left) and _reads(each.right)
               for each in ast.walk(node))


def _terms(node: ast.expr, sign: int = 1) -> Iterator[tuple[int, ast.expr]]:
    """Of a sum, each with its sign."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        yield from _terms(node.left, sign)
        yield from _terms(node.right, sign if isinstance(node.op, ast.Add) else -sign)
    else:
        yield sign, node


class _Rest:
    """Terms that the host adds to what units computed: sums over the loops that the result does not have."""

    def __init__(self, where: str, loops: dict[str, int], target: ast.expr, terms: list[tuple[int, ast.expr]]) -> None:
        self.where = where
        self.loops = loops
        self.terms = terms
        self.output, places = self._access(target)
        self.kept = [place.id for place in places if isinstance(place, ast.Name) and place.id in loops]
        if len(self.kept) != len(places) or len(set(self.kept)) != len(places):
            self._cannot(target)

    def _cannot(self, node: ast.AST) -> NoReturn:
        refuse(errors.UnsupportedError, self.where, f'the host cannot add "{ast.unparse(node)}" to what units computed',
                "write it as a sum over plain loop variables")

    def _access(self, node: ast.expr) -> tuple[str, list[ast.expr]]:
        places: list[ast.expr] = []
        while isinstance(node, ast.Subscript):
            inner = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
            places = inner + places
            node = node.value
        if not isinstance(node, ast.Name):
            self._cannot(node)
        return node.id, places

    def _value(self, node: ast.expr, arrays: Mapping[str, Array]) -> Any:
        """Over all loops at once: one axis a loop, of length 1 where it does not matter."""
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return node.value
        if isinstance(node, ast.Name) and node.id in self.loops:
            axes = [extent if name == node.id else 1 for name, extent in self.loops.items()]
            return numpy.arange(self.loops[node.id]).reshape(axes)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self._value(node.operand, arrays)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div)):
            left, right = self._value(node.left, arrays), self._value(node.right, arrays)
            if isinstance(node.op, ast.Div):
                return left / right
            return left + right if isinstance(node.op, ast.Add) else left - right if isinstance(node.op, ast.Sub) else left * right
        if isinstance(node, ast.Subscript):
            name, places = self._access(node)
            if name in arrays and len(places) == arrays[name].ndim:
                at = [numpy.asarray(self._value(place, arrays)) for place in places]
                inside = numpy.all(numpy.broadcast_arrays(*((0 <= each) & (each < extent) for each, extent in zip(at, arrays[name].shape))), axis=0)
                there = tuple(numpy.clip(each, 0, extent - 1) for each, extent in zip(at, arrays[name].shape))
                return numpy.where(inside, arrays[name][there].astype(numpy.float64), 0.0)  # beyond the edges is padding
        self._cannot(node)

    def add(self, output: Array, arrays: Mapping[str, Array]) -> Array:
        sums = output.astype(numpy.float64)
        names = list(self.loops)
        for sign, term in self.terms:
            value = numpy.asarray(self._value(term, arrays), numpy.float64)
            value = value.reshape((1,) * (len(names) - value.ndim) + value.shape)
            for axis, name in enumerate(names):
                if name not in self.kept:
                    value = value.sum(axis, keepdims=True) * (self.loops[name] if value.shape[axis] == 1 else 1)
            order = [names.index(name) for name in self.kept] + [names.index(name) for name in names if name not in self.kept]
            value = value.transpose(order).reshape([value.shape[names.index(name)] for name in self.kept])
            sums[tuple(slice(self.loops[name]) for name in self.kept)] += sign * value
        return sums.astype(numpy.float32)


class KernelFunction:
    """What @DCC_kernel makes of a Python function. Called with Tensors it runs as Python does, loop by loop: what units are compared with."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.name = function.__name__
        self.parameters = list(inspect.signature(function).parameters)
        self.around = {name: value for scope in (inspect.getclosurevars(function).globals, inspect.getclosurevars(function).nonlocals)
                       for name, value in scope.items()}
        try:
            source = textwrap.dedent(inspect.getsource(function))
        except (OSError, TypeError):
            refuse(errors.UsageError, self.name, "its source text cannot be read", "write the kernel into a file or a cell of a notebook")
        made = ast.parse(source).body[0]
        if not isinstance(made, ast.FunctionDef):
            refuse(errors.UsageError, self.name, "is no function", "write def behind @DCC_kernel")
        self.body = made

    def __call__(self, *tensors: Any) -> Any:
        return self.function(*(tensor if isinstance(tensor, Tensor) else Tensor(_array(tensor, self.name)) for tensor in tensors))

    def sized(self, sizes: Sizes, resident: frozenset[str]) -> tuple[str, list[str], Optional[_Rest]]:
        """The text for units, the parameters that they read, and what is left to the host."""
        shapes = dict(zip(self.parameters, sizes))
        sizing = _Sized(shapes, self.around, self.name)
        body: ast.FunctionDef = ast.fix_missing_locations(sizing.visit(ast.parse(ast.unparse(self.body)).body[0]))
        rest = self._split(body)
        used = [name for name in self.parameters if any(name in _names(each) for each in body.body)]
        heads = ", ".join(f"{name}: const f16" if name in resident else name for name in used)
        lines = textwrap.indent("\n".join(ast.unparse(each) for each in body.body), "    ")
        return f"def {self.name}({heads}):\n{lines}\n", used, rest

    def _split(self, body: ast.FunctionDef) -> Optional[_Rest]:
        """Takes the terms out of the statement that are no product of two tensors."""
        locals_ = {each.targets[0].id: each.value.args[0] for each in body.body
                   if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name) and isinstance(each.value, ast.Call) and each.value.args}
        loops: dict[str, int] = {}
        inner: Any = next((each for each in body.body if isinstance(each, ast.For)), None)
        while isinstance(inner, ast.For) and len(inner.body) == 1 and isinstance(inner.target, ast.Name):
            extent = self._extent(inner.iter, locals_)
            if extent is None:
                return None  # the reader of kernels tells what it does not understand
            loops[inner.target.id] = extent
            inner = inner.body[0]
        if not isinstance(inner, ast.AugAssign) or not isinstance(inner.op, ast.Add):
            return None
        terms = list(_terms(inner.value))
        products = [(sign, term) for sign, term in terms if _has_product(term)]
        others = [(sign, term) for sign, term in terms if not _has_product(term)]
        if len(products) != 1 or products[0][0] != 1 or not others:
            return None
        inner.value = products[0][1]
        return _Rest(self.name, loops, inner.target, others)

    @staticmethod
    def _extent(node: ast.expr, locals_: Mapping[str, ast.expr]) -> Optional[int]:
        """Of range(4), or range(y.size(1)) with a tensor made before."""
        if not isinstance(node, ast.Call) or len(node.args) != 1:
            return None
        bound = node.args[0]
        if isinstance(bound, ast.Call) and isinstance(bound.func, ast.Attribute) and isinstance(bound.func.value, ast.Name):
            made = locals_.get(bound.func.value.id)
            if bound.func.attr != "size" or not isinstance(made, ast.List) or not isinstance(bound.args[0], ast.Constant):
                return None
            dimension = bound.args[0].value
            if not isinstance(dimension, int) or not 0 <= dimension < len(made.elts):
                return None
            bound = made.elts[dimension]
        try:
            value = eval(compile(ast.Expression(bound), "range", "eval"), {"__builtins__": {}})
        except (NameError, TypeError, ValueError, SyntaxError, ArithmeticError):
            return None
        return value if isinstance(value, int) else None


def DCC_kernel(function: Callable[..., Any]) -> KernelFunction:
    """Annotator of a function that runs on PIM: parameters and results are tensors, the body is one nest of loops."""
    return KernelFunction(function)


class Draft:
    """A tiling draft of a kernel for sizes and tensors that lie in PIM memory."""

    def __init__(self, core: _core.TextKernel, rest: Optional[_Rest]) -> None:
        self._core = core
        self._rest = rest
        self.text, self.total_ns = core.best

    def __repr__(self) -> str:
        return f"<pimstudio.dcc.Draft {self.text}: {self.total_ns:.0f} ns>"


class Address:
    """Where a tensor lies in PIM memory. address + 12 is twelve elements further, for pre_load() of a part."""

    def __init__(self, kernel: Kernel, parameter: str, numbers: Array, is_torch: bool, offset: int = 0) -> None:
        self.kernel = kernel
        self.parameter = parameter
        self.numbers = numbers
        self.is_torch = is_torch
        self.offset = offset

    def __add__(self, elements: int) -> Address:
        if not isinstance(elements, int):
            return NotImplemented
        return Address(self.kernel, self.parameter, self.numbers, self.is_torch, self.offset + elements)

    def __repr__(self) -> str:
        return f"<pimstudio.dcc.Address of {self.parameter} {list(self.numbers.shape)} + {self.offset}>"


class Kernel:
    """A kernel for given sizes; init_kernel() makes it."""

    def __init__(self, function: KernelFunction, sizes: list[Sizes], target: str, host: str) -> None:
        self.function = function
        self.sizes = sizes
        self.target = target
        self.host = host
        self.best_draft: Optional[Draft] = None
        self.layer: Optional[Layer] = None
        self._known: dict[tuple[Sizes, frozenset[str]], Draft] = {}  # the paper's lookup table
        self._loaded: dict[str, int] = {}  # parameter: id of the tensor
        self._shapes = dict(zip(function.parameters, sizes[0]))

    def update(self, best_draft: Draft) -> None:
        """Called when the best draft has been determined, before that of the layer."""
        self.best_draft = best_draft
        self._loaded = {}

    def pre_load(self, best_draft: Draft, tensor: Any, address: Optional[Address] = None, *, parameter: str = "") -> Address:
        """Loads a tensor into PIM memory; with an address, writes a part of what lies there, in the order of its elements."""
        numbers = _array(tensor, self.function.name)
        if not isinstance(best_draft, Draft):
            refuse(errors.UsageError, self.function.name, f"{type(best_draft).__name__} is no draft", "pass on what update() is given")
        if address is not None:
            room = self._own(address).numbers.reshape(-1)
            if not 0 <= address.offset <= room.size - numbers.size:
                refuse(errors.UsageError, self.function.name, f"{numbers.size} elements from {address.offset} on do not fit {address.parameter}, "
                        f"which has {room.size}")
            room[address.offset:address.offset + numbers.size] = numbers.reshape(-1)
            return address
        found = parameter or next((name for name, loaded in self._loaded.items() if loaded == id(tensor)), "") or next(
            (name for name, shape in self._shapes.items() if shape == numbers.shape and name not in self._loaded), "")
        if self._shapes.get(found) != numbers.shape:
            refuse(errors.UsageError, self.function.name, f'no parameter{f" {parameter}" if parameter else ""} of the shape {list(numbers.shape)} is left to load',
                    f"its parameters are {', '.join(f'{name} {list(shape)}' for name, shape in self._shapes.items())}")
        self._loaded[found] = id(tensor)
        return Address(self, found, numbers.copy(), _is_torch(tensor))

    def run(self, *tensors: Any, progress: Progress = None) -> Any:
        """Runs the commands on numbers: tensors or addresses, one a parameter. Returns what it computes, torch.Tensors if any of them came from one,
        else arrays; what is given stays as it is, also where the kernel writes a parameter."""
        parameters = self.function.parameters
        if any(_wants_gradient(each) for each in tensors):
            refuse(errors.UsageError, self.function.name, "compiled programs have no gradients", "call it under torch.no_grad()")
        if len(tensors) != len(parameters):
            refuse(errors.UsageError, self.function.name, f"{len(tensors)} tensors are given, it has {len(parameters)} parameters", ", ".join(parameters))
        arrays = {name: self._own(each).numbers if isinstance(each, Address) else _array(each, self.function.name)
                  for name, each in zip(parameters, tensors)}
        for name, each in zip(parameters, tensors):
            if isinstance(each, Address) and each.parameter != name:
                refuse(errors.UsageError, self.function.name, f"what was loaded for {each.parameter} is given as {name}", ", ".join(parameters))
        resident = frozenset(name for name, each in zip(parameters, tensors) if isinstance(each, Address))
        sizes = tuple(array.shape for array in arrays.values())
        isNew = (sizes, resident) not in self._known
        draft = self._draft(sizes, resident, progress)
        if isNew:
            self._shapes = dict(zip(parameters, sizes))
            self._tell(draft)
        computed = draft._core.run({name: arrays[name] for name in draft._core.inputs}, 0, progress)
        if draft._rest:
            computed[draft._rest.output] = draft._rest.add(computed[draft._rest.output], arrays)
        isTorch = any(each.is_torch if isinstance(each, Address) else _is_torch(each) for each in tensors)
        results = tuple(Tensor(each).torch() if isTorch else each for each in computed.values())
        return results[0] if len(results) == 1 else results

    __call__ = run

    @property
    def drafts(self) -> Drafts:
        """All of them for the sizes and residents of the best one, the best first."""
        if self.best_draft is None:
            refuse(errors.UsageError, self.function.name, "no draft was determined yet", "call set_model() first")
        return Drafts(*self.best_draft._core.drafts())

    def _own(self, address: Address) -> Address:
        if address.kernel is not self:
            refuse(errors.UsageError, self.function.name, f"the address of {address.parameter} is another kernel's", "pre_load() it here")
        return address

    def _draft(self, sizes: Sizes, resident: frozenset[str], progress: Progress) -> Draft:
        """The best there is, from the table where it is known."""
        if not self.target:
            refuse(errors.UsageError, self.function.name, "no machine was chosen", "call set_model() first, or init_kernel() with a target")
        known = self._known.get((sizes, resident))
        if known is None:
            text, used, rest = self.function.sized(sizes, resident)
            shapes = {name: list(shape) for name, shape in zip(self.function.parameters, sizes) if name in used}
            known = self._known[(sizes, resident)] = Draft(_core.explore_text(text, shapes, self.target, self.host, [], progress), rest)
        return known

    def _tell(self, draft: Draft) -> None:
        self.update(draft)
        if self.layer is not None:
            self.layer.update(draft)

    def determine(self, progress: Progress = None) -> Draft:
        """Chooses the best drafts for all given sizes; the one of the first is in force."""
        none: frozenset[str] = frozenset()
        draft = self._draft(self.sizes[0], none, progress)
        self._shapes = dict(zip(self.function.parameters, self.sizes[0]))
        self._tell(draft)
        loaded = frozenset(self._loaded)
        best = [self._draft(sizes, loaded, progress) for sizes in self.sizes][0]
        if best is not draft:
            self._tell(best)
        return best


class Layer:
    """A layer that runs on PIM: beside torch.nn.Module, or alone."""

    def update(self, best_draft: Draft) -> None:
        """Called when the best draft of a kernel of the layer has been determined: pre-load tensors here."""

    def kernels(self) -> list[Kernel]:
        return [each for each in vars(self).values() if isinstance(each, Kernel)]


def _shape(sizes: Any, where: str) -> tuple[int, ...]:
    try:
        shape = tuple(int(size) for size in sizes)
    except (TypeError, ValueError):
        refuse(errors.UsageError, where, f"{sizes!r} are no sizes of a tensor", "give numbers: [4, 128]")
    if any(size < 1 for size in shape):
        refuse(errors.UsageError, where, f"{list(shape)} are no sizes of a tensor", "each has to be 1 or more")
    return shape


def init_kernel(kernel: KernelFunction, input_sizes: Iterable[Any], target: str = "", host: str = "") -> Kernel:
    """A kernel for given sizes: those of all parameters, or, as Figure 5 writes it, a list of such lists. target: where not that of set_model()."""
    if not isinstance(kernel, KernelFunction):
        refuse(errors.UsageError, getattr(kernel, "__name__", repr(kernel)), "is no kernel", "write @DCC_kernel above the function")
    given = [list(each) for each in input_sizes]
    several = bool(given) and all(each and all(hasattr(size, "__iter__") for size in each) for each in given)
    all_sizes = given if several else [given]
    for sizes in all_sizes:
        if len(sizes) != len(kernel.parameters):
            refuse(errors.UsageError, kernel.name, f"sizes of {len(sizes)} tensors are given, it has {len(kernel.parameters)} parameters",
                    ", ".join(kernel.parameters))
    return Kernel(kernel, [tuple(_shape(size, kernel.name) for size in sizes) for sizes in all_sizes], target, host)


init_Kernel = init_kernel
"""As Figure 5 spells it."""


def _layers(model: Any) -> list[Layer]:
    candidates = model.modules() if hasattr(model, "modules") else [model] if isinstance(model, Layer) else model
    try:
        return [each for each in candidates if isinstance(each, Layer)]
    except TypeError:
        refuse(errors.UsageError, type(model).__name__, "is no model", "give a torch.nn.Module, a Layer or several")


def set_model(model: Any, target: str = "hbm-pim", host: str = "", progress: Progress = None) -> Any:
    """Registers a model: determines the best drafts of all kernels in its layers, for the sizes they were made for, and has layers pre-load.

    model: a torch.nn.Module, a Layer or several. Returns the model.
    """
    layers = _layers(model)
    if not layers:
        refuse(errors.UsageError, type(model).__name__, "no layer of it runs on PIM", "replace some by layers that are DCC.Layer too")
    for layer in layers:
        for kernel in layer.kernels():
            kernel.layer = layer
            kernel.target = kernel.target or target
            kernel.host = kernel.host or host
            kernel.determine(progress)
    return model
