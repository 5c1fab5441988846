// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Commands over time: which spans there are and where they are drawn, figures of the run and of an area,
/// tips, folding, keys, tables, themes.
#include <QTest>
#include <string>

#include "sample_commands.h"
#include "views/common/palette.h"
#include "views/common/table_view.h"
#include "views/common/timeline_canvas.h"
#include "views/common/timeline_tools.h"
#include "views/dram_pim/command_picture.h"
#include "views/dram_pim/commands_view.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTabWidget>
#include <QToolButton>

#include <algorithm>

#include <qcustomplot.h>

using namespace pim;
using namespace pim::views;
using namespace pim::test;

namespace {

std::shared_ptr<const CommandPicture> picture(int rows = 20, bool loads = true) {
    auto made = CommandPicture::draw(sampleCommands(rows, loads));
    return made ? *made : nullptr;
}

std::size_t trackNamed(const Timeline& line, const std::string& name) {
    for (std::size_t track = 0; track < line.tracks.size(); ++track)
        if (line.tracks[track].name == name)
            return track;
    return line.tracks.size();
}

/// Spans a row shows under or over, by start.
std::vector<std::size_t> spansOf(const Timeline& line, std::size_t row, bool over) {
    std::vector<std::uint32_t> tracks = over ? line.tracks[row].over : line.tracks[row].shows;
    std::vector<std::size_t> spans;
    for (const std::uint32_t track : tracks)
        for (std::size_t i = line.firstSpan[track]; i < line.firstSpan[track + 1]; ++i)
            spans.push_back(i);
    std::sort(spans.begin(), spans.end(),
              [&](std::size_t a, std::size_t b) { return line.spans[a].startNs < line.spans[b].startNs; });
    return spans;
}

std::unique_ptr<CommandsView> viewOf(std::shared_ptr<const CommandPicture> shown, QSize size = {1000, 600}) {
    auto view = std::make_unique<CommandsView>();
    view->resize(size);
    view->setPicture(std::move(shown), QStringLiteral("1 of 80 equal channels"));
    view->show();
    return view;
}

bool near(const QColor& a, const QColor& b) {
    return std::abs(a.red() - b.red()) <= 3 && std::abs(a.green() - b.green()) <= 3 &&
           std::abs(a.blue() - b.blue()) <= 3;
}

} // namespace

class TestViewsCommands : public QObject {
    Q_OBJECT

private slots:
    void everyCommandIsDrawnOnceAndShownByItsBanks() {
        const auto drawn = picture();
        QVERIFY(drawn);
        const Timeline& line = drawn->timeline();
        const CommandTrace& trace = drawn->trace();
        // Modes, 2 + 2 lanes and the data bus; 8 banks below 4 headings.
        const auto rows = std::count_if(line.tracks.begin(), line.tracks.end(),
                                        [](const TimelineTrack& t) { return !t.hidden; });
        QCOMPARE(rows, 6 + 8 + 4);
        // All spans but those of waits, rows, refresh and data are commands: each once.
        std::size_t commands = 0;
        for (std::size_t i = 0; i < line.spans.size(); ++i) {
            const std::string& track = line.tracks[line.spans[i].track].name;
            commands += drawn->what(i) == CommandPicture::Span::Command && track != "data bus";
            if (drawn->what(i) == CommandPicture::Span::Mode)
                continue;
            const auto found = drawn->commandOf(i);
            QVERIFY2(found, track.c_str());
            const SequencedCommand& command = trace.commands[*found];
            if (drawn->what(i) == CommandPicture::Span::Command)
                QCOMPARE(command.command, int(line.spans[i].kind));
            if (drawn->what(i) == CommandPicture::Span::Wait)
                QCOMPARE(drawn->tickOf(double(line.spans[i].durationNs)), command.waited);
        }
        QCOMPARE(commands, trace.commands.size());
        QCOMPARE(line.endNs, drawn->nsOf(trace.timing.ticks));
        QCOMPARE(line.bands.size(), std::size_t(2));
    }

