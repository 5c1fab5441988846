// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/tasklet/c_code.h"

#include "backends/upmem/dpu/isa.h"
#include "backends/upmem/tasklet/c_writer.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::upmem {

// ---- Beforehand ----

void CWriter::lookAt(int node) {
    if (node < 0)
        return;
    const ValueNode& n = m_code.node(node);
    if (n.kind == ValueKind::Variable)
        m_needs.variables.insert(int(n.number));
    lookAt(n.left);
    lookAt(n.right);
}

void CWriter::look(const std::vector<Statement>& list) {
    for (const Statement& s : list) {
        for (const int node : {s.a, s.b, s.c, s.condition.left, s.condition.right})
            lookAt(node);
        m_needs.dma |= s.kind == Kind::DmaRead || s.kind == Kind::DmaWrite || s.kind == Kind::ReadAll;
        m_needs.readAll |= s.kind == Kind::ReadAll;
        m_needs.barrier |= s.kind == Kind::Barrier;
        m_needs.handshake |= s.kind == Kind::WaitFor || s.kind == Kind::Notify;
        m_needs.unroll |= s.kind == Kind::Unrolled;
        if (s.kind == Kind::Lock || s.kind == Kind::Unlock)
            m_needs.mutexes.insert(int(s.number));
        if (s.kind == Kind::Set)
            m_needs.changed.insert(s.variable);
        look(s.body);
        look(s.otherwise);
    }
}

void CWriter::nameGlobals() {
    for (const TaskletCode::Size& size : m_code.sizes())
        m_names.sizes.push_back(m_given.give(size.name));
    for (const TaskletCode::Array& array : m_code.arrays())
        m_names.arrays.push_back(m_given.give(cOffsetName(array)));
    for (const TaskletCode::Buffer& buffer : m_code.buffers())
        m_names.buffers.push_back(m_given.give(buffer.name));
    for (const int mutex : m_needs.mutexes)
        m_mutexNames[mutex] =
            m_given.give(m_needs.mutexes.size() == 1 ? "mutex" : fmt::format("mutex_{}", mutex));
    m_names.me = "tasklet_id";
}

// ---- Parts of the file ----

std::string commentText(std::string_view text) {
    std::string made;
    for (const char c : text)
        made += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    while (!made.empty() && made.back() == '\\') // would take the next line in
        made.pop_back();
    return made;
}

void CWriter::top(const std::string& origin) {
    line("// " + commentText(m_code.name()) + ": what every tasklet of a DPU runs.");
    if (!origin.empty())
        line("// " + commentText(origin));
    line(fmt::format("// Build: dpu-upmem-dpurte-clang -O2 -DNR_TASKLETS={} FILE.c -o FILE", m_tasklets));
    const std::pair<bool, std::string_view> headers[] = {
        {m_needs.barrier, "barrier.h"},        {true, "defs.h"},
        {m_needs.handshake, "handshake.h"},    {m_needs.dma, "mram.h"},
        {!m_needs.mutexes.empty(), "mutex.h"}, {true, "stdint.h"}};
    for (const auto& [needed, header] : headers)
        if (needed)
            line(fmt::format("#include <{}>", header));
}

void CWriter::sizeMacros() {
    std::size_t width = 0;
    std::vector<std::string> made;
    for (std::size_t i = 0; i < m_sizes.size(); ++i) {
        made.push_back(fmt::format("#define {} {}", m_names.sizes[i], m_sizes[i]));
        width = std::max(width, made.back().size());
    }
    if (!made.empty())
        line();
    for (std::size_t i = 0; i < made.size(); ++i) {
        const std::string meaning = commentText(m_code.sizes()[i].meaning);
        line(meaning.empty() ? made[i] : fmt::format("{:<{}} // {}", made[i], width, meaning));
    }
}

void CWriter::arrayMacros() {
    if (m_code.arrays().empty())
        return;
    line();
    line("// Arrays in MRAM, bytes from the heap's beginning.");
    std::size_t width = 0;
    std::vector<std::string> made;
    for (std::size_t i = 0; i < m_code.arrays().size(); ++i) {
        made.push_back(fmt::format("#define {} {}", m_names.arrays[i], m_code.arrayOffset(i, m_sizes)));
        width = std::max(width, made.back().size());
    }
    for (std::size_t i = 0; i < made.size(); ++i) {
        const TaskletCode::Array& array = m_code.arrays()[i];
        const std::int64_t bytes = m_code.evaluate(array.bytes, m_sizes);
        const std::string meaning = commentText(array.meaning);
        line(fmt::format("{:<{}} // {}[{}]{}{}", made[i], width, cName(array.type),
                         bytes / bytesOf(array.type), meaning.empty() ? "" : ": ", meaning));
    }
}

