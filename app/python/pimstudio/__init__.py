# SPDX-License-Identifier: GPL-3.0-or-later
"""PIM Studio from Python: put neural networks on processing-in-memory hardware.

    import pimstudio
    plan = pimstudio.compile("sample:resnet50", target="attacc", options={"verify": 0})
    print(plan.total_ns, plan.simulate().total_ns)

Times are nanoseconds. Options have the names of `pimc compile --help`. What goes wrong is an exception of pimstudio.errors with
the text of the command line. Long work releases the interpreter's lock, calls `progress(stage, done, total)` on the calling
thread, and stops on Ctrl+C.
"""
from __future__ import annotations

import html
import json
import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _core, errors
from .errors import Error
from .results import Machines, Picture, Row, Spread, Sweep, telling
from .results import frame as _frame
from .results import table

if TYPE_CHECKING:
    import numpy
    import numpy.typing
    import pandas  # type: ignore[import]

__all__ = ["Drafts", "Error", "Graph", "Machines", "Numbers", "Picture", "Plan", "Project", "Simulation", "Spread", "Sweep", "compile", "errors",
           "jobs", "load", "samples", "set_jobs", "spread", "sweep", "systems", "targets", "which"]
__version__ = _core.version

Progress = Optional[Callable[[str, int, int], object]]
Path = Union[str, "os.PathLike[str]"]
Tensor = Optional[tuple[str, str, Optional[tuple[int, ...]], bool]]
Option = Union[str, int, bool]
Names = Union[str, Iterable[str]]


def _framed(document: str) -> str:
    """A whole HTML document inside a notebook, with styles of its own."""
    return (f'<iframe srcdoc="{html.escape(document)}" style="width: 100%; height: 40em; border: 0" '
            'sandbox="allow-popups"></iframe>')


def _names(names: Names) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _words(options: Mapping[str, Union[Option, Iterable[str]]]) -> list[tuple[str, str]]:
    """Options as the command line writes them: True is "on", a list is the option several times."""
    words: list[tuple[str, str]] = []
    for name, value in options.items():
        if isinstance(value, bool):
            words.append((name, "on" if value else "off"))
        elif isinstance(value, (str, int)):
            words.append((name, str(value)))
        else:
            words.extend((name, each) for each in value)
    return words


def _compile_words(options: Optional[Mapping[str, Union[Option, Iterable[str]]]], predictor: Path) -> list[tuple[str, str]]:
    return [("predictor", os.fspath(predictor)), *_words(options or {})]


class Graph:
    """A network as the compiler sees it, after the passes over its graph."""

    def __init__(self, core: _core.Model) -> None:
        self._core = core

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def path(self) -> str:
        return self._core.path

    @property
    def structure_hash(self) -> str:
        return self._core.hash

    @property
    def bindings(self) -> dict[str, int]:
        """Values of the dimensions that the file leaves open."""
        return self._core.bindings

    @property
    def inputs(self) -> list[Tensor]:
        """(name, type, shape or None, is it constant) of each."""
        return self._core.inputs

    @property
    def outputs(self) -> list[Tensor]:
        return self._core.outputs

    @property
    def problems(self) -> list[str]:
        return self._core.problems

    @property
    def ops(self) -> list[dict[str, Any]]:
        return self._core.ops()

    def to_pandas(self) -> pandas.DataFrame:
        """One row an op."""
        return _frame(self.ops)

    def picture(self, most: int = 120) -> Picture:
        """Ops as boxes, tensors as lines. What repeats is one box in a large network; boxes beyond the first ones are counted only."""
        return Picture(self._core.picture_svg(most))

    def __repr__(self) -> str:
        return f"<pimstudio.Graph {self.path}: {len(self.ops)} ops>"

    def _repr_html_(self, most: int = 500) -> str:
        ops = self.ops
        told = table(["Op", "Type", "Multiply-accumulates"], ([op["name"], op["type"], f"{op['macs']:,}"] for op in ops[:most]))
        return told if len(ops) <= most else f"{told}<p>{len(ops) - most:,} more ops; all are in Graph.ops</p>"

    def _repr_svg_(self) -> str:
        return self.picture().svg


