// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/execute/execute.h"

#include "core/numeric/difference.h"

#include <fmt/format.h>

namespace pim {

namespace {

class Comparer {
public:
    Comparer(const QuantizedModel& model, ReferenceComparison& result)
        : m_graph(*model.graph), m_result(result) {}

    template <class T>
    void compare(OpId op, const std::string& what, std::span<const T> expected, std::span<const T> got,
                 const Shape& shape = {}) {
        m_result.elements += static_cast<std::int64_t>(expected.size());
        if (m_result.first)
            return;
        const std::size_t common = std::min(expected.size(), got.size());
        std::size_t at = 0;
        std::int64_t count = 0;
        for (std::size_t i = common; i-- > 0;)
            if (expected[i] != got[i]) {
                at = i;
                ++count;
            }
        if (count == 0 && expected.size() == got.size())
            return;
        ReferenceComparison::Difference difference;
        difference.op = op;
        difference.what = what;
        difference.element = static_cast<std::int64_t>(at);
        difference.index = indexOf(difference.element, shape);
        difference.count = count;
        const std::string name = op.valid() ? m_graph.op(op).name : std::string("end");
        if (count == 0) {
            difference.text = got.empty() ? fmt::format("{}: the flow has no {}", name, what)
                                          : fmt::format("{}: {} has {} elements, {} were expected", name,
                                                        what, got.size(), expected.size());
        } else {
            difference.expected = static_cast<std::int64_t>(expected[at]);
            difference.got = static_cast<std::int64_t>(got[at]);
            difference.text =
                fmt::format("{}: element {} of {} is {}, {} was expected; {} of {} differ", name,
                            shape.empty() ? std::to_string(at) : shapeText(difference.index), what,
                            difference.got, difference.expected, count, expected.size());
        }
        m_result.first = std::move(difference);
    }

    void compare(OpId op, const std::string& what, const Value& expected, const Value& got) {
        if (expected.dtype == DataType::I8)
            compare(op, what, elements<std::int8_t>(expected), elements<std::int8_t>(got), expected.shape);
        else // bytes
            compare(op, what, elements<std::uint8_t>(expected), elements<std::uint8_t>(got));
    }

private:
    const Graph& m_graph;
    ReferenceComparison& m_result;
};

} // namespace

ReferenceComparison compareWithReference(const QuantizedModel& model, const QuantizedRun& expected,
                                         const DualModeExecution& got) {
    ReferenceComparison result;
    Comparer comparer(model, result);
    const Graph& graph = *model.graph;
    static const Value kNone;
    const auto find = [](const std::map<OpId, Value>& values, OpId id) -> const Value& {
        const auto it = values.find(id);
        return it == values.end() ? kNone : it->second;
    };
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const OpId id(static_cast<std::int64_t>(i));
        ++result.ops;
        for (const MatrixForm& form : model.forms[i]) {
            const auto e = expected.sums.find({id, form.part}), g = got.run.sums.find({id, form.part});
            if (e != expected.sums.end() && g != got.run.sums.end())
                comparer.compare(
                    id,
                    form.parts == 2 ? (form.part == 0 ? "sums of the scores" : "sums of the context")
                                    : "sums",
                    std::span<const std::int32_t>(e->second), std::span<const std::int32_t>(g->second));
            if (form.parts == 2 && form.part == 0) {
                comparer.compare(id, "scores", find(expected.scores, id), find(got.run.scores, id));
                comparer.compare(id, "probabilities", find(expected.probabilities, id),
                                 find(got.run.probabilities, id));
            }
        }
        for (const TensorId out : graph.ops[i].outputs)
            if (out.valid() && expected.values[out.index()].bytes)
                comparer.compare(id, fmt::format("result \"{}\"", graph.tensor(out).name),
                                 expected.values[out.index()], got.run.values[out.index()]);
    }
    for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
        const Value& reference = expected.values[graph.outputs[i].index()];
        if (!reference.bytes || i >= got.outputs.size())
            continue;
        result.outputs += reference.count();
        comparer.compare(graph.tensor(graph.outputs[i]).producer,
                         fmt::format("output \"{}\" in main memory", graph.tensor(graph.outputs[i]).name),
                         reference, got.outputs[i]);
    }
    return result;
}

} // namespace pim
