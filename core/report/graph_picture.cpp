// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/graph_picture.h"

#include "core/base/number_text.h"
#include "core/graph/blocks.h"
#include "core/graph_drawing/layered.h"
#include "core/report/content.h"
#include "core/report/drawing_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

namespace pim::report {
namespace {

constexpr double kGraphMargin = 12, kGraphLegend = 28, kBoxLine = 14, kStrip = 4, kLeastBox = 90;
constexpr std::size_t kMostLetters = 26, kMostTip = 200;
constexpr std::size_t kMostEnds = 24;        ///< Inputs and outputs of the network.
constexpr std::size_t kMostStretches = 8000; ///< Of lines. A net that is denser cannot be read anyway.

struct GraphBox {
    std::string type, name, shape, tip;
    Ink ink = Ink::Muted;
    bool isEnd = false; ///< An input or output of the network.
};

std::string tensorInWords(const Tensor& tensor) {
    return fmt::format("{} {}", name(tensor.dtype), tensor.shape ? shapeText(*tensor.shape) : "?");
}

std::string outputInWords(const Graph& graph, const Op& op) {
    const auto made = std::ranges::find_if(op.outputs, &TensorId::valid);
    return made == op.outputs.end() ? std::string() : tensorInWords(graph.tensor(*made));
}

class NetworkPainter {
public:
    NetworkPainter(const Graph& graph, std::size_t most)
        : m_graph(graph), m_blocks(findBlocks(graph)), m_folded(foldedAtFirst(graph, m_blocks)),
          m_boxOfOp(graph.ops.size(), -1) {
        addOps(std::max<std::size_t>(most, 1));
        for (const TensorId input : graph.inputs)
            for (const OpId reader : graph.tensor(input).consumers)
                addEnd(input, "input", boxOf(reader), false);
        for (const TensorId output : graph.outputs)
            if (output.valid())
                addEnd(output, "output", boxOf(graph.tensor(output).producer), true);
        addLines();
    }

    Result<Drawing> draw(const TaskContext& task) {
        std::vector<LayoutSize> sizes;
        for (const GraphBox& box : m_boxes)
            sizes.push_back(sizeOf(box));
        LayoutOptions options;
        options.nodeGap = 16;
        options.rankGap = 26;
        options.componentGap = 40;
        PIM_TRY(const GraphLayout layout, layoutLayered(sizes, m_lines, options, task));
        Drawing drawing;
        drawing.title = fmt::format("{}: {} ops", shortened(modelName(m_graph), kMostTip),
                                    exactText(std::ssize(m_graph.ops)));
        const double right = addKeys(drawing);
        for (std::size_t line = 0; line < m_lines.size(); ++line)
            addLine(drawing, layout.edge(line));
        for (std::size_t box = 0; box < m_boxes.size(); ++box)
            addBox(drawing, m_boxes[box], layout.nodes[box], sizes[box]);
        drawing.width = std::max({layout.width + 2 * kGraphMargin, right, 320.0});
        drawing.height = kGraphLegend + layout.height + kGraphMargin;
        const std::string left = leftOut();
        drawing.description =
            "Operators from top to bottom, lines are tensors" + (left.empty() ? "" : "; " + left);
        if (!left.empty()) {
            drawing.height += kBoxLine;
            drawing.marks.push_back(Label{kGraphMargin, drawing.height - kGraphMargin, left, Ink::Text,
                                          kTextSize, Anchor::Start, true});
            drawing.width = std::max(drawing.width, widthOf(left) + 3 * kGraphMargin);
        }
        return drawing;
    }

private:
    std::int32_t boxOf(OpId op) const { return op.valid() ? m_boxOfOp[op.index()] : -1; }

    /// The outermost folded block that the op is in; -1: none.
    std::int32_t foldedAround(OpId op) const {
        std::int32_t found = -1;
        for (std::int32_t block = m_blocks.inner[op.index()]; block >= 0;
             block = m_blocks.blocks[static_cast<std::size_t>(block)].parent)
            if (m_folded[static_cast<std::size_t>(block)])
                found = block;
        return found;
    }

