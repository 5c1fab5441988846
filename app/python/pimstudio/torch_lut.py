# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch modules whose linear layers are sums of table rows, trained on as eLUT-NN does (PIM-DL, ASPLOS 2024, section 4.2).

    converted = pimstudio.torch_lut.swap(module, calibration, v=4, ct=16)
    pimstudio.torch_lut.train(converted, batches, torch.nn.functional.cross_entropy)
    plan = pimstudio.torch.compile(converted, example, "upmem-8", options={"dtype": "i8"})

swap() puts a LutLinear in the place of a Linear: each row of its input is cut into sub-vectors, each of which is replaced by the closest of a few
centroids. pimstudio.torch.compile() and export() write the trained weights as products and centroids and tables beside them, as the compiler reads
them with the pass look_up_tables.
"""
from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Optional, Union

import torch
from torch import nn

from . import Progress, _core, errors

__all__ = ["LutLinear", "lut_layers", "reconstruction_loss", "save_tables", "swap", "train"]

Example = Union[torch.Tensor, Sequence[torch.Tensor]]


class LutLinear(nn.Module):
    """A Linear whose rows are made of centroids.

    Its output is A' W + b with A' = A + stop(H(A) - A), where H(A) puts the closest centroids in the place of sub-vectors: gradients go straight
    through the choice (Eq. 2). `reconstruction` is the mean of (H(A) W - A W)^2 of the last call with gradients (Eq. 1, for one layer), which
    is what centroids learn from.
    """

    def __init__(self, linear: nn.Linear, centroids: torch.Tensor, int8: str = "column") -> None:
        """centroids: [codebooks, centroids, length]. int8: how tables are written, "column", "layer", or "" for float32."""
        super().__init__()
        self.in_features, self.out_features = linear.in_features, linear.out_features
        self.weight, self.bias = linear.weight, linear.bias
        self.centroids = nn.Parameter(centroids.to(linear.weight))
        self.int8 = int8
        self.reconstruction: Optional[torch.Tensor] = None

    def closest(self, rows: torch.Tensor) -> torch.Tensor:
        """Centroids [rows, codebooks * length] in the place of sub-vectors. rows: filled up with zeros to that length."""
        codebooks, _, length = self.centroids.shape
        parts = rows.detach().reshape(-1, codebooks, length).transpose(0, 1)
        distances = torch.cdist(parts, self.centroids.detach(), compute_mode="donot_use_mm_for_euclid_dist")
        indices = distances.argmin(-1)  # [codebooks, rows]
        chosen = self.centroids[torch.arange(codebooks, device=indices.device)[:, None], indices]
        return chosen.transpose(0, 1).reshape(rows.shape)

    def _filled_up(self, matrix: torch.Tensor) -> torch.Tensor:
        """With zeros in the last dimension, to whole sub-vectors."""
        codebooks, _, length = self.centroids.shape
        return nn.functional.pad(matrix, (0, codebooks * length - self.in_features))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if torch.onnx.is_in_onnx_export():  # a product, which the compiler replaces by look-ups
            return nn.functional.linear(x, self.weight, self.bias)
        rows, weight = self._filled_up(x.reshape(-1, self.in_features)), self._filled_up(self.weight)
        chosen = self.closest(rows)
        if torch.is_grad_enabled():
            self.reconstruction = ((chosen - rows) @ weight.T).square().mean()
        straight = rows + (chosen - rows).detach()
        return nn.functional.linear(straight, weight, self.bias).reshape(*x.shape[:-1], self.out_features)

    def tables(self) -> tuple[Any, Any]:
        """(centroids, weights [codebooks * length, features]) as arrays of float32."""
        return (self.centroids.detach().cpu().float().contiguous().numpy(),
                self._filled_up(self.weight.detach()).T.cpu().float().contiguous().numpy())


def lut_layers(module: nn.Module) -> dict[str, LutLinear]:
    """By path."""
    return {path: part for path, part in module.named_modules() if isinstance(part, LutLinear)}


def _inputs(module: nn.Module, calibration: Iterable[Example]) -> dict[str, torch.Tensor]:
    """Rows that each Linear saw, by its path, in the order in which they were called first."""
    seen: dict[str, list[torch.Tensor]] = {}

    def watch(path: str) -> Callable[..., None]:
        def hook(_: nn.Module, inputs: tuple[torch.Tensor, ...]) -> None:
            seen.setdefault(path, []).append(inputs[0].detach().reshape(-1, inputs[0].shape[-1]))

        return hook

    handles = [part.register_forward_pre_hook(watch(path)) for path, part in module.named_modules() if type(part) is nn.Linear]
    try:
        with torch.no_grad():
            for sample in calibration:
                module(*((sample,) if isinstance(sample, torch.Tensor) else sample))
    finally:
        for handle in handles:
            handle.remove()
    return {path: torch.cat(rows) for path, rows in seen.items()}


def _chosen(seen: Mapping[str, torch.Tensor], layers: Union[str, Iterable[str]], who: str) -> list[str]:
    paths = list(seen)
    if layers == "inner":
        return paths[1:-1]
    if layers == "all":
        return paths
    wanted = [layers] if isinstance(layers, str) else list(layers)
    for path in wanted:
        if path not in seen:
            errors.refuse(errors.NotFoundError, who, f'"{path}" is no Linear that the calibration samples go through',
                          f"there are {', '.join(paths) or 'none'}")
    return wanted


def swap(module: nn.Module, calibration: Iterable[Example], v: int = 4, ct: int = 16, *, layers: Union[str, Iterable[str]] = "inner",
         int8: str = "column", seed: int = 0, progress: Progress = None) -> nn.Module:
    """A copy of a module with look-up tables in the place of Linear layers.

    calibration: inputs of the module; centroids are those of k-means on what they make of the layers' inputs. v: length of a sub-vector, ct:
    centroids of a codebook. layers: "inner", all but the first and the last that samples go through, "all", or their paths.
    """
    who = type(module).__name__
    if v < 1 or ct < 1:
        errors.refuse(errors.UsageError, who, f"sub-vectors of {v} and {ct} centroids are none", "give 1 or more")
    seen = _inputs(module, calibration)
    chosen = _chosen(seen, layers, who)
    if not chosen:
        errors.refuse(errors.UnsupportedError, who, "no Linear is left to become a table",
                      'give calibration samples, and layers="all" for small modules')
    made = copy.deepcopy(module)
    for path in chosen:
        linear = made.get_submodule(path)
        assert isinstance(linear, nn.Linear)
        rows = nn.functional.pad(seen[path], (0, -linear.in_features % v)).cpu().float().contiguous().numpy()
        centroids = torch.from_numpy(_core.lut_codebooks(rows, v, ct, seed, progress))
        outer, _, name = path.rpartition(".")
        setattr(made.get_submodule(outer), name, LutLinear(linear, centroids, int8))
    return made


def reconstruction_loss(module: nn.Module) -> torch.Tensor:
    """Sum over all layers of what tables miss of products, for the last call of the module: the second term of PIM-DL's Eq. 1."""
    losses = [layer.reconstruction for layer in lut_layers(module).values() if layer.reconstruction is not None]
    if not losses:
        errors.refuse(errors.UsageError, type(module).__name__, "no layer has a reconstruction loss",
                      "swap() layers, and call the module with gradients before")
    return torch.stack(losses).sum()


