// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/core_sentences.h"

#include "views/common/core_words.h"
#include "views/common/text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <array>
#include <vector>

namespace pim::views {
namespace {

struct CoreSentences {
    Q_DECLARE_TR_FUNCTIONS(pim::views::CoreSentences)
};

// clang-format off
/// As core writes them, the more special first.
constexpr std::array kParts{
    // what limits a run: core/timeline/limits.cpp
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "nothing was under way"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "nothing is under way for %1 of this stretch of the run"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "nothing is under way for %1 of the run"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "of the rest, %1"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the time is set by %1: busy %2 of this stretch of the run, and on %3 of the longest chain of work"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the time is set by %1: busy %2 of the run, and on %3 of the longest chain of work"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the time is set by %1: on %2 of the longest chain of work"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the busiest of %1, %2, is busy %3 of this stretch of the run"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the busiest of %1, %2, is busy %3 of the run"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the largest part of the chain is %1, %2"),
    // what keeps an op under its roof: core/plan/roofline.cpp, backends/*/roofline.cpp
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1, set by %2"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "set by no ceiling, the lowest is %1"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "set by %1"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1, which need all of its time at full speed, %2"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1, which needs all of its time at full speed, %2"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1, which need %2 of its time at full speed, %3"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1, which needs %2 of its time at full speed, %3"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1, which need all of its time at full speed"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1, which needs all of its time at full speed"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1, which need %2 of its time at full speed"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1, which needs %2 of its time at full speed"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "asks for nothing that has a limit"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "starting a kernel %1"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "its kernels reach %1 of the arithmetic and %2 of the memory bandwidth"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "its time goes to %1"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 of %2 channels have work"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the host and its memory"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "waiting for %1"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "calls and transfers take %1 of its time"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "launching takes %1 of its time"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the DPUs compute %1 of its time"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 instructions an operation"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 tasklets, %2 fill a pipeline"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 of %2 DPUs have work"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "its weights are there %1 times, in %2 of %3 crossbars, which compute %4 of its time"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the bus, which all share, is busy %1 of the run"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1, which layers share, is busy %2 of the run"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "writing weights %1 of its time"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 of %2 arrays compute, each %3 of its time"),
    // where an op is placed, and why: core/drafts/reason.cpp, core/drafts/opwise_plan.cpp
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1: memory-bound, AI %2 FLOP/B"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1: compute-bound, AI %2 FLOP/B"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1: waits for data, AI %2 FLOP/B"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "PIM: its cost on the host is unknown"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "PIM %1 faster than %2"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "PIM although %1 alone is %2 faster: on the host its operands would have to move as well"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "host although PIM would take %1 instead of %2 here: the ops around it would lose more"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "host although PIM alone is faster (%1 instead of %2): moving its operands would cost %3 more"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "host: nothing to gain on PIM"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "host: PIM would be %1 slower"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "host: a view, no data moves"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "host: appends to a cache in place, only the new part moves"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "host: PIM is full: with it, resident tensors would need %1 of a core, which has %2"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "other ops gain more for a byte"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "host: %1"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "host by your override for the whole network"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "PIM by your override for the whole network"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "host by your override"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "PIM by your override"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "PIM could not run it: %1"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "PIM is %1 faster than %2"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "PIM is %1 slower than %2"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "takes the result of %1 where it lies, which saves their chain %2"),
    // by machines planned as a whole: backends/dual_mode/dual_mode.cpp, backends/crossbar/crossbar.cpp
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1, cut into %2 pieces"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 compute arrays and %2 in memory mode of %3 in %4"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 compute array and %2 in memory mode of %3 in %4"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 compute arrays of %2 in %3"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 compute array of %2 in %3"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "segments %1 to %2"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "segment %1"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "vector unit, while the arrays work on the next rows"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "its share of their segments"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "counted by simulation only"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 of %2 in %3, %4 each, arrays busy %5, unfolded %6"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "done with %1"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "vector units of the cores that have its input"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the host writes the result of %1 that way"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 in %2 phases"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 replicas"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 replica"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 arrays"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 array"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 cores"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 core"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 windows"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 window"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 products"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 product"),
    // how a draft was chosen, and how far predictions are off: core/plan/plan.cpp, core/compile/compare.cpp
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "fastest of %1 simulated, ranked number %2 before"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "fastest of %1 simulated"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "at most %1 from the optimum"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "from the project's table"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "median %1, worst %2 over %3 simulated ops and drafts"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "median %1, worst %2 over %3 simulated ops"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "median %1, worst %2 over %3 simulated op"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "median %1, worst %2 over %3 simulated segments"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "median %1, worst %2 over %3 simulated segment"),
    // what can be decided about an op: core/drafts/verdicts.cpp
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "loaded once, before the network runs"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "moved in the kernel"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "all that PIM can run and has room for"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 on PIM"),
    // who runs an op of several machines, and why: core/compile/system_plan.cpp
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1, placed by you"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 + %2 of transfers"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 cannot"),
    // problems of models and plans: core/graph/build_graph.cpp, core/graph/graph_builder.cpp, core/drafts/opwise_plan.cpp, backends/*
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the operator %1 is not known in this form (%2 times): it runs on the host at unknown cost"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the operator %1 is not known in this form: it runs on the host at unknown cost"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the operator %1 is not known (%2 times): it runs on the host at unknown cost"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the operator %1 is not known: it runs on the host at unknown cost"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 has a body that is decided at run time (%2 times): it runs on the host at unknown cost"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 has a body that is decided at run time: it runs on the host at unknown cost"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the output shapes of %1 operators depend on data or on operators without a known shape"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the output shapes of %1 operator depend on data or on operators without a known shape"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the values of %1 weight tensors (%2) are not there: placement and timing work, numeric checks take random ones"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the values of %1 weight tensor (%2) are not there: placement and timing work, numeric checks take random ones"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "put the weights file beside the model and open it again"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the file names no outputs"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "every result nobody uses is taken as one"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "export the model with its outputs"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the shape of this graph input is not in the file"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "export the model with input shapes"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "a later node has the same name"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "it is called %1 here"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 nodes have the name of an earlier one"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the first is called %1 here"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "open dimensions of size 1 are too small for this model"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the file names no ONNX operator set"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 is assumed"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "bind the dimensions to the sizes you work with"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "operator set %1 is newer than %2, the newest tested"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "operators whose meaning changed since may get no shape"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "export with opset_version=%1 if shapes are missing"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "operator set %1 is older than 7"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "its broadcasting rules differ"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "convert the model to operator set 13 or newer if shapes are missing"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 runs on the host at unknown cost, counted as 0"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 ops lie outside what predictor %2 has learned (%3)"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 op lies outside what predictor %2 has learned (%3)"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "train one that covers them: %1"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 ops stay on the host because their tensors do not fit the %2 of PIM memory"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "choose a larger target, or stream the weights of some ops"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "its units compute in %1"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "all tensors are taken in %1 instead of %2"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "it was trained with other code passes, so drafts are ranked by their price"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 of %2 best drafts it knows are damaged and not used"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "they are looked for again"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "`pimc drafts PROJECT --clear` forgets all"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "depends on constants alone, so it is computed once before the network runs"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "runs on the host: %1"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "no core reads what it joins, and the host reads the parts where they lie"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "it works on all steps of a cell at once, and cores take one map"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 layers begin a stage of their own: local memories have no room for rows they would take from the layers before within a round"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "%1 layer begins a stage of its own: local memories have no room for rows they would take from the layers before within a round"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the sizes of what it takes or makes are not known"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "use cores with more local memory, or fewer layers per stage"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "has no effect: nothing on this chip reads it"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "its speed in i8 is not known"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "ops on the host are taken in %1"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "the network has no matrix product whose shape is known, so there is nothing for the arrays to do"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "all of it runs on the host"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "bind its dimensions"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "a tensor of an operator that is not known needs its shape in the model, as value_info"),
    QT_TRANSLATE_NOOP("pim::views::CoreSentences", "\"%1\" has the shape %2, its sizes must be known"),
};
// clang-format on

