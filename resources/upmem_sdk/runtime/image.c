// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A DPU program is a shared object. Every DPU loads a copy of the file, for loaders take one file twice for the same
/// object, whose globals all DPUs would share.
#define _GNU_SOURCE
#include "runtime.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct file {
    uint8_t* bytes;
    size_t size;
};

static bool read_file(const char* path, struct file* file) {
    FILE* stream = fopen(path, "rb");
    if (stream == NULL)
        return false;
    bool good = fseek(stream, 0, SEEK_END) == 0;
    const long size = good ? ftell(stream) : -1;
    good = size > 0 && fseek(stream, 0, SEEK_SET) == 0;
    if (good) {
        file->size = (size_t)size;
        file->bytes = malloc(file->size);
        good = file->bytes != NULL && fread(file->bytes, 1, file->size, stream) == file->size;
        if (!good)
            free(file->bytes);
    }
    fclose(stream);
    return good;
}

static bool starts_with(const char* text, const char* prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/// Finds the program's globals by its sections: .persistent.bss is MRAM, .data .bss .rodata are WRAM.
static void measure(const struct file* file, const uint8_t* base, struct pim_dpu* dpu) {
    const ElfW(Ehdr)* header = (const void*)file->bytes;
    const ElfW(Shdr)* sections = (const void*)(file->bytes + header->e_shoff);
    const char* names = (const char*)file->bytes + sections[header->e_shstrndx].sh_offset;
    uint64_t begin = UINT64_MAX, end = 0, wramBytes = 0;
    for (unsigned i = 0; i < header->e_shnum; ++i) {
        const ElfW(Shdr)* section = &sections[i];
        const char* name = names + section->sh_name;
        if ((section->sh_flags & SHF_ALLOC) == 0 || section->sh_size == 0)
            continue;
        if (strcmp(name, ".persistent.bss") == 0) {
            dpu->mramGlobals.begin = base + section->sh_addr;
            dpu->mramGlobals.end = dpu->mramGlobals.begin + section->sh_size;
        } else if (starts_with(name, ".data") || starts_with(name, ".bss") || starts_with(name, ".rodata")) {
            wramBytes += section->sh_size;
        } else {
            continue;
        }
        begin = section->sh_addr < begin ? section->sh_addr : begin;
        end = section->sh_addr + section->sh_size > end ? section->sh_addr + section->sh_size : end;
    }
    if (end != 0)
        dpu->globals = (struct pim_span){base + begin, base + end};
    dpu->staticBytes = (uint32_t)(wramBytes < UINT32_MAX ? wramBytes : UINT32_MAX);
}

/// Loads a copy that has no name any more when this returns.
static void* open_copy(const struct file* file, const char* path, uint32_t dpu) {
    char* copy = NULL;
    if (asprintf(&copy, "%s.dpu%u.XXXXXX", path, dpu) < 0)
        pim_die(path, "no memory");
    const int descriptor = mkstemp(copy);
    void* image = NULL;
    if (descriptor >= 0) {
        size_t done = 0;
        while (done < file->size) {
            const ssize_t written = write(descriptor, file->bytes + done, file->size - done);
            if (written <= 0)
                pim_die(copy, strerror(errno));
            done += (size_t)written;
        }
        close(descriptor);
        char* absolute = realpath(copy, NULL); // a bare name would be looked up in the loader's own paths
        image = dlopen(absolute != NULL ? absolute : copy, RTLD_NOW | RTLD_LOCAL);
        free(absolute);
        unlink(copy);
    } else {
        pim_die(copy, strerror(errno));
    }
    free(copy);
    return image;
}

static const char* load(const struct file* file, const char* path, struct pim_dpu* dpu) {
    pim_unload_image(dpu);
    dpu->image = open_copy(file, path, dpu->id);
    if (dpu->image == NULL)
        return dlerror();
    struct link_map* map = NULL;
    dlinfo(dpu->image, RTLD_DI_LINKMAP, &map);
    measure(file, (const uint8_t*)map->l_addr, dpu);
    const uint32_t* tasklets = dlsym(dpu->image, "pim_tasklets");
    void* entry = dlsym(dpu->image, "dpu_main");
    if (tasklets == NULL || entry == NULL)
        return "it was not built with -Dmain=dpu_main and dpu_start.c";
    memcpy(&dpu->entry, &entry, sizeof entry);
    dpu->tasklets = *tasklets;
    if (dpu->tasklets == 0 || dpu->tasklets > PIM_MAX_TASKLETS) {
        pim_violation(PIM_TASKLETS, dpu, "the program has %u tasklets, a DPU runs 1 to %u; set NR_TASKLETS",
                      dpu->tasklets, PIM_MAX_TASKLETS);
        dpu->faulted = true;
    }
    if (dpu->staticBytes > PIM_WRAM_BYTES) {
        pim_violation(PIM_WRAM_FULL, dpu,
                      "globals of the program take %u bytes, WRAM has %u; keep large arrays in MRAM",
                      dpu->staticBytes, PIM_WRAM_BYTES);
        dpu->faulted = true;
    }
    if (dpu->mramGlobals.end - dpu->mramGlobals.begin > (ptrdiff_t)PIM_MRAM_BYTES) {
        pim_violation(PIM_MRAM_BOUNDS, dpu, "__mram_noinit variables take %llu bytes, MRAM has %u",
                      (unsigned long long)(dpu->mramGlobals.end - dpu->mramGlobals.begin), PIM_MRAM_BYTES);
        dpu->faulted = true;
    }
    return NULL;
}

const char* pim_load_images(struct pim_dpu* dpus, uint32_t count, const char* path) {
    struct file file;
    if (!read_file(path, &file))
        return strerror(errno);
    const char* why = NULL;
    if (file.size < sizeof(ElfW(Ehdr)) || memcmp(file.bytes, ELFMAG, SELFMAG) != 0)
        why = "not a shared object";
    for (uint32_t i = 0; i < count && why == NULL; ++i)
        why = load(&file, path, &dpus[i]);
    free(file.bytes);
    return why;
}

void pim_unload_image(struct pim_dpu* dpu) {
    if (dpu->image != NULL)
        dlclose(dpu->image);
    dpu->image = NULL;
    dpu->entry = NULL;
    dpu->faulted = false;
    dpu->globals = dpu->mramGlobals = (struct pim_span){NULL, NULL};
    dpu->staticBytes = dpu->heapUsed = 0;
    dpu->lockBit0 = 0;
}

uint8_t* pim_find_symbol(const struct pim_dpu* dpu, const char* name, uint64_t* bytes) {
    uint8_t* at = dlsym(dpu->image, name);
    Dl_info info;
    const ElfW(Sym)* symbol = NULL;
    if (at == NULL || !pim_within(&dpu->globals, at, 0) || // else a symbol of the C library
        dladdr1(at, &info, (void**)&symbol, RTLD_DL_SYMENT) == 0 || symbol == NULL)
        return NULL;
    *bytes = symbol->st_size;
    return at;
}

void pim_name_address(const struct pim_dpu* dpu, const void* address, char* text, size_t room) {
    if (!pim_within(&dpu->globals, address, 0)) {
        snprintf(text, room, "an address outside of the program");
        return;
    }
    Dl_info info;
    const ElfW(Sym)* symbol = NULL;
    const uint8_t* at = address;
    if (dladdr1(at, &info, (void**)&symbol, RTLD_DL_SYMENT) != 0 && symbol != NULL &&
        info.dli_sname != NULL) {
        const size_t offset = (size_t)(at - (const uint8_t*)info.dli_saddr);
        if (offset < symbol->st_size) {
            snprintf(text, room, offset == 0 ? "%s" : "%s + %zu", info.dli_sname, offset);
            return;
        }
    }
    snprintf(text, room, "globals + %zu", (size_t)(at - dpu->globals.begin));
}
