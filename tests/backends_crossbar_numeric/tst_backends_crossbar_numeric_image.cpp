// SPDX-License-Identifier: GPL-3.0-or-later
// What is programmed into crossbars, and programs in primitives.
#include <QTest>
#include <string>

#include "backends/crossbar/numeric/fixed_point.h"
#include "backends/crossbar/numeric/part_weights.h"
#include "backends/crossbar/numeric/primitives.h"
#include "backends/crossbar/numeric/weight_image.h"
#include "tests/backends_crossbar_numeric/op_networks.h"
#include "tests/backends_crossbar_numeric/plain_program.h"

#include <algorithm>
#include <map>

#include <QFile>
#include <QTemporaryDir>

#define QVERIFY_RESULT(result)                                                                               \
    QVERIFY2(result, result ? "" : qPrintable(QString::fromStdString(result.error().text())))

using namespace pim;

class TestCrossbarImage : public QObject {
    Q_OBJECT
private slots:
    void imageHoldsEveryWeightOnce_data() {
        QTest::addColumn<int>("cell");
        QTest::addColumn<bool>("differential");
        QTest::addColumn<int>("unfolding");
        for (const int cell : {1, 2, 3})
            for (const bool differential : {false, true})
                for (int unfolding = 0; unfolding < 5; ++unfolding)
                    QTest::addRow("cells of %d%s, unfolding %d", cell, differential ? ", differential" : "",
                                  unfolding)
                        << cell << differential << unfolding;
    }
    void imageHoldsEveryWeightOnce() {
        QFETCH(int, cell);
        QFETCH(bool, differential);
        QFETCH(int, unfolding);
        CrossbarChip chip = test::smallChip();
        chip.cellBits = cell;
        chip.differential = differential;
        chip.physicalPerLogical = chip.slices();
        const auto graph = test::opNetwork("convolutions");
        QVERIFY_RESULT(graph);
        const auto network = crossbarNetwork(*graph, chip);
        QVERIFY_RESULT(network);
        const auto numbers = quantiseNetwork(*network);
        QVERIFY_RESULT(numbers);
        const auto plain = test::plainProgram(*network, chip, {Unfolding(unfolding), 3});
        QVERIFY_RESULT(plain);
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        const auto written = writeWeightImage(*network, chip, plain->mapping, *numbers, path);
        QVERIFY_RESULT(written);
        QCOMPARE(std::int64_t(QFile(folder.filePath("weights.bin")).size()), written->bytes);
        const auto image = readWeightImage(path);
        QVERIFY_RESULT(image);
        QCOMPARE(int(image->places.size()), plain->mapping.arrayGroups());
        // Every weight of every layer is in exactly one cell of a replica; cells outside the diagonal blocks
        // are zero.
        std::vector<std::vector<int>> seen(network->layers.size());
        for (const LayerId layer : network->matrixLayers)
            seen[layer.index()].resize(numbers->layers[layer.index()].weights.size());
        for (std::size_t i = 0; i < image->pieces.size(); ++i) {
            const WeightPiece& piece = image->pieces[i];
            const auto weights = weightsOfPiece(*image, path, int(i));
            QVERIFY_RESULT(weights);
            const LayerPartition& partition = plain->mapping.of(piece.layer)->partition;
            const GroupLayout layout(network->layers[piece.layer.index()], partition,
                                     partition.groups[piece.part.index()]);
            for (int row = 0; row < piece.rows; ++row)
                for (int column = 0; column < piece.columns; ++column) {
                    const std::int64_t from = layout.weight(row, column);
                    const int held = (*weights)[std::size_t(row * piece.columns + column)];
                    QCOMPARE(held,
                             from < 0 ? 0
                                      : int(numbers->layers[piece.layer.index()].weights[std::size_t(from)]));
                    if (from >= 0)
                        ++seen[piece.layer.index()][std::size_t(from)];
                }
        }
        for (const auto& layer : seen)
            for (const int count : layer)
                QCOMPARE(count, 1);
        // No two array groups share a crossbar.
        std::map<CoreId, std::vector<std::pair<int, int>>> used;
        for (const WeightPlace& place : image->places) {
            QVERIFY(place.crossbars > 0);
            for (const auto& [begin, end] : used[place.core])
                QVERIFY(place.firstCrossbar >= end || place.firstCrossbar + place.crossbars <= begin);
            used[place.core].emplace_back(place.firstCrossbar, place.firstCrossbar + place.crossbars);
        }
        // One bit of one cell is noticed.
        QFile file(folder.filePath("weights.bin"));
        QVERIFY(file.open(QIODevice::ReadWrite));
        file.seek(17);
        const char old = file.read(1)[0];
        file.seek(17);
        file.putChar(char(old ^ 1));
        file.close();
        const auto changed = readWeightImage(path);
        QVERIFY(!changed);
        QVERIFY(changed.error().message.find("was changed") != std::string::npos);
    }

