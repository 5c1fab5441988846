// SPDX-License-Identifier: GPL-3.0-or-later
// SCAN: every element added to all before it in its row, modulo the width of the type. As PrIM's SCAN-RSS (reduce, scan, scan): sums of
// parts first, then parts from the sum of all parts before them, so that elements are read twice and written once. Where DPUs share a
// row there are two launches: the host adds up what the DPUs before have, and each begins with that.
#include "backends/upmem/benchmarks/build.h"

#include <fmt/format.h>

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

/// What the tasklets do.
class ScanWriter {
public:
    ScanWriter(BenchmarkBuilder& make, const ScanSplit& split, Element type)
        : m_make(make), k(make.code()), m_split(split), m_type(type),
          m_sumType(bytesOf(type) == 8 ? Element::I64 : Element::I32),
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
            eachElement(bytes, [&](TaskletValue i) { k.add(sum, k.load(m_elements, i)); });
        });
    }
    void scan(TaskletValue sum, TaskletValue from, TaskletValue to, TaskletValue turns) {
        blocks(from, to, turns, [&](TaskletValue at, TaskletValue bytes) {
            eachElement(bytes, [&](TaskletValue i) {
                k.add(sum, k.load(m_elements, i));
                k.store(m_elements, i, sum);
            });
            k.write(m_elements, m_out + at, bytes);
        });
    }
    /// Part of the slice that a tasklet has, whole steps of a DMA.
    TaskletValue part() const { return (m_slice + m_make.tasklets() * 8 - 1) / (m_make.tasklets() * 8) * 8; }
    TaskletValue turnsOfPart() const { return (part() + m_block - 1) / m_block; }
    /// Adds to \p sum what the tasklets before this one have.
    void addThoseBefore(TaskletValue sum, TaskletValue sums) {
        k.range("t", m_make.number(0), k.me(), m_make.number(1), m_make.tasklets(),
                [&](TaskletValue t) { k.add(sum, k.load(sums, t)); });
    }

    void ownRows() {
        const TaskletValue step = m_slice * m_make.tasklets();
        k.range("row", k.me() * m_slice, m_slice * m_rows, step,
                (m_rows + m_make.tasklets() - 1) / m_make.tasklets(), [&](TaskletValue row) {
                    const TaskletValue sum = k.variable("sum", m_sumType, m_make.number(0));
                    const TaskletValue end = k.variable("end", Element::U32, row + m_slice);
                    scan(sum, row, end, (m_slice + m_block - 1) / m_block);
                });
    }

    void sharedByTasklets() {
        const TaskletValue parts = k.shared("parts", m_sumType, m_make.tasklets(), "sum of each tasklet");
        k.range("row", m_make.number(0), m_slice * m_rows, m_slice, m_rows, [&](TaskletValue row) {
            const TaskletValue from = k.variable("from", Element::U32, row + min(k.me() * part(), m_slice));
            const TaskletValue to = k.variable("to", Element::U32, min(from + part(), row + m_slice));
            const TaskletValue sum = k.variable("sum", m_sumType, m_make.number(0));
            addUp(sum, from, to, turnsOfPart());
            k.store(parts, k.me(), sum);
            k.barrier();
            k.set(sum, m_make.number(0));
            addThoseBefore(sum, parts);
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
        const TaskletValue sum = k.variable("sum", m_sumType, m_make.number(0));
        k.when(
            k.load(launch) == 0,
            [&] {
                addUp(sum, from, to, turnsOfPart());
                k.store(parts, k.me() * pitch, sum);
                k.barrier();
                k.when(k.me() == 0, [&] {
                    k.range("t", m_make.number(1), m_make.tasklets(), m_make.number(1), m_make.tasklets(),
                            [&](TaskletValue t) { k.add(sum, k.load(parts, t * pitch)); });
                    k.store(total, 0, sum);
                    k.write(parts, kept, m_make.tasklets() * 8);
                });
            },
            [&] {
                k.when(k.me() == 0, [&] { k.read(parts, kept, m_make.tasklets() * 8); });
                k.barrier();
                k.set(sum, k.load(before));
                k.range("t", m_make.number(0), k.me(), m_make.number(1), m_make.tasklets(),
                        [&](TaskletValue t) { k.add(sum, k.load(parts, t * pitch)); });
                scan(sum, from, to, turnsOfPart());
            },
            1);
    }

    BenchmarkBuilder& m_make;
    TaskletCode& k;
    const ScanSplit& m_split;
    Element m_type, m_sumType;
    TaskletValue m_slice, m_rows, m_block, m_in, m_out, m_elements;
};

void describeHost(HostProgram& host, const ScanSplit& split, Element type, std::int64_t rows) {
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
    HostOutput total{"total", "of each DPU", bytesOf(type) == 8 ? Element::I64 : Element::I32, split.dpus, 1};
    total.isFile = false;
    host.outputs.push_back(std::move(total));
    host.arguments.push_back({"launch", HostArgument::What::Round});
    host.arguments.push_back({"before", HostArgument::What::Before, "total", int(split.sharers)});
    host.rounds = 2;
}

template <class T>
void addScanData(BenchmarkBuilder& make, std::int64_t n, std::int64_t rows) {
    const auto x =
        seededNumbers<T>(n * rows, std::numeric_limits<T>::min() / 2, std::numeric_limits<T>::max() / 2, 21);
    std::vector<T> sums(x.size());
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sum = i % std::size_t(n) == 0 ? std::uint64_t(x[i]) : sum + std::uint64_t(x[i]);
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
    const ScanSplit split = splitScan(options, bytesOf(type));
    BenchmarkBuilder make("SCAN", "every element and all before it, row by row", options);
    ScanWriter(make, split, type).write();
    describeHost(make.host(), split, type, options.second);
    switch (bytesOf(type)) {
    case 1:
        addScanData<std::int8_t>(make, options.size, options.second);
        break;
    case 2:
        addScanData<std::int16_t>(make, options.size, options.second);
        break;
    case 4:
        addScanData<std::int32_t>(make, options.size, options.second);
        break;
    default:
        addScanData<std::int64_t>(make, options.size, options.second);
    }
    return make.finish();
}

} // namespace pim::upmem
