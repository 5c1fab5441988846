// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core_graph/random_model.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#include <google/protobuf/descriptor.h>
#include <google/protobuf/unknown_field_set.h>
#include <onnx/onnx_pb.h>
#pragma GCC diagnostic pop

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>

namespace pim::test {

namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using Random = std::mt19937_64;

/// FunctionProto::attribute_proto of ONNX 1.13: an unknown field to the headers of 1.12.
constexpr int kFunctionAttributeProto = 11;

/// 0 … limit - 1; not std::uniform_int_distribution, whose numbers differ between libraries.
std::uint64_t below(Random& random, std::uint64_t limit) {
    return random() % limit;
}
bool chance(Random& random, std::uint64_t percent) {
    return below(random, 100) < percent;
}

std::string randomText(Random& random) {
    using namespace std::string_view_literals;
    static constexpr std::array kParts{"a"sv,
                                       "Conv_1"sv,
                                       "/layer.0/"sv,
                                       "ai.onnx"sv,
                                       "\xce\xb1"sv,
                                       "算"sv,
                                       "\xf0\x9f\x98\x80"sv,
                                       "\n"sv,
                                       "\x7f"sv,
                                       "\0"sv,
                                       "\xff"sv,
                                       "\xc3"sv,
                                       "\xed\xa0\x80"sv,
                                       "\xc0\xaf"sv,
                                       "\xf4\x90\x80\x80"sv};
    std::string text;
    const std::uint64_t parts = chance(random, 2) ? 900 : below(random, 4);
    // most names are plain, or nothing would ever be longer than a few letters of it
    const std::uint64_t kinds = chance(random, 70) ? 7 : kParts.size();
    for (std::uint64_t i = 0; i < parts; ++i)
        text += kParts[below(random, kinds)];
    return text;
}

std::uint64_t randomNumber(Random& random) {
    static constexpr std::array<std::uint64_t, 10> kNumbers{
        0, 1, 2, 127, 128, 300, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff, 0xffffffffffffffff};
    return chance(random, 70) ? kNumbers[below(random, kNumbers.size())] : random() >> below(random, 64);
}

float randomFloat(Random& random) {
    static constexpr std::array<std::uint32_t, 6> kBits{0,          0x80000000, 0x3f800000,
                                                        0x7f800000, 0x00000001, 0xc2f60000};
    return std::bit_cast<float>(kBits[below(random, kBits.size())]);
}

std::string randomBytes(Random& random, std::size_t count) {
    std::string bytes(count, 0);
    for (char& c : bytes)
        c = static_cast<char>(random());
    return bytes;
}

// -- contents --------------------------------------------------------------------------------------------------

int elementBytes(int type) {
    static constexpr std::array kBytes{0, 4, 1, 1, 2, 2, 4, 8, 0, 1, 2, 8, 4, 8, 8, 16, 2, 1, 1, 1, 1};
    return type < std::ssize(kBytes) ? kBytes[static_cast<std::size_t>(type)] : 0;
}

/// UINT4, INT4 and FLOAT4E2M1 of ONNX 1.16 and later.
bool isTwoToAByte(int type) {
    return type >= 21 && type <= 23;
}

void fillTyped(onnx::TensorProto& tensor, std::int64_t count, Random& random) {
    using T = onnx::TensorProto;
    for (std::int64_t i = 0; i < count; ++i)
        switch (tensor.data_type()) {
        case T::FLOAT:
            tensor.add_float_data(randomFloat(random));
            break;
        case T::COMPLEX64:
            tensor.add_float_data(randomFloat(random));
            tensor.add_float_data(randomFloat(random));
            break;
        case T::DOUBLE:
            tensor.add_double_data(randomFloat(random));
            break;
        case T::COMPLEX128:
            tensor.add_double_data(randomFloat(random));
            tensor.add_double_data(randomFloat(random));
            break;
        case T::INT64:
            tensor.add_int64_data(static_cast<std::int64_t>(randomNumber(random)));
            break;
        case T::UINT32:
        case T::UINT64:
            tensor.add_uint64_data(randomNumber(random));
            break;
        case T::STRING:
            tensor.add_string_data(randomText(random));
            break;
        default:
            tensor.add_int32_data(static_cast<std::int32_t>(randomNumber(random)));
        }
}

void fillExternal(onnx::TensorProto& tensor, std::int64_t bytes, Random& random) {
    const auto entry = [&](const char* key, const std::string& value) {
        auto* added = tensor.add_external_data();
        added->set_key(key);
        added->set_value(value);
    };
    entry("location", chance(random, 70) ? "data.bin" : "absent.bin");
    if (chance(random, 50))
        entry("offset", std::to_string(below(random, 5000)));
    if (chance(random, 50))
        entry("length", std::to_string(bytes > 0 ? bytes : static_cast<std::int64_t>(below(random, 100))));
    if (chance(random, 30))
        entry("checksum", "0");
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
}

/// Contents that agree with the shape: those that do not are refused, which other tests look at.
void fillTensor(onnx::TensorProto& tensor, Random& random) {
    tensor.set_name(randomText(random));
    tensor.set_data_type(static_cast<int>(below(random, 24)));
    std::int64_t count = 1;
    const std::uint64_t rank = below(random, 4);
    for (std::uint64_t i = 0; i < rank; ++i) {
        tensor.add_dims(
            static_cast<std::int64_t>(chance(random, 5) ? 30 + below(random, 10) : below(random, 6)));
        count *= tensor.dims(static_cast<int>(i));
    }
    if (chance(random, 20))
        tensor.set_doc_string(randomText(random));
    if (chance(random, 10))
        tensor.mutable_segment()->set_begin(3);
    const bool inPairs = isTwoToAByte(tensor.data_type());
    const std::int64_t units = inPairs ? (count + 1) / 2 : count,
                       bytes = inPairs ? units : count * elementBytes(tensor.data_type());
    switch (below(random, 8)) {
    default:
        fillTyped(tensor, units, random);
        break;
    case 0:
    case 1:
        tensor.set_raw_data(randomBytes(random, static_cast<std::size_t>(bytes)));
        break;
    case 2:
        fillExternal(tensor, bytes, random);
        break;
    case 3: // taken out
        if (chance(random, 50))
            tensor.set_raw_data("");
    }
}

void fill(Message& message, int depth, Random& random);

void fillField(Message& message, const FieldDescriptor& field, int depth, Random& random) {
    const Reflection& set = *message.GetReflection();
    const bool list = field.is_repeated();
    const auto number = [&] { return randomNumber(random); };
    switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32: {
        // types of elements: those there are, and those there will be
        const auto value = static_cast<std::int32_t>(
            field.name() == "elem_type" || field.name() == "key_type" ? below(random, 24) : number());
        list ? set.AddInt32(&message, &field, value) : set.SetInt32(&message, &field, value);
        break;
    }
    case FieldDescriptor::CPPTYPE_INT64:
        list ? set.AddInt64(&message, &field, static_cast<std::int64_t>(number()))
             : set.SetInt64(&message, &field, static_cast<std::int64_t>(number()));
        break;
    case FieldDescriptor::CPPTYPE_FLOAT:
        list ? set.AddFloat(&message, &field, randomFloat(random))
             : set.SetFloat(&message, &field, randomFloat(random));
        break;
    case FieldDescriptor::CPPTYPE_ENUM: {
        const auto& values = *field.enum_type();
        set.SetEnum(
            &message, &field,
            values.value(static_cast<int>(below(random, static_cast<std::uint64_t>(values.value_count())))));
        break;
    }
    case FieldDescriptor::CPPTYPE_STRING:
        list ? set.AddString(&message, &field, randomText(random))
             : set.SetString(&message, &field, randomText(random));
        break;
    case FieldDescriptor::CPPTYPE_MESSAGE:
        fill(list ? *set.AddMessage(&message, &field) : *set.MutableMessage(&message, &field), depth + 1,
             random);
        break;
    default: // all numbers of tensors, see fillTyped()
        break;
    }
}

