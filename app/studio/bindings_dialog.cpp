// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/bindings_dialog.h"

#include "views/models/workspace.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

namespace pim::studio {

BindingsDialog::BindingsDialog(views::Workspace& workspace, QWidget* parent)
    : QDialog(parent), m_workspace(workspace) {
    setObjectName(QStringLiteral("BindingsDialog"));
    setWindowTitle(tr("Dimensions"));
    setAccessibleName(tr("Dimensions of the model"));
    const auto graph = workspace.graph();
    const std::vector<DimBinding> bindings = graph ? graph->bindings : std::vector<DimBinding>();
    auto* lead = new QLabel(bindings.empty() ? tr("All dimensions of this model are fixed.")
                                             : tr("The model leaves these dimensions open. The model is not "
                                                  "read again when a value changes."));
    lead->setWordWrap(true);
    auto* page = new QWidget;
    auto* grid = new QGridLayout(page);
    grid->setColumnStretch(3, 1);
    int row = 0;
    for (const DimBinding& binding : bindings) {
        const QString symbol = QString::fromStdString(binding.symbol);
        auto* spin = new QSpinBox;
        spin->setRange(1, 1'000'000'000);
        spin->setValue(static_cast<int>(std::min<std::int64_t>(binding.value, spin->maximum())));
        spin->setAccessibleName(tr("Value of %1").arg(symbol));
        spin->setMinimumWidth(120);
        auto* label = new QLabel(symbol);
        label->setBuddy(spin);
        QStringList tensors;
        for (const std::string& tensor : binding.tensors)
            tensors.append(QString::fromStdString(tensor));
        auto* used = new QLabel(
            tensors.size() > 3 ? tr("%1, %2 and %3 more").arg(tensors[0], tensors[1]).arg(tensors.size() - 2)
                               : tensors.join(QStringLiteral(", ")));
        used->setToolTip(tensors.mid(0, 40).join(u'\n'));
        used->setForegroundRole(QPalette::PlaceholderText);
        auto* assumed = new QLabel(binding.assumed ? tr("assumed") : QString());
        assumed->setToolTip(tr("Not chosen by anyone; 1 is the default"));
        grid->addWidget(label, row, 0);
        grid->addWidget(spin, row, 1);
        grid->addWidget(assumed, row, 2);
        grid->addWidget(used, row, 3);
        m_values.emplace_back(binding.symbol, spin);
        m_shown[binding.symbol] = binding.value;
        ++row;
    }
    grid->setRowStretch(row, 1);
    auto* scroll = new QScrollArea;
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setAccessibleName(tr("Open dimensions"));
    scroll->setVisible(!bindings.empty());
    auto* buttons = new QDialogButtonBox(bindings.empty() ? QDialogButtonBox::Close
                                                          : QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        apply();
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(lead);
    column->addWidget(scroll, 1);
    column->addWidget(buttons);
    resize(560, std::min(480, 130 + 40 * row));
}

void BindingsDialog::apply() {
    // What was chosen before stays chosen; a default becomes a choice only where it was changed.
    std::map<std::string, std::int64_t> chosen = m_workspace.graphOptions().bindings;
    for (const auto& [symbol, spin] : m_values)
        if (spin->value() != m_shown[symbol])
            chosen[symbol] = spin->value();
    m_workspace.setBindings(chosen);
}

} // namespace pim::studio