    /// Weights that are read part by part as they are written give the same bytes.
    void streamedImageIsTheSame_data() {
        QTest::addColumn<QString>("network");
        QTest::addColumn<int>("unfolding");
        for (const std::string& name : test::opNetworkNames())
            for (int unfolding = 0; unfolding < 5; ++unfolding)
                QTest::addRow("%s, unfolding %d", name.c_str(), unfolding)
                    << QString::fromStdString(name) << unfolding;
    }
    void streamedImageIsTheSame() {
        QFETCH(QString, network);
        QFETCH(int, unfolding);
        const CrossbarChip chip = test::smallChip();
        const auto graph = test::opNetwork(network.toStdString());
        QVERIFY_RESULT(graph);
        const auto layers = crossbarNetwork(*graph, chip);
        QVERIFY_RESULT(layers);
        const auto whole = quantiseNetwork(*layers);
        QVERIFY_RESULT(whole);
        const auto parts = quantiseNetwork(*layers, {.weights = false});
        QVERIFY_RESULT(parts);
        QCOMPARE(parts->weightError, whole->weightError);
        const auto plain = test::plainProgram(*layers, chip, {Unfolding(unfolding), 2});
        QVERIFY_RESULT(plain);
        std::vector<QByteArray> files;
        for (const auto& numbers : {*whole, *parts}) {
            const QTemporaryDir folder;
            QVERIFY_RESULT(
                writeWeightImage(*layers, chip, plain->mapping, numbers, folder.path().toStdString()));
            for (const char* name : {"weights.bin", "weights.json"}) {
                QFile file(folder.filePath(name));
                QVERIFY(file.open(QIODevice::ReadOnly));
                files.push_back(file.readAll());
            }
        }
        QVERIFY(layers->matrixLayers.empty() || !files[0].isEmpty());
        QCOMPARE(files[0], files[2]);
        QCOMPARE(files[1], files[3]);
    }

    /// However little is read at a time, the groups are the same.
    void partsAreReadInAnyRoom() {
        CrossbarChip chip = test::smallChip();
        const auto graph = test::opNetwork("convolutions");
        QVERIFY_RESULT(graph);
        const auto network = crossbarNetwork(*graph, chip);
        QVERIFY_RESULT(network);
        const auto whole = quantiseNetwork(*network);
        const auto parts = quantiseNetwork(*network, {.weights = false});
        QVERIFY(whole && parts);
        for (int unfolding = 0; unfolding < 5; ++unfolding) {
            const auto plain = test::plainProgram(*network, chip, {Unfolding(unfolding), 1});
            QVERIFY_RESULT(plain);
            for (const std::int64_t room : {1, 40, 200, 1000, 1 << 20}) {
                PartWeights some(*network, *parts, room), all(*network, *whole);
                for (const LayerMapping& entry : plain->mapping.layers) {
                    const auto& layer = network->layers[entry.partition.layer.index()];
                    std::vector<GroupId> order = PartWeights::order(layer, entry.partition);
                    QCOMPARE(int(order.size()), entry.groups());
                    if (room == 40)
                        std::ranges::reverse(order); // any order is right
                    for (const GroupId part : order) {
                        const auto a = some.of(entry.partition, part), b = all.of(entry.partition, part);
                        QVERIFY(a && b);
                        QVERIFY(a->fixed == b->fixed && a->rows == b->rows && a->columns == b->columns);
                    }
                }
            }
        }
    }

