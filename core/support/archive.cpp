// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/archive.h"

#include "core/base/file_io.h"

#include <archive.h>
#include <archive_entry.h>

#include <cctype>
#include <cstdlib>
#include <memory>

namespace pim {
namespace {

Error archiveError(archive* writer, const std::filesystem::path& file) {
    const char* const what = archive_error_string(writer);
    return {ErrorCode::Io, std::string("the archive cannot be made: ") + (what ? what : "unknown reason"),
            file.string(), "choose another folder or free some space"};
}

la_ssize_t pour(archive*, void* into, const void* bytes, std::size_t size) {
    static_cast<std::string*>(into)->append(static_cast<const char*>(bytes), size);
    return static_cast<la_ssize_t>(size);
}

} // namespace

Result<void> writeArchive(const std::filesystem::path& archiveFile, const std::vector<ArchivedFile>& files) {
    std::string bytes;
    const std::unique_ptr<archive, decltype(&archive_write_free)> writer(archive_write_new(),
                                                                         &archive_write_free);
    if (archive_write_set_format_zip(writer.get()) != ARCHIVE_OK ||
        archive_write_open(writer.get(), &bytes, nullptr, pour, nullptr) != ARCHIVE_OK)
        return tl::unexpected<Error>(archiveError(writer.get(), archiveFile));
    for (const ArchivedFile& file : files) {
        const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(),
                                                                                  &archive_entry_free);
        archive_entry_set_pathname_utf8(entry.get(),
                                        (archiveFile.stem() / file.name).generic_string().c_str());
        archive_entry_set_filetype(entry.get(), AE_IFREG);
        archive_entry_set_perm(entry.get(), 0644);
        archive_entry_set_size(entry.get(), static_cast<la_int64_t>(file.content.size()));
        if (archive_write_header(writer.get(), entry.get()) != ARCHIVE_OK ||
            archive_write_data(writer.get(), file.content.data(), file.content.size()) !=
                static_cast<la_ssize_t>(file.content.size()))
            return tl::unexpected<Error>(archiveError(writer.get(), archiveFile));
    }
    if (archive_write_close(writer.get()) != ARCHIVE_OK)
        return tl::unexpected<Error>(archiveError(writer.get(), archiveFile));
    return replaceFile(archiveFile, bytes);
}

std::string withoutHome(std::string text) {
    const char* const home = std::getenv("HOME");
    if (!home || std::filesystem::path(home).relative_path().empty())
        return text; // nobody, or "/"
    std::vector<std::string> names{home};
    std::error_code unknown;
    names.push_back(std::filesystem::canonical(home, unknown).string());
    for (std::string& name : names) {
        while (name.ends_with('/'))
            name.pop_back();
        for (std::size_t at = 0; !name.empty() && (at = text.find(name, at)) != std::string::npos;) {
            const char next = at + name.size() < text.size() ? text[at + name.size()] : '/';
            const bool isWhole = next == '/' || !(std::isalnum(static_cast<unsigned char>(next)) != 0 ||
                                                  next == '_' || next == '-' || next == '.');
            if (isWhole)
                text.replace(at, name.size(), "~");
            at += isWhole ? 1 : name.size();
        }
    }
    return text;
}

} // namespace pim
