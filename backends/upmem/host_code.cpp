// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/host_code.h"

#include "backends/upmem/tasklet/c_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

namespace pim::upmem {
namespace {

using Split = HostInput::Split;

std::string upper(std::string_view name) {
    std::string made;
    for (const char c : name)
        made += c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
    return made;
}

/// HostArgument::fold of two expressions that need no parentheses.
std::string cFold(ValueKind fold, const std::string& a, const std::string& b) {
    switch (fold) {
    case ValueKind::Mul:
        return a + " * " + b;
    case ValueKind::Min:
        return fmt::format("{0} < {1} ? {0} : {1}", a, b);
    case ValueKind::Max:
        return fmt::format("{0} > {1} ? {0} : {1}", a, b);
    case ValueKind::And:
        return a + " & " + b;
    case ValueKind::Or:
        return a + " | " + b;
    case ValueKind::Xor:
        return a + " ^ " + b;
    default:
        return a + " + " + b;
    }
}

class HostWriter {
public:
    HostWriter(const HostProgram& program, const TaskletCode& code, std::span<const std::int64_t> sizes,
               int tasklets)
        : m_program(program), m_code(code), m_sizes(sizes), m_tasklets(tasklets) {
        for (const char* const local : {"set",           "dpu",   "d",         "i",         "r",
                                        "round",         "more",  "most",      "count",     "pairs",
                                        "largest_first", "seen",  "argc",      "argv",      "allocate",
                                        "transfer",      "share", "read_file", "read_rows", "write_file"})
            m_given.give(local);
        for (const HostInput& input : program.inputs)
            m_names.emplace(input.name, m_given.give(input.name));
        for (const HostOutput& output : program.outputs)
            if (!m_names.contains(output.name))
                m_names.emplace(output.name, m_given.give(output.name));
        for (const HostOutput& output : program.outputs)
            if (!output.counts.empty())
                m_names.emplace(output.counts, m_given.give(output.counts));
    }
    std::string run();

private:
    void top();
    void macros();
    void helpers();
    void readRowsHelper();
    void mainFunction();
    void allocations();
    void take(const HostInput& input);
    void push(const HostInput& input);
    void pushArguments();
    void pushSums(const HostArgument& argument);
    void launches();
    void feedBack();
    void pull(const HostOutput& output);
    void pullCompact(const HostOutput& output);
    void pullLargest(const HostOutput& output);
    void largestHelper(std::string_view type);
    void transfer(const char* direction, const std::string& name, const std::string& stride,
                  const std::string& elements);
    void results();

    bool isSeeking() const { return m_program.rounds == 0; }
    bool loops() const { return m_program.rounds != 1; }
    std::string at(const std::string& name) const {
        const Result<HostPlace> place = placeOf(name, m_code, m_sizes);
        return place->array >= 0 ? fmt::format("DPU_MRAM_HEAP_POINTER_NAME, {}_OFFSET", upper(name))
                                 : fmt::format("\"{}\", 0", name);
    }
    const std::string& var(const std::string& name) const { return m_names.at(name); }
    std::string kept(const HostInput& input) const;
    void line(const std::string& text = {}) {
        for (const std::string& piece :
             wrappedC(text.empty() ? text : std::string(std::size_t(m_depth) * 4, ' ') + text))
            m_text += piece + "\n";
    }