class Simulation:
    """What a simulator found when it ran a plan."""

    def __init__(self, core: _core.Simulated, plan: Plan) -> None:
        self._core = core
        self.plan = plan

    @property
    def total_ns(self) -> float:
        return self._core.total_ns

    @property
    def predicted_ns(self) -> Optional[float]:
        """Of the plan, for the same work; None where the plan's own time comes from the simulator."""
        return self._core.predicted_ns

    @property
    def energy_pj(self) -> Optional[float]:
        """None where the target has no figures."""
        return self._core.energy_pj

    @property
    def summary(self) -> str:
        return self._core.summary

    def to_dict(self) -> dict[str, Any]:
        """The member "simulation" of `pimc compile --simulate --json`."""
        found: dict[str, Any] = json.loads(self._core.json())
        return found

    def limits(
        self,
        what_helps: bool = False,
        progress: Progress = None,
        roofline: bool = False,
        within_ns: Optional[tuple[float, float]] = None,
    ) -> dict[str, Any]:
        """What limits the run: resources, and the chain of work that sets its length, in nanoseconds; as `pimc limits --json`.

        what_helps: plan and simulate again with each resource faster, or twice as many of it, too; then there is "what_if", what helps most
            first.
        roofline: the ceilings of machine and host, and every op under them, too; then there is "roofline".
        within_ns: look at this stretch of the run alone, from and to.
        """
        found: dict[str, Any] = json.loads(
            self.plan._core.limits(self._core, what_helps, roofline, within_ns, progress)
        )
        return found

    def roofline(self) -> Picture:
        """Every op under the ceilings of machine and host: speed over operations a byte; `limits(roofline=True)` has the figures."""
        return Picture(self.plan._core.roofline_svg(self._core))

    def timeline(self, most: int = 32) -> Picture:
        """What units of the machine did when. Where there are more than so many, some stand for all; the picture says how many are left out.

        Raises UnsupportedError for simulators that do not record it.
        """
        return Picture(self._core.timeline_svg(most))

    def __repr__(self) -> str:
        return f"<pimstudio.Simulation {self.summary}>"

    def _repr_html_(self) -> str:
        return _framed(self.plan._core.html(self._core))

    def _repr_svg_(self) -> Optional[str]:
        try:
            return self.timeline().svg
        except errors.UnsupportedError:
            return None


class Drafts:
    """All candidates of an op, the best first."""

    PARTS = ("input", "compute", "output", "mode_switch", "rewrite", "host")

    def __init__(self, texts: list[str], parts_ns: numpy.typing.NDArray[numpy.float64]) -> None:
        self.texts = texts
        self.parts_ns = parts_ns
        """[drafts][PARTS]"""

    @property
    def total_ns(self) -> numpy.typing.NDArray[numpy.float64]:
        total: numpy.typing.NDArray[numpy.float64] = self.parts_ns.sum(axis=1)
        return total

    def __len__(self) -> int:
        return len(self.texts)

    def to_pandas(self) -> pandas.DataFrame:
        return _frame(
            {"draft": text, **{f"{part}_ns": ns for part, ns in zip(self.PARTS, row)}}
            for text, row in zip(self.texts, self.parts_ns.tolist()))


class Numbers:
    """A compiled network in the numbers of its machine. Call it with an array for each input of the graph."""

    def __init__(self, core: _core.Numbers, graph: Graph) -> None:
        self._core = core
        self.graph = graph

    @property
    def numbers(self) -> str:
        """What computes in which numbers: "8 bit with exact sums, by its flow"."""
        return self._core.numbers

    @property
    def notes(self) -> list[str]:
        """What was computed otherwise than the machine would, as far as it has run."""
        return self._core.notes

    def __call__(self, *inputs: numpy.typing.NDArray[Any],
                 progress: Progress = None) -> list[numpy.typing.NDArray[Any]]:
        """Outputs of the graph in their order. Fractions are float32."""
        return self._core.run(list(inputs), progress)

    def __repr__(self) -> str:
        return f"<pimstudio.Numbers {self.graph.path}: {self.numbers}>"


