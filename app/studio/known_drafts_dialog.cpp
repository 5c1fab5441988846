// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/known_drafts_dialog.h"

#include "app/studio/help_library.h"
#include "core/base/number_text.h"
#include "core/plan/code_version.h"
#include "views/common/empty_state.h"
#include "views/common/figures_model.h"
#include "views/common/table_view.h"
#include "views/common/text_label.h"
#include "views/models/workspace.h"

#include <QDateTime>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLocale>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace pim::studio {

using views::Figure;
using views::KnownDraftsRead;

namespace {

constexpr int kWidest = 400; ///< Of a column, in pixels.

enum DraftColumn { Kernel, Sizes, Machine, Time, Found, Used, Tiling };

std::vector<views::FigureColumn> columns() {
    return {
        {KnownDraftsDialog::tr("Kernel"), "form", false,
         KnownDraftsDialog::tr("What runs over what, without sizes, and which tensors lie in PIM memory")},
        {KnownDraftsDialog::tr("Sizes"), "sizes", false, {}},
        {KnownDraftsDialog::tr("Target"), "target", false, {}},
        {KnownDraftsDialog::tr("Time"), "simulated_ns", true,
         KnownDraftsDialog::tr("Simulated, without the share of the host's memory")},
        {KnownDraftsDialog::tr("Found"), "found_utc", false,
         KnownDraftsDialog::tr("When it was added to the project")},
        {KnownDraftsDialog::tr("Used"), "of_this_code", false,
         KnownDraftsDialog::tr(
             "What another version of the program found is kept for it; this one searches for itself")},
        {KnownDraftsDialog::tr("Draft"), "draft", false,
         KnownDraftsDialog::tr("The tiling that simulation found to be the fastest")}};
}

Figure timeFigure(double ns) {
    return {QString::fromStdString(timeText(ns)), ns, {}};
}

Figure foundFigure(const std::string& utc) {
    QDateTime when = QDateTime::fromString(QString::fromStdString(utc), Qt::ISODate);
    when.setTimeSpec(Qt::UTC);
    return {when.isValid() ? QLocale::system().toString(when.toLocalTime(), QLocale::ShortFormat)
                           : QString::fromStdString(utc),
            QString::fromStdString(utc),
            {}};
}

std::vector<Figure> rowOf(const KnownDraft& draft) {
    const auto same = [](const std::string& words) { return Figure{QString::fromStdString(words), {}, {}}; };
    const bool isUsed = draft.code == codeVersion();
    return {same(draft.form),
            same(draft.sizes),
            same(draft.targetId),
            timeFigure(draft.price.totalNs()),
            foundFigure(draft.foundUtc),
            {isUsed ? KnownDraftsDialog::tr("yes") : KnownDraftsDialog::tr("no, other version"),
             isUsed ? 1 : 0,
             {}},
            same(draft.draft)};
}

QString summaryOf(const KnownDraftsRead& found, const QString& file) {
    const auto& drafts = found.stored.drafts;
    const auto used = std::ranges::count(drafts, codeVersion(), &KnownDraft::code);
    QString said = drafts.size() == 1 ? KnownDraftsDialog::tr("1 best draft")
                                      : KnownDraftsDialog::tr("%1 best drafts").arg(drafts.size());
    if (found.bytes)
        said += KnownDraftsDialog::tr(", %1 of %2")
                    .arg(QString::fromStdString(bytesText(static_cast<double>(*found.bytes))), file);
    said += KnownDraftsDialog::tr(
        ". A compile answers the same kernel on the same machine with the same options from here, "
        "without a search.");
    if (used < std::ssize(drafts))
        said += KnownDraftsDialog::tr(" %1 of another version of the program are not used.")
                    .arg(std::ssize(drafts) - used);
    if (found.stored.damaged > 0)
        said += KnownDraftsDialog::tr(" %1 more are damaged and not used.").arg(found.stored.damaged);
    return said;
}

} // namespace

