// SPDX-License-Identifier: GPL-3.0-or-later
// SCAN: every element folded with all before it in its row: added, modulo the width of the type, or otherwise. As PrIM's SCAN-RSS (reduce, scan, scan): sums of
// parts first, then parts from the sum of all parts before them, so that elements are read twice and written once. Where DPUs share a
// row there are two launches: the host adds up what the DPUs before have, and each begins with that.
#include "backends/upmem/benchmarks/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pim::upmem {
namespace {

constexpr std::int64_t kScanBlockBytes = 1024; ///< Of PrIM's BL=10.

/// Who has what of the rows.
struct ScanSplit {
    std::int64_t rowElements = 0;
    std::int64_t rows = 1;         ///< Of a DPU.
    std::int64_t slice = 0;        ///< Elements of a row that a DPU has, padded to 8 B.
    std::int64_t sharers = 1;      ///< DPUs of a row.
    std::int64_t dpus = 1;         ///< With work.
    bool taskletsShareRows = true; ///< Else each tasklet has rows of its own.
    std::int64_t elementsOfDpu() const { return rows * slice; }
};

ScanSplit splitScan(const BenchmarkOptions& options, std::int64_t width) {
    const std::int64_t n = options.size, rows = options.second, step = 8 / width;
    ScanSplit made;
    made.rowElements = n;
    made.sharers = std::clamp<std::int64_t>(options.dpus / rows, 1, (n + step - 1) / step);
    made.slice = roundedUp((n + made.sharers - 1) / made.sharers, step);
    made.sharers = (n + made.slice - 1) / made.slice;
    made.rows = made.sharers > 1 ? 1 : (rows + options.dpus - 1) / options.dpus;
    made.dpus = made.sharers > 1 ? rows * made.sharers : (rows + made.rows - 1) / made.rows;
    made.taskletsShareRows = made.rows < options.tasklets;
    return made;
}

struct ScanFold {
    ValueKind kind = ValueKind::Add;
    std::int64_t neutral = 0; ///< In the type of sums.
};

/// Unsigned where sums may overflow: C would not say what comes of it.
Element sumType(Element type, ValueKind fold) {
    const bool isOrder = fold == ValueKind::Min || fold == ValueKind::Max;
    return bytesOf(type) == 8 ? Element::U64 : isOrder ? Element::I32 : Element::U32;
}

TaskletValue folded(ValueKind fold, TaskletValue a, TaskletValue b) {
    switch (fold) {
    case ValueKind::Mul:
        return a * b;
    case ValueKind::Min:
        return min(a, b);
    case ValueKind::Max:
        return max(a, b);
    case ValueKind::And:
        return a & b;
    case ValueKind::Or:
        return a | b;
    case ValueKind::Xor:
        return a ^ b;
    default:
        return a + b;
    }
}

/// ErrorCode::Usage: not of this type.
Result<ScanFold> scanFold(const BenchmarkOptions& options, Element type) {
    const ValueKind kind = options.fold;
    if (!folds(kind))
        return fail(ErrorCode::Usage, "elements are added, multiplied, ordered or joined bit by bit", "SCAN");
    const bool isProductOrOrder = kind == ValueKind::Mul || kind == ValueKind::Min || kind == ValueKind::Max;
    if (bytesOf(type) == 8 && isProductOrOrder)
        return fail(ErrorCode::Usage, "products, minima and maxima of 64 bits have no instructions", "SCAN",
                    "there are sums and bits of them");
    switch (kind) {
    case ValueKind::Mul:
        return ScanFold{kind, 1};
    case ValueKind::Min:
        return ScanFold{kind, std::numeric_limits<std::int32_t>::max()};
    case ValueKind::Max:
        return ScanFold{kind, std::numeric_limits<std::int32_t>::min()};
    case ValueKind::And:
        return ScanFold{kind,
                        bytesOf(type) == 8 ? -1 : std::int64_t(std::numeric_limits<std::uint32_t>::max())};
    default:
        return ScanFold{kind, 0};
    }
}

/// What the tasklets do.
class ScanWriter {
public:
    ScanWriter(BenchmarkBuilder& make, const ScanSplit& split, Element type, const ScanFold& fold)
        : m_make(make), k(make.code()), m_split(split), m_fold(fold), m_type(type),
          m_sumType(sumType(type, fold.kind)),
          m_slice(make.size("SLICE_BYTES", split.slice * bytesOf(type), "of a row, of a DPU")),
          m_rows(make.size("ROWS", split.rows, "of a DPU")),
          m_block(make.size("BLOCK_BYTES", kScanBlockBytes, "of a DMA")),
          m_in(k.array("a", type, m_slice * m_rows, "rows, padded with 0")),
          m_out(k.array("sums", type, m_slice * m_rows, "each element and all before it")),
          m_elements(k.own("block", type, m_block / bytesOf(type), "becomes the sums")) {}

