// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/flow/flow.h"

#include "backends/dual_mode/flow/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pim {
namespace {

/// Writes `key=value, …`; what equals a fresh object is left out.
class Writer {
public:
    explicit Writer(std::string& text) : m_text(text) {}

    void field(std::string_view key, const std::string& value) {
        if (value.empty())
            return;
        next(key);
        quoted(m_text, value);
    }
    void field(std::string_view key, std::int64_t value, std::int64_t standard = 0) {
        if (value == standard)
            return;
        next(key);
        fmt::format_to(std::back_inserter(m_text), "{}", value);
    }
    void field(std::string_view key, int value) { field(key, std::int64_t(value), standardOf(key)); }
    void field(std::string_view key, bool value) { field(key, std::int64_t(value)); }
    template <class Tag>
    void field(std::string_view key, Id<Tag> id) {
        field(key, std::int64_t(id.value), -1);
    }
    void field(std::string_view key, FlowTensorKind kind) {
        word(key, flow_text::kTensorKinds[int(kind)], int(kind));
    }
    void field(std::string_view key, SumRole role) { word(key, flow_text::kSumRoles[int(role)], int(role)); }
    void field(std::string_view key, const FlowPace& pace) {
        if (pace == FlowPace())
            return;
        next(key);
        fmt::format_to(std::back_inserter(m_text), "{}/{}", pace.lead, pace.of);
    }
    void field(std::string_view key, const ByteRuns& runs) {
        next(key);
        fmt::format_to(std::back_inserter(m_text), "{}+{}", runs.begin, runs.run);
        if (runs.count != 1 || runs.stride != 0)
            fmt::format_to(std::back_inserter(m_text), "/{}x{}", runs.stride, runs.count);
    }
    void field(std::string_view key, const ArrayList& list) {
        if (list.empty())
            return;
        next(key);
        m_text += '[' + arrayListText(list) + ']';
    }
    template <class Number>
    void field(std::string_view key, const std::vector<Number>& numbers) {
        if (numbers.empty())
            return;
        next(key);
        fmt::format_to(std::back_inserter(m_text), "[{}]", fmt::join(numbers, ","));
    }
    void range(std::string_view key, std::int64_t begin, std::int64_t length) {
        next(key);
        fmt::format_to(std::back_inserter(m_text), "{}+{}", begin, length);
    }

    static void quoted(std::string& text, std::string_view value) {
        text += '"';
        for (const char c : value) {
            if (c == '"' || c == '\\')
                text += '\\', text += c;
            else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
                fmt::format_to(std::back_inserter(text), "\\x{:02x}", static_cast<unsigned char>(c));
            else
                text += c;
        }
        text += '"';
    }

private:
    /// Numbers of tables start at "none", copies and instances that share an array at one.
    static std::int64_t standardOf(std::string_view key) {
        for (const std::string_view none :
             {"of", "streamed", "weights", "result", "accumulator", "piece", "tensor"})
            if (key == none)
                return -1;
        return key == "packed" || key == "copies" ? 1 : 0;
    }
    void next(std::string_view key) {
        m_text += m_first ? "" : ", ";
        m_first = false;
        m_text += key;
        m_text += '=';
    }
    void word(std::string_view key, std::string_view value, int position) {
        if (position == 0)
            return;
        next(key);
        m_text += value;
    }

    std::string& m_text;
    bool m_first = true;
};

template <class T>
void statement(std::string& text, std::string_view indent, std::string_view word, const T& value) {
    text += indent;
    text += word;
    text += '(';
    Writer writer(text);
    // fields() is shared with the reader and so takes what it could change; the writer does not.
    flow_text::fields(writer, const_cast<T&>(value));
    text += ")\n";
}

/// Checks one flow; the first complaint wins.
class Checker {
public:
    explicit Checker(const DualModeFlow& flow) : m_flow(flow) {}

