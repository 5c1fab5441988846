# SPDX-License-Identifier: GPL-3.0-or-later
"""What ONNX Runtime (npm package onnxruntime-node) gives for a model, and the file of it: for the scripts beside."""
import base64
import json
import pathlib
import subprocess
import tempfile

import onnx

HERE = pathlib.Path(__file__).resolve().parent
RUNNER = HERE.parent.parent / "support" / "run_onnxruntime.js"
EXPORTERS = HERE / "exporters"


def run(modules, model, feeds):
    with tempfile.TemporaryDirectory() as folder:
        onnx.save(model, folder + "/m.onnx")
        inputs = [{"name": name, "type": "float32", "dims": list(value.shape),
                   "data": base64.b64encode(value.astype("<f4").tobytes()).decode()} for name, value in feeds.items()]
        with open(folder + "/cases.json", "w") as file:
            json.dump([{"name": "it", "model": "m.onnx", "inputs": inputs}], file)
        said = subprocess.run(["node", str(RUNNER), modules, folder], check=True, capture_output=True, text=True).stdout
        results = json.loads(said)["it"]
        assert results is not None, "ONNX Runtime does not run the model"
        return results


def add_golden(new):
    """Writes cases {name: {inputs, outputs}} into exporters/onnxruntime.json, in the place of those of their names."""
    file = EXPORTERS / "onnxruntime.json"
    golden = json.loads(file.read_text()) | new
    lines = [f"{json.dumps(name)}: {json.dumps(golden[name], separators=(',', ':'))}" for name in sorted(golden)]
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n")
