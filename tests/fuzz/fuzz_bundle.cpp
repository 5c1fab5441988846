// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A bundle with one file changed, then signed again, so that its contents are looked at and not only its hashes. The first byte
/// says which file; the next two and one where in it, and how many bytes there, the rest takes the place of. 255 bytes: all.
#include "backends/builtin.h"
#include "core/compile/compiler.h"
#include "core/compile/which.h"
#include "core/graph/import.h"
#include "core/hardware/catalog.h"
#include "core/report/bundle.h"
#include "core/report/manifest.h"
#include "tests/fuzz/fuzz.h"

#include <fstream>
#include <iterator>
#include <vector>

using namespace pim;
namespace fs = std::filesystem;

namespace {

std::string contents(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Bundles of one network for machines of all kinds that have programs of their own.
class Bundles {
public:
    Bundles() {
        const TargetCatalog catalog = TargetCatalog::load();
        const auto graph = loadGraph(PIM_SOURCE_DIR "/tests/fuzz/corpus/onnx/small.onnx");
        fuzz::require(bool(graph), "the network can be read");
        for (const char* id : {"attacc", "pimcomp-default", "dynaplasia", "upmem-1"}) {
            PlanRequest request{*graph, *catalog.find(id), {}, {}};
            request.options = *quickOptions(**backends.find(request.target->backend), {});
            const auto plan = compile(backends, request);
            fuzz::require(bool(plan), plan ? "" : plan.error().text());
            const fs::path to = fuzz::folder() / id;
            const auto written = writeBundle(backends, **plan, {}, to);
            fuzz::require(bool(written), written ? "" : written.error().text());
            const auto manifest = parseManifest(contents(to / Manifest::kFileName), id);
            fuzz::require(bool(manifest), "the manifest can be read");
            for (const auto& [path, entry] : manifest->files)
                files.push_back({to, path, contents(to / path), *manifest});
        }
    }
    struct File {
        fs::path bundle;
        std::string path, sound;
        Manifest manifest;
    };
    BackendList backends = builtinBackends();
    std::vector<File> files;
};

} // namespace

int fuzz::read(const std::uint8_t* data, std::size_t size) {
    static const Bundles bundles;
    constexpr std::size_t kHead = 4, kAll = 255;
    if (size < kHead)
        return 0;
    const Bundles::File& file = bundles.files[data[0] % bundles.files.size()];
    const std::string_view put = fuzz::textOf(data + kHead, size - kHead);
    std::string text = file.sound;
    if (data[3] == kAll) {
        text = put;
    } else {
        const std::size_t at = std::min<std::size_t>(std::size_t(data[1]) << 8 | data[2], text.size());
        text.replace(at, std::min<std::size_t>(data[3], text.size() - at), put);
    }
    const std::string relative = (file.bundle.filename() / file.path).string();
    Manifest manifest = file.manifest;
    manifest.files[file.path] = *describeFile(fuzz::fileOf(relative, text));
    const std::string manifestPath = (file.bundle.filename() / Manifest::kFileName).string();
    (void)fuzz::fileOf(manifestPath, manifestText(manifest));
    const auto report = verifyBundle(bundles.backends, file.bundle);
    fuzz::require(bool(report), "a bundle with a sound manifest is one");
    fuzz::require(text != file.sound || report->problems.empty(), "a sound bundle has no problems");
    (void)readBundleSource(file.bundle);
    (void)fuzz::fileOf(relative, file.sound);
    return 0;
}