    void addOps(std::size_t most) {
        std::unordered_map<std::int32_t, std::int32_t> boxOfBlock;
        for (const OpId id : m_blocks.order) {
            const std::int32_t block = foldedAround(id);
            if (const auto known = boxOfBlock.find(block); block >= 0 && known != boxOfBlock.end()) {
                m_boxOfOp[id.index()] = known->second;
                continue;
            }
            if (m_boxes.size() >= most) {
                ++m_opsLeftOut;
                continue;
            }
            m_boxOfOp[id.index()] = static_cast<std::int32_t>(m_boxes.size());
            if (block >= 0)
                boxOfBlock[block] = m_boxOfOp[id.index()];
            m_boxes.push_back(block >= 0 ? blockBox(m_blocks.blocks[static_cast<std::size_t>(block)])
                                         : opBox(m_graph.op(id)));
        }
    }

    GraphBox opBox(const Op& op) const {
        GraphBox box{op.type, op.name, outputInWords(m_graph, op), {}, Ink::Muted, false};
        if (op.work.macs > 0)
            box.ink = Ink::Compute;
        else if (op.opClass == OpClass::Movement)
            box.ink = Ink::Input;
        box.tip =
            fmt::format("{}: {}{}", shortened(op.name, kMostTip), shortened(op.type, kMostTip),
                        op.work.macs > 0 ? fmt::format(", {} MACs", countText(double(op.work.macs))) : "");
        return box;
    }

    GraphBox blockBox(const pim::Block& block) const {
        std::int64_t macs = 0;
        for (std::int32_t at = block.first; at < block.end(); ++at)
            macs += m_graph.op(m_blocks.order[static_cast<std::size_t>(at)]).work.macs;
        const Op& last = m_graph.op(m_blocks.order[static_cast<std::size_t>(block.end() - 1)]);
        return {block.name,
                fmt::format("{} ops", exactText(block.count)),
                outputInWords(m_graph, last),
                fmt::format("{}: {} ops, {} MACs", shortened(block.name, kMostTip), exactText(block.count),
                            countText(double(macs))),
                Ink::Accent,
                false};
    }

    /// An input or output of the network, and its line to or from \p other, if that is drawn.
    void addEnd(TensorId id, const char* what, std::int32_t other, bool isOutput) {
        const Tensor& tensor = m_graph.tensor(id);
        if (other < 0 || tensor.isConstant())
            return;
        const auto [place, isNew] =
            m_boxOfEnd.try_emplace({id, isOutput}, static_cast<std::int32_t>(m_boxes.size()));
        if (isNew && m_boxOfEnd.size() > kMostEnds) {
            place->second = -1;
            ++m_endsLeftOut;
        }
        if (place->second < 0)
            return;
        if (isNew)
            m_boxes.push_back({what, tensor.name, tensorInWords(tensor),
                               fmt::format("{} {}", what, shortened(tensor.name, kMostTip)), Ink::Muted,
                               true});
        join(isOutput ? other : place->second, isOutput ? place->second : other);
    }

    void join(std::int32_t from, std::int32_t to) {
        if (from >= 0 && to >= 0 && from != to && m_joined.emplace(from, to).second)
            m_lines.push_back({from, to});
    }

    void addLines() {
        for (std::size_t op = 0; op < m_graph.ops.size(); ++op)
            if (m_boxOfOp[op] >= 0)
                for (const TensorId input : m_graph.ops[op].inputs)
                    if (input.valid())
                        join(boxOf(m_graph.tensor(input).producer), m_boxOfOp[op]);
    }

    static LayoutSize sizeOf(const GraphBox& box) {
        double widest = 0;
        for (const std::string* text : {&box.type, &box.name, &box.shape})
            widest = std::max(widest, widthOf(shortened(*text, kMostLetters)));
        return {std::max(kLeastBox, std::ceil(widest * 1.06) + 3 * kStrip + 10), 3 * kBoxLine + 8};
    }

