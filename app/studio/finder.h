// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Finds anything by a few letters of its name, as one types: commands (Ctrl+Shift+P), or ops, tensors, drafts, runs,
/// targets, settings, help, … (Ctrl+K), where a letter and a space limit it to one kind. Tens of thousands of names are
/// matched in slices between two frames; what was found so far is shown at once.
#include <QAbstractListModel>
#include <QDialog>
#include <QTimer>

#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;

namespace pim::studio {

/// What is shown of a match, made only for those on screen.
struct FinderItem {
    QString title;        ///< "File › Save Project"
    QString hint;         ///< To the right: shortcut, type, time.
    QString problem = {}; ///< Why it cannot be chosen now; empty: it can.
    std::function<void()> run = {};
    QString copyText = {};  ///< The `pimc` line that does the same.
    bool staysOpen = false; ///< Choosing it only changes what is searched.
};

/// One kind of things to find. What the functions refer to outlives the finder.
struct FinderSource {
    QString prefix; ///< "o": typed before a space it limits the search to this source.
    QString name;   ///< "Ops"
    int count = 0;
    std::function<QString(int)> title; ///< What is matched; cheap.
    std::function<FinderItem(int)> item;
    QString whenEmpty = {};      ///< Why there is nothing, as a sentence.
    std::vector<int> first = {}; ///< Shown before anything is typed: recently used ones.
};

/// A query taken apart once, to be matched against many titles.
class FuzzyQuery {
public:
    explicit FuzzyQuery(const QString& text);
    /// Letters in order, case ignored; higher is better, negative: no match. Starts of words and runs of letters count more.
    int score(QStringView title) const;
    bool isEmpty() const { return m_letters.isEmpty(); }

private:
    QString m_letters;
    mutable std::vector<int> m_best, m_next; ///< Kept, since every keystroke scores thousands of titles.
};

class FinderModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Roles { HintRole = Qt::UserRole, ProblemRole };

    FinderModel(std::vector<FinderSource> sources, QObject* parent);
    void setQuery(const QString& text);
    bool isSearching() const { return m_slice.isActive(); }
    const FinderItem* item(const QModelIndex& index) const;
    QString note() const; ///< "12 of 20 480", or why there is nothing.

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    void found();                          ///< Rows are new.
    void queryWanted(const QString& text); ///< A kind was chosen: its prefix.

private:
    struct Match {
        int score, source, index;
    };
    void showFirst();
    void searchSlice();
    void publish();

    std::vector<FinderSource> m_sources;
    std::vector<int> m_searched; ///< Sources the query is about.
    FuzzyQuery m_query{{}};
    std::vector<Match> m_matches;
    std::size_t m_atSource = 0;
    int m_atIndex = 0;
    bool m_isFirstSlice = true;
    QTimer m_slice;
    std::vector<FinderItem> m_rows;
};

class Finder : public QDialog {
    Q_OBJECT
public:
    Finder(const QString& prompt, std::vector<FinderSource> sources, QWidget* parent);

    QLineEdit* input() const { return m_input; }
    QListView* list() const { return m_list; }
    FinderModel* model() const { return m_model; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showFound();
    void runCurrent();
    void copyCurrent();

    QLineEdit* m_input;
    QListView* m_list;
    QLabel* m_note;
    FinderModel* m_model;
};

} // namespace pim::studio