    void banksShowTheirRowsAndCommands() {
        const auto drawn = picture(20);
        const Timeline& line = drawn->timeline();
        // Bank 1 is even in no bank group (numbers in the group: 0 and 1); bank 6 is.
        const auto bank1 = spansOf(line, trackNamed(line, "bank 1"), false);
        QCOMPARE(bank1.size(), std::size_t(22)); // one to load, 20 rows, a refresh behind the 16th
        QCOMPARE(line.labels[line.spans[bank1[0]].label], std::string("row 3"));
        QCOMPARE(line.labels[line.spans[bank1[1]].label], std::string("row 0"));
        QCOMPARE(drawn->tickOf(double(line.spans[bank1[0]].durationNs)),
                 DramTick(22)); // 10 to the write, 12 to the close
        QCOMPARE(drawn->tickOf(double(line.spans[bank1[1]].durationNs)), DramTick(10 + 16 * 4));
        QCOMPARE(spansOf(line, trackNamed(line, "bank 0"), false).size(), std::size_t(21));
        QCOMPARE(spansOf(line, trackNamed(line, "bank 1"), true).size(), std::size_t(1 + 20 * 15));
        QCOMPARE(spansOf(line, trackNamed(line, "bank 6"), true).size(), std::size_t(1 + 20 * 16));
        // Columns of all banks are kept once.
        QCOMPARE(spansOf(line, trackNamed(line, "column commands"), true).size(), std::size_t(2 + 20 * 16));
        QCOMPARE(drawn->banksText(drawn->trace().commands.front()), std::string("bank 1"));
        QCOMPARE(drawn->nodeText(6), std::string("PC1 BG1"));
        const SequencedCommand even{0, kMacEven, 0, -1, 0, 0, -1, 0};
        QCOMPARE(drawn->banksText(even), std::string("banks 0, 2 … 6"));
    }

    void banksClosedApartHaveSpansOfTheirOwn() {
        auto trace = std::make_shared<CommandTrace>(*sampleCommands(1, false));
        // All banks open together, bank 2 closes early, the others at the end.
        trace->commands.insert(trace->commands.end() - 1,
                               {trace->commands.back().tick - 2, kPre, 2, -1, -1, 0, -1, 0});
        const auto drawn = *CommandPicture::draw(trace);
        const Timeline& line = drawn->timeline();
        const auto lengthOf = [&](const char* bank) {
            const auto spans = spansOf(line, trackNamed(line, bank), false);
            return spans.size() == 1 ? drawn->tickOf(double(line.spans[spans[0]].durationNs)) : -1;
        };
        QCOMPARE(lengthOf("bank 2"), DramTick(10 + 16 * 4 - 2));
        QCOMPARE(lengthOf("bank 3"), DramTick(10 + 16 * 4));
        QCOMPARE(lengthOf("bank 7"), DramTick(10 + 16 * 4));
    }

    void refreshLastsUntilBanksCanBeOpened() {
        const auto drawn = picture(16, false);
        const Timeline& line = drawn->timeline();
        const std::size_t lane = trackNamed(line, "refresh");
        const auto refreshes = spansOf(line, lane, false);
        QCOMPARE(refreshes.size(), std::size_t(2)); // one a pseudo-channel
        for (const std::size_t span : refreshes)
            QCOMPARE(drawn->tickOf(double(line.spans[span].durationNs)), DramTick(100));
        QCOMPARE(drawn->banksText(drawn->trace().commands[*drawn->commandOf(refreshes[1])]),
                 std::string("banks 4-7"));
        // Banks show it as well, each that of its pseudo-channel.
        const auto bank = spansOf(line, trackNamed(line, "bank 5"), false);
        QCOMPARE(bank.back(), refreshes[1]);
    }

    void cancelsWhileDrawing() {
        std::stop_source stop;
        stop.request_stop();
        const auto made = CommandPicture::draw(sampleCommands(10), {stop.get_token(), {}});
        QVERIFY(!made);
        QCOMPARE(made.error().code, ErrorCode::Cancelled);
    }