    const HostProgram& m_program;
    const TaskletCode& m_code;
    std::span<const std::int64_t> m_sizes;
    int m_tasklets;
    CNames m_given;
    std::map<std::string, std::string> m_names;
    std::string m_text;
    int m_depth = 0, m_files = 0;
};

void HostWriter::top() {
    std::string files;
    for (const HostInput& input : m_program.inputs)
        if (!input.fill)
            files += " " + hostFileName(input.name);
    for (const HostOutput& output : m_program.outputs)
        if (output.isFile)
            files += " " + hostFileName(output.name);
    line(fmt::format("// {}: {}. What the host does, for {} DPUs with {} tasklets each.", m_program.name,
                     m_program.meaning, m_program.dpus, m_tasklets));
    line("// Files on the command line, inputs first; without them:" + files);
    line(fmt::format("// Build: cc -O2 -DNR_DPUS={} FILE.c $(dpu-pkg-config --cflags --libs dpu) -o FILE",
                     m_program.dpus));
    line("#include <dpu.h>");
    if (isSeeking())
        line("#include <stdbool.h>");
    line("#include <stdint.h>");
    line("#include <stdio.h>");
    line("#include <stdlib.h>");
    line("#include <string.h>");
    line();
    line("#ifndef DPU_BINARY");
    line(fmt::format("#define DPU_BINARY \"./{}_dpu\"", m_program.name));
    line("#endif");
    line("#ifndef NR_DPUS");
    line(fmt::format("#define NR_DPUS {}", m_program.dpus));
    line("#endif");
    line(fmt::format("_Static_assert(NR_DPUS == {}, \"the sizes below are for this many DPUs\");",
                     m_program.dpus));
}

void HostWriter::macros() {
    std::set<std::string> done;
    const auto array = [&](const std::string& name, const std::string& meaning, std::int64_t elements,
                           std::int64_t slice, bool isCopy) {
        if (!done.insert(name).second)
            return;
        const std::string macro = upper(name);
        line();
        if (!meaning.empty())
            line(fmt::format("// {}: {}", name, meaning));
        line(fmt::format("#define {}_ELEMENTS {}", macro, elements));
        line(fmt::format("#define {}_SLICE {} // of {} DPU", macro, slice, isCopy ? "every" : "a"));
        if (const Result<HostPlace> place = placeOf(name, m_code, m_sizes); place->array >= 0)
            line(fmt::format("#define {}_OFFSET {} // in MRAM, bytes", macro, place->offset));
    };
    const auto rows = [&](const std::string& name, std::int64_t row, std::int64_t pitch) {
        if (row == 0)
            return;
        line(fmt::format("#define {}_ROW {}", upper(name), row));
        line(fmt::format("#define {}_PITCH {} // from row to row, padded", upper(name), pitch));
    };
    for (const HostInput& input : m_program.inputs) {
        array(input.name, input.meaning, input.elements, input.slice, input.split == Split::Copies);
        if (input.overlap > 0)
            line(fmt::format("#define {}_OVERLAP {} // of the next slice, too", upper(input.name),
                             input.overlap));
        if (input.sharesSlices()) {
            line(fmt::format("#define {}_SHARERS {} // DPUs that get the same slice", upper(input.name),
                             input.sharers));
            line(fmt::format("#define {}_SLICES {} // behind the last comes the first again",
                             upper(input.name), m_program.keptElements(input) / input.slice));
        }
        rows(input.name, input.row, input.pitch);
    }
    for (const HostOutput& output : m_program.outputs) {
        array(output.name, output.meaning, output.elements, output.slice, false);
        rows(output.name, output.row, output.pitch);
    }
    if (m_program.rounds > 1) {
        line();
        line(fmt::format("#define ROUNDS {}", m_program.rounds));
    }
}

void HostWriter::readRowsHelper() {
    m_text += R"(
// A file without padding into rows that are padded.
static void read_rows(const char* path, void* to, size_t rows, size_t row_bytes, size_t pitch_bytes) {
    FILE* file = fopen(path, "rb");
    bool complete = file != NULL;
    for (size_t r = 0; complete && r < rows; ++r)
        complete = fread((char*)to + r * pitch_bytes, 1, row_bytes, file) == row_bytes;
    if (!complete) {
        fprintf(stderr, "%s: %zu rows of %zu bytes cannot be read\n", path, rows, row_bytes);
        exit(EXIT_FAILURE);
    }
    fclose(file);
}
)";
}

void HostWriter::helpers() {
    const auto isPadded = [](const HostInput& input) { return input.row > 0; };
    const auto isPlain = [](const HostInput& input) { return input.row == 0 && !input.fill; };
    m_text += R"(
static void* allocate(size_t elements, size_t bytes) {
    void* made = calloc(elements, bytes);
    if (made == NULL) {
        fprintf(stderr, "no memory for %zu elements\n", elements);
        exit(EXIT_FAILURE);
    }
    return made;
}
)";
    if (std::ranges::any_of(m_program.inputs, isPlain))
        m_text += R"(
static void read_file(const char* path, void* to, size_t bytes) {
    FILE* file = fopen(path, "rb");
    if (file == NULL || fread(to, 1, bytes, file) != bytes) {
        fprintf(stderr, "%s: %zu bytes cannot be read\n", path, bytes);
        exit(EXIT_FAILURE);
    }
    fclose(file);
}
)";
    if (std::ranges::any_of(m_program.inputs, isPadded))
        readRowsHelper();
    m_text += R"(
