// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Goes before the C library of a program (LD_PRELOAD) and lets the n-th call that changes a file go wrong, counted from 1; of
/// each call only what a real disk, kernel or user can do. What is asked is in the environment:
///   PIM_FAULT=KIND:N
///     enospc | eio    the N-th call fails with that error, later ones work
///     full            it and all later ones that need room fail with ENOSPC: writes, new files and folders
///     eintr           it is interrupted by a signal before it has done anything; writes and opens only, as POSIX says
///     short           it writes half of what it was given; writes only
///     kill            a write puts half of it into the file, then the process ends as by kill -9; other calls do nothing before
///     memory          the N-th allocation of PIM_FAULT_BYTES or more gives none
///     none            all work
///   PIM_FAULT_COUNT=FILE   how many calls of the kind there were is written there when the program ends
/// Calls: open and rename of files, writes, truncations and syncs of regular files; of a pipe or a terminal nothing is counted.
/// fopen() of the C library itself is not seen.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum Kind { None, Enospc, Eio, Full, Eintr, Short, Kill, Memory };
static const char* const kNames[] = {"none", "enospc", "eio", "full", "eintr", "short", "kill", "memory"};

static enum Kind kind;
static long wanted = -1;
static size_t least = 16384;
static atomic_long calls;

__attribute__((constructor)) static void begin(void) {
    const char* text = getenv("PIM_FAULT");
    if (!text)
        return;
    for (size_t i = 0; i < sizeof kNames / sizeof *kNames; ++i) {
        const size_t length = strlen(kNames[i]);
        if (strncmp(text, kNames[i], length) == 0 && text[length] == ':') {
            kind = (enum Kind)i;
            wanted = atol(text + length + 1);
        }
    }
    if (getenv("PIM_FAULT_BYTES"))
        least = (size_t)atol(getenv("PIM_FAULT_BYTES"));
    atomic_store(&calls, 0);
}

__attribute__((destructor)) static void end(void) {
    const char* file = getenv("PIM_FAULT_COUNT");
    if (!file)
        return;
    char text[32];
    const int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&calls));
    const long handle = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (handle >= 0 && syscall(SYS_write, handle, text, length) == length)
        syscall(SYS_close, handle);
}

/// Whether this call is one of those that go wrong.
static int isTurn(void) {
    const long number = atomic_fetch_add(&calls, 1) + 1;
    return wanted > 0 && (kind == Full ? number >= wanted : number == wanted);
}

static void die(void) {
    syscall(SYS_kill, getpid(), SIGKILL);
}

/// For calls that are not writes. \returns the error to fail with, 0: none
static int failure(int canBeInterrupted, int needsRoom) {
    if (kind == Memory || kind == Short || (kind == Eintr && !canBeInterrupted) ||
        (kind == Full && !needsRoom) || !isTurn())
        return 0;
    switch (kind) {
    case Enospc:
    case Full:
        return ENOSPC;
    case Eio:
        return EIO;
    case Eintr:
        return EINTR;
    case Kill:
        die();
        return 0;
    default:
        return 0;
    }
}

static int fails(int canBeInterrupted, int needsRoom) {
    const int error = failure(canBeInterrupted, needsRoom);
    if (error)
        errno = error;
    return error != 0;
}

static int isFile(int handle) {
    struct stat about;
    return fstat(handle, &about) == 0 && S_ISREG(about.st_mode);
}

#define NEXT(type, name, ...)                                                                                \
    static type (*next)(__VA_ARGS__);                                                                        \
    if (!next)                                                                                               \
    next = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

/// How much of a write is to be done: all of it, or half; or none, with errno.
static ssize_t allowed(int handle, size_t size) {
    if (kind == Memory || !isFile(handle) || !isTurn())
        return (ssize_t)size;
    switch (kind) {
    case Short:
        return size > 1 ? (ssize_t)(size / 2) : (ssize_t)size;
    case Kill:
        return (ssize_t)(size / 2);
    case None:
        return (ssize_t)size;
    case Enospc:
    case Full:
        errno = ENOSPC;
        return -1;
    case Eio:
        errno = EIO;
        return -1;
    default:
        errno = EINTR;
        return -1;
    }
}

static ssize_t afterWrite(ssize_t done, size_t size) {
    if (kind == Kill && done >= 0 && (size_t)done < size)
        die();
    return done;
}

ssize_t write(int handle, const void* bytes, size_t size) {
    NEXT(ssize_t, "write", int, const void*, size_t);
    const ssize_t part = allowed(handle, size);
    return part < 0 ? -1 : afterWrite(next(handle, bytes, (size_t)part), size);
}

ssize_t pwrite64(int handle, const void* bytes, size_t size, off64_t at) {
    NEXT(ssize_t, "pwrite64", int, const void*, size_t, off64_t);
    const ssize_t part = allowed(handle, size);
    return part < 0 ? -1 : afterWrite(next(handle, bytes, (size_t)part, at), size);
}
ssize_t pwrite(int handle, const void* bytes, size_t size, off_t at) {
    return pwrite64(handle, bytes, size, at);
}

