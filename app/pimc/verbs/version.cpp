// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/version.h"

#include "app/pimc/verbs/verbs.h"
#include "core/base/built_with.h"
#include "core/base/paths.h"
#include "core/project/project.h"
#include "core/report/versions.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace pim::cli {
namespace {

/// The program, and the compilers its families follow.
constexpr std::string_view kCitations = R"(@software{pimstudio,
  title = {{PIM Studio}: an {IDE} and compiler for processing-in-memory},
  version = {@VERSION@},
  license = {GPL-3.0-or-later}
}
@article{dcc,
  title = {A Tensor Compiler for Processing-In-Memory Architectures},
  author = {Yang, Peiming and Durvasula, Sankeerth and Fernandez, Ivan and Sadrosadati, Mohammad and Mutlu, Onur and Pekhimenko, Gennady and Giannoula, Christina},
  journal = {arXiv:2511.15503},
  year = {2025},
  note = {DRAM with processing units}
}
@article{pimcomp,
  title = {{PIMCOMP}: An End-to-End {DNN} Compiler for Processing-In-Memory Accelerators},
  author = {Sun, Xiaotian and Wang, Xinyu and Li, Wanqian and Han, Yinhe and Chen, Xiaoming},
  journal = {arXiv:2411.09159},
  year = {2024},
  note = {Crossbar chips}
}
@inproceedings{cmswitch,
  title = {Be {CIM} or Be Memory: A Dual-mode-aware {DNN} Compiler for {CIM} Accelerators},
  author = {Zhao, Shixin and Li, Yuming and Li, Bing and He, Yintao and others},
  booktitle = {ASPLOS},
  year = {2025},
  note = {Dual-mode chips}
}
@inproceedings{cinm,
  title = {{CINM} (Cinnamon): A Compilation Infrastructure for Heterogeneous Compute In-Memory and Compute Near-Memory Paradigms},
  author = {Khan, Asif Ali and others},
  booktitle = {ASPLOS},
  year = {2025},
  note = {UPMEM and memristor tiles}
}
@inproceedings{pimdl,
  title = {{PIM-DL}: Expanding the Applicability of Commodity {DRAM-PIMs} for Deep Learning via Algorithm-System Co-Optimization},
  author = {Li, Cong and Zhou, Zhe and Wang, Yang and Yang, Fan and others},
  booktitle = {ASPLOS},
  year = {2024},
  note = {Look-up tables}
}
)";

std::string citations() {
    constexpr std::string_view kVersion = "@VERSION@";
    std::string text(kCitations);
    text.replace(text.find(kVersion), kVersion.size(), PIM_VERSION);
    return text;
}

} // namespace

Action versionVerb(CLI::App& verb, const BackendList&) {
    const auto bibtex = std::make_shared<bool>(false), all = std::make_shared<bool>(false);
    verb.add_flag("--all", *all, "With the system it runs on and the description of every machine");
    verb.add_flag("--bibtex", *bibtex,
                  "What to cite: the program, and the compilers that its families follow");
    verb.footer(
        "Examples:\n  pimc version --all\n  pimc version --json\n  pimc version --bibtex > pimstudio.bib");
    return [bibtex, all](Session& session) -> Result<void> {
        if (*bibtex)
            return session.print(citations());
        const TargetCatalog& catalog = session.catalog();
        const VersionList list = versionList(catalog, *all);
        if (!session.json)
            return session.print("pimc " PIM_VERSION "\n" + versionText(list));
        auto backends = nlohmann::ordered_json::array();
        for (const auto& backend : session.backends().all())
            backends.push_back({{"id", backend->id()}, {"summary", backend->summary()}});
        nlohmann::ordered_json libraries;
        for (const auto& [what, version] : kBuiltWith)
            libraries[what] = version;
        nlohmann::ordered_json json{{"version", PIM_VERSION},
                                    {"project_schema", Project::kSchemaVersion},
                                    {"targets", catalog.targets().size()},
                                    {"hosts", catalog.hosts().size()},
                                    {"built_with", libraries},
                                    {"backends", backends},
                                    {"resources", resourceDir().string()}};
        if (*all) {
            for (const auto& [what, value] : list.facts)
                if (what == "system")
                    json[what] = value;
            json["machines"] = nlohmann::ordered_json::object();
            for (const auto& [id, what] : list.machines)
                json["machines"][id] = what;
        }
        return session.print(json.dump(2) + "\n");
    };
}

} // namespace pim::cli
