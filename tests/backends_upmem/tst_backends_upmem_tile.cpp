// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Tiles of kernels on a DPU: right numbers for every type and form, counts that are those of the program, repeats that may be
/// skipped.
#include "backends/upmem/tile.h"

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

std::int32_t apply(Function function, std::int32_t a, std::int32_t b, int width) {
    switch (function) {
    case Function::Add:
        return a + b;
    case Function::Sub:
        return a - b;
    case Function::Mul:
        return a * b;
    case Function::Relu:
        return std::max(a, 0);
    case Function::Max:
        return std::max(a, b);
    case Function::Min:
        return std::min(a, b);
    case Function::And:
        return a & b;
    case Function::Or:
        return a | b;
    case Function::Xor:
        return a ^ b;
    case Function::Div:
        return b == 0 ? 0 : a / b; // as the routine of a DPU
    case Function::Not:
        return ~a;
    case Function::Ones: {
        int set = 0;
        for (int bit = 0; bit < 8 * width; ++bit)
            set += a >> bit & 1;
        return set;
    }
    }
    return a;
}

/// What MRAM held before, element by element.
class Operands {
public:
    Operands(const Tile& tile, std::span<const std::uint8_t> mram)
        : m_layout(layoutOf(tile)), m_mram(mram), m_size(bytes(tile.shape().type)) {}
    std::int32_t at(std::int64_t begin, std::int64_t element) const {
        return read(m_mram, begin + element * m_size, m_size);
    }
    const TileLayout& layout() const { return m_layout; }
    std::int64_t row() const { return m_layout.rowBytes / m_size; }

private:
    TileLayout m_layout;
    std::span<const std::uint8_t> m_mram;
    int m_size;
};

QString differs(std::int64_t tasklet, std::int64_t i, std::int64_t got, std::int64_t wanted) {
    return QStringLiteral("tasklet %1, %2: %3 instead of %4").arg(tasklet).arg(i).arg(got).arg(wanted);
}

QString wrongMap(const Tile& tile, const Operands& in, std::span<const std::uint8_t> after) {
    const TileLayout& layout = in.layout();
    const int size = bytes(tile.shape().type), inputs = tile.shape().inputs;
    for (std::int64_t t = 0; t < tile.shape().tasklets(); ++t)
        for (std::int64_t i = 0; i < tile.shape().length; ++i) {
            const std::int64_t at = t * layout.xBytes / size + i;
            const std::int32_t wanted =
                apply(tile.shape().function, in.at(layout.x, at), inputs > 1 ? in.at(layout.w, at) : 0, size);
            const std::int32_t cut = size == 1   ? std::int8_t(wanted)
                                     : size == 2 ? std::int16_t(wanted)
                                                 : wanted;
            if (const std::int32_t got = read(after, layout.y + at * size, size); got != cut)
                return differs(t, i, got, cut);
        }
    return {};
}

QString wrongSum(const Tile& tile, const Operands& in, std::span<const std::uint8_t> after) {
    const TileLayout& layout = in.layout();
    const TileShape& s = tile.shape();
    for (std::int64_t t = 0; t < s.tasklets(); t += s.sumTasklets)
        for (std::int64_t o = 0; o < s.outputs; ++o) {
            std::int32_t total = in.at(layout.x + t * layout.xBytes, o * in.row());
            bool isFirst = true;
            for (std::int64_t part = 0; part < s.sumTasklets; ++part)
                for (std::int64_t k = 0; k < in.row(); ++k) {
                    const std::int32_t x = in.at(layout.x + (t + part) * layout.xBytes, o * in.row() + k);
                    total = isFirst ? x : apply(s.function, total, x, 4);
                    isFirst = false;
                }
            if (const std::int32_t got = read(after, layout.y + t / s.sumTasklets * layout.yBytes + o * 8, 4);
                got != total)
                return differs(t, o, got, total);
        }
    return {};
}

/// Element k of row \p row of a block, by how blocks lie in MRAM: chunk by chunk if there are several.
std::int64_t elementOf(const TileBlocks& b, bool byChunk, std::int64_t rowsOfBlock, std::int64_t row,
                       std::int64_t k) {
    if (!byChunk)
        return row * b.rowElements() + k;
    const std::int64_t block = row / rowsOfBlock, chunk = k / b.chunk;
    return ((block * b.chunks + chunk) * rowsOfBlock + row % rowsOfBlock) * b.chunk + k % b.chunk;
}

