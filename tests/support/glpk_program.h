// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A mixed-integer program for GLPK, which tests alone link.
#include <glpk.h>

#include <map>
#include <utility>
#include <vector>

namespace pim::test {

class GlpkProgram {
public:
    /// \param direction GLP_MIN or GLP_MAX.
    explicit GlpkProgram(int direction) : m_lp(glp_create_prob()) { glp_set_obj_dir(m_lp, direction); }
    ~GlpkProgram() { glp_delete_prob(m_lp); }
    GlpkProgram(const GlpkProgram&) = delete;
    GlpkProgram& operator=(const GlpkProgram&) = delete;

    int column(int kind, double low, double high, double objective = 0) {
        const int at = glp_add_cols(m_lp, 1);
        glp_set_col_kind(m_lp, at, kind);
        const int bounds = high < 0 ? GLP_LO : low == high ? GLP_FX : GLP_DB;
        glp_set_col_bnds(m_lp, at, bounds, low, high);
        glp_set_obj_coef(m_lp, at, objective);
        return at;
    }

    /// Sum of coefficient * column, at least \p low or (atMost) at most.
    void row(const std::vector<std::pair<int, double>>& terms, double limit, bool atMost) {
        std::map<int, double> sums; // GLPK wants each column once
        for (const auto& [at, value] : terms)
            sums[at] += value;
        std::vector<int> columns(1);
        std::vector<double> values(1);
        for (const auto& [at, value] : sums) {
            columns.push_back(at);
            values.push_back(value);
        }
        const int row = glp_add_rows(m_lp, 1);
        glp_set_row_bnds(m_lp, row, atMost ? GLP_UP : GLP_LO, limit, limit);
        glp_set_mat_row(m_lp, row, static_cast<int>(sums.size()), columns.data(), values.data());
    }

    /// The best objective; negative where GLPK finds none.
    double solve() {
        glp_iocp options;
        glp_init_iocp(&options);
        options.presolve = GLP_ON;
        options.msg_lev = GLP_MSG_OFF;
        options.tol_obj = 1e-12;
        options.tm_lim = 20'000;
        if (glp_intopt(m_lp, &options) != 0 || glp_mip_status(m_lp) != GLP_OPT)
            return -1;
        return glp_mip_obj_val(m_lp);
    }
    double value(int column) const { return glp_mip_col_val(m_lp, column); }

private:
    glp_prob* m_lp;
};

} // namespace pim::test
