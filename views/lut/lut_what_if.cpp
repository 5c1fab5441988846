// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lut/lut_what_if.h"

#include "core/base/number_text.h"
#include "core/lut/network/product_layer.h"
#include "views/common/flow_layout.h"
#include "views/common/line_label.h"
#include "views/common/text.h"
#include "views/models/lut_calibration.h"

#include <fmt/format.h>

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <bit>

namespace pim::views {
namespace {

constexpr int kLengths = 7;   ///< 1 to 64
constexpr int kCentroids = 8; ///< 2 to 256
std::int64_t lengthAt(int step) {
    return std::int64_t(1) << step;
}
std::int64_t centroidsAt(int step) {
    return std::int64_t(2) << step;
}
/// The nearest step below; sizes may be others than powers of two.
int stepOf(std::int64_t value, std::int64_t first, int steps) {
    return std::clamp(int(std::bit_width(std::uint64_t(std::max<std::int64_t>(value, 1) / first))) - 1, 0,
                      steps - 1);
}

QSlider* slider(int steps, const QString& name, const QString& tip) {
    auto* made = new QSlider(Qt::Horizontal);
    made->setRange(0, steps - 1);
    made->setPageStep(1);
    made->setTickPosition(QSlider::TicksBelow);
    made->setTickInterval(1);
    made->setFixedWidth(84);
    made->setAccessibleName(name);
    made->setToolTip(tip);
    return made;
}

bool same(const LutSizes& a, const LutSizes& b) {
    return a.size() == b.size() && std::ranges::equal(a, b, [](const auto& x, const auto& y) {
               return x.first == y.first && x.second.length == y.second.length &&
                      x.second.centroids == y.second.centroids;
           });
}

} // namespace

LutWhatIf::LutWhatIf(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_calibration(LutCalibration::of(workspace)),
      m_layer(new QComboBox),
      m_length(slider(kLengths, tr("Elements of a sub-vector, V"),
                      tr("Elements of a sub-vector: longer ones make smaller tables and "
                         "fewer additions"))),
      m_centroids(slider(kCentroids, tr("Centroids of a codebook, CT"),
                         tr("Centroids of a codebook: more of them make larger tables and a longer search"))),
      m_lengthText(new QLabel), m_centroidsText(new QLabel), m_answer(new LineLabel),
      m_calibrate(new QPushButton(tr("Calibrate &These"))) {
    setObjectName(QStringLiteral("LutWhatIf"));
    setAccessibleName(tr("What other sizes would cost"));
    m_layer->setAccessibleName(tr("Layers that are turned"));
    m_layer->setToolTip(tr("What the sliders turn: all converted layers, or one"));
    m_layer->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_layer->setMinimumContentsLength(11);
    m_answer->setAccessibleName(tr("What these sizes would cost"));
    m_calibrate->setAccessibleName(tr("Calibrate these sizes"));
    m_calibrate->setToolTip(
        tr("Make tables of these sizes and measure how often the network is right with them"));
    const QFontMetrics metrics(font());
    m_lengthText->setMinimumWidth(metrics.horizontalAdvance(QStringLiteral("V = 64")) + 4);
    m_centroidsText->setMinimumWidth(metrics.horizontalAdvance(QStringLiteral("CT = 256")) + 4);
    auto* title = new QLabel(tr("&What if"));
    title->setBuddy(m_layer);
    auto* row = new FlowLayout;
    const auto together = [](QLabel* label, QWidget* turned) {
        auto* both = new QWidget;
        auto* line = new QHBoxLayout(both);
        line->setContentsMargins(0, 0, 0, 0);
        line->addWidget(label);
        line->addWidget(turned);
        return both;
    };
    for (QWidget* each : {together(title, m_layer), together(m_lengthText, m_length),
                          together(m_centroidsText, m_centroids), static_cast<QWidget*>(m_calibrate)})
        row->addWidget(each);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 2, 8, 4);
    column->setSpacing(2);
    column->addLayout(row);
    column->addWidget(m_answer);
    connect(m_layer, &QComboBox::activated, this, [this] {
        takeLayer();
        const OpId op = m_calibration->opOf(m_layer->currentData().toString().toStdString());
        if (op.valid())
            m_workspace.selectOp(op);
    });
    connect(m_length, &QSlider::valueChanged, this, &LutWhatIf::turn);
    connect(m_centroids, &QSlider::valueChanged, this, &LutWhatIf::turn);
    connect(m_calibrate, &QPushButton::clicked, this, &LutWhatIf::calibrate);
    connect(m_calibration, &LutCalibration::outcomesChanged, this, &LutWhatIf::takeShown);
    connect(m_calibration, &LutCalibration::stateChanged, this, [this] { tell(nullptr); });
    connect(&workspace, &Workspace::selectionChanged, this, &LutWhatIf::takeSelection);
    takeShown();
}

bool LutWhatIf::isTouched() const {
    return !m_sizes.empty() && !same(m_sizes, m_shown);
}

void LutWhatIf::takeShown() {
    const LutOutcome* const outcome = m_calibration->shown();
    const LutSizes shown = outcome ? outcome->sizes() : LutSizes();
    setVisible(outcome != nullptr);
    if (m_index == m_calibration->shownIndex() && same(shown, m_shown))
        return;
    m_index = m_calibration->shownIndex();
    m_shown = m_sizes = shown;
    const QSignalBlocker quiet(m_layer);
    m_layer->clear();
    m_layer->addItem(tr("All %1 layers").arg(shown.size()), QString());
    if (outcome)
        for (const LutLayerFigures& layer : outcome->layers)
            m_layer->addItem(text(layer.name), text(layer.name));
    takeLayer();
    emit changed();
}

/// The layer that is selected anywhere is the one that is turned, unless all are.
void LutWhatIf::takeSelection() {
    const int at = m_calibration->selectedLayer();
    if (at < 0 || m_layer->currentIndex() <= 0 || at + 1 >= m_layer->count())
        return;
    const QSignalBlocker quiet(m_layer);
    m_layer->setCurrentIndex(at + 1);
    takeLayer();
}

void LutWhatIf::takeLayer() {
    const auto found = m_sizes.find(m_layer->currentData().toString().toStdString());
    const LutLayerSize size = found != m_sizes.end() ? found->second
                              : m_sizes.empty()      ? LutLayerSize{4, 16}
                                                     : m_sizes.begin()->second;
    const QSignalBlocker quietLength(m_length), quietCentroids(m_centroids);
    m_length->setValue(stepOf(size.length, 1, kLengths));
    m_centroids->setValue(stepOf(size.centroids, 2, kCentroids));
    m_lengthText->setText(tr("V = %1").arg(size.length));
    m_centroidsText->setText(tr("CT = %1").arg(size.centroids));
}

void LutWhatIf::turn() {
    const LutLayerSize size{lengthAt(m_length->value()), centroidsAt(m_centroids->value())};
    const std::string one = m_layer->currentData().toString().toStdString();
    for (auto& [layer, now] : m_sizes)
        if (one.empty() || layer == one)
            now = size;
    m_lengthText->setText(tr("V = %1").arg(size.length));
    m_centroidsText->setText(tr("CT = %1").arg(size.centroids));
    emit changed();
}

double LutWhatIf::tableBytes() const {
    const LutOutcome* const outcome = m_calibration->shown();
    if (!outcome)
        return 0;
    const auto known = lut::conversionTable().read(outcome->options);
    const double width = known && known->int8 ? 1 : 4;
    double bytes = 0;
    for (const LutLayerFigures& layer : outcome->layers) {
        const auto size = m_sizes.find(layer.name);
        if (size == m_sizes.end())
            continue;
        std::int64_t inputs =
            layer.codebooks * layer.length; // filled up, where the graph has look-ups already
        const OpId op = m_calibration->opOf(layer.name);
        if (const auto graph = m_workspace.graph(); graph && op.valid())
            if (const auto product = lut::ProductLayer::of(*graph, op, 1))
                inputs = product->inputs();
        const auto [length, centroids] = size->second;
        bytes += double((inputs + length - 1) / length) * double(centroids) * double(layer.features) * width;
    }
    return bytes;
}

void LutWhatIf::tell(const Result<LutCost>* cost) {
    const QString whyNot = m_calibration->whyNot();
    m_calibrate->setEnabled(isTouched() && whyNot.isEmpty() && !m_calibration->isRunning());
    if (!isTouched())
        m_answer->setText(tr("Turn a slider: what such tables would cost is told before they are made"));
    else if (!cost)
        m_answer->setText(tr("%1 of tables · planning …").arg(text(bytesText(tableBytes()))));
    else if (!*cost)
        m_answer->setText(text(cost->error().text()));
    else
        m_answer->setText(
            tr("%1 %2 · %3 · %4 of tables · how often it is right only a calibration tells")
                .arg(text(timeText((*cost)->ns)), (*cost)->simulated ? tr("simulated") : tr("predicted"),
                     (*cost)->energyPj ? text(energyText(*(*cost)->energyPj)) : tr("energy unknown"),
                     text(bytesText(tableBytes()))));
}

/// The commonest size for all, the others as rules; layers that stay products keep their rules.
void LutWhatIf::calibrate() {
    std::map<std::pair<std::int64_t, std::int64_t>, int> uses;
    for (const auto& [layer, size] : m_sizes)
        ++uses[{size.length, size.centroids}];
    const auto common = std::ranges::max_element(uses, {}, [](const auto& use) { return use.second; })->first;
    OptionTexts options = m_calibration->options();
    const auto& table = lut::conversionTable();
    if (!table.set(options, "v", std::to_string(common.first)) ||
        !table.set(options, "ct", std::to_string(common.second)))
        return;
    QStringList rules;
    if (const auto asked = m_calibration->conversion())
        for (const lut::LayerRule& rule : asked->rules)
            if (!rule.size)
                rules << text(rule.part) + QStringLiteral(":off");
    std::vector<std::string> names;
    for (const auto& [layer, size] : m_sizes)
        if (std::pair(size.length, size.centroids) != common)
            names.push_back(layer);
    std::ranges::stable_sort(names, {}, &std::string::size); // the last that fits decides
    for (const std::string& name : names)
        rules << text(fmt::format("{}:v={},ct={}", name, m_sizes[name].length, m_sizes[name].centroids));
    m_calibration->setOptions(options);
    m_calibration->setRules(rules.join(QStringLiteral("; ")));
    m_calibration->start();
}

} // namespace pim::views
