// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/parse.h"

#include "core/base/text_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace pim {
namespace {

// Bounds that no sensible kernel reaches; they keep hostile text from eating the stack or the memory.
constexpr int kMaxNesting = 64;
constexpr std::size_t kMaxLoops = 32;
constexpr std::size_t kMaxTensors = 64;
constexpr std::size_t kMaxRank = 16;
constexpr std::size_t kMaxNodes = 1024;
constexpr std::size_t kMaxName = 128;

using Position = std::size_t; ///< In the text.

enum class TokenKind : std::uint8_t { Name, Integer, Real, Symbol, Newline, End, Bad };

struct Token {
    TokenKind kind = TokenKind::End;
    std::string_view text;
    Position at = 0;
    int indent = 0; ///< Columns of white space before the first token of a line.
};

/// Hands out one token at a time, so that its memory does not grow with the text. Line ends inside brackets,
/// blank lines and comments vanish, as in Python.
class Lexer {
public:
    Lexer(std::string_view text, std::string_view fileName)
        : m_scan(text, fileName, {}, ErrorCode::InvalidKernel) {}

    Token next() {
        for (;;) {
            if (m_lineStart)
                startLine();
            m_scan.skipBlanks();
            if (m_scan.peek() == '#')
                m_scan.moveTo(m_scan.lineEnd());
            if (m_scan.isDone()) {
                if (m_lineHasTokens) {
                    m_lineHasTokens = false;
                    return make(TokenKind::Newline, m_scan.at());
                }
                return make(TokenKind::End, m_scan.at());
            }
            if (m_scan.peek() != '\n')
                break;
            const Token token = make(TokenKind::Newline, m_scan.at());
            m_scan.advance();
            if (m_brackets > 0)
                continue;
            m_lineStart = true;
            if (std::exchange(m_lineHasTokens, false))
                return token;
        }
        m_lineHasTokens = true;
        return word();
    }

    const TextScanner& scanner() const { return m_scan; }

private:
    void skipDigits() {
        while (TextScanner::isDigit(m_scan.peek()))
            m_scan.advance();
    }
    void startLine() {
        m_lineStart = false;
        m_indent = 0;
        for (; m_scan.peek() == ' ' || m_scan.peek() == '\t'; m_scan.advance())
            m_indent = m_scan.peek() == '\t' ? (m_indent / 8 + 1) * 8 : m_indent + 1;
    }

    Token make(TokenKind kind, std::size_t begin) const {
        return {kind, m_scan.text().substr(begin, m_scan.at() - begin), begin, m_indent};
    }

    Token word() {
        const std::size_t begin = m_scan.at();
        Token token = make(TokenKind::Symbol, begin);
        const char first = m_scan.peek();
        if (TextScanner::isLetter(first)) {
            m_scan.advance(m_scan.wordHere().size());
            token.kind = TokenKind::Name;
        } else if (TextScanner::isDigit(first)) {
            token.kind = TokenKind::Integer;
            skipDigits();
            if (m_scan.peek() == '.' && TextScanner::isDigit(m_scan.peek(1))) {
                token.kind = TokenKind::Real;
                m_scan.advance();
                skipDigits();
            }
            if ((m_scan.peek() == 'e' || m_scan.peek() == 'E') &&
                (TextScanner::isDigit(m_scan.peek(1)) || ((m_scan.peek(1) == '-' || m_scan.peek(1) == '+') &&
                                                          TextScanner::isDigit(m_scan.peek(2))))) {
                token.kind = TokenKind::Real;
                m_scan.advance();
                m_scan.advance();
                skipDigits();
            }
            if (TextScanner::isLetter(m_scan.peek()))
                token.kind = TokenKind::Bad;
        } else {
            m_scan.advance();
            if ((first == '+' || first == '-' || first == '*' || first == '/') && m_scan.peek() == '=')
                m_scan.advance();
            else if (first == '(' || first == '[')
                ++m_brackets;
            else if (first == ')' || first == ']')
                m_brackets = std::max(0, m_brackets - 1);
            else if (std::string_view("+-*/=:,.@").find(first) == std::string_view::npos)
                token.kind = TokenKind::Bad;
        }
        token.text = m_scan.text().substr(begin, m_scan.at() - begin);
        return token;
    }

