// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Where elements lie: every one somewhere, no two in one place, none beyond the rows given out.
#include "core/kernel/parse.h"
#include "core/rearrange/layout.h"

#include <QTest>

#include <set>
#include <tuple>

using namespace pim;

namespace {

std::shared_ptr<const TilingSpace> spaceOf(const char* text, TilingResources resources) {
    auto kernel = parseKernel(text);
    if (!kernel)
        qFatal("%s", kernel.error().text().c_str());
    return TilingSpace::create(*kernel, resources).value();
}

TensorLayout layoutOf(const std::shared_ptr<const TilingSpace>& space, int tensor, const Draft& draft, std::vector<int> order) {
    TensorLayout layout;
    layout.kernelTensor = tensor;
    layout.tensor = "W";
    layout.space = space;
    layout.draft = draft;
    layout.order = std::move(order);
    layout.firstRow = 5;
    return layout;
}

} // namespace

class TestLayout : public QObject {
    Q_OBJECT
private slots:
    void givesEveryElementAPlaceOfItsOwn_data() {
        QTest::addColumn<int>("block");
        QTest::newRow("row-major") << 1;
        QTest::newRow("blocks of 2") << 2;
        QTest::newRow("blocks of 8") << 8;
    }
    void givesEveryElementAPlaceOfItsOwn() {
        QFETCH(int, block);
        const auto space = spaceOf("def gemv(x[48]: f16, W[20][48]: const f16):\n y = DCC.Tensor.zero([20], f16)\n"
                                   " for o in range(20):\n  for i in range(48):\n   y[o] += x[i] * W[o][i]\n",
                                   {4, 4, 16, 0});
        const CoreGeometry geometry{64, 32, 2, 0};
        const std::vector<Draft> drafts = keptDrafts(*space, {}, nullptr).value();
        QVERIFY(drafts.size() > 5);
        for (const Draft& draft : drafts) {
            TensorLayout layout = layoutOf(space, 1, draft, {0, 1});
            layout.block = block;
            const std::int64_t rows = (space->summarize(draft).tensors[1].tileElements * 2 + 63) / 64;
            std::set<std::tuple<int, int, std::int64_t, std::int64_t, std::int64_t, std::int64_t>> taken;
            for (std::int64_t o = 0; o < 20; ++o)
                for (std::int64_t i = 0; i < 48; ++i) {
                    const auto place = placeOf(layout, geometry, {o, i});
                    QVERIFY2(place.has_value(), space->draftText(draft).c_str());
                    QVERIFY(place->column >= 0 && place->column < 2 && place->byte >= 0 && place->byte < 32 && place->byte % 2 == 0);
                    QVERIFY(place->row * 2 + place->bank >= 5 && place->row * 2 + place->bank < 5 + 2 * rows);
                    QVERIFY2(taken.emplace(place->group, place->core, place->bank, place->row, place->column, place->byte).second,
                             "two elements in one place");
                }
        }
    }

    void putsOperandsOfOneMultiplyIntoOneAccess() {
        const auto space = spaceOf("def gemv(x[64]: f16, W[64][8]: const f16):\n y = DCC.Tensor.zero([8], f16)\n"
                                   " for o in range(8):\n  for k in range(64):\n   y[o] += x[k] * W[k][o]\n",
                                   {2, 2, 16, 0});
        // W lies transposed in host memory; in the bank the dimension SIMD runs along is last.
        Draft draft;
        draft.parts.assign(space->sets().size(), {});
        const TensorLayout layout = layoutOf(space, 1, draft, {1, 0});
        const CoreGeometry geometry{1024, 32, 1, 0};
        for (std::int64_t o = 0; o < 8; ++o)
            for (std::int64_t k = 0; k < 64; ++k) {
                const auto place = placeOf(layout, geometry, {k, o});
                QVERIFY(place.has_value());
                QCOMPARE(place->byte, k % 16 * 2);
                QCOMPARE((place->row - 5) * 32 + place->column, o * 4 + k / 16);
            }
    }

    void putsWhatTheRegistersMeetTogetherSideBySide() {
        const auto space = spaceOf("def gemv(x[256]: f16, W[16][256]: const f16):\n y = DCC.Tensor.zero([16], f16)\n"
                                   " for o in range(16):\n  for k in range(256):\n   y[o] += x[k] * W[o][k]\n",
                                   {1, 1, 16, 0});
        Draft draft;
        draft.parts.assign(space->sets().size(), {});
        TensorLayout layout = layoutOf(space, 1, draft, {0, 1});
        layout.block = 8; // output o, tile t of 128 inputs, g of 16: 64 * tile + 8 * g + o mod 8 [PIMSimulator b464dde]
        for (std::int64_t o = 0; o < 16; ++o)
            for (std::int64_t k = 0; k < 256; k += 16) {
                const auto place = placeOf(layout, {1024, 32, 1, 0}, {o, k});
                QVERIFY(place.has_value());
                QCOMPARE((place->row - 5) * 32 + place->column, 64 * (o / 8 * 2 + k / 128) + 8 * (k % 128 / 16) + o % 8);
            }
    }

    void saysWhenNoCoreHoldsAnIndex() {
        const auto space = spaceOf("def f(A[64]: const f16, C[64]: f16):\n for i in range(32):\n  C[i] = A[i]\n", {1, 1, 16, 0});
        Draft draft;
        draft.parts.assign(space->sets().size(), {});
        const TensorLayout layout = layoutOf(space, 0, draft, {0});
        QVERIFY(placeOf(layout, {}, {31}).has_value());
        QCOMPARE(placeOf(layout, {}, {40}).error().code, ErrorCode::NotFound);
        QCOMPARE(placeOf(layout, {}, {1, 2}).error().code, ErrorCode::NotFound);
    }
};

QTEST_APPLESS_MAIN(TestLayout)
#include "tst_core_rearrange_layout.moc"