    void figuresOfTheRunAndOfAnArea() {
        const auto drawn = picture(20, false);
        const CommandTrace& trace = drawn->trace();
        const CommandSummary all = summarizeCommands(*drawn, 0, trace.timing.ticks);
        QCOMPARE(all.issued, std::int64_t(trace.commands.size()));
        QCOMPARE(all.commands.front().command, int(kMacAb));
        QCOMPARE(all.commands.front().count, std::int64_t(320));
        for (const CommandSummary::Wait& wait : all.waits)
            QCOMPARE(wait.stretches.ticks, trace.timing.waited[std::size_t(wait.reason)]);
        QCOMPARE(all.columnBus, 320.0 / double(trace.timing.ticks));
        QCOMPARE(all.dataBus, 0.0);
        // Parts add up to the whole, wherever they are cut.
        for (const DramTick cut : {1, 7, 12, 83, 500, 1391}) {
            std::int64_t issued = 0;
            DramTick waited = 0, ofAll = 0;
            for (const CommandSummary& part :
                 {summarizeCommands(*drawn, 0, cut), summarizeCommands(*drawn, cut, trace.timing.ticks)}) {
                issued += part.issued;
                for (const CommandSummary::Wait& wait : part.waits)
                    waited += wait.stretches.ticks;
            }
            for (const CommandSummary::Wait& wait : all.waits)
                ofAll += wait.stretches.ticks;
            QCOMPARE(issued, all.issued);
            QCOMPARE(waited, ofAll);
        }
    }