    static void addBox(Drawing& drawing, const GraphBox& box, LayoutPoint corner, LayoutSize size) {
        const double x = corner.x + kGraphMargin, y = corner.y + kGraphLegend;
        drawing.marks.push_back(Bar{x, y, size.width, size.height, Ink::Grid, false, box.tip});
        if (!box.isEnd)
            drawing.marks.push_back(Bar{x, y, kStrip, size.height, box.ink, false, {}});
        const double left = x + 3 * kStrip;
        const auto write = [&](double line, const std::string& text, Ink ink, bool bold) {
            drawing.marks.push_back(Label{left, y + line * kBoxLine, shortened(text, kMostLetters), ink,
                                          kTextSize, Anchor::Start, bold});
        };
        write(1, box.type, Ink::Text, true);
        write(2, box.name, Ink::Text, false);
        write(3, box.shape, Ink::Text, false);
    }

    void addLine(Drawing& drawing, std::span<const LayoutPoint> route) {
        std::vector<LayoutPoint> corners;
        for (const LayoutPoint& point : route) {
            if (corners.size() > 1 && corners.back().x == point.x && corners[corners.size() - 2].x == point.x)
                corners.back() = point;
            else
                corners.push_back(point);
        }
        if (m_stretches + corners.size() > kMostStretches) {
            ++m_linesLeftOut;
            return;
        }
        m_stretches += corners.size();
        for (std::size_t i = 1; i < corners.size(); ++i)
            drawing.marks.push_back(Rule{corners[i - 1].x + kGraphMargin, corners[i - 1].y + kGraphLegend,
                                         corners[i].x + kGraphMargin, corners[i].y + kGraphLegend,
                                         Ink::Muted});
    }

    bool isSeen(Ink ink) const {
        return std::ranges::any_of(m_boxes,
                                   [ink](const GraphBox& box) { return !box.isEnd && box.ink == ink; });
    }

    /// What the colours mean, as far as they are there. \returns where the line ends.
    double addKeys(Drawing& drawing) const {
        double x = kGraphMargin;
        for (const auto& [ink, text] : {std::pair{Ink::Compute, "multiplies and accumulates"},
                                        {Ink::Input, "moves bytes"},
                                        {Ink::Muted, "computes otherwise"},
                                        {Ink::Accent, "several ops that repeat"}}) {
            if (!isSeen(ink))
                continue;
            drawing.marks.push_back(Bar{x, 6, 12, 10, ink, false, {}});
            drawing.marks.push_back(Label{x + 17, 15, text, Ink::Muted, kTextSize});
            x += 17 + widthOf(text) + 18;
        }
        return x;
    }

    /// "1 234 more ops and 3 more lines are not drawn"; empty: everything is.
    std::string leftOut() const {
        std::vector<std::string> parts;
        const auto add = [&](std::size_t count, std::string_view one, std::string_view several) {
            if (count > 0)
                parts.push_back(fmt::format("{} more {}", exactText(static_cast<std::int64_t>(count)),
                                            count == 1 ? one : several));
        };
        add(m_opsLeftOut, "op", "ops");
        add(m_endsLeftOut, "input or output", "inputs and outputs");
        add(m_linesLeftOut, "line", "lines");
        if (parts.empty())
            return {};
        const bool isOne = m_opsLeftOut + m_endsLeftOut + m_linesLeftOut == 1;
        return fmt::format("{} {} not drawn", fmt::join(parts, ", "), isOne ? "is" : "are");
    }

    const Graph& m_graph;
    const BlockTree m_blocks;
    const std::vector<bool> m_folded;
    std::vector<GraphBox> m_boxes;
    std::vector<std::int32_t> m_boxOfOp;                          ///< -1: it is left out.
    std::map<std::pair<TensorId, bool>, std::int32_t> m_boxOfEnd; ///< Of tensor, as an output; -1: left out.
    std::vector<LayoutEdge> m_lines;
    std::set<std::pair<std::int32_t, std::int32_t>> m_joined;
    std::size_t m_opsLeftOut = 0, m_endsLeftOut = 0, m_linesLeftOut = 0, m_stretches = 0;
};

} // namespace

Result<Drawing> graphPicture(const Graph& graph, std::size_t most, const TaskContext& task) {
    return NetworkPainter(graph, most).draw(task);
}

} // namespace pim::report
