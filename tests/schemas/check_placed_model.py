# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens what `pimc export-onnx` writes with the onnx package: it passes its checker, is the model it was but for metadata, and the metadata
of each node is what the plan says. Our own reader opens it and makes the same plan.

usage: check_placed_model.py PIMC PROJECTS"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import onnx
import onnx.checker
from google.protobuf.internal import decoder, wire_format

NODE_METADATA = 9  # NodeProto::metadata_props of ONNX 1.16; older packages keep it as an unknown field


def run(*words):
    done = subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, f"{words}: {done.stderr}"
    return done.stdout


def metadata(node):
    """Its metadata_props, and its bytes without them."""
    text, at, entries, rest = node.SerializeToString(), 0, {}, b""
    while at < len(text):
        begin = at
        tag, at = decoder._DecodeVarint(text, at)
        end = decoder.SkipField(text, at, len(text), text[begin:at])
        if tag >> 3 == NODE_METADATA:
            assert tag & 7 == wire_format.WIRETYPE_LENGTH_DELIMITED
            _, at = decoder._DecodeVarint(text, at)
            entry = onnx.StringStringEntryProto.FromString(text[at:end])
            assert entry.key not in entries, f"{entry.key} twice"
            entries[entry.key] = entry.value
        else:
            rest += text[begin:end]
        at = end
    return entries, rest


def check(pimc, model, placed, plan):
    before, after = onnx.load(model, load_external_data=False), onnx.load(placed, load_external_data=False)
    told = {entry.key: entry.value for entry in after.metadata_props if entry.key.startswith("pimstudio.")}
    assert float(told["pimstudio.total_ns"]) == plan["total_ns"] and told["pimstudio.target"] == plan["target"], told
    ops = {op["name"]: op for op in plan["ops"]}
    named, sum_of_ops = set(), {}
    assert len(before.graph.node) == len(after.graph.node)
    for old, new in zip(before.graph.node, after.graph.node):
        entries, rest = metadata(new)
        assert rest == metadata(old)[1], f"{new.name} was changed"
        if entries["pimstudio.placement"] == "none":
            continue
        op = ops.get(entries["pimstudio.op"])
        if op is None:  # became several
            assert all(name in ops for name in entries["pimstudio.op"].split("; ")), entries
            named |= set(entries["pimstudio.op"].split("; "))
            continue
        named.add(op["name"])
        assert entries["pimstudio.placement"] == op["placement"] and entries["pimstudio.reason"] == op["reason"], entries
        assert float(entries["pimstudio.ns"]) == op["total_ns"] and entries.get("pimstudio.draft") == op["draft"], entries
        assert abs(float(entries["pimstudio.share"]) - op["total_ns"] / plan["total_ns"]) < 1e-5, entries
    assert named == set(ops), set(ops) - named
    for model_proto in (before, after):
        while any(entry.key.startswith("pimstudio.") for entry in model_proto.metadata_props):
            model_proto.metadata_props.remove(next(e for e in model_proto.metadata_props if e.key.startswith("pimstudio.")))
        del model_proto.graph.node[:]
    assert before.SerializeToString(deterministic=True) == after.SerializeToString(deterministic=True), "something else was changed"


def outcome(model):
    """What the checker says; of a sample, that weights are absent."""
    try:
        onnx.checker.check_model(str(model))
    except onnx.checker.ValidationError as error:
        assert "weights-absent" in str(error), error
        return str(error).replace(str(model.parent), "")
    return ""


def main():
    pimc, projects = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run(pimc, "zoo", "tiny-gpt", "--past", "7", "-o", folder / "own.onnx")
        onnx.save(onnx.load(folder / "own.onnx"), str(folder / "external.onnx"), save_as_external_data=True, location="weights.bin", size_threshold=64)
        cases = [(folder / "own.onnx", "hbm-pim"), (folder / "external.onnx", "attacc"),
                 (projects / "tiny-gpt" / "tiny-gpt.onnx", "dynaplasia"), (projects / "mobilenetv2" / "mobilenetv2.onnx", "isaac")]
        for model, target in cases:
            common = ["--target", target, "--verify", "0", "--quiet"] + (["--bind", "past=7"] if "projects" in str(model) and "gpt" in str(model) else [])
            plan = json.loads(run(pimc, "compile", model, *common, "--json"))
            placed = folder / "placed.onnx"
            run(pimc, "export-onnx", model, *common, "--output", placed)
            check(pimc, model, placed, plan)
            assert outcome(placed) == outcome(model), f"{model}: {outcome(placed)}"
            assert json.loads(run(pimc, "compile", placed, *common, "--json")) == plan, f"{model}: another plan"
            again = folder / "again.onnx"
            run(pimc, "export-onnx", placed, *common, "--output", again)
            assert again.read_bytes() == placed.read_bytes(), f"{model}: written again, it is another file"
            shutil.copy(placed, folder / "itself.onnx")
            run(pimc, "export-onnx", folder / "itself.onnx", *common, "--output", folder / "itself.onnx")
            assert (folder / "itself.onnx").read_bytes() == placed.read_bytes(), f"{model}: written over itself, it is another file"
            print(f"{model.name} on {target}: {len(plan['ops'])} ops")
    return 0


if __name__ == "__main__":
    sys.exit(main())
