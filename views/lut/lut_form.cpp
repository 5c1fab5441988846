// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lut/lut_form.h"

#include "views/common/icons.h"
#include "views/common/option_form.h"
#include "views/common/text.h"
#include "views/common/text_label.h"
#include "views/models/lut_calibration.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <limits>

namespace pim::views {
namespace {

QLabel* caption(const QString& text, QWidget* of) {
    auto* label = new QLabel(text);
    label->setBuddy(of);
    return label;
}

} // namespace

LutForm::LutForm(LutCalibration& calibration, TaskList& tasks, QWidget* parent)
    : QWidget(parent), m_calibration(calibration), m_tasks(tasks), m_folder(new QComboBox),
      m_browse(toolButton(QStringLiteral("open"), tr("Choose the folder…"))), m_options(new OptionForm),
      m_rules(new QLineEdit), m_several(new QLineEdit), m_start(new QPushButton),
      m_stop(new QPushButton(tr("Sto&p"))), m_anew(new QPushButton(tr("Start A&new"))),
      m_runAll(new QPushButton(tr("Run &All"))), m_command(toolButton({}, tr("Copy as command"))),
      m_progress(new QProgressBar), m_message(new TextLabel) {
    setObjectName(QStringLiteral("LutForm"));
    describe();
    layOut();
    follow();
    takeAsked();
}

/// What everything is and is called.
void LutForm::describe() {
    m_folder->setEditable(true);
    m_folder->setInsertPolicy(QComboBox::NoInsert);
    m_folder->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_folder->setMinimumContentsLength(8);
    m_folder->setAccessibleName(tr("Folder with samples"));
    m_folder->setToolTip(
        tr("Folder with calib_x.npy to calibrate with, test_x.npy and test_y.npy to measure with"));
    m_folder->lineEdit()->setPlaceholderText(tr("folder with test_x.npy and calib_x.npy"));
    m_options->setCompact(true);
    m_rules->setAccessibleName(tr("Layers with sizes of their own"));
    m_rules->setPlaceholderText(tr("ffn1:v=2,ct=16; head:off"));
    m_rules->setToolTip(tr("Other sizes for layers with this in their names, or off: they stay as they are. "
                           "Several separated by ;"));
    m_rules->setClearButtonEnabled(true);
    m_several->setAccessibleName(tr("Values to try"));
    m_several->setPlaceholderText(tr("v=2,4,8; ct=8,16"));
    m_several->setToolTip(
        tr("Values of options; all combinations are calibrated one after the other, the rest as above"));
    m_several->setClearButtonEnabled(true);
    m_runAll->setToolTip(tr("Calibrate all combinations of these values"));
    for (QPushButton* button : {m_start, m_stop, m_anew, m_runAll})
        button->setAccessibleName(button->text().remove(u'&'));
    m_stop->setToolTip(tr("What was trained so far is kept: Resume goes on with it"));
    m_anew->setToolTip(tr("Forget the training that was stopped and begin again"));
    m_progress->setAccessibleName(tr("How far the calibration is"));
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_message->setAccessibleName(tr("State of the calibration"));
    m_command->setText(tr("Copy"));
    m_command->setToolTip(tr("Copy as command: a pimc line that calibrates the same"));
}

void LutForm::layOut() {
    auto* folder = new QHBoxLayout;
    folder->setSpacing(2);
    folder->addWidget(m_folder, 1);
    folder->addWidget(m_browse);
    auto* several = new QHBoxLayout;
    several->addWidget(m_several, 1);
    several->addWidget(m_runAll);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_start);
    buttons->addWidget(m_stop);
    buttons->addWidget(m_anew);
    buttons->addStretch();
    buttons->addWidget(m_command);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 6, 6, 6);
    column->setSpacing(4);
    column->addWidget(caption(tr("Sa&mples"), m_folder));
    column->addLayout(folder);
    column->addWidget(m_options);
    column->addWidget(caption(tr("&Layers with other sizes"), m_rules));
    column->addWidget(m_rules);
    column->addLayout(buttons);
    column->addWidget(caption(tr("&Try several values"), m_several));
    column->addLayout(several);
    column->addWidget(m_progress);
    column->addWidget(m_message);
    column->addStretch();
}