    void write() {
        if (m_split.sharers > 1)
            sharedByDpus();
        else if (m_split.taskletsShareRows)
            sharedByTasklets();
        else
            ownRows();
    }

private:
    /// Block by block; \param body gets where the block begins, and its bytes.
    void blocks(TaskletValue from, TaskletValue to, TaskletValue turns,
                const std::function<void(TaskletValue, TaskletValue)>& body) {
        k.range("at", from, to, m_block, turns, [&](TaskletValue at) {
            const TaskletValue bytes = k.variable("bytes", Element::U32, min(m_block, to - at));
            k.read(m_elements, m_in + at, bytes);
            body(at, bytes);
        });
    }
    void eachElement(TaskletValue bytes, const std::function<void(TaskletValue)>& body) {
        const std::int64_t width = bytesOf(m_type), together = 8 / width;
        k.range("i", m_make.number(0), bytes / width, m_make.number(together), m_block / 8,
                [&](TaskletValue i) {
                    if (together == 1)
                        body(i);
                    else
                        k.unrolled(together, [&](TaskletValue copy) { body(i + copy); });
                });
    }
    void addUp(TaskletValue sum, TaskletValue from, TaskletValue to, TaskletValue turns) {
        blocks(from, to, turns, [&](TaskletValue, TaskletValue bytes) {
            eachElement(bytes, [&](TaskletValue i) { fold(sum, k.load(m_elements, i)); });
        });
    }
    void scan(TaskletValue sum, TaskletValue from, TaskletValue to, TaskletValue turns) {
        blocks(from, to, turns, [&](TaskletValue at, TaskletValue bytes) {
            eachElement(bytes, [&](TaskletValue i) {
                fold(sum, k.load(m_elements, i));
                k.store(m_elements, i, sum);
            });
            k.write(m_elements, m_out + at, bytes);
        });
    }
    /// Part of the slice that a tasklet has, whole steps of a DMA.
    TaskletValue part() const { return (m_slice + m_make.tasklets() * 8 - 1) / (m_make.tasklets() * 8) * 8; }
    TaskletValue turnsOfPart() const { return (part() + m_block - 1) / m_block; }
    /// Into \p sum goes what tasklets from \p first to before \p end have, which lies \p pitch elements apart.
    void foldParts(TaskletValue sum, TaskletValue parts, std::int64_t pitch, TaskletValue first,
                   TaskletValue end) {
        k.range("t", first, end, m_make.number(1), m_make.tasklets(),
                [&](TaskletValue t) { fold(sum, k.load(parts, t * pitch)); });
    }
    void fold(TaskletValue sum, TaskletValue value) { k.set(sum, folded(m_fold.kind, sum, value)); }
    TaskletValue neutral() { return m_make.number(m_fold.neutral); }

    void ownRows() {
        const TaskletValue step = m_slice * m_make.tasklets();
        k.range("row", k.me() * m_slice, m_slice * m_rows, step,
                (m_rows + m_make.tasklets() - 1) / m_make.tasklets(), [&](TaskletValue row) {
                    const TaskletValue sum = k.variable("sum", m_sumType, neutral());
                    const TaskletValue end = k.variable("end", Element::U32, row + m_slice);
                    scan(sum, row, end, (m_slice + m_block - 1) / m_block);
                });
    }

    void sharedByTasklets() {
        const TaskletValue parts = k.shared("parts", m_sumType, m_make.tasklets(), "sum of each tasklet");
        k.range("row", m_make.number(0), m_slice * m_rows, m_slice, m_rows, [&](TaskletValue row) {
            const TaskletValue from = k.variable("from", Element::U32, row + min(k.me() * part(), m_slice));
            const TaskletValue to = k.variable("to", Element::U32, min(from + part(), row + m_slice));
            const TaskletValue sum = k.variable("sum", m_sumType, neutral());
            addUp(sum, from, to, turnsOfPart());
            k.store(parts, k.me(), sum);
            k.barrier();
            k.set(sum, neutral());
            foldParts(sum, parts, 1, m_make.number(0), k.me());
            scan(sum, from, to, turnsOfPart());
            if (m_split.rows > 1)
                k.barrier(); // nobody is still reading the sums
        });
    }

