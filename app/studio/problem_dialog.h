// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A report of a problem: what would be in it is shown, file by file, and an archive of what is ticked is written where the person says.
/// Nothing is sent to anybody.
#include "core/base/result.h"

#include <QDialog>
#include <QList>

class QLabel;
class QListWidget;
class QPlainTextEdit;

namespace pim::views {
class Workspace;
}

namespace pim::studio {

class Settings;

class ProblemDialog : public QDialog {
    Q_OBJECT
public:
    /// \p crashFolder: its reports are offered; \p crash is ticked among them. Both may be empty.
    ProblemDialog(const views::Workspace& workspace, const Settings& settings, const QString& crashFolder,
                  const QString& crash, QWidget* parent = nullptr);

    QStringList chosen() const; ///< Names of the files that would be written.
    /// As the person does it with a box of the list. \returns false if there is no such file.
    bool choose(const QString& name, bool isChosen);
    Result<void> save(const QString& file);

signals:
    void saved(const QString& message, const QString& file);

private:
    struct Part {
        QString name, about;
        std::string content;
        bool isMade = true; ///< Else it is made when it is looked at or ticked.
    };
    void addPart(const QString& name, const QString& about, std::string content, bool isChosen);
    void addCrashes(const QString& folder, const QString& crash);
    void addModel(const views::Workspace& workspace);
    void make(int row);
    void showPart(int row);
    void askForFile();

    QString m_modelPath;
    QList<Part> m_parts;
    QPlainTextEdit* m_story;
    QListWidget* m_list;
    QLabel* m_about;
    QPlainTextEdit* m_preview;
};

} // namespace pim::studio
