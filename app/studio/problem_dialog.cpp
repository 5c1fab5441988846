// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/problem_dialog.h"

#include "app/studio/settings.h"
#include "core/base/log.h"
#include "core/base/number_text.h"
#include "core/base/version.h"
#include "core/graph/bare_model.h"
#include "core/report/versions.h"
#include "core/support/archive.h"
#include "core/support/crash_reports.h"
#include "views/models/workspace.h"

#include <QDateTime>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

namespace pim::studio {
namespace {

constexpr const char* kStory = "description.txt";
constexpr const char* kModel = "model-without-weights.onnx";
constexpr std::size_t kShownBytes = std::size_t{256} << 10; ///< Of a file, in the dialog.

std::string logText() {
    std::string text;
    for (const LogEntry& entry : Log::get().since(0))
        text += entry.line() + "\n";
    return text;
}

std::string settingsText(const Settings& settings) {
    QFile file(settings.file());
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

std::string versionsText(const views::Workspace& workspace) {
    return "PIM Studio " PIM_VERSION ", Qt " + std::string(qVersion()) + " on " +
           QGuiApplication::platformName().toStdString() + "\n" +
           versionText(versionList(workspace.catalog(), true));
}

bool isText(const std::string& content) {
    return content.find('\0') == std::string::npos;
}

} // namespace

ProblemDialog::ProblemDialog(const views::Workspace& workspace, const Settings& settings,
                             const QString& crashFolder, const QString& crash, QWidget* parent)
    : QDialog(parent), m_story(new QPlainTextEdit), m_list(new QListWidget), m_about(new QLabel),
      m_preview(new QPlainTextEdit) {
    setObjectName(QStringLiteral("ProblemDialog"));
    setWindowTitle(tr("Report a Problem"));
    auto* intro = new QLabel(tr(
        "This writes an archive of the ticked files, for you to hand to whoever shall look at the problem. "
        "<b>Nothing is sent.</b> Your home folder is written as ~."));
    intro->setWordWrap(true);
    intro->setTextFormat(Qt::RichText);
    m_story->setPlaceholderText(tr("What did you do, what did you expect, what happened?"));
    m_story->setAccessibleName(tr("What happened"));
    m_story->setTabChangesFocus(true);
    m_list->setAccessibleName(tr("Files of the report"));
    m_about->setWordWrap(true);
    m_preview->setReadOnly(true);
    m_preview->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_preview->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_preview->setAccessibleName(tr("Content of the file"));

    addPart(QStringLiteral("versions.txt"),
            tr("The program, its libraries, this system and the machines it knows."), versionsText(workspace),
            true);
    addPart(QStringLiteral("log.txt"),
            tr("What the program said since it began: files opened, tasks, messages."), logText(), true);
    addPart(QStringLiteral("settings.ini"),
            tr("Your settings, with the files opened last and how the window stands."),
            settingsText(settings), true);
    addCrashes(crashFolder, crash);
    addModel(workspace);

    auto* right = new QWidget;
    auto* shown = new QVBoxLayout(right);
    shown->setContentsMargins(0, 0, 0, 0);
    shown->addWidget(m_about);
    shown->addWidget(m_preview, 1);
    auto* split = new QSplitter;
    split->setChildrenCollapsible(false);
    split->addWidget(m_list);
    split->addWidget(right);
    split->setStretchFactor(1, 3);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* write = buttons->addButton(tr("Save Report…"), QDialogButtonBox::ActionRole);
    auto* column = new QVBoxLayout(this);
    column->addWidget(intro);
    column->addWidget(m_story);
    column->addWidget(split, 1);
    column->addWidget(buttons);
    const int line = fontMetrics().lineSpacing();
    m_story->setFixedHeight(4 * line);
    m_list->setMinimumWidth(30 * fontMetrics().averageCharWidth());
    resize(60 * line, 36 * line);

    connect(m_list, &QListWidget::currentRowChanged, this, &ProblemDialog::showPart);
    connect(m_list, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) {
        if (item->checkState() == Qt::Checked)
            make(m_list->row(item));
        m_list->setCurrentRow(m_list->row(item));
    });
    connect(write, &QPushButton::clicked, this, &ProblemDialog::askForFile);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    m_list->setCurrentRow(0);
}

void ProblemDialog::addPart(const QString& name, const QString& about, std::string content, bool isChosen) {
    m_parts.append({name, about, withoutHome(std::move(content)), true});
    auto* item = new QListWidgetItem(name, m_list);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(isChosen ? Qt::Checked : Qt::Unchecked);
}

void ProblemDialog::addCrashes(const QString& folder, const QString& crash) {
    if (folder.isEmpty())
        return;
    for (const CrashReport& report : crashReports(folder.toStdString())) {
        const QString file = QString::fromStdString(report.file.string());
        addPart(QStringLiteral("crash-") + QFileInfo(file).fileName(),
                tr("Where %1 crashed: %2. Functions, and what it had said last.")
                    .arg(QString::fromStdString(report.program), QString::fromStdString(report.signal)),
                report.text, file == crash);
    }
}

/// Weights are skipped but the file is long; so it is made when somebody wants it.
void ProblemDialog::addModel(const views::Workspace& workspace) {
    if (!workspace.graph())
        return;
    m_modelPath = workspace.modelPath();
    addPart(QString::fromLatin1(kModel),
            tr("The structure of %1: operators, shapes and names, without the numbers of its weights.")
                .arg(QFileInfo(m_modelPath).fileName()),
            {}, false);
    m_parts.last().isMade = false;
}

void ProblemDialog::make(int row) {
    Part& part = m_parts[row];
    if (std::exchange(part.isMade, true))
        return;
    if (auto bare = modelWithoutWeights(m_modelPath.toStdString())) {
        part.content = *std::move(bare);
        return;
    } else {
        part.about = tr("Cannot be added: %1").arg(QString::fromStdString(bare.error().text()));
    }
    QListWidgetItem* const item = m_list->item(row);
    item->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled);
    item->setCheckState(Qt::Unchecked);
}