void CWriter::buffers() {
    line();
    line(fmt::format("_Static_assert(NR_TASKLETS == {}, \"the sizes above are for this many tasklets\");",
                     m_tasklets));
    std::string sum;
    for (std::size_t i = 0; i < m_code.buffers().size(); ++i) {
        const TaskletCode::Buffer& buffer = m_code.buffers()[i];
        if (i == 0)
            line();
        const std::string meaning = commentText(buffer.meaning);
        line(fmt::format("{} __dma_aligned {} {}{}[{}];{}{}", buffer.ofHost ? "__host" : "static",
                         cName(buffer.type), m_names.buffers[i], buffer.ofTasklet ? "[NR_TASKLETS]" : "",
                         text(buffer.elements), meaning.empty() ? "" : " // ", meaning));
        sum += fmt::format("{}sizeof {}", i == 0 ? "" : " + ", m_names.buffers[i]);
    }
    if (!sum.empty()) {
        line(fmt::format("#define WRAM_FOR_BUFFERS {} // of {}; stacks and runtime take the rest",
                         kBufferWramBytes, kWramBytes));
        line(fmt::format("_Static_assert({} <= WRAM_FOR_BUFFERS, \"use smaller tiles or fewer tasklets\");",
                         sum));
    }
    if (m_needs.barrier || !m_mutexNames.empty())
        line();
    if (m_needs.barrier)
        line("BARRIER_INIT(all_tasklets, NR_TASKLETS)");
    for (const auto& [mutex, name] : m_mutexNames)
        line(fmt::format("MUTEX_INIT({})", name));
}

void CWriter::helpers() {
    if (m_needs.unroll) {
        line();
        line("#define PRAGMA(text) _Pragma(#text)");
        line("#ifdef __clang__");
        line("#define UNROLL(times) PRAGMA(unroll times)");
        line("#else");
        line("#define UNROLL(times) PRAGMA(GCC unroll times)");
        line("#endif");
    }
    if (!m_mutexNames.empty()) {
        line();
        line("// What a lock guards is not kept in registers across it.");
        line("static inline void lock(mutex_id_t id) {");
        line("    mutex_lock(id);");
        line("    __asm__ volatile(\"\" ::: \"memory\");");
        line("}");
        line();
        line("static inline void unlock(mutex_id_t id) {");
        line("    __asm__ volatile(\"\" ::: \"memory\");");
        line("    mutex_unlock(id);");
        line("}");
    }
    for (const std::string& name : m_names.helpers) {
        const std::string_view type = name[4] == 'i' ? "int32_t" : "uint32_t";
        line();
        line(fmt::format("static inline {} {}({} a, {} b) {{", type, name, type, type));
        line(fmt::format("    return a {} b ? a : b;", name.starts_with("min") ? '<' : '>'));
        line("}");
    }
    if (m_needs.readAll) {
        line();
        line(fmt::format("// In pieces: a DMA moves up to {} bytes.", kMostDmaBytes));
        line("static void read_all(const __mram_ptr void* from, void* to, uint32_t bytes) {");
        line(fmt::format("    for (uint32_t done = 0; done < bytes; done += {})", kMostDmaBytes));
        line(fmt::format("        mram_read(from + done, (uint8_t*)to + done, bytes - done < {0} ? bytes - "
                         "done : {0});",
                         kMostDmaBytes));
        line("}");
    }
}

void CWriter::mainFunction() {
    line("int main(void) {");
    ++m_depth;
    m_given.enter();
    statements(m_code.statements());
    m_given.leave();
    m_statement = -1;
    line("return 0;");
    --m_depth;
    line("}");
}

CCode CWriter::run(const std::string& origin) {
    look(m_code.statements());
    nameGlobals();
    // What main() needs is known once it is written; it stands last.
    mainFunction();
    std::vector<std::string> mainLines = std::exchange(m_lines, {});
    std::vector<int> mainStatements = std::exchange(m_statementOfLine, {});
    top(origin);
    sizeMacros();
    arrayMacros();
    buffers();
    helpers();
    line();
    const auto names = [](const std::string& text) {
        const std::size_t at = text.find("tasklet_id");
        return at != std::string::npos && text.find("//") > at;
    };
    const bool asksWho = std::ranges::any_of(mainLines, names);
    for (std::size_t i = 0; i < mainLines.size(); ++i) {
        m_statement = mainStatements[i];
        line(mainLines[i]);
        if (i == 0 && asksWho)
            line("    const uint32_t tasklet_id = me();");
    }
    CCode made;
    for (const std::string& text : m_lines)
        made.text += text + "\n";
    made.statementOfLine = std::move(m_statementOfLine);
    return made;
}

std::string cOffsetName(const TaskletCode::Array& array) {
    std::string made;
    for (const char c : array.name)
        made += c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
    return made + "_OFFSET";
}

Result<CCode> cCode(const TaskletCode& code, std::span<const std::int64_t> sizes, int tasklets,
                    const std::string& origin) {
    PIM_CHECK(code.checkSizes(sizes, tasklets));
    return CWriter(code, sizes, tasklets).run(origin);
}

} // namespace pim::upmem
