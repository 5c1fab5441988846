// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/attribute.h"

#include "core/ir/scalar_bytes.h"

#include <bit>
#include <charconv>
#include <cmath>

namespace pim::ir {

namespace {

constexpr std::string_view kHex = "0123456789ABCDEF";

void printHex(std::string& out, std::uint64_t bits, int digits) {
    out += "0x";
    for (int d = digits - 1; d >= 0; --d)
        out += kHex[bits >> (4 * d) & 0xf];
}

/// Shortest digits that read back the same, with the point MLIR asks for; what is no number by its bits.
void printFloat(std::string& out, double value, Scalar type) {
    if (!std::isfinite(value)) {
        std::byte bytes[8] = {};
        storeReal(bytes, type, value);
        const auto size = static_cast<int>(bytesOf(type));
        std::uint64_t bits = 0;
        for (int b = size - 1; b >= 0; --b)
            bits = bits << 8 | std::to_integer<std::uint64_t>(bytes[b]);
        return printHex(out, bits, 2 * size);
    }
    char digits[40];
    const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific).ptr;
    std::string_view text(digits, static_cast<std::size_t>(end - digits));
    const std::size_t e = text.find('e');
    out += text.substr(0, e);
    if (text.substr(0, e).find('.') == std::string_view::npos)
        out += ".0";
    out += text.substr(e);
}

void printNumber(std::string& out, const std::byte* bytes, Scalar type) {
    if (isFloat(type))
        printFloat(out, loadReal(bytes, type), type);
    else if (type == Scalar::I1)
        out += loadInt(bytes, type) ? "true" : "false";
    else
        out += std::to_string(loadInt(bytes, type));
}

struct Printer {
    std::string& out;

    void operator()(const UnitAttribute&) const { out += "unit"; }
    void operator()(const IntegerAttribute& a) const {
        if (a.type == Scalar::I1) {
            out += a.value ? "true" : "false";
            return;
        }
        out += std::to_string(a.value);
        out += " : ";
        out += name(a.type);
    }
    void operator()(const FloatAttribute& a) const {
        printFloat(out, a.value, a.type);
        out += " : ";
        out += name(a.type);
    }
    void operator()(const std::string& a) const { printQuoted(out, a); }
    void operator()(const SymbolAttribute& a) const { out += '@' + a.name; }
    void operator()(const Type& a) const { a.print(out); }
    void operator()(const AffineMap& a) const { a.print(out); }
    void operator()(const IntsAttribute& a) const {
        out += "array<";
        out += name(a.type);
        for (std::size_t i = 0; i < a.values.size(); ++i) {
            out += i ? ", " : ": ";
            out += std::to_string(a.values[i]);
        }
        out += '>';
    }
    void operator()(const DenseAttribute& a) const {
        out += "dense<";
        if (a.isSplat()) {
            printNumber(out, a.bytes.data(), *a.type.element());
        } else {
            out += "\"0x";
            for (const std::byte byte : a.bytes) {
                out += kHex[std::to_integer<unsigned>(byte) >> 4];
                out += kHex[std::to_integer<unsigned>(byte) & 0xf];
            }
            out += '"';
        }
        out += "> : ";
        a.type.print(out);
    }
    void operator()(const std::vector<Attribute>& a) const {
        out += '[';
        for (std::size_t i = 0; i < a.size(); ++i) {
            out += i ? ", " : "";
            a[i].print(out);
        }
        out += ']';
    }
};

} // namespace

bool operator==(const FloatAttribute& a, const FloatAttribute& b) {
    return a.type == b.type && std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value);
}

void Attribute::print(std::string& out) const {
    std::visit(Printer{out}, value);
}

std::string Attribute::text() const {
    std::string out;
    print(out);
    return out;
}

void printQuoted(std::string& out, std::string_view text) {
    out += '"';
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\' || code < 0x20 || code >= 0x7f) {
            out += '\\';
            out += kHex[code >> 4];
            out += kHex[code & 0xf];
        } else {
            out += c;
        }
    }
    out += '"';
}

Attribute unit() {
    return {UnitAttribute{}};
}
Attribute integer(std::int64_t value, Scalar type) {
    return {IntegerAttribute{value, type}};
}
Attribute real(double value, Scalar type) {
    std::byte bytes[8] = {};
    storeReal(bytes, type, value);
    return {FloatAttribute{loadReal(bytes, type), type}};
}
Attribute text(std::string value) {
    return {std::move(value)};
}
Attribute ints(std::vector<std::int64_t> values, Scalar type) {
    return {IntsAttribute{std::move(values), type}};
}
Attribute affine(AffineMap value) {
    return {std::move(value)};
}

Attribute texts(const std::vector<std::string>& values) {
    std::vector<Attribute> list;
    list.reserve(values.size());
    for (const std::string& value : values)
        list.push_back(text(value));
    return {std::move(list)};
}

Attribute splat(const Type& tensor, double value) {
    const Scalar element = *tensor.element();
    std::vector<std::byte> bytes(static_cast<std::size_t>(bytesOf(element)));
    if (isFloat(element))
        storeReal(bytes.data(), element, value);
    else
        storeInt(bytes.data(), element, static_cast<std::int64_t>(value));
    return {DenseAttribute{tensor, std::move(bytes)}};
}

} // namespace pim::ir