ssize_t writev(int handle, const struct iovec* parts, int count) {
    NEXT(ssize_t, "writev", int, const struct iovec*, int);
    size_t size = 0;
    for (int i = 0; i < count; ++i)
        size += parts[i].iov_len;
    const ssize_t part = allowed(handle, size);
    if (part < 0 || (size_t)part == size)
        return part < 0 ? -1 : next(handle, parts, count);
    size_t first = 0; // one part, or some of it, is a short write too
    while (first + 1 < (size_t)count && parts[first].iov_len == 0)
        ++first;
    const size_t length = parts[first].iov_len < (size_t)part ? parts[first].iov_len : (size_t)part;
    return afterWrite(syscall(SYS_write, handle, parts[first].iov_base, length), size);
}

static int changes(int flags) {
    return (flags & O_ACCMODE) != O_RDONLY || flags & O_CREAT;
}

#define OPEN(name)                                                                                           \
    int name(const char* path, int flags, ...) {                                                             \
        NEXT(int, #name, const char*, int, ...);                                                             \
        va_list rest;                                                                                        \
        va_start(rest, flags);                                                                               \
        const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                        \
        va_end(rest);                                                                                        \
        if (changes(flags) && strncmp(path, "/dev/", 5) != 0 && fails(1, access(path, F_OK) != 0))           \
            return -1;                                                                                       \
        return next(path, flags, mode);                                                                      \
    }
OPEN(open)
OPEN(open64)

int rename(const char* from, const char* to) {
    NEXT(int, "rename", const char*, const char*);
    return fails(0, 0) ? -1 : next(from, to);
}
int renameat2(int fromFolder, const char* from, int toFolder, const char* to, unsigned flags) {
    NEXT(int, "renameat2", int, const char*, int, const char*, unsigned);
    return fails(0, 0) ? -1 : next(fromFolder, from, toFolder, to, flags);
}
int mkdir(const char* path, mode_t mode) {
    NEXT(int, "mkdir", const char*, mode_t);
    return fails(0, 1) ? -1 : next(path, mode);
}

#define ON_FILE(name, parameters, types, ...)                                                                \
    int name parameters {                                                                                    \
        NEXT(int, #name, types);                                                                             \
        return isFile(handle) && fails(0, 0) ? -1 : next(__VA_ARGS__);                                       \
    }
#define COMMA ,
ON_FILE(fsync, (int handle), int, handle)
ON_FILE(fdatasync, (int handle), int, handle)
ON_FILE(ftruncate, (int handle, off_t length), int COMMA off_t, handle, length)
ON_FILE(ftruncate64, (int handle, off64_t length), int COMMA off64_t, handle, length)

// Allocations, of C and of C++, by whatever allocator the program has. One within another is the same one.
static _Thread_local int depth;

static void leave(int* entered) {
    depth -= *entered;
}
#define ALLOCATION                                                                                           \
    __attribute__((cleanup(leave))) int entered = 1; /* also where an exception ends it */                   \
    depth += entered

static int isRefused(size_t size) {
    return depth == 1 && kind == Memory && size >= least && isTurn() ? (errno = ENOMEM, 1) : 0;
}

void* malloc(size_t size) {
    NEXT(void*, "malloc", size_t);
    ALLOCATION;
    return isRefused(size) ? NULL : next(size);
}
void* calloc(size_t count, size_t size) {
    NEXT(void*, "calloc", size_t, size_t);
    ALLOCATION;
    return isRefused(count * size) ? NULL : next(count, size);
}
void* realloc(void* old, size_t size) {
    NEXT(void*, "realloc", void*, size_t);
    ALLOCATION;
    return isRefused(size) ? NULL : next(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
    NEXT(void*, "aligned_alloc", size_t, size_t);
    ALLOCATION;
    return isRefused(size) ? NULL : next(alignment, size);
}
int posix_memalign(void** result, size_t alignment, size_t size) {
    NEXT(int, "posix_memalign", void**, size_t, size_t);
    ALLOCATION;
    return isRefused(size) ? ENOMEM : next(result, alignment, size);
}

// operator new. What nobody has is refused by an exception, which C cannot throw.
#define OPERATOR_NEW(name)                                                                                   \
    void* name(size_t size) {                                                                                \
        NEXT(void*, #name, size_t);                                                                          \
        ALLOCATION;                                                                                          \
        return next(isRefused(size) ? PTRDIFF_MAX : size);                                                   \
    }
OPERATOR_NEW(_Znwm)
OPERATOR_NEW(_Znam)
#define OPERATOR_NEW_NOTHROW(name)                                                                           \
    void* name(size_t size, const void* nothrow) {                                                           \
        NEXT(void*, #name, size_t, const void*);                                                             \
        ALLOCATION;                                                                                          \
        return isRefused(size) ? NULL : next(size, nothrow);                                                 \
    }
OPERATOR_NEW_NOTHROW(_ZnwmRKSt9nothrow_t)
OPERATOR_NEW_NOTHROW(_ZnamRKSt9nothrow_t)
