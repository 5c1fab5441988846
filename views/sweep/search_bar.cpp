// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/search_bar.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

#include <limits>

namespace pim::views {

SearchBar::SearchBar(QWidget* parent)
    : QWidget(parent), m_method(new QComboBox), m_evaluations(new QSpinBox), m_seed(new QSpinBox),
      m_objectives(new QLineEdit) {
    setAccessibleName(tr("Search"));
    m_method->setAccessibleName(tr("Method of the search"));
    m_method->addItem(tr("NSGA-II"), int(SearchMethod::Nsga2));
    m_method->setItemData(
        0, tr("Breeds points from the best so far, and computes the neighbours of what it found"),
        Qt::ToolTipRole);
    m_method->addItem(tr("Random"), int(SearchMethod::Random));
    m_method->setItemData(1, tr("Draws points, each as likely as any other"), Qt::ToolTipRole);
    const SearchOptions usual;
    constexpr int kMostEvaluations = 1'000'000;
    m_evaluations->setRange(1, kMostEvaluations);
    m_evaluations->setValue(int(usual.evaluations));
    m_evaluations->setGroupSeparatorShown(true);
    m_evaluations->setAccessibleName(tr("Points computed at most"));
    m_evaluations->setToolTip(tr("Points that the search computes at most"));
    m_seed->setRange(0, std::numeric_limits<int>::max());
    m_seed->setValue(int(usual.seed));
    m_seed->setAccessibleName(tr("Seed of the search"));
    m_seed->setToolTip(tr("Another seed, another search; the same seed, the same points"));
    m_objectives->setAccessibleName(tr("What the front is by"));
    m_objectives->setPlaceholderText(tr("as usual"));
    m_objectives->setToolTip(
        tr("Figures that the front is by, separated by commas: total_ns, area_mm2, power_w, "
           "macs_per_s or figures of your own"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(6, 0, 6, 0);
    const auto add = [&](const QString& text, QWidget* field, int stretch) {
        auto* label = new QLabel(text);
        label->setBuddy(field);
        row->addWidget(label);
        row->addWidget(field, stretch);
    };
    add(tr("&Method"), m_method, 0);
    add(tr("Po&ints"), m_evaluations, 0);
    add(tr("See&d"), m_seed, 0);
    add(tr("&Front by"), m_objectives, 1);
}

StoredSearch SearchBar::search() const {
    StoredSearch search;
    search.options.method = static_cast<SearchMethod>(m_method->currentData().toInt());
    search.options.evaluations = m_evaluations->value();
    search.options.seed = static_cast<std::uint64_t>(m_seed->value());
    for (const QString& name : m_objectives->text().split(u',', Qt::SkipEmptyParts))
        if (!name.trimmed().isEmpty())
            search.objectives.push_back(name.trimmed().toStdString());
    return search;
}

} // namespace pim::views
