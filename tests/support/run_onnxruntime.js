// SPDX-License-Identifier: GPL-3.0-or-later
// Runs models by ONNX Runtime and prints what comes out, one line a case, as tests/golden/numeric/operators.json has it.
// usage: node run_onnxruntime.js FOLDER_OF_NODE_MODULES FOLDER
//   FOLDER has cases.json: [{name, model (file), inputs: [{name, type, dims, data (base64, little-endian)}]}]
'use strict';
const fs = require('fs');
const path = require('path');
const ort = require(path.join(process.argv[2], 'onnxruntime-node'));
const folder = process.argv[3];

const arrays = {
    float32: Float32Array, float64: Float64Array, float16: Uint16Array, int8: Int8Array, uint8: Uint8Array,
    int16: Int16Array, uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array,
    uint64: BigUint64Array, bool: Uint8Array,
};

function tensorOf(input) {
    const bytes = Buffer.from(input.data, 'base64');
    const buffer = new ArrayBuffer(bytes.length);
    new Uint8Array(buffer).set(bytes);
    return new ort.Tensor(input.type, new arrays[input.type](buffer), input.dims);
}

// Eight digits tell floats apart; what JSON has no number for is text.
function numberOf(value, type) {
    if (typeof value === 'bigint' || typeof value === 'boolean')
        return Number(value);
    if (!Number.isFinite(value))
        return String(value);
    return type.startsWith('float') ? Number(value.toPrecision(8)) : value;
}

// The bits of a half, where this version of Node has no array of halves.
function halfOf(bits) {
    const exponent = (bits >> 10) & 31, fraction = bits & 1023, sign = bits & 0x8000 ? -1 : 1;
    if (exponent === 31)
        return fraction ? NaN : sign * Infinity;
    return sign * (exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction / 1024 * 2 ** -14);
}

function resultOf(tensor) {
    let values = Array.from(tensor.data);
    if (tensor.type === 'float16' && tensor.data instanceof Uint16Array)
        values = values.map(halfOf);
    return {type: tensor.type, dims: Array.from(tensor.dims), data: values.map((v) => numberOf(v, tensor.type))};
}

async function run(one) {
    try {
        const session = await ort.InferenceSession.create(path.join(folder, one.model),
            {graphOptimizationLevel: 'disabled', logSeverityLevel: 4, intraOpNumThreads: 1});
        const feeds = {};
        for (const input of one.inputs)
            feeds[input.name] = tensorOf(input);
        const results = await session.run(feeds);
        return session.outputNames.map((name) => resultOf(results[name]));
    } catch {
        return null; // it has no kernel for these types, or does not take these attributes
    }
}

(async () => {
    const cases = JSON.parse(fs.readFileSync(path.join(folder, 'cases.json')));
    const lines = [];
    for (const one of cases)
        lines.push(JSON.stringify(one.name) + ': ' + JSON.stringify(await run(one)));
    process.stdout.write('{\n' + lines.join(',\n') + '\n}\n');
})();
