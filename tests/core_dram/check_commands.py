# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds streams of DRAM commands against the tables of the simulators they come from, knowing nothing of how they were made: every distance between two
commands, rows that are open when they are read, refreshes that are not late.

Plain memories: random and sequential requests through `pimc replay`, against the resolved constraints of Ramulator 2.1 (tests/golden/dram/devices.json).
Machines with units in memory: `pimc export-trace --format commands` of products and element-wise operators, against the timing of PIMSimulator, of the
AttAcc simulator with its own constraints (tests/golden/attacc/pim_spec.json), and of aim_simulator, where a command to many banks is one to each of them.

usage: check_commands.py PIMC GOLDEN     folder tests/golden"""
import bisect
import collections
import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile

PIMC, GOLDEN = sys.argv[1], pathlib.Path(sys.argv[2])
REQUESTS = 1500


def run(*words):
    done = subprocess.run([PIMC, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, f"pimc {' '.join(map(str, words))}: {done.stderr}"
    return done.stdout


class Table:
    """Constraints [level, before, after, ticks, window, siblings] over a tree of nodes."""

    def __init__(self, levels, sizes, constraints):
        self.under, banks = {}, 1
        for level, size in reversed(list(zip(levels, sizes))):
            self.under[level], banks = banks, banks * size
        self.parent = dict(zip(levels[1:], levels))
        self.banks = banks
        self.rules = collections.defaultdict(list)
        for level, before, after, ticks, window, siblings in constraints:
            for command in after:
                self.rules[command].append((level, before, ticks, window, siblings))
        self.deepest = max(window for *_, window, _ in constraints)
        self.issued = collections.defaultdict(lambda: collections.deque(maxlen=self.deepest))

    def nodes(self, level, first, count):
        under = self.under[level]
        return range(first // under, (first + count - 1) // under + 1)

    def add(self, tick, command, first, count):
        """\\return what is wrong with a command to the banks from the first on."""
        problems = []
        for level, before, ticks, window, siblings in self.rules[command]:
            for node in self.nodes(level, first, count):
                group = [node]
                if siblings:
                    of_parent = self.under[self.parent[level]] // self.under[level]
                    start = node // of_parent * of_parent
                    group = [other for other in range(start, start + of_parent) if other != node]
                for other in group:
                    times = sorted(time for name in before for time in self.issued[level, other, name])
                    if len(times) >= window and tick - times[-window] < ticks:
                        problems.append(f"{tick - times[-window]} ticks after one of {before}, {ticks} are needed ({level}, window {window})")
        for level in self.under:
            for node in self.nodes(level, first, count):
                self.issued[level, node, command].append(tick)
        return problems


def requests(device, chance):
    """Lines of a trace: in order, at random, and rows of one bank in turn."""
    size = device["tx_bytes"]
    bits = sum(count for _, count in device["addr_bits_lsb_first"])
    last = min(1 << bits, 1 << 30) - 1
    start = chance.randrange(last // 2)
    places = [start + i for i in range(REQUESTS // 3)] + [chance.randrange(last) for _ in range(REQUESTS // 3)]
    low = sum(count for level, count in device["addr_bits_lsb_first"] if level != "Row")
    rows = max(1, min(1 << 10, last >> low))
    places += [(chance.randrange(rows) << low) + chance.randrange(4) for _ in range(REQUESTS // 3)]
    return "".join(f"{chance.choice(['LD', 'LD', 'ST'])} {place * size:#x}\n" for place in places)


def check_refreshes(name, ticks, interval, end):
    """At most two are ever owed, which JEDEC allows eight of."""
    for number in range(1, end // interval + 1):
        done = bisect.bisect_right(ticks, number * interval)
        assert done >= number - 2, f"{name}: {done} refreshes by tick {number * interval}, one is due every {interval}"


def check_plain(name, device, folder):
    (folder / "requests").write_text(requests(device, random.Random(name)))
    levels = [level for level in device["levels"] if level not in ("Row", "Column")]
    checked = 0
    for controller in ["ramulator-2.1", "strict"]:
        log = folder / f"{name}.{controller}.csv"
        run("replay", "--device", name, "--trace", folder / "requests", "--controller", controller, "--log", log)
        table = Table(levels, device["level_sizes"], device["constraints"])
        rows, refreshes, counts, end = {}, collections.defaultdict(list), collections.Counter(), 0
        for line in csv.DictReader(log.open()):
            tick, command = int(line["clock"]), line["command"]
            path = [int(line[level]) for level in levels]
            depth = next((i for i, index in enumerate(path) if index < 0), len(path))
            first = sum(index * table.under[level] for index, level in zip(path[:depth], levels))
            count = table.under[levels[depth - 1]] if depth else table.banks
            where = f"{name}, {controller}: tick {tick}, {command} to bank {first}"
            problems = table.add(tick, command, first, count)
            assert not problems, f"{where}: {'; '.join(problems)}"
            banks = range(first, first + count)
            if command in ("ACT", "ACT2"):
                assert first not in rows, f"{where}: a row is open"
                rows[first] = line["Row"]
            elif command.startswith(("RD", "WR")):
                assert rows.get(first) == line["Row"], f"{where}: row {line['Row']} is not open"
                if command[2:3] == "A":
                    del rows[first]
            elif command.startswith("PRE"):
                for bank in banks:
                    rows.pop(bank, None)
            elif command.startswith("REF"):
                assert not any(bank in rows for bank in banks), f"{where}: rows are open"
                refreshes[first].append(tick)
            counts[command] += 1
            end = max(end, tick)
        served = sum(count for command, count in counts.items() if command[:2] in ("RD", "WR"))
        assert served > REQUESTS / 2 and any(command.startswith("REF") for command in counts), counts
        for ticks in refreshes.values():
            check_refreshes(f"{name}, {controller}", ticks, device["timing_ticks"]["nREFI"], end)
        checked += sum(counts.values())
    return checked


class Banks:
    """The distances that every DRAM keeps, for commands to any number of banks at once.

    \\param timing  by the names of data sheets, in ticks
    \\param shape   pseudo-channels, ranks of each, groups of each, banks of each
    \\param spread  is the opening of many rows paid for by the four-activate window?"""

    def __init__(self, timing, shape, spread):
        self.t, self.spread = timing, spread
        self.in_group, self.in_rank = shape[3], shape[2] * shape[3]
        self.count = shape[0] * shape[1] * self.in_rank
        self.rows, self.last = {}, collections.defaultdict(lambda: -(10**9))
        self.activations = collections.defaultdict(list)
        self.refreshes = []

    def since(self, tick, kind, place):
        return tick - self.last[kind, place]

    def need(self, problems, name, ticks, least):
        if ticks < least:
            problems.append(f"{name}: {ticks} ticks, {least} are needed")

    def add(self, tick, kind, banks, row=None, ready=None):
        """\\param kind  act, rd, wr, mac (reads a bank for its unit), pre, ref, none
        \\param ready  ticks from activation to it, if they are not those of the kind"""
        t, problems = self.t, []
        need = lambda *what: self.need(problems, *what)
        groups, ranks = {bank // self.in_group for bank in banks}, {bank // self.in_rank for bank in banks}
        at = dict.fromkeys(banks, tick)
        if kind == "act":
            for rank in ranks:
                opened = [bank for bank in banks if bank // self.in_rank == rank]
                if self.spread:  # four at a time
                    for number, bank in enumerate(opened):
                        at[bank] = tick + number // 4 * t["tFAW"]
                need("tRRD_S", tick - max(self.activations[rank] or [-(10**9)]), t["tRRDS"])
                before = sorted(self.activations[rank])
                if len(before) >= 4 and (self.spread or len(opened) == 1):
                    need("tFAW", tick - before[-4], t["tFAW"])
                need("tRFC", self.since(tick, "ref", rank), t["tRFC"])
                self.activations[rank] = (before + [at[bank] for bank in opened])[-4:]
            for group in groups:
                need("tRRD_L", self.since(tick, "act", group), t["tRRDL"])
            for bank in banks:
                if bank in self.rows:
                    problems.append(f"bank {bank} has a row open")
                need("tRC", self.since(tick, "opened", bank), t["tRC"])
                need("tRP", self.since(tick, "pre", bank), t["tRP"])
                self.rows[bank] = row
                self.last["opened", bank] = at[bank]
        elif kind == "pre":
            for bank in [bank for bank in banks if bank in self.rows]:
                need("tRAS", self.since(tick, "opened", bank), t["tRAS"])
                need("tRTP", self.since(tick, "rd", ("bank", bank)), t["tRTP"])
                need("tWR", self.since(tick, "wr", ("bank", bank)), t["tCWL"] + t["tBL"] + t["tWR"])
                del self.rows[bank]
                self.last["pre", bank] = tick
        elif kind == "ref":
            for bank in banks:
                if bank in self.rows:
                    problems.append(f"bank {bank} has a row open")
                need("tRP", self.since(tick, "pre", bank), t["tRP"])
            for rank in ranks:
                need("tRFC", self.since(tick, "ref", rank), t["tRFC"])
            self.refreshes.append(tick)
        elif kind in ("rd", "wr", "mac"):
            reads = kind != "wr"
            for bank in banks:
                if bank not in self.rows or (row is not None and self.rows[bank] != row):
                    problems.append(f"bank {bank} has row {self.rows.get(bank)} open, not {row}")
                need("tRCD", self.since(tick, "opened", bank), ready or t["tRCDRD" if reads else "tRCDWR"])
            for scope, places, size in [("rank", ranks, "S"), ("group", groups, "L")]:
                for place in places:
                    need("tCCD_" + size, self.since(tick, "rd" if reads else "wr", (scope, place)), t["tCCD" + size])
                    if reads:
                        need("tWTR_" + size, self.since(tick, "wr", (scope, place)), t["tCWL"] + t["tBL"] + t["tWTR" + size])
                    elif scope == "rank" and t["tRTW"]:
                        need("tRTW", self.since(tick, "bus", place), t["tRTW"])
        for place in ranks:
            if kind == "rd":
                self.last["bus", place] = tick
            if kind == "ref":
                self.last["ref", place] = tick
        if kind in ("rd", "wr", "mac"):
            for scope, places in [("bank", banks), ("group", groups), ("rank", ranks)]:
                for place in places:
                    self.last["wr" if kind == "wr" else "rd", (scope, place)] = tick
        if kind == "act":
            for group in groups:
                self.last["act", group] = max(at[bank] for bank in banks if bank // self.in_group == group)
        return problems


def from_csv(file):
    return {line["name"]: int(line["value"]) for line in csv.DictReader(file.open()) if line["value"].isdigit()}


def samsung():
    p = from_csv(GOLDEN / "hbmpim" / "hbm2_params.csv")
    burst = p["BL"] // 2
    # The simulator reads nRTPL as the distance less what the burst adds, and leaves tFAW out: tXAW.
    timing = {**{key: p[key] for key in ("tRCDRD", "tRCDWR", "tRP", "tRAS", "tRC", "tRRDS", "tRRDL", "tWR", "tCCDS", "tCCDL", "tWTRS", "tWTRL", "tRFC", "tREFI")},
              "tBL": burst, "tCWL": p["WL"], "tRTP": burst + max(p["tRTPL"], p["tCCDL"]) - p["tCCDL"], "tFAW": p["tXAW"], "tRTW": p["RL"] + burst + p["tRTRS"] - p["WL"]}
    return timing, [1, 1, p["NUM_BANK_GROUPS"], p["NUM_BANKS"] // p["NUM_BANK_GROUPS"]]


def hbm3():
    spec = json.loads((GOLDEN / "attacc" / "pim_spec.json").read_text())
    p = {**spec["timing_presets"]["HBM3_5.2Gbps"], **spec["resolved_HBM3_5_2Gbps"]}
    timing = {"t" + key[1:]: value for key, value in p.items() if key.startswith("n")}
    timing |= {"tRTP": p["nRTPS"], "tRTW": p["nCL"] + p["nBL"] + 2 - p["nCWL"]}
    return timing, [2, 2, 4, 4], spec, p


def aim():
    p = from_csv(GOLDEN / "hbmpim" / "aim_timing.csv")
    gddr6 = json.loads((GOLDEN / "dram" / "devices.json").read_text())["devices"]["GDDR6"]["timing_ticks"]
    timing = {"t" + key[1:]: value for key, value in p.items() if key.startswith("n")}
    for name, of_gddr6 in [("tREFI", "nREFI"), ("tRFC", "nRFCab")]:  # the simulator has none
        timing[name] = gddr6[of_gddr6] * gddr6["tCK_ps"] // p["tick"]
    return {**timing, "tFAW": 0, "tRTW": p["nCL"] + p["nBL"] + 2 - p["nCWL"]}, [1, 1, 4, 4]


def attacc_table(spec, values):
    levels, sizes = ["channel", "pseudochannel", "rank", "bankgroup", "bank"], [1, 2, 2, 4, 4]
    ticks = lambda text: eval(text, {"__builtins__": {}}, values)  # sums of names in our own copy of the table
    return Table(levels, sizes, [[level, before, after, ticks(rule), window, False] for level, before, after, rule, window in spec["constraints"]])


# Fill and drain buffers beside the banks; the table of AttAcc has distances for some.
BUFFERS = {"WRGB", "MVSB", "MVGB", "SFM", "SETM", "SETH", "BARRIER", "RDSB", "WRSB", "TMOD", "WRMAC16", "RDMAC16"}


def machine(target):
    """\return how the banks of a target are checked, its table if it has one, and of each command: its kind, its banks, ready."""
    table = None
    if target.startswith("aim"):
        timing, shape = aim()
        banks = Banks(timing, shape, spread=False)
    elif target == "hbm-pim":
        timing, shape = samsung()
        banks = Banks(timing, shape, spread=True)
    else:
        timing, shape, spec, values = hbm3()
        banks = Banks(timing, shape, spread=True)
        table = attacc_table(spec, values) if target == "attacc" else None
    one, everything = lambda b: [b], lambda b: range(banks.count)
    some = lambda b: [bank for bank in range(banks.count) if bank % 2 == b % 2]  # all even or all odd banks
    of_channel = banks.count // shape[0]  # of a pseudo-channel
    return banks, table, {
        "ACT": ("act", one, None), "ACT16": ("act", everything, None), "ACTAB": ("act", everything, None), "ACT_AB": ("act", some, None),
        "PRE": ("pre", one, None), "PREA": ("pre", everything, None), "PRE_AB": ("pre", some, None), "RD": ("rd", one, None), "WR": ("wr", one, None),
        "RD_AB": ("mac", some, None), "WR_AB": ("wr", some, None), "WRR_AB": ("wr", some, None), "MACAB": ("mac", everything, None),
        "MAC16": ("mac", everything, timing.get("tRCDMAC")), "EWMUL16": ("mac", everything, timing.get("tRCDEWMUL")),
        "REFab": ("ref", lambda b: range(b, b + of_channel), None),
    }


def first_problem(target, lines):
    """\return what is wrong with the first command that has something, and refreshes by their first bank."""
    banks, table, known = machine(target)
    refreshes = collections.defaultdict(list)
    for line in lines:
        tick, command, first, problems, count = int(line["tick"]), line["command"], int(line["bank"]), [], 1
        if command not in BUFFERS:
            kind, which, ready = known[command]
            chosen = which(first)
            count = len(chosen)
            problems = banks.add(tick, kind, chosen, line["row"] if line["row"] != "-1" else None, ready)
            if kind == "ref":
                refreshes[first].append(tick)
        if table:
            problems += table.add(tick, command, first, count)
        if problems:
            return f"{target}: tick {tick}, {command} to bank {first}: {'; '.join(sorted(set(problems))[:4])}", refreshes
    return None, refreshes


def check_machine(target, model, op, log):
    run("export-trace", model, "--target", target, "--op", op, "--on-pim", "--format", "commands", "--output", log)
    lines = list(csv.DictReader(log.open()))
    problem, refreshes = first_problem(target, lines)
    assert problem is None, f"{op}: {problem}"
    assert len(lines) > 10, f"{op}, {target}: {len(lines)} commands"
    for ticks in refreshes.values():
        check_refreshes(f"{target}, {op}", ticks, machine(target)[0].t["tREFI"], int(lines[-1]["tick"]))
    return lines, sum(map(len, refreshes.values()))


def caught(target, lines, chance):
    """Commands that went out as early as they could, one tick earlier: \return how many of how many are seen."""
    places = [i for i, line in enumerate(lines) if "->" in line["reason"] and line["command"] not in BUFFERS]
    chosen = chance.sample(places, min(12, len(places)))
    seen = 0
    for place in chosen:
        line = {**lines[place], "tick": str(int(lines[place]["tick"]) - 1)}
        seen += first_problem(target, lines[:place] + [line])[0] is not None
    return seen, len(chosen)


def main():
    devices = json.loads((GOLDEN / "dram" / "devices.json").read_text())["devices"]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        plain = sum(check_plain(name, device, folder) for name, device in devices.items())
        print(f"{len(devices)} memories, {plain} commands")
        ops = ["attention/qkv/MatMul", "mlp/fc1/MatMul", "mlp/fc2/MatMul", "attention/out/MatMul"]
        ops = [("sample:tiny-gpt", "/layers.0/" + op) for op in ops] + [("sample:gpt3-13b-decode", "/layers.0/mlp/fc1/MatMul")]
        for target in ["hbm-pim", "hbm-pim-hbm3", "attacc", "aim", "aim-32"]:
            done = [check_machine(target, model, op, folder / "commands.csv") for model, op in ops]
            seen, moved = caught(target, done[0][0], random.Random(target))
            refreshes = sum(number for _, number in done)
            assert refreshes > 0 and seen > 0 and 4 * seen >= 3 * moved, f"{target}: {refreshes} refreshes, {seen} of {moved}"
            print(f"{target}: {sum(len(lines) for lines, _ in done)} commands, {refreshes} refreshes; {seen} of {moved} too early are seen")


main()