QString wrongProduct(const Tile& tile, const Operands& in, std::span<const std::uint8_t> after) {
    const TileLayout& layout = in.layout();
    const TileShape& s = tile.shape();
    const TileBlocks& b = tile.blocks();
    const std::int64_t vectors = b.passes * b.vectors, rows = b.blocks * b.rows;
    for (std::int64_t t = 0; t < s.tasklets(); t += s.sumTasklets) {
        const std::int64_t outputPart = t / s.sumTasklets % s.outputTasklets,
                           outer = t / s.sumTasklets / s.outputTasklets, batchPart = outer / s.vectorTasklets;
        for (std::int64_t batch = 0; batch < s.batches; ++batch)
            for (std::int64_t v = 0; v < vectors; ++v)
                for (std::int64_t o = 0; o < rows; ++o) {
                    std::uint32_t sum = 0;
                    for (std::int64_t part = 0; part < s.sumTasklets; ++part) {
                        const std::int64_t x = layout.x + (outer * s.sumTasklets + part) * layout.xBytes;
                        const std::int64_t w =
                            layout.w + ((batchPart * s.outputTasklets + outputPart) * s.sumTasklets + part) *
                                           layout.wBytes;
                        for (std::int64_t k = 0; k < b.rowElements(); ++k)
                            sum += std::uint32_t(in.at(x + batch * layout.xBytes / s.batches,
                                                       elementOf(b, b.readsVectorsAgain, b.vectors, v, k))) *
                                   std::uint32_t(in.at(w + batch * layout.wBytes / s.batches,
                                                       elementOf(b, b.chunks > 1, b.rows, o, k)));
                    }
                    const std::int64_t place =
                        (((batch * b.passes + v / b.vectors) * b.blocks + o / b.rows) * b.rows + o % b.rows) *
                            b.vectors +
                        v % b.vectors;
                    if (const std::int32_t got =
                            read(after, layout.y + t / s.sumTasklets * layout.yBytes + place * 4, 4);
                        got != std::int32_t(sum))
                        return differs(t, v * rows + o, got, std::int32_t(sum));
                }
    }
    return {};
}

/// The first element that is not what a plain loop says, in words.
QString wrong(const Tile& tile, std::span<const std::uint8_t> before, std::span<const std::uint8_t> after) {
    const Operands in(tile, before);
    switch (tile.shape().form) {
    case Form::Map:
        return wrongMap(tile, in, after);
    case Form::Sum:
        return wrongSum(tile, in, after);
    default:
        return wrongProduct(tile, in, after);
    }
}

} // namespace

