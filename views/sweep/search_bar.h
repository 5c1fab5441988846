// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How to search a sweep of which only some points are to be computed: method, how many points, seed, and what the front is by.
#include "core/project/project.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QSpinBox;

namespace pim::views {

class SearchBar : public QWidget {
    Q_OBJECT
public:
    explicit SearchBar(QWidget* parent = nullptr);

    StoredSearch search() const;
    QComboBox* method() const { return m_method; }
    QSpinBox* evaluations() const { return m_evaluations; }
    QSpinBox* seed() const { return m_seed; }
    QLineEdit* objectives() const { return m_objectives; } ///< Separated by commas; empty: as usual.

private:
    QComboBox* m_method;
    QSpinBox* m_evaluations;
    QSpinBox* m_seed;
    QLineEdit* m_objectives;
};

} // namespace pim::views
