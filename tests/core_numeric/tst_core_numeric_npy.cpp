// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Arrays of NumPy: what is read, and what is said of files that cannot be.
#include "core/numeric/element_access.h"
#include "core/numeric/npy.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace pim;

namespace {

/// A file with this dictionary, padded as NumPy does. \param version 1, 2 or 3
std::string file(const std::string& dictionary, const std::string& data, int version = 1) {
    std::string header = dictionary;
    const std::size_t before = version == 1 ? 10 : 12;
    header.append((64 - (before + header.size() + 1) % 64) % 64, ' ');
    header += '\n';
    std::string text("\x93NUMPY", 6);
    text += char(version);
    text += '\0';
    for (std::size_t i = 0; i < before - 8; ++i)
        text += char(header.size() >> (8 * i) & 0xff);
    return text + header + data;
}

Result<Value> parse(const std::string& text) {
    return parseNpy(std::as_bytes(std::span(text)), "x.npy");
}

std::string dictionary(const std::string& descr, const std::string& shape, const char* order = "False") {
    return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

} // namespace

class TestNpy : public QObject {
    Q_OBJECT
private slots:
    void readsWhatItWrites() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("x.npy").toStdString();
        for (const auto& [type, shape] : std::vector<std::pair<DataType, Shape>>{{DataType::F32, {2, 3}},
                                                                                 {DataType::I8, {5}},
                                                                                 {DataType::I64, {}},
                                                                                 {DataType::U16, {0, 4}}}) {
            const auto count = static_cast<std::size_t>(elementCount(shape).value() * bytesOf(type));
            std::vector<std::byte> bytes(count);
            for (std::size_t i = 0; i < count; ++i)
                bytes[i] = static_cast<std::byte>(7 * i + 1);
            QVERIFY(writeNpy(path, {type, shape, std::make_shared<const std::vector<std::byte>>(bytes)}));
            const auto read = readNpy(path);
            QVERIFY2(read, read ? "" : read.error().text().c_str());
            QVERIFY(read->dtype == type && read->shape == shape && *read->bytes == bytes);
            QCOMPARE((QFileInfo(QString::fromStdString(path)).size() - qint64(count)) % 64, 0);
        }
        const Value one{DataType::F32, {}, std::make_shared<const std::vector<std::byte>>(4)};
        QVERIFY(writeNpy(folder.filePath("nowhere/x.npy").toStdString(), one).error().code == ErrorCode::Io);
        QVERIFY(!writeNpy(path, {DataType::String, {1}, one.bytes}));
    }

    void readsNumbers() {
        for (const int version : {1, 2, 3}) {
            const auto bytes =
                parse(file(dictionary("|u1", "(2, 3)"), std::string("\x01\x02\x03\x04\x05\xff"), version));
            QVERIFY2(bytes, bytes ? "" : bytes.error().text().c_str());
            QVERIFY(bytes->dtype == DataType::U8 && bytes->shape == (Shape{2, 3}));
            QCOMPARE(elements<std::uint8_t>(*bytes)[5], 255);
        }
        const std::array<float, 3> reals{1.5F, -2, 0.25F};
        const std::string data(reinterpret_cast<const char*>(reals.data()), sizeof reals);
        const auto array = parse(file(dictionary("<f4", "(3,)"), data));
        QVERIFY(array);
        QCOMPARE(elements<float>(*array)[1], -2.0F);
        const auto scalar = parse(file(dictionary("<f4", "()"), data.substr(0, 4)));
        QVERIFY(scalar && scalar->shape.empty());
        const auto none = parse(file(dictionary("<i8", "(0, 4)"), {}));
        QVERIFY(none && none->count() == 0);
        QVERIFY(parse(file(dictionary("<f4", "(3,)", "True"), data))); // one dimension has no order
    }

    /// As numpy.asfortranarray() and dtype ">i2" are saved.
    void bringsOtherOrdersToItsOwn() {
        // [[0 1 2] [3 4 5]] and a plane of 6 to 11
        const std::string columns("\0\6\3\11\1\7\4\12\2\10\5\13", 12);
        const auto fortran = parse(file(dictionary("|u1", "(2, 2, 3)", "True"), columns));
        QVERIFY2(fortran, fortran ? "" : fortran.error().text().c_str());
        QVERIFY(fortran->shape == (Shape{2, 2, 3}));
        for (std::size_t i = 0; i < 12; ++i)
            QCOMPARE(elements<std::uint8_t>(*fortran)[i], std::uint8_t(i));
        const auto big = parse(file(dictionary(">i2", "(3,)"), std::string("\1\2\xff\xfe\0\7", 6)));
        QVERIFY2(big, big ? "" : big.error().text().c_str());
        QVERIFY(std::ranges::equal(elements<std::int16_t>(*big), std::vector<std::int16_t>{0x102, -2, 7}));
        const auto both =
            parse(file(dictionary(">u2", "(2, 2)", "True"), std::string("\0\1\0\3\0\2\0\4", 8)));
        QVERIFY2(both, both ? "" : both.error().text().c_str());
        QVERIFY(std::ranges::equal(elements<std::uint16_t>(*both), std::vector<std::uint16_t>{1, 2, 3, 4}));
        QVERIFY(parse(file(dictionary(">f8", "(0, 4)", "True"), {})));
    }