class Plan:
    """What the compiler decided for a network on a machine, and what it costs."""

    def __init__(self, core: _core.Compiled, graph: Graph) -> None:
        self._core = core
        self._dict: Optional[dict[str, Any]] = None
        self.graph = graph

    @property
    def target(self) -> str:
        return self._core.target

    @property
    def total_ns(self) -> float:
        return self._core.total_ns

    @property
    def host_only_ns(self) -> float:
        return self._core.host_only_ns

    @property
    def parts_ns(self) -> dict[str, float]:
        """The total in its parts."""
        return self._core.parts_ns

    @property
    def overrides(self) -> dict[str, Any]:
        """Decisions in force, in the form that compile() takes."""
        decided: dict[str, Any] = json.loads(self._core.overrides)
        return decided

    @property
    def problems(self) -> list[str]:
        return self._core.problems

    def to_dict(self) -> dict[str, Any]:
        """What `pimc compile --json` prints of a plan."""
        if self._dict is None:
            self._dict = json.loads(self._core.json())
        return self._dict

    @property
    def ops(self) -> list[dict[str, Any]]:
        ops: list[dict[str, Any]] = self.to_dict()["ops"]
        return ops

    def to_pandas(self) -> pandas.DataFrame:
        """One row an op."""
        return _frame(self.ops)

    def breakdown(self) -> Picture:
        """The total in its parts, beside the host alone."""
        return Picture(self._core.breakdown_svg())

    def slowest_ops(self, most: int = 20) -> Picture:
        """The ops that take longest, in their parts."""
        return Picture(self._core.ops_svg(most))

    def simulate(self, progress: Progress = None) -> Simulation:
        return Simulation(self._core.simulate(progress), self)

    def explore(self, op: str, progress: Progress = None) -> Drafts:
        """All drafts of an op, for machines that have drafts."""
        return Drafts(*self._core.explore(op, progress))

    def kernel_tensors(self, op: str) -> list[tuple[str, list[int], bool]]:
        """(name, shape, is it computed) of the tensors that the commands of an op on PIM work on."""
        return self._core.kernel_tensors(op)

    def execute(self, op: str, inputs: Mapping[str, numpy.typing.NDArray[numpy.float32]],
                progress: Progress = None) -> dict[str, numpy.typing.NDArray[numpy.float32]]:
        """Runs the commands of an op on numbers, as the units of the machine compute."""
        return self._core.execute(op, dict(inputs), progress)

    def check_numbers(self, seed: int = 1, ops: Iterable[str] = (), progress: Progress = None) -> dict[str, Any]:
        """Runs the compiled programs on numbers and compares with the model; raises where they differ too much."""
        report: dict[str, Any] = json.loads(self._core.check_numbers(seed, list(ops), progress)["json"])
        return report

    def numbers(self, calibration: Iterable[Iterable[numpy.typing.NDArray[Any]]] = (),
                options: Optional[Mapping[str, Option]] = None, progress: Progress = None) -> Numbers:
        """The compiled network ready to compute what the machine would, sample after sample.

        calibration: arrays of all inputs, for each sample, that ranges of whole numbers come from; random ones if there are none.
        options: those of `pimc check` for the machine, {"adc-bits": 6}.
        """
        samples = [list(sample) for sample in calibration]
        return Numbers(self._core.numbers(samples, _words(options or {}), progress), self.graph)

    def __repr__(self) -> str:
        return f"<pimstudio.Plan {self.graph.path} on {self.target}: {self.total_ns:.0f} ns>"

    def _repr_html_(self) -> str:
        return _framed(self._core.html())

    def _repr_svg_(self) -> str:
        return self.breakdown().svg