    Result<void> check() {
        PIM_CHECK(table());
        for (std::size_t b = 0; b < m_flow.blocks.size(); ++b)
            for (std::size_t i = 0; i < m_flow.blocks[b].operators.size(); ++i)
                if (const std::string wrong = problem(m_flow.blocks[b].operators[i]); !wrong.empty())
                    return fail(ErrorCode::InvalidFile, wrong, flowPosition(m_flow, b, i));
        return {};
    }

private:
    static bool within(std::int64_t value, std::int64_t least, std::int64_t most) {
        return value >= least && value <= most;
    }
    bool isTensor(std::int64_t id) const { return within(id, 0, std::int64_t(m_flow.tensors.size()) - 1); }
    const FlowTensor& tensor(int id) const { return m_flow.tensors[static_cast<std::size_t>(id)]; }

    static constexpr std::int64_t kMost = flow_text::kMaxNumber;
    static constexpr int kMostArrays = 1 << 20;

    static tl::unexpected<Error> bad(std::string message, std::string where) {
        return fail(ErrorCode::InvalidFile, std::move(message), std::move(where));
    }

    Result<void> table() const {
        if (!within(m_flow.arrays, 1, kMostArrays) || !within(m_flow.rows, 1, kMostArrays) ||
            !within(m_flow.columns, 1, kMostArrays) || !within(m_flow.arrayBytes, 1, kMost) ||
            !within(m_flow.mainBytes, 0, kMost))
            return bad(
                fmt::format("{} arrays of {} x {} with {} bytes each and {} bytes of main memory are no chip",
                            m_flow.arrays, m_flow.rows, m_flow.columns, m_flow.arrayBytes, m_flow.mainBytes),
                m_flow.chip);
        for (std::size_t i = 0; i < m_flow.tensors.size(); ++i)
            PIM_CHECK(
                tensorIsSound(m_flow.tensors[i], fmt::format("tensor {} \"{}\"", i, m_flow.tensors[i].name)));
        for (const auto* list : {&m_flow.inputs, &m_flow.outputs})
            for (const int id : *list)
                if (!isTensor(id))
                    return bad(fmt::format("there is no tensor {}", id),
                               list == &m_flow.inputs ? "inputs" : "outputs");
        for (std::size_t i = 0; i < m_flow.ops.size(); ++i)
            PIM_CHECK(opIsSound(m_flow.ops[i], fmt::format("op {} \"{}\"", i, m_flow.ops[i].name)));
        for (std::size_t i = 0; i < m_flow.pieces.size(); ++i)
            PIM_CHECK(pieceIsSound(m_flow.pieces[i], fmt::format("piece {}", i)));
        return {};
    }

    Result<void> tensorIsSound(const FlowTensor& t, const std::string& where) const {
        if (!within(t.bytes, 0, kMost) || !within(t.address, 0, kMost))
            return bad(fmt::format("{} bytes at {} cannot be", t.bytes, t.address), where);
        if ((t.kind == FlowTensorKind::View) != (t.of >= 0))
            return bad("a view names the tensor it views, and nothing else does", where);
        if (t.of >= 0 && (!isTensor(t.of) || tensor(t.of).of >= 0 || tensor(t.of).bytes != t.bytes))
            return bad(fmt::format("views {}, which is no tensor of {} bytes that is no view", t.of, t.bytes),
                       where);
        if (t.of < 0 && !t.buffered && t.address + t.bytes > m_flow.mainBytes)
            return bad(fmt::format("ends at byte {} of {} bytes of main memory", t.address + t.bytes,
                                   m_flow.mainBytes),
                       where);
        return {};
    }

