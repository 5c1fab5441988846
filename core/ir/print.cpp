// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/print.h"

#include "core/ir/dialect.h"

#include <charconv>

namespace pim::ir {

namespace {

class Printer {
public:
    Printer(const Module& module, PrintOptions options) : m_module(module), m_options(options) {
        m_out.lines.resize(module.size());
    }

    void operation(OperationId id, int depth);
    void newLine(std::string_view line) {
        m_out.text += line;
        m_out.text += '\n';
        ++m_out.lineCount;
    }
    PrintedModule take() { return std::move(m_out); }

private:
    void number(std::int64_t value) {
        char digits[24];
        m_out.text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    }
    void value(ValueId id);
    void results(const Operation& op);
    void regions(const Operation& op, int depth);
    void types(const Operation& op);
    void location(const Operation& op);

    const Module& m_module;
    PrintOptions m_options;
    PrintedModule m_out;
};

void Printer::value(ValueId id) {
    m_out.text += '%';
    const ValueInfo& info = m_module.value(id);
    if (!info.op.valid() || m_module.operation(info.op).resultCount == 1)
        return number(id.value);
    const ValueId first = m_module.operation(info.op).firstResult;
    number(first.value);
    m_out.text += '#';
    number(id.value - first.value);
}

void Printer::results(const Operation& op) {
    if (op.resultCount == 0)
        return;
    m_out.text += '%';
    number(op.firstResult.value);
    if (op.resultCount > 1) {
        m_out.text += ':';
        number(op.resultCount);
    }
    m_out.text += " = ";
}

void Printer::regions(const Operation& op, int depth) {
    for (std::uint32_t r = 0; r < op.regionCount; ++r) {
        const Region& region = m_module.regionOf(op, r);
        newLine(r ? ", {" : " ({");
        if (region.argumentCount > 0) {
            m_out.text.append(static_cast<std::size_t>(depth) * 2, ' ');
            m_out.text += "^bb0(";
            for (std::uint32_t a = 0; a < region.argumentCount; ++a) {
                m_out.text += a ? ", " : "";
                value(Module::argument(region, a));
                m_out.text += ": ";
                m_module.type(Module::argument(region, a)).print(m_out.text);
            }
            newLine("):");
        }
        for (const OperationId inner : region.operations)
            operation(inner, depth + 1);
        m_out.text.append(static_cast<std::size_t>(depth) * 2, ' ');
        m_out.text += '}';
    }
    m_out.text += ')';
}

void Printer::types(const Operation& op) {
    m_out.text += " : (";
    bool first = true;
    for (const ValueId operand : m_module.operands(op)) {
        m_out.text += first ? "" : ", ";
        m_module.type(operand).print(m_out.text);
        first = false;
    }
    m_out.text += op.resultCount == 1 ? ") -> " : ") -> (";
    for (std::uint32_t r = 0; r < op.resultCount; ++r) {
        m_out.text += r ? ", " : "";
        m_module.type(Module::result(op, r)).print(m_out.text);
    }
    m_out.text += op.resultCount == 1 ? "" : ")";
}

void Printer::location(const Operation& op) {
    const Location& from = m_module.location(op);
    const std::size_t count = from.graphOps.size() + from.parents.size();
    if (count == 0) {
        m_out.text += " loc(unknown)";
        return;
    }
    m_out.text += count == 1 ? " loc(" : " loc(fused[";
    bool first = true;
    for (const std::string& name : from.graphOps) {
        m_out.text += first ? "" : ", ";
        printQuoted(m_out.text, name);
        first = false;
    }
    for (const OperationId parent : from.parents) {
        m_out.text += first ? "\"" : ", \"";
        m_out.text += from.level;
        m_out.text += '#';
        number(parent.value);
        m_out.text += '"';
        first = false;
    }
    m_out.text += count == 1 ? ")" : "])";
}

void Printer::operation(OperationId id, int depth) {
    const Operation& op = m_module.operation(id);
    m_out.lines[id.index()].first = m_out.lineCount;
    m_out.text.append(static_cast<std::size_t>(depth) * 2, ' ');
    results(op);
    m_out.text += '"';
    m_out.text += op.def->name;
    m_out.text += "\"(";
    bool first = true;
    for (const ValueId operand : m_module.operands(op)) {
        m_out.text += first ? "" : ", ";
        value(operand);
        first = false;
    }
    m_out.text += ')';
    if (op.regionCount > 0)
        regions(op, depth);
    if (!op.attributes.empty()) {
        m_out.text += " {";
        for (std::size_t a = 0; a < op.attributes.size(); ++a) {
            m_out.text += a ? ", " : "";
            m_out.text += op.attributes[a].name;
            if (!std::holds_alternative<UnitAttribute>(op.attributes[a].value.value)) {
                m_out.text += " = ";
                op.attributes[a].value.print(m_out.text);
            }
        }
        m_out.text += '}';
    }
    types(op);
    if (m_options.locations)
        location(op);
    m_out.lines[id.index()].last = m_out.lineCount;
    newLine({});
}

} // namespace

PrintedModule print(const Module& module, PrintOptions options) {
    Printer printer(module, options);
    if (!module.level().empty())
        printer.newLine("// level " + module.level());
    for (const OperationId function : module.functions())
        printer.operation(function, 0);
    return printer.take();
}

std::string printOp(const Module& module, OperationId op) {
    Printer printer(module, {.locations = false});
    printer.operation(op, 0);
    std::string text = printer.take().text;
    text.pop_back();
    return text;
}

} // namespace pim::ir