void fill(Message& message, int depth, Random& random) {
    if (auto* tensor = dynamic_cast<onnx::TensorProto*>(&message))
        return fillTensor(*tensor, random);
    constexpr int kDeepest = 7;
    const auto& type = *message.GetDescriptor();
    for (int i = 0; i < type.field_count(); ++i) {
        const FieldDescriptor& field = *type.field(i);
        const bool isMessage = field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
        if (isMessage && depth >= kDeepest)
            continue;
        const std::uint64_t percent = isMessage && depth > 2 ? 25 : 60;
        const std::uint64_t most = isMessage && depth > 2 ? 2 : 4;
        const std::uint64_t times =
            chance(random, percent) ? (field.is_repeated() ? 1 + below(random, most) : 1) : 0;
        for (std::uint64_t k = 0; k < times; ++k)
            fillField(message, field, depth, random);
    }
    if (auto* node = dynamic_cast<onnx::NodeProto*>(&message); node && node->op_type().empty())
        node->set_op_type("Add");
    if (auto* sparse = dynamic_cast<onnx::SparseTensorProto*>(&message)) {
        sparse->mutable_values()->mutable_name()->insert(0, "sparse ");
        for (std::int64_t& extent : *sparse->mutable_dims())
            extent &= 0xff;
    }
    if (auto* function = dynamic_cast<onnx::FunctionProto*>(&message); function && chance(random, 50)) {
        onnx::AttributeProto attribute;
        fill(attribute, kDeepest - 1, random);
        function->mutable_unknown_fields()->AddLengthDelimited(kFunctionAttributeProto,
                                                               attribute.SerializeAsString());
    }
}