    Result<void> opIsSound(const FlowOp& op, const std::string& where) const {
        double volume = 1;
        for (const std::int64_t extent : {op.m, op.n, op.k, op.g}) {
            volume *= static_cast<double>(extent);
            if (!within(extent, 1, kMost) || volume > 9e18)
                return bad(fmt::format("m={} n={} k={} g={} is no product", op.m, op.n, op.k, op.g), where);
        }
        if (!within(op.packed, 1, kMostArrays) ||
            (op.packed > 1 && (op.n > m_flow.rows / op.packed || op.k > m_flow.columns / op.packed)))
            return bad(
                fmt::format("{} instances of {} x {} do not fit into one array", op.packed, op.n, op.k),
                where);
        if (!isTensor(op.streamed) || !isTensor(op.result))
            return bad(fmt::format("streams tensor {} into tensor {}: there are {}", op.streamed, op.result,
                                   m_flow.tensors.size()),
                       where);
        for (const int id : {op.weights, op.accumulator})
            if (id != -1 && !isTensor(id))
                return bad(fmt::format("there is no tensor {}", id), where);
        if (!within(op.part, 0, 1) || !within(op.pace.lead, 0, kMost) || !within(op.pace.of, 1, kMost))
            return bad("part or pace is out of range", where);
        const FlowWindow& w = op.window;
        for (const auto* list : {&w.in, &w.out, &w.kernel, &w.strides, &w.dilations, &w.padBegin})
            if (list->size() != w.in.size() || std::any_of(list->begin(), list->end(), [&](std::int64_t v) {
                    return !within(v, list == &w.padBegin ? 0 : 1, std::int64_t(1) << 31);
                }))
                return bad("the window of the convolution is not complete", where);
        return {};
    }

    Result<void> pieceIsSound(const FlowPiece& p, const std::string& where) const {
        if (!within(p.op, 0, std::int64_t(m_flow.ops.size()) - 1))
            return bad(fmt::format("there is no op {}", p.op), where);
        const FlowOp& op = m_flow.ops[static_cast<std::size_t>(p.op)];
        const auto inside = [](std::int64_t begin, std::int64_t length, std::int64_t extent) {
            return begin >= 0 && length >= 1 && length <= extent && begin <= extent - length;
        };
        if (!inside(p.gBegin, p.g, op.g) || !inside(p.nBegin, p.n, op.n) || !inside(p.kBegin, p.k, op.k))
            return bad(fmt::format("g {}+{}, n {}+{}, k {}+{} is outside g={} n={} k={}", p.gBegin, p.g,
                                   p.nBegin, p.n, p.kBegin, p.k, op.g, op.n, op.k),
                       where);
        if (op.packed > 1 && (p.n != op.n || p.k != op.k))
            return bad("weights that share arrays cannot be cut", where);
        const auto up = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
        const double blocks =
            op.packed > 1 ? double(up(p.g, op.packed))
                          : double(up(p.n, m_flow.rows)) * double(up(p.k, m_flow.columns)) * double(p.g);
        if (double(p.blocks) != blocks)
            return bad(fmt::format("has {} weight blocks, must have {}", p.blocks, blocks), where);
        if ((p.sum == SumRole::Whole) != (p.n == op.n) || (p.sum != SumRole::Whole && op.accumulator < 0))
            return bad(fmt::format("{} of {} rows with sum={}", p.n, op.n, flow_text::kSumRoles[int(p.sum)]),
                       where);
        return {};
    }