class TestTile : public QObject {
    Q_OBJECT
private slots:
    void computesTheRightNumbers_data() {
        QTest::addColumn<TileShape>("shape");
        const auto row = [](const std::string& name, TileShape shape) {
            QTest::newRow(name.c_str()) << shape;
        };
        for (const DataType type : {DataType::I8, DataType::I16, DataType::I32}) {
            const auto called = [&](const char* what) {
                return std::string(what) + " " + std::string(name(type));
            };
            const auto product = [&](const char* what, std::int64_t batches, std::int64_t vectors,
                                     std::int64_t outputs, std::int64_t length, std::array<int, 4> tasklets) {
                row(called(what), {Form::Product, type, batches, vectors, outputs, length, Function::Add, 2,
                                   tasklets[0], tasklets[1], tasklets[2], tasklets[3]});
            };
            product("one vector", 1, 1, 5, 256, {1, 1, 16, 1});
            product("many vectors", 1, 11, 7, 100, {1, 2, 4, 1});
            product("several passes", 1, 40, 3, 200, {1, 4, 4, 1});
            product("a vector beyond WRAM", 1, 2, 3, 6000, {1, 1, 16, 1});
            product("outputs of vectors beyond a DMA", 1, 5, 9, type == DataType::I32 ? 1200 : 2200,
                    {1, 1, 12, 1});
            product("batches", 3, 4, 5, 64, {11, 1, 1, 1});
            product("batches over everything", 2, 3, 5, 40, {2, 2, 3, 1});
            product("shared sums", 1, 3, 50, 128, {1, 2, 2, 4});
            product("shared sums of batches", 2, 1, 9, 72, {3, 1, 1, 5});
            product("one element", 1, 1, 1, 1, {1, 1, 24, 1});
            row(called("sums"), {Form::Sum, type, 1, 1, 6, 1500, Function::Add, 1, 1, 1, 16});
            row(called("shared sums of rows"), {Form::Sum, type, 1, 1, 3, 900, Function::Add, 1, 1, 1, 3, 5});
            row(called("least"), {Form::Sum, type, 1, 1, 6, 100, Function::Min, 1, 1, 1, 11});
            row(called("bits in all"), {Form::Sum, type, 1, 1, 3, 41, Function::And, 1, 1, 1, 3, 5});
            row(called("bits in any"), {Form::Sum, type, 1, 1, 2, 700, Function::Or, 1, 1, 1, 3, 2});
            row(called("odd bits"), {Form::Sum, type, 1, 1, 6, 130, Function::Xor, 1, 1, 1, 16});
            row(called("greatest"), {Form::Sum, type, 1, 1, 6, 100, Function::Max, 1, 1, 1, 11});
            row(called("add"), {Form::Map, type, 1, 1, 1, 3000, Function::Add, 2, 1, 1, 16});
            row(called("subtract"), {Form::Map, type, 1, 1, 1, 33, Function::Sub, 2, 1, 1, 4});
            row(called("multiply"), {Form::Map, type, 1, 1, 1, 500, Function::Mul, 2, 1, 1, 11});
            row(called("relu"), {Form::Map, type, 1, 1, 1, 2500, Function::Relu, 1, 1, 1, 16});
            row(called("max"), {Form::Map, type, 1, 1, 1, 700, Function::Max, 2, 1, 1, 16});
            row(called("min"), {Form::Map, type, 1, 1, 1, 700, Function::Min, 2, 1, 1, 16});
            row(called("and"), {Form::Map, type, 1, 1, 1, 700, Function::And, 2, 1, 1, 3});
            row(called("or"), {Form::Map, type, 1, 1, 1, 60, Function::Or, 2, 1, 1, 16});
            row(called("xor"), {Form::Map, type, 1, 1, 1, 700, Function::Xor, 2, 1, 1, 11});
            row(called("divide"), {Form::Map, type, 1, 1, 1, 701, Function::Div, 2, 1, 1, 16});
            row(called("not"), {Form::Map, type, 1, 1, 1, 331, Function::Not, 1, 1, 1, 16});
            row(called("ones"), {Form::Map, type, 1, 1, 1, 1200, Function::Ones, 1, 1, 1, 11});
        }
    }
    void computesTheRightNumbers() {
        QFETCH(TileShape, shape);
        const auto tile = Tile::best(shape, kChip);
        QVERIFY2(tile, tile ? "" : tile.error().text().c_str());
        if (QByteArray(QTest::currentDataTag()).contains("beyond a DMA"))
            QVERIFY(tile->blocks().readsVectorsAgain && tile->blocks().passes > 1 &&
                    tile->blocks().chunks > 1);
        const auto made = tile->program();
        QVERIFY2(made, made ? "" : made.error().text().c_str());
        Dpu dpu(kChip);
        const std::int64_t end = tile->mramBytes();
        fill(dpu.mram(), layoutOf(*tile).y, bytes(shape.type));
        const std::vector<std::uint8_t> before(dpu.mram().begin(), dpu.mram().begin() + end);
        const auto run = dpu.run(made->program, shape.tasklets(), {}, {});
        QVERIFY2(run, run ? "" : run.error().text().c_str());
        QCOMPARE(wrong(*tile, before, dpu.mram().first(std::size_t(end))), QString());
        if (shape.sumTasklets > 1)
            return; // tasklets have unequal work then; counted is the one with most
        // The count is that of the program: bytes to the byte, instructions but for start and the data's own bits.
        const TaskletCounts counts = tile->counts();
        QCOMPARE(double(run->mram.readBytes + run->mram.writeBytes), counts.dmaBytes * shape.tasklets());
        QCOMPARE(double(run->mram.reads + run->mram.writes), counts.dmas * shape.tasklets());
        if (shape.type != DataType::I32 && shape.function != Function::Max &&
            shape.function != Function::Min && shape.function != Function::Relu &&
            shape.function != Function::Div) {
            const double counted = counts.instructions * shape.tasklets();
            QVERIFY2(std::abs(double(run->instructions) - counted) <=
                         shape.tasklets() * 80.0 + 0.02 * counted,
                     qPrintable(QStringLiteral("%1 instead of %2").arg(run->instructions).arg(counted)));
        }
    }

