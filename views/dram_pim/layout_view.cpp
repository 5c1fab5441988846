// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dram_pim/layout_view.h"

#include "core/base/number_text.h"
#include "core/dram/address.h"
#include "views/common/core_words.h"
#include "views/common/empty_state.h"
#include "views/common/figures_model.h"
#include "views/common/line_label.h"
#include "views/common/palette.h"
#include "views/common/plot_export.h"
#include "views/common/table_view.h"
#include "views/common/text.h"
#include "views/dram_pim/color_scale.h"
#include "views/dram_pim/grid_canvas.h"
#include "views/dram_pim/layout_pictures.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>

#include <algorithm>

namespace pim::views {
namespace {

constexpr int kLeastForTable = 320;
constexpr std::size_t kMostCopies = 1000; ///< Rows of the table.
constexpr int kMostLines = 3;             ///< Of them seen at once.
constexpr std::size_t kMostRanges = 4;    ///< Told for a row of a bank.

QComboBox* comboBox(const QString& name) {
    auto* box = new QComboBox;
    box->setAccessibleName(name);
    box->setToolTip(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    return box;
}

/// "BankGroup" -> "Bank group"
QString levelTitle(const std::string& level) {
    QString words;
    for (const char c : level)
        words += words.isEmpty() ? QString(QLatin1Char(c))
                 : QChar::isUpper(static_cast<char32_t>(c))
                     ? QLatin1Char(' ') + QString(QChar::fromLatin1(c)).toLower()
                     : QString(QLatin1Char(c));
    return coreWord(words.toStdString());
}

QString indexText(const Shape& shape, std::int64_t element) {
    QStringList parts;
    for (const std::int64_t i : indexOf(shape, element))
        parts << QString::number(i);
    return parts.join(QStringLiteral(", "));
}

} // namespace

LayoutView::LayoutView(QWidget* parent)
    : QWidget(parent), m_runner([](const QString&, const Work& work) { work({})(); }),
      m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("target"))), m_page(new QWidget),
      m_ops(comboBox(tr("Operator whose tensors are shown"))), m_tensors(comboBox(tr("Tensor"))),
      m_edit(new QLineEdit), m_groupBox(new QSpinBox), m_matrixColor(comboBox(tr("Colour of the tensor"))),
      m_bankColor(comboBox(tr("Colour of the banks"))),
      m_matrix(new GridCanvas(tr("Tensor, element by element"))),
      m_banks(new GridCanvas(tr("Banks, row by row"))), m_matrixScale(new ColorScale),
      m_bankScale(new ColorScale), m_table(new TableView), m_title(new LineLabel), m_status(new QLabel) {
    setObjectName(QStringLiteral("LayoutView"));
    setAccessibleName(tr("Layout in memory"));
    auto* layout = new QVBoxLayout(m_page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    buildPictures(m_page);
    m_status->setContentsMargins(10, 2, 10, 3);
    m_status->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_status->setWordWrap(true);
    m_status->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_status->setFixedHeight(2 * m_status->fontMetrics().lineSpacing() + 6);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_status->setAccessibleName(tr("What is under the pointer"));
    layout->addWidget(m_status);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_page);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto* bar = new QWidget;
    buildBar(bar);
    outer->addWidget(bar);
    outer->addWidget(m_pages, 1);
    setEmptyText(tr("No layout to show"),
                 tr("Choose an operator that runs on PIM; where its tensors lie appears here."));
    setPlaces(nullptr);
}

LayoutView::~LayoutView() = default;

void LayoutView::buildBar(QWidget* into) {
    auto* bar = new QHBoxLayout(into);
    bar->setContentsMargins(8, 4, 8, 2);
    bar->setSpacing(6);
    m_ops->setPlaceholderText(tr("Operator"));
    m_ops->setMinimumContentsLength(12);
    m_tensors->setMinimumContentsLength(20);
    connect(m_ops, &QComboBox::activated, this,
            [this](int row) { emit opChosen(OpId(m_ops->itemData(row).toInt())); });
    connect(m_tensors, &QComboBox::activated, this, &LayoutView::setTensor);
    m_edit->setAccessibleName(tr("Index of the element"));
    m_edit->setToolTip(tr("Index of the element, one number per dimension: 3, 5"));
    m_edit->setMinimumWidth(64);
    m_edit->setMaximumWidth(160);
    connect(m_edit, &QLineEdit::returnPressed, this, &LayoutView::takeText);
    m_groupBox->setAccessibleName(tr("Channel whose banks are shown"));
    m_groupBox->setToolTip(m_groupBox->accessibleName());
    connect(m_groupBox, &QSpinBox::valueChanged, this, &LayoutView::setGroup);
    m_title->setAccessibleName(tr("What lies where"));
    const auto label = [bar](const QString& name, QWidget* of) {
        auto* made = new QLabel(name);
        made->setBuddy(of);
        bar->addWidget(made);
        bar->addWidget(of);
    };
    bar->addWidget(m_ops);
    bar->addWidget(m_tensors);
    label(tr("Element"), m_edit);
    label(tr("Channel"), m_groupBox);
    bar->addWidget(m_title, 1);
}

