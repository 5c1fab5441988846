// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a predictor is to learn: kinds of kernel, shapes, the ops of the network; and how. Flow: fields -> TrainingRequest.
#include <QWidget>

#include <vector>

class QCheckBox;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace pim::views {

class PredictorTraining;
class TaskList;
class TextLabel;

class PredictorForm : public QWidget {
    Q_OBJECT
public:
    PredictorForm(PredictorTraining& training, TaskList& tasks, QWidget* parent = nullptr);

    QPushButton* trainButton() const { return m_train; }
    QPushButton* stopButton() const { return m_stop; }
    QLineEdit* shapes() const { return m_shapes; }
    QSpinBox* sizes() const { return m_sizes; }
    QSpinBox* rounds() const { return m_rounds; }
    QCheckBox* kind(const QString& id) const; ///< Null if there is none.
    QCheckBox* ofModel() const { return m_ofModel; }

signals:
    void commandRequested(const QStringList& words);

private:
    void describe();
    void layOut();
    void ask();
    void takeRequest();
    void takeState();
    void takeProgress();

    PredictorTraining& m_training;
    TaskList& m_tasks;
    std::vector<QCheckBox*> m_kinds; ///< Object name: id.
    QCheckBox* m_ofModel;
    QSpinBox *m_sizes, *m_rounds, *m_seed;
    QLineEdit* m_shapes;
    QPushButton *m_train, *m_stop;
    QToolButton* m_command;
    QProgressBar* m_progress;
    TextLabel* m_message;
    bool m_isTold = false; ///< Fields are being filled.
};

} // namespace pim::views