static void write_file(const char* path, const void* from, size_t bytes) {
    FILE* file = fopen(path, "wb");
    if (file == NULL || fwrite(from, 1, bytes, file) != bytes || fclose(file) != 0) {
        fprintf(stderr, "%s: %zu bytes cannot be written\n", path, bytes);
        exit(EXIT_FAILURE);
    }
}

// Between each DPU and its part of the buffer, all at once; parts are stride bytes apart.
static void transfer(struct dpu_set_t set, dpu_xfer_t direction, void* buffer, size_t stride, size_t bytes,
                     const char* symbol, uint32_t offset) {
    struct dpu_set_t dpu;
    uint32_t d;
    DPU_FOREACH(set, dpu, d)
        DPU_ASSERT(dpu_prepare_xfer(dpu, (char*)buffer + d * stride));
    DPU_ASSERT(dpu_push_xfer(set, direction, symbol, offset, bytes, DPU_XFER_DEFAULT));
}
)";
    if (const auto largest =
            std::ranges::find(m_program.outputs, HostOutput::Merge::Largest, &HostOutput::merge);
        largest != m_program.outputs.end())
        largestHelper(cName(largest->type));
    if (std::ranges::find(m_program.arguments, HostArgument::What::Share, &HostArgument::what) !=
        m_program.arguments.end())
        m_text += R"(
// Elements or rows in the slice of a DPU: the last ones have less.
static uint32_t share(uint32_t d, uint32_t elements, uint32_t slice) {
    const uint32_t begin = d * slice;
    return begin >= elements ? 0 : elements - begin < slice ? elements - begin : slice;
}
)";
}

std::string HostWriter::kept(const HostInput& input) const {
    const std::string macro = upper(input.name);
    switch (input.split) {
    case Split::Slices:
        return fmt::format("{} * {}_SLICE{}", input.sharesSlices() ? macro + "_SLICES" : "NR_DPUS", macro,
                           input.overlap > 0 ? fmt::format(" + {}_OVERLAP", macro) : std::string());
    case Split::Copies:
        return macro + "_SLICE";
    case Split::Bounded:
        return fmt::format("{0}_ELEMENTS + {0}_SLICE", macro);
    }
    return {};
}

/// The array of the host, with what is in its file.
void HostWriter::take(const HostInput& input) {
    const std::string& name = var(input.name);
    const std::string macro = upper(input.name);
    line(fmt::format("{0}* {1} = allocate({2}, sizeof *{1});", cName(input.type), name, kept(input)));
    if (input.fill) {
        const std::string value = *input.fill == std::numeric_limits<std::uint32_t>::max()
                                      ? "UINT32_MAX"
                                      : fmt::format("{}", *input.fill);
        line(fmt::format("for (uint32_t i = 0; i < {}; ++i)", kept(input)));
        return line(fmt::format("    {}[i] = {};", name, value));
    }
    ++m_files;
    const std::string file =
        fmt::format("argc > {0} ? argv[{0}] : \"{1}\"", m_files, hostFileName(input.name));
    if (input.row > 0)
        line(fmt::format(
            "read_rows({0}, {1}, {2}_ELEMENTS / {2}_ROW, {2}_ROW * sizeof *{1}, {2}_PITCH * sizeof *{1});",
            file, name, macro));
    else
        line(fmt::format("read_file({0}, {1}, {2}_ELEMENTS * sizeof *{1});", file, name, macro));
}

