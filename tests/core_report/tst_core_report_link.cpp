// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// pim:// links: what is written is read back, what is broken is refused in words, and reports carry them.
#include <QTest>
#include <string>

#include "core/report/content.h"
#include "core/report/html_writer.h"
#include "core/report/link.h"
#include "core/report/pdf_writer.h"
#include "tests/core_project/sample_plan.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <random>

using namespace pim;
using namespace pim::report;

namespace {

ReportInput storedRun(const std::shared_ptr<Plan>& plan) {
    ReportInput input;
    input.plan = plan;
    input.projectFile = "/home/me/it's a project #1.pimproj";
    input.runId = 7;
    RunInfo run;
    run.id = 7;
    input.runs = {run};
    return input;
}

std::vector<RunLink> linksIn(const std::string& html) {
    std::vector<RunLink> found;
    QXmlStreamReader reader(QString::fromStdString(html));
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("a"))
            if (const std::string href = reader.attributes().value("href").toString().toStdString();
                isLink(href)) {
                const auto link = parseLink(href);
                if (!link)
                    return {};
                found.push_back(*link);
            }
    return found;
}

} // namespace

class TestLink : public QObject {
    Q_OBJECT
private slots:
    void readsBackWhatItWrites_data() {
        QTest::addColumn<QString>("project");
        QTest::addColumn<qint64>("run");
        QTest::addColumn<QString>("op");
        QTest::addColumn<QString>("draft");
        QTest::addColumn<QString>("text");
        const QString none;
        QTest::newRow("project") << "/p/a.pimproj" << qint64(0) << none << none << "pim:///p/a.pimproj";
        QTest::newRow("run") << "/p/a.pimproj" << qint64(12) << none << none << "pim:///p/a.pimproj#run/12";
        QTest::newRow("relative") << "a/b.pimproj" << qint64(3) << none << none << "pim:a/b.pimproj#run/3";
        QTest::newRow("op") << "/p/a.pimproj" << qint64(1) << "/layer.0/MatMul" << none
                            << "pim:///p/a.pimproj#run/1/op/%2Flayer.0%2FMatMul";
        QTest::newRow("draft")
            << "/p/a.pimproj" << qint64(1) << "fc"
            << "[[2, 2, A0=b]] expanded"
            << "pim:///p/a.pimproj#run/1/op/fc/draft/%5B%5B2%2C%202%2C%20A0%3Db%5D%5D%20expanded";
        QTest::newRow("odd path") << "/my p/50%#?é.pimproj" << qint64(1) << "層" << none
                                  << "pim:///my%20p/50%25%23%3F%C3%A9.pimproj#run/1/op/%E5%B1%A4";
        QTest::newRow("largest run") << "/p/a.pimproj" << std::numeric_limits<qint64>::max() << none << none
                                     << "pim:///p/a.pimproj#run/9223372036854775807";
    }
    void readsBackWhatItWrites() {
        QFETCH(QString, project);
        QFETCH(qint64, run);
        QFETCH(QString, op);
        QFETCH(QString, draft);
        QFETCH(QString, text);
        const RunLink link{project.toStdString(), run, op.toStdString(), draft.toStdString()};
        QCOMPARE(QString::fromStdString(formatLink(link)), text);
        const auto read = parseLink(text.toStdString());
        QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
        QVERIFY(*read == link);
    }

    void takesOtherSpellings() {
        QVERIFY(parseLink("PIM:///p/a.pimproj#run/1")->run == 1);
        QVERIFY(parseLink("pim://a.pimproj#run/1")->project == "a.pimproj");
        QVERIFY(parseLink("pim:/p/a.pimproj#")->project == "/p/a.pimproj");
        QVERIFY(parseLink("pim:///p/a.pimproj#run/1/op/a%2fb")->op == "a/b");
    }