class Project:
    """A project file: its runs, variants and sweeps. Use it from one thread."""

    def __init__(self, file: Path, read_only: bool = False) -> None:
        self._core = _core.Project(os.fspath(file), read_only)

    def record(self, plan: Plan, variant: str = "main", label: str = "") -> int:
        """Stores a run. Returns its id."""
        return self._core.record(plan._core, variant, label)

    def runs(self) -> list[dict[str, Any]]:
        """The newest first."""
        return self._core.runs()

    def to_pandas(self) -> pandas.DataFrame:
        """One row a run."""
        return _frame(self.runs())

    def variants(self) -> list[dict[str, Any]]:
        """Name, parent, number of decisions, and whether it is the one in force in the window."""
        return self._core.variants()

    def decisions(self, variant: str = "main") -> dict[str, Any]:
        """Those of a variant, in the form that compile() takes."""
        decided: dict[str, Any] = json.loads(self._core.decisions(variant))
        return decided

    def decide(self, decisions: Union[Mapping[str, Any], list[dict[str, Any]]], variant: str = "main", parent: str = "") -> None:
        """Stores decisions in place of those of a variant, which is made if there is none of this name.

        A list is a JSON Patch (RFC 6902) of what the variant has, or, where it is new, of what its parent has.
        """
        self._core.decide(variant, json.dumps(decisions), parent)

    def undo(self) -> str:
        """Takes back the last decide() of this object that is left. Returns the variant."""
        return self._core.undo()

    def sweeps(self) -> list[dict[str, Any]]:
        """The newest first; sweep(…, project=…) makes them."""
        found: list[dict[str, Any]] = json.loads(self._core.sweeps())
        return found

    def sweep(self, name: str = "", front: Names = ()) -> Sweep:
        """The stored points of a sweep, by default the newest."""
        return Sweep(self._core.sweep(name, _names(front)))

    def resume(self, name: str = "", front: Names = (), *, confirm: Optional[float] = None,
               on_point: Optional[Callable[[Row], object]] = None, progress: Progress = None) -> Sweep:
        """Computes what is missing of a sweep or a search, by default the newest. confirm: as sweep()."""
        return Sweep(self._core.resume_sweep(name, _names(front), confirm, telling(Sweep.row, on_point), progress))

    def remove_sweep(self, name: str) -> None:
        self._core.remove_sweep(name)


def load(model: Path, bind: Optional[Mapping[str, int]] = None, passes: Iterable[str] = (),
         without_passes: Iterable[str] = (), progress: Progress = None) -> Graph:
    """Reads a model: an ONNX file, or "sample:NAME". Dimensions that nobody binds become 1.

    passes: options of graph passes as in `--pass`, "fuse_gelu:form=erf"; without_passes: those left out.
    """
    return Graph(_core.load(os.fspath(model), dict(bind or {}), list(passes), set(without_passes), progress))


def _graph(model: Union[Graph, Path], bind: Optional[Mapping[str, int]], progress: Progress) -> Graph:
    if not isinstance(model, Graph):
        return load(model, bind, progress=progress)
    if bind:
        errors.refuse(errors.UsageError, "bind", "the dimensions of a graph are bound when it is loaded")
    return model


def compile(model: Union[Graph, Path], target: str = "", host: str = "", *, bind: Optional[Mapping[str, int]] = None,
            options: Optional[Mapping[str, Union[Option, Iterable[str]]]] = None, predictor: Path = "auto",
            overrides: Optional[Mapping[str, Any]] = None, progress: Progress = None) -> Plan:
    """Compiles a network for a machine, by default the one of the sample.

    options: by name as on the command line, {"dtype": "bf16", "verify": 0, "dual-mode.caps": "on"};
    predictor: what ranks drafts. "auto": the predictor shipped for the machine where it ranks better than the formula; "off": the
    formula; "shipped": that predictor for all it has learned; or the file of one, or of a project that has one;
    overrides: {"ops": {"/fc/Gemm": {"placement": "host"}}}.
    """
    graph = _graph(model, bind, progress)
    decisions = json.dumps(overrides) if overrides else ""
    return Plan(_core.compile(graph._core, target, host, _compile_words(options, predictor), decisions, progress), graph)


