// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/upmem/dpu_facts.h"

#include "core/base/number_text.h"
#include "views/common/plot_ticks.h"
#include "views/common/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace pim::views {
namespace {

struct DpuFigureWords {
    Q_DECLARE_TR_FUNCTIONS(pim::views::DpuFigureWords)
};

} // namespace

QString title(DpuFigure figure) {
    switch (figure) {
    case DpuFigure::Busy:
        return DpuFigureWords::tr("Busy share");
    case DpuFigure::MramKept:
        return DpuFigureWords::tr("MRAM kept");
    case DpuFigure::MramPeak:
        return DpuFigureWords::tr("MRAM at most");
    case DpuFigure::Count_:
        break;
    }
    return {};
}

QString meaning(DpuFigure figure) {
    switch (figure) {
    case DpuFigure::Busy:
        return DpuFigureWords::tr("Share of the time in which the DPU computes");
    case DpuFigure::MramKept:
        return DpuFigureWords::tr("MRAM taken by what stays from run to run");
    case DpuFigure::MramPeak:
        return DpuFigureWords::tr("MRAM taken by what stays and what passes, at most");
    case DpuFigure::Count_:
        break;
    }
    return {};
}

int DpuFacts::ranks() const {
    return load.dpusPerRank > 0 ? (dpus() + load.dpusPerRank - 1) / load.dpusPerRank : 0;
}

double DpuFacts::value(int dpu, DpuFigure figure) const {
    const auto at = std::size_t(dpu);
    switch (figure) {
    case DpuFigure::Busy:
        return load.totalNs > 0 ? load.busyNs[at] / load.totalNs : 0;
    case DpuFigure::MramKept:
        return at < load.mramKept.size() ? double(load.mramKept[at]) : 0;
    case DpuFigure::MramPeak:
        return at < load.mramPeak.size() ? double(load.mramPeak[at]) : 0;
    case DpuFigure::Count_:
        break;
    }
    return 0;
}

QString DpuFacts::text(double value, DpuFigure figure) const {
    return views::text(figure == DpuFigure::Busy ? percentText(value) : bytesText(value));
}

QString DpuFacts::valueText(int dpu, DpuFigure figure) const {
    return text(value(dpu, figure), figure);
}

double DpuFacts::scale(DpuFigure figure) const {
    constexpr double kWorthSeeing = 0.2; // below that the colours of all would look alike
    const double all = figure == DpuFigure::Busy ? 1 : double(mramBytes);
    double most = 0;
    for (int dpu = 0; dpu < dpus(); ++dpu)
        most = std::max(most, value(dpu, figure));
    return most > 0 && most < kWorthSeeing * all ? most : all;
}

bool DpuFacts::overflows(int dpu) const {
    return value(dpu, DpuFigure::MramPeak) > double(mramBytes) ||
           value(dpu, DpuFigure::MramKept) > double(mramBytes);
}

int DpuFacts::overflowing() const {
    int found = 0;
    for (int dpu = 0; dpu < dpus(); ++dpu)
        found += overflows(dpu) ? 1 : 0;
    return found;
}

int DpuFacts::working() const {
    return int(std::ranges::count_if(load.busyNs, [](double ns) { return ns > 0; }));
}

QString DpuFacts::place(int dpu) const {
    return DpuFigureWords::tr("DPU %1: module %2, rank %3, chip %4")
        .arg(dpu)
        .arg(rankOf(dpu) / ranksPerModule)
        .arg(rankOf(dpu))
        .arg(chipOf(dpu));
}

QString DpuFacts::describe(int dpu) const {
    QString line =
        DpuFigureWords::tr("%1 · busy %2 (%3 of %4) · MRAM: %5 kept, %6 at most, of %7")
            .arg(place(dpu), valueText(dpu, DpuFigure::Busy),
                 views::text(timeText(load.busyNs[std::size_t(dpu)])), views::text(timeText(load.totalNs)),
                 valueText(dpu, DpuFigure::MramKept), valueText(dpu, DpuFigure::MramPeak),
                 withoutTrailingZeros(views::text(bytesText(double(mramBytes)))));
    if (overflows(dpu))
        line += DpuFigureWords::tr(" · too much");
    return line;
}

QString DpuFacts::headline() const {
    double busiest = 0;
    for (int dpu = 0; dpu < dpus(); ++dpu)
        busiest = std::max(busiest, value(dpu, DpuFigure::Busy));
    const auto count = [](int n) { return views::text(exactText(n)); };
    QString line = DpuFigureWords::tr("<b>%1</b> of %2 DPUs compute, the busiest %3 of %4")
                       .arg(count(working()), count(dpus()), views::text(percentText(busiest)),
                            views::text(timeText(load.totalNs)));
    if (const int over = overflowing(); over > 0)
        line += DpuFigureWords::tr(" · MRAM of %1 is too small").arg(count(over));
    return line;
}

DpuFacts dpuFacts(const Plan& plan, OpId op) {
    DpuFacts facts;
    facts.load = upmem::loadOf(plan, op);
    if (op.valid())
        facts.op = views::text(plan.graph->op(op).name);
    // A module of the target has so many DPUs; ranks of a module stand together.
    const auto& levels = plan.target->levels;
    const auto group = std::ranges::find_if(levels, [](const Level& level) { return level.id == "group"; });
    if (group != levels.end() && facts.load.dpusPerRank > 0)
        facts.ranksPerModule = std::max(1, int(group->count) / facts.load.dpusPerRank);
    return facts;
}

} // namespace pim::views