    void refusesInWords_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("why");
        const auto row = [](const char* name, QByteArray text, const char* why) {
            QTest::newRow(name) << text << QString(why);
        };
        row("empty", "", "pim:");
        row("other scheme", "https://example.org/p.pimproj", "pim:");
        row("script", "javascript:alert(1)", "pim:");
        row("no project", "pim://", "no project");
        row("only a fragment", "pim:#run/1", "no project");
        row("query", "pim:///p.pimproj?vacuum=1#run/1", "?");
        row("run 0", "pim:///p.pimproj#run/0", "whole number");
        row("run negative", "pim:///p.pimproj#run/-1", "whole number");
        row("run too large", "pim:///p.pimproj#run/9223372036854775808", "whole number");
        row("run is text", "pim:///p.pimproj#run/1;DROP", "whole number");
        row("run with a blank", "pim:///p.pimproj#run/%201", "whole number");
        row("op before run", "pim:///p.pimproj#op/fc", "run/");
        row("draft without op", "pim:///p.pimproj#run/1/draft/x", "op/");
        row("unknown key", "pim:///p.pimproj#run/1/exec/rm", "op/");
        row("twice", "pim:///p.pimproj#run/1/run/2", "op/");
        row("nothing behind op", "pim:///p.pimproj#run/1/op/", "nothing behind");
        row("slash at the end", "pim:///p.pimproj#run/1/", "slash");
        row("more behind the draft", "pim:///p.pimproj#run/1/op/a/draft/b/c", "more behind");
        row("cut escape", "pim:///p.pimproj#run/1/op/a%2", "hexadecimal");
        row("wrong escape", "pim:///p.pimproj#run/1/op/a%zz", "hexadecimal");
        row("zero byte", "pim:///p%00.pimproj", "no text");
        row("raw zero byte", QByteArray("pim:///p\0.pimproj", 17), "no text");
        row("control character", "pim:///p.pimproj#run/1/op/%1b%5b2J", "no text");
        row("not UTF-8", "pim:///p.pimproj#run/1/op/%ff", "no text");
        row("overlong slash", "pim:///p.pimproj#run/1/op/%c0%af", "no text");
        row("line end in the path", "pim:///p%0Aq.pimproj", "line end");
        row("endless", "pim:///" + QByteArray(1 << 20, 'a'), "characters");
    }
    void refusesInWords() {
        QFETCH(QByteArray, text);
        QFETCH(QString, why);
        const auto link = parseLink({text.constData(), static_cast<std::size_t>(text.size())});
        QVERIFY(!link);
        QCOMPARE(link.error().code, ErrorCode::Usage);
        QVERIFY2(QString::fromStdString(link.error().text()).contains(why), link.error().text().c_str());
        QVERIFY(link.error().text().size() < 400);
    }

    void anyNameSurvives() {
        std::mt19937 random(5);
        for (int i = 0; i < 2000; ++i) {
            RunLink link{"/p/a.pimproj", 1 + static_cast<std::int64_t>(random() % 1000), {}, {}};
            for (std::string* text : {&link.op, &link.draft})
                for (unsigned length = 1 + random() % 30; length > 0; --length)
                    *text += static_cast<char>(' ' + random() % 95);
            const auto read = parseLink(formatLink(link));
            QVERIFY2(read && *read == link, formatLink(link).c_str());
        }
    }

    void everyRowOfAReportLeadsBack() {
        const auto plan = sample::plan(12);
        const std::string html = htmlText(reportDocument(storedRun(plan)));
        const auto links = linksIn(html);
        QVERIFY(!links.empty());
        std::size_t runs = 0, ops = 0, drafts = 0;
        for (const RunLink& link : links) {
            QCOMPARE(QString::fromStdString(link.project.string()),
                     QStringLiteral("/home/me/it's a project #1.pimproj"));
            QCOMPARE(link.run, 7);
            runs += link.op.empty();
            ops += !link.op.empty() && link.draft.empty();
            drafts += !link.draft.empty();
            if (link.op.empty())
                continue;
            const OpId op = plan->graph->findOp(link.op);
            QVERIFY2(op.valid(), link.op.c_str());
            if (!link.draft.empty()) {
                const auto draft = plan->opPlan(op).space->draftFromText(link.draft);
                QVERIFY2(draft && *draft == *plan->opPlan(op).draft, link.draft.c_str());
            }
        }
        std::size_t priced = 0, onPim = 0;
        for (const OpPlan& op : plan->ops) {
            priced += op.cost.totalNs() > 0;
            onPim += !op.onHost();
        }
        QVERIFY(runs >= 3);        // headline, time of one run, its row of the history
        QCOMPARE(ops, 2 * priced); // name and time
        QCOMPARE(drafts, onPim);
    }

    void pdfCarriesTheSameLinks() {
        const auto plan = sample::plan(12);
        const auto pdf = pdfBytes(reportDocument(storedRun(plan)));
        QVERIFY(pdf.has_value());
        for (const RunLink& link : linksIn(htmlText(reportDocument(storedRun(plan)))))
            QVERIFY2(pdf->find("(" + formatLink(link) + ")") != std::string::npos, formatLink(link).c_str());
        const QString tool = QStandardPaths::findExecutable("pdftohtml");
        if (tool.isEmpty())
            QSKIP("pdftohtml (poppler-utils) is not installed");
        const QTemporaryDir folder;
        QFile file(folder.filePath("r.pdf"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(pdf->data(), static_cast<qint64>(pdf->size()));
        file.close();
        QProcess process;
        process.start(tool, {"-xml", "-i", "-stdout", file.fileName()});
        QVERIFY(process.waitForFinished(30000));
        QVERIFY(process.readAllStandardOutput().contains(
            "href=\"pim:///home/me/it%27s%20a%20project%20%231.pimproj#run/7"));
    }

    void whatIsNoRunHasNoLinks() {
        ReportInput input = storedRun(sample::plan(12));
        input.runId = 0;
        QVERIFY(linksIn(htmlText(reportDocument(input))).empty());
        input = storedRun(sample::plan(12));
        input.projectFile.clear();
        QVERIFY(linksIn(htmlText(reportDocument(input))).empty());
    }
};

QTEST_GUILESS_MAIN(TestLink)
#include "tst_core_report_link.moc"
