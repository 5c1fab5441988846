// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Names of functions from the symbols of a program or a shared library, by libdw.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace pim {

class FunctionNames {
public:
    FunctionNames();
    ~FunctionNames();
    FunctionNames(const FunctionNames&) = delete;
    FunctionNames& operator=(const FunctionNames&) = delete;

    /// "pim::compile(…) at compiler.cpp:120", with the place where the file has it; empty: there is no such file, or it does not say.
    /// \param offset B from where the file is loaded.
    std::string at(const std::filesystem::path& file, std::uint64_t offset);
    /// As hexadecimal digits; empty: it has none, or cannot be read.
    std::string buildId(const std::filesystem::path& file);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// "pim::name(Result)" of "_ZN3pim4nameE…"; what is no such name stays as it is.
std::string demangled(const std::string& symbol);

} // namespace pim
