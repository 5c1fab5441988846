# SPDX-License-Identifier: GPL-3.0-or-later
"""What questions about many machines or many sizes give: rows, as frames and as tables of a notebook. What is unknown is None, never 0."""
from __future__ import annotations

import html
import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional

from . import _core

if TYPE_CHECKING:
    import pandas  # type: ignore[import]

__all__ = ["Machines", "Picture", "Spread", "Sweep"]

Row = dict[str, Any]


def frame(rows: Iterable[Mapping[str, Any]]) -> pandas.DataFrame:
    import pandas

    return pandas.DataFrame.from_records(list(rows))


def table(heads: Sequence[str], rows: Iterable[Sequence[Optional[str]]]) -> str:
    """An HTML table; cells that are None are unknown."""
    def line(tag: str, cells: Iterable[Optional[str]]) -> str:
        texts = ("unknown" if cell is None else cell for cell in cells)
        return "<tr>" + "".join(f"<{tag}>{html.escape(text)}</{tag}>" for text in texts) + "</tr>"

    return f"<table><thead>{line('th', heads)}</thead><tbody>{''.join(line('td', row) for row in rows)}</tbody></table>"


def telling(row: Callable[[Row], Row], listener: Optional[Callable[[Row], object]]) -> Optional[Callable[[str], object]]:
    """What the extension calls with rows as text."""
    if listener is None:
        return None
    listen = listener
    return lambda text: listen(row(json.loads(text)))


def time_text(ns: Optional[float]) -> Optional[str]:
    return None if ns is None else _core.time_text(ns)


