// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The panels of the window and how they are laid out around the three questions a user has. One layout for each
/// question is remembered; the user may move panels, lock them, or go back to how they were.
#include <QByteArray>
#include <QObject>

#include <map>

class QAction;
class QDockWidget;
class QMainWindow;

namespace pim::studio {

class Settings;

enum class Question { WhereTimeGoes, WhyThisDraft, WhatIf };
inline constexpr int kQuestions = 3;

class Panels : public QObject {
    Q_OBJECT
public:
    Panels(QMainWindow& window, Settings& settings);

    /// \param id of the panel: object name of its dock and its help page, where there is one.
    QDockWidget* add(const QString& id, const QString& title, QWidget* content);
    QDockWidget* dock(const QString& id) const { return m_docks.at(id); }
    const std::map<QString, QDockWidget*>& docks() const { return m_docks; }

    Question question() const { return m_question; }
    void show(Question question); ///< Keeps the layout of the question left.
    void showAgain();             ///< After hideAll().
    void hideAll();
    void reset();                 ///< All layouts as they were at first.
    void setLocked(bool locked);
    bool isLocked() const { return m_locked; }
    void save();                  ///< To the settings.
    QString panelWithFocus() const;

signals:
    void questionChanged(pim::studio::Question question);
    void layoutApplied();

private:
    void applyDefault();
    void apply();
    bool eventFilter(QObject* watched, QEvent* event) override;
    void nameTabBars();

    QMainWindow& m_window;
    Settings& m_settings;
    std::map<QString, QDockWidget*> m_docks;
    std::map<Question, QByteArray> m_layouts;
    Question m_question = Question::WhereTimeGoes;
    bool m_shown = false;
    bool m_locked = false;
};

} // namespace pim::studio
