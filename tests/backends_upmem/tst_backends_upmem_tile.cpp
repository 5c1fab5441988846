// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Tiles of kernels on a DPU: right numbers for every type and form, counts that are those of the program, repeats that may be
/// skipped.
#include "backends/upmem/tile_program.h"

#include <QTest>

#include <random>

Q_DECLARE_METATYPE(pim::upmem::TileShape)

using namespace pim;
using namespace pim::upmem;

namespace {

using Form = TileShape::Form;
using Function = TileShape::Function;

const DpuTiming kChip = dpuTiming(DpuPreset::Hardware);

int bytes(DataType type) {
    return type == DataType::I8 ? 1 : type == DataType::I16 ? 2 : 4;
}

std::int32_t read(std::span<const std::uint8_t> mram, std::int64_t at, int size) {
    std::uint32_t value = 0;
    std::memcpy(&value, &mram[std::size_t(at)], std::size_t(size));
    return size == 1 ? std::int8_t(value) : size == 2 ? std::int16_t(value) : std::int32_t(value);
}

void fill(std::span<std::uint8_t> mram, std::int64_t end, int size) {
    std::mt19937 random(5);
    for (std::int64_t at = 0; at + size <= end; at += size) {
        const std::uint32_t value = random() % 201 - 100;
        std::memcpy(&mram[std::size_t(at)], &value, std::size_t(size));
    }
}

std::int32_t apply(Function function, std::int32_t a, std::int32_t b) {
    switch (function) {
    case Function::Add:
        return a + b;
    case Function::Sub:
        return a - b;
    case Function::Mul:
        return a * b;
    case Function::Relu:
        return std::max(a, 0);
    default:
        return std::max(a, b);
    }
}

/// The first element that is not what a plain loop says, in words.
QString wrong(const TileShape& tile, std::span<const std::uint8_t> before,
              std::span<const std::uint8_t> after, std::int64_t base) {
    const TileLayout layout = layoutOf(tile);
    const int size = bytes(tile.type);
    const auto in = [&](std::int64_t at) { return read(before, base + at, size); };
    const auto differs = [](std::int64_t i, std::int64_t o, std::int32_t got, std::int32_t wanted) {
        return QStringLiteral("%1, %2: %3 instead of %4").arg(i).arg(o).arg(got).arg(wanted);
    };
    if (tile.form == Form::Map) {
        for (std::int64_t i = 0; i < tile.length; ++i) {
            const std::int32_t wanted =
                apply(tile.function, in(i * size), tile.inputs > 1 ? in(layout.second + i * size) : 0);
            const std::int32_t got = read(after, base + layout.result + i * size, size);
            const std::int32_t cut = size == 1   ? std::int8_t(wanted)
                                     : size == 2 ? std::int16_t(wanted)
                                                 : wanted;
            if (got != cut)
                return differs(i, 0, got, cut);
        }
        return {};
    }
    if (tile.form == Form::Sum) {
        for (std::int64_t o = 0; o < tile.outputs; ++o) {
            std::int32_t sum = 0;
            for (std::int64_t k = 0; k < layout.rowBytes / size; ++k)
                sum += in(o * layout.rowBytes + k * size);
            if (const std::int32_t got = read(after, base + layout.result + o * 8, 4); got != sum)
                return differs(o, 0, got, sum);
        }
        return {};
    }
    const auto blocks = blocksOf(tile);
    const std::int64_t held = blocks->vectorsInWram, place = (held * 4 + 7) / 8 * 8;
    for (std::int64_t v = 0; v < tile.batches * blocks->passes * held; ++v)
        for (std::int64_t o = 0; o < tile.outputs; ++o) {
            std::int32_t sum = 0;
            for (std::int64_t k = 0; k < layout.rowBytes / size; ++k)
                sum +=
                    in(v * layout.rowBytes + k * size) * in(layout.second + o * layout.rowBytes + k * size);
            const std::int32_t got =
                read(after, base + layout.result + (v / held * tile.outputs + o) * place + v % held * 4, 4);
            if (got != sum)
                return differs(v, o, got, sum);
        }
    return {};
}

} // namespace