    /// What is wrong with one operator; empty if nothing is.
    std::string problem(const FlowOperator& o) {
        std::int64_t arrays = 0;
        ++m_stamp;
        m_seen.resize(static_cast<std::size_t>(m_flow.arrays), 0);
        for (const ArrayRange& range : o.arrays.ranges) {
            if (range.first < 0 || range.last < range.first || range.last >= m_flow.arrays)
                return fmt::format("arrays {}-{} are not on a chip of {}", range.first, range.last,
                                   m_flow.arrays);
            for (int array = range.first; array <= range.last; ++array)
                if (std::exchange(m_seen[static_cast<std::size_t>(array)], m_stamp) == m_stamp)
                    return fmt::format("array {} stands there twice", array);
            arrays += range.last - range.first + 1;
        }
        switch (o.kind) {
        case FlowKind::SwitchToMemory:
        case FlowKind::SwitchToCompute:
            return arrays > 0 ? "" : "switches no array";
        case FlowKind::WriteWeights:
        case FlowKind::Multiply: {
            if (!within(o.piece, 0, std::int64_t(m_flow.pieces.size()) - 1))
                return fmt::format("there is no piece {}", o.piece);
            const std::int64_t blocks = m_flow.pieces[static_cast<std::size_t>(o.piece)].blocks;
            if (o.copies < 1 || arrays % o.copies != 0 || arrays / o.copies != blocks)
                return fmt::format("{} copies of {} blocks do not lie in {} arrays", o.copies, blocks,
                                   arrays);
            return "";
        }
        case FlowKind::Hold:
        case FlowKind::Load:
        case FlowKind::Store:
        case FlowKind::Release: {
            if (!isTensor(o.tensor) || tensor(o.tensor).of >= 0 || tensor(o.tensor).buffered)
                return fmt::format("tensor {} cannot be held: it must be there, no view and not buffered",
                                   o.tensor);
            const ByteRuns& r = o.runs;
            const std::int64_t bytes = tensor(o.tensor).bytes;
            const bool strided = r.count > 1;
            if (r.begin < 0 || r.run < 1 || r.count < 1 || r.run > bytes || r.begin > bytes - r.run ||
                (strided && (r.stride < r.run || r.count - 1 > (bytes - r.run - r.begin) / r.stride)) ||
                (!strided && r.stride != 0))
                return fmt::format("bytes {}+{}/{}x{} are not in the {} of tensor {}", r.begin, r.run,
                                   r.stride, r.count, bytes, o.tensor);
            if (o.kind == FlowKind::Hold && arrays < 1)
                return "holds bytes in no array";
            if (o.kind == FlowKind::Hold && !o.window &&
                double((r.run + arrays - 1) / arrays) * double(r.count) > double(m_flow.arrayBytes))
                return fmt::format("{} runs of {} bytes do not fit into {} arrays of {}", r.count, r.run,
                                   arrays, m_flow.arrayBytes);
            return "";
        }
        case FlowKind::Vector:
        case FlowKind::Host:
            return o.run ? problem(*o.run) : "does not say what runs";
        }
        return "";
    }
    std::string problem(const FlowGraphOp& run) const {
        for (const auto* list : {&run.reads, &run.writes})
            for (const int id : *list)
                if (!isTensor(id))
                    return fmt::format("there is no tensor {}", id);
        if (run.writes.empty() || !within(run.work, 0, flow_text::kMaxNumber) ||
            !within(run.pace.lead, 0, flow_text::kMaxNumber) ||
            !within(run.pace.of, 1, flow_text::kMaxNumber))
            return "writes nothing, or its work or pace is out of range";
        if (run.view && (run.reads.empty() || run.writes.size() != 1 ||
                         m_flow.root(run.writes[0]) != m_flow.root(run.reads[0])))
            return "a change of shape alone needs one tensor that views the first one read";
        return "";
    }

    const DualModeFlow& m_flow;
    std::vector<int> m_seen; ///< Array -> number of the operator it was seen in last.
    int m_stamp = 0;
};

} // namespace

bool operator==(const FlowOperator& a, const FlowOperator& b) {
    return a.kind == b.kind && a.arrays == b.arrays && a.piece == b.piece && a.copies == b.copies &&
           a.tensor == b.tensor && a.runs == b.runs && a.window == b.window &&
           (a.run == b.run || (a.run && b.run && *a.run == *b.run));
}

int ArrayList::count() const {
    int sum = 0;
    for (const ArrayRange& range : ranges)
        sum += range.last - range.first + 1;
    return sum;
}