void HostWriter::transfer(const char* direction, const std::string& name, const std::string& stride,
                          const std::string& elements) {
    line(fmt::format("transfer(set, {}, {}, {}, {}, {});", direction, var(name), stride, elements, at(name)));
}

void HostWriter::push(const HostInput& input) {
    const std::string& name = var(input.name);
    const std::string macro = upper(input.name);
    const auto fromPlaces = [&](const std::string& place, const std::string& elements) {
        line("DPU_FOREACH(set, dpu, d)");
        line(fmt::format("    DPU_ASSERT(dpu_prepare_xfer(dpu, {} + {}));", name, place));
        line(fmt::format(
            "DPU_ASSERT(dpu_push_xfer(set, DPU_XFER_TO_DPU, {}, {} * sizeof *{}, DPU_XFER_DEFAULT));",
            at(input.name), elements, name));
    };
    switch (input.split) {
    case Split::Slices:
        if (input.sharesSlices())
            return fromPlaces(fmt::format("d / {0}_SHARERS % {0}_SLICES * {0}_SLICE", macro),
                              input.overlap > 0 ? fmt::format("({0}_SLICE + {0}_OVERLAP)", macro)
                                                : macro + "_SLICE");
        return transfer("DPU_XFER_TO_DPU", input.name, fmt::format("{}_SLICE * sizeof *{}", macro, name),
                        input.overlap > 0
                            ? fmt::format("({0}_SLICE + {0}_OVERLAP) * sizeof *{1}", macro, name)
                            : fmt::format("{}_SLICE * sizeof *{}", macro, name));
    case Split::Copies:
        line(
            fmt::format("DPU_ASSERT(dpu_broadcast_to(set, {}, {}, {}_SLICE * sizeof *{}, DPU_XFER_DEFAULT));",
                        at(input.name), name, macro, name));
        return;
    case Split::Bounded:
        return fromPlaces(fmt::format("{}[d * {}_SLICE]", var(input.bounds), upper(input.bounds)),
                          macro + "_SLICE");
    }
}

void HostWriter::pushArguments() {
    for (const HostArgument& argument : m_program.arguments) {
        if (argument.what == HostArgument::What::Round) {
            line(fmt::format(
                "DPU_ASSERT(dpu_broadcast_to(set, \"{}\", 0, &round, sizeof round, DPU_XFER_DEFAULT));",
                argument.name));
            continue;
        }
        if (argument.what == HostArgument::What::Before) {
            pushSums(argument);
            continue;
        }
        const std::string name = m_given.give("share_of_" + argument.name);
        line(fmt::format("uint32_t {}[NR_DPUS];", name));
        line("for (d = 0; d < NR_DPUS; ++d)");
        line(m_program.input(argument.of)->row > 0
                 ? fmt::format("    {0}[d] = share(d, {1}_ELEMENTS / {1}_ROW, {1}_SLICE / {1}_PITCH);", name,
                               upper(argument.of))
                 : fmt::format("    {0}[d] = share(d, {1}_ELEMENTS, {1}_SLICE);", name, upper(argument.of)));
        line(fmt::format("transfer(set, DPU_XFER_TO_DPU, {0}, sizeof *{0}, sizeof *{0}, \"{1}\", 0);", name,
                         argument.name));
    }
}

