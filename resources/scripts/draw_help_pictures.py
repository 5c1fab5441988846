#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the pictures of the concepts into resources/help/images/*.svg.

Run it after a change: python3 resources/scripts/draw_help_pictures.py. Colours are those of the light theme of
views/common/palette.cpp; the help window replaces them by those of the theme in force, so use no others.
"""
import pathlib

OUT = pathlib.Path(__file__).resolve().parent.parent / "help" / "images"

PAPER, CANVAS, LINE, BORDER = "#ffffff", "#f4f6f9", "#dfe4ea", "#b9c2cc"
INK, MUTED, ACCENT, MARK = "#1c2128", "#586370", "#1259b8", "#d9520f"
INPUT, COMPUTE, OUTPUT, SWITCH, HOST, IDLE = "#f0a030", "#1f66b0", "#eba5ff", "#66338f", "#8f99a5", "#d5dae0"
DARK, BRIGHT = "#111418", "#fefefe"  # on fills that are bright, or dark, in both themes
PIM, HOST_PLACE, REWRITE = "#0b6f86", "#b98a2f", "#b8340a"


class Picture:
    def __init__(self, name, width, height, title):
        self.name, self.width, self.height, self.title = name, width, height, title
        self.parts = []

    def rect(self, x, y, w, h, fill=CANVAS, stroke=BORDER, radius=3, line=1):
        self.parts.append(f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{radius}" fill="{fill}" '
                          f'stroke="{stroke}" stroke-width="{line}"/>')

    def text(self, x, y, words, size=12, fill=INK, anchor="middle", bold=False, mono=False):
        words = words.replace("&", "&amp;").replace("<", "&lt;")
        family = "monospace" if mono else "sans-serif"
        weight = ' font-weight="bold"' if bold else ""
        self.parts.append(f'<text x="{x}" y="{y}" font-family="{family}" font-size="{size}"{weight} fill="{fill}" '
                          f'text-anchor="{anchor}">{words}</text>')

    def arrow(self, x1, y1, x2, y2, color=MUTED, line=1.5, both=False):
        self.parts.append(f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{color}" stroke-width="{line}"/>')
        self.head(x1, y1, x2, y2, color)
        if both:
            self.head(x2, y2, x1, y1, color)

    def head(self, x1, y1, x2, y2, color):
        length = max(1e-6, ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5)
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        bx, by = x2 - 8 * dx, y2 - 8 * dy
        self.parts.append(f'<polygon points="{x2:.1f},{y2:.1f} {bx - 4 * dy:.1f},{by + 4 * dx:.1f} '
                          f'{bx + 4 * dy:.1f},{by - 4 * dx:.1f}" fill="{color}"/>')

    def line(self, x1, y1, x2, y2, color=BORDER, width=1, dashed=False):
        dash = ' stroke-dasharray="4 3"' if dashed else ""
        self.parts.append(f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{color}" stroke-width="{width}"{dash}/>')

    def save(self):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
                f'viewBox="0 0 {self.width} {self.height}" role="img">')
        body = "\n  ".join([f"<title>{self.title}</title>",
                            f'<rect width="{self.width}" height="{self.height}" fill="{PAPER}"/>'] + self.parts)
        (OUT / f"{self.name}.svg").write_text(f"{head}\n  {body}\n</svg>\n", encoding="utf-8")


def machine():
    p = Picture("machine", 640, 250, "Host, device, pseudo-channel, bank, core")
    p.rect(14, 40, 110, 170, CANVAS)
    p.text(69, 62, "Host", bold=True)
    p.text(69, 82, "GPU or CPU", 11, MUTED)
    p.rect(34, 100, 70, 40, PAPER)
    p.text(69, 124, "caches", 11)
    p.arrow(124, 125, 176, 125, ACCENT, 2, True)
    p.text(150, 115, "bus", 11, MUTED)
    p.rect(176, 16, 450, 222, CANVAS)
    p.text(190, 34, "Device (an HBM stack, a DIMM, a chip)", 12, INK, "start", True)
    for group in range(3):
        y = 44 + 64 * group
        p.rect(188, y, 426, 56, PAPER)
        p.text(196, y + 16, ["Group 0", "Group 1", "Group …"][group] + " = pseudo-channel", 11, INK, "start")
        for bank in range(8):
            x = 196 + 52 * bank
            p.rect(x, y + 22, 46, 14, IDLE)
            p.text(x + 23, y + 33, "bank", 10)
            p.rect(x, y + 38, 46, 13, PIM, PIM)
            p.text(x + 23, y + 48, "core", 10, PAPER)
    p.save()


def bank():
    p = Picture("bank", 640, 210, "A bank: rows, one of them open, a core beside it")
    p.text(20, 26, "Bank", 13, INK, "start", True)
    for row in range(6):
        y = 38 + 18 * row
        fill = INPUT if row == 3 else IDLE
        p.rect(20, y, 300, 15, fill, BORDER, 1)
        p.text(170, y + 12, ["row 0", "row 1", "row 2", "row 3 is open", "row …", "row 16383"][row], 10, DARK if row == 3 else INK)
    p.rect(20, 156, 300, 20, INPUT)
    p.text(170, 170, "row buffer: the open row, 1 KiB", 11, DARK)
    p.arrow(320, 166, 386, 166, ACCENT, 2)
    p.rect(386, 136, 110, 56, PIM, PIM)
    p.text(441, 160, "core", 13, PAPER, bold=True)
    p.text(441, 178, "multiply, add", 11, PAPER)
    p.arrow(496, 166, 552, 166, MUTED, 1.5, True)
    p.text(592, 170, "data bus", 11, MUTED)
    for index, (words, color) in enumerate([("hit: the row is open already", MUTED), ("miss: no row is open, open it (tRCD)", MUTED),
                                            ("conflict: close another one first (tRP + tRCD)", MUTED)]):
        p.text(346, 52 + 20 * index, words, 11, color, "start")
    p.save()


def placement():
    p = Picture("placement", 640, 190, "Operators on the host and in memory")
    names = ["MatMul", "Softmax", "MatMul", "Add", "Gelu"]
    where = [1, 0, 1, 1, 0]
    p.text(16, 54, "Host", 12, HOST_PLACE, "start", True)
    p.text(16, 134, "PIM", 12, PIM, "start", True)
    p.line(16, 92, 624, 92, BORDER, 1, True)
    for index, (name, place) in enumerate(zip(names, where)):
        x, y = 74 + 112 * index, 116 if place else 36
        p.rect(x, y, 90, 30, PIM if place else HOST_PLACE, BORDER)
        p.text(x + 45, y + 20, name, 12, PAPER if place else DARK)
        if index + 1 < len(names):
            y2 = 116 if where[index + 1] else 36
            color = MUTED if y == y2 else MARK
            p.arrow(x + 90, y + 15, x + 112, y2 + 15, color, 2 if y != y2 else 1.5)
    p.text(320, 178, "Only what crosses the line costs a transfer (orange). The cut is chosen for the whole network.", 11, MUTED)
    p.save()


def draft():
    p = Picture("draft", 640, 230, "A draft cuts the loops of a kernel over groups and cores")
    p.text(20, 24, "Matrix of weights, N × K", 12, INK, "start", True)
    for group in range(4):
        for core in range(4):
            shade = COMPUTE if group == 1 and core == 2 else (CANVAS if (group + core) % 2 else IDLE)
            p.rect(20 + 60 * core, 36 + 40 * group, 58, 38, shade, BORDER, 1)
    p.text(140, 214, "K over 4 cores →", 11, MUTED)
    p.text(276, 60, "N over 4 groups ↓", 11, MUTED, "start")
    p.arrow(198, 96, 330, 118, ACCENT)
    p.rect(330, 96, 120, 44, COMPUTE)
    p.text(390, 115, "tile of group 1,", 11, PAPER)
    p.text(390, 130, "core 2", 11, PAPER)
    p.text(330, 170, "[[4, 1, A0=n], [1, 4, B1=k]]", 13, INK, "start", False, True)
    p.text(330, 190, "groups, cores, representative mapping,", 11, MUTED, "start")
    p.text(330, 205, "for each dimension set", 11, MUTED, "start")
    p.save()


def dimension_set():
    p = Picture("dimension-set", 640, 170, "Dimensions that share a loop variable form a set")
    boxes = [("A", "m", "k", 60), ("B", "k", "n", 240), ("C", "m", "n", 420)]
    colors = {"m": INPUT, "k": COMPUTE, "n": OUTPUT}
    for name, first, second, x in boxes:
        p.rect(x, 44, 90, 70, CANVAS)
        p.text(x + 45, 85, name, 18, INK, bold=True)
        p.rect(x - 24, 44, 20, 70, colors[first])
        p.text(x - 14, 83, first, 13, PAPER if first == "k" else DARK, bold=True)
        p.rect(x, 118, 90, 20, colors[second])
        p.text(x + 45, 133, second, 13, PAPER if second == "k" else DARK, bold=True)
    p.text(182, 84, "×", 20)
    p.text(362, 84, "=", 20)
    p.text(20, 24, "C[m, n] += A[m, k] · B[k, n]: three sets, one for each of m, n and k", 12, INK, "start")
    p.text(20, 160, "k is summed over: splitting it over cores leaves partial sums that must be merged.", 11, MUTED, "start")
    p.save()


def tiles():
    p = Picture("tiles", 640, 210, "Data tile and compute tile of a core")
    p.text(20, 24, "Data tile: what a core holds", 12, INK, "start", True)
    p.text(340, 24, "Compute tile: what a core does", 12, INK, "start", True)
    for row in range(4):
        for column in range(6):
            mine = row in (1,) and column in (2, 3)
            p.rect(20 + 44 * column, 38 + 30 * row, 42, 28, INPUT if mine else CANVAS, BORDER, 1)
    p.text(152, 180, "elements of the weights in its bank, in bytes", 11, MUTED)
    for row in range(4):
        for column in range(6):
            mine = row == 1 and 2 <= column <= 3
            p.rect(340 + 44 * column, 38 + 30 * row, 42, 28, COMPUTE if mine else CANVAS, BORDER, 1)
            if mine:
                p.text(361 + 44 * column, 57 + 30 * row, "a·b", 11, PAPER)
    p.text(472, 180, "products it has to make, in multiply-adds", 11, MUTED)
    p.text(320, 202, "Unequal tiles make cores wait for the fullest one: the heatmaps show where.", 11, MUTED)
    p.save()


def bars(p, y, parts, scale, left=110):
    x = left
    for words, amount, color, ink in parts:
        width = amount * scale
        p.rect(x, y, width, 30, color, PAPER, 1)
        if words and width > 8 * len(words) * 0.72:
            p.text(x + width / 2, y + 20, words, 11, ink)
        x += width
    return x


def rearrangement():
    p = Picture("rearrangement", 640, 190, "Rearrangement: layout of the host to layout of the banks and back")
    p.text(75, 22, "host memory", 11, MUTED)
    p.text(320, 22, "banks", 11, MUTED)
    p.text(565, 22, "host memory", 11, MUTED)
    for i in range(4):
        p.rect(20, 32 + 18 * i, 110, 15, INPUT if i % 2 else IDLE)
        p.rect(510, 32 + 18 * i, 110, 15, OUTPUT if i % 2 else IDLE)
    for i in range(4):
        p.rect(250 + 36 * i, 32, 32, 70, CANVAS)
        p.rect(254 + 36 * i, 36, 24, 28, INPUT)
        p.rect(254 + 36 * i, 70, 24, 28, OUTPUT)
    p.arrow(134, 66, 244, 66, INPUT, 3)
    p.text(189, 58, "input", 11)
    p.arrow(396, 66, 504, 66, OUTPUT, 3)
    p.text(450, 58, "output", 11)
    p.text(20, 146, "time", 11, MUTED, "start")
    end = bars(p, 126, [("in", 90, INPUT, DARK), ("compute", 200, COMPUTE, PAPER), ("out", 60, OUTPUT, DARK), ("switch", 50, SWITCH, PAPER)], 1.2, 64)
    p.text(end + 10, 146, "they add up to the total", 11, MUTED, "start")
    p.text(320, 180, "Rows of the host's layout are scattered over banks before a kernel and gathered after it.", 11, MUTED)
    p.save()


def mode_switch():
    p = Picture("mode-switch", 640, 130, "Entering and leaving PIM mode")
    x = 20
    for words, width, color, ink in [("single bank", 110, HOST, DARK), ("switch", 50, SWITCH, PAPER), ("all banks", 100, IDLE, INK),
                                     ("switch", 50, SWITCH, PAPER), ("all banks, computing", 180, COMPUTE, PAPER), ("switch", 50, SWITCH, PAPER), ("host", 60, HOST, DARK)]:
        p.rect(x, 36, width - 2, 36, color, PAPER, 2)
        p.text(x + width / 2 - 1, 59, words, 11 if width > 50 else 10, ink)
        x += width
    p.arrow(20, 92, 620, 92, MUTED)
    p.text(320, 110, "time; ordinary reads and writes wait while banks compute", 11, MUTED)
    p.save()


def residency():
    p = Picture("residency", 640, 180, "Where a tensor lies before a kernel starts")
    for index, (name, words, color, from_host) in enumerate([("resident", "loaded once, before the run", PIM, False),
                                                             ("streamed", "comes with every run", INPUT, True), ("produced", "left there by the op before", COMPUTE, None)]):
        x = 20 + 208 * index
        p.text(x + 92, 22, name, 13, INK, bold=True)
        p.rect(x, 34, 70, 56, CANVAS)
        p.text(x + 35, 66, "host", 11)
        p.rect(x + 114, 34, 70, 56, CANVAS)
        p.rect(x + 124, 46, 50, 32, color)
        p.text(x + 149, 66, "tensor", 11, DARK if color == INPUT else PAPER)
        if from_host:
            p.arrow(x + 70, 62, x + 114, 62, INPUT, 3)
        elif from_host is None:
            p.rect(x + 124, 102, 50, 22, COMPUTE)
            p.text(x + 149, 117, "op", 11, PAPER)
            p.arrow(x + 149, 102, x + 149, 80, COMPUTE, 2)
        p.text(x + 92, 150, words, 11, MUTED)
    p.save()


def group_command():
    p = Picture("group-command", 640, 170, "One command for all cores of a group, or one for each")
    for part, (title, x) in enumerate([("group command", 20), ("bank by bank", 340)]):
        p.text(x, 22, title, 12, INK, "start", True)
        for bank_index in range(4):
            y = 36 + 26 * bank_index
            p.rect(x + 90, y, 60, 22, PIM, PIM)
            p.text(x + 120, y + 15, f"core {bank_index}", 11, PAPER)
            if part == 0:
                p.arrow(x + 40, 88, x + 90, y + 11, ACCENT)
            else:
                p.arrow(x + 20 + 18 * bank_index, y + 11, x + 90, y + 11, ACCENT)
        if part == 0:
            p.rect(x, 76, 42, 24, ACCENT, ACCENT)
            p.text(x + 21, 92, "MAC", 11, PAPER)
        else:
            p.text(x + 160, 92, "one after the other", 11, MUTED, "start")
    p.text(190, 92, "all at once", 11, MUTED, "start")
    p.text(320, 160, "Unequal tiles are padded for a group command; where offsets differ, commands go bank by bank.", 11, MUTED)
    p.save()


def refresh():
    p = Picture("refresh", 640, 126, "Refresh: a bank is away for tRFC every tREFI")
    x = 20
    for cycle in range(3):
        p.rect(x, 30, 150, 30, COMPUTE, PAPER)
        p.text(x + 75, 50, "commands", 11, PAPER)
        p.rect(x + 150, 30, 40, 30, REWRITE, PAPER)
        p.text(x + 170, 50, "REF", 11, BRIGHT)
        x += 190
    p.arrow(20, 78, 210, 78, MUTED, 1.5, True)
    p.text(115, 94, "tREFI, about 3.9 µs", 11, MUTED)
    p.text(20, 114, "REF takes tRFC: rows are closed, nothing else goes out to that bank", 11, MUTED, "start")
    p.save()


def dual_mode():
    p = Picture("dual-mode", 640, 190, "Arrays that compute or are memory, segment after segment")
    layouts = ["CCCCCCMMMMMM", "CCCCCCCCCCMM", "CCCMMMMMMMMM"]
    for segment, layout in enumerate(layouts):
        x = 20 + 210 * segment
        p.text(x + 85, 22, f"Segment {segment + 1}", 12, INK, bold=True)
        for index, kind in enumerate(layout):
            p.rect(x + 28 * (index % 6) + 2, 34 + 44 * (index // 6), 25, 40, COMPUTE if kind == "C" else INPUT, BORDER)
            p.text(x + 28 * (index % 6) + 14, 59 + 44 * (index // 6), kind, 11, PAPER if kind == "C" else DARK)
        if segment < 2:
            p.arrow(x + 174, 76, x + 206, 76, SWITCH, 2)
    p.text(320, 142, "C: array computes, it holds weights.   M: array is memory, it holds activations.", 11, INK)
    p.text(320, 162, "Between segments arrays switch mode, weights are rewritten, results written back: all of it is counted.", 11, MUTED)
    p.save()


def predicted():
    p = Picture("predicted-simulated", 640, 160, "Predicted by formulas, simulated command by command")
    p.text(100, 52, "predicted", 12, INK, "end")
    p.text(100, 102, "simulated", 12, INK, "end")
    p.parts.append(f'<rect x="110" y="32" width="360" height="30" fill="{CANVAS}" stroke="{COMPUTE}" stroke-width="1.5" stroke-dasharray="5 3"/>')
    p.text(290, 52, "formulas, in microseconds of your time", 11, INK)
    p.line(450, 47, 494, 47, MARK, 2)
    p.line(450, 41, 450, 53, MARK, 2)
    p.line(494, 41, 494, 53, MARK, 2)
    p.text(502, 51, "known error", 11, MARK, "start")
    p.rect(110, 82, 376, 30, COMPUTE, COMPUTE)
    p.text(298, 102, "every command at its tick, refresh included", 11, PAPER)
    p.text(320, 142, "The headline says which of the two a figure is. The difference is told with its causes.", 11, MUTED)
    p.save()


def overrides():
    p = Picture("overrides", 640, 170, "Decisions, undo and variants")
    x = 20
    for index, words in enumerate(["opened", "draft of fc1", "placement of fc2", "target"]):
        p.rect(x, 40, 116, 34, CANVAS if index else IDLE)
        p.text(x + 58, 61, words, 11)
        if index < 3:
            p.arrow(x + 116, 57, x + 136, 57)
        x += 136
    p.arrow(428, 30, 292, 30, ACCENT)
    p.text(360, 22, "Ctrl+Z", 11, ACCENT)
    p.rect(292, 110, 140, 34, OUTPUT)
    p.text(362, 131, "variant: all on PIM", 11, DARK)
    p.arrow(214, 74, 292, 122, MUTED)
    p.text(440, 131, "branched here, compared later", 11, MUTED, "start")
    p.save()


def pareto():
    p = Picture("pareto", 640, 200, "Compute against rearrangement, with the Pareto front")
    p.arrow(60, 170, 400, 170)
    p.arrow(60, 170, 60, 20)
    p.text(230, 190, "compute time", 11, MUTED)
    p.text(50, 30, "rearrangement", 11, MUTED, "start")
    points = [(90, 60), (130, 95), (190, 125), (270, 142), (360, 150)]
    for (x1, y1), (x2, y2) in zip(points, points[1:]):
        p.line(x1, y1, x2, y1, MARK, 1.5)
        p.line(x2, y1, x2, y2, MARK, 1.5)
    for x, y in [(150, 60), (200, 80), (230, 100), (300, 90), (330, 120), (260, 60), (170, 45)]:
        p.parts.append(f'<circle cx="{x}" cy="{y}" r="5" fill="{HOST}"/>')
    for x, y in points:
        p.parts.append(f'<circle cx="{x}" cy="{y}" r="6" fill="{COMPUTE}"/>')
    p.text(420, 70, "blue: no other draft is better", 11, INK, "start")
    p.text(420, 86, "in both (the Pareto front)", 11, INK, "start")
    p.text(420, 112, "grey: beaten by one of them", 11, MUTED, "start")
    p.save()


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    for draw in (machine, bank, placement, draft, dimension_set, tiles, rearrangement, mode_switch, residency, group_command, refresh, dual_mode,
                 predicted, overrides, pareto):
        draw()


if __name__ == "__main__":
    main()
