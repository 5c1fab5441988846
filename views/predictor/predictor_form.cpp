// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/predictor/predictor_form.h"

#include "core/predict/kernel_families.h"
#include "views/common/icons.h"
#include "views/common/text_label.h"
#include "views/models/predictor_training.h"
#include "views/models/workspace.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScopeGuard>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace pim::views {

PredictorForm::PredictorForm(PredictorTraining& training, TaskList& tasks, QWidget* parent)
    : QWidget(parent), m_training(training), m_tasks(tasks),
      m_ofModel(new QCheckBox(tr("The ops of this &network"))), m_sizes(new QSpinBox), m_rounds(new QSpinBox),
      m_seed(new QSpinBox), m_shapes(new QLineEdit), m_train(new QPushButton(tr("&Train"))),
      m_stop(new QPushButton(tr("Sto&p"))), m_command(toolButton({}, tr("Copy as command"))),
      m_progress(new QProgressBar), m_message(new TextLabel) {
    setObjectName(QStringLiteral("PredictorForm"));
    for (const KernelFamily& family : kernelFamilies()) {
        const QString id = QString::fromUtf8(family.id.data(), qsizetype(family.id.size()));
        auto* box = new QCheckBox(id);
        box->setObjectName(id);
        box->setAccessibleName(tr("Learn kernels of the kind %1").arg(id));
        box->setToolTip(QString::fromUtf8(family.summary.data(), qsizetype(family.summary.size())));
        connect(box, &QCheckBox::toggled, this, &PredictorForm::ask);
        m_kinds.push_back(box);
    }
    describe();
    layOut();
    connect(m_ofModel, &QCheckBox::toggled, this, &PredictorForm::ask);
    for (QSpinBox* box : {m_sizes, m_rounds, m_seed})
        connect(box, &QSpinBox::valueChanged, this, &PredictorForm::ask);
    connect(m_shapes, &QLineEdit::textChanged, this, &PredictorForm::ask);
    connect(m_train, &QPushButton::clicked, &training, &PredictorTraining::start);
    connect(m_stop, &QPushButton::clicked, &training, &PredictorTraining::stop);
    connect(m_command, &QToolButton::clicked, this,
            [this] { emit commandRequested(m_training.commandLine()); });
    connect(&training, &PredictorTraining::requestChanged, this, &PredictorForm::takeRequest);
    connect(&training, &PredictorTraining::stateChanged, this, &PredictorForm::takeState);
    connect(&tasks, &TaskList::changed, this, &PredictorForm::takeProgress);
    takeRequest();
}

void PredictorForm::describe() {
    m_ofModel->setAccessibleName(tr("Learn the ops of the open network"));
    m_ofModel->setToolTip(
        tr("Also learn the kernels of all ops of the open network that this machine can run"));
    m_sizes->setRange(1, 1000);
    m_sizes->setAccessibleName(tr("Sizes of each kind"));
    m_sizes->setToolTip(tr("Sizes of each kind; one of five is not learned, so that error and ranking can be "
                           "measured on it"));
    m_rounds->setRange(1, 10000);
    m_rounds->setAccessibleName(tr("Trees of a form of kernels"));
    m_rounds->setToolTip(
        tr("Trees that are grown for each form of kernel; those that do not help sizes held out are "
           "left away"));
    m_seed->setRange(0, 1'000'000'000);
    m_seed->setAccessibleName(tr("Seed"));
    m_seed->setToolTip(
        tr("Of the drafts that are drawn and of the trees: the same seed gives the same predictor"));
    m_shapes->setPlaceholderText(tr("gemv:32x4096, matvec:512x512"));
    m_shapes->setClearButtonEnabled(true);
    m_shapes->setAccessibleName(tr("Shapes of your own"));
    m_shapes->setToolTip(
        tr("Kernels of a kind in sizes of your own: KIND:ROWSxCOLUMNS, separated by commas"));
    for (QPushButton* button : {m_train, m_stop})
        button->setAccessibleName(button->text().remove(u'&'));
    m_progress->setAccessibleName(tr("How far the training is"));
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_message->setAccessibleName(tr("State of the training"));
    m_command->setText(tr("Copy"));
    m_command->setToolTip(tr("Copy as command: a pimc line that trains the same"));
}

void PredictorForm::layOut() {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 6, 6, 6);
    column->setSpacing(4);
    column->addWidget(new QLabel(tr("Learn kernels of the kinds")));
    auto* kinds = new QGridLayout;
    for (std::size_t i = 0; i < m_kinds.size(); ++i)
        kinds->addWidget(m_kinds[i], static_cast<int>(i) / 2, static_cast<int>(i) % 2);
    column->addLayout(kinds);
    auto* shapes = new QLabel(tr("&Shapes of your own"));
    shapes->setBuddy(m_shapes);
    column->addWidget(shapes);
    column->addWidget(m_shapes);
    column->addWidget(m_ofModel);
    auto* fields = new QFormLayout;
    fields->addRow(tr("Si&zes of a kind"), m_sizes);
    fields->addRow(tr("T&rees"), m_rounds);
    fields->addRow(tr("See&d"), m_seed);
    column->addLayout(fields);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_train);
    buttons->addWidget(m_stop);
    buttons->addStretch();
    buttons->addWidget(m_command);
    column->addLayout(buttons);
    column->addWidget(m_progress);
    column->addWidget(m_message);
    column->addStretch();
}