class Picture:
    """A picture that notebooks show; svg is what its file has."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg


class Machines:
    """Machines beside each other for one network, the best first: a sequence of rows.

    A row has all COLUMNS. One with a "problem" has no plan, for this reason, and nothing else that is known.
    """

    COLUMNS = ("machine", "kind", "host", "request_ns", "stream_ns", "first_ns", "origin", "predicted_ns", "host_only_ns", "pim_share",
               "resident_bytes", "load_ns", "accuracy", "accuracy_note", "room", "links_bytes", "energy_pj", "energy_by", "power_w", "area_mm2",
               "area_by", "energy_parts_pj", "energy_note", "dtype", "problem")
    ROOM = ("fits", "machines", "needed_bytes", "capacity_bytes")

    def __init__(self, rows: Iterable[Row], by: str) -> None:
        self.rows = [self.row(each) for each in rows]
        self.by = by
        """What the order goes by: "request", "stream" or "first"."""

    @classmethod
    def row(cls, known: Row) -> Row:
        return {**dict.fromkeys(cls.COLUMNS), **known}

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> Row:
        return self.rows[place]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def to_pandas(self) -> pandas.DataFrame:
        """One row a machine; the members of "room" are columns of their own."""
        flat = []
        for row in self.rows:
            room = row["room"] or dict.fromkeys(self.ROOM)
            flat.append({**{name: value for name, value in row.items() if name != "room"},
                         **{f"room_{name}": room[name] for name in self.ROOM}})
        return frame(flat)

    def __repr__(self) -> str:
        return f"<pimstudio.Machines by {self.by}: {', '.join(row['machine'] for row in self.rows)}>"

    def _repr_html_(self) -> str:
        def cells(row: Row) -> list[Optional[str]]:
            alone, room, energy, area = row["kind"] == "host", row["room"], row["energy_pj"], row["area_mm2"]
            has_room: Optional[str] = "fits" if row["resident_bytes"] else None  # a plan is refused otherwise, or nothing stays there
            if room:
                has_room = "fits" if room["fits"] else f"{room['machines']} machines"
            return [row["machine"], row["kind"], row["host"], time_text(row["request_ns"]), time_text(row["stream_ns"]), "" if alone else time_text(row["first_ns"]),
                    row["origin"], "" if alone else f"{100 * row['pim_share']:.1f} %",
                    "" if alone else has_room,
                    None if energy is None else _core.energy_text(energy), None if area is None else f"{area:.4g} mm²"]

        told = table(["Machine", "Kind", "Host", "A request", "From one result to the next", "The first", "Origin", "Work on PIM", "Room", "Energy",
                      "Area"], (cells(row) for row in self.rows if row["problem"] is None))
        return told + "".join(f"<p>{html.escape(row['machine'])}: {html.escape(row['problem'])}</p>"
                              for row in self.rows if row["problem"] is not None)


class Spread:
    """A network on several machines at once: who runs what, and when. document is what `pimc system --json` prints."""

    def __init__(self, document: Row) -> None:
        self.document = document

    @property
    def predicted_ns(self) -> float:
        """Of a request."""
        return float(self.document["predicted_ns"])

    @property
    def simulated_ns(self) -> Optional[float]:
        """Of a request, all machines on one clock; None: not simulated."""
        ns: Optional[float] = self.document["simulated_ns"]
        return ns

    @property
    def gap(self) -> float:
        """How much longer than the best there is it is at most, at the prices of the search: a share, 0.01 is 1 %."""
        return float(self.document["gap"])

    @property
    def stream(self) -> Row:
        """Of requests one behind the other: a result each "period_ns"; "busiest" is busy for "least_ns" of each."""
        return dict(self.document["stream"])

    @property
    def devices(self) -> dict[str, str]:
        """The device of each operator, by its name; those that take no time have none."""
        return {each["op"]: each["device"] for each in self.document["schedule"] if "op" in each}

    @property
    def alternatives(self) -> list[Row]:
        """Other plans of the same network on the same system: "id", "what", "ns" and "stream_ns", or a "problem"."""
        return list(self.document["alternatives"])

    def to_pandas(self) -> pandas.DataFrame:
        """What every device and link does when: one row a stretch of time."""
        columns = ("op", "tensor", "from", "device", "start_ns", "end_ns")
        return frame({**dict.fromkeys(columns), **each} for each in self.document["schedule"])

    def __repr__(self) -> str:
        ns = self.predicted_ns if self.simulated_ns is None else self.simulated_ns
        return f"<pimstudio.Spread of {self.document['model']} over {self.document['system']}: {time_text(ns)}>"

    def _repr_html_(self) -> str:
        rows = [("this plan", time_text(self.predicted_ns), time_text(self.stream["period_ns"]), f"found by {self.document['found_as']}")]
        rows += [(each["id"], time_text(each.get("ns")), time_text(each.get("stream_ns")), each.get("problem", each["what"]))
                 for each in self.alternatives]
        return table(("Plan", "A request", "In a stream", "What it is"), rows)


class Sweep:
    """Points of a sweep, those there are: a sequence of rows.

    A row has "bindings" and "chosen", the values by axis; times, figures of its machine, "best" and "front"; and a "problem", None
    where there is a result.
    """

    COLUMNS = ("point", "bindings", "chosen", "total_ns", "host_only_ns", "macs_per_s", "baselines", "best", "front", "compile_ms", "problem")

    def __init__(self, core: _core.Swept) -> None:
        self._core = core
        known: list[Row] = json.loads(core.json())
        columns = dict.fromkeys(name for row in known for name in row)
        self.points = [{**dict.fromkeys(columns), **self.row(each), "best": each.get("best", False), "front": each.get("front", False)}
                       for each in known]
        for objective in self.objectives:
            if self.points and all(point.get(objective) is None for point in self.points):
                warnings.warn(f'no point has a figure "{objective}", so none is on the front', stacklevel=3)

    @classmethod
    def row(cls, known: Row) -> Row:
        return {**dict.fromkeys(cls.COLUMNS), "bindings": {}, "chosen": {}, **known}

    @property
    def name(self) -> str:
        """In its project; empty where it is in none."""
        return self._core.name

    @property
    def over(self) -> str:
        """What varies, as sweep() takes it."""
        return self._core.over

    @property
    def axes(self) -> list[str]:
        return self._core.axes

    @property
    def size(self) -> int:
        """Points in all; a search, and a sweep that was left, have fewer of them."""
        return self._core.size

    @property
    def objectives(self) -> list[str]:
        """What the front is by."""
        return self._core.objectives

    @property
    def best(self) -> list[Row]:
        """Of all points with the same sizes the one with the least time, or the one with the most work per second where only sizes vary."""
        return [point for point in self.points if point["best"]]

    @property
    def front(self) -> list[Row]:
        """No other point is at least as good in all objectives and better in one."""
        return [point for point in self.points if point["front"]]

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, place: int) -> Row:
        return self.points[place]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.points)

    def to_pandas(self) -> pandas.DataFrame:
        """One row a point; axes, and times of baselines, are columns of their own."""
        apart = ("bindings", "chosen", "baselines")
        return frame({"point": point["point"], **point["bindings"], **point["chosen"],
                      **{name: value for name, value in point.items() if name not in apart},
                      **{f"{each['id']}_ns": each["total_ns"] for each in point["baselines"] or ()}} for point in self.points)

    def __repr__(self) -> str:
        return f"<pimstudio.Sweep over {self.over}: {len(self)} of {self.size} points>"

    def _repr_html_(self) -> str:
        def cells(point: Row) -> list[Optional[str]]:
            values = {**point["bindings"], **point["chosen"]}
            marks = ", ".join(mark for mark in ("best", "front") if point[mark])
            return [*(str(values[axis]) for axis in self.axes),
                    *([None, None, point["problem"]] if point["problem"] is not None
                      else [time_text(point["total_ns"]), time_text(point["host_only_ns"]), marks])]

        return table([*self.axes, "Total", "Host only", ""], (cells(point) for point in self.points))
