// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Finding among 20 000 ops while one types: how long the UI thread is busy at a stretch, and until all is found.
#include <QTest>

#include <string>

#include "app/studio/finder.h"

#include <QElapsedTimer>

#include <algorithm>
#include <cstdio>

using namespace pim::studio;

class BenchFinder : public QObject {
    Q_OBJECT
private slots:
    void everyLetterIsAnsweredAtOnce() {
        constexpr int kOps = 20000;
        constexpr double kCeilingMs = 50; // what a person does not notice
        std::vector<QString> names;
        for (int i = 0; i < kOps; ++i)
            names.push_back(QStringLiteral("/model/decoder/layers.%1/self_attn/%2/MatMul_%3")
                                .arg(i / 8)
                                .arg(QStringList{"q_proj", "k_proj", "v_proj", "o_proj"}[i % 4])
                                .arg(i));
        FinderModel model(
            {{QStringLiteral("o"), QStringLiteral("Ops"), kOps,
              [&](int i) { return names[static_cast<std::size_t>(i)]; },
              [&](int i) {
                  return FinderItem{names[static_cast<std::size_t>(i)], QStringLiteral("MatMul")};
              }}},
            nullptr);
        std::vector<double> stretches, wholes;
        for (const char* word : {"layers.1234 v", "selfattn", "qprojmatmul19", "decoder"})
            for (int letters = 1; letters <= static_cast<int>(qstrlen(word)); ++letters) {
                QElapsedTimer whole, stretch;
                whole.start();
                stretch.start();
                model.setQuery(QString::fromLatin1(word, letters));
                stretches.push_back(static_cast<double>(stretch.nsecsElapsed()) / 1e6);
                while (model.isSearching()) {
                    stretch.restart();
                    QCoreApplication::processEvents();
                    stretches.push_back(static_cast<double>(stretch.nsecsElapsed()) / 1e6);
                }
                wholes.push_back(static_cast<double>(whole.nsecsElapsed()) / 1e6);
            }
        std::sort(stretches.begin(), stretches.end());
        std::sort(wholes.begin(), wholes.end());
        const auto at = [](const std::vector<double>& sorted, double share) {
            return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
        };
        std::printf("%d ops: busy at a stretch median %.2f ms, p95 %.2f ms, longest %.2f ms; all found "
                    "median %.1f ms, p95 %.1f ms\n",
                    kOps, at(stretches, 0.5), at(stretches, 0.95), stretches.back(), at(wholes, 0.5),
                    at(wholes, 0.95));
        QVERIFY(at(stretches, 0.95) < kCeilingMs);
    }
};

QTEST_MAIN(BenchFinder)
#include "bench_finder.moc"
