// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Networks and timelines as pictures: everything there is, as long as it can be looked at, and the count of what is left out.
#include "core/report/graph_picture.h"
#include "core/report/html_writer.h"
#include "core/report/timeline_picture.h"
#include "tests/core_project/sample_plan.h"

#include <QElapsedTimer>
#include <QTest>
#include <QXmlStreamReader>

using namespace pim;
using namespace pim::report;

namespace {

std::vector<std::string> labelsOf(const Drawing& drawing) {
    std::vector<std::string> texts;
    for (const Mark& mark : drawing.marks)
        if (const auto* label = std::get_if<Label>(&mark))
            texts.push_back(label->text);
    return texts;
}

template <class Wanted>
std::size_t countOf(const Drawing& drawing) {
    return std::size_t(std::ranges::count_if(
        drawing.marks, [](const Mark& mark) { return std::holds_alternative<Wanted>(mark); }));
}

bool has(const std::vector<std::string>& texts, const std::string& wanted) {
    return std::ranges::find(texts, wanted) != texts.end();
}

/// Well-formed, and nothing lies outside of it.
void checkSvg(const Drawing& drawing) {
    QXmlStreamReader reader(QString::fromStdString(svgText(drawing)));
    QStringList elements;
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement)
            elements << reader.name().toString();
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QVERIFY(!elements.contains("script") && !elements.contains("b"));
    for (const Mark& mark : drawing.marks)
        if (const auto* bar = std::get_if<Bar>(&mark)) {
            QVERIFY(bar->x >= 0 && bar->y >= 0 && bar->width >= 0 && bar->height >= 0);
            QVERIFY(bar->x + bar->width <= drawing.width + 0.01 &&
                    bar->y + bar->height <= drawing.height + 0.01);
        } else if (const auto* rule = std::get_if<Rule>(&mark)) {
            QVERIFY(std::min(rule->x1, rule->x2) >= 0 &&
                    std::max(rule->x1, rule->x2) <= drawing.width + 0.01);
            QVERIFY(std::min(rule->y1, rule->y2) >= 0 &&
                    std::max(rule->y1, rule->y2) <= drawing.height + 0.01);
        }
}

/// Ops that have nothing in common, so that none of them repeat: op i reads op i - 1, and op i / 2.
Graph tangle(int ops) {
    Graph graph;
    graph.name = "tangle";
    for (int i = 0; i < ops; ++i) {
        Tensor tensor;
        tensor.name = "t" + std::to_string(i);
        tensor.dtype = DataType::F16;
        tensor.shape = Shape{i + 1, 3};
        tensor.producer = OpId(i);
        graph.tensors.push_back(tensor);
        Op op;
        op.name = "op" + std::to_string(i);
        op.type = "Kind" + std::to_string(i);
        op.outputs = {TensorId(i)};
        if (i > 0)
            op.inputs = {TensorId(i - 1), TensorId(i / 2)};
        op.work.macs = i % 2;
        graph.ops.push_back(op);
    }
    graph.outputs = {TensorId(ops - 1)};
    graph.tensors.back().isOutput = true;
    return graph;
}

/// \p arrays computing and being switched in turn, and a bus that is busy half of the time, 1000 ns.
Timeline turns(int arrays) {
    Timeline timeline;
    timeline.kinds = {{"compute", SpanRole::Compute},
                      {"switch", SpanRole::Switching},
                      {"idle", SpanRole::Idle},
                      {"transfer", SpanRole::Transfer}};
    timeline.labels = {""};
    timeline.labelOps = {-1};
    for (int i = 0; i < arrays; ++i)
        timeline.tracks.push_back({"array " + std::to_string(i), "arrays"});
    timeline.tracks.push_back({"bus", "buses"});
    for (std::uint32_t i = 0; i < std::uint32_t(arrays); ++i)
        timeline.spans.insert(timeline.spans.end(), {{0, 500, i, 0}, {500, 100, i, 1}, {600, 400, i, 2}});
    for (int t = 0; t < 1000; t += 2)
        timeline.spans.push_back({double(t), 1, std::uint32_t(arrays), 3});
    timeline.bands = {{"conv1", 0, 600}, {"conv2", 600, 1000}};
    timeline.finish();
    return timeline;
}

} // namespace

class TestPictures : public QObject {
    Q_OBJECT

private slots:
    void aSmallNetworkIsShownWhole() {
        const auto plan = sample::plan(12);
        const Drawing drawing = graphPicture(*plan->graph, 100).value();
        checkSvg(drawing);
        const auto texts = labelsOf(drawing);
        for (const Op& op : plan->graph->ops)
            QVERIFY2(has(texts, op.name), op.name.c_str());
        QVERIFY(!QString::fromStdString(drawing.description).contains("not drawn"));
        QVERIFY(countOf<Rule>(graphPicture(tangle(12), 100).value()) >= 12); // one to the output
        QCOMPARE(svgText(graphPicture(*plan->graph, 100).value()), svgText(drawing));
    }

    void whatRepeatsIsOneBox() {
        const auto plan = sample::plan(400);
        const Drawing drawing = graphPicture(*plan->graph, 1000).value();
        checkSvg(drawing);
        QVERIFY2(countOf<Bar>(drawing) < 400, std::to_string(countOf<Bar>(drawing)).c_str());
        QVERIFY(has(labelsOf(drawing), "several ops that repeat"));
    }