void LayoutView::buildPictures(QWidget* into) {
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->setChildrenCollapsible(false);
    const auto side = [splitter](const QString& name, GridCanvas* canvas, QComboBox* colors,
                                 ColorScale* scale) {
        auto* holder = new QWidget;
        auto* layout = new QVBoxLayout(holder);
        layout->setContentsMargins(6, 2, 2, 0);
        layout->setSpacing(2);
        auto* bar = new QHBoxLayout;
        auto* label = new QLabel(name);
        label->setBuddy(colors);
        bar->addWidget(label);
        bar->addWidget(colors);
        bar->addWidget(scale, 1);
        layout->addLayout(bar);
        layout->addWidget(canvas, 1);
        splitter->addWidget(holder);
    };
    side(tr("Tensor by"), m_matrix, m_matrixColor, m_matrixScale);
    side(tr("Banks by"), m_banks, m_bankColor, m_bankScale);
    m_matrixColor->addItems({tr("channel"), tr("bank"), tr("row of the bank")});
    m_matrixColor->setCurrentIndex(1);
    connect(m_matrixColor, &QComboBox::currentIndexChanged, this, &LayoutView::repaintMatrix);
    connect(m_bankColor, &QComboBox::activated, this, [this] {
        m_choseBankColor = true;
        repaintBanks();
    });
    m_table->setAccessibleName(tr("Copies of the element"));
    m_table->setExportName(QStringLiteral("places"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    auto* layout = static_cast<QVBoxLayout*>(into->layout());
    layout->addWidget(splitter, 1);
    layout->addWidget(m_table);

    connect(m_matrix, &GridCanvas::chosen, this, [this](const GridCell& cell) {
        const MatrixSlice slice = sliceOf(tensor().shape, m_element);
        setElement(slice.element(cell.y, cell.x));
    });
    m_matrix->setCellText([this](const GridCell& cell) { return elementText(cell); });
    m_banks->setCellText([this](const GridCell& cell) { return rowText(cell); });
    connect(m_matrix, &GridCanvas::hovered, this,
            [this](const GridCell& cell) { m_status->setText(elementText(cell)); });
    connect(m_banks, &GridCanvas::hovered, this, &LayoutView::describeCell);
    connect(m_banks, &GridCanvas::chosen, this, [this](const GridCell& cell) {
        if (const RowContent& content = m_map->at(int(cell.x), cell.y); content.elements > 0)
            setElement(content.first);
        describeCell(cell);
    });
    for (GridCanvas* canvas : {m_matrix, m_banks})
        connect(canvas, &GridCanvas::left, this, &LayoutView::tellElement);
    installPlotExport(m_matrix, m_matrix->exportSource(QStringLiteral("tensor_places")));
    installPlotExport(m_banks, m_banks->exportSource(QStringLiteral("bank_contents")));
}

void LayoutView::setOps(const std::vector<std::pair<OpId, QString>>& ops) {
    const QVariant chosen = m_ops->currentData();
    m_ops->clear();
    for (const auto& [op, name] : ops)
        m_ops->addItem(name, op.value);
    m_ops->setCurrentIndex(m_ops->findData(chosen));
    m_ops->setEnabled(!ops.empty());
}

void LayoutView::setSelectedOp(OpId op) {
    m_ops->setCurrentIndex(op.valid() ? m_ops->findData(op.value) : -1);
}

void LayoutView::setEmptyText(const QString& missing, const QString& whatToDo) {
    m_empty->setText(missing, whatToDo);
}

void LayoutView::setStale(bool stale) {
    m_isStale = stale;
    updateTitle();
}

void LayoutView::setPlaces(std::shared_ptr<const OpPlaces> places, Held held) {
    m_places = std::move(places);
    m_held = std::move(held);
    m_isStale = false;
    m_map.reset();
    m_sample.reset();
    const bool any = m_places && !m_places->tensors.empty();
    for (QWidget* widget : std::initializer_list<QWidget*>{m_tensors, m_edit, m_groupBox})
        widget->setEnabled(any);
    m_pages->setCurrentWidget(any ? m_page : static_cast<QWidget*>(m_empty));
    m_tensors->clear();
    if (!any) {
        m_places.reset();
        m_edit->clear();
        updateTitle();
        return;
    }
    for (const PlacedTensor& one : m_places->tensors)
        m_tensors->addItem(tr("%1 · %2 · %3")
                               .arg(text(one.graphName.empty() ? one.name : one.graphName),
                                    text(shapeText(one.shape)), coreWord(name(one.residency))));
    std::vector<FigureColumn> columns{{tr("Copy"), QStringLiteral("copy"), true, {}},
                                      {tr("Stack"), QStringLiteral("stack"), true, {}},
                                      {tr("Channel"), QStringLiteral("channel"), true, tr("Of the stack")}};
    const DramDevice& device = *m_places->device;
    for (int level = 1; level <= device.bankLevel; ++level)
        columns.push_back({levelTitle(device.levels[std::size_t(level)].name),
                           text(device.levels[std::size_t(level)].name),
                           true,
                           {}});
    columns.push_back({tr("Row"), QStringLiteral("row"), true, {}});
    columns.push_back({tr("Column"), QStringLiteral("column"), true, tr("In accesses")});
    columns.push_back({tr("Lane"), QStringLiteral("lane"), true, tr("Value in the access")});
    columns.push_back({tr("Address"), QStringLiteral("address"), true,
                       tr("Of the byte in the memory of the channel, by its address map")});
    FiguresModel* const old = m_copies;
    m_copies = new FiguresModel(std::move(columns), this);
    m_table->setModel(m_copies);
    delete old;
    {
        const QSignalBlocker quiet(m_groupBox);
        m_groupBox->setRange(0, std::max(0, m_places->groups - 1));
        m_groupBox->setValue(0);
    }
    m_group = 0;
    // What one asks for first: the weights, which lie there for good.
    const auto resident =
        std::find_if(m_places->tensors.begin(), m_places->tensors.end(),
                     [](const PlacedTensor& one) { return one.residency == Residency::Resident; });
    setTensor(resident == m_places->tensors.end() ? 0 : int(resident - m_places->tensors.begin()));
}

void LayoutView::setTensor(int chosen) {
    if (!m_places || chosen < 0 || chosen >= int(m_places->tensors.size()))
        return;
    m_tensor = chosen;
    m_tensors->setCurrentIndex(chosen);
    m_bankColor->clear();
    for (std::size_t d = 0; d < tensor().shape.size(); ++d)
        m_bankColor->addItem(tr("index %1").arg(d), int(d));
    m_bankColor->addItem(tr("elements in the row"), -1);
    m_choseBankColor = false;
    m_element = 0;
    // The picture starts where something is.
    const auto copies = m_places->of(m_tensor, 0);
    if (!copies.empty() &&
        std::none_of(copies.begin(), copies.end(), [&](const PimPlace& p) { return p.group == m_group; })) {
        const QSignalBlocker quiet(m_groupBox);
        m_group = copies.front().group;
        m_groupBox->setValue(m_group);
    }
    search();
    showElement();
}

void LayoutView::setGroup(int group) {
    if (!m_places || group == m_group || group < 0 || group >= m_places->groups)
        return;
    m_group = group;
    const QSignalBlocker quiet(m_groupBox);
    m_groupBox->setValue(group);
    search();
    showElement();
}

void LayoutView::setElement(std::int64_t element) {
    m_element = element;
    // Bring along the channel it is in.
    const auto copies = m_places->of(m_tensor, element);
    if (!copies.empty() &&
        std::none_of(copies.begin(), copies.end(), [&](const PimPlace& p) { return p.group == m_group; }))
        setGroup(copies.front().group);
    else if (sliceOf(tensor().shape, element).firstElement != m_sliceStart)
        search();
    showElement();
}

void LayoutView::takeText() {
    if (!m_places)
        return;
    const auto index = parseIndex(m_edit->text().toStdString());
    const auto element =
        index ? elementOf(tensor().shape, *index) : Result<std::int64_t>(tl::unexpected(index.error()));
    if (element)
        return setElement(*element);
    m_status->setText(text(element.error().text()));
    m_edit->selectAll();
}

void LayoutView::search() {
    const MatrixSlice slice = sliceOf(tensor().shape, m_element);
    m_sliceStart = slice.firstElement;
    m_map.reset();
    m_sample.reset();
    m_status->setText(tr("Locating the elements of %1…").arg(text(tensor().name)));
    m_runner(
        tr("Layout of %1").arg(text(tensor().name)),
        // the view may be gone before the work begins, so whether it lives is noted here and not on the worker
        [this, alive = QPointer<LayoutView>(this), places = m_places, held = m_held, chosen = m_tensor,
         group = m_group, slice](const TaskContext& task) -> std::function<void()> {
            auto sample = samplePlaces(*places, chosen, slice, group, task);
            auto map =
                PlaceMap::build(*places, chosen, group, held ? held(chosen, group) : HeldIndices(), task);
            return [this, alive, places, sample = std::move(sample), map = std::move(map)] {
                if (!alive || places != m_places || !sample || !map)
                    return; // another op meanwhile, or cancelled
                m_sample = std::make_shared<const PlaceSample>(*sample);
                m_map = *map;
                repaintMatrix();
                repaintBanks();
                updateTitle();
                showElement();
            };
        });
}

void LayoutView::repaintMatrix() {
    if (!m_sample)
        return;
    const MatrixSlice slice = sliceOf(tensor().shape, m_element);
    const auto by = static_cast<PlaceColor>(m_matrixColor->currentIndex());
    m_matrix->setGrid(slice.columns, slice.rows, paintSample(*m_sample, *m_places, by));
    const std::size_t dims = tensor().shape.size();
    m_matrix->setAxes(tr("index %1").arg(dims > 0 ? dims - 1 : 0),
                      dims > 1 ? tr("index %1").arg(dims - 2) : QString());
    m_matrixScale->setRange(0, mostOf(*m_sample, *m_places, by));
}

void LayoutView::repaintBanks() {
    if (!m_map)
        return;
    if (!m_choseBankColor) // the outermost dimension that differs within the channel
        for (int row = 0; row < m_bankColor->count(); ++row)
            if (const auto [least, greatest] =
                    rangeOf(*m_map, tensor().shape, m_bankColor->itemData(row).toInt());
                least < greatest) {
                m_bankColor->setCurrentIndex(row);
                break;
            }
    const int dimension = m_bankColor->currentData().toInt();
    m_banks->setFirstRow(m_places->firstRow + m_map->firstRow());
    m_banks->setGrid(m_map->rows() > 0 ? m_map->banks() : 0, m_map->rows(),
                     paintBanks(*m_map, tensor().shape, dimension));
    m_banks->setAxes(tr("bank of channel %1").arg(m_group), tr("row"));
    const auto [least, greatest] = rangeOf(*m_map, tensor().shape, dimension);
    m_bankScale->setRange(least, greatest);
}

QString LayoutView::bankText(int bank) const {
    const DramDevice& device = *m_places->device;
    QStringList parts;
    for (int level = 1; level <= device.bankLevel; ++level)
        if (const DramLevel& at = device.levels[std::size_t(level)]; at.count > 1)
            parts << QStringLiteral("%1 %2")
                         .arg(amidSentence(levelTitle(at.name)))
                         .arg(bank / device.banksUnder(level) % at.count);
    return parts.join(QStringLiteral(", "));
}

QString LayoutView::elementText(const GridCell& cell) const {
    const std::int64_t element = sliceOf(tensor().shape, m_element).element(cell.y, cell.x);
    const auto copies = m_places->of(m_tensor, element);
    const QString name = text(rangeText(tensor(), {element, 1}));
    if (copies.empty())
        return tr("%1: in no bank").arg(name);
    const QString first = text(placeText(*m_places, copies.front()));
    return copies.size() > 1 ? tr("%1: %2 and %3 other copies").arg(name, first).arg(copies.size() - 1)
                             : tr("%1: %2").arg(name, first);
}

void LayoutView::describeCell(const GridCell& cell) {
    if (m_map)
        m_status->setText(rowText(cell));
}

QString LayoutView::rowText(const GridCell& cell) const {
    if (!m_map)
        return {};
    const int bank = int(cell.x);
    const QString where = tr("Bank %1 (%2), row %3")
                              .arg(bank)
                              .arg(bankText(bank))
                              .arg(m_places->firstRow + m_map->firstRow() + cell.y);
    const RowContent& content = m_map->at(bank, cell.y);
    if (content.elements == 0)
        return tr("%1: nothing of %2").arg(where, text(tensor().name));
    std::vector<ElementRange> ranges = m_map->elementsIn(bank, cell.y, kMostRanges + 1);
    QStringList parts;
    for (std::size_t i = 0; i < std::min(ranges.size(), kMostRanges); ++i)
        parts << text(rangeText(tensor(), ranges[i]));
    if (ranges.size() > kMostRanges)
        parts << QStringLiteral("…");
    return tr("%1: %2 elements, %3")
        .arg(where, text(exactText(content.elements)), parts.join(QStringLiteral("; ")));
}

QString LayoutView::addressText(const PimPlace& place) const {
    const DramDevice& device = *m_places->device;
    const std::uint64_t access =
        DramAddressMap(device).address({place.bank, m_places->firstRow + place.row, place.column});
    const std::uint64_t address = access + std::uint64_t(place.lane * device.accessBytes / kPimLanes);
    return QStringLiteral("0x%1").arg(address, 0, 16);
}

void LayoutView::fillTable(const std::vector<PimPlace>& copies) {
    const DramDevice& device = *m_places->device;
    const int perStack = std::max(1, m_places->groupsPerStack);
    std::vector<std::vector<Figure>> rows;
    for (const PimPlace& place : copies) {
        if (rows.size() == kMostCopies)
            break;
        std::vector<Figure> cells{countFigure(qint64(rows.size()) + 1), countFigure(place.group / perStack),
                                  countFigure(place.group % perStack)};
        for (int level = 1; level <= device.bankLevel; ++level)
            cells.push_back(
                countFigure(place.bank / device.banksUnder(level) % device.levels[std::size_t(level)].count));
        cells.push_back(countFigure(m_places->firstRow + place.row));
        cells.push_back(countFigure(place.column));
        cells.push_back(countFigure(place.lane));
        cells.push_back({addressText(place), {}, {}});
        rows.push_back(std::move(cells));
    }
    m_copies->setRows(std::move(rows));
    m_table->fitColumns(120);
    // A line for each copy, no more than fit beside the pictures.
    const int lines = std::clamp(m_copies->rowCount(), 1, kMostLines);
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() +
                            lines * m_table->verticalHeader()->defaultSectionSize() +
                            m_table->horizontalScrollBar()->sizeHint().height() + 2 * m_table->frameWidth());
}

void LayoutView::showElement() {
    if (!m_places)
        return;
    const MatrixSlice slice = sliceOf(tensor().shape, m_element);
    m_edit->setText(indexText(tensor().shape, m_element));
    const std::vector<PimPlace> copies = m_places->of(m_tensor, m_element);
    fillTable(copies);
    if (m_matrix->rows() == slice.rows && m_matrix->columns() == slice.columns)
        m_matrix->setCurrent(GridCell{(m_element - slice.firstElement) % slice.columns,
                                      (m_element - slice.firstElement) / slice.columns});
    std::vector<GridCell> marks;
    for (const PimPlace& place : copies)
        if (m_map && place.group == m_group && place.row >= m_map->firstRow())
            marks.push_back({place.bank, place.row - m_map->firstRow()});
    if (!marks.empty())
        m_banks->setCurrent(marks.front());
    m_banks->setMarks(std::move(marks));
    tellElement();
}

void LayoutView::tellElement() {
    if (!m_places || !m_map)
        return;
    const std::vector<PimPlace> copies = m_places->of(m_tensor, m_element);
    const QString name = text(rangeText(tensor(), {m_element, 1}));
    if (copies.empty()) {
        m_status->setText(tr("%1: in no bank; it crosses the bus into buffers or registers").arg(name));
    } else {
        const QString first =
            tr("%1, address %2").arg(text(placeText(*m_places, copies.front())), addressText(copies.front()));
        m_status->setText(copies.size() == 1
                              ? tr("%1: %2").arg(name, first)
                              : tr("%1: %2 copies, the first in %3").arg(name).arg(copies.size()).arg(first));
    }
    m_matrix->setAccessibleDescription(m_status->text());
}

void LayoutView::updateTitle() {
    if (!m_places) {
        m_title->clear();
        return;
    }
    QStringList parts;
    if (m_isStale)
        parts << tr("out of date");
    parts << text(m_places->device->name)
          << tr("%1 of %2 channels").arg(m_places->groups).arg(m_places->groupsOfMachine);
    if (m_map && m_map->rows() > 0)
        parts << tr("rows %1…%2 of channel %3")
                     .arg(m_places->firstRow + m_map->firstRow())
                     .arg(m_places->firstRow + m_map->firstRow() + m_map->rows() - 1)
                     .arg(m_group);
    else if (m_map)
        parts << tr("nothing in the banks of channel %1").arg(m_group);
    if (m_map && m_map->step() > 1)
        parts << tr("every %1th element looked at").arg(m_map->step());
    m_title->setText(parts.join(QStringLiteral(" · ")));
    m_title->setToolTip(m_title->text());
}

void LayoutView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_table->setVisible(height() >= kLeastForTable); // else the pictures get the room
}

void LayoutView::setSeen(bool seen) {
    emit seenChanged(seen);
}

} // namespace pim::views
