// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Where elements lie: the map against a plain search, texts of elements, pictures, what pointing, typing and
/// keys show.
#include <QTest>
#include <string>

#include "views/common/palette.h"
#include "views/common/table_view.h"
#include "views/dram_pim/grid_canvas.h"
#include "views/dram_pim/layout_pictures.h"
#include "views/dram_pim/layout_view.h"
#include "views/dram_pim/place_map.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QSpinBox>

#include <map>
#include <set>

using namespace pim;
using namespace pim::views;

namespace {

constexpr int kBanks = 8, kColumns = 4;

/// A matrix whose rows are dealt to channels, then banks; along a row 16 lanes, then columns, then rows of
/// the bank, one row of the matrix behind the other. A vector is in every bank of channel 0 alone. A third
/// tensor is in no bank.
class SampleOperands final : public PimOperands {
public:
    SampleOperands(std::int64_t rows, std::int64_t columns, int groups, bool transposed)
        : m_rows(rows), m_columns(columns), m_groups(groups), m_transposed(transposed) {}

    void elements(int, int, std::int64_t, std::span<std::int64_t, kPimLanes> lanes) const override {
        std::fill(lanes.begin(), lanes.end(), -1);
    }
    std::vector<PimPlace> places(int tensor, std::int64_t element) const override {
        if (tensor == 0) {
            std::int64_t row = element / m_columns, column = element % m_columns, length = m_columns;
            if (m_transposed) {
                std::swap(row, column);
                length = m_rows;
            }
            const std::int64_t perRow = kColumns * kPimLanes, bankRows = (length + perRow - 1) / perRow;
            const std::int64_t slot = row / (m_groups * kBanks);
            return {{int(row % m_groups), int(row / m_groups % kBanks), slot * bankRows + column / perRow,
                     int(column % perRow / kPimLanes), int(column % kPimLanes)}};
        }
        std::vector<PimPlace> copies;
        for (int bank = 0; tensor == 1 && bank < kBanks; ++bank)
            copies.push_back({0, bank, 100 + element / (kColumns * kPimLanes),
                              int(element / kPimLanes % kColumns), int(element % kPimLanes)});
        return copies;
    }

private:
    std::int64_t m_rows, m_columns;
    int m_groups;
    bool m_transposed;
};

std::shared_ptr<OpPlaces> samplePlacesOf(std::int64_t rows, std::int64_t columns, int groups,
                                         bool transposed = false) {
    auto made = std::make_shared<OpPlaces>();
    made->op = "fc1";
    made->tensors = {{"W", "fc1.weight", {rows, columns}, TensorRole::Input, Residency::Resident},
                     {"x", "input", {columns}, TensorRole::Input, Residency::Streamed},
                     {"y", "output", {2, rows / 2}, TensorRole::Output, Residency::Streamed}};
    made->operands = std::make_shared<SampleOperands>(rows, columns, groups, transposed);
    auto device = std::make_shared<DramDevice>();
    device->name = "sample-pim";
    device->levels = {{"Channel", 1}, {"BankGroup", 2}, {"Bank", 4}, {"Row", 1 << 15}, {"Column", kColumns}};
    device->bankLevel = 2;
    device->rowLevel = 3;
    device->accessBytes = 32;
    device->addressMap = {{4, 2}, {1, 1}, {2, 2}, {3, 15}};
    made->device = std::move(device);
    made->groups = groups;
    made->groupsOfMachine = 16;
    made->groupsPerStack = 2;
    made->firstRow = 1000;
    made->rows = 16000;
    return made;
}

void pointAt(GridCanvas& canvas, const QPoint& at) {
    QMouseEvent event(QEvent::MouseMove, at, canvas.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                      Qt::NoModifier);
    QCoreApplication::sendEvent(&canvas, &event);
}

} // namespace

class TestViewsMemoryLayout : public QObject {
    Q_OBJECT