    void rowsFoldUnderTheirHeading() {
        auto view = viewOf(picture());
        TimelineCanvas& canvas = *view->canvas();
        const Timeline& line = *canvas.timeline();
        const std::size_t head = trackNamed(line, "PC0 BG1"), bank = trackNamed(line, "bank 2");
        QVERIFY(canvas.trackRect(bank).isNull());
        QVERIFY(!canvas.trackRect(head).isNull());
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, QPoint(12, int(canvas.trackRect(head).center().y())));
        QVERIFY(!canvas.trackRect(bank).isNull());
        QVERIFY(canvas.trackRect(trackNamed(line, "bank 0")).isNull());
        QVERIFY(canvas.trackRect(bank).top() > canvas.trackRect(head).top());
        QTest::keyClick(&canvas, Qt::Key_E); // some are folded: none is
        QVERIFY(!canvas.trackRect(trackNamed(line, "bank 0")).isNull());
        QTest::keyClick(&canvas, Qt::Key_E);
        QVERIFY(canvas.trackRect(bank).isNull());
    }

    void aCommandOfManyBanksIsMarkedInAllOfThem() {
        auto view = viewOf(picture());
        TimelineCanvas& canvas = *view->canvas();
        canvas.setAllFolded(false);
        const Timeline& line = *canvas.timeline();
        const auto macs = spansOf(line, trackNamed(line, "bank 1"), true);
        canvas.setCurrentSpan(macs[1]); // after the write
        // The lane, 8 banks, 4 headings.
        QCOMPARE(canvas.spanRects(macs[1]).size(), std::size_t(13));
        QVERIFY2(view->status()->text().contains(QStringLiteral("all banks")),
                 qPrintable(view->status()->text()));
        QVERIFY2(view->status()->text().contains(QStringLiteral("column 0")),
                 qPrintable(view->status()->text()));
        QVERIFY2(view->status()->text().contains(QStringLiteral("ACTAB -> MACAB 10 (nRCD)")),
                 qPrintable(view->status()->text()));
    }

    void tipsSayWhatWasWaitedFor() {
        auto view = viewOf(picture(20, false));
        TimelineCanvas& canvas = *view->canvas();
        canvas.setWindow(0, 40);
        const Timeline& line = *canvas.timeline();
        const QRectF waits = canvas.trackRect(trackNamed(line, "waiting"));
        const QString tip = canvas.tipAt({canvas.xOf(5), waits.center().y()});
        QVERIFY2(tip.contains(QStringLiteral("9 ticks (9 ns): ACTAB -&gt; MACAB 10 (nRCD)")),
                 qPrintable(tip));
        // In a bank: above the row that is open, below the command.
        canvas.setAllFolded(false);
        const QRectF bank = canvas.trackRect(trackNamed(line, "bank 3"));
        QVERIFY(canvas.tipAt({canvas.xOf(10.5), bank.top() + 2}).contains(QStringLiteral("row open")));
        QVERIFY(canvas.tipAt({canvas.xOf(10.5), bank.bottom() - 2}).contains(QStringLiteral("MACAB")));
        QVERIFY(canvas.tipAt({canvas.xOf(12.5), bank.bottom() - 2}).contains(QStringLiteral("row open")));
    }

    void pixelsOfAnOpenRowAndOfItsCommands() {
        auto view = viewOf(picture(20, false));
        TimelineCanvas& canvas = *view->canvas();
        canvas.setAllFolded(false);
        canvas.setWindow(0, 40);
        const Timeline& line = *canvas.timeline();
        const QImage image = canvas.grab().toImage();
        const QRectF bank = canvas.trackRect(trackNamed(line, "bank 3"));
        const auto at = [&](double ns, double y) { return image.pixelColor(int(canvas.xOf(ns)), int(y)); };
        const QColor open =
            canvas.kindColor(line.spans[spansOf(line, trackNamed(line, "bank 3"), false)[0]].kind);
        QVERIFY(near(at(10.5, bank.top() + 2), open));
        QVERIFY(near(at(10.5, bank.bottom() - 3), canvas.kindColor(kMacAb)));
        QVERIFY(near(at(12.5, bank.bottom() - 3), open));
    }

    void keysGoAlongRowsAndToRefreshes() {
        auto view = viewOf(picture());
        TimelineCanvas& canvas = *view->canvas();
        canvas.setFocus();
        QTest::keyClick(&canvas, Qt::Key_N);
        QVERIFY(canvas.currentSpan());
        QVERIFY(view->status()->text().contains(QStringLiteral("refreshing")));
        QTest::keyClick(&canvas, Qt::Key_Down);
        QVERIFY2(view->status()->text().contains(QStringLiteral("row commands")),
                 qPrintable(view->status()->text()));
        QTest::keyClick(&canvas, Qt::Key_Down); // the lane of columns has no spans but those of sets of banks
        QVERIFY2(view->status()->text().contains(QStringLiteral("column")),
                 qPrintable(view->status()->text()));
        for (int i = 0; i < 6; ++i) // data bus, then the headings
            QTest::keyClick(&canvas, Qt::Key_Down);
        QVERIFY2(view->status()->text().contains(QStringLiteral("row open")),
                 qPrintable(view->status()->text()));
    }

    void titleTellsDeviceControllerAndChannels() {
        auto view = viewOf(picture());
        const QString title = view->title()->text();
        for (const char* part :
             {"strict on sample-pim", "1 of 80 equal channels", "ticks", "commands", "refresh"})
            QVERIFY2(title.contains(QLatin1String(part)), qPrintable(title));
        view->findChildren<QToolButton*>().first()->setChecked(false);
        QVERIFY(view->title()->toolTip().contains(QStringLiteral("compute")));
        auto trace = std::make_shared<CommandTrace>(*sampleCommands(4));
        trace->truncated = true;
        view->setPicture(*CommandPicture::draw(trace));
        QVERIFY2(view->title()->text().contains(QStringLiteral("first 78 commands only")),
                 qPrintable(view->title()->text()));
    }

    // ---- modes
    void modesAreToldFromTheCommands() {
        const auto drawn = picture(20, true);
        QVERIFY(drawn);
        const Timeline& line = drawn->timeline();
        QCOMPARE(line.tracks[CommandPicture::kModeTrack].name, std::string("mode"));
        // Two rows written by the host, then all banks compute to the end; opening the row belongs to computing.
        const std::size_t first = line.firstSpan[CommandPicture::kModeTrack];
        QCOMPARE(line.firstSpan[CommandPicture::kModeTrack + 1] - first, std::size_t(2));
        const TimelineSpan &host = line.spans[first], &pim = line.spans[first + 1];
        QCOMPARE(int(host.kind), drawn->kindOfMode(ChannelMode::Host));
        QCOMPARE(int(pim.kind), drawn->kindOfMode(ChannelMode::AllBanks));
        QCOMPARE(drawn->tickOf(host.startNs), DramTick(0));
        const auto& commands = drawn->trace().commands;
        const auto lastWrite = std::find_if(commands.rbegin(), commands.rend(),
                                            [](const SequencedCommand& c) { return c.command == kWr; });
        const auto close = lastWrite.base(); // the precharge after it prepares what comes
        QCOMPARE(drawn->tickOf(pim.startNs), close->tick);
        QCOMPARE(drawn->tickOf(pim.startNs + double(pim.durationNs)), drawn->trace().timing.ticks);
    }

    void switchesAndSingleBanksAreModes() {
        // The same commands, but computing bank by bank first, between two phases that switch.
        auto trace = std::make_shared<CommandTrace>(*test::sampleCommands(2, false));
        for (SequencedCommand& command : trace->commands) {
            if (command.row == 0 || command.phase > 0)
                continue;
            if (command.command == kMacAb && command.tick < 42)
                command.command = kMacEven;
        }
        trace->device.commands[kMacEven].repeatedOver = -1; // one bank
        trace->device.commands[kPreA].switchesMode = true;
        const auto drawn = CommandPicture::draw(trace);
        QVERIFY(drawn);
        const CommandSummary all = summarizeCommands(**drawn, 0, trace->timing.ticks);
        QCOMPARE(all.modes.size(), std::size_t(3));
        QCOMPARE(all.modes[0].mode, ChannelMode::OneBank);
        QCOMPARE(all.modes[1].mode, ChannelMode::AllBanks);
        QCOMPARE(all.modes[2].mode, ChannelMode::Switching);
        DramTick sum = 0;
        std::int64_t issued = 0;
        for (const CommandSummary::Mode& mode : all.modes) {
            sum += mode.stretches.ticks;
            issued += mode.commands;
            QVERIFY(mode.stretches.median <= mode.stretches.p95);
            QVERIFY(double(mode.stretches.p95) <= double(mode.stretches.ticks));
        }
        QCOMPARE(sum, trace->timing.ticks); // the parts are the whole
        QCOMPARE(issued, std::int64_t(trace->commands.size()));
        QCOMPARE(all.modes[2].stretches.count, std::int64_t(2));
    }

    void areaGivesAModeTableToo() {
        auto view = viewOf(picture(20, true));
        const QString whole = view->modesTable()->text(TableView::Format::Csv, false);
        QVERIFY2(
            whole.startsWith(QStringLiteral("mode,count,ticks,share,mean_ticks,p50_ticks,p95_ticks,commands\n"
                                            "host access,1,")),
            qPrintable(whole));
        const double end = view->canvas()->timeline()->endNs;
        view->canvas()->setArea(TimelineArea{end / 2, end / 2 + 100, 0, 4});
        QCOMPARE(view->modesTable()->model()->rowCount(), 1);
        QCOMPARE(view->modesTable()->model()->index(0, 0).data().toString(),
                 QStringLiteral("PIM, all banks"));
        QCOMPARE(view->modesTable()->model()->index(0, 2).data(Qt::EditRole).toInt(), 100);
        QCOMPARE(view->modesTable()->model()->index(0, 3).data(Qt::EditRole).toDouble(), 1.0);
        QVERIFY(view->noteLine()->isVisible());
    }

    void lanesCanBePinnedAndStayFolded() {
        auto view = viewOf(picture(20, true));
        TimelineCanvas& canvas = *view->canvas();
        const std::size_t head = trackNamed(*canvas.timeline(), "PC0 BG1"),
                          bank = trackNamed(*canvas.timeline(), "bank 2");
        canvas.setPinned(head, true);
        QCOMPARE(canvas.trackRect(head).top(), canvas.lanesRect().top());
        QVERIFY(canvas.trackRect(bank).isNull()); // still folded under it
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, QPoint(22, int(canvas.trackRect(head).center().y())));
        QVERIFY(!canvas.trackRect(bank).isNull());
        view->setPicture(picture(10, true)); // another run
        QVERIFY(canvas.isPinned(head));
        QVERIFY(!canvas.trackRect(bank).isNull());
        QVERIFY(canvas.trackRect(trackNamed(*canvas.timeline(), "bank 0")).isNull());
        view->laneFilter()->setText(QStringLiteral("bank 0"));
        QVERIFY(!canvas.trackRect(trackNamed(*canvas.timeline(), "bank 0")).isNull()); // found though folded
    }

    void aStretchIsShownWhenItsCommandsCome() {
        auto view = viewOf(nullptr);
        view->showStretch(QStringLiteral("fc1"), 100, 180);
        view->setPicture(picture(20, true));
        QVERIFY(view->canvas()->area().has_value());
        QCOMPARE(view->canvas()->area()->fromNs, 100.0);
        QVERIFY(view->canvas()->toNs() < 300);
        view->canvas()->setArea({});
        view->showStretch(QStringLiteral("another op"), 0, 10); // waits for the commands of that one
        QVERIFY(!view->canvas()->area());
    }

    void areaLimitsTheTables() {
        auto view = viewOf(picture(20, false));
        QCOMPARE(view->countsTable()->model()->index(0, 1).data(Qt::EditRole).toInt(), 320);
        view->canvas()->setArea(TimelineArea{0, 82, 0, 4}); // the first row
        QCOMPARE(view->countsTable()->model()->index(0, 1).data(Qt::EditRole).toInt(), 16);
        const QString waits = view->waitsTable()->text(TableView::Format::Csv, false);
        QVERIFY2(waits.startsWith(QStringLiteral(
                     "reason,ticks,share,count,mean_ticks,p50_ticks,p95_ticks\nMACAB -> MACAB 4,45,")),
                 qPrintable(waits));
        QVERIFY(view->areaTitle()->text().contains(QStringLiteral("82 ticks")));
        view->canvas()->setArea({});
        QVERIFY(view->areaTitle()->text().contains(QStringLiteral("Whole run")));
        QCOMPARE(view->countsTable()->model()->index(0, 1).data(Qt::EditRole).toInt(), 320);
    }

    void banksAndBuses() {
        const auto drawn = picture();
        auto view = viewOf(drawn);
        QAbstractItemModel* banks = view->banksTable()->model();
        QAbstractItemModelTester tester(banks);
        QCOMPARE(banks->rowCount(), 8);
        QCOMPARE(banks->index(1, 2).data(Qt::EditRole).toInt(), 21);
        QCOMPARE(banks->index(0, 2).data(Qt::EditRole).toInt(), 20);
        banks->sort(2, Qt::DescendingOrder);
        QCOMPARE(banks->index(0, 2).data(Qt::EditRole).toInt(), 21);
        const QCustomPlot& plot = *view->busPlot();
        QCOMPARE(plot.graphCount(), 3);
        QCOMPARE(plot.graph(0)->dataCount(), CommandPicture::kSlices);
        for (int i = 0; i < CommandPicture::kSlices; ++i)
            QVERIFY(plot.graph(0)->dataMainValue(i) >= 0 && plot.graph(0)->dataMainValue(i) <= 100);
    }

    void choosesOps() {
        auto view = viewOf(picture());
        view->setOps({{OpId(3), QStringLiteral("fc1")}, {OpId(5), QStringLiteral("fc2")}});
        view->setSelectedOp(OpId(5));
        QCOMPARE(view->opBox()->currentText(), QStringLiteral("fc2"));
        QSignalSpy chosen(view.get(), &CommandsView::opChosen);
        view->opBox()->setFocus();
        QTest::keyClick(view->opBox(), Qt::Key_Up);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen[0][0].value<OpId>(), OpId(3));
    }

    void nothingToShow() {
        auto view = viewOf(nullptr);
        QVERIFY(view->title()->text().isEmpty());
        view->setEmptyText(QStringLiteral("No commands"), QStringLiteral("because"));
        view->grab();
        view->setPicture(picture());
        view->setPicture(nullptr);
        QCOMPARE(view->countsTable()->model()->rowCount(), 0);
        view->grab();
    }

    void picturesAtTwoSizesInTwoThemes() {
        const QString folder = qEnvironmentVariable("PIM_SCREENSHOT_DIR");
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            applyTheme(theme);
            for (const QSize size : {QSize(860, 330), QSize(1600, 700)}) {
                auto view = viewOf(picture(300), size);
                view->canvas()->setWindow(0, 4000);
                for (int tab = 0; tab < view->tabs()->count(); ++tab) {
                    view->tabs()->setCurrentIndex(tab);
                    const QPixmap shot = view->grab();
                    QCOMPARE(shot.size(), size);
                    if (!folder.isEmpty())
                        shot.save(QStringLiteral("%1/commands-%2-%3-%4.png")
                                      .arg(folder, theme == Theme::Dark ? QStringLiteral("dark")
                                                                        : QStringLiteral("light"))
                                      .arg(size.width())
                                      .arg(tab));
                }
            }
        }
        applyTheme(Theme::Light);
    }
};

QTEST_MAIN(TestViewsCommands)
#include "tst_views_commands.moc"