std::vector<int> ArrayList::numbers() const {
    std::vector<int> numbers;
    numbers.reserve(static_cast<std::size_t>(std::max(0, count())));
    for (const ArrayRange& range : ranges)
        for (int array = range.first; array <= range.last; ++array)
            numbers.push_back(array);
    return numbers;
}

ArrayList arrayList(const std::vector<int>& numbers) {
    ArrayList list;
    for (const int number : numbers)
        list.add(number);
    return list;
}

std::string arrayListText(const ArrayList& list) {
    std::string text;
    for (const ArrayRange& range : list.ranges) {
        text += text.empty() ? "" : ",";
        text += range.first == range.last ? fmt::format("{}", range.first)
                                          : fmt::format("{}-{}", range.first, range.last);
    }
    return text;
}

std::int64_t ByteRuns::find(std::int64_t byte) const {
    const std::int64_t offset = byte - begin;
    if (offset < 0)
        return -1;
    const std::int64_t index = count > 1 ? offset / stride : 0;
    const std::int64_t inside = offset - index * stride;
    return index < count && inside < run ? index * run + inside : -1;
}

FlowWeightBlock weightBlock(const DualModeFlow& flow, const FlowPiece& piece, int block) {
    const FlowOp& op = flow.ops[static_cast<std::size_t>(piece.op)];
    if (op.packed > 1) {
        const std::int64_t first = std::int64_t(block) * op.packed;
        return {piece.gBegin + first, std::min<std::int64_t>(op.packed, piece.g - first),
                piece.nBegin,         piece.n,
                piece.kBegin,         piece.k};
    }
    const std::int64_t rowBlocks = (piece.n + flow.rows - 1) / flow.rows,
                       columnBlocks = (piece.k + flow.columns - 1) / flow.columns;
    const std::int64_t column = block % columnBlocks, row = block / columnBlocks % rowBlocks,
                       instance = block / columnBlocks / rowBlocks;
    return {piece.gBegin + instance,
            1,
            piece.nBegin + row * flow.rows,
            std::min<std::int64_t>(flow.rows, piece.n - row * flow.rows),
            piece.kBegin + column * flow.columns,
            std::min<std::int64_t>(flow.columns, piece.k - column * flow.columns)};
}

Result<void> checkFlow(const DualModeFlow& flow) {
    return Checker(flow).check();
}

std::string flowText(const DualModeFlow& flow) {
    std::string text = "cim-flow 1\nnetwork(";
    Writer writer(text);
    flow_text::header(writer, const_cast<DualModeFlow&>(flow));
    text += ")\n";
    const auto table = [&](std::string_view word, const auto& entries) {
        std::size_t number = 0;
        for (const auto& entry : entries)
            statement(text, "", fmt::format("{} {} ", word, number++), entry);
    };
    table("tensor", flow.tensors);
    table("op", flow.ops);
    table("piece", flow.pieces);
    for (const FlowBlock& block : flow.blocks) {
        text += "parallel ";
        Writer::quoted(text, block.name);
        text += " {\n";
        for (const FlowOperator& o : block.operators) {
            if (o.kind == FlowKind::SwitchToMemory || o.kind == FlowKind::SwitchToCompute)
                text +=
                    fmt::format("  CM.switch({}, [{}])\n", o.kind == FlowKind::SwitchToMemory ? "TOM" : "TOC",
                                arrayListText(o.arrays));
            else
                statement(text, "  ", name(o.kind), o);
        }
        text += "}\n";
    }
    return text;
}

std::string_view name(FlowKind kind) {
    for (const auto& [one, word] : flow_text::kKinds)
        if (one == kind)
            return word;
    return "CM.switch";
}

std::string flowPosition(const DualModeFlow& flow, std::size_t block, std::size_t op) {
    const FlowBlock& b = flow.blocks[block];
    return fmt::format("block {} ({}), operator {} ({})", block, b.name, op,
                       op < b.operators.size() ? name(b.operators[op].kind) : "end");
}

} // namespace pim