/// Names may be as long as somebody likes, and looking for parts in them takes long: such a sentence stays as it is.
constexpr std::size_t kLongest = 1000;

const QRegularExpression& placeholder() {
    static const QRegularExpression all(QStringLiteral("%(\\d)"));
    return all;
}

/// %1 %2 … in this order, each as little as can be.
QRegularExpression expressionOf(const char* part) {
    QString pattern = QRegularExpression::escape(QString::fromUtf8(part));
    return QRegularExpression(QRegularExpression::anchoredPattern(
        pattern.replace(QRegularExpression(QStringLiteral("\\\\%\\d")), QStringLiteral("(.+?)"))));
}

QString partText(const QString& part);

/// Names with shares between commas: "waiting for the bus 31 %, mode switches 7 %".
QString listText(const QString& list) {
    static const QRegularExpression named(QStringLiteral("^(.*\\S)( [\\d.]+ %)$"));
    QStringList all;
    for (const QString& one : list.split(QStringLiteral(", "))) {
        const auto share = named.match(one);
        all << (share.hasMatch() ? partText(share.captured(1)) + share.captured(2)
                                 : coreWord(one.toStdString()));
    }
    return all.join(QStringLiteral(", "));
}

QString partText(const QString& part) {
    static const auto expressions = [] {
        std::vector<QRegularExpression> all;
        for (const char* each : kParts)
            all.push_back(expressionOf(each));
        return all;
    }();
    for (std::size_t i = 0; i < kParts.size(); ++i) {
        const auto match = expressions[i].match(part);
        if (!match.hasMatch())
            continue;
        const QString whole = CoreSentences::tr(kParts[i]);
        QString text;
        qsizetype end = 0;
        for (auto at = placeholder().globalMatch(whole); at.hasNext();) { // a name may hold a "%1" itself
            const auto next = at.next();
            text += whole.mid(end, next.capturedStart() - end) +
                    partText(match.captured(next.captured(1).toInt()));
            end = next.capturedEnd();
        }
        return text + whole.mid(end);
    }
    return listText(part);
}

} // namespace

QString coreSentence(std::string_view sentence) {
    if (sentence.size() > kLongest)
        return text(sentence);
    QStringList parts;
    for (const QString& part : text(sentence).split(QStringLiteral("; ")))
        parts << partText(part);
    return parts.join(QStringLiteral("; "));
}

} // namespace pim::views