def which(model: Union[Graph, Path], targets: Names = (), host: str = "xeon-8380", *, by: str = "request", kinds: Names = (),
          bind: Optional[Mapping[str, int]] = None, dtype: str = "f16", simulate: bool = True, hosts: bool = True, thorough: bool = False,
          data: Path = "", samples: int = 100, least_accuracy: float = 0, on_result: Optional[Callable[[Row], object]] = None,
          progress: Progress = None) -> Machines:
    """Asks machines how long they take for a network: those named and all of the kinds, else all there are.

    host: of all, or "own": each has the one it was published with. by: "request", "stream" or "first". hosts: hosts and GPUs without PIM too.
    data, samples, least_accuracy (per cent): as `pimc which`. on_result: called with each row as soon as it is known, in any order.
    """
    rows = _core.which(_graph(model, bind, progress)._core, _names(targets), _names(kinds), host, by, dtype, simulate, hosts, thorough,
                       os.fspath(data), samples, least_accuracy, telling(Machines.row, on_result), progress)
    return Machines(json.loads(rows), by)


def spread(model: Union[Graph, Path], system: Path, *, bind: Optional[Mapping[str, int]] = None, place: Optional[Mapping[str, str]] = None,
           dtype: str = "f16", simulate: bool = True, pieces: bool = True, thorough: bool = False, gap: float = 1,
           progress: Progress = None) -> Spread:
    """Spreads a network over the machines of a system: the id of one of systems(), or a file.

    place: the device, or "host", of operators by name. pieces: operators may be divided among devices. gap: the search ends within so
    many per cent of the best there is.
    """
    return Spread(json.loads(_core.spread(_graph(model, bind, progress)._core, os.fspath(system), dtype, dict(place or {}), simulate, pieces,
                                          thorough, gap, progress)))


def systems() -> list[str]:
    """Systems of several machines that ship with the program."""
    return _core.systems()


def sweep(model: Union[Graph, Path, None], over: str, target: str = "", host: str = "", *, bind: Optional[Mapping[str, int]] = None,
          options: Optional[Mapping[str, Union[Option, Iterable[str]]]] = None, predictor: Path = "auto",
          overrides: Optional[Mapping[str, Any]] = None,
          front: Names = (), search: str = "", evaluations: int = 1000, seed: int = 1, confirm: Optional[float] = None,
          project: Optional[Project] = None, name: str = "", on_point: Optional[Callable[[Row], object]] = None, progress: Progress = None) -> Sweep:
    """Compiles a network for every combination of some values: "seq=32..2048;target=attacc,hbm-pim;area_mm2<=300".

    model: None where models vary: "model=sample:bert-base,sample:resnet50", or "model=geomean(A,B)" for several as one point.
    front: figures that the Pareto front is by. search: "nsga2", "random" or "exhaustive" computes only the points that a search for the
    front asks for, at most so many evaluations. confirm: simulates the points on the front, and those that would be on it if they were
    this much faster than predicted, in percent; the front is then by "simulated_ns". on_point: called with each point, without marks, as
    it is finished. project: keeps the sweep, point by point; Project.resume() continues one that was stopped, and the same search goes
    on. The rest as compile().
    """
    core = _core.Model(dict(bind or {})) if model is None else _graph(model, bind, progress)._core
    told = telling(Sweep.row, on_point)
    question = (core, over, target, host, _compile_words(options, predictor), json.dumps(overrides) if overrides else "", _names(front), search,
                evaluations, seed, confirm)
    if project:
        return Sweep(project._core.begin_sweep(*question, name, told, progress))
    return Sweep(_core.sweep(*question, told, progress))


def jobs() -> int:
    """How many threads work at once: PIM_JOBS, or as many as the machine has cores, unless set_jobs() says otherwise."""
    return _core.jobs()


def set_jobs(count: Optional[int] = None) -> None:
    """For all calls of this process that begin from now on; None: as at the start. Results do not depend on it."""
    _core.set_jobs("" if count is None else str(count))


def samples() -> dict[str, str]:
    """Title of each bundled sample by its name."""
    return dict(_core.samples())


def targets() -> list[dict[str, str]]:
    """The machines there are."""
    return [{"id": id, "backend": backend, "name": name} for id, backend, name in _core.targets()]
