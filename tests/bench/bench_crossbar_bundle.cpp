// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Memory and time of `pimc compile --out` for crossbar chips, networks with all their weights: cells are
/// written as they are made, so memory has a ceiling whatever the size of the model. Arguments: names of zoo
/// networks.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

constexpr double kMostMegabytes = 200;

struct Ran {
    int code = -1;
    double megabytes = 0, userSeconds = 0;
};

Ran run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), PIMC);
    std::vector<char*> pointers;
    for (std::string& argument : arguments)
        pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        execv(PIMC, pointers.data());
        _exit(127);
    }
    int status = 0;
    rusage usage{};
    if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status))
        return {};
    return {WEXITSTATUS(status), double(usage.ru_maxrss) / 1024,
            double(usage.ru_utime.tv_sec) + double(usage.ru_utime.tv_usec) / 1e6};
}

} // namespace

int main(int argc, char** argv) {
    std::vector<std::string> models(argv + 1, argv + argc);
    if (models.empty())
        models = {"squeezenet", "googlenet", "mobilenetv2", "resnet18", "resnet34",
                  "resnet50",   "vgg8",      "vgg16",       "bert-base"};
    std::string pattern = (fs::temp_directory_path() / "bench-crossbar-bundle-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
        return 1;
    const fs::path folder = pattern;
    bool good = true;
    std::printf("%-14s %10s %10s %12s %10s\n", "model on arch-c", "memory MB", "user s", "cells MB",
                "plan MB");
    for (const std::string& model : models) {
        const std::string file = (folder / (model + ".onnx")).string(), bundle = (folder / model).string();
        if (run({"zoo", model, "-q", "--out", file}).code != 0) {
            std::printf("%-14s could not be written\n", model.c_str());
            good = false;
            continue;
        }
        const bool readsText = model.starts_with("bert"); // its other open dimension is the number of tokens
        const std::vector<std::string> compile{"compile",
                                               file,
                                               "-q",
                                               "--target",
                                               "arch-c",
                                               "--bind",
                                               readsText ? "batch=1,seq=128" : "batch=1",
                                               "--crossbar",
                                               "strategy=constructive"};
        const Ran plan = run(compile);
        std::vector<std::string> withBundle = compile;
        withBundle.insert(withBundle.end(), {"--out", bundle});
        const Ran made = run(withBundle);
        std::error_code missing;
        const auto cells = fs::file_size(fs::path(bundle) / "chip" / "weights.bin", missing);
        std::printf("%-14s %10.0f %10.1f %12.1f %10.0f\n", model.c_str(), made.megabytes, made.userSeconds,
                    missing ? 0.0 : double(cells) / 1e6, plan.megabytes);
        std::fflush(stdout);
        good = good && made.code == 0 && made.megabytes <= kMostMegabytes;
        fs::remove(file);
        fs::remove(file + ".data", missing);
        fs::remove_all(bundle);
    }
    fs::remove_all(folder);
    if (!good)
        std::printf("a bundle took more than %.0f MB, or failed\n", kMostMegabytes);
    return good ? 0 : 1;
}