QCheckBox* PredictorForm::kind(const QString& id) const {
    for (QCheckBox* box : m_kinds)
        if (box->objectName() == id)
            return box;
    return nullptr;
}

void PredictorForm::ask() {
    if (m_isTold)
        return;
    TrainingRequest request;
    for (const QCheckBox* box : m_kinds)
        if (box->isChecked())
            request.kinds << box->objectName();
    request.sizes = m_sizes->value();
    request.rounds = m_rounds->value();
    request.seed = static_cast<std::uint64_t>(m_seed->value());
    request.shapes = m_shapes->text();
    request.ofModel = m_ofModel->isChecked();
    m_training.setRequest(request);
}

void PredictorForm::takeRequest() {
    {
        m_isTold = true;
        const auto done = qScopeGuard([this] { m_isTold = false; });
        const TrainingRequest& request = m_training.request();
        for (QCheckBox* box : m_kinds)
            box->setChecked(request.kinds.contains(box->objectName()));
        m_sizes->setValue(request.sizes);
        m_rounds->setValue(request.rounds);
        m_seed->setValue(static_cast<int>(std::min<std::uint64_t>(request.seed, 1'000'000'000)));
        if (m_shapes->text() != request.shapes)
            m_shapes->setText(request.shapes);
        m_ofModel->setChecked(request.ofModel);
    }
    takeState();
}

void PredictorForm::takeState() {
    const QString why = m_training.whyNot();
    const bool isRunning = m_training.isRunning();
    m_train->setEnabled(!isRunning && why.isEmpty());
    m_train->setToolTip(why.isEmpty() ? tr("Simulate drafts of these kernels and learn from them, in a task")
                                      : why);
    m_stop->setVisible(isRunning);
    m_command->setEnabled(why.isEmpty());
    m_message->setText(isRunning                         ? QString()
                       : !why.isEmpty()                  ? why
                       : !m_training.problem().isEmpty() ? m_training.problem()
                                                         : m_training.notes().join(u'\n'));
    m_message->setVisible(!m_message->text().isEmpty());
    takeProgress();
}

void PredictorForm::takeProgress() {
    m_progress->setVisible(m_training.isRunning());
    for (const TaskList::Entry& entry : m_tasks.entries())
        if (entry.id == m_training.task()) {
            m_progress->setRange(0, static_cast<int>(entry.total));
            m_progress->setValue(static_cast<int>(entry.done));
            m_progress->setFormat(entry.total > 0 ? tr("%1: %v of %m").arg(entry.stage) : entry.stage);
        }
}

} // namespace pim::views
