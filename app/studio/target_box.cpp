// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/target_box.h"

#include "core/base/number_text.h"
#include "views/models/workspace.h"

#include <QFileDialog>
#include <QStandardItemModel>

namespace pim::studio {
namespace {

QString describe(const Target& target) {
    QStringList levels;
    for (const Level& level : target.levels)
        levels.append(QStringLiteral("%1 × %2").arg(level.count).arg(QString::fromStdString(level.name)));
    return QStringLiteral("<p><b>%1</b></p><p>%2</p><p>%3<br/>%4</p>")
        .arg(QString::fromStdString(target.name).toHtmlEscaped(),
             QString::fromStdString(target.summary).toHtmlEscaped(),
             levels.join(QStringLiteral(" › ")).toHtmlEscaped(),
             TargetBox::tr("Host: %1").arg(QString::fromStdString(target.host.name)).toHtmlEscaped());
}

const QString kFromFile = QStringLiteral("file…");

} // namespace

TargetBox::TargetBox(views::Workspace& workspace, QWidget* parent)
    : QComboBox(parent), m_workspace(workspace) {
    setObjectName(QStringLiteral("TargetBox"));
    setAccessibleName(tr("Target machine"));
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(24);
    setMaxVisibleItems(24);
    auto* items = new QStandardItemModel(this);
    std::map<std::string, std::vector<std::shared_ptr<const Target>>> families;
    for (const auto& target : workspace.catalog().targets())
        families[target->family].push_back(target);
    for (const auto& [family, targets] : families) {
        auto* heading = new QStandardItem(QString::fromStdString(family).toUpper());
        heading->setEnabled(false);
        QFont bold = font();
        bold.setBold(true);
        heading->setFont(bold);
        items->appendRow(heading);
        for (const auto& target : targets) {
            auto* item = new QStandardItem(QString::fromStdString(target->name));
            item->setData(QString::fromStdString(target->id), Qt::UserRole);
            item->setToolTip(describe(*target));
            items->appendRow(item);
        }
    }
    auto* file = new QStandardItem(tr("From a file…"));
    file->setData(kFromFile, Qt::UserRole);
    items->appendRow(file);
    setModel(items);
    connect(this, &QComboBox::activated, this, [this] {
        const QString id = currentData().toString();
        if (id != kFromFile)
            return m_workspace.setTarget(id);
        showCurrent();
        if (const QString path =
                QFileDialog::getOpenFileName(this, tr("Open Target"), {}, tr("Target descriptions (*.json)"));
            !path.isEmpty())
            m_workspace.setTarget(path);
    });
    connect(&workspace, &views::Workspace::targetChanged, this, &TargetBox::showCurrent);
    showCurrent();
}

void TargetBox::showCurrent() {
    const auto target = m_workspace.target();
    setPlaceholderText(target ? QString::fromStdString(target->name) : tr("Choose a target"));
    setCurrentIndex(target ? findData(QString::fromStdString(target->id)) : -1);
    setToolTip(target ? describe(*target) : tr("The machine to compile for"));
}

} // namespace pim::studio
