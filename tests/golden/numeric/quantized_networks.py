#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes exporters/qoperator_cnn.onnx and qoperator_cnn_qdq.onnx, a small picture classifier in the two forms of ONNX Runtime's
quantiser, with python3-onnx: ranges of all tensors are those of its fractions, which ONNX Runtime computes, weights have a scale for each
channel. What ONNX Runtime gives for both goes into exporters/onnxruntime.json.
usage: quantized_networks.py FOLDER_OF_NODE_MODULES"""
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from onnx_runtime import EXPORTERS, add_golden, run

random = np.random.default_rng(7)
PICTURE = (1, 3, 12, 12)


def weights(*shape):
    return (random.normal(size=shape) / np.sqrt(np.prod(shape[1:]))).astype(np.float32)


# name, operator, operands, weights, attributes
LAYERS = [
    ("stem", "Conv", ["x"], [weights(8, 3, 3, 3), weights(8)], {"pads": [1, 1, 1, 1]}),
    ("lean", "LeakyRelu", ["stem"], [], {"alpha": 0.1}),
    ("half", "MaxPool", ["lean"], [], {"kernel_shape": [2, 2], "strides": [2, 2]}),
    ("depth", "Conv", ["half"], [weights(8, 1, 3, 3), weights(8)], {"pads": [1, 1, 1, 1], "group": 8}),
    ("point", "Conv", ["depth"], [weights(8, 8, 1, 1), weights(8)], {}),
    ("gate", "Sigmoid", ["point"], [], {}),
    ("gated", "Mul", ["point", "gate"], [], {}),
    ("sum", "Add", ["half", "gated"], [], {}),
    ("both", "Concat", ["sum", "gated"], [], {"axis": 1}),
    ("pooled", "AveragePool", ["both"], [], {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}),
    ("mean", "GlobalAveragePool", ["pooled"], [], {}),
    ("flat", "Flatten", ["mean"], [], {"axis": 1}),
    ("scores", "Gemm", ["flat"], [weights(5, 16), weights(5)], {"transB": 1}),
    ("chances", "Softmax", ["scores"], [], {"axis": 1}),
]
KEEPS = {"MaxPool", "Flatten"}  # their results have the scale of their operands


def model_of(nodes, constants, outputs):
    graph = helper.make_graph(
        nodes, "quantised pictures", [helper.make_tensor_value_info("x", TensorProto.FLOAT, PICTURE)],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
        [numpy_helper.from_array(value, name) for name, value in constants.items()])
    model = helper.make_model(graph, producer_name="quantized_networks.py", opset_imports=[
        helper.make_opsetid("", 13), helper.make_opsetid("com.microsoft", 1)])
    model.ir_version = 8
    return model


def fractions():
    nodes, constants = [], {}
    for name, kind, operands, values, attributes in LAYERS:
        own = [f"{name}_{i}" for i in range(len(values))]
        constants.update(zip(own, values))
        nodes.append(helper.make_node(kind, operands + own, [name], name="it_" + name, **attributes))
    return nodes, constants


def scales_of(modules, pictures):
    """Scale and zero point of 8 bits for each tensor."""
    nodes, constants = fractions()
    names = ["x"] + [layer[0] for layer in LAYERS]
    low, high = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0)
    for picture in pictures:
        results = run(modules, model_of(nodes, constants, names[1:]), {"x": picture})
        for name, values in zip(names, [picture.ravel()] + [r["data"] for r in results]):
            low[name], high[name] = min(low[name], min(values)), max(high[name], max(values))
    scales = {}
    for name in names:
        scale = np.float32((high[name] - low[name]) / 255)
        scales[name] = (scale, np.uint8(np.clip(round(-low[name] / scale), 0, 255)))
    for name, kind, operands, _, _ in LAYERS:
        if kind in KEEPS:
            scales[name] = scales[operands[0]]
    return scales


def quantized(scales, qdq):
    nodes, constants = [], {}

    def constant(name, value):
        constants[name] = np.asarray(value)
        return name

    def scale(name):
        return [constant(name + "_scale", scales[name][0]), constant(name + "_zero", scales[name][1])]

    def real(name):  # a tensor of 8 bits as fractions
        nodes.append(helper.make_node("DequantizeLinear", [name + "_q"] + scale(name), [f"{name}_{len(nodes)}"],
                                      name=f"it_dequantize_{len(nodes)}"))
        return nodes[-1].output[0]

    nodes.append(helper.make_node("QuantizeLinear", ["x"] + scale("x"), ["x_q"], name="it_quantize"))
    for name, kind, operands, values, attributes in LAYERS:
        where, out = scale(name), name + "_q"
        whole = []  # weights, scale, zero, bias
        if values:
            by_row = np.abs(values[0]).reshape(len(values[0]), -1).max(axis=1).astype(np.float32) / 127
            shape = [-1] + [1] * (values[0].ndim - 1)
            bias_scale = by_row * scales[operands[0]][0]
            whole = [constant(name + "_w", np.round(values[0] / by_row.reshape(shape)).astype(np.int8)),
                     constant(name + "_ws", by_row), constant(name + "_wz", np.zeros(len(by_row), np.int8)),
                     constant(name + "_b", np.round(values[1] / bias_scale).astype(np.int32)),
                     constant(name + "_bs", bias_scale.astype(np.float32))]
        def node(kind, inputs, domain="", outputs=(out,), **more):
            nodes.append(helper.make_node(kind, inputs, list(outputs), name=f"it_{name}_{len(nodes)}", domain=domain, **more))
        if kind in KEEPS:
            node(kind, [operands[0] + "_q"], **attributes)
        elif qdq:
            inputs = [real(each) for each in operands]
            if whole:
                node("DequantizeLinear", whole[:3], outputs=[name + "_wr"], axis=0)
                node("DequantizeLinear", whole[3:], outputs=[name + "_br"], axis=0)
                inputs += [name + "_wr", name + "_br"]
            node(kind, inputs, outputs=[name + "_r"], **attributes)
            node("QuantizeLinear", [name + "_r"] + where)
        elif kind == "Conv":
            node("QLinearConv", [operands[0] + "_q"] + scale(operands[0]) + whole[:3] + where + whole[3:4], **attributes)
        elif kind == "Gemm":
            node("QGemm", [operands[0] + "_q"] + scale(operands[0]) + whole[:3] + whole[3:4] + where,
                 "com.microsoft", **attributes)
        elif kind == "Concat":
            parts = sum(([each + "_q"] + scale(each) for each in operands), [])
            node("QLinearConcat", where + parts, "com.microsoft", **attributes)
        else:
            parts = sum(([each + "_q"] + scale(each) for each in operands), [])
            more = dict(attributes, opset=13) if kind == "Softmax" else attributes
            node("QLinear" + kind, parts + where, "com.microsoft", **more)
    nodes.append(helper.make_node("DequantizeLinear", ["chances_q"] + scale("chances"), ["y"], name="it_dequantize"))
    nodes.append(helper.make_node("DequantizeLinear", ["scores_q"] + scale("scores"), ["logits"], name="it_dequantize_scores"))
    return model_of(nodes, constants, ["y", "logits"])


def main():
    modules = sys.argv[1]
    pictures = [np.round(random.normal(size=PICTURE), 2).astype(np.float32) for _ in range(6)]
    scales = scales_of(modules, pictures)
    golden = {}
    for name, qdq in (("qoperator_cnn", False), ("qoperator_cnn_qdq", True)):
        model = quantized(scales, qdq)
        onnx.save(model, str(EXPORTERS / (name + ".onnx")))
        results = run(modules, model, {"x": pictures[0]})
        golden[name] = {
            "inputs": {"x": {"type": "float32", "dims": list(PICTURE), "data": [round(float(v), 2) for v in pictures[0].ravel()]}},
            "outputs": {out: {"type": "float32", "dims": r["dims"], "data": [float(f"{v:.6g}") for v in r["data"]]}
                        for out, r in zip(["y", "logits"], results)}}
    add_golden(golden)


main()
