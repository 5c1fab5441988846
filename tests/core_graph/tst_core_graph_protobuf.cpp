// SPDX-License-Identifier: GPL-3.0-or-later
// Our reader of ONNX files against protobuf's: every field that ours reports is what onnx::ModelProto says, for all
// models of this tree and for random ones.
#include "core/graph/file/read_onnx.h"
#include "tests/core_graph/onnx_builder.h"
#include "tests/core_graph/random_model.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#include <google/protobuf/unknown_field_set.h>
#include <onnx/onnx_pb.h>
#pragma GCC diagnostic pop

#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <sstream>

using namespace pim;

namespace {

constexpr int kFunctionAttributeProto = 11;
constexpr std::int64_t kDataFileBytes = 4096;

/// As the reader shows text: what is not UTF-8, and control characters, as \xHH.
std::string shown(const std::string& raw, bool isProse = false) {
    std::string text;
    for (std::size_t i = 0; i < raw.size();) {
        std::size_t length = 1;
        const auto valid = [&] {
            return QByteArrayView(raw.data() + i, static_cast<qsizetype>(length)).isValidUtf8();
        };
        while (length < 4 && i + length < raw.size() && !valid())
            ++length;
        const auto c = static_cast<unsigned char>(raw[i]);
        const bool isLayout = isProse && (c == '\n' || c == '\r' || c == '\t');
        if (!valid() || (c < 0x20 && !isLayout) || c == 0x7f) {
            text += QString("\\x%1").arg(c, 2, 16, QChar('0')).toStdString();
            length = 1;
        } else {
            text += raw.substr(i, length);
        }
        i += length;
    }
    return text;
}

std::string shownDomain(const std::string& raw) {
    return raw == "ai.onnx" ? std::string() : shown(raw);
}

std::string nameOfType(int type) {
    static constexpr std::array kNames{"unknown",    "f32",    "u8",         "i8",   "u16",  "i16",
                                       "i32",        "i64",    "string",     "bool", "f16",  "f64",
                                       "u32",        "u64",    "c64",        "c128", "bf16", "f8e4m3",
                                       "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz", "u4",   "i4",   "f4e2m1"};
    return type >= 0 && type < std::ssize(kNames) ? kNames[static_cast<std::size_t>(type)] : "unknown";
}

template <typename T>
void appendBytes(std::string& to, T value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Little-endian elements, from the field that onnx.proto has them in.
std::string elementsOf(const onnx::TensorProto& tensor) {
    using T = onnx::TensorProto;
    if (tensor.has_raw_data())
        return tensor.raw_data();
    std::string bytes;
    switch (tensor.data_type()) {
    case T::FLOAT:
    case T::COMPLEX64:
        for (const float v : tensor.float_data())
            appendBytes(bytes, v);
        break;
    case T::DOUBLE:
    case T::COMPLEX128:
        for (const double v : tensor.double_data())
            appendBytes(bytes, v);
        break;
    case T::INT64:
        for (const std::int64_t v : tensor.int64_data())
            appendBytes(bytes, v);
        break;
    case T::UINT64:
        for (const std::uint64_t v : tensor.uint64_data())
            appendBytes(bytes, v);
        break;
    case T::UINT32:
        for (const std::uint64_t v : tensor.uint64_data())
            appendBytes(bytes, static_cast<std::uint32_t>(v));
        break;
    case T::INT32:
        for (const std::int32_t v : tensor.int32_data())
            appendBytes(bytes, v);
        break;
    case T::INT16:
    case T::UINT16:
    case T::FLOAT16:
    case T::BFLOAT16:
        for (const std::int32_t v : tensor.int32_data())
            appendBytes(bytes, static_cast<std::uint16_t>(v));
        break;
    default:
        for (const std::int32_t v : tensor.int32_data())
            appendBytes(bytes, static_cast<std::uint8_t>(v));
    }
    return bytes;
}

/// UINT4, INT4 and FLOAT4E2M1 of ONNX 1.16 and later.
bool isTwoToAByte(int type) {
    return type >= 21 && type <= 23;
}

/// One element a byte, as all but files have them.
std::string unpacked(const std::string& stored, int type, std::int64_t count) {
    if (!isTwoToAByte(type))
        return stored;
    std::string elements;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        const int pair = static_cast<unsigned char>(stored[i / 2]), half = i % 2 ? pair / 16 : pair % 16;
        elements += static_cast<char>(type == 22 && half >= 8 ? half - 16 : half);
    }
    return elements;
}

std::string_view viewOf(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Says where the two differ first; everything after that would follow from it.
class Comparison {
public:
    Comparison(const std::string& file, std::string folder) : m_file(file), m_folder(std::move(folder)) {}

    std::string difference() const { return m_difference; }
    int compared() const { return m_compared; }

    void model(const file::RawModel& ours, const onnx::ModelProto& theirs);

private:
    class Within {
    public:
        Within(Comparison& owner, std::string place) : m_owner(owner), m_length(owner.m_place.size()) {
            owner.m_place += "." + place;
        }
        ~Within() { m_owner.m_place.resize(m_length); }
        Within(const Within&) = delete;
        Within& operator=(const Within&) = delete;

    private:
        Comparison& m_owner;
        std::size_t m_length;
    };

    template <typename A, typename B>
    void same(const char* field, const A& ours, const B& theirs) {
        ++m_compared;
        if (!(ours == theirs) && m_difference.empty()) {
            std::ostringstream text;
            text << m_place << "." << field << ": ours " << ours << ", protobuf's " << theirs;
            m_difference = text.str();
        }
    }
    void sameBytes(const char* field, std::string_view ours, std::string_view theirs) {
        same(field, QByteArray(ours.data(), qsizetype(ours.size())).toHex().toStdString(),
             QByteArray(theirs.data(), qsizetype(theirs.size())).toHex().toStdString());
    }
    /// Long texts are cut.
    void sameCut(const char* field, const std::string& ours, const std::string& raw) {
        const std::string whole = shown(raw, true);
        if (whole.size() <= 2000)
            return same(field, ours, whole);
        const std::string start = ours.substr(0, ours.size() - std::min(ours.size(), std::strlen("…")));
        same(field, ours, start + "…");
        same(field, start, whole.substr(0, start.size()));
        same(field, start.size() > 1996 && start.size() <= 2000, true);
    }
    template <typename Ours, typename Theirs>
    void texts(const char* field, const Ours& ours, const Theirs& theirs) {
        same(field, ours.size(), static_cast<std::size_t>(theirs.size()));
        for (int i = 0; i < theirs.size() && m_difference.empty(); ++i)
            same(field, ours[static_cast<std::size_t>(i)], shown(theirs.Get(i)));
    }
    template <typename Ours, typename Theirs, typename Compare>
    void list(const char* field, const Ours& ours, const Theirs& theirs, const Compare& compare) {
        same(field, ours.size(), static_cast<std::size_t>(theirs.size()));
        for (int i = 0; i < static_cast<int>(theirs.size()) && m_difference.empty(); ++i) {
            const Within within(*this, std::string(field) + "[" + std::to_string(i) + "]");
            compare(ours[static_cast<std::size_t>(i)], theirs[i]);
        }
    }

    int graph(const file::RawGraph& ours, const onnx::GraphProto& theirs); ///< Nodes in all.
    int node(const file::RawNode& ours, const onnx::NodeProto& theirs);
    int attribute(const file::RawAttribute& ours, const onnx::AttributeProto& theirs);
    void attributeValue(const Attribute& ours, const onnx::AttributeProto& theirs, int type, int nodes);
    int function(const file::RawFunction& ours, const onnx::FunctionProto& theirs);
    void value(const file::RawValue& ours, const onnx::ValueInfoProto& theirs);
    void tensor(const file::RawTensor& ours, const onnx::TensorProto& theirs);
    void payload(const file::RawTensor& ours, const onnx::TensorProto& theirs, std::int64_t count,
                 std::int64_t needed);
    void external(const file::RawTensor& ours, const onnx::TensorProto& theirs, std::int64_t needed);

    const std::string& m_file;
    std::string m_folder, m_place = "model", m_difference;
    int m_compared = 0;
};

void Comparison::model(const file::RawModel& ours, const onnx::ModelProto& theirs) {
    same("ir_version", ours.irVersion, theirs.ir_version());
    same("producer", ours.producer,
         shown(theirs.producer_name()) +
             (theirs.producer_version().empty() ? "" : " " + shown(theirs.producer_version())));
    sameCut("doc_string", ours.description, theirs.doc_string());
    list("metadata_props", ours.metadata, theirs.metadata_props(), [&](const auto& a, const auto& b) {
        sameCut("key", a.first, b.key());
        sameCut("value", a.second, b.value());
    });
    std::map<std::string, std::int64_t> opsets;
    for (const auto& set : theirs.opset_import())
        opsets[shownDomain(set.domain())] = set.version();
    same("opset_import", ours.opsets.size(), opsets.size());
    for (const auto& [domain, version] : opsets)
        same("opset_import", ours.opsets.contains(domain) ? ours.opsets.at(domain) : -1, version);
    graph(ours.graph, theirs.graph());
    list("functions", ours.functions, theirs.functions(),
         [&](const auto& a, const auto& b) { function(a, b); });
}

int Comparison::graph(const file::RawGraph& ours, const onnx::GraphProto& theirs) {
    same("name", ours.name, shown(theirs.name()));
    int nodes = 0;
    list("node", ours.nodes, theirs.node(), [&](const auto& a, const auto& b) { nodes += node(a, b); });
    same("nodes in all", ours.nodesInAll, nodes);
    const auto values = [&](const auto& a, const auto& b) { value(a, b); };
    list("input", ours.inputs, theirs.input(), values);
    list("output", ours.outputs, theirs.output(), values);
    list("value_info", ours.values, theirs.value_info(), values);
    // Sparse ones stand where they stood in the file, among the others.
    std::vector<file::RawTensor> dense;
    std::size_t sparse = 0;
    for (const file::RawTensor& tensor : ours.initializers) {
        if (tensor.name.starts_with("sparse ")) { // see randomModel()
            if (static_cast<int>(sparse) < theirs.sparse_initializer_size()) {
                const auto& other = theirs.sparse_initializer(static_cast<int>(sparse));
                same("sparse name", tensor.name, shown(other.values().name()));
                same("sparse type", tensor.onnxType, other.values().data_type());
                same("sparse dims",
                     std::equal(tensor.dims.begin(), tensor.dims.end(), other.dims().begin(),
                                other.dims().end()),
                     true);
                same("sparse present", tensor.ref && tensor.ref->present, false);
            }
            ++sparse;
        } else {
            dense.push_back(tensor);
        }
    }
    same("sparse_initializer", sparse, static_cast<std::size_t>(theirs.sparse_initializer_size()));
    list("initializer", dense, theirs.initializer(), [&](const auto& a, const auto& b) { tensor(a, b); });
    return nodes;
}

int Comparison::node(const file::RawNode& ours, const onnx::NodeProto& theirs) {
    same("name", ours.name, shown(theirs.name()));
    same("op_type", ours.type, shown(theirs.op_type()));
    same("domain", ours.domain, shownDomain(theirs.domain()));
    texts("input", ours.inputs, theirs.input());
    texts("output", ours.outputs, theirs.output());
    int nodes = 1;
    list("attribute", ours.attributes, theirs.attribute(),
         [&](const auto& a, const auto& b) { nodes += attribute(a, b); });
    return nodes;
}

/// What an attribute is that does not say so, as before IR version 3; UNDEFINED where several values could be meant.
int typeOf(const onnx::AttributeProto& a) {
    using A = onnx::AttributeProto;
    if (a.type() != A::UNDEFINED)
        return a.type();
    std::vector<int> has;
    const auto note = [&](bool present, int type) {
        if (present)
            has.push_back(type);
    };
    note(a.has_f(), A::FLOAT);
    note(a.has_i(), A::INT);
    note(a.has_s(), A::STRING);
    note(a.has_t(), A::TENSOR);
    note(a.has_g() || a.graphs_size() > 0, A::GRAPH);
    note(a.floats_size() > 0, A::FLOATS);
    note(a.ints_size() > 0, A::INTS);
    note(a.strings_size() > 0, A::STRINGS);
    return has.size() == 1 ? has.front() : A::UNDEFINED;
}

int Comparison::attribute(const file::RawAttribute& ours, const onnx::AttributeProto& theirs) {
    same("name", ours.name, shown(theirs.name()));
    same("ref_attr_name", ours.refName, shown(theirs.ref_attr_name()));
    same("has t", ours.tensor != nullptr, theirs.has_t());
    if (ours.tensor && theirs.has_t())
        tensor(*ours.tensor, theirs.t());
    std::vector<const onnx::GraphProto*> graphs;
    if (theirs.has_g())
        graphs.push_back(&theirs.g());
    for (const auto& g : theirs.graphs())
        graphs.push_back(&g);
    int nodes = 0;
    list("graphs", ours.graphs, graphs, [&](const auto& a, const auto* b) { nodes += graph(*a, *b); });
    const int type = typeOf(theirs);
    const bool isTensor = type == onnx::AttributeProto::TENSOR || type == onnx::AttributeProto::TENSORS ||
                          type >= onnx::AttributeProto::SPARSE_TENSOR;
    if (type == onnx::AttributeProto::UNDEFINED)
        return nodes;
    same("has value", ours.value.has_value(), !isTensor);
    if (ours.value && !isTensor) {
        const Within within(*this, shown(theirs.name()));
        attributeValue(*ours.value, theirs, type, nodes);
    }
    return nodes;
}

void Comparison::attributeValue(const Attribute& ours, const onnx::AttributeProto& theirs, int type,
                                int nodes) {
    using A = onnx::AttributeProto;
    const auto reals = [&](const auto& list) {
        std::string text;
        for (const auto v : list)
            appendBytes(text, static_cast<double>(v));
        return text;
    };
    const auto numbers = [&](const auto& list) {
        std::string text;
        for (const auto v : list)
            appendBytes(text, static_cast<std::int64_t>(v));
        return text;
    };
    switch (type) {
    case A::FLOAT:
        same("kind", ours.index(), std::size_t(1));
        if (const auto* v = std::get_if<double>(&ours))
            same("f", std::bit_cast<std::uint64_t>(*v),
                 std::bit_cast<std::uint64_t>(static_cast<double>(theirs.f())));
        break;
    case A::INT:
        same("kind", ours.index(), std::size_t(0));
        if (const auto* v = std::get_if<std::int64_t>(&ours))
            same("i", *v, theirs.i());
        break;
    case A::STRING:
        same("kind", ours.index(), std::size_t(2));
        if (const auto* v = std::get_if<std::string>(&ours))
            same("s", *v, shown(theirs.s()));
        break;
    case A::INTS:
        same("kind", ours.index(), std::size_t(3));
        if (const auto* v = std::get_if<std::vector<std::int64_t>>(&ours))
            sameBytes("ints", numbers(*v), numbers(theirs.ints()));
        break;
    case A::FLOATS:
        same("kind", ours.index(), std::size_t(4));
        if (const auto* v = std::get_if<std::vector<double>>(&ours))
            sameBytes("floats", reals(*v), reals(theirs.floats()));
        break;
    case A::STRINGS:
        same("kind", ours.index(), std::size_t(5));
        if (const auto* v = std::get_if<std::vector<std::string>>(&ours))
            texts("strings", *v, theirs.strings());
        break;
    default:
        same("kind", ours.index(), std::size_t(6));
        if (const auto* v = std::get_if<AttributeGraph>(&ours))
            same("nodes of graphs", v->nodes, nodes);
    }
}

int Comparison::function(const file::RawFunction& ours, const onnx::FunctionProto& theirs) {
    same("name", ours.name, shown(theirs.name()));
    same("domain", ours.domain, shown(theirs.domain()));
    texts("input", ours.inputs, theirs.input());
    texts("output", ours.outputs, theirs.output());
    int nodes = 0;
    list("node", ours.body.nodes, theirs.node(), [&](const auto& a, const auto& b) { nodes += node(a, b); });
    std::vector<onnx::AttributeProto> defaults;
    const auto& unknown = theirs.unknown_fields();
    for (int i = 0; i < unknown.field_count(); ++i)
        if (const auto& field = unknown.field(i);
            field.number() == kFunctionAttributeProto && field.type() == field.TYPE_LENGTH_DELIMITED)
            if (!defaults.emplace_back().ParseFromString(field.length_delimited()))
                defaults.pop_back();
    list("attribute_proto", ours.defaults, defaults,
         [&](const auto& a, const auto& b) { nodes += attribute(a, b); });
    same("nodes in all", ours.body.nodesInAll, nodes);
    return nodes;
}

void Comparison::value(const file::RawValue& ours, const onnx::ValueInfoProto& theirs) {
    same("name", ours.name, shown(theirs.name()));
    same("is tensor", ours.isTensor, theirs.type().has_tensor_type());
    const auto& type = theirs.type().tensor_type();
    same("elem_type", std::string(name(ours.dtype)), nameOfType(type.elem_type()));
    same("has shape", ours.dims.has_value(), type.has_shape());
    if (ours.dims && type.has_shape())
        list("dim", *ours.dims, type.shape().dim(), [&](const auto& a, const auto& b) {
            same("has value", a.value.has_value(), b.has_dim_value());
            same("dim_value", a.value.value_or(0), b.dim_value());
            same("dim_param", a.symbol, shown(b.dim_param()));
        });
}

void Comparison::tensor(const file::RawTensor& ours, const onnx::TensorProto& theirs) {
    const Within within(*this, "tensor \"" + shown(theirs.name()) + "\"");
    same("name", ours.name, shown(theirs.name()));
    same("data_type", ours.onnxType, theirs.data_type());
    same("type", std::string(name(ours.dtype())), nameOfType(theirs.data_type()));
    same("rank", ours.dims.size(), static_cast<std::size_t>(theirs.dims_size()));
    std::int64_t count = 1;
    for (int i = 0; i < theirs.dims_size() && m_difference.empty(); ++i) {
        same("dims", ours.dims[static_cast<std::size_t>(i)], theirs.dims(i));
        count *= theirs.dims(i);
    }
    same("has place", ours.ref.has_value(), true);
    if (!m_difference.empty())
        return;
    const std::int64_t needed =
        isTwoToAByte(theirs.data_type()) ? (count + 1) / 2 : count * bytesOf(ours.dtype());
    if (theirs.data_location() == onnx::TensorProto::EXTERNAL)
        external(ours, theirs, needed);
    else
        payload(ours, theirs, count, needed);
}

void Comparison::payload(const file::RawTensor& ours, const onnx::TensorProto& theirs, std::int64_t count,
                         std::int64_t needed) {
    const std::string elements = elementsOf(theirs);
    same("external", ours.external, std::string());
    const bool typed = theirs.float_data_size() + theirs.double_data_size() + theirs.int32_data_size() +
                           theirs.int64_data_size() + theirs.uint64_data_size() + theirs.string_data_size() >
                       0;
    const bool present =
        needed == 0 ? theirs.has_raw_data() || typed || ours.ref->present : !elements.empty();
    same("present", ours.ref->present, present);
    if (bytesOf(ours.dtype()) == 0 || !present)
        return;
    const std::string_view place = std::string_view(m_file).substr(
        static_cast<std::size_t>(ours.ref->offset), static_cast<std::size_t>(ours.ref->length));
    if (ours.ref->raw) {
        sameBytes("elements", place, elements);
    } else {
        const auto decoded =
            file::decodeTensor(std::as_bytes(std::span(place)), ours.dtype(), count, "a test");
        same("readable", decoded ? std::string() : decoded.error().message, std::string());
        if (decoded)
            sameBytes("elements", viewOf(*decoded), unpacked(elements, theirs.data_type(), count));
    }
    // integers up to 64 KiB shape other tensors, others only where they are few
    const bool isReal = theirs.data_type() == onnx::TensorProto::FLOAT ||
                        theirs.data_type() == onnx::TensorProto::DOUBLE ||
                        theirs.data_type() == onnx::TensorProto::FLOAT16 ||
                        (theirs.data_type() >= onnx::TensorProto::COMPLEX64 && theirs.data_type() != 21 &&
                         theirs.data_type() != 22);
    same("kept", ours.value != nullptr, needed <= (isReal ? 1024 : 64 * 1024));
    if (ours.value)
        sameBytes("value", viewOf(*ours.value), unpacked(elements, theirs.data_type(), count));
}

void Comparison::external(const file::RawTensor& ours, const onnx::TensorProto& theirs, std::int64_t needed) {
    std::map<std::string, std::string> entries;
    for (const auto& entry : theirs.external_data())
        entries[shown(entry.key())] = shown(entry.value());
    const auto number = [&](const char* key, std::int64_t fallback) {
        return entries.contains(key) ? std::stoll(entries[key]) : fallback;
    };
    const std::int64_t offset = number("offset", 0), length = number("length", needed);
    const std::filesystem::path file = std::filesystem::path(m_folder) / entries["location"];
    same("location", ours.external, entries["location"]);
    same("file", ours.ref->file.string(), file.string());
    same("offset", ours.ref->offset, offset);
    same("length", ours.ref->length, length);
    same("present", ours.ref->present,
         std::filesystem::exists(file) &&
             offset + length <= static_cast<std::int64_t>(std::filesystem::file_size(file)));
}

} // namespace

class TestGraphProtobuf : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        test::writeFile(folder() / "data.bin", std::string(kDataFileBytes, 'x'));
    }

    void readsModelsOfThisTree() {
        int models = 0;
        for (const char* part : {"/projects", "/tests"}) {
            QDirIterator files(QString(PIM_SOURCE_DIR) + part, {"*.onnx"}, QDir::Files,
                               QDirIterator::Subdirectories);
            while (files.hasNext()) {
                QFile file(files.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                const std::string bytes = file.readAll().toStdString();
                compare(bytes, file.fileName().toStdString());
                if (QTest::currentTestFailed())
                    return;
                ++models;
            }
        }
        QVERIFY2(models >= 70, std::to_string(models).c_str());
    }

    void readsRandomModels_data() {
        QTest::addColumn<quint64>("seed");
        for (quint64 seed = 1; seed <= 20; ++seed)
            QTest::addRow("%llu", static_cast<unsigned long long>(seed)) << seed;
    }
    void readsRandomModels() {
        QFETCH(quint64, seed);
        std::mt19937_64 random(seed);
        for (int i = 0; i < 100; ++i) {
            compare(test::randomModel(random),
                    (folder() / ("random " + std::to_string(i) + ".onnx")).string());
            if (QTest::currentTestFailed())
                return;
        }
    }

private:
    std::filesystem::path folder() const { return m_folder.path().toStdString(); }

    static void compare(const std::string& bytes, const std::string& path) {
        onnx::ModelProto model;
        QVERIFY2(model.ParseFromString(bytes), path.c_str());
        const auto read = file::readOnnx(std::as_bytes(std::span(bytes)), path, {});
        QVERIFY2(read, (path + ": " + (read ? "" : read.error().text())).c_str());
        Comparison comparison(bytes, std::filesystem::path(path).parent_path().string());
        comparison.model(*read, model);
        QVERIFY2(comparison.difference().empty(), (path + ": " + comparison.difference()).c_str());
        QVERIFY(comparison.compared() > 5);
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestGraphProtobuf)
#include "tst_core_graph_protobuf.moc"