KnownDraftsDialog::KnownDraftsDialog(views::Workspace& workspace, QWidget* parent)
    : QDialog(parent), m_workspace(workspace), m_drafts(views::KnownDrafts::of(workspace)),
      m_summary(new views::TextLabel), m_pages(new QStackedWidget),
      m_empty(new views::EmptyState(QStringLiteral("table"))),
      m_model(new views::FiguresModel(columns(), this)), m_table(new views::TableView),
      m_whyNot(new views::TextLabel), m_clear(new QPushButton(tr("C&lear…"))) {
    setObjectName(QStringLiteral("KnownDraftsDialog"));
    setWindowTitle(tr("Known Drafts"));
    setProperty(kHelpTopicProperty, QStringLiteral("drafts"));
    m_summary->setAccessibleName(tr("How many drafts the project knows"));
    m_whyNot->setAccessibleName(tr("Why they cannot be cleared"));
    m_clear->setToolTip(tr("Clear them all: kernels are searched again"));
    m_clear->setAutoDefault(false);
    auto* sorted = new QSortFilterProxyModel(this);
    sorted->setSourceModel(m_model);
    sorted->setSortRole(Qt::EditRole);
    m_table->setModel(sorted);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(Time, Qt::DescendingOrder); // what costs most is looked at first
    m_table->setAccessibleName(tr("Table of known drafts"));
    m_table->setExportName(QStringLiteral("known-drafts"));
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_table);
    auto* box = new QDialogButtonBox(QDialogButtonBox::Close);
    box->addButton(m_clear, QDialogButtonBox::ResetRole);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_summary);
    layout->addWidget(m_pages, 1);
    layout->addWidget(m_whyNot);
    layout->addWidget(box);
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_clear, &QPushButton::clicked, this, &KnownDraftsDialog::askToClear);
    connect(&workspace, &views::Workspace::projectChanged, this, &KnownDraftsDialog::readAgain);
    connect(&m_drafts, &views::KnownDrafts::changed, this, &KnownDraftsDialog::readAgain);
    resize(1160, 480); // a draft of three dimension sets is read without scrolling
    showNothing(tr("Reading…"), {});
    readAgain();
}

QString KnownDraftsDialog::summary() const {
    return m_summary->text();
}

QString KnownDraftsDialog::emptyText() const {
    return m_pages->currentWidget() == m_empty ? m_empty->text() : QString();
}

void KnownDraftsDialog::readAgain() {
    if (const QString reason = m_drafts.whyNotShown(); !reason.isEmpty())
        return showNothing(tr("No project"), reason);
    m_drafts.read([self = QPointer(this)](const Result<KnownDraftsRead>& found) {
        if (self)
            self->take(found);
    });
}

void KnownDraftsDialog::take(const Result<KnownDraftsRead>& found) {
    if (!found)
        return showNothing(tr("The project cannot be read"), QString::fromStdString(found.error().text()));
    const auto& drafts = found->stored.drafts;
    const std::int64_t all = std::ssize(drafts) + found->stored.damaged;
    if (all == 0)
        return showNothing(
            tr("No drafts yet"),
            tr("The project keeps the best draft that a compile finds by simulation for each kernel."));
    const bool wasEmpty = m_pages->currentWidget() == m_empty;
    std::vector<std::vector<Figure>> rows;
    m_simulated = 0;
    for (const KnownDraft& draft : drafts) {
        rows.push_back(rowOf(draft));
        m_simulated += draft.check.simulated;
    }
    m_count = all;
    m_model->setRows(std::move(rows));
    const Project* const saved = m_workspace.savedProject();
    m_summary->setText(summaryOf(*found, saved ? QString::fromStdString(saved->file().filename().string())
                                               : tr("the unsaved project")));
    m_summary->show();
    m_pages->setCurrentWidget(m_table);
    const QString reason = m_drafts.whyNotCleared();
    m_whyNot->setText(reason);
    m_whyNot->setVisible(!reason.isEmpty());
    m_clear->setEnabled(reason.isEmpty());
    if (wasEmpty) {
        m_table->horizontalHeader()->setStretchLastSection(false); // or there is no room to share
        m_table->fitColumns(kWidest);
        m_table->horizontalHeader()->setStretchLastSection(true);
    }
}

void KnownDraftsDialog::showNothing(const QString& missing, const QString& whatToDo) {
    m_model->setRows({});
    m_summary->hide();
    m_whyNot->hide();
    m_clear->setEnabled(false);
    m_empty->setText(missing, whatToDo);
    m_pages->setCurrentWidget(m_empty);
}

void KnownDraftsDialog::askToClear() {
    auto* question = new QMessageBox(QMessageBox::Warning, tr("Clear Known Drafts"),
                                     m_count == 1 ? tr("Clear the draft the project knows?")
                                                  : tr("Clear all %1 drafts the project knows?").arg(m_count),
                                     QMessageBox::Cancel, this);
    question->setInformativeText(
        tr("This cannot be undone. Their kernels are searched again when they are next compiled; "
           "%1 drafts were simulated to find them. Plans and runs stay as they are.")
            .arg(m_simulated));
    QPushButton* yes = question->addButton(tr("C&lear"), QMessageBox::DestructiveRole);
    question->setDefaultButton(QMessageBox::Cancel);
    question->setAttribute(Qt::WA_DeleteOnClose);
    connect(yes, &QPushButton::clicked, this, [this] { m_drafts.clear(); });
    question->open();
}

} // namespace pim::studio
