// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Parts appended to a text are what a format string would have made of them.
#include <QTest>

#include <string>

#include "core/base/append.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>

using namespace pim;

class TestAppend : public QObject {
    Q_OBJECT

private slots:
    void textsCharactersAndNumbers() {
        std::string text = "before";
        append(text, ' ', std::string("mvm"), std::string_view(" g"), 12U, ", r", 64, '+', std::uint64_t(8),
               "\n");
        QCOMPARE(text, std::string("before mvm g12, r64+8\n"));
    }
    void theLargestAndTheSmallestNumbers() {
        const auto check = []<class Number>(Number) {
            for (const Number number :
                 {std::numeric_limits<Number>::min(), std::numeric_limits<Number>::max(), Number(0)}) {
                std::string text;
                append(text, number);
                QCOMPARE(text, fmt::format("{}", number));
            }
        };
        check(std::int32_t());
        check(std::uint32_t());
        check(std::int64_t());
        check(std::uint64_t());
    }
};

QTEST_GUILESS_MAIN(TestAppend)
#include "tst_core_base_append.moc"
