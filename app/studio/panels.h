// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The panels of the window and how they are laid out around the three questions a user has. One layout for each
/// question and family of hardware is remembered; the user may move panels, lock them, or go back to how they were.
#include "app/studio/arrangement.h"

#include <QByteArray>
#include <QObject>

#include <map>

class QAction;
class QDockWidget;
class QMainWindow;

namespace pim::views {
struct FamilyPanels;
}

namespace pim::studio {

class Settings;

class Panels : public QObject {
    Q_OBJECT
public:
    /// \p family, and those set later, outlive it.
    Panels(QMainWindow& window, Settings& settings, const views::FamilyPanels& family);

    /// \param id of the panel: object name of its dock and its help page, where there is one.
    QDockWidget* add(const QString& id, const QString& title, QWidget* content);
    QDockWidget* dock(const QString& id) const { return m_docks.at(id); }
    const std::map<QString, QDockWidget*>& docks() const { return m_docks; }

    Question question() const { return m_question; }
    void show(Question question); ///< Keeps the layout of the question left.
    /// Brings the layout made for it; each family remembers its own.
    void setFamily(const views::FamilyPanels& family);
    void showAgain(); ///< After hideAll().
    void hideAll();
    /// Where every panel is now, and the way back to it; false: it is of another version and nothing changed.
    QByteArray state() const;
    bool applyState(Question question, const QByteArray& state);
    void dockAll();                                ///< Brings panels that float back to the window.
    static bool canFloat(const QString& platform); ///< \p platform as QGuiApplication::platformName().
    void reset();                                  ///< All layouts as they were at first.
    void setLocked(bool locked);
    bool isLocked() const { return m_locked; }
    void save(); ///< To the settings.
    QString panelWithFocus() const;

signals:
    void questionChanged(pim::studio::Question question);
    void layoutApplied();

private:
    QByteArray& layout(); ///< Of the question and the family, as it was left; empty: never seen.
    void apply();
    bool eventFilter(QObject* watched, QEvent* event) override;
    void nameTabBars();

    QMainWindow& m_window;
    Settings& m_settings;
    std::map<QString, QDockWidget*> m_docks;
    std::map<QString, QByteArray> m_layouts; ///< By name in the settings.
    const views::FamilyPanels* m_family;
    Question m_question = Question::WhereTimeGoes;
    bool m_shown = false;
    bool m_locked = false;
};

} // namespace pim::studio