void HostWriter::pushSums(const HostArgument& argument) {
    const HostOutput& of = *m_program.output(argument.of);
    const std::string name = m_given.give(argument.name);
    const std::string first =
        argument.group < m_program.dpus ? fmt::format("d % {} == 0", argument.group) : std::string("d == 0");
    line(fmt::format("{} {}[NR_DPUS];", cName(of.type), name));
    line("for (d = 0; d < NR_DPUS; ++d)");
    const std::string last = name + "[d - 1]", more = var(of.name) + "[d - 1]";
    line(fmt::format("    {}[d] = {} ? {} : {};", name, first, cNumber(argument.start),
                     cFold(argument.fold, last, more)));
    line(fmt::format("transfer(set, DPU_XFER_TO_DPU, {0}, sizeof *{0}, sizeof *{0}, \"{1}\", 0);", name,
                     argument.name));
}

/// What the next launch begins with.
void HostWriter::feedBack() {
    const std::string &from = var(m_program.fedBackFrom), &to = var(m_program.fedBackTo);
    const std::string macro = upper(m_program.fedBackFrom);
    if (!isSeeking())
        return line(fmt::format("memcpy({0}, {1}, {2}_ELEMENTS * sizeof *{0});", to, from, macro));
    line("more = false;");
    line(fmt::format("for (uint32_t i = 0; i < {}_ELEMENTS; ++i) {{", macro));
    line(fmt::format("    {}[i] = {}[i] & ~seen[i];", to, from));
    line(fmt::format("    seen[i] |= {}[i];", from));
    line(fmt::format("    more |= {}[i] != 0;", to));
    line("}");
}

void HostWriter::launches() {
    line();
    if (isSeeking()) {
        line("// Until nothing is reached that was not before.");
        line("bool more = true;");
        line("for (uint32_t round = 0; more; ++round) {");
    } else if (loops()) {
        line("for (uint32_t round = 0; round < ROUNDS; ++round) {");
    }
    m_depth += loops() ? 1 : 0;
    if (!loops() && std::ranges::find(m_program.arguments, HostArgument::What::Round, &HostArgument::what) !=
                        m_program.arguments.end())
        line("const uint32_t round = 0;");
    pushArguments();
    if (const HostInput* input = m_program.input(m_program.fedBackTo))
        push(*input);
    line("DPU_ASSERT(dpu_launch(set, DPU_SYNCHRONOUS));");
    if (const HostOutput* output = m_program.output(m_program.fedBackFrom)) {
        pull(*output);
        feedBack();
    }
    for (const HostOutput& output : m_program.outputs)
        if (m_program.isBetweenLaunches(output.name)) {
            line("if (round + 1 < ROUNDS)");
            ++m_depth;
            pull(output);
            --m_depth;
        }
    if (loops()) {
        --m_depth;
        line("}");
    }
}

void HostWriter::pullCompact(const HostOutput& output) {
    const std::string &name = var(output.name), &counts = var(output.counts);
    const std::string macro = upper(output.name);
    const int each = 8 / bytesOf(output.type);
    line(fmt::format("transfer(set, DPU_XFER_FROM_DPU, {0}, sizeof *{0}, sizeof *{0}, {1});", counts,
                     at(output.counts)));
    line("uint32_t most = 0, count = 0;");
    line("for (d = 0; d < NR_DPUS; ++d)");
    line(fmt::format("    most = {0}[d] > most ? {0}[d] : most;", counts));
    if (each > 1)
        line(fmt::format("most = (most + {}) / {} * {}; // transfers are multiples of 8 bytes", each - 1,
                         each, each));
    line("if (most != 0)");
    line(fmt::format(
        "    transfer(set, DPU_XFER_FROM_DPU, {0}, {1}_SLICE * sizeof *{0}, most * sizeof *{0}, {2});", name,
        macro, at(output.name)));
    line("for (d = 0; d < NR_DPUS; ++d) {");
    line(fmt::format("    memmove({0} + count, {0} + d * {1}_SLICE, {2}[d] * sizeof *{0});", name, macro,
                     counts));
    line(fmt::format("    count += {}[d];", counts));
    line("}");
}