// -- encodings -------------------------------------------------------------------------------------------------

enum Wire { kVarint = 0, kFixed64 = 1, kLength = 2, kStartGroup = 3, kEndGroup = 4, kFixed32 = 5 };

/// \param longer  bytes more than needed
std::string varint(std::uint64_t value, int longer = 0) {
    std::string text;
    do {
        text += static_cast<char>((value & 0x7f) | 0x80);
        value >>= 7;
    } while (value > 0);
    for (; longer > 0 && text.size() < 10; --longer)
        text += '\x80';
    text.back() = static_cast<char>(text.back() & 0x7f);
    return text;
}
std::string tag(int id, Wire wire) {
    return varint(static_cast<std::uint64_t>(id) << 3 | wire);
}
template <typename T>
std::string fixed(T value) {
    std::string text(sizeof value, 0);
    std::memcpy(text.data(), &value, sizeof value);
    return text;
}
std::string lengthField(int id, const std::string& bytes) {
    return tag(id, kLength) + varint(bytes.size()) + bytes;
}

/// Fields in the order of the file, each with its tag.
using Pieces = std::vector<std::string>;

std::string joined(const Pieces& pieces) {
    std::string text;
    for (const std::string& piece : pieces)
        text += piece;
    return text;
}

Wire wireOf(const FieldDescriptor& field) {
    switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_FLOAT:
        return kFixed32;
    case FieldDescriptor::CPPTYPE_DOUBLE:
        return kFixed64;
    case FieldDescriptor::CPPTYPE_STRING:
    case FieldDescriptor::CPPTYPE_MESSAGE:
        return kLength;
    default:
        return kVarint;
    }
}

/// One number, without its tag.
std::string numberBytes(const Message& message, const FieldDescriptor& field, int index, Random& random) {
    const Reflection& get = *message.GetReflection();
    const bool list = field.is_repeated();
    const auto longer = static_cast<int>(chance(random, 20) ? below(random, 9) : 0);
    switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32: {
        const std::int32_t value =
            list ? get.GetRepeatedInt32(message, &field, index) : get.GetInt32(message, &field);
        auto bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
        if (chance(random, 10)) // only the lower half counts
            bits ^= std::uint64_t(1) << (32 + below(random, 31));
        return varint(bits, longer);
    }
    case FieldDescriptor::CPPTYPE_INT64:
        return varint(static_cast<std::uint64_t>(list ? get.GetRepeatedInt64(message, &field, index)
                                                      : get.GetInt64(message, &field)),
                      longer);
    case FieldDescriptor::CPPTYPE_UINT64:
        return varint(list ? get.GetRepeatedUInt64(message, &field, index) : get.GetUInt64(message, &field),
                      longer);
    case FieldDescriptor::CPPTYPE_ENUM:
        return varint(static_cast<std::uint64_t>(get.GetEnumValue(message, &field)), longer);
    case FieldDescriptor::CPPTYPE_FLOAT:
        return fixed(list ? get.GetRepeatedFloat(message, &field, index) : get.GetFloat(message, &field));
    default:
        return fixed(list ? get.GetRepeatedDouble(message, &field, index) : get.GetDouble(message, &field));
    }
}

Pieces encode(const Message& message, Random& random);

/// A known field in an encoding that is not its own, or a field there is not.
std::string unknownPiece(const Message& message, Random& random) {
    const auto& type = *message.GetDescriptor();
    int id = static_cast<int>(100 + below(random, 1000));
    auto wire =
        static_cast<Wire>(std::array{kVarint, kFixed64, kLength, kStartGroup, kFixed32}[below(random, 5)]);
    if (chance(random, 50)) {
        const FieldDescriptor& field =
            *type.field(static_cast<int>(below(random, static_cast<std::uint64_t>(type.field_count()))));
        id = field.number();
        wire = wireOf(field) == kVarint ? kFixed32 : wireOf(field) == kFixed32 ? kFixed64 : kVarint;
    }
    switch (wire) {
    case kVarint:
        return tag(id, wire) + varint(randomNumber(random));
    case kFixed64:
        return tag(id, wire) + fixed(randomNumber(random));
    case kFixed32:
        return tag(id, wire) + fixed(static_cast<std::uint32_t>(randomNumber(random)));
    case kStartGroup:
        return tag(id, kStartGroup) + lengthField(1, "in a group") + tag(7, kStartGroup) + tag(7, kEndGroup) +
               tag(id, kEndGroup);
    default:
        return lengthField(id, randomText(random));
    }
}