    /// Passes, batches, blocks, rows and chunks that repeat: more of each than are run.
    void predictsAndExtrapolates() {
        const TileDemands none, small{.rows = 4};
        const std::pair<TileShape, TileDemands> cases[] = {
            {{Form::Product, DataType::I8, 1, 12, 16, 512, Function::Add, 2, 1, 1, 16}, none},
            {{Form::Product, DataType::I8, 1, 1, 40, 2048, Function::Add, 2, 1, 1, 16}, none},
            {{Form::Product, DataType::I8, 1, 1, 40, 2048, Function::Add, 2, 1, 1, 16}, small},
            {{Form::Product, DataType::I16, 2, 6, 12, 384, Function::Add, 2, 4, 2, 2}, none},
            {{Form::Product, DataType::I16, 1, 8, 4, 2048, Function::Add, 2, 1, 1, 11}, none},
            {{Form::Sum, DataType::I16, 1, 1, 20, 1000, Function::Add, 1, 1, 1, 16}, none},
            {{Form::Map, DataType::I8, 1, 1, 1, 20'000, Function::Add, 2, 1, 1, 16}, none},
            {{Form::Map, DataType::I16, 1, 1, 1, 20'000, Function::Ones, 1, 1, 1, 16}, none},
            {{Form::Map, DataType::I32, 1, 1, 1, 20'000, Function::Not, 1, 1, 1, 11}, none}};
        for (const auto& [shape, demands] : cases) {
            const auto tile = Tile::best(shape, kChip, demands);
            QVERIFY2(tile, tile ? "" : tile.error().text().c_str());
            const auto made = tile->program();
            QVERIFY(made);
            const auto whole = Dpu(kChip).run(made->program, shape.tasklets(), {}, {});
            QVERIFY(whole);
            const auto skipped = tile->simulatedCycles(kChip, {});
            QVERIFY(skipped);
            const double exact = double(whole->cycles);
            QVERIFY2(std::abs(*skipped / exact - 1) < 0.03, qPrintable(QString::number(*skipped / exact)));
            const double predicted = tile->cycles(kChip);
            QVERIFY2(std::abs(predicted / exact - 1) < 0.12, qPrintable(QString::number(predicted / exact)));
        }
    }

    /// By 16 bits, or as many as elements have: so many has what is divided by 1.
    void quotientsArePricedByTheirBits() {
        for (const DataType type : {DataType::I16, DataType::I32}) {
            const auto tile =
                Tile::best({Form::Map, type, 1, 1, 1, 20'000, Function::Div, 2, 1, 1, 16}, kChip);
            QVERIFY2(tile, tile ? "" : tile.error().text().c_str());
            const auto simulated = tile->simulatedCycles(kChip, {});
            QVERIFY(simulated);
            const double ratio = tile->cycles(kChip) / *simulated;
            QVERIFY2(std::abs(ratio - 1) < 0.12, qPrintable(QString::number(ratio)));
        }
    }

    /// Of all blocks that fit, tried by the engine, none is much faster than the one chosen by count.
    void choosesWell() {
        const TileShape shape{Form::Product, DataType::I8, 1, 8, 96, 512, Function::Add, 2, 1, 1, 16};
        const auto chosen = Tile::best(shape, kChip);
        QVERIFY(chosen);
        const double cycles = *chosen->simulatedCycles(kChip, {});
        int tried = 0;
        for (const std::int64_t vectors : {1, 2, 4, 8})
            for (const std::int64_t pieceRows : {1, 4})
                for (const std::int64_t rows : {4, 32}) {
                    TileBlocks blocks;
                    blocks.vectors = vectors;
                    blocks.passes = 8 / vectors;
                    blocks.vectorsAtOnce = std::min<std::int64_t>(vectors, 4);
                    blocks.pieceRows = pieceRows;
                    blocks.rows = rows;
                    blocks.blocks = 96 / rows;
                    blocks.chunk = 512;
                    const auto tile = Tile::with(shape, blocks);
                    if (!tile)
                        continue;
                    ++tried;
                    QVERIFY2(cycles < 1.02 * *tile->simulatedCycles(kChip, {}),
                             qPrintable(QString::number(vectors)));
                }
        QVERIFY(tried > 5);
    }

    /// What is demanded is what the tile has, and the rest is chosen around it.
    void meetsDemands() {
        const TileShape shape{Form::Product, DataType::I8, 1, 8, 48, 512, Function::Add, 2, 1, 1, 8};
        const auto plain = Tile::best(shape, kChip);
        QVERIFY(plain);
        QCOMPARE(plain->dmaBytes(), plain->blocks().pieceRows * plain->blocks().chunk);
        const auto with = [&](const TileDemands& demands) { return Tile::best(shape, kChip, demands); };
        for (const std::int64_t vectors : {1, 2, 4, 8}) {
            const auto tile = with({.vectors = vectors});
            QVERIFY2(tile && tile->blocks().vectors == vectors, tile ? "" : tile.error().text().c_str());
            QVERIFY(plain->cycles(kChip) <= tile->cycles(kChip));
        }
        for (const std::int64_t dma : {64, 512, 1024}) {
            const auto tile = with({.dmaBytes = dma});
            QVERIFY2(tile && tile->dmaBytes() == dma, tile ? "" : tile.error().text().c_str());
        }
        const auto all =
            with({.vectors = 2, .rows = 6, .chunk = 64, .dmaBytes = 128, .readsVectorsAgain = true});
        QVERIFY2(all, all ? "" : all.error().text().c_str());
        const TileBlocks& b = all->blocks();
        QVERIFY(b.vectors == 2 && b.rows == 6 && b.chunk == 64 && b.pieceRows == 2 && b.readsVectorsAgain);
        QVERIFY(b.passes == 4 && b.blocks == 8 && b.chunks == 8);
        const auto odd = with({.vectors = 1, .rows = 3});
        QVERIFY(!odd && odd.error().message == "3 sums of 1 vectors are 12 B; a DMA moves multiples of 8 B");
        const auto apart = with({.rows = 5, .dmaBytes = 1024});
        QVERIFY(!apart &&
                apart.error().message == "sums of 5 rows, but a DMA of 1024 B moves 2 rows at once");
        const auto whole = with({.chunk = 512, .readsVectorsAgain = true});
        QVERIFY(!whole && whole.error().message.find("nothing is read again") != std::string::npos);
        const auto never = with({.chunk = 12});
        QVERIFY(!never && never.error().message.starts_with("chunks of 12 elements"));
        const auto sum = Tile::best({Form::Sum, DataType::I32, 1, 1, 6, 150, Function::Add, 1, 1, 1, 4},
                                    kChip, {.dmaBytes = 40});
        QVERIFY(!sum && sum.error().message.find("multiples of 32 B from 32 to 608") != std::string::npos);
    }

    void saysWhatCannotBe() {
        TileShape half{Form::Product, DataType::F16, 1, 1, 8, 64};
        const auto refused = Tile::best(half, kChip);
        QVERIFY(!refused && refused.error().code == ErrorCode::Unsupported);
        QVERIFY(refused.error().text().find("i8, i16, i32 or f32") != std::string::npos);
        half.type = DataType::F32; // priced, but its library is not ours to write
        const auto priced = Tile::best(half, kChip);
        QVERIFY(priced && !priced->program());
        TileShape large{Form::Product, DataType::I8, 1, 4, 1 << 14, 1 << 13, Function::Add, 2, 1, 1, 16};
        const auto beyond = Tile::best(large, kChip);
        QVERIFY(!beyond && beyond.error().text().find("of MRAM, a DPU has 67108864 B") != std::string::npos);
        TileBlocks few;
        few.chunk = 64;
        const auto uncovered = Tile::with({Form::Product, DataType::I8, 1, 4, 8, 64}, few);
        QVERIFY(!uncovered &&
                uncovered.error().text().find("do not cover 4 vectors, 8 rows and 64") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestTile)
#include "tst_backends_upmem_tile.moc"