/// Pairs of all DPUs, close together, sorted.
void HostWriter::pullLargest(const HostOutput& output) {
    const std::string &name = var(output.name), &counts = var(output.counts);
    const std::string macro = upper(output.name), slice = upper(output.indexOf);
    const std::string step = m_program.input(output.indexOf)->row > 0
                                 ? fmt::format("({0}_SLICE / {0}_PITCH)", slice)
                                 : slice + "_SLICE";
    const std::string bytes = fmt::format("{}_SLICE * sizeof *{}", macro, name);
    line(fmt::format("transfer(set, DPU_XFER_FROM_DPU, {0}, sizeof *{0}, sizeof *{0}, {1});", counts,
                     at(output.counts)));
    transfer("DPU_XFER_FROM_DPU", output.name, bytes, bytes);
    line("uint32_t pairs = 0;");
    line("for (d = 0; d < NR_DPUS; ++d)");
    line(fmt::format("    for (uint32_t i = 0; i < {}[d]; ++i, ++pairs) {{", counts));
    line(fmt::format("        {0}[2 * pairs] = {0}[d * {1}_SLICE + 2 * i];", name, macro));
    line(fmt::format("        {0}[2 * pairs + 1] = {0}[d * {1}_SLICE + 2 * i + 1] + ({2})(d * {3});", name,
                     macro, cName(output.type), step));
    line("    }");
    line(fmt::format("qsort({0}, pairs, 2 * sizeof *{0}, largest_first);", name));
}

void HostWriter::largestHelper(std::string_view type) {
    m_text += fmt::format(R"(
// Pairs of a value and its index: of equal values the first comes first.
static int largest_first(const void* a, const void* b) {{
    const {0} *x = a, *y = b;
    if (x[0] != y[0])
        return x[0] > y[0] ? -1 : 1;
    return (x[1] > y[1]) - (x[1] < y[1]);
}}
)",
                          type);
}

void HostWriter::pull(const HostOutput& output) {
    if (output.merge == HostOutput::Merge::Compact)
        return pullCompact(output);
    if (output.merge == HostOutput::Merge::Largest)
        return pullLargest(output);
    const std::string& name = var(output.name);
    const std::string macro = upper(output.name), bytes = fmt::format("{}_SLICE * sizeof *{}", macro, name);
    transfer("DPU_XFER_FROM_DPU", output.name, bytes, bytes);
    if (output.row > 0) {
        line(fmt::format("for (uint32_t r = 0; r < {0}_ELEMENTS / {0}_ROW; ++r)", macro));
        line(fmt::format("    memmove({0} + r * {1}_ROW, {0} + r * {1}_PITCH, {1}_ROW * sizeof *{0});", name,
                         macro));
    }
    if (output.merge == HostOutput::Merge::Add || output.merge == HostOutput::Merge::Or) {
        line("for (d = 1; d < NR_DPUS; ++d)");
        line(fmt::format("    for (uint32_t i = 0; i < {}_SLICE; ++i)", macro));
        line(fmt::format("        {0}[i] {1}= {0}[d * {2}_SLICE + i];", name,
                         output.merge == HostOutput::Merge::Or ? '|' : '+', macro));
    }
    if (output.merge == HostOutput::Merge::Minimum) {
        const std::string_view type = cName(output.type);
        line("// The least value, then the least index.");
        line(fmt::format("for (uint32_t i = 0; i < NR_DPUS * {}_SLICE; i += 2) {{", macro));
        line(fmt::format(
            "    const {0} value = {1}[i], index = {1}[i + 1] + ({0})(i / {2}_SLICE * {3}_SLICE);", type,
            name, macro, upper(output.indexOf)));
        line(fmt::format("    if (value < {0}[0] || (value == {0}[0] && index < {0}[1])) {{", name));
        line(fmt::format("        {}[0] = value;", name));
        line(fmt::format("        {}[1] = index;", name));
        line("    }");
        line("}");
    }
}