    void filesHaveSafeNames() {
        QCOMPARE(npyName("/layer.0/MatMul_out-1"), std::string("_layer.0_MatMul_out-1"));
        QCOMPARE(npyName("x:0"), std::string("x_0"));
        QCOMPARE(npyName(".."), std::string("_."));
        QCOMPARE(npyName(""), std::string("_"));
        QCOMPARE(npyName("\xc3\xa4"), std::string("__"));
        QCOMPARE(npyName(std::string(1000, 'x')).size(), std::size_t(150));
    }

    void saysWhatIsWrong_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const std::string& text, const char* message) {
            QTest::newRow(name) << QByteArray(text.data(), qsizetype(text.size())) << QString(message);
        };
        const std::string four(4, '\1');
        row("nothing", "", "no array of NumPy");
        row("another file", "PK\3\4 and so on", "unpack it");
        row("cut off in the header", file(dictionary("|u1", "(4,)"), four).substr(0, 40),
            "cut off after 40 bytes");
        row("cut off at once", std::string("\x93NUMPY\x01", 7), "cut off after 7 bytes");
        row("version", file(dictionary("|u1", "(4,)"), four, 9), "1.0 to 3.0 are read");
        row("another kind", file(dictionary(">c8", "(1,)"), four + four), "its elements are \">c8\"");
        row("text", file(dictionary("<U1", "(1,)"), four), "its elements are \"<U1\"");
        row("records", file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", four),
            "records");
        row("truncated", file(dictionary("|u1", "(5,)"), four), "takes 5 bytes, 4 are there");
        row("too long", file(dictionary("|u1", "(3,)"), four), "takes 3 bytes, 4 are there");
        row("huge", file(dictionary("<f8", "(4294967296, 4294967296)"), four), "beyond any file");
        row("huge extent", file(dictionary("<f8", "(99999999999999999999,)"), four), "does not fit 63 bits");
        row("negative", file(dictionary("|u1", "(-4,)"), four), "no number");
        row("no shape", file("{'descr': '|u1', 'fortran_order': False, }", four), "lacks descr");
        row("twice", file("{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': (4,)}", four),
            "twice");
        row("no dictionary", file("hello", four), "no dictionary");
        row("another key", file("{'color': 'red'}", four), "no key of NumPy");
    }
    void saysWhatIsWrong() {
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        const auto refused = parse(text.toStdString());
        QVERIFY(!refused);
        const QString said = QString::fromStdString(refused.error().text()) + " " +
                             QString::fromStdString(refused.error().hint);
        QVERIFY2(said.contains(message), qPrintable(said));
        QVERIFY(said.contains("x.npy"));
    }

    void changedBytesNeverCrash() {
        const std::string good = file(dictionary("<f4", "(2, 2)"), std::string(16, '\2'));
        std::mt19937 random(2);
        for (int i = 0; i < 20'000; ++i) {
            std::string bad = good.substr(0, random() % 4 == 0 ? random() % good.size() : good.size());
            for (int changes = 0; changes < 3 && !bad.empty(); ++changes)
                bad[random() % bad.size()] = char(random());
            if (const auto read = parse(bad))
                QVERIFY(read->bytes->size() <= bad.size());
        }
    }

    void samplesAreScaled() {
        const auto array =
            parse(file(dictionary("|u1", "(3, 2)"), std::string("\x00\x10\x20\x30\x40\xff", 6)));
        QVERIFY(array);
        const auto two = realSamples(*array, 1, 2, 16);
        QVERIFY(two && two->shape == (Shape{2, 2}));
        QCOMPARE(elements<float>(*two)[0], 2.0F);
        QCOMPARE(elements<float>(*two)[3], 255.0F / 16);
        QVERIFY(!realSamples(*array, 2, 2));
        QVERIFY(!realSamples(*array, -1, 1));
    }
};

QTEST_APPLESS_MAIN(TestNpy)
#include "tst_core_numeric_npy.moc"