    void sharedByDpus() {
        const TaskletValue kept = k.array("kept_parts", m_sumType, m_make.tasklets() * 8,
                                          "sum of each tasklet, from the first launch to the second");
        // places of 8 bytes, so that they go in one DMA
        const std::int64_t pitch = 8 / bytesOf(m_sumType);
        const TaskletValue parts =
            k.shared("parts", m_sumType, m_make.tasklets() * pitch, "sum of each tasklet");
        const TaskletValue launch =
            k.shared("launch", Element::U32, m_make.number(1), "which it is, from 0", true);
        const TaskletValue before =
            k.shared("before", m_sumType, m_make.number(1), "sum of the DPUs before this one", true);
        const TaskletValue total = k.shared("total", m_sumType, m_make.number(1), "of the DPU", true);
        const TaskletValue from = k.variable("from", Element::U32, min(k.me() * part(), m_slice));
        const TaskletValue to = k.variable("to", Element::U32, min(from + part(), m_slice));
        const TaskletValue sum = k.variable("sum", m_sumType, neutral());
        k.when(
            k.load(launch) == 0,
            [&] {
                addUp(sum, from, to, turnsOfPart());
                k.store(parts, k.me() * pitch, sum);
                k.barrier();
                k.when(k.me() == 0, [&] {
                    foldParts(sum, parts, pitch, m_make.number(1), m_make.tasklets());
                    k.store(total, 0, sum);
                    k.write(parts, kept, m_make.tasklets() * 8);
                });
            },
            [&] {
                k.when(k.me() == 0, [&] { k.read(parts, kept, m_make.tasklets() * 8); });
                k.barrier();
                k.set(sum, k.load(before));
                foldParts(sum, parts, pitch, m_make.number(0), k.me());
                scan(sum, from, to, turnsOfPart());
            });
    }

    BenchmarkBuilder& m_make;
    TaskletCode& k;
    const ScanSplit& m_split;
    const ScanFold& m_fold;
    Element m_type, m_sumType;
    TaskletValue m_slice, m_rows, m_block, m_in, m_out, m_elements;
};

void describeHost(HostProgram& host, const ScanSplit& split, Element type, const BenchmarkOptions& options,
                  const ScanFold& fold) {
    const std::int64_t rows = options.second;
    const std::int64_t elements = rows * split.rowElements;
    const std::int64_t row = rows > 1 ? split.rowElements : 0,
                       pitch = rows > 1 ? split.sharers * split.slice : 0;
    HostInput in{"a", "rows", type, elements, HostInput::Split::Slices, split.elementsOfDpu()};
    in.row = row;
    in.pitch = pitch;
    host.inputs.push_back(std::move(in));
    HostOutput out{"sums", "each element and all before it", type, elements, split.elementsOfDpu()};
    out.row = row;
    out.pitch = pitch;
    host.outputs.push_back(std::move(out));
    host.dpus = int(split.dpus);
    if (split.sharers == 1)
        return;
    HostOutput total{"total", "of each DPU", sumType(type, fold.kind), split.dpus, 1};
    total.isFile = false;
    host.outputs.push_back(std::move(total));
    host.arguments.push_back({"launch", HostArgument::What::Round});
    host.arguments.push_back(
        {"before", HostArgument::What::Before, "total", int(split.sharers), fold.kind, fold.neutral});
    host.rounds = 2;
}

template <class T>
void addScanData(BenchmarkBuilder& make, const BenchmarkOptions& options, ValueKind fold) {
    const std::int64_t n = options.size;
    const auto x = seededNumbers<T>(n * options.second, std::numeric_limits<T>::min() / 2,
                                    std::numeric_limits<T>::max() / 2, 21);
    std::vector<T> sums(x.size());
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sum = i % std::size_t(n) == 0 ? x[i] : foldedNumbers(fold, sum, x[i]);
        sums[i] = T(sum);
    }
    make.input("a", x);
    make.expect("sums", sums);
}

} // namespace

Result<BenchmarkCase> prefixScan(const BenchmarkOptions& options) {
    const Element type = options.type.value_or(Element::I64);
    if (options.size * options.second > std::int64_t(1) << 28)
        return fail(ErrorCode::Usage,
                    fmt::format("{} rows of {} elements; together 1 to {} are possible", options.second,
                                options.size, std::int64_t(1) << 28),
                    "SCAN");
    PIM_TRY(const ScanFold fold, scanFold(options, type));
    const ScanSplit split = splitScan(options, bytesOf(type));
    BenchmarkBuilder make("SCAN", "every element and all before it, row by row", options);
    ScanWriter(make, split, type, fold).write();
    describeHost(make.host(), split, type, options, fold);
    switch (bytesOf(type)) {
    case 1:
        addScanData<std::int8_t>(make, options, fold.kind);
        break;
    case 2:
        addScanData<std::int16_t>(make, options, fold.kind);
        break;
    case 4:
        addScanData<std::int32_t>(make, options, fold.kind);
        break;
    default:
        addScanData<std::int64_t>(make, options, fold.kind);
    }
    return make.finish();
}

} // namespace pim::upmem