    TextScanner m_scan;
    int m_indent = 0;
    int m_brackets = 0;
    bool m_lineStart = true;
    bool m_lineHasTokens = false;
};

struct Node {
    enum class Kind : std::uint8_t { Number, Access, Binary, Negate, Call } kind = Kind::Number;
    std::string text; ///< Number as written, operator, or name of the function.
    int access = -1;
    std::vector<int> operands;
    bool readsTensor = false;
};

/// Recursive descent over the text; every function leaves m_token on the first token it did not take.
class Parser {
public:
    Parser(std::string_view text, const std::map<std::string, Shape>& sizes, std::string_view fileName)
        : m_lexer(text, fileName), m_sizes(sizes), m_file(fileName) {}

    Result<Kernel> run() {
        take();
        while (is("@")) // decorators such as @DCC_kernel
            while (m_token.kind != TokenKind::End &&
                   std::exchange(m_token, m_lexer.next()).kind != TokenKind::Newline) {
            }
        PIM_CHECK(header());
        PIM_CHECK(suite());
        if (m_token.kind != TokenKind::End)
            return wrong("the end of the text", "One kernel has one nest of loops with one statement inside");
        return finish();
    }

private:
    using Check = Result<void>;

    void take() { m_token = m_lexer.next(); }
    bool is(std::string_view text) const {
        return m_token.text == text && (m_token.kind == TokenKind::Symbol || m_token.kind == TokenKind::Name);
    }

    std::string found() const {
        switch (m_token.kind) {
        case TokenKind::End:
            return "the end of the text";
        case TokenKind::Newline:
            return "the end of the line";
        default:
            break;
        }
        std::string shown;
        for (const char c : m_token.text.substr(0, 40))
            shown += c >= 32 && c < 127 ? std::string(1, c)
                                        : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        return fmt::format("'{}{}'", shown, m_token.text.size() > 40 ? "…" : "");
    }
    tl::unexpected<Error> failAt(Position at, std::string message, std::string hint = {}) const {
        return m_lexer.scanner().errorAt(at, std::move(message), std::move(hint));
    }
    tl::unexpected<Error> wrong(std::string_view expected, std::string hint = {}) const {
        return failAt(m_token.at, fmt::format("expected {}, found {}", expected, found()), std::move(hint));
    }

    Check expect(std::string_view symbol) {
        if (!is(symbol))
            return wrong(fmt::format("'{}'", symbol));
        take();
        return {};
    }
    Check endOfLine() {
        if (m_token.kind != TokenKind::Newline && m_token.kind != TokenKind::End)
            return wrong("the end of the line");
        if (m_token.kind == TokenKind::Newline)
            take();
        return {};
    }
    Result<std::string> takeName(std::string_view what) {
        if (m_token.kind != TokenKind::Name)
            return wrong(what);
        if (m_token.text.size() > kMaxName)
            return failAt(m_token.at, fmt::format("a name of {} characters; at most {} are allowed",
                                                  m_token.text.size(), kMaxName));
        std::string text(m_token.text);
        take();
        return text;
    }
    Result<std::int64_t> takeInteger() {
        std::int64_t value = 0;
        const auto* end = m_token.text.data() + m_token.text.size();
        if (m_token.kind != TokenKind::Integer)
            return wrong("a whole number");
        if (std::from_chars(m_token.text.data(), end, value).ec != std::errc())
            return failAt(m_token.at, fmt::format("number {} does not fit 64 bits", found()));
        take();
        return value;
    }

    // --- def name(A[12][16], B: const f16):
    // ---------------------------------------------------------------------

    Check header() {
        PIM_CHECK(expect("def"));
        PIM_TRY(m_kernel.name, takeName("the name of the kernel"));
        PIM_CHECK(expect("("));
        while (!is(")")) {
            PIM_CHECK(parameter());
            if (!is(")"))
                PIM_CHECK(expect(","));
        }
        take();
        PIM_CHECK(expect(":"));
        return endOfLine();
    }

