// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/function_names.h"

#include <cxxabi.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>

#include <cstdlib>
#include <map>

namespace pim {
namespace {

/// Symbols and lines of the file itself are all that is looked at: whatever else libdw knows to look for may ask a server.
int noOtherFile(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*, GElf_Word, char**) {
    return -1;
}

const Dwfl_Callbacks kCallbacks{dwfl_build_id_find_elf, noOtherFile, dwfl_offline_section_address, nullptr};

} // namespace

struct FunctionNames::Impl {
    Dwfl* session = dwfl_begin(&kCallbacks);
    std::map<std::string, Dwfl_Module*> files;
    ~Impl() { dwfl_end(session); }

    Dwfl_Module* module(const std::filesystem::path& file) {
        const auto [found, isNew] = files.try_emplace(file.string(), nullptr);
        if (isNew && session) {
            dwfl_report_begin_add(session);
            found->second = dwfl_report_offline(session, found->first.c_str(), found->first.c_str(), -1);
            dwfl_report_end(session, nullptr, nullptr);
        }
        return found->second;
    }
};

FunctionNames::FunctionNames() : m_impl(std::make_unique<Impl>()) {}
FunctionNames::~FunctionNames() = default;

std::string FunctionNames::at(const std::filesystem::path& file, std::uint64_t offset) {
    Dwfl_Module* const module = m_impl->module(file);
    GElf_Addr bias = 0;
    if (!module || !dwfl_module_getelf(module, &bias))
        return {};
    const char* const symbol = dwfl_module_addrname(module, bias + offset);
    if (!symbol)
        return {};
    std::string name = demangled(symbol);
    if (Dwfl_Line* const line = dwfl_module_getsrc(module, bias + offset)) {
        int number = 0;
        if (const char* const source = dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr))
            name += fmt::format(" at {}:{}", std::filesystem::path(source).filename().string(), number);
    }
    return name;
}

std::string FunctionNames::buildId(const std::filesystem::path& file) {
    Dwfl_Module* const module = m_impl->module(file);
    GElf_Addr bias = 0, place = 0;
    const unsigned char* bits = nullptr;
    if (!module || !dwfl_module_getelf(module, &bias))
        return {};
    std::string id;
    for (int i = 0, size = dwfl_module_build_id(module, &bits, &place); i < size; ++i)
        id += fmt::format("{:02x}", bits[i]);
    return id;
}

std::string demangled(const std::string& symbol) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && name ? std::string(name.get()) : symbol;
}

} // namespace pim