class TestTile : public QObject {
    Q_OBJECT
private slots:
    void computesTheRightNumbers_data() {
        QTest::addColumn<TileShape>("tile");
        const auto row = [](const char* name, TileShape tile) { QTest::newRow(name) << tile; };
        for (const DataType type : {DataType::I8, DataType::I16, DataType::I32}) {
            const auto called = [&](const char* what) {
                return std::string(what) + " " + std::string(name(type));
            };
            row(called("one vector").c_str(), {Form::Product, type, 1, 1, 5, 256, Function::Add, 2, 16});
            row(called("many vectors").c_str(), {Form::Product, type, 1, 11, 7, 100, Function::Add, 2, 8});
            row(called("several passes").c_str(), {Form::Product, type, 1, 40, 3, 200, Function::Add, 2, 16});
            row(called("a vector beyond WRAM").c_str(),
                {Form::Product, type, 1, 2, 3, 6000, Function::Add, 2, 16});
            row(called("batches").c_str(), {Form::Product, type, 3, 4, 5, 64, Function::Add, 2, 11});
            row(called("one element").c_str(), {Form::Product, type, 1, 1, 1, 1, Function::Add, 2, 24});
            row(called("sums").c_str(), {Form::Sum, type, 1, 1, 6, 1500, Function::Add, 1, 16});
            row(called("add").c_str(), {Form::Map, type, 1, 1, 1, 3000, Function::Add, 2, 16});
            row(called("subtract").c_str(), {Form::Map, type, 1, 1, 1, 33, Function::Sub, 2, 4});
            row(called("multiply").c_str(), {Form::Map, type, 1, 1, 1, 500, Function::Mul, 2, 11});
            row(called("relu").c_str(), {Form::Map, type, 1, 1, 1, 2500, Function::Relu, 1, 16});
            row(called("max").c_str(), {Form::Map, type, 1, 1, 1, 700, Function::Max, 2, 16});
        }
    }
    void computesTheRightNumbers() {
        QFETCH(TileShape, tile);
        const auto program = programOf(tile, "tile");
        QVERIFY2(program, program ? "" : program.error().text().c_str());
        const auto cost = costOf(tile, kChip);
        QVERIFY2(cost, cost ? "" : cost.error().text().c_str());
        Dpu dpu(kChip);
        const std::int64_t end = cost->mramBytes * tile.tasklets;
        fill(dpu.mram(), end, bytes(tile.type));
        const std::vector<std::uint8_t> before(dpu.mram().begin(), dpu.mram().begin() + end);
        const auto run = dpu.run(*program, tile.tasklets, {}, {});
        QVERIFY2(run, run ? "" : run.error().text().c_str());
        for (int tasklet = 0; tasklet < tile.tasklets; ++tasklet)
            QCOMPARE(wrong(tile, before, dpu.mram().first(std::size_t(end)), tasklet * cost->mramBytes),
                     QString());
        // The count is that of the program: bytes to the byte, instructions but for start and the data's own bits.
        QCOMPARE(double(run->mram.readBytes + run->mram.writeBytes), cost->dmaBytes * tile.tasklets);
        QCOMPARE(double(run->mram.reads + run->mram.writes), cost->dmas * tile.tasklets);
        if (tile.type != DataType::I32 || tile.form == Form::Sum) {
            const double counted = cost->instructions * tile.tasklets;
            QVERIFY2(std::abs(double(run->instructions) - counted) <=
                         tile.tasklets * (20.0 + 3 * tile.tasklets),
                     qPrintable(QStringLiteral("%1 instead of %2").arg(run->instructions).arg(counted)));
        }
    }

    void predictsAndExtrapolates() {
        for (const TileShape& tile : {TileShape{Form::Product, DataType::I8, 1, 12, 24, 512},
                                      {Form::Product, DataType::I16, 2, 6, 20, 768},
                                      {Form::Sum, DataType::I16, 1, 1, 50, 1000},
                                      {Form::Map, DataType::I8, 1, 1, 1, 40'000}}) {
            const auto program = programOf(tile, "tile");
            QVERIFY(program);
            const auto whole = Dpu(kChip).run(*program, tile.tasklets, {}, {});
            QVERIFY(whole);
            const auto skipped = simulatedCycles(tile, kChip, {});
            QVERIFY(skipped);
            const double exact = double(whole->cycles);
            QVERIFY2(std::abs(*skipped / exact - 1) < 0.03, qPrintable(QString::number(*skipped / exact)));
            const double predicted = costOf(tile, kChip)->cycles(kChip, tile.tasklets);
            QVERIFY2(std::abs(predicted / exact - 1) < 0.12, qPrintable(QString::number(predicted / exact)));
        }
    }

    void saysWhatCannotBe() {
        TileShape half{Form::Product, DataType::F16, 1, 1, 8, 64};
        const auto refused = costOf(half, kChip);
        QVERIFY(!refused && refused.error().code == ErrorCode::Unsupported);
        QVERIFY(refused.error().text().find("i8, i16, i32 or f32") != std::string::npos);
        half.type = DataType::F32; // priced, but its library is not ours to write
        QVERIFY(costOf(half, kChip));
        QVERIFY(!programOf(half, "x"));
    }
};

QTEST_APPLESS_MAIN(TestTile)
#include "tst_backends_upmem_tile.moc"
