// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Plain memories against Ramulator 2.1: every number of every run, and every command of some.
#include <QTest>

#include <string>

#include "core/dram/command_log.h"
#include "core/dram/replay.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <zlib.h>

using namespace pim;
namespace fs = std::filesystem;

namespace {

const fs::path kDevices = fs::path(PIM_SOURCE_DIR) / "resources/devices";
const fs::path kGolden = fs::path(PIM_SOURCE_DIR) / "tests/golden/dram";
const fs::path kMore = fs::path(PIM_SHARED_DIR) / "golden/attacc";

using Row = std::map<std::string, std::string>;

std::vector<std::string> fields(const std::string& line) {
    std::vector<std::string> all;
    std::stringstream text(line);
    for (std::string one; std::getline(text, one, ',');)
        all.push_back(one);
    return all;
}

const std::vector<Row>& goldenRows() {
    static const std::vector<Row> rows = [] {
        std::vector<Row> all;
        std::ifstream file(kGolden / "dram_golden.csv");
        std::string line;
        std::getline(file, line);
        const std::vector<std::string> names = fields(line);
        while (std::getline(file, line)) {
            const std::vector<std::string> values = fields(line);
            Row row;
            for (std::size_t i = 0; i < names.size() && i < values.size(); ++i)
                row[names[i]] = values[i];
            all.push_back(row);
        }
        return all;
    }();
    return rows;
}

/// Reads, writes or both, in order of address.
class Stream final : public IDramSource {
public:
    Stream(const DramDevice& device, const std::string& pattern, std::int64_t count)
        : m_bytes(std::uint64_t(device.accessBytes)), m_count(count),
          m_half(std::uint64_t(1) << (device.addressBits() - 1)), m_copy(pattern == "stream_copy"),
          m_write(pattern == "stream_write") {}
    Result<std::size_t> read(std::span<DramRequest> requests) override {
        std::size_t n = 0;
        for (; n < requests.size() && m_next < m_count; ++n, ++m_next) {
            const auto i = std::uint64_t(m_next);
            if (m_copy)
                requests[n] = {i / 2 * m_bytes + (i % 2 ? m_half : 0), i % 2 == 1};
            else
                requests[n] = {i * m_bytes, m_write};
        }
        return n;
    }

private:
    std::uint64_t m_bytes;
    std::int64_t m_count, m_next = 0;
    std::uint64_t m_half;
    bool m_copy, m_write;
};

bool isStream(const std::string& pattern) {
    return pattern == "stream_read" || pattern == "stream_write" || pattern == "stream_copy" ||
           pattern == "long_stream_read";
}

std::string traceFile(const std::string& device, const std::string& pattern) {
    const std::string name = device + "." + pattern + ".trace.gz";
    if (fs::exists(kGolden / "traces" / name))
        return (kGolden / "traces" / name).string();
    if (fs::exists(kMore / "dram_traces" / name))
        return (kMore / "dram_traces" / name).string();
    return {};
}

std::vector<std::string> gzipLines(const std::string& file) {
    std::string text;
    if (gzFile stream = gzopen(file.c_str(), "rb")) {
        char buffer[4096];
        for (int n; (n = gzread(stream, buffer, sizeof buffer)) > 0;)
            text.append(buffer, std::size_t(n));
        gzclose(stream);
    }
    std::vector<std::string> lines;
    std::stringstream rest(text);
    for (std::string one; std::getline(rest, one);)
        lines.push_back(one);
    return lines;
}

fs::path logOf(const std::string& device) {
    return kGolden / "logs" / (device + ".ab.small_mixed_log.cmd.csv.gz");
}

struct Expected {
    const char* column;
    std::int64_t seen;
};

std::string mismatches(const DramDevice& device, const Row& row, const DramStatistics& s) {
    const auto count = [&](std::initializer_list<const char*> names) {
        std::int64_t sum = 0;
        for (const char* name : names)
            if (const int command = device.command(name); command >= 0)
                sum += s.commands[std::size_t(command)];
        return sum;
    };
    std::int64_t all = 0;
    for (const std::int64_t n : s.commands)
        all += n;
    const Expected table[] = {{"requests", s.requests},
                              {"cycles_all_sent", s.allSent},
                              {"cycles_drained", s.drained},
                              {"row_hits", s.hits},
                              {"row_misses", s.misses},
                              {"row_conflicts", s.conflicts},
                              {"reads_served", s.reads},
                              {"writes_served", s.writes},
                              {"reads_forwarded", s.forwarded},
                              {"writes_coalesced", s.coalesced},
                              {"max_read_latency", s.readLatencyMax},
                              {"ACT", count({"ACT", "ACT1"})},
                              {"PRE", count({"PREpb", "PREab"})},
                              {"RD", count({"RD", "RD_S"})},
                              {"WR", count({"WR", "WR_S"})},
                              {"REF", count({"REFab"})},
                              {"cmds_total", all}};
    std::string wrong;
    for (const Expected& one : table)
        if (std::stoll(row.at(one.column)) != one.seen)
            wrong += std::string(" ") + one.column + " " + std::to_string(one.seen) + " instead of " +
                     row.at(one.column);
    const std::int64_t returned = s.reads + s.forwarded;
    const double mean = returned ? double(s.readLatencySum) / double(returned) : 0;
    if (std::abs(mean - std::stod(row.at("avg_read_latency"))) > 1e-3)
        wrong += " avg_read_latency " + std::to_string(mean) + " instead of " + row.at("avg_read_latency");
    return wrong;
}

} // namespace