    Check parameter() {
        const Position at = m_token.at;
        KernelTensor tensor;
        PIM_TRY(tensor.name, takeName("a parameter"));
        const bool hasShape = is("[");
        while (is("[")) {
            take();
            PIM_TRY(const auto extent, constant());
            PIM_CHECK(expect("]"));
            tensor.shape.push_back(extent);
            if (tensor.shape.size() > kMaxRank)
                return failAt(at,
                              fmt::format("tensor {} has more than {} dimensions", tensor.name, kMaxRank));
        }
        if (is(":")) {
            take();
            for (; is("const") || is("cache"); take())
                (is("const") ? tensor.constant : tensor.cache) = true;
            PIM_TRY(tensor.dtype, elementType());
        }
        if (const auto given = m_sizes.find(tensor.name); given != m_sizes.end()) {
            if (hasShape && given->second != tensor.shape)
                return failAt(at, fmt::format("tensor {} is written {} but {} is given for it", tensor.name,
                                              sizeText(tensor.shape), sizeText(given->second)));
            tensor.shape = given->second;
        } else if (!hasShape) {
            return failAt(
                at, fmt::format("the shape of parameter {} is not known", tensor.name),
                fmt::format("Write it into the text, as in {}[64][64], or give its sizes", tensor.name));
        }
        return declare(std::move(tensor), at);
    }

