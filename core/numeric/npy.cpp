// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/npy.h"

#include "core/base/file_io.h"
#include "core/base/mapped_file.h"
#include "core/numeric/element_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace pim {
namespace {

constexpr std::string_view kMagic{"\x93NUMPY", 6};

struct NamedElement {
    std::string_view text; ///< Kind and bytes, behind the sign for the byte order.
    DataType type;
};
constexpr std::array kElements{
    NamedElement{"f2", DataType::F16}, NamedElement{"f4", DataType::F32}, NamedElement{"f8", DataType::F64},
    NamedElement{"i1", DataType::I8},  NamedElement{"i2", DataType::I16}, NamedElement{"i4", DataType::I32},
    NamedElement{"i8", DataType::I64}, NamedElement{"u1", DataType::U8},  NamedElement{"u2", DataType::U16},
    NamedElement{"u4", DataType::U32}, NamedElement{"u8", DataType::U64}, NamedElement{"b1", DataType::Bool}};

tl::unexpected<Error> broken(const std::string& name, std::string message) {
    return fail(ErrorCode::InvalidFile, std::move(message), name,
                "write it again with numpy.save(FILE, ARRAY)");
}

/// The dictionary of the header, a literal of Python.
class Header {
public:
    Header(std::string_view text, const std::string& name) : m_text(text), m_name(name) {}

    Result<void> read() {
        bool type = false, order = false, shape = false;
        if (!take('{'))
            return broken(m_name, "its header is no dictionary");
        while (!take('}')) {
            PIM_TRY(const std::string_view key, quoted());
            if (!take(':'))
                return broken(m_name, fmt::format("no ':' behind \"{}\" in its header", key));
            bool& seen = key == "descr" ? type : key == "fortran_order" ? order : shape;
            if (key == "descr") {
                PIM_TRY(descr, quoted());
            } else if (key == "fortran_order") {
                PIM_CHECK(readOrder());
            } else if (key == "shape") {
                PIM_CHECK(readShape());
            } else {
                return broken(m_name, fmt::format("its header has a \"{}\", which is no key of NumPy", key));
            }
            if (seen)
                return broken(m_name, fmt::format("its header has \"{}\" twice", key));
            seen = true;
            if (!take(',') && peek() != '}')
                return broken(m_name, "entries of its header are not parted by commas");
        }
        if (!type || !order || !shape)
            return broken(m_name, "its header lacks descr, fortran_order or shape");
        return {};
    }

    std::string_view descr;
    bool fortran = false;
    Shape extents;

private:
    char peek() {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\n'))
            ++m_at;
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }
    bool take(char c) {
        if (peek() != c)
            return false;
        ++m_at;
        return true;
    }
    Result<std::string_view> quoted() {
        const char quote = peek();
        if (quote != '\'' && quote != '"')
            return fail(ErrorCode::Unsupported, "its elements are records, only arrays of numbers are read",
                        m_name, "save its fields one by one");
        const std::size_t begin = m_at + 1, end = m_text.find(quote, begin);
        if (end == std::string_view::npos)
            return broken(m_name, "its header ends within a word");
        m_at = end + 1;
        return m_text.substr(begin, end - begin);
    }
    Result<void> readOrder() {
        peek();
        for (const auto& [word, value] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}})
            if (m_text.substr(m_at).starts_with(word)) {
                m_at += word.size();
                fortran = value;
                return {};
            }
        return broken(m_name, "fortran_order is neither True nor False");
    }
    Result<void> readShape() {
        if (!take('('))
            return broken(m_name, "its shape is no tuple");
        while (!take(')')) {
            std::int64_t extent = 0;
            if (peek() < '0' || peek() > '9')
                return broken(m_name, "its shape has something that is no number");
            for (; m_at < m_text.size() && m_text[m_at] >= '0' && m_text[m_at] <= '9'; ++m_at)
                if (__builtin_mul_overflow(extent, std::int64_t(10), &extent) ||
                    __builtin_add_overflow(extent, std::int64_t(m_text[m_at] - '0'), &extent))
                    return broken(m_name, "an extent of its shape does not fit 63 bits");
            extents.push_back(extent);
            if (!take(',') && peek() != ')')
                return broken(m_name, "extents of its shape are not parted by commas");
        }
        return {};
    }

    std::string_view m_text;
    const std::string& m_name;
    std::size_t m_at = 0;
};

Result<DataType> typeOf(std::string_view descr, const std::string& name) {
    const auto found =
        std::ranges::find(kElements, descr.empty() ? descr : descr.substr(1), &NamedElement::text);
    if (found == kElements.end())
        return fail(
            ErrorCode::Unsupported,
            fmt::format("its elements are \"{}\"; numbers of up to 64 bits and truth values are read", descr),
            name, "convert it with ARRAY.astype");
    return found->type;
}

/// Elements of \p size bytes, from the order in which the first extent runs fastest to that in which the last does.
std::vector<std::byte> inOrderOfC(std::span<const std::byte> from, const Shape& extents, std::size_t size) {
    std::vector<std::byte> to(from.size());
    std::vector<std::size_t> at(extents.size()), steps(extents.size(), size);
    for (std::size_t d = 1; d < extents.size(); ++d)
        steps[d] = steps[d - 1] * std::size_t(extents[d - 1]);
    std::size_t source = 0;
    for (std::size_t i = 0; i < to.size(); i += size) {
        std::memcpy(to.data() + i, from.data() + source, size);
        for (std::size_t d = extents.size(); d-- > 0;) {
            source += steps[d];
            if (++at[d] < std::size_t(extents[d]))
                break;
            source -= steps[d] * at[d];
            at[d] = 0;
        }
    }
    return to;
}

} // namespace

