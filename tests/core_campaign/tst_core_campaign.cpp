// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A sweep planned into a folder and computed in chunks: the same points to the last digit as in one go; lines cut and changed, files of others,
/// claims, and the scripts for engines.
#include <QTest>
#include <string>

#include "backends/builtin.h"
#include "core/base/hash.h"
#include "core/base/paths.h"
#include "core/campaign/campaign_watch.h"
#include "core/campaign/chunk_run.h"
#include "core/campaign/point_file.h"
#include "core/campaign/scheduler_scripts.h"
#include "core/predict/predictor_set.h"
#include "core/project/ranking_choice.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace pim;
namespace fs = std::filesystem;

class TestCampaign : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();
    int m_folders = 0;

    fs::path newFolder() { return m_folder.filePath(QString("a b %1").arg(++m_folders)).toStdString(); }
    Result<SweepSetup> prepared(const char* over, const char* target = "attacc") const {
        SweepSetup setup;
        PIM_TRY(setup.axes, parseSweep(over));
        PIM_TRY(setup.model, importModel(samplesDir() / "tiny-gpt" / "tiny-gpt.onnx"));
        if (*target) {
            PIM_TRY(setup.request.target, m_catalog.find(target));
        }
        setup.graph.bindings = {{"batch", 2}};
        setup.graph.disabledPasses = {"fuse_attention"};
        setup.request.options.groupCommands = false;
        PIM_CHECK(prepareSweep(m_backends, setup, m_catalog));
        return setup;
    }
    Campaign planned(const char* over, std::int64_t chunk, const char* target = "attacc") {
        const auto setup = prepared(over, target);
        if (!setup)
            qFatal("%s", setup.error().text().c_str());
        auto campaign = planCampaign(*setup, newFolder(), chunk);
        if (!campaign || !loadCampaignModels(*campaign))
            qFatal("no campaign");
        return *std::move(campaign);
    }
    static std::string text(const SweepPoint& point) {
        std::string all = std::to_string(point.index) + point.problem;
        for (const double number : {point.totalNs, point.hostOnlyNs, point.macs})
            all += "|" + QByteArray::number(number, 'g', 17).toStdString();
        for (const Baseline& baseline : point.baselines)
            all += "|" + baseline.id + baseline.name +
                   QByteArray::number(baseline.totalNs, 'g', 17).toStdString();
        for (const auto& [figure, value] : point.figures)
            all += "|" + figure + QByteArray::number(value, 'g', 17).toStdString();
        return all + "\n";
    }
    static std::string text(const PointRecord& record) {
        SweepPoint point;
        return readRecord(record, point) ? text(point) : "no numbers: " + record.numbers;
    }
    static std::string pointsOf(const Campaign& campaign, CampaignStatus* told = nullptr) {
        std::string all;
        const auto status = readCampaignPoints(campaign, [&](std::span<PointRecord> points) -> Result<void> {
            for (const PointRecord& point : points)
                all += text(point);
            return {};
        });
        if (status && told)
            *told = *status;
        return status ? all : status.error().text();
    }
    void runAll(const Campaign& campaign) {
        auto runner = ChunkRunner::open(m_backends, campaign);
        QVERIFY2(runner.has_value(), runner ? "" : runner.error().text().c_str());
        for (std::int64_t chunk = 0; chunk < campaign.chunks(); ++chunk) {
            const auto done = runner->run(chunk);
            QVERIFY2(done.has_value(), done ? "" : done.error().text().c_str());
        }
    }
    std::vector<fs::path> filesOf(const Campaign& campaign, std::int64_t chunk) {
        std::vector<fs::path> files;
        for (const auto& entry : fs::directory_iterator(campaign.folderOf(chunk)))
            files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        return files;
    }
    static std::string contentOf(const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    static void write(const fs::path& file, const std::string& text) {
        std::ofstream(file, std::ios::binary) << text;
    }

private slots:
    void readsItsPlanBack() {
        const auto setup = prepared("target=attacc,hbm-pim;past=1..4;group.count<100", "");
        QVERIFY2(setup.has_value(), setup ? "" : setup.error().text().c_str());
        const fs::path folder = newFolder();
        const auto planned = planCampaign(*setup, folder, 4);
        QVERIFY2(planned.has_value(), planned ? "" : planned.error().text().c_str());
        const auto read = readCampaign(folder);
        QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
        QCOMPARE(read->id, planned->id);
        QCOMPARE(read->setup.axes, setup->axes);
        QCOMPARE(read->setup.graph.bindings, setup->graph.bindings);
        QCOMPARE(read->setup.graph.disabledPasses, setup->graph.disabledPasses);
        QCOMPARE(optionsJson(read->setup.request.options), optionsJson(setup->request.options));
        QCOMPARE(read->setup.targets.size(), std::size_t{2});
        QCOMPARE(targetJson(*read->setup.targets[1]), targetJson(*setup->targets[1]));
        QCOMPARE(read->points(), std::int64_t{6});
        QCOMPARE(read->chunks(), std::int64_t{2});
        QCOMPARE(read->indicesOf(1).second, std::int64_t{6});
        QVERIFY(planCampaign(*setup, folder, 4).has_value()); // the same once more
        const auto other = planCampaign(*prepared("past=1..4"), folder, 4);
        QVERIFY(!other && other.error().text().find("another sweep: its \"axes\" is") != std::string::npos);
        QVERIFY(!planCampaign(*setup, folder, -1));
    }

    /// What ranks drafts goes with the plan; without it, or with another, nothing is computed.
    void predictorsGoWithThePlan() {
        SweepSetup setup = *prepared("target=attacc,hbm-pim-hbm3;past=1,2", "");
        Diagnostics problems;
        QVERIFY(rankDraftsBy(kShippedRanking, targetsOf(setup), setup.request.options, problems));
        QVERIFY(problems.empty() && predictorVersions(setup.request.options.predictorVersion).size() == 2);
        const fs::path folder = newFolder();
        const auto planned = planCampaign(setup, folder, 4);
        QVERIFY2(planned.has_value(), planned ? "" : planned.error().text().c_str());
        const auto& asked = planned->setup.request.options;
        QVERIFY(asked.predictor && asked.predictor->version() == setup.request.options.predictor->version());
        const auto files = fs::directory_iterator(folder / "predictors");
        const std::vector<fs::path> both(begin(files), end(files));
        QCOMPARE(both.size(), std::size_t(2));
        fs::copy_file(both[0], both[1], fs::copy_options::overwrite_existing);
        const auto other = readCampaign(folder);
        QVERIFY(!other &&
                other.error().text().find("not the one the sweep was planned with") != std::string::npos);
        fs::remove(both[1]);
        QVERIFY(!readCampaign(folder));
    }

    /// Somebody computes, somebody else looks: every point comes once, with its values, whenever and however often is looked.
    void whoWatchesSeesEachPointOnce() {
        const Campaign campaign = planned("past=1..16;group.count=4,8", 3);
        auto watch = CampaignWatch::open(campaign.folder);
        QVERIFY2(watch.has_value(), watch ? "" : watch.error().text().c_str());
        QVERIFY(watch->look()->empty()); // nobody has begun
        QCOMPARE(watch->status().running, std::int64_t{0});
        QVERIFY(!fs::exists(campaign.folder / "claims")); // and nothing was written
        std::string seen;
        std::vector<std::int64_t> indices;
        const auto look = [&] {
            const auto fresh = watch->look();
            QVERIFY2(fresh.has_value(), fresh ? "" : fresh.error().text().c_str());
            for (const SweepPoint& point : *fresh) {
                seen += text(point);
                indices.push_back(point.index);
                QCOMPARE(point.values, sweepValues(campaign.setup.axes, point.index));
            }
        };
        auto runner = ChunkRunner::open(m_backends, campaign);
        QVERIFY(runner.has_value());
        int told = 0;
        for (std::int64_t chunk = 0; chunk < campaign.chunks(); ++chunk)
            QVERIFY(runner->run(chunk, [&](const SweepPoint&) {
                ++told;
                look();
                QCOMPARE(std::ssize(indices), told); // each as soon as it is written
                QCOMPARE(watch->status().running, std::int64_t{1});
            }));
        QVERIFY(watch->isComplete());
        QVERIFY(watch->look()->empty());
        QCOMPARE(seen, pointsOf(campaign));
        QVERIFY(watch->status().open.empty());
        CampaignStatus status;
        (void)pointsOf(campaign, &status);
        QCOMPARE(watch->status().points, status.points);
        QCOMPARE(watch->status().failed, status.failed);
        QCOMPARE(watch->status().files, status.files);
        QCOMPARE(watch->status().running, std::int64_t{0});
        const auto late = CampaignWatch::open(campaign.folder)->look();
        QCOMPARE(late->size(), indices.size());
    }

    /// A file that grows byte by byte: a line that is half there waits, and none is damaged. Two files of one chunk have a point once.
    void linesThatAreBeingWrittenWait() {
        const Campaign campaign = planned("past=1..4", 3);
        runAll(campaign);
        const fs::path file = filesOf(campaign, 0).front(), growing = file.parent_path() / "other.points";
        const std::string whole = contentOf(file);
        fs::remove_all(campaign.folder / "points");
        fs::create_directories(file.parent_path());
        auto watch = CampaignWatch::open(campaign.folder);
        QVERIFY(watch.has_value());
        std::size_t points = 0;
        for (std::size_t length = 0; length <= whole.size(); length += length + 7 < whole.size() ? 7 : 1) {
            write(growing, whole.substr(0, length));
            const auto fresh = watch->look();
            QVERIFY2(fresh.has_value(), fresh ? "" : fresh.error().text().c_str());
            points += fresh->size();
            QCOMPARE(watch->status().damagedLines, std::int64_t{0});
        }
        QCOMPARE(points, std::size_t{3});
        QCOMPARE(watch->status().open, (std::vector<std::int64_t>{})); // "past=1..4" has three values
        // What another process computed too.
        auto two = CampaignWatch::open(campaign.folder);
        write(file, whole);
        QCOMPARE(two->look()->size(), std::size_t{3});
        // Points of another campaign are told of, and again at each look.
        write(file, contentOf(file) + "x\n");
        const Campaign other = planned("past=1..8", 3);
        runAll(other);
        fs::copy_file(filesOf(other, 0).front(), file, fs::copy_options::overwrite_existing);
        auto mixed = CampaignWatch::open(campaign.folder);
        for (int look = 0; look < 2; ++look) {
            QVERIFY(mixed->look().has_value());
            QVERIFY(mixed->problem() && mixed->problem()->code == ErrorCode::Usage);
        }
    }

    /// Half a line, then nothing to read it from, then all of it: no point is lost.
    void filesThatCannotBeReadForAWhileLoseNothing_data() {
        QTest::addColumn<bool>("isPipe");
        QTest::newRow("folder") << false;
        QTest::newRow("pipe") << true;
    }
    void filesThatCannotBeReadForAWhileLoseNothing() {
        QFETCH(bool, isPipe);
        const Campaign campaign = planned("past=1..4", 3);
        runAll(campaign);
        const fs::path file = filesOf(campaign, 0).front();
        const std::string whole = contentOf(file);
        write(file, whole.substr(0, whole.size() - 9));
        auto watch = CampaignWatch::open(campaign.folder);
        QVERIFY(watch.has_value());
        const std::size_t before = watch->look()->size();
        fs::remove(file);
        if (isPipe)
            QCOMPARE(::mkfifo(file.c_str(), 0600), 0);
        else
            fs::create_directory(file);
        QVERIFY(watch->look()->empty());
        QVERIFY(watch->problem() && watch->problem()->code == ErrorCode::Io);
        fs::remove(file);
        write(file, whole);
        const auto after = watch->look();
        QVERIFY2(after.has_value(), after ? "" : after.error().text().c_str());
        QCOMPARE(before + after->size(), std::size_t{3});
        QVERIFY(!watch->problem());
        QCOMPARE(watch->status().damagedLines, std::int64_t{0});
        QVERIFY(watch->status().open.empty());
    }

    /// Ranges of claims, counted from outside; a folder that cannot be written is watched all the same.
    void claimsAreCountedWithoutWriting() {
        const fs::path folder = newFolder();
        fs::create_directories(folder);
        QCOMPARE(ChunkClaims::look(folder).error().code, ErrorCode::NotFound);
        const auto one = ChunkClaims::open(folder), other = ChunkClaims::open(folder);
        for (const std::int64_t chunk : {3, 4, 5, 90})
            QVERIFY(one->take(chunk));
        for (const std::int64_t chunk : {0, 6, 89})
            QVERIFY(other->take(chunk));
        fs::permissions(folder / "claims", fs::perms::owner_read);
        const auto looking = ChunkClaims::look(folder);
        QVERIFY(looking.has_value());
        QCOMPARE(looking->taken(0, 100), std::int64_t{7});
        QCOMPARE(looking->taken(4, 90), std::int64_t{4});
        QCOMPARE(looking->taken(7, 89), std::int64_t{0});
        QVERIFY(looking->isTaken(5) && !looking->isTaken(7));
    }

    void damagedPlansAreRefused() {
        const Campaign campaign = planned("past=1..4", 2);
        const fs::path file = campaign.folder / "campaign.json";
        const std::string whole = contentOf(file);
        QCOMPARE(readCampaign(campaign.folder / "none").error().code, ErrorCode::NotFound);
        for (std::size_t length = 0; length + 2 < whole.size(); length += 97) {
            write(file, whole.substr(0, length));
            const auto read = readCampaign(campaign.folder);
            QVERIFY(!read.has_value());
            QCOMPARE(read.error().code, ErrorCode::InvalidFile);
        }
        const auto changed = [&](const char* from, const char* to) {
            std::string text = whole;
            const std::size_t at = text.find(from);
            text.replace(at, std::string(from).size(), to);
            write(file, text);
            const auto read = readCampaign(campaign.folder);
            return read ? std::string("read") : read.error().text();
        };
        QVERIFY(changed("\"chunk\": 2", "\"chunk\": 0").find("in chunks of 0") != std::string::npos);
        QVERIFY(changed("\"version\": 1", "\"version\": 7").find("of version 7, not") != std::string::npos);
        QVERIFY(changed("\"dimension\"", "\"colour\"").find("kind \"colour\"") != std::string::npos);
        std::string code = whole;
        code.replace(code.find("\"code\": \"") + 9, 4, "ffff");
        write(file, code);
        auto other = readCampaign(campaign.folder);
        QVERIFY(other && loadCampaignModels(*other));
        const auto runner = ChunkRunner::open(m_backends, *other);
        QVERIFY(!runner && runner.error().text().find("another version of the program") != std::string::npos);
    }

    /// Points without a result among them.
    void chunksHaveThePointsOfTheSweep_data() {
        QTest::addColumn<QString>("over");
        QTest::newRow("one model") << "target=attacc,hbm-pim,dynaplasia;past=4,64,8,2;group.count<100";
        QTest::newRow("models") << "target=attacc,dynaplasia;model=sample:tiny-gpt,sample:mobilenetv2,"
                                   "sum(sample:tiny-gpt,sample:mobilenetv2);past=4,64;power_w<1";
    }
    void chunksHaveThePointsOfTheSweep() {
        QFETCH(QString, over);
        const Campaign campaign = planned(over.toUtf8(), 5);
        std::string whole;
        QVERIFY(sweep(m_backends, campaign.setup, {}, [&](const SweepPoint& point) -> Result<void> {
                    SweepPoint kept = point;
                    if (!kept.problem.empty()) { // has no figures in a file
                        kept = {};
                        kept.index = point.index;
                        kept.problem = point.problem;
                    }
                    whole += text(kept);
                    return {};
                }).has_value());
        CampaignStatus status;
        QCOMPARE(pointsOf(campaign, &status), std::string());
        QCOMPARE(std::ssize(status.open), campaign.chunks());
        runAll(campaign);
        QCOMPARE(pointsOf(campaign, &status), whole);
        QVERIFY(status.open.empty() && status.damagedLines == 0 && status.running == 0);
        QCOMPARE(status.points, campaign.points());
        QVERIFY(status.failed > 0 && status.seconds > 0);
        auto runner = ChunkRunner::open(m_backends, campaign);
        QCOMPARE(*runner->run(1), ChunkRunner::Outcome::WasDone);
    }

    void eachModelIsLookedAt() {
        const fs::path second = m_folder.filePath("second.onnx").toStdString();
        fs::copy_file(samplesDir() / "mobilenetv2" / "mobilenetv2.onnx", second);
        const Campaign campaign = planned(("model=sample:tiny-gpt," + second.string()).c_str(), 1);
        Campaign again = *readCampaign(campaign.folder);
        QCOMPARE(again.modelName, campaign.modelName);
        QVERIFY(loadCampaignModels(again).has_value());
        QCOMPARE(again.setup.networks.size(), std::size_t{2});
        fs::copy_file(samplesDir() / "bert-base" / "bert-base.onnx", second,
                      fs::copy_options::overwrite_existing);
        Campaign changed = *readCampaign(campaign.folder);
        const auto loaded = loadCampaignModels(changed);
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().code, ErrorCode::InvalidModel);
        QCOMPARE(loaded.error().where, second.string());
    }

    void numbersAreReadBackToTheLastDigit() {
        const Campaign campaign = planned("past=1..8+1", 8);
        SweepPoint point{3, {}, 1.0 / 3, 5e-324, 1e300, {{"host \"x\"", "na\\me\n", 0.1}}, {}, 2.5, {}};
        point.figures = {{"größe", std::numeric_limits<double>::infinity()}, {"b", -0.0}};
        SweepPoint failed{4, {}, 0, 0, 0, {}, {}, 1, "line one\nline \\n two"};
        SweepPoint bare{5, {}, 1, 1, 1, {}, {}, 1, {}};
        {
            PointWriter writer(campaign, 0);
            for (const SweepPoint& each : {point, failed, bare, point})
                QVERIFY(writer.write(each).has_value());
        }
        const auto read = readChunk(campaign, 0);
        QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
        QCOMPARE(read->points.size(), std::size_t{3});
        QCOMPARE(text(read->points[0]), text(point));
        QCOMPARE(text(read->points[1]), text(failed));
        QCOMPARE(text(read->points[2]), text(bare));
        QCOMPARE(read->damaged, std::int64_t{0});
    }

    /// Every length a file can be cut to, and every byte changed: no point is lost but those of the lines hit, none is wrong.
    void whatWasCutIsComputedAgain() {
        const Campaign campaign = planned("past=1..4+1", 4);
        runAll(campaign);
        const std::string whole = pointsOf(campaign);
        const fs::path file = filesOf(campaign, 0).front();
        const std::string content = contentOf(file);
        for (std::size_t length = 0; length < content.size(); length += 7) {
            write(file, content.substr(0, length));
            const std::string there = pointsOf(campaign);
            QVERIFY(whole.starts_with(there)); // points in order, the last ones missing
        }
        for (std::size_t at = 0; at < content.size(); at += 5) {
            std::string changed = content;
            changed[at] = static_cast<char>(changed[at] ^ 4);
            write(file, changed);
            const auto read = readChunk(campaign, 0);
            QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
            QVERIFY(read->damaged > 0);
            for (const PointRecord& point : read->points)
                QVERIFY(whole.find(text(point)) != std::string::npos);
        }
        write(file, content.substr(0, content.size() / 2));
        runAll(campaign);
        QCOMPARE(filesOf(campaign, 0).size(), std::size_t{2});
        QCOMPARE(pointsOf(campaign), whole);
    }

    /// At every byte at which the disk may be full: what was written stays, the line that was cut is no point, and the same again does the rest.
    void aFullDiskLosesNothing() {
        const Campaign campaign = planned("past=1..4+1", 4);
        runAll(campaign);
        const std::string whole = pointsOf(campaign);
        const auto size = static_cast<rlim_t>(fs::file_size(filesOf(campaign, 0).front()));
        struct rlimit before {};
        ::getrlimit(RLIMIT_FSIZE, &before);
        ::signal(SIGXFSZ, SIG_IGN); // else it ends the process
        // How long it took to compute a point is in its line too: a file may be some digits shorter than the first.
        constexpr rlim_t kDigits = 64;
        for (rlim_t room = 0; room + kDigits < size; room += 41) {
            fs::remove_all(campaign.folder / "points");
            const struct rlimit tight { room, before.rlim_max };
            auto runner = ChunkRunner::open(m_backends, campaign);
            ::setrlimit(RLIMIT_FSIZE, &tight);
            const auto full = runner->run(0);
            ::setrlimit(RLIMIT_FSIZE, &before);
            QVERIFY(!full && full.error().code == ErrorCode::Io);
            QVERIFY2(full.error().text().find("the points before this one are kept") != std::string::npos,
                     full.error().text().c_str());
            CampaignStatus status;
            QVERIFY(whole.starts_with(pointsOf(campaign, &status)));
            QCOMPARE(status.open, std::vector<std::int64_t>{0});
            runAll(campaign);
            QCOMPARE(pointsOf(campaign), whole);
        }
    }

    void whatContradictsItselfIsAnError() {
        const Campaign campaign = planned("past=1..4", 4), other = planned("past=1..8", 4);
        runAll(campaign);
        const fs::path file = filesOf(campaign, 0).front();
        std::string content = contentOf(file);
        const std::size_t at = content.find("P 1 ");
        const std::size_t end = content.find('\n', at);
        std::string line = content.substr(at, end - at) + "1"; // another last digit of the last figure
        line = QString("%1 ").arg(crc32(line), 8, 16, QChar('0')).toStdString() + line + "\n";
        write(file.parent_path() / "theirs.points", content.substr(0, at - 9) + line);
        QVERIFY(pointsOf(campaign).find("point 1 is there twice with different figures") !=
                std::string::npos);
        write(file.parent_path() / "theirs.points", content);
        CampaignStatus status;
        (void)pointsOf(campaign, &status);
        QCOMPARE(status.points, std::int64_t{3});
        QCOMPARE(status.files, std::int64_t{2});
        runAll(other);
        fs::copy_file(filesOf(other, 0).front(), file.parent_path() / "other.points");
        QVERIFY(pointsOf(campaign).find("points of another campaign") != std::string::npos);
    }

    void aChunkIsOneProcesss() {
        const Campaign campaign = planned("past=1..4", 1);
        const auto claims = ChunkClaims::open(campaign.folder);
        QVERIFY(claims->take(1));
        QVERIFY(!claims->isTaken(1)); // by another
        fs::permissions(campaign.folder / "claims",
                        fs::perms::owner_read); // who asks need not be able to write
        QCOMPARE(campaignStatus(campaign)->running, std::int64_t{1});
        fs::permissions(campaign.folder / "claims", fs::perms::owner_all);
        auto runner = ChunkRunner::open(m_backends, campaign);
        QCOMPARE(*runner->run(1), ChunkRunner::Outcome::Elsewhere);
        QCOMPARE(*runner->run(0), ChunkRunner::Outcome::Computed);
        QCOMPARE(campaignStatus(campaign)->running, std::int64_t{1});
        claims->give(1);
        QCOMPARE(*runner->run(1), ChunkRunner::Outcome::Computed);
        QCOMPARE(campaignStatus(campaign)->running, std::int64_t{0});
        QCOMPARE(campaignStatus(campaign)->open, std::vector<std::int64_t>{2});
    }

    /// On a medium that cannot be written, or a file system without locks.
    void whatIsThereIsToldWithoutClaims() {
        const Campaign campaign = planned("past=1..4", 1);
        fs::create_directory(campaign.folder / "claims"); // no file that could be opened
        const auto status = campaignStatus(campaign);
        QVERIFY2(status.has_value(), status ? "" : status.error().text().c_str());
        QCOMPARE(status->open.size(), std::size_t{3});
        QCOMPARE(status->running, std::int64_t{0});
        QVERIFY(!ChunkRunner::open(m_backends, campaign));
    }

    void namesChunks() {
        QCOMPARE(*parseChunks("0-3,9,2", 10), (std::vector<std::int64_t>{0, 1, 2, 3, 9}));
        QCOMPARE(chunksText({0, 1, 2, 3, 9}), std::string("0-3,9"));
        QCOMPARE(chunksText({4, 6, 7}), std::string("4,6-7"));
        for (const char* wrong : {"", "1-", "-1", "3-2", "10", "1,,2", "a", "1-2-3", " 1"})
            QVERIFY2(!parseChunks(wrong, 10), wrong);
        QCOMPARE(*chunksOfShard("2/3", 8), (std::vector<std::int64_t>{1, 4, 7}));
        for (const char* wrong : {"", "0/2", "3/2", "2", "1/0", "x/2"})
            QVERIFY2(!chunksOfShard(wrong, 8), wrong);
    }

    void writesWhatEnginesRun() {
        QCOMPARE(chunksOfTasks({0, 1, 2, 5, 6, 9}, 2), (std::vector<std::string>{"0-1", "2,5", "6,9"}));
        QCOMPARE(chunksPerTask(0, 300), std::int64_t{1});
        QCOMPARE(chunksPerTask(40, 300), std::int64_t{8});
        QCOMPARE(chunksPerTask(1e9, 300), std::int64_t{1});
        QCOMPARE(
            *maxArraySize(
                "Licenses                = (null)\nMaxArraySize            = 1001\nMaxBatchRequeue = 5\n"),
            std::int64_t{1001});
        QVERIFY(!maxArraySize("MaxArraySize = many\n") && !maxArraySize("MaxArray = 5"));
        const auto arrays = slurmArrays(2500, 1001);
        QCOMPARE(arrays.size(), std::size_t{3});
        QCOMPARE(arrays[2].first, std::int64_t{2002});
        QCOMPARE(arrays[2].count, std::int64_t{498});
        const CampaignJob job{"/opt/it's/pimc", "/data/a b", "/data/a b/jobs/tasks-1.txt", 3, 2};
        const std::string script = slurmScript(job);
        QVERIFY(script.find("#SBATCH --signal=B:USR1@60\n") != std::string::npos);
        QVERIFY(script.find("exec '/opt/it'\\''s/pimc' sweep run '/data/a b' ") != std::string::npos);
        QVERIFY(script.find("'/data/a b/jobs/tasks-1.txt'") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestCampaign)
#include "tst_core_campaign.moc"