void LutForm::follow() {
    connect(m_browse, &QToolButton::clicked, this, &LutForm::askForFolder);
    connect(m_folder, &QComboBox::activated, this,
            [this](int at) { m_calibration.setFolder(m_folder->itemText(at)); });
    connect(m_folder->lineEdit(), &QLineEdit::editingFinished, this,
            [this] { m_calibration.setFolder(m_folder->currentText().trimmed()); });
    connect(m_options, &OptionForm::chosen, &m_calibration, &LutCalibration::setOptions);
    connect(m_rules, &QLineEdit::editingFinished, this,
            [this] { m_calibration.setRules(m_rules->text().trimmed()); });
    connect(m_start, &QPushButton::clicked, &m_calibration, &LutCalibration::start);
    connect(m_anew, &QPushButton::clicked, &m_calibration, &LutCalibration::startAnew);
    connect(m_command, &QToolButton::clicked, this, &LutForm::commandRequested);
    connect(m_runAll, &QPushButton::clicked, this, &LutForm::startAll);
    connect(m_several, &QLineEdit::returnPressed, this, &LutForm::startAll);
    connect(m_several, &QLineEdit::textEdited, this, [this] {
        m_oddSeveral.clear();
        takeState();
    });
    connect(m_stop, &QPushButton::clicked, &m_calibration, &LutCalibration::stop);
    connect(&m_calibration, &LutCalibration::askedChanged, this, &LutForm::takeAsked);
    connect(&m_calibration, &LutCalibration::stateChanged, this, &LutForm::takeState);
    connect(&m_tasks, &TaskList::changed, this, &LutForm::takeProgress);
}

QString LutForm::message() const {
    return m_message->text();
}

void LutForm::askForFolder() {
    const QString chosen =
        QFileDialog::getExistingDirectory(this, tr("Folder with samples"), m_calibration.folder());
    if (!chosen.isEmpty())
        m_calibration.setFolder(chosen);
}

void LutForm::takeAsked() {
    const QSignalBlocker quiet(m_folder);
    QStringList folders = m_calibration.recentFolders();
    if (!m_calibration.folder().isEmpty() && !folders.contains(m_calibration.folder()))
        folders.prepend(m_calibration.folder());
    m_folder->clear();
    m_folder->addItems(folders);
    m_folder->setCurrentIndex(static_cast<int>(folders.indexOf(m_calibration.folder())));
    m_folder->setEditText(m_calibration.folder());
    m_options->setTable(tr("the calibration"), &lut::conversionTable(), m_calibration.options());
    const auto known = lut::conversionTable().read(m_calibration.options());
    const bool trains = known && known->method == lut::LutMethod::Elut;
    for (const char* of : {"loss", "steps", "batch"})
        if (QWidget* const input = m_options->inputOf(of))
            input->setEnabled(trains); // of training; no other method has any
    if (m_rules->text().trimmed() != m_calibration.rules())
        m_rules->setText(m_calibration.rules());
    takeState();
}

void LutForm::takeState() {
    const QString why = m_calibration.whyNot();
    const bool isRunning = m_calibration.isRunning(), resumes = m_calibration.canResume();
    m_start->setText(resumes ? tr("&Resume") : tr("&Calibrate"));
    m_start->setAccessibleName(m_start->text().remove(u'&'));
    m_start->setToolTip(
        !why.isEmpty() ? why
        : resumes      ? tr("Go on with the training that was stopped")
                       : tr("Make tables from the calibration samples and measure them on the test samples"));
    m_start->setEnabled(!isRunning && why.isEmpty());
    m_command->setEnabled(why.isEmpty());
    m_runAll->setEnabled(!isRunning && why.isEmpty());
    m_stop->setVisible(isRunning);
    m_anew->setVisible(resumes && why.isEmpty());
    m_progress->setVisible(isRunning);
    m_message->setText(isRunning                            ? QString()
                       : !m_calibration.problem().isEmpty() ? QStringLiteral("✗ ") + m_calibration.problem()
                       : !m_oddSeveral.isEmpty()            ? QStringLiteral("✗ ") + m_oddSeveral
                       : !why.isEmpty()                     ? why
                                                            : QString());
    m_message->setVisible(!m_message->text().isEmpty());
    takeProgress();
}

void LutForm::startAll() {
    if (m_calibration.isRunning())
        return;
    auto several = m_calibration.combinations(m_several->text());
    m_oddSeveral = several ? QString() : text(several.error().text());
    if (several)
        m_calibration.startAll(std::move(*several));
    takeState();
}

void LutForm::takeProgress() {
    if (!m_calibration.isRunning())
        return;
    for (const TaskList::Entry& entry : m_tasks.entries()) {
        if (entry.id != m_calibration.task())
            continue;
        const auto most = std::min<std::int64_t>(entry.total, std::numeric_limits<int>::max());
        m_progress->setRange(0, static_cast<int>(most)); // 0: only that it goes on
        m_progress->setValue(static_cast<int>(std::min(entry.done, most)));
        m_progress->setFormat(tr("%1 of %2").arg(entry.done).arg(entry.total));
        const QString stage = entry.stage.isEmpty() ? tr("starting") : entry.stage;
        QString line = tr("%1 · %2 s").arg(stage).arg(entry.seconds, 0, 'f', 0);
        if (m_calibration.waiting() > 0)
            line += tr(" · %1 more to come").arg(m_calibration.waiting());
        m_message->setText(line);
        m_message->show();
    }
}

} // namespace pim::views