/// What comes before the field and is overruled by it, or is no value of its type.
void addOverruled(const FieldDescriptor& field, Pieces& pieces, Random& random) {
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_ENUM) {
        pieces.push_back(tag(field.number(), kVarint) + varint(77));
        return;
    }
    switch (wireOf(field)) {
    case kVarint:
        pieces.push_back(tag(field.number(), kVarint) + varint(randomNumber(random)));
        break;
    case kFixed32:
        pieces.push_back(tag(field.number(), kFixed32) + fixed(randomFloat(random)));
        break;
    default:
        if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING)
            pieces.push_back(lengthField(field.number(), randomText(random)));
        break;
    }
}

Pieces encodeNumbers(const Message& message, const FieldDescriptor& field, Random& random) {
    Pieces pieces;
    const int size = field.is_repeated() ? message.GetReflection()->FieldSize(message, &field) : 1;
    const auto way = below(random, 3); // packed, one by one, in pieces of both kinds
    for (int i = 0; i < size;) {
        const auto left = static_cast<std::uint64_t>(size - i);
        const bool packed = field.is_repeated() && (way == 0 || (way == 2 && chance(random, 50)));
        std::string bytes;
        const std::uint64_t count = !packed ? 1 : way == 0 ? left : 1 + below(random, left);
        for (std::uint64_t k = 0; k < count; ++k)
            bytes += numberBytes(message, field, i++, random);
        pieces.push_back(packed ? lengthField(field.number(), bytes)
                                : tag(field.number(), wireOf(field)) + bytes);
    }
    return pieces;
}

Pieces encodeField(const Message& message, const FieldDescriptor& field, Random& random) {
    const Reflection& get = *message.GetReflection();
    Pieces pieces;
    if (!field.is_repeated() && chance(random, 15))
        addOverruled(field, pieces, random);
    const int size = field.is_repeated() ? get.FieldSize(message, &field) : 1;
    switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_MESSAGE:
        for (int i = 0; i < size; ++i) {
            Pieces parts = encode(field.is_repeated() ? get.GetRepeatedMessage(message, &field, i)
                                                      : get.GetMessage(message, &field),
                                  random);
            if (field.is_repeated() || field.message_type() != onnx::GraphProto::descriptor() ||
                chance(random, 80)) {
                pieces.push_back(lengthField(field.number(), joined(parts)));
                continue;
            }
            // one graph in two messages
            const auto middle = parts.begin() + static_cast<std::ptrdiff_t>(below(random, parts.size() + 1));
            pieces.push_back(lengthField(field.number(), joined({parts.begin(), middle})));
            pieces.push_back(lengthField(field.number(), joined({middle, parts.end()})));
        }
        break;
    case FieldDescriptor::CPPTYPE_STRING:
        for (int i = 0; i < size; ++i)
            pieces.push_back(lengthField(field.number(), field.is_repeated()
                                                             ? get.GetRepeatedString(message, &field, i)
                                                             : get.GetString(message, &field)));
        break;
    default:
        for (std::string& piece : encodeNumbers(message, field, random))
            pieces.push_back(std::move(piece));
    }
    return pieces;
}

/// The order of one field's pieces is kept; that of fields is any, sometimes the usual one.
Pieces mixed(std::vector<Pieces> fields, Random& random) {
    Pieces all;
    const bool usual = chance(random, 40);
    std::vector<std::size_t> next(fields.size(), 0);
    for (std::vector<std::size_t> open;;) {
        open.clear();
        for (std::size_t i = 0; i < fields.size(); ++i)
            if (next[i] < fields[i].size())
                open.push_back(i);
        if (open.empty())
            return all;
        const std::size_t chosen = usual ? open.front() : open[below(random, open.size())];
        all.push_back(std::move(fields[chosen][next[chosen]++]));
    }
}

Pieces encode(const Message& message, Random& random) {
    std::vector<const FieldDescriptor*> present;
    const Reflection& get = *message.GetReflection();
    get.ListFields(message, &present);
    std::vector<Pieces> fields;
    for (const FieldDescriptor* field : present)
        fields.push_back(encodeField(message, *field, random));
    std::string unknown;
    get.GetUnknownFields(message).SerializeToString(&unknown);
    if (!unknown.empty())
        fields.push_back({unknown});
    for (; chance(random, 20);)
        fields.push_back({unknownPiece(message, random)});
    return mixed(std::move(fields), random);
}

} // namespace

std::string randomModel(std::mt19937_64& random) {
    onnx::ModelProto model;
    fill(model, 0, random);
    model.mutable_graph();
    // First a field that says that this is a model, as in all of them: others are told apart by their first bytes.
    return tag(onnx::ModelProto::kIrVersionFieldNumber, kVarint) + varint(8) + joined(encode(model, random));
}

} // namespace pim::test
