// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_text.h"
#include "core/compile/what_if.h"
#include "core/report/clean_text.h"
#include "core/report/content.h"
#include "core/report/html_writer.h"
#include "core/report/pdf_writer.h"
#include "core/report/report.h"
#include "tests/core_project/sample_plan.h"
#include "tests/support/two_devices.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace pim;
using namespace pim::report;

namespace {

ReportInput inputFor(const std::shared_ptr<Plan>& plan) {
    ReportInput input;
    input.plan = plan;
    input.bindings = "batch=4,past=1";
    input.projectFile = "/projects/chain.pimproj";
    for (std::int64_t id : {3, 2, 1}) {
        RunInfo run;
        run.id = id;
        run.variant = "main";
        run.modelName = "chain";
        run.modelHash = id == 1 ? "other" : plan->graph->source.structureHash;
        run.targetId = plan->target->id;
        run.host = plan->target->host.id;
        run.startedUtc = "2026-01-0" + std::to_string(id) + "T12:00:00Z";
        run.totalNs = plan->total.totalNs() * (4.0 - static_cast<double>(id));
        run.hostOnlyNs = plan->hostOnlyNs;
        run.note = id == 2 ? "before the merge was fixed" : "";
        input.runs.push_back(run);
    }
    input.runId = 3;
    input.explorations = {sample::exploration(*plan, 0, 4000)};
    return input;
}

QByteArray readAll(const QString& file) {
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

/// Text of a PDF as a reader would select it; empty where the tool is not installed.
QString pdfText(const QString& file) {
    const QString tool = QStandardPaths::findExecutable("pdftotext");
    if (tool.isEmpty())
        return {};
    QProcess process;
    process.start(tool, {"-layout", file, "-"});
    process.waitForFinished(30000);
    return QString::fromUtf8(process.readAllStandardOutput());
}

} // namespace

class TestDocument : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString html(const ReportInput& input) { return QString::fromStdString(htmlText(reportDocument(input))); }

private slots:
    void htmlIsWellFormedAndFetchesNothing() {
        const auto plan = sample::plan(60);
        const QString text = html(inputFor(plan));
        QXmlStreamReader reader(text);
        QStringList ids, headings;
        int pictures = 0, tables = 0;
        while (!reader.atEnd()) {
            if (reader.readNext() != QXmlStreamReader::StartElement)
                continue;
            const QString element = reader.name().toString();
            QVERIFY2(!QStringList({"script", "iframe", "img", "link", "object", "embed", "image", "use"})
                          .contains(element),
                     qPrintable(element));
            for (const QXmlStreamAttribute& attribute : reader.attributes()) {
                const QString name = attribute.name().toString(), value = attribute.value().toString();
                QVERIFY2(name != "src" && name != "srcset" && !name.startsWith("on"), qPrintable(name));
                if (name == "href") // within the page, or back into the program; never into the network
                    QVERIFY2(value.startsWith('#') || value.startsWith("pim:///"), qPrintable(value));
                if (name == "id") {
                    QVERIFY2(!ids.contains(value), qPrintable(value));
                    ids << value;
                }
            }
            pictures += element == "svg" && reader.attributes().value("role") == QLatin1String("img");
            tables += element == "table";
            if (element == "h2")
                headings << reader.readElementText();
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QCOMPARE(pictures, 4);
        QVERIFY(tables >= 8);
        QVERIFY(!text.contains("url(http") && !text.contains("@import"));
        for (const char* wanted : {"Where the time goes", "Most expensive ops", "Placement",
                                   "Decisions by hand", "Data loaded before the run", "Drafts considered",
                                   "History and comparison", "Model", "Target", "Provenance"})
            QVERIFY2(headings.contains(QString(wanted)), wanted);
    }

    void everyFigureHasAUnitAndSaysItIsPredicted() {
        const Document document = reportDocument(inputFor(sample::plan(60)));
        // A number cell is a number and a unit, a word, or "value (other value)".
        static const QRegularExpression plainNumber(QStringLiteral("^[-0-9.,\u2009 ]+$"));
        int cells = 0;
        const auto check = [&](const Block& block) {
            const auto* table = std::get_if<Table>(&block);
            if (!table)
                return;
            for (const auto& row : table->rows) {
                QCOMPARE(row.size(), table->columns.size());
                for (std::size_t i = 0; i < row.size(); ++i) {
                    if (table->columns[i].kind != Column::Kind::Number || row[i].empty() ||
                        table->columns[i].title == "Value" || table->columns[i].title == "Count" ||
                        table->columns[i].title == "In all")
                        continue;
                    ++cells;
                    QVERIFY2(!plainNumber.match(QString::fromStdString(row[i])).hasMatch(),
                             (table->caption + ": " + row[i]).c_str());
                }
            }
            for (const Column& column : table->columns)
                if (column.title == "Time" && table->caption.find("compiling") == std::string::npos &&
                    table->caption.find("Runs") == std::string::npos)
                    QVERIFY2(table->caption.find("predicted") != std::string::npos, table->caption.c_str());
        };
        for (const Section& section : document.sections)
            for (const Block& block : section.blocks) {
                check(block);
                if (const auto* chart = std::get_if<Drawing>(&block))
                    QVERIFY2(chart->title.find("predicted") != std::string::npos, chart->title.c_str());
            }
        QVERIFY(cells > 100);
        QVERIFY(document.eyebrow.find("predicted") != std::string::npos);
        for (const Block& block : document.summary)
            if (const auto* keys = std::get_if<KeyNumbers>(&block))
                for (const KeyNumber& number : keys->numbers)
                    QVERIFY(number.value.find_first_not_of("0123456789.") != std::string::npos);
    }

    void tellsFasterSlowerAndEqual() {
        const auto plan = sample::plan(12);
        const auto headline = [&] {
            return reportDocument({.plan = plan,
                                   .runs = {},
                                   .runId = 0,
                                   .projectFile = {},
                                   .bindings = {},
                                   .options = {},
                                   .explorations = {}})
                .headline;
        };
        plan->hostOnlyNs = 3.2 * plan->total.totalNs();
        QVERIFY2(headline().starts_with("chain runs 3.20× faster on "), headline().c_str());
        plan->hostOnlyNs = plan->total.totalNs() / 2;
        QVERIFY2(headline().starts_with("chain runs 2.00× slower on "), headline().c_str());
        plan->hostOnlyNs = plan->total.totalNs();
        QVERIFY2(headline().starts_with("chain takes as long on "), headline().c_str());
    }

    void showsOverridesHistoryAndHowToRepeatIt() {
        const auto plan = sample::plan(12);
        plan->overrides.set({plan->graph->ops[0].name, "placement", "host"});
        auto graph = std::make_shared<Graph>(*plan->graph);
        graph->source.path = "/my models/it's.onnx";
        plan->graph = graph;
        const QString text = html(inputFor(plan));
        QVERIFY(text.contains(
            "pimc compile '/my models/it'\\''s.onnx' --target attacc --bind batch=4 "
            "--no-pass fuse_gelu --pass fuse_attention:mask=none --verify 0 --override overrides.json"));
        QVERIFY(text.contains("with this as overrides.json"));
        ReportInput chosen = inputFor(plan);
        chosen.options.family["crossbar"]["mode"] = "ll";
        chosen.options.seed = 7;
        chosen.options.verifyDrafts = 8; // as the command line does by itself
        QVERIFY(html(chosen).contains("--crossbar mode=ll --seed 7 --override overrides.json"));
        QVERIFY(text.contains("2.00× faster")); // run 2 took twice as long
        QVERIFY(text.contains("other model"));  // run 1 is not compared
        QVERIFY(text.contains("this one"));
        QVERIFY(text.contains("before the merge was fixed"));
        QVERIFY(text.contains("PIM units have no operation for NonZero"));
    }

    /// One memory that never rests among arrays that mostly do.
    void saysWhatLimitsTheSimulatedRun() {
        const auto plan = sample::plan(6);
        ReportInput input = inputFor(plan);
        QVERIFY(!html(input).contains("The critical path"));
        auto simulation = std::make_shared<Simulation>();
        simulation->totalNs = 1000;
        Timeline& line = simulation->timeline;
        line.kinds = {{"compute", SpanRole::Compute}, {"transfer", SpanRole::Transfer}};
        line.tracks = {{"array 0", "arrays"}, {"array 1", "arrays"}, {"global memory", "memories"}};
        line.labels = {"", "conv <1>", "conv2"};
        line.labelOps = {-1, 0, 1};
        line.spans = {{600, 100, 0, 0, 0xffff, 1}, {700, 300, 1, 0, 0xffff, 2}, {0, 700, 2, 1, 0xffff, 1}};
        line.finish();
        input.simulation = simulation;
        const QString text = html(input);
        for (const char* wanted :
             {"The time is set by global memory: busy 70 % of the run, and on 70 % of the longest chain of "
              "work; "
              "the largest part "
              "of the chain is conv &lt;1&gt;, 70 %.",
              "Resources of the run", "The critical path by its work", "memories", "30.0 %",
              "time of the run simulated, its parts predicted"})
            QVERIFY2(text.contains(QString::fromUtf8(wanted)), wanted);
        // What was simulated leads, the prediction stands beside it.
        const double predictedNs = plan->total.totalNs();
        const std::string beside =
            "simulated, " + ratioText(1000 / predictedNs) + " the " + timeText(predictedNs) + " predicted";
        QVERIFY2(text.contains(QString::fromStdString(beside)), beside.c_str());
        QVERIFY(!text.contains("What would help"));

        WhatIf help{.totalNs = 1000, .boundNs = 700, .boundBy = "global memory", .rows = {}};
        help.rows.resize(2);
        help.rows[0].resource = "global memory";
        help.rows[0].changes = {{{"/levels/0/memories/0/bandwidth", {}}, "GB/s", 64, 128}};
        help.rows[0].twiceNs = 650;
        help.rows[0].fastestNs = 350;
        help.rows[0].fastestFactor = 1000;
        help.rows[1].resource = "<arrays>";
        help.rows[1].way = SpeedUp::Way::Many;
        help.rows[1].problem = "cannot be doubled: there is no room";
        input.help = std::make_shared<const WhatIf>(help);
        const QString helped = html(input);
        for (const char* wanted : {"What would help", "Against 1.000 µs as it is", "650 ns", "-35.0 %",
                                   "350 ns", "1000", "/levels/0/memories/0/bandwidth 64 → 128 GB/s",
                                   "&lt;arrays&gt;", "many", "cannot be doubled: there is no room",
                                   "takes less than 700 ns: global memory is busy that long"})
            QVERIFY2(helped.contains(QString::fromUtf8(wanted)), wanted);
    }

    void notesArePrintedInBothForms() {
        const auto plan = sample::plan(6);
        ReportInput input = inputFor(plan);
        QVERIFY(!html(input).contains("<h2>Notes"));
        const std::string op = plan->graph->ops[2].name;
        input.notes = {{1, op, {}, 0, 0, "why <this> & not that?"},
                       {2, {}, "network", 12'500, 14'000, "the bus is full here"},
                       {4, op, "commands/" + op, 250, 250, "refresh"}};
        const QString text = html(input);
        for (const char* wanted :
             {"why &lt;this&gt; &amp; not that?", "the simulated run, 12.50 µs to 14.00 µs",
              "the bus is full here", "its commands, at 250 ns", "refresh"})
            QVERIFY2(text.contains(QString::fromUtf8(wanted)), wanted);
        const qsizetype section = text.indexOf("the bus is full here");
        // the op can be gone to
        QVERIFY(text.lastIndexOf("pim:///", section) > text.lastIndexOf("<h2", section));
        const QString file = m_folder.filePath("notes.pdf");
        QVERIFY(writePdfReport(input, file.toStdString()));
        const QString printed = pdfText(file);
        if (printed.isEmpty())
            QSKIP("pdftotext is not installed");
        QVERIFY2(printed.contains("the bus is full here") && printed.contains("why <this> & not that?"),
                 qPrintable(printed));
    }

    void survivesNamesThatAreNoText() {
        const auto plan = sample::plan(8);
        auto graph = std::make_shared<Graph>(*plan->graph);
        graph->ops[0].name = "<script>alert(\"x\")</script>&\x01\xff\xc3(";
        graph->ops[1].name = std::string(5000, 'x');
        graph->ops[2].name = "層/畳み込み/Conv";
        graph->ops[3].name = "";
        graph->source.path = "/models/]]>\xed\xa0\x80.onnx";
        plan->graph = graph;
        const QString text = html(inputFor(plan));
        QVERIFY(!text.contains("<script>"));
        QXmlStreamReader reader(text);
        while (!reader.atEnd())
            reader.readNext();
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        const auto pdf = pdfBytes(reportDocument(inputFor(plan)));
        QVERIFY2(pdf.has_value(), pdf ? "" : pdf.error().text().c_str());
    }

    /// A heading that is longer than a line goes over two, within the page.
    void longHeadingsStayOnThePage() {
        Document document;
        document.headline = "Long";
        std::string title;
        for (int i = 0; i < 40; ++i)
            title += QString("heading%1 ").arg(i).toStdString();
        document.sections.push_back({title, {Paragraph{"words", Paragraph::Style::Normal}}});
        const QString file = m_folder.filePath("long.pdf");
        const auto pdf = pdfBytes(document);
        QVERIFY(pdf);
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly) && out.write(pdf->data(), qint64(pdf->size())) > 0);
        out.close();
        const QString tool = QStandardPaths::findExecutable("pdftotext");
        if (tool.isEmpty())
            QSKIP("pdftotext (poppler-utils) is not installed");
        QProcess process;
        process.start(tool, {"-bbox", file, "-"});
        QVERIFY(process.waitForFinished(30000));
        const QString boxes = QString::fromUtf8(process.readAllStandardOutput());
        const auto width = QRegularExpression("<page width=\"([0-9.]+)\"").match(boxes);
        QVERIFY2(width.hasMatch(), qPrintable(boxes));
        int seen = 0;
        for (auto word = QRegularExpression("xMax=\"([0-9.]+)\"[^>]*>heading").globalMatch(boxes);
             word.hasNext(); ++seen)
            QVERIFY(word.next().captured(1).toDouble() < width.captured(1).toDouble() - 20);
        QCOMPARE(seen, 40);
    }

    /// Letters that join, run from right to left or are wide: read back as a reader selects them, drawn with our fonts alone.
    void pdfShapesAllScripts() {
        const auto plan = sample::plan(8);
        auto graph = std::make_shared<Graph>(*plan->graph);
        const std::array names{"στρώμα/συνέλιξη", "卷积层/畳み込み/합성곱", "طبقة_تجميع", "слой/свёртка",
                               "e\xcc\x81tage"};
        for (std::size_t i = 0; i < names.size(); ++i)
            graph->ops[i].name = names[i];
        plan->graph = graph;
        const QString file = m_folder.filePath("scripts.pdf");
        QVERIFY(writePdfReport(inputFor(plan), file.toStdString()));
        const auto again = pdfBytes(reportDocument(inputFor(plan)));
        QVERIFY(again && QByteArray::fromStdString(*again) == readAll(file));
        QVERIFY(again->find("19700101") != std::string::npos); // not the time of writing
        const QString text = pdfText(file);
        if (text.isEmpty())
            QSKIP("pdftotext (poppler-utils) is not installed");
        const QString flat =
            QString(text).remove(QRegularExpression("\\s|\\p{Cf}")).normalized(QString::NormalizationForm_KC);
        for (const char* name : names) {
            const QString wanted = QString::fromUtf8(name).normalized(QString::NormalizationForm_KC);
            QString backwards = wanted;
            std::reverse(backwards.begin(), backwards.end());
            QVERIFY2(flat.contains(wanted) || flat.contains(backwards), name);
        }
        QProcess fonts;
        fonts.start("pdffonts", {file});
        fonts.waitForFinished(30000);
        const QStringList lines =
            QString::fromUtf8(fonts.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts);
        QVERIFY(lines.size() > 3);
        bool wide = false;
        for (const QString& line : lines.mid(2)) {
            QVERIFY2(line.contains("DejaVu") || line.contains("WenQuanYiMicroHei"), qPrintable(line));
            wide |= line.contains("WenQuanYiMicroHei");
        }
        QVERIFY2(wide, "fonts-wqy-microhei is not installed");
    }

    void cleansTextAsUnicodeSays_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("clean");
        QTest::newRow("plain") << QByteArray("a\tb\nc") << QByteArray("a\tb\nc");
        QTest::newRow("two, three, four bytes") << QByteArray("µ×▸😀") << QByteArray("µ×▸😀");
        QTest::newRow("control") << QByteArray("a\x1b"
                                               "b\0c",
                                               5)
                                 << QByteArray("a\uFFFD"
                                               "b\uFFFD"
                                               "c");
        QTest::newRow("overlong") << QByteArray("\xc0\xaf") << QByteArray("\uFFFD\uFFFD");
        QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << QByteArray("\uFFFD\uFFFD\uFFFD");
        QTest::newRow("cut off") << QByteArray("\xe2\x82") << QByteArray("\uFFFD\uFFFD");
        QTest::newRow("not for XML") << QByteArray("\xef\xbf\xbf") << QByteArray("\uFFFD");
    }
    void cleansTextAsUnicodeSays() {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, clean);
        QCOMPARE(QByteArray::fromStdString(cleanText(bytes.toStdString())), clean);
    }

    void pdfHasTextBookmarksAndPageNumbers() {
        const auto plan = sample::plan(60);
        const QString file = m_folder.filePath("r.pdf");
        const auto written = writePdfReport(inputFor(plan), file.toStdString());
        QVERIFY2(written.has_value(), written ? "" : written.error().text().c_str());
        const QByteArray bytes = readAll(file);
        QVERIFY(bytes.startsWith("%PDF-") && bytes.contains("/Outlines"));
        for (const char* title : {"Where the time goes", "Provenance", "Target"})
            QVERIFY2(bytes.contains("/Title (" + QByteArray(title) + ")"), title);
        const QString text = pdfText(file);
        if (text.isEmpty())
            QSKIP("pdftotext (poppler-utils) is not installed");
        const QString flat = QString(text).simplified();
        QVERIFY2(flat.contains(QString::fromStdString(reportDocument(inputFor(plan)).headline)),
                 qPrintable(flat.left(500)));
        QVERIFY(flat.contains("Page 1 of "));
        QVERIFY(flat.contains("predicted"));
        QVERIFY(flat.contains("/layer0/"));
    }

    void staysSmallAndQuickForThousandsOfOps() {
        const auto plan = sample::plan(5000);
        const ReportInput input = inputFor(plan);
        QElapsedTimer timer;
        timer.start();
        QVERIFY(writeHtmlReport(input, m_folder.filePath("big.html").toStdString()).has_value());
        const qint64 htmlMs = timer.restart();
        QVERIFY(writePdfReport(input, m_folder.filePath("big.pdf").toStdString()).has_value());
        const qint64 pdfMs = timer.elapsed();
        const QByteArray text = readAll(m_folder.filePath("big.html"));
        qInfo("5000 ops: HTML %lld KiB in %lld ms, PDF %lld KiB in %lld ms",
              static_cast<long long>(text.size() / 1024), static_cast<long long>(htmlMs),
              static_cast<long long>(readAll(m_folder.filePath("big.pdf")).size() / 1024),
              static_cast<long long>(pdfMs));
        QVERIFY(text.size() < 1 << 20);
        QVERIFY(text.contains("more ops together"));
        QVERIFY(htmlMs + pdfMs < 10000); // under 1 s in an optimised build on an idle machine
    }

    void listsMachinesPartsAndTransfers() {
        const auto plan = test::twoDevicePlan();
        ReportInput input;
        input.plan = plan;
        const Document document = reportDocument(input);
        QVERIFY2(document.headline.find("aim and hbm-pim") != std::string::npos, document.headline.c_str());
        QVERIFY(document.lead.find(plan->devices[1].target->name) != std::string::npos);
        const auto section =
            std::ranges::find(document.sections, std::string("Machines and transfers"), &Section::title);
        QVERIFY(section != document.sections.end());
        QCOMPARE(section->blocks.size(), std::size_t{3});
        using Rows = std::vector<std::vector<std::string>>;
        const auto rows = [&](std::size_t block) { return std::get<Table>(section->blocks[block]).rows; };
        const auto column = [](const Rows& from, std::size_t at) {
            std::vector<std::string> cells;
            for (const auto& row : from)
                cells.push_back(row[at]);
            return cells;
        };
        using Cells = std::vector<std::string>;
        QVERIFY(column(rows(0), 0) == Cells({"aim", "hbm-pim", "host"}));
        QVERIFY(column(rows(0), 2) == Cells({"3", "3", "2"}));
        QVERIFY(column(rows(1), 1) == Cells({"aim", "hbm-pim"}));
        QVERIFY(column(rows(1), 3) == Cells({"fc0", "fc4"}));
        QVERIFY(rows(2) == Rows({{"fc0_out", "aim", "hbm-pim", "512 B", "256 ns"},
                                 {"fc3_out", "aim", "hbm-pim", "512 B", "256 ns"},
                                 {"Total", "", "", "1.000 KiB", "512 ns"}}));
        const QString text = html(input);
        QVERIFY(text.contains("Target aim") && text.contains("Target hbm-pim"));
        QVERIFY(text.contains("no command line gives these figures again") && !text.contains("pimc compile"));
        // One machine: nothing of this.
        QVERIFY(!html(inputFor(sample::plan(10))).contains("Machines and transfers"));
    }

    void replacesTheFileOrLeavesItAlone() {
        const QString file = m_folder.filePath("kept.html");
        const auto input = inputFor(sample::plan(10));
        QVERIFY(writeHtmlReport(input, file.toStdString()).has_value());
        const QByteArray first = readAll(file);
        QVERIFY(writeHtmlReport(input, file.toStdString()).has_value());
        QCOMPARE(readAll(file), first);
        QCOMPARE(writeHtmlReport(input, m_folder.filePath("no/such/r.html").toStdString()).error().code,
                 ErrorCode::Io);
        QCOMPARE(writePdfReport(input, m_folder.path().toStdString()).error().code, ErrorCode::Io);
        QVERIFY(QDir(m_folder.path()).entryList({".*partial*"}, QDir::Files | QDir::Hidden).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestDocument)
#include "tst_core_report_document.moc"