void ProblemDialog::showPart(int row) {
    if (row < 0)
        return;
    make(row);
    const Part& part = m_parts[row];
    m_about->setText(QStringLiteral("%1 (%2)").arg(
        part.about, QString::fromStdString(bytesText(static_cast<double>(part.content.size())))));
    m_preview->setPlainText(isText(part.content)
                                ? QString::fromStdString(part.content.substr(0, kShownBytes))
                                : tr("An ONNX file; Netron and pimc inspect show what is in it."));
}

QStringList ProblemDialog::chosen() const {
    QStringList names;
    if (!m_story->toPlainText().trimmed().isEmpty())
        names.append(QString::fromLatin1(kStory));
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->checkState() == Qt::Checked)
            names.append(m_parts[row].name);
    return names;
}

bool ProblemDialog::choose(const QString& name, bool isChosen) {
    for (int row = 0; row < m_list->count(); ++row)
        if (m_parts[row].name == name) {
            m_list->item(row)->setCheckState(isChosen ? Qt::Checked : Qt::Unchecked);
            return true;
        }
    return false;
}

Result<void> ProblemDialog::save(const QString& file) {
    std::vector<ArchivedFile> files;
    const QStringList names = chosen();
    if (names.contains(QString::fromLatin1(kStory)))
        files.push_back({kStory, m_story->toPlainText().toStdString() + "\n"});
    for (const Part& part : m_parts)
        if (names.contains(part.name))
            files.push_back({part.name.toStdString(), part.content});
    PIM_CHECK(writeArchive(file.toStdString(), files));
    emit saved(tr("The report is written; nothing was sent: %1").arg(QDir::toNativeSeparators(file)),
               QFileInfo(file).absolutePath());
    return {};
}

void ProblemDialog::askForFile() {
    const QString proposed = QStringLiteral("pimstudio-problem-%1.zip")
                                 .arg(QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmm")));
    QString file = QFileDialog::getSaveFileName(this, tr("Save Report"), proposed, tr("Archives (*.zip)"));
    if (file.isEmpty())
        return;
    if (QFileInfo(file).suffix().isEmpty())
        file += QStringLiteral(".zip");
    if (const auto done = save(file); !done) {
        auto* box = new QMessageBox(QMessageBox::Warning, tr("Report a Problem"),
                                    QString::fromStdString(done.error().text()), QMessageBox::Ok, this);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
        return;
    }
    close();
}

} // namespace pim::studio