class TestDramGolden : public QObject {
    Q_OBJECT

private slots:
    void countsAreExact_data();
    void countsAreExact();
    void commandsAreExact_data();
    void commandsAreExact();
};

void TestDramGolden::countsAreExact_data() {
    QTest::addColumn<QString>("device");
    for (const std::string& name : dramDeviceNames(kDevices))
        if (loadDramDevice(kDevices, name).value().command("PREpb") >= 0) // memories without processing units
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void TestDramGolden::countsAreExact() {
    QFETCH(QString, device);
    const Result<DramDevice> memory = loadDramDevice(kDevices, device.toStdString());
    QVERIFY2(memory, memory ? "" : memory.error().text().c_str());
    int compared = 0, absent = 0;
    for (const Row& row : goldenRows()) {
        if (row.at("device") != device.toStdString())
            continue;
        const std::string pattern = row.at("pattern");
        const std::string file = isStream(pattern) ? std::string() : traceFile(memory->name, pattern);
        std::unique_ptr<IDramSource> source;
        if (isStream(pattern)) {
            source = std::make_unique<Stream>(*memory, pattern, std::stoll(row.at("requests")));
        } else if (file.empty()) {
            ++absent;
            continue;
        } else {
            auto trace = DramTraceFile::open(file, DramAddressMap(*memory).size());
            QVERIFY2(trace, trace ? "" : trace.error().text().c_str());
            source = std::move(*trace);
        }
        DramControllerConfig config = dramControllerNamed("ramulator-2.1").value();
        config.scheduler = dramSchedulerNamed(row.at("scheduler")).value();
        config.refresh = dramRefreshNamed(row.at("refresh")).value();
        const auto injection =
            row.at("injection") == "greedy" ? DramInjection::Greedy : DramInjection::OneATick;
        const Result<DramStatistics> seen = replayDram(*memory, config, *source, injection);
        QVERIFY2(seen, seen ? "" : seen.error().text().c_str());
        const std::string wrong = mismatches(*memory, row, *seen);
        QVERIFY2(wrong.empty(), (pattern + " " + row.at("scheduler") + " refresh " + row.at("refresh") + " " +
                                 row.at("injection") + ":" + wrong)
                                    .c_str());
        ++compared;
    }
    if (absent > 0)
        qInfo("%d rows compared, %d left out because their traces are not here", compared, absent);
    QVERIFY(compared >= 8);
}

void TestDramGolden::commandsAreExact_data() {
    QTest::addColumn<QString>("device");
    for (const std::string& name : dramDeviceNames(kDevices))
        if (fs::exists(logOf(name)))
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void TestDramGolden::commandsAreExact() {
    QFETCH(QString, device);
    const Result<DramDevice> memory = loadDramDevice(kDevices, device.toStdString());
    QVERIFY2(memory, memory ? "" : memory.error().text().c_str());
    QTemporaryDir folder;
    const std::string file = folder.filePath("log.csv").toStdString();
    auto log = DramCommandLog::create(file, *memory);
    QVERIFY(log);
    auto trace =
        DramTraceFile::open(traceFile(memory->name, "small_mixed_log"), DramAddressMap(*memory).size());
    QVERIFY(trace);
    const Result<DramStatistics> seen =
        replayDram(*memory, {}, **trace, DramInjection::OneATick, {}, log->get());
    QVERIFY(seen);
    QVERIFY((*log)->finish());
    std::ifstream mine(file);
    std::string line;
    int number = 0;
    const std::vector<std::string> expected = gzipLines(logOf(memory->name).string());
    QVERIFY(expected.size() > 500);
    for (const std::string& want : expected) {
        ++number;
        QVERIFY2(bool(std::getline(mine, line)), "fewer commands");
        QVERIFY2(line == want,
                 ("line " + std::to_string(number) + ": " + line + " instead of " + want).c_str());
    }
    QVERIFY2(!std::getline(mine, line), "more commands");
}

QTEST_APPLESS_MAIN(TestDramGolden)
#include "tst_core_dram_golden.moc"