void HostWriter::allocations() {
    for (const HostInput& input : m_program.inputs)
        take(input);
    for (const HostOutput& output : m_program.outputs)
        if (m_program.input(output.name) == nullptr)
            line(fmt::format("{0}* {1} = allocate(NR_DPUS * {2}_SLICE, sizeof *{1});", cName(output.type),
                             var(output.name), upper(output.name)));
    for (const HostOutput& output : m_program.outputs)
        if (!output.counts.empty())
            line(fmt::format("uint32_t* {0} = allocate(NR_DPUS, sizeof *{0});", var(output.counts)));
    if (isSeeking()) {
        const HostInput& input = *m_program.input(m_program.fedBackTo);
        line(fmt::format("{0}* seen = allocate({1}, sizeof *seen);", cName(input.type), kept(input)));
        line(
            fmt::format("memcpy(seen, {}, {}_ELEMENTS * sizeof *seen);", var(input.name), upper(input.name)));
    }
}

void HostWriter::results() {
    line();
    for (const HostOutput& output : m_program.outputs) {
        if (output.name != m_program.fedBackFrom && !m_program.isBetweenLaunches(output.name))
            pull(output);
        if (!output.isFile)
            continue;
        ++m_files;
        line(fmt::format("write_file(argc > {0} ? argv[{0}] : \"{1}\", {2}, {3} * sizeof *{2});", m_files,
                         hostFileName(output.name), var(output.name),
                         output.merge == HostOutput::Merge::Compact ? "count"
                                                                    : upper(output.name) + "_ELEMENTS"));
    }
}

void HostWriter::mainFunction() {
    line();
    line("int main(int argc, char** argv) {");
    ++m_depth;
    allocations();
    line();
    const auto usesDpu = [](const HostInput& input) {
        return input.split == Split::Bounded || input.sharesSlices();
    };
    line(std::ranges::any_of(m_program.inputs, usesDpu) ? "struct dpu_set_t set, dpu;"
                                                        : "struct dpu_set_t set;");
    const std::size_t declared = m_text.size(); // d, if it is used
    line("DPU_ASSERT(dpu_alloc(NR_DPUS, NULL, &set));");
    line("DPU_ASSERT(dpu_load(set, DPU_BINARY, NULL));");
    for (const HostInput& input : m_program.inputs)
        if (input.name != m_program.fedBackTo)
            push(input);
    launches();
    results();
    if (m_text.find("(d = ", declared) != std::string::npos ||
        m_text.find("DPU_FOREACH(set, dpu, d)", declared) != std::string::npos)
        m_text.insert(declared, "    uint32_t d;\n");
    line();
    line("DPU_ASSERT(dpu_free(set));");
    for (const auto& [array, name] : m_names)
        line(fmt::format("free({});", name));
    if (isSeeking())
        line("free(seen);");
    line("return EXIT_SUCCESS;");
    --m_depth;
    line("}");
}

std::string HostWriter::run() {
    top();
    macros();
    helpers();
    mainFunction();
    if (m_text.find("bool ") != std::string::npos && m_text.find("<stdbool.h>") == std::string::npos)
        m_text.insert(m_text.find("#include <stdint.h>"), "#include <stdbool.h>\n");
    return std::move(m_text);
}

} // namespace

std::string hostFileName(const std::string& array) {
    return array + ".bin";
}

Result<std::string> hostCode(const HostProgram& program, const TaskletCode& code,
                             std::span<const std::int64_t> sizes, int tasklets) {
    PIM_CHECK(checkHostProgram(program, code, sizes));
    return HostWriter(program, code, sizes, tasklets).run();
}

} // namespace pim::upmem