def train(module: nn.Module, batches: Iterable[tuple[Example, Any]], loss: Callable[[Any, Any], torch.Tensor], *, beta: float = 1e-3,
          rate: float = 1e-3) -> list[float]:
    """Trains weights, biases and centroids with the loss of PIM-DL's Eq. 1, by Adam. Returns the loss of each batch.

    batches: (inputs, what is expected of them); loss: of outputs and that, of the module. beta: of the reconstruction loss; the paper has 1e-3
    for BERT, 1e-4 for ViT and rates of 1e-5 to 5e-5, which small networks would need long with. Modes of the module stay as they are.
    """
    parameters = [each for each in module.parameters() if each.requires_grad]
    optimizer = torch.optim.Adam(parameters, lr=rate)
    curve: list[float] = []
    with torch.enable_grad():
        for inputs, expected in batches:
            optimizer.zero_grad()
            outputs = module(*((inputs,) if isinstance(inputs, torch.Tensor) else inputs))
            total = loss(outputs, expected) + beta * reconstruction_loss(module)
            if not bool(torch.isfinite(total)):
                errors.refuse(errors.InvalidModelError, type(module).__name__, f"the loss of batch {len(curve) + 1} is {float(total)}",
                              "take a smaller rate")
            torch.autograd.backward(total)
            optimizer.step()
            curve.append(float(total.detach()))
    for layer in lut_layers(module).values():
        layer.reconstruction = None  # with it goes the graph of the last batch
    return curve


def save_tables(layers: Mapping[str, LutLinear], folder: str, progress: Progress = None) -> None:
    """Centroids and tables by op, as `pimc accuracy --out` writes them and the pass look_up_tables:from=FOLDER reads them."""
    widths = {layer.int8 for layer in layers.values()}
    if len(widths) > 1:
        errors.refuse(errors.UsageError, folder, "some tables are to have 8 bit and others not, or other scales", "give all layers one value of int8")
    _core.lut_save(folder, [(op, *layer.tables()) for op, layer in layers.items()], next(iter(widths), ""), progress)