    static std::unique_ptr<LayoutView> viewOf(std::shared_ptr<const OpPlaces> places,
                                              QSize size = {1100, 480}) {
        auto view = std::make_unique<LayoutView>();
        view->resize(size);
        view->setPlaces(std::move(places));
        view->show();
        return view;
    }

private slots:
    void mapAgainstAPlainSearch_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<int>("groups");
        QTest::addColumn<bool>("transposed");
        QTest::newRow("one row") << 1 << 100 << 1 << false;
        QTest::newRow("small") << 37 << 130 << 3 << false;
        QTest::newRow("transposed") << 37 << 130 << 3 << true;
        QTest::newRow("long") << 5 << 1000 << 2 << true;
        QTest::newRow("larger") << 300 << 333 << 4 << false;
    }
    void mapAgainstAPlainSearch() {
        QFETCH(int, rows);
        QFETCH(int, columns);
        QFETCH(int, groups);
        QFETCH(bool, transposed);
        const auto places = samplePlacesOf(rows, columns, groups, transposed);
        for (int tensor = 0; tensor < 2; ++tensor)
            for (int group = 0; group < groups; ++group) {
                std::map<std::pair<int, std::int64_t>, std::set<std::int64_t>> expected;
                const std::int64_t all = tensor == 0 ? std::int64_t(rows) * columns : columns;
                std::int64_t copies = 0;
                for (std::int64_t element = 0; element < all; ++element)
                    for (const PimPlace& place : places->of(tensor, element))
                        if (place.group == group) {
                            expected[{place.bank, place.row}].insert(element);
                            ++copies;
                        }
                const auto map = *PlaceMap::build(*places, tensor, group);
                QCOMPARE(map->copies(), copies);
                if (expected.empty()) {
                    QCOMPARE(map->rows(), std::int64_t(0));
                    continue;
                }
                for (int bank = 0; bank < kBanks; ++bank)
                    for (std::int64_t row = 0; row < map->rows(); ++row) {
                        const auto& wanted = expected[{bank, map->firstRow() + row}];
                        QCOMPARE(map->at(bank, row).elements, std::int64_t(wanted.size()));
                        std::set<std::int64_t> found;
                        for (const ElementRange& range : map->elementsIn(bank, row, 10'000))
                            for (std::int64_t i = 0; i < range.count; ++i)
                                found.insert(range.first + i * range.step);
                        QCOMPARE(found, wanted);
                        if (!wanted.empty())
                            QCOMPARE(map->at(bank, row).first, *wanted.begin());
                    }
            }
    }

    void largeTensorsAreSampled() {
        const auto places = samplePlacesOf(5000, 5000, 4);
        const auto map = *PlaceMap::build(*places, 0, 1);
        QCOMPARE(map->step(), std::int64_t(6)); // 25 million, 4 million are looked at
        QVERIFY(map->rows() > 0);
        std::stop_source stop;
        stop.request_stop();
        const auto cancelled = PlaceMap::build(*places, 0, 1, {}, {stop.get_token(), {}});
        QVERIFY(!cancelled);
        QCOMPARE(cancelled.error().code, ErrorCode::Cancelled);
    }

    void textsOfElements() {
        const PlacedTensor matrix{"W", "", {4, 8}, TensorRole::Input, Residency::Resident};
        QCOMPARE(rangeText(matrix, {11, 1}), std::string("W[1, 3]"));
        QCOMPARE(rangeText(matrix, {8, 8}), std::string("W[1, 0…7]"));
        QCOMPARE(rangeText(matrix, {6, 4}), std::string("W[0, 6]…[1, 1]"));
        QCOMPARE(rangeText(matrix, {3, 3, 8}), std::string("W[0…2, 3]"));
        QCOMPARE(rangeText(matrix, {3, 3, 2}), std::string("W[0, 3]…[0, 7]"));
        QCOMPARE(rangeText({"x", "", {9}, TensorRole::Input, Residency::Streamed}, {2, 3}),
                 std::string("x[2…4]"));
        QCOMPARE(rangeText({"s", "", {}, TensorRole::Input, Residency::Streamed}, {0, 1}), std::string("s"));
        for (const char* text : {"3, 5", "3 5", "[3][5]", "(3;5)"})
            QCOMPARE(*parseIndex(text), (std::vector<std::int64_t>{3, 5}));
        QVERIFY(!parseIndex("3, x"));
        QVERIFY(!parseIndex("99999999999999999999"));
    }

    void slicesOfTensorsOfMoreDimensions() {
        const Shape shape{3, 4, 5};
        const MatrixSlice slice = sliceOf(shape, 47); // [2, 1, 2]
        QCOMPARE(slice.firstElement, std::int64_t(40));
        QCOMPARE(slice.rows, qint64(4));
        QCOMPARE(slice.columns, qint64(5));
        QCOMPARE(slice.element(1, 2), std::int64_t(47));
        QCOMPARE(sliceOf({7}, 3).rows, qint64(1));
        QCOMPARE(sliceOf({}, 0).columns, qint64(1));
    }

    void picturesTellWhereAndWhat() {
        const auto places = samplePlacesOf(64, 64, 2);
        const auto sample = *samplePlaces(*places, 0, sliceOf({64, 64}, 0), 0, {});
        const QImage byChannel = paintSample(sample, *places, PlaceColor::Channel);
        QCOMPARE(byChannel.size(), QSize(64, 64));
        QCOMPARE(byChannel.pixelColor(5, 0), sequential(0));
        QCOMPARE(byChannel.pixelColor(5, 1), sequential(1));
        const QImage byBank = paintSample(sample, *places, PlaceColor::Bank);
        QCOMPARE(byBank.pixelColor(0, 2), sequential(1.0 / 7));
        // Bank 3 of channel 0: rows 6, 22, 38, 54 of the matrix in its rows 0, 1, 2, 3.
        const auto map = *PlaceMap::build(*places, 0, 0);
        const QImage banks = paintBanks(*map, {64, 64}, 0);
        QCOMPARE(banks.size(), QSize(kBanks, 4));
        // First rows of banks: 0 … 62.
        QCOMPARE(rangeOf(*map, {64, 64}, 0), (std::pair<std::int64_t, std::int64_t>(0, 62)));
        QCOMPARE(banks.pixelColor(3, 1), sequential(22.0 / 62));
        QCOMPARE(rangeOf(*map, {64, 64}, -1).second, std::int64_t(64));
        // A tensor that is in no bank leaves its picture empty.
        const auto nowhere = *samplePlaces(*places, 2, sliceOf({2, 32}, 0), 0, {});
        QCOMPARE(paintSample(nowhere, *places, PlaceColor::Bank).pixelColor(0, 0).alpha(), 0);
    }

    void typedElementIsFound() {
        auto view = viewOf(samplePlacesOf(64, 200, 2));
        QCOMPARE(view->tensorBox()->currentText(), QStringLiteral("fc1.weight · [64, 200] · resident"));
        view->elementEdit()->setText(QStringLiteral("22, 130"));
        QTest::keyClick(view->elementEdit(), Qt::Key_Return);
        QCOMPARE(view->element(), std::int64_t(22 * 200 + 130));
        // Row 22: channel 0, bank 3, second slot of 4 rows each, third row, column 0, lane 2.
        QCOMPARE(
            view->table()->text(TableView::Format::Csv, false),
            QStringLiteral(
                "copy,stack,channel,BankGroup,Bank,row,column,lane,address\n1,0,0,0,3,1006,0,2,%1\n")
                .arg(QStringLiteral("0x") + QString::number(((1006 << 2 | 3) << 1 | 0) << 2 << 5 | 4, 16)));
        QVERIFY2(view->status()->text().contains(
                     QStringLiteral("bank group 0, bank 3, row 1006, column 0, lane 2")),
                 qPrintable(view->status()->text()));
        QCOMPARE(view->banks()->marks(), (std::vector<GridCell>{{3, 6}}));
        QCOMPARE(*view->matrix()->current(), (GridCell{130, 22}));
        // One in another channel brings that along.
        view->elementEdit()->setText(QStringLiteral("23 0"));
        QTest::keyClick(view->elementEdit(), Qt::Key_Return);
        QCOMPARE(view->groupBox()->value(), 1);
        QCOMPARE(view->map()->group(), 1);
    }

    void wrongIndexSaysWhy() {
        auto view = viewOf(samplePlacesOf(64, 200, 2));
        view->elementEdit()->setText(QStringLiteral("64, 0"));
        QTest::keyClick(view->elementEdit(), Qt::Key_Return);
        QVERIFY2(view->status()->text().contains(QStringLiteral("63")), qPrintable(view->status()->text()));
        QCOMPARE(view->element(), std::int64_t(0));
        view->elementEdit()->setText(QStringLiteral("one"));
        QTest::keyClick(view->elementEdit(), Qt::Key_Return);
        QVERIFY(view->status()->text().contains(QStringLiteral("whole numbers")));
    }

    void pointingAtBanksTellsTheElements() {
        auto view = viewOf(samplePlacesOf(64, 200, 2));
        GridCanvas& banks = *view->banks();
        pointAt(banks, banks.rectOf({3, 6}).center().toPoint());
        QVERIFY2(view->status()->text().contains(
                     QStringLiteral("Bank 3 (bank group 0, bank 3), row 1006: 64 elements, W[22, 128…191]")),
                 qPrintable(view->status()->text()));
        QTest::mouseClick(&banks, Qt::LeftButton, {}, banks.rectOf({3, 6}).center().toPoint());
        QCOMPARE(view->element(), std::int64_t(22 * 200 + 128));
        view->setTensor(1);
        pointAt(banks, banks.rectOf({5, 0}).center().toPoint());
        QVERIFY2(view->status()->text().contains(QStringLiteral("row 1100: 64 elements, x[0…63]")),
                 qPrintable(view->status()->text()));
        QCOMPARE(view->table()->model()->rowCount(), kBanks); // a copy in each
        QCOMPARE(view->banks()->marks().size(), std::size_t(kBanks));
    }

    void keysMoveInBothPictures() {
        auto view = viewOf(samplePlacesOf(64, 200, 2));
        view->setElement(0);
        QTest::keyClick(view->matrix(), Qt::Key_Right);
        QCOMPARE(view->element(), std::int64_t(1));
        QTest::keyClick(view->matrix(), Qt::Key_Down);
        QCOMPARE(view->element(), std::int64_t(201));
        QTest::keyClick(view->matrix(), Qt::Key_End);
        QCOMPARE(view->element(), std::int64_t(399));
        QTest::keyClick(view->matrix(), Qt::Key_Up);
        QTest::keyClick(view->matrix(), Qt::Key_Home);
        QCOMPARE(view->element(), std::int64_t(0));
        QTest::keyClick(view->banks(), Qt::Key_Right);
        QCOMPARE(view->element(), std::int64_t(2 * 200)); // bank 1 of channel 0
    }

    void zoomsAndFits() {
        auto view = viewOf(samplePlacesOf(64, 200, 2));
        GridCanvas& matrix = *view->matrix();
        const double before = matrix.rectOf({0, 0}).width();
        const QPointF at = matrix.rectOf({100, 30}).center();
        matrix.zoomAt(at, 4);
        QVERIFY(matrix.rectOf({0, 0}).width() > 3.9 * before);
        QCOMPARE(*matrix.cellAt(at), (GridCell{100, 30}));
        view->setElement(0); // scrolls there
        QVERIFY(matrix.area().contains(matrix.rectOf({0, 0}).center()));
        QTest::keyClick(&matrix, Qt::Key_F);
        QCOMPARE(matrix.rectOf({0, 0}).width(), before);
    }

    void tensorsInNoBankSaySo() {
        auto view = viewOf(samplePlacesOf(64, 200, 2));
        view->setTensor(2);
        QVERIFY2(view->status()->text().contains(QStringLiteral("in no bank")),
                 qPrintable(view->status()->text()));
        QVERIFY(view->title()->text().contains(QStringLiteral("nothing in the banks")));
        QCOMPARE(view->table()->model()->rowCount(), 0);
        view->grab();
        view->setPlaces(nullptr);
        QVERIFY(view->title()->text().isEmpty());
        view->grab();
    }

    void slowSearchIsReplacedByTheNext() {
        LayoutView view;
        std::vector<LayoutView::Work> waiting;
        view.setRunner([&](const QString&, LayoutView::Work work) { waiting.push_back(std::move(work)); });
        view.setPlaces(samplePlacesOf(64, 200, 2));
        const auto late = waiting.back()({});
        view.setPlaces(samplePlacesOf(32, 100, 2));
        late(); // of the op before
        QVERIFY(!view.map());
        waiting.back()({})();
        QVERIFY(view.map());
        QCOMPARE(view.map()->copies(), std::int64_t(32 * 100 / 2));
    }

    void searchOutlivesItsView() {
        std::vector<LayoutView::Work> waiting;
        auto view = std::make_unique<LayoutView>();
        view->setRunner([&](const QString&, LayoutView::Work work) { waiting.push_back(std::move(work)); });
        view->setPlaces(samplePlacesOf(64, 200, 2));
        QVERIFY(!waiting.empty());
        view.reset(); // its window is closed before the search has begun
        waiting.back()({})();
    }

    void picturesAtTwoSizesInTwoThemes() {
        const QString folder = qEnvironmentVariable("PIM_SCREENSHOT_DIR");
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            applyTheme(theme);
            for (const QSize size : {QSize(860, 300), QSize(1600, 700)}) {
                auto view = viewOf(samplePlacesOf(512, 768, 8), size);
                view->setElement(17 * 768 + 100);
                const QPixmap shot = view->grab();
                QCOMPARE(shot.size(), size);
                if (!folder.isEmpty())
                    shot.save(QStringLiteral("%1/layout-%2-%3.png")
                                  .arg(folder, theme == Theme::Dark ? QStringLiteral("dark")
                                                                    : QStringLiteral("light"))
                                  .arg(size.width()));
            }
        }
        applyTheme(Theme::Light);
    }
};

QTEST_MAIN(TestViewsMemoryLayout)
#include "tst_views_memory_layout.moc"
