# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks whose products are sums of table rows (LUT-NN, PIM-DL): conversion of an ONNX file, as `pimc accuracy --lut` does it.

    found = pimstudio.lut.convert("vit.onnx", "digits", "tables", {"v": 4, "ct": 16, "method": "elut", "int8": "column"})
    print(found.accuracy_dense, found.accuracy)
    plan = pimstudio.compile(found.load(), "upmem-8", options={"dtype": "i8"})

PyTorch modules are converted and trained on by pimstudio.torch_lut.
"""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Optional

from . import Graph, Option, Path, Progress, _core, errors, load
from .results import frame, table

if TYPE_CHECKING:
    import pandas  # type: ignore[import]

__all__ = ["Converted", "convert"]


class Converted:
    """How right a network is with look-up tables, and what its layers lost."""

    def __init__(self, told: dict[str, Any], model: str, folder: str) -> None:
        self.model = model
        self.folder = folder
        self.samples: int = told["samples"]
        self.accuracy: float = told["accuracy"]
        self.accuracy_dense: float = told["accuracy_dense"]
        """As the network is."""
        self.mean_abs_logit_error: float = told["mean_abs_logit_error"]
        self.layers: list[dict[str, Any]] = told["layers"]
        self.curve: list[dict[str, Any]] = told["curve"]
        """Of training: step, loss, agreement with the network as it is."""
        self.notes: list[str] = told["notes"]

    def load(self, bind: Optional[Mapping[str, int]] = None, progress: Progress = None) -> Graph:
        """The network with these tables."""
        if not self.folder:
            errors.refuse(errors.UsageError, self.model, "the tables were not kept", "give convert() a folder")
        return load(self.model, bind, [f"look_up_tables:from={self.folder}"], progress=progress)

    def to_pandas(self) -> pandas.DataFrame:
        """One row a layer."""
        return frame(self.layers)

    def __repr__(self) -> str:
        return f"<pimstudio.lut.Converted {self.model}: {100 * self.accuracy:.2f} % of {self.samples} samples, {100 * self.accuracy_dense:.2f} % before>"

    def _repr_html_(self) -> str:
        heads = ["Layer", "V", "CT", "Codebooks", "Features", "Error", "Centroids unused"]
        return table(heads, ([each["op"], *(str(each[key]) for key in ("length", "centroids", "codebooks", "features")),
                              f"{100 * each['relative_error']:.1f} %", str(each["unused_centroids"])] for each in self.layers))


def convert(model: Path, data: Path, out: Path = "", options: Optional[Mapping[str, Option]] = None, *, layers: Iterable[str] = (),
            checkpoint: Path = "", samples: int = 0, progress: Progress = None) -> Converted:
    """Makes tables of a classifier's products with the calibration samples of a folder, and measures it on the test samples.

    out: folder for the tables; nothing: they are not kept. options: those of `pimc accuracy --lut`, {"v": 4, "method": "elut"}. layers: what
    `--lut-layer` takes, "head:off". checkpoint: file that training goes on from. samples: of the test, 0: all.
    """
    if samples < 0:
        errors.refuse(errors.UsageError, "samples", f"{samples} samples cannot be taken", "give 1 or more, or 0 for all")
    how = ",".join(f"{key}={value}" for key, value in (options or {}).items())
    told = _core.lut_convert(os.fspath(model), os.fspath(data), how, list(layers), os.fspath(out), os.fspath(checkpoint), samples, progress)
    return Converted(told, os.fspath(model), os.fspath(out))