    void whatIsTooMuchIsCounted() {
        const Graph graph = tangle(60);
        const Drawing drawing = graphPicture(graph, 20).value();
        checkSvg(drawing);
        QVERIFY(has(labelsOf(drawing), "op19") && !has(labelsOf(drawing), "op20"));
        QVERIFY(has(labelsOf(drawing), "40 more ops are not drawn"));
        QVERIFY(QString::fromStdString(drawing.description).contains("40 more ops are not drawn"));
        const Drawing one = graphPicture(tangle(2), 0).value(); // none would be no picture
        QVERIFY(has(labelsOf(one), "1 more op is not drawn"));
    }

    void largeNetworksStaySmallPictures() {
        const Graph graph = tangle(5000);
        const Drawing drawing = graphPicture(graph, 200).value();
        checkSvg(drawing);
        QVERIFY2(svgText(drawing).size() < 1'000'000, std::to_string(svgText(drawing).size()).c_str());
        // Everything with everything: lines are left out too.
        Graph dense = tangle(400);
        for (int i = 0; i < 400; ++i)
            for (int j = 0; j < i; ++j)
                dense.ops[std::size_t(i)].inputs.push_back(TensorId(j));
        const std::string svg = svgText(graphPicture(dense, 400).value());
        QVERIFY2(svg.size() < 3'000'000, std::to_string(svg.size()).c_str());
        QVERIFY(QString::fromStdString(svg).contains("more lines are not drawn"));
    }

    void hostileNamesAreText() {
        Graph graph = tangle(4);
        graph.ops[0].name = "<script>alert(1)</script>\"'&]]>";
        graph.ops[1].name = "\xff\xfe\x01 bytes";
        graph.ops[2].type = std::string(1'000'000, '<');
        graph.ops[3].name = "</title><b>";
        graph.name = "\"><b>";
        checkSvg(graphPicture(graph, 10).value());
        QVERIFY(svgText(graphPicture(graph, 10).value()).size() < 20'000);
    }

    void emptyNetworksAndCancelledWork() {
        checkSvg(graphPicture(Graph(), 10).value());
        std::stop_source stop;
        stop.request_stop();
        TaskContext task;
        task.stop = stop.get_token();
        const auto refused = graphPicture(tangle(50), 50, task);
        QVERIFY(!refused && refused.error().code == ErrorCode::Cancelled);
    }

    void aTimelineHasARowForEachUnit() {
        const Drawing drawing = timelinePicture(turns(3), 32).value();
        checkSvg(drawing);
        const auto texts = labelsOf(drawing);
        for (const char* wanted :
             {"array 0", "array 1", "array 2", "bus", "compute", "switch", "transfer", "conv1"})
            QVERIFY2(has(texts, wanted), wanted);
        QVERIFY(!has(texts, "idle"));
        double computes = 0, busHeight = 0, whole = 0;
        for (const Mark& mark : drawing.marks)
            if (const auto* bar = std::get_if<Bar>(&mark); bar && !bar->tip.empty()) {
                if (bar->tip.starts_with("array 0: compute")) {
                    computes += bar->width;
                    whole = bar->height;
                }
                if (bar->tip.starts_with("bus"))
                    busHeight = bar->height;
            }
        QCOMPARE(computes, 280.0); // half of the field
        QCOMPARE(busHeight, whole / 2);
    }

    void manyUnitsAreLeftOutAndCounted() {
        const Drawing drawing = timelinePicture(turns(1000), 20).value();
        checkSvg(drawing);
        const auto texts = labelsOf(drawing);
        const auto arrays =
            std::ranges::count_if(texts, [](const std::string& t) { return t.starts_with("array "); });
        QVERIFY(arrays >= 5 && arrays <= 19);
        QVERIFY(has(texts, "bus")); // small groups stay
        QVERIFY(QString::fromStdString(drawing.description).contains("more units are not drawn"));
        QVERIFY(svgText(drawing).size() < 300'000);
        Timeline headed = turns(1000);
        headed.tracks[0].heads = true;
        const auto folded = labelsOf(timelinePicture(headed, 20).value());
        QVERIFY(has(folded, "array 0") && !has(folded, "array 1"));
        Timeline scattered = turns(100);
        for (std::size_t i = 0; i < 100; ++i)
            scattered.tracks[i].group = "group " + std::to_string(i);
        const auto some = labelsOf(timelinePicture(scattered, 10).value());
        QCOMPARE(std::ranges::count_if(some, [](const std::string& t) { return t.starts_with("array "); }),
                 10);
    }

    void hiddenTracksAreShownByOthers() {
        Timeline timeline = turns(2);
        timeline.tracks[0].shows = {1};
        timeline.tracks[1].hidden = true;
        const auto texts = labelsOf(timelinePicture(timeline, 32).value());
        QVERIFY(has(texts, "array 0") && !has(texts, "array 1"));
    }

    void millionsOfSpansAreAPictureToo() {
        Timeline timeline = turns(2);
        timeline.tracks.push_back({"core <b>", "cores"});
        for (int i = 0; i < 2'000'000; ++i)
            timeline.spans.push_back({i * 0.0005, 0.0004F, 3, std::uint16_t(i % 2)});
        timeline.finish();
        const Drawing drawing = timelinePicture(timeline, 32).value();
        checkSvg(drawing);
        QVERIFY(svgText(drawing).size() < 300'000);
    }

    void withoutARecordThereIsNoPicture() {
        const auto refused = timelinePicture(Timeline(), 32);
        QVERIFY(!refused && refused.error().code == ErrorCode::Unsupported);
    }
};

QTEST_GUILESS_MAIN(TestPictures)
#include "tst_core_report_pictures.moc"