    void placesWithoutCellsSayWhy() {
        const CrossbarChip chip = test::smallChip();
        const auto graph = test::opNetwork("convolutions");
        QVERIFY_RESULT(graph);
        const auto network = crossbarNetwork(*graph, chip);
        QVERIFY_RESULT(network);
        const auto plain = test::plainProgram(*network, chip, {});
        QVERIFY_RESULT(plain);
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        QVERIFY_RESULT(writeWeightPlaces(*network, chip, plain->mapping, "no weights", path));
        QVERIFY(!QFile::exists(folder.filePath("weights.bin")));
        const auto image = readWeightImage(path);
        QVERIFY_RESULT(image);
        QCOMPARE(image->missing, std::string("no weights"));
        QCOMPARE(int(image->places.size()), plain->mapping.arrayGroups());
        QCOMPARE(image->bytes, std::int64_t(0));
    }

    void roundingIsThatOfOneNumber() {
        for (const int bits : {2, 8, 16})
            for (const int exponent : {-20, -3, 0, 4}) {
                const fixed::Rounding rounding(exponent, bits);
                for (int i = -200'000; i <= 200'000; i += 7) {
                    const double real = std::ldexp(i / 4.0, exponent);
                    QCOMPARE(rounding(real), fixed::fromReal(real, exponent, bits));
                }
                QCOMPARE(rounding(std::nan("")), std::int64_t(0));
            }
    }

    void primitivesOfThePeer() {
        CrossbarChip chip = test::smallChip(2);
        CrossbarProgram program;
        program.cores.resize(2);
        const auto add = [&](CrossbarOpcode opcode, VectorOp op, std::uint32_t dst, std::uint32_t src1,
                             std::uint32_t src2, std::uint32_t length, std::uint8_t flags,
                             std::uint32_t index, std::uint32_t peer) {
            CrossbarInstruction in;
            in.opcode = opcode;
            in.vec = op;
            in.dst = dst;
            in.src1 = src1;
            in.src2 = src2;
            in.length = length;
            in.flags = flags;
            in.index = index;
            in.peer = peer;
            program.cores[0].push_back(in);
        };
        add(CrossbarOpcode::Load, VectorOp::None, 10, 3'000'000'000u, 0, 16, 0, 0, 0);
        add(CrossbarOpcode::Mvm, VectorOp::None, 64, 10, 0, 8, 2, 5, 0);
        add(CrossbarOpcode::Vec, VectorOp::Add, 64, 64, 96, 8, 3, 0, 0);
        add(CrossbarOpcode::Send, VectorOp::None, 0, 64, 0, 8, 3, 7, 1);
        add(CrossbarOpcode::Copy, VectorOp::None, 160, 10, 0, 8, 2, 0, 0); // widens
        const auto set = primitiveSet("pimcomp-isa");
        QVERIFY_RESULT(set);
        const auto text = translateCore(program, chip, **set, CoreId(0));
        QVERIFY_RESULT(text);
        QCOMPARE(QString::fromStdString(*text),
                 QString("# core 0\nsetbw 16, 16\n"
                         "sldi r0, 20\nsldi r4, 1705032704\nsldi r5, 1\nld r0, r4, 32\n"
                         "setbw 16, 32\nsldi r1, 20\nsldi r0, 128\nmvmul r0, r1, 16, 0, 5\n"
                         "setbw 32, 32\nsldi r1, 128\nsldi r2, 192\nvvadd r0, r1, r2, 8\n"
                         "send r1, 1, 32, 7\n"
                         "setbw 16, 32\nsldi r1, 20\nsldi r0, 320\nvvmax r0, r1, r1, 8\n"));
        const auto nothing = translateCore(program, chip, **set, CoreId(1));
        QVERIFY(nothing && nothing->empty());
        add(CrossbarOpcode::Vec, VectorOp::Gelu, 64, 64, 0, 8, 0, 0, 0);
        const auto refused = translateCore(program, chip, **set, CoreId(0));
        QVERIFY(!refused);
        QVERIFY(refused.error().text().find("core 0, instruction 5") != std::string::npos);
        QVERIFY(!primitiveSet("nothing"));
    }
};

QTEST_MAIN(TestCrossbarImage)
#include "tst_backends_crossbar_numeric_image.moc"
