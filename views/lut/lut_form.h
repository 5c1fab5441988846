// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a calibration is asked for: folder of samples, options, layers with sizes of their own; start and stop, and how far it is.
#include <QWidget>

class QComboBox;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace pim::views {

class LutCalibration;
class OptionForm;
class TaskList;
class TextLabel;

class LutForm : public QWidget {
    Q_OBJECT
public:
    /// Both outlive it.
    LutForm(LutCalibration& calibration, TaskList& tasks, QWidget* parent = nullptr);

    QComboBox* folderBox() const { return m_folder; }
    OptionForm* options() const { return m_options; }
    QLineEdit* rules() const { return m_rules; }
    QPushButton* startButton() const { return m_start; } ///< "Calibrate" or "Resume".
    QPushButton* stopButton() const { return m_stop; }
    QPushButton* anewButton() const { return m_anew; }
    QLineEdit* several() const { return m_several; } ///< "v=2,4,8; ct=8,16"
    QPushButton* severalButton() const { return m_runAll; }
    QProgressBar* progress() const { return m_progress; }
    QString message() const; ///< What is wrong or goes on.

signals:
    void commandRequested(); ///< A line that calibrates the same.

private:
    void describe();
    void layOut();
    void follow();
    void askForFolder();
    void takeAsked();
    void takeState();
    void takeProgress();
    void startAll();

    LutCalibration& m_calibration;
    TaskList& m_tasks;
    QComboBox* m_folder;
    QToolButton* m_browse;
    OptionForm* m_options;
    QLineEdit *m_rules, *m_several;
    QPushButton *m_start, *m_stop, *m_anew, *m_runAll;
    QString m_oddSeveral; ///< What is wrong with the values to try.
    QToolButton* m_command;
    QProgressBar* m_progress;
    TextLabel* m_message;
};

} // namespace pim::views
