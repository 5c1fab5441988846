// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The line that compiles again what was compiled: whole, and no longer than it has to be.
#include <QTest>

#include <string>

#include "core/compile/command_line.h"
#include "core/drafts/draft_choice.h"

using namespace pim;

class TestCommandLine : public QObject {
    Q_OBJECT

private slots:
    void wordsOfAShell_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("word");
        QTest::newRow("plain") << "a/b_c-1.onnx"
                               << "a/b_c-1.onnx";
        QTest::newRow("option") << "mode=ll,x@2%"
                                << "mode=ll,x@2%";
        QTest::newRow("empty") << ""
                               << "''";
        QTest::newRow("blank") << "a b"
                               << "'a b'";
        QTest::newRow("quote") << "it's $HOME"
                               << "'it'\\''s $HOME'";
        QTest::newRow("letters of others") << "größe"
                                           << "'größe'";
    }
    void wordsOfAShell() {
        QFETCH(QString, text);
        QFETCH(QString, word);
        QCOMPARE(QString::fromStdString(shellWord(text.toStdString())), word);
    }

    void whatIsAsUsualIsNotSaid() {
        ModelLine line;
        line.model = "m.onnx";
        line.target = "attacc";
        line.options.verifyDrafts = kVerifiedDrafts;
        QCOMPARE(line.text(), std::string("pimc compile m.onnx --target attacc"));
        line.options.verifyDrafts = 0;
        QCOMPARE(line.text(), std::string("pimc compile m.onnx --target attacc --verify 0"));
        line.searchesDrafts = false;
        QCOMPARE(line.text(), std::string("pimc compile m.onnx --target attacc"));
    }

    void everythingElseIs() {
        ModelLine line;
        line.verb = "explore";
        line.model = "my model.onnx";
        line.target = "isaac";
        line.host = "a100";
        line.bindings = {{"batch", 4}, {"past len", 2}};
        line.disabledPasses = {"fold", "fuse_attention"};
        line.passOptions["fuse_gelu"]["form"] = "erf";
        CompileOptions& options = line.options;
        options.computeType = DataType::BF16;
        options.convAsGemm = false;
        options.overlapHostTransfer = true;
        options.groupCommands = false;
        options.mapping = MappingChoice::Fixed;
        options.passes.leftOut = {"reorder"};
        options.verifyDrafts = 3;
        options.seed = 7;
        QCOMPARE(
            line.text(),
            std::string("pimc explore 'my model.onnx' --target isaac --host a100 --bind 'batch=4,past len=2' "
                        "--no-pass fold --no-pass fuse_attention --pass fuse_gelu:form=erf --dtype bf16 "
                        "--conv direct "
                        "--overlap-transfer --no-group-commands --mapping fixed --no-code-pass reorder "
                        "--verify 3 --seed 7"));
    }
};

QTEST_APPLESS_MAIN(TestCommandLine)
#include "tst_core_compile_command_line.moc"