Result<Value> parseNpy(std::span<const std::byte> bytes, const std::string& name) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!text.starts_with(kMagic))
        return fail(
            ErrorCode::InvalidFile, "it is no array of NumPy: it does not begin with \\x93NUMPY", name,
            text.starts_with("PK") ? "it is an archive (.npz): unpack it" : "give a file of numpy.save");
    if (text.size() < 12)
        return broken(name, fmt::format("it is cut off after {} bytes, within its header", text.size()));
    const auto byte = [&](std::size_t at) { return std::size_t(std::to_integer<unsigned>(bytes[at])); };
    const std::size_t version = byte(6), lengthBytes = version == 1 ? 2 : 4;
    if (version < 1 || version > 3)
        return fail(ErrorCode::Unsupported,
                    fmt::format("its format is {}.{}; 1.0 to 3.0 are read", version, byte(7)), name);
    std::size_t length = 0;
    for (std::size_t i = lengthBytes; i-- > 0;)
        length = length << 8 | byte(8 + i);
    const std::size_t begin = 8 + lengthBytes;
    if (length > text.size() - begin)
        return broken(
            name, fmt::format("it is cut off after {} bytes, within its header of {}", text.size(), length));
    Header header(text.substr(begin, length), name);
    PIM_CHECK(header.read());
    PIM_TRY(const DataType type, typeOf(header.descr, name));
    std::int64_t wanted = bytesOf(type);
    for (const std::int64_t extent : header.extents)
        if (__builtin_mul_overflow(wanted, extent, &wanted))
            return broken(name, fmt::format("its shape {} is beyond any file", shapeText(header.extents)));
    const std::size_t there = text.size() - begin - length;
    if (std::size_t(wanted) != there)
        return broken(name, fmt::format("its shape {} in {} takes {} bytes, {} are there",
                                        shapeText(header.extents), pim::name(type), wanted, there));
    const std::span<const std::byte> data = bytes.subspan(begin + length);
    const auto size = std::size_t(bytesOf(type));
    auto elements = header.fortran && header.extents.size() > 1
                        ? inOrderOfC(data, header.extents, size)
                        : std::vector<std::byte>(data.begin(), data.end());
    if (header.descr.starts_with('>'))
        for (auto at = elements.begin(); at != elements.end(); at += std::ptrdiff_t(size))
            std::reverse(at, at + std::ptrdiff_t(size));
    return Value{type, header.extents, std::make_shared<const std::vector<std::byte>>(std::move(elements))};
}

Result<Value> readNpy(const std::filesystem::path& path) {
    PIM_TRY(const auto file, MappedFile::open(path));
    return parseNpy(file->bytes(), path.string());
}

std::string npyName(std::string_view tensor) {
    constexpr std::size_t kMostBytes = 150; // of the 255 that file systems take, with room for endings
    std::string file(tensor.substr(0, kMostBytes));
    for (char& c : file)
        if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') && c != '.' &&
            c != '-' && c != '_')
            c = '_';
    if (file.empty() || file.front() == '.')
        file.replace(0, file.empty() ? 0 : 1, "_");
    return file;
}

Result<void> writeNpy(const std::filesystem::path& path, const Value& array) {
    const auto element = std::ranges::find(kElements, array.dtype, &NamedElement::type);
    if (element == kElements.end() || !array.bytes)
        return fail(ErrorCode::Unsupported, fmt::format("elements are {}", name(array.dtype)), path.string());
    std::string extents;
    for (const std::int64_t extent : array.shape)
        extents += fmt::format("{}, ", extent);
    std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                                     bytesOf(array.dtype) == 1 ? '|' : '<', element->text, extents);
    constexpr std::size_t kBefore = 10, kStep = 64; // data begins at a multiple of 64
    header.append(kStep - 1 - (kBefore + header.size()) % kStep, ' ');
    header += '\n';
    std::string text("\x93NUMPY\x01\x00", 8);
    text += static_cast<char>(header.size() & 0xff);
    text += static_cast<char>(header.size() >> 8);
    text += header;
    PIM_TRY(OutputFile out, OutputFile::create(path));
    PIM_CHECK(out.write(text));
    PIM_CHECK(out.write({reinterpret_cast<const char*>(array.bytes->data()), array.bytes->size()}));
    return out.finish();
}

Result<Value> realSamples(const Value& array, std::int64_t first, std::int64_t count, float divisor) {
    if (array.shape.empty() || first < 0 || count < 0 || count > array.shape.front() - first)
        return fail(ErrorCode::Usage,
                    fmt::format("samples {} to {} of an array of {}", first, first + count - 1,
                                shapeText(array.shape)),
                    {}, "the first dimension counts samples");
    Shape shape = array.shape;
    shape.front() = count;
    const std::int64_t each = array.count() / std::max<std::int64_t>(array.shape.front(), 1);
    const auto bytes = std::size_t(each * bytesOf(array.dtype));
    const std::vector<double> numbers = realsOf(
        std::span(*array.bytes).subspan(std::size_t(first) * bytes, std::size_t(count) * bytes), array.dtype);
    Fresh<float> made(DataType::F32, shape);
    for (std::size_t i = 0; i < numbers.size() && i < made.data.size(); ++i)
        made.data[i] = float(numbers[i]) / divisor;
    return made.value;
}

} // namespace pim