    static std::string sizeText(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, "][")); }

    Result<DataType> elementType() {
        const Token token = m_token;
        PIM_TRY(const auto typeName, takeName("an element type such as f16"));
        const auto type = dataTypeFromName(typeName);
        if (!type || bytesOf(*type) == 0)
            return failAt(token.at, fmt::format("'{}' is no element type", typeName),
                          "Known are f32, f16, bf16, i8, …");
        return *type;
    }

    Check declare(KernelTensor tensor, Position at) {
        PIM_CHECK(checkFree(tensor.name, at));
        if (m_kernel.tensors.size() >= kMaxTensors)
            return failAt(at, fmt::format("more than {} tensors", kMaxTensors));
        std::int64_t bytes = bytesOf(tensor.dtype);
        for (const auto extent : tensor.shape) {
            if (extent < 1)
                return failAt(at, fmt::format("tensor {} has an extent of {}; at least 1 is needed",
                                              tensor.name, extent));
            if (__builtin_mul_overflow(bytes, extent, &bytes))
                return failAt(at, fmt::format("tensor {} {} has more than 2^63 bytes", tensor.name,
                                              sizeText(tensor.shape)));
        }
        m_kernel.tensors.push_back(std::move(tensor));
        return {};
    }

    Check checkFree(const std::string& text, Position at) const {
        if (findTensor(text) >= 0 || findLoop(text) >= 0)
            return failAt(at, fmt::format("the name {} is taken already", text));
        return {};
    }

    int findTensor(std::string_view text) const { return position(m_kernel.tensors, text); }
    int findLoop(std::string_view text) const { return position(m_kernel.loops, text); }
    template <class Named>
    static int position(const std::vector<Named>& all, std::string_view text) {
        const auto at =
            std::find_if(all.begin(), all.end(), [text](const Named& one) { return one.name == text; });
        return at == all.end() ? -1 : static_cast<int>(at - all.begin());
    }

    // --- locals, loops, the statement, return
    // ----------------------------------------------------------------------

    Check suite() {
        const int bodyIndent = m_token.indent;
        if (m_token.kind == TokenKind::End || bodyIndent == 0)
            return wrong("an indented block", "The body of a kernel is indented");
        bool hasNest = false;
        while (m_token.kind != TokenKind::End && m_token.indent > 0) {
            if (m_token.indent != bodyIndent)
                return failAt(m_token.at, fmt::format("indented by {} columns where the block has {}",
                                                      m_token.indent, bodyIndent));
            if (is("return")) {
                PIM_CHECK(returnLine());
                continue;
            }
            if (hasNest)
                return wrong("'return' or the end of the kernel", "A kernel is one perfect nest of loops");
            if (is("for")) {
                PIM_CHECK(loopLine());
                hasNest = true;
                continue;
            }
            PIM_TRY(const bool isLocal, localOrStatement());
            hasNest = !isLocal;
        }
        if (!hasNest)
            return failAt(m_token.at, "the kernel has no statement");
        return {};
    }

    Check loopLine() {
        int indent = m_token.indent;
        while (is("for")) {
            take();
            const Position at = m_token.at;
            Loop loop;
            PIM_TRY(loop.name, takeName("a loop variable"));
            PIM_CHECK(checkFree(loop.name, at));
            PIM_CHECK(expect("in"));
            PIM_CHECK(expect("range"));
            PIM_CHECK(expect("("));
            PIM_TRY(loop.extent, constant());
            if (is(","))
                return failAt(
                    m_token.at, "range() with more than one number",
                    "Loops run from 0 in steps of 1; write offset and step into the index, as in A[i*2+1]");
            PIM_CHECK(expect(")"));
            PIM_CHECK(expect(":"));
            PIM_CHECK(endOfLine());
            if (loop.extent < 1)
                return failAt(
                    at, fmt::format("loop {} runs {} times; at least 1 is needed", loop.name, loop.extent));
            if (m_kernel.loops.size() >= kMaxLoops)
                return failAt(at, fmt::format("more than {} loops", kMaxLoops));
            if (__builtin_mul_overflow(m_iterations, loop.extent, &m_iterations))
                return failAt(at, "the nest has more than 2^63 iterations");
            m_kernel.loops.push_back(std::move(loop));
            if (m_token.kind == TokenKind::End || m_token.indent <= indent)
                return wrong("an indented block inside the loop");
            indent = m_token.indent;
        }
        return statement();
    }

    /// \returns true for `y = DCC.Tensor.zero([...])`, false for a statement without loops.
    Result<bool> localOrStatement() {
        const Token first = m_token;
        if (m_token.kind == TokenKind::Name && findTensor(m_token.text) >= 0) {
            PIM_CHECK(statement());
            return false;
        }
        KernelTensor tensor;
        PIM_TRY(tensor.name, takeName("a loop, a tensor or 'return'"));
        PIM_CHECK(expect("="));
        for (const auto* const part : {"DCC", ".", "Tensor", "."})
            PIM_CHECK(expect(part));
        if (!is("zero") && !is("zeros") && !is("empty"))
            return wrong("zero([…])");
        take();
        PIM_CHECK(expect("("));
        PIM_CHECK(expect("["));
        while (!is("]")) {
            PIM_TRY(const auto extent, constant());
            tensor.shape.push_back(extent);
            if (tensor.shape.size() > kMaxRank)
                return failAt(first.at,
                              fmt::format("tensor {} has more than {} dimensions", tensor.name, kMaxRank));
            if (!is("]"))
                PIM_CHECK(expect(","));
        }
        take();
        if (is(",")) {
            take();
            PIM_TRY(tensor.dtype, elementType());
        } else if (!m_kernel.tensors.empty()) {
            tensor.dtype = m_kernel.tensors.front().dtype;
        }
        PIM_CHECK(expect(")"));
        PIM_CHECK(endOfLine());
        m_locals.insert(tensor.name);
        PIM_CHECK(declare(std::move(tensor), first.at));
        return true;
    }

    Check returnLine() {
        take();
        for (;;) {
            const Token token = m_token;
            PIM_TRY(const auto text, takeName("a tensor to return"));
            if (findTensor(text) < 0)
                return failAt(token.at, fmt::format("{} is no tensor of the kernel", text));
            m_returned.emplace_back(text, token.at);
            if (!is(","))
                break;
            take();
        }
        return endOfLine();
    }

    // --- whole numbers and affine indices
    // --------------------------------------------------------------------------

    /// Expression without loop variables: 12, 4*16, y.size(0).
    Result<std::int64_t> constant() {
        const Position at = m_token.at;
        PIM_TRY(const AffineExpr expr, affine(0));
        if (!expr.terms.empty())
            return failAt(at, "this number must not depend on a loop variable");
        return expr.constant;
    }

    Result<AffineExpr> affine(int depth) {
        AffineExpr sum;
        bool negative = is("-");
        if (negative || is("+"))
            take();
        for (;;) {
            const Position at = m_token.at;
            PIM_TRY(const AffineExpr part, affineProduct(depth));
            if (!addScaled(sum, part, negative ? -1 : 1))
                return failAt(at, "this index does not fit 64 bits");
            if (!is("+") && !is("-"))
                return sum;
            negative = is("-");
            take();
        }
    }

    Result<AffineExpr> affineProduct(int depth) {
        PIM_TRY(AffineExpr product, affineAtom(depth));
        while (is("*") || is("/")) {
            const Position at = m_token.at;
            if (is("/"))
                return failAt(at, "an index cannot be divided",
                              "Indices are sums of loop variables times numbers");
            take();
            PIM_TRY(AffineExpr factor, affineAtom(depth));
            if (!product.terms.empty() && !factor.terms.empty())
                return failAt(at, "the product of two loop variables is no affine index",
                              "Indices are sums of loop variables times numbers");
            if (!product.terms.empty())
                std::swap(product, factor);
            AffineExpr scaled;
            if (!addScaled(scaled, factor, product.constant))
                return failAt(at, "this index does not fit 64 bits");
            product = std::move(scaled);
        }
        return product;
    }

    Result<AffineExpr> affineAtom(int depth) {
        if (depth > kMaxNesting)
            return failAt(m_token.at, fmt::format("parentheses are nested more than {} deep", kMaxNesting));
        if (is("(")) {
            take();
            PIM_TRY(AffineExpr inner, affine(depth + 1));
            PIM_CHECK(expect(")"));
            return inner;
        }
        if (is("-")) {
            take();
            const Position at = m_token.at;
            PIM_TRY(const AffineExpr inner, affineAtom(depth + 1));
            AffineExpr negated;
            if (!addScaled(negated, inner, -1))
                return failAt(at, "this index does not fit 64 bits");
            return negated;
        }
        if (m_token.kind == TokenKind::Integer) {
            PIM_TRY(const auto value, takeInteger());
            return AffineExpr{{}, value};
        }
        const Token token = m_token;
        PIM_TRY(const auto text, takeName("a number, a loop variable or tensor.size(n)"));
        if (const int loop = findLoop(text); loop >= 0)
            return AffineExpr{{{loop, 1}}, 0};
        const int tensor = findTensor(text);
        if (tensor < 0)
            return failAt(token.at, fmt::format("{} is neither a loop variable nor a tensor", text));
        const auto& shape = m_kernel.tensors[static_cast<std::size_t>(tensor)].shape;
        PIM_CHECK(expect("."));
        PIM_CHECK(expect("size"));
        PIM_CHECK(expect("("));
        PIM_TRY(const auto dim, takeInteger());
        PIM_CHECK(expect(")"));
        if (dim < 0 || dim >= std::ssize(shape))
            return failAt(token.at,
                          fmt::format("{} has {} dimensions, there is no size({})", text, shape.size(), dim));
        return AffineExpr{{}, shape[static_cast<std::size_t>(dim)]};
    }

    /// sum += factor * part, terms kept sorted; false on overflow.
    static bool addScaled(AffineExpr& sum, const AffineExpr& part, std::int64_t factor) {
        std::int64_t scaled = 0;
        if (__builtin_mul_overflow(part.constant, factor, &scaled) ||
            __builtin_add_overflow(sum.constant, scaled, &sum.constant))
            return false;
        for (const auto& term : part.terms) {
            auto at = std::find_if(sum.terms.begin(), sum.terms.end(),
                                   [&](const AffineTerm& have) { return have.loop >= term.loop; });
            if (at == sum.terms.end() || at->loop != term.loop)
                at = sum.terms.insert(at, {term.loop, 0});
            if (__builtin_mul_overflow(term.coefficient, factor, &scaled) ||
                __builtin_add_overflow(at->coefficient, scaled, &at->coefficient))
                return false;
            if (at->coefficient == 0)
                sum.terms.erase(at);
        }
        return true;
    }

    // --- A[b][i] = A[b+1][i*2] + B[i][k] * C[b][k]
    // --------------------------------------------------------------------

    Check statement() {
        if (m_token.kind == TokenKind::Name && (is("if") || is("while") || is("def")))
            return failAt(m_token.at, fmt::format("{} cannot stand in a kernel", found()),
                          "A kernel is one perfect nest of for loops with one assignment inside");
        PIM_TRY(const int target, access(true));
        if (is("+=")) {
            m_accumulates = true;
        } else if (!is("=")) {
            return wrong("'=' or '+='");
        }
        take();
        PIM_TRY(m_root, sum(0));
        m_target = target;
        return endOfLine();
    }

    /// A tensor with an index behind it, as opposed to tensor.size(n).
    bool beginsAccess() const {
        if (m_token.kind != TokenKind::Name || findTensor(m_token.text) < 0)
            return false;
        Lexer ahead = m_lexer;
        return ahead.next().text == "[";
    }

    /// \param isIndex read to know an index of another tensor.
    Result<int> access(bool isWrite, bool isIndex = false) {
        const Token token = m_token;
        PIM_TRY(const auto text, takeName("a tensor"));
        const int tensor = findTensor(text);
        if (tensor < 0)
            return failAt(token.at, fmt::format("{} is no tensor of the kernel", text));
        TensorAccess result{.tensor = tensor, .isWrite = isWrite};
        const auto rank = m_kernel.tensors[static_cast<std::size_t>(tensor)].shape.size();
        while (is("[")) {
            take();
            do {
                const Position at = m_token.at;
                if (beginsAccess()) {
                    if (isIndex || isWrite)
                        return failAt(
                            at,
                            isIndex ? "an index that is looked up itself"
                                    : "a result is written where an index tensor says",
                            "Tensors may be read at indices that another tensor holds, as in T[I[b]][d]");
                    PIM_TRY(const int from, access(false, true));
                    result.gathered.push_back({static_cast<int>(result.index.size()), from});
                    result.index.emplace_back();
                    if (result.index.size() > rank)
                        break;
                    continue;
                }
                PIM_TRY(AffineExpr index, affine(0));
                if (!fits(index))
                    return failAt(at, "the values of this index do not fit 60 bits");
                result.index.push_back(std::move(index));
                if (result.index.size() > rank)
                    break;
            } while (is(",") && (take(), true));
            PIM_CHECK(expect("]"));
        }
        if (result.index.size() != rank)
            return failAt(token.at, fmt::format("{} has {} dimensions but {} indices", text, rank,
                                                result.index.size()));
        m_kernel.accesses.push_back(std::move(result));
        return static_cast<int>(m_kernel.accesses.size()) - 1;
    }

    /// All values of the index stay below 2^60 in size, so that later sums of a few cannot overflow.
    bool fits(const AffineExpr& index) const {
        constexpr std::int64_t kLimit = std::int64_t{1} << 60;
        const auto size = [](std::int64_t value) {
            return value < 0 ? -static_cast<__int128_t>(value) : value;
        };
        __int128_t largest = size(index.constant);
        for (const auto& term : index.terms)
            largest += size(term.coefficient) * m_kernel.loops[static_cast<std::size_t>(term.loop)].extent;
        return largest < kLimit;
    }

    Result<int> add(Node node, Position at) {
        if (m_nodes.size() >= kMaxNodes)
            return failAt(at, fmt::format("the statement has more than {} terms", kMaxNodes));
        for (const int operand : node.operands)
            node.readsTensor = node.readsTensor || m_nodes[static_cast<std::size_t>(operand)].readsTensor;
        m_nodes.push_back(std::move(node));
        return static_cast<int>(m_nodes.size()) - 1;
    }

    Result<int> sum(int depth) { return chain(depth, "+", "-"); }
    Result<int> product(int depth) { return chain(depth, "*", "/"); }
    Result<int> chain(int depth, std::string_view one, std::string_view other) {
        const bool isSum = one == "+";
        PIM_TRY(int left, isSum ? product(depth) : atom(depth));
        while (is(one) || is(other)) {
            const Token op = m_token;
            take();
            PIM_TRY(const int right, isSum ? product(depth) : atom(depth));
            PIM_TRY(left, add({Node::Kind::Binary, std::string(op.text), -1, {left, right}}, op.at));
        }
        return left;
    }

    Result<int> atom(int depth) {
        const Token token = m_token;
        if (depth > kMaxNesting)
            return failAt(token.at, fmt::format("the statement is nested more than {} deep", kMaxNesting));
        if (is("(")) {
            take();
            PIM_TRY(const int inner, sum(depth + 1));
            PIM_CHECK(expect(")"));
            return inner;
        }
        if (is("-")) {
            take();
            PIM_TRY(const int inner, atom(depth + 1));
            return add({Node::Kind::Negate, "-", -1, {inner}}, token.at);
        }
        if (token.kind == TokenKind::Integer || token.kind == TokenKind::Real) {
            if (token.text.size() > kMaxName)
                return failAt(token.at, "this number is too long");
            take();
            return add({Node::Kind::Number, std::string(token.text), -1, {}}, token.at);
        }
        if (token.kind != TokenKind::Name)
            return wrong("a tensor, a number or a function");
        if (findTensor(token.text) >= 0) {
            PIM_TRY(const int read, access(false));
            return add({Node::Kind::Access, "", read, {}, true}, token.at);
        }
        if (findLoop(token.text) >= 0)
            return failAt(token.at, fmt::format("the loop variable {} is used as a value", token.text),
                          "Values come from tensors and numbers");
        PIM_TRY(std::string function, takeName("a function"));
        if (!is("("))
            return failAt(token.at, fmt::format("{} is no tensor of the kernel", function));
        take();
        Node call{Node::Kind::Call, std::move(function), -1, {}};
        while (!is(")")) {
            PIM_TRY(const int operand, sum(depth + 1));
            call.operands.push_back(operand);
            if (!is(")"))
                PIM_CHECK(expect(","));
        }
        take();
        return add(std::move(call), token.at);
    }

    // --- what the statement means
    // --------------------------------------------------------------------------------------

    const Node& node(int index) const { return m_nodes[static_cast<std::size_t>(index)]; }

    /// \param binding 1 inside a sum, 2 inside a product, 3 right of '-' or '/'-like operators.
    std::string write(int index, int binding) const {
        const Node& n = node(index);
        switch (n.kind) {
        case Node::Kind::Number:
            return n.text;
        case Node::Kind::Access:
            return accessText(m_kernel, m_kernel.accesses[static_cast<std::size_t>(n.access)]);
        case Node::Kind::Negate:
            return fmt::format("-{}", write(n.operands[0], 4));
        case Node::Kind::Call: {
            std::vector<std::string> operands;
            for (const int operand : n.operands)
                operands.push_back(write(operand, 0));
            return fmt::format("{}({})", n.text, fmt::join(operands, ", "));
        }
        case Node::Kind::Binary:
            break;
        }
        const bool isSum = n.text == "+" || n.text == "-";
        const int own = isSum ? 1 : 3;
        auto text = fmt::format("{} {} {}", write(n.operands[0], own), n.text, write(n.operands[1], own + 1));
        return binding > own ? fmt::format("({})", text) : text;
    }

    void markOperands(int index) {
        const Node& n = node(index);
        if (n.kind == Node::Kind::Access)
            m_kernel.accesses[static_cast<std::size_t>(n.access)].isMacOperand = true;
        for (const int operand : n.operands)
            markOperands(operand);
    }

    struct Census {
        int products = 0; ///< Tensor times tensor.
        int sums = 0;     ///< Additions and subtractions.
        int others = 0;   ///< Everything else that costs an operation.
        std::string function;
        bool softmax = false;
    };
    void count(int index, Census& census) const {
        const Node& n = node(index);
        std::string function;
        if (n.kind == Node::Kind::Binary) {
            const bool isTensorProduct =
                n.text == "*" && node(n.operands[0]).readsTensor && node(n.operands[1]).readsTensor;
            (isTensorProduct                  ? census.products
             : n.text == "+" || n.text == "-" ? census.sums
                                              : census.others)++;
            function = n.text == "+" ? "add" : n.text == "-" ? "sub" : n.text == "*" ? "mul" : "div";
        } else if (n.kind == Node::Kind::Negate) {
            ++census.others;
            function = "neg";
        } else if (n.kind == Node::Kind::Call) {
            census.softmax = census.softmax || n.text == "softmax";
            ++census.others;
            function = n.text;
        }
        for (const int operand : n.operands)
            count(operand, census);
        if (!function.empty())
            census.function += (census.function.empty() ? "" : "+") + function;
    }

    Result<Kernel> finish() {
        for (std::size_t t = 0; t < m_kernel.tensors.size(); ++t) {
            auto& tensor = m_kernel.tensors[t];
            const auto uses = [&](bool isWrite) {
                return std::any_of(
                    m_kernel.accesses.begin(), m_kernel.accesses.end(), [&](const TensorAccess& access) {
                        return access.tensor == static_cast<int>(t) && access.isWrite == isWrite;
                    });
            };
            const bool isWritten = uses(true), isRead = uses(false) || (isWritten && m_accumulates);
            if (!isWritten && !isRead)
                return fail(ErrorCode::InvalidKernel, fmt::format("tensor {} is never used", tensor.name),
                            m_file);
            if (!isWritten && m_locals.contains(tensor.name))
                return fail(ErrorCode::InvalidKernel,
                            fmt::format("local {} is read but never written", tensor.name), m_file);
            tensor.role = !isWritten                                  ? TensorRole::Input
                          : isRead && !m_locals.contains(tensor.name) ? TensorRole::InOut
                                                                      : TensorRole::Output;
        }
        for (const auto& [text, at] : m_returned)
            if (m_kernel.tensors[static_cast<std::size_t>(findTensor(text))].role == TensorRole::Input)
                return failAt(at, fmt::format("{} is returned but never written", text));

        if (auto gathered = checkGathered(m_kernel); !gathered)
            return fail(ErrorCode::InvalidKernel, gathered.error().message, m_file);
        for (std::size_t i = 0; i < m_nodes.size(); ++i)
            if (m_nodes[i].kind == Node::Kind::Binary && m_nodes[i].text == "*" &&
                node(m_nodes[i].operands[0]).readsTensor && node(m_nodes[i].operands[1]).readsTensor)
                markOperands(static_cast<int>(i));
        m_kernel.statement = fmt::format(
            "{} {} {}", accessText(m_kernel, m_kernel.accesses[static_cast<std::size_t>(m_target)]),
            m_accumulates ? "+=" : "=", write(m_root, 0));
        classify();
        return std::move(m_kernel);
    }

    void classify() {
        Census census;
        count(m_root, census);
        const int target = m_kernel.accesses[static_cast<std::size_t>(m_target)].tensor;
        const bool readsTarget =
            std::any_of(m_kernel.accesses.begin(), m_kernel.accesses.end(), [&](const TensorAccess& access) {
                return !access.isWrite && access.tensor == target;
            });
        const int sums = census.sums + (m_accumulates ? 1 : 0);
        if (census.softmax) {
            m_kernel.body = BodyKind::Attention;
            m_kernel.macsPerIteration = census.products;
            m_kernel.otherOpsPerIteration = 0; // softmax elements are counted a score, not an iteration
            m_kernel.function = "softmax";
            return;
        }
        m_kernel.macsPerIteration = std::min(census.products, sums);
        m_kernel.otherOpsPerIteration =
            census.products + sums + census.others - 2 * m_kernel.macsPerIteration;
        m_kernel.body = m_kernel.macsPerIteration > 0  ? BodyKind::Mac
                        : m_accumulates || readsTarget ? BodyKind::Reduce
                                                       : BodyKind::Elementwise;
        if (m_kernel.body == BodyKind::Mac)
            return;
        m_kernel.function = census.function.empty() ? m_accumulates ? "add" : "copy" : census.function;
        if (m_accumulates && !census.function.empty())
            m_kernel.function = "add+" + census.function;
    }

    Lexer m_lexer;
    Token m_token;
    const std::map<std::string, Shape>& m_sizes;
    std::string m_file;
    Kernel m_kernel;
    std::set<std::string> m_locals;
    std::vector<std::pair<std::string, Position>> m_returned;
    std::vector<Node> m_nodes;
    std::int64_t m_iterations = 1;
    int m_root = -1;
    int m_target = -1;
    bool m_accumulates = false;
};

} // namespace

Result<Kernel> parseKernel(std::string_view text, const std::map<std::string, Shape>& sizes,
                           std::string_view fileName) {
    return Parser(text, sizes, fileName).run();
}

} // namespace pim
