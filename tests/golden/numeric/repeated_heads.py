#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes exporters/repeated_heads_*.onnx with the exporter of PyTorch: attention in which two heads share keys and values, which are
repeated for each as Hugging Face Transformers does it (repeat_kv). What ONNX Runtime gives goes into exporters/onnxruntime.json.
usage: repeated_heads.py FOLDER_OF_NODE_MODULES"""
import sys

import onnx
import torch

from onnx_runtime import EXPORTERS, add_golden, run

HIDDEN, HEADS, GROUPS, PAST = 24, 4, 2, 6
WIDTH = HIDDEN // HEADS


class Attention(torch.nn.Module):
    def __init__(self):
        super().__init__()
        for name, out in (("q", HIDDEN), ("k", GROUPS * WIDTH), ("v", GROUPS * WIDTH), ("o", HIDDEN)):
            setattr(self, name, torch.nn.Linear(HIDDEN, out, bias=False))

    def split(self, x, heads):
        return x.view(x.shape[0], x.shape[1], heads, WIDTH).transpose(1, 2)

    def repeated(self, x):
        batch, groups, tokens, width = x.shape
        return x[:, :, None, :, :].expand(batch, groups, HEADS // GROUPS, tokens, width).reshape(batch, HEADS, tokens, width)

    def forward(self, x, past_k, past_v, mask=None):
        q = self.split(self.q(x), HEADS)
        k = torch.cat([past_k, self.split(self.k(x), GROUPS)], 2)
        v = torch.cat([past_v, self.split(self.v(x), GROUPS)], 2)
        scores = torch.matmul(q, self.repeated(k).transpose(2, 3)) / WIDTH**0.5
        if mask is not None:
            scores = scores + mask
        context = torch.matmul(torch.softmax(scores, -1), self.repeated(v))
        return self.o(context.transpose(1, 2).reshape(x.shape[0], x.shape[1], HIDDEN)), k, v


def main():
    torch.manual_seed(3)
    module = Attention().eval()
    golden = {}
    for name, batch, tokens, masked in (("decode", 2, 1, False), ("prompt", 2, 5, True)):
        rounded = lambda *shape: torch.round(torch.randn(*shape) * 100) / 100
        feeds = {"x": rounded(batch, tokens, HIDDEN), "past_k": rounded(batch, GROUPS, PAST, WIDTH),
                 "past_v": rounded(batch, GROUPS, PAST, WIDTH)}
        if masked:
            feeds["mask"] = torch.full((tokens, PAST + tokens), -65504.0).triu(PAST + 1)[None, None]
        file = EXPORTERS / f"repeated_heads_{name}.onnx"
        outputs = ["y", "present_k", "present_v"]
        torch.onnx.export(module, tuple(feeds.values()), str(file), input_names=list(feeds), output_names=outputs, opset_version=14)
        model = onnx.load(str(file))
        for node in model.graph.node:
            node.name = "it" + node.name
        onnx.save(model, str(file))
        tensor = lambda dims, data: {"type": "float32", "dims": list(dims), "data": data}
        golden["repeated_heads_" + name] = {
            "inputs": {each: tensor(value.shape, [round(float(v), 2) for v in value.flatten()]) for each, value in feeds.items()},
            "outputs": {each: tensor(result["dims"], [float(f"{v:.6g}") for v in result["data"]])
                        for each, result in zip(outputs, run(sys.argv[1], model, {key: value.numpy() for key, value in feeds.items()}))}}
    add_golden(golden)


main()
