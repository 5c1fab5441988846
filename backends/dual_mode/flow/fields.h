// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The fields of every statement of the text form, once for writing and reading. `a.field(key, value)`: left
/// out in the text where the value is the default one. Internal to backends/dual_mode/flow.
#include "backends/dual_mode/flow/flow.h"

#include <utility>

namespace pim::flow_text {

struct KindWord {
    FlowKind kind;
    std::string_view word;
};
inline constexpr KindWord kKinds[] = {
    {FlowKind::WriteWeights, "CM.write"}, {FlowKind::Multiply, "CM.mvm"}, {FlowKind::Hold, "MEM.hold"},
    {FlowKind::Load, "MEM.load"},         {FlowKind::Store, "MEM.store"}, {FlowKind::Release, "MEM.release"},
    {FlowKind::Vector, "VU.run"},         {FlowKind::Host, "HOST.run"},
};
inline constexpr std::string_view kTensorKinds[] = {"activation", "view",          "constant",
                                                    "scores",     "probabilities", "accumulator"};
inline constexpr std::string_view kSumRoles[] = {"whole", "first", "more", "last"};

/// Nothing in a flow is larger: products of two never leave 64 bits when first compared with it as double.
inline constexpr std::int64_t kMaxNumber = std::int64_t(1) << 52;

template <class A>
void header(A& a, DualModeFlow& f) {
    a.field("network", f.network);
    a.field("chip", f.chip);
    a.field("arrays", f.arrays);
    a.field("rows", f.rows);
    a.field("columns", f.columns);
    a.field("array_bytes", f.arrayBytes);
    a.field("main_bytes", f.mainBytes);
    a.field("inputs", f.inputs);
    a.field("outputs", f.outputs);
}
template <class A>
void fields(A& a, FlowTensor& t) {
    a.field("name", t.name);
    a.field("kind", t.kind);
    a.field("graph", t.tensor);
    a.field("of", t.of);
    a.field("bytes", t.bytes);
    a.field("at", t.address);
    a.field("buffered", t.buffered);
}
template <class A>
void fields(A& a, FlowOp& o) {
    a.field("name", o.name);
    a.field("graph", o.op);
    a.field("part", o.part);
    a.field("m", o.m);
    a.field("n", o.n);
    a.field("k", o.k);
    a.field("g", o.g);
    a.field("packed", o.packed);
    a.field("streamed", o.streamed);
    a.field("weights", o.weights);
    a.field("result", o.result);
    a.field("accumulator", o.accumulator);
    a.field("pace", o.pace);
    a.field("in", o.window.in);
    a.field("out", o.window.out);
    a.field("kernel", o.window.kernel);
    a.field("strides", o.window.strides);
    a.field("dilations", o.window.dilations);
    a.field("pads", o.window.padBegin);
}
template <class A>
void fields(A& a, FlowPiece& p) {
    a.field("op", p.op);
    a.range("g", p.gBegin, p.g);
    a.range("n", p.nBegin, p.n);
    a.range("k", p.kBegin, p.k);
    a.field("blocks", p.blocks);
    a.field("sum", p.sum);
}
template <class A>
void fields(A& a, FlowGraphOp& run, FlowKind kind) {
    a.field("graph", run.op);
    a.field("name", run.name);
    a.field("reads", run.reads);
    a.field("writes", run.writes);
    if (kind == FlowKind::Host) {
        a.field("note", run.note);
        return;
    }
    a.field("work", run.work);
    a.field("pace", run.pace);
    a.field("view", run.view);
}
/// Switches are written apart: `CM.switch(TOM, [0-3])`.
template <class A>
void fields(A& a, FlowOperator& o) {
    switch (o.kind) {
    case FlowKind::SwitchToMemory:
    case FlowKind::SwitchToCompute:
        break;
    case FlowKind::WriteWeights:
    case FlowKind::Multiply:
        a.field("piece", o.piece);
        a.field("copies", o.copies);
        a.field("arrays", o.arrays);
        break;
    case FlowKind::Hold:
        a.field("tensor", o.tensor);
        a.field("bytes", o.runs);
        a.field("arrays", o.arrays);
        a.field("window", o.window);
        break;
    case FlowKind::Load:
    case FlowKind::Store:
    case FlowKind::Release:
        a.field("tensor", o.tensor);
        a.field("bytes", o.runs);
        break;
    case FlowKind::Vector:
    case FlowKind::Host: {
        FlowGraphOp run = o.run ? *o.run : FlowGraphOp();
        fields(a, run, o.kind);
        if (!o.run) // it is being read
            o.run = std::make_shared<const FlowGraphOp>(std::move(run));
        break;
    }
    }
}

} // namespace pim::flow_text
