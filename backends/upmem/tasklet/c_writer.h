// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The C program of a TaskletCode while it is written: what its statements need, the file around them, they themselves. Used by
/// c_code.cpp (the file) and c_statements.cpp (the statements) alone.
#include "backends/upmem/tasklet/c_code.h"
#include "backends/upmem/tasklet/c_expression.h"

namespace pim::upmem {

/// What the statements need of headers, globals and helpers.
struct CNeeds {
    bool dma = false, barrier = false, mutex = false, handshake = false, readAll = false, unroll = false;
    std::set<int> variables, changed, mutexes; ///< Variables that are used; those that get another value.
    std::set<int> retyped;                     ///< Pointers to elements of another size than the buffer's.
};

class CWriter {
public:
    CWriter(const TaskletCode& code, std::span<const std::int64_t> sizes, int tasklets)
        : m_code(code), m_sizes(sizes), m_tasklets(tasklets), m_expressions(code, sizes, m_names) {}

    CCode run(const std::string& origin);

private:
    using Kind = Statement::Kind;

    // Beforehand.
    void look(const std::vector<Statement>& list);
    void lookAt(int node);
    void nameGlobals();

    // Parts of the file.
    void top(const std::string& origin);
    void sizeMacros();
    void arrayMacros();
    void buffers();
    void helpers();
    void mainFunction();

    // Statements.
    void statements(const std::vector<Statement>& list);
    void statement(const Statement& s);
    void declare(const Statement& s);
    void set(const Statement& s);
    void store(const Statement& s);
    void transfer(const Statement& s);
    void range(const Statement& s);
    void when(const Statement& s);
    void inBraces(const std::string& head, const std::vector<Statement>& body, bool mayBePlain = true);
    bool isPlainBody(const std::vector<Statement>& body) const;
    bool changesIn(int node, const std::vector<Statement>& body) const;
    bool reads(int node, int variable) const;
    std::string change(const std::string& what, int value, const std::function<bool(int)>& isWhat) const;

    void line(const std::string& text = {}) {
        const std::string indented = text.empty() ? text : std::string(std::size_t(m_depth) * 4, ' ') + text;
        for (std::string& piece : wrappedC(indented)) {
            m_lines.push_back(std::move(piece));
            m_statementOfLine.push_back(text.empty() ? -1 : m_statement);
        }
    }
    std::string text(int node) const { return m_expressions.text(node); }

    const TaskletCode& m_code;
    std::span<const std::int64_t> m_sizes;
    int m_tasklets;
    CNames m_given;
    CExpressionNames m_names;
    CExpressions m_expressions;
    CNeeds m_needs;
    std::map<int, std::string> m_mutexNames;
    std::vector<std::string> m_lines;
    std::vector<int> m_statementOfLine;
    int m_depth = 0, m_statement = -1;
};

/// Text on one line of a comment, whatever is in it.
std::string commentText(std::string_view text);

} // namespace pim::upmem
