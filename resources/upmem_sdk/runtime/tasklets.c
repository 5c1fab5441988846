// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Tasklets as coroutines: one runs until it has to wait or moves data, then the next in order of their numbers that can
/// go on has its turn. No thread and no clock: the same program runs the same way each time. That a DMA gives the turn away
/// is what hardware does (it blocks the one tasklet), and PrIM's SEL, UNI and SCAN rely on it.
#define _GNU_SOURCE
#include "../dpu/pim_calls.h"
#include "runtime.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#else // AddressSanitizer is told of every change of stacks, and of stacks that are used anew
#define __sanitizer_start_switch_fiber(save, bottom, bytes) ((void)(save), (void)(bottom), (void)(bytes))
#define __sanitizer_finish_switch_fiber(save, bottom, bytes) ((void)(save))
#define ASAN_UNPOISON_MEMORY_REGION(at, bytes) ((void)0)
#endif

/// More than a tasklet has on a DPU: frames of a 64-bit process are larger, printf runs on it. Mapped when touched.
#define STACK_BYTES ((size_t)256 << 10)

enum wait { READY, AT_BARRIER, FOR_LOCK, FOR_NOTIFIER, FOR_WAITER, FOR_SEMAPHORE, ENDED };

struct tasklet {
    ucontext_t context;
    uint8_t* stack;
    void* fakeStack; ///< AddressSanitizer's.
    enum wait wait;
    const void* object; ///< Barrier, lock or semaphore it waits at.
    unsigned peer;      ///< Tasklet it waits for.
};

static struct {
    struct tasklet tasklets[PIM_MAX_TASKLETS];
    ucontext_t scheduler;
    const void* schedulerStack;
    size_t schedulerStackBytes;
    struct pim_dpu* dpu;
    unsigned running;
} g_run;

struct pim_dpu* pim_running_dpu(void) {
    return g_run.dpu;
}

unsigned pim_running_tasklet(void) {
    return g_run.running;
}

unsigned pim_me(void) {
    return g_run.running;
}

struct pim_span pim_running_stack(void) {
    const uint8_t* begin = g_run.tasklets[g_run.running].stack;
    return (struct pim_span){begin, begin + STACK_BYTES};
}

static struct tasklet* running(void) {
    return &g_run.tasklets[g_run.running];
}

static void to_scheduler(void) {
    struct tasklet* self = running();
    __sanitizer_start_switch_fiber(self->wait == ENDED ? NULL : &self->fakeStack, g_run.schedulerStack,
                                   g_run.schedulerStackBytes);
    swapcontext(&self->context, &g_run.scheduler);
    __sanitizer_finish_switch_fiber(self->fakeStack, &g_run.schedulerStack, &g_run.schedulerStackBytes);
}

static void tasklet_main(void) {
    __sanitizer_finish_switch_fiber(NULL, &g_run.schedulerStack, &g_run.schedulerStackBytes);
    g_run.dpu->entry();
    running()->wait = ENDED;
    to_scheduler();
}

static void to_tasklet(unsigned number) {
    struct tasklet* next = &g_run.tasklets[number];
    void* fakeStack = NULL;
    g_run.running = number;
    __sanitizer_start_switch_fiber(&fakeStack, next->stack, STACK_BYTES);
    swapcontext(&g_run.scheduler, &next->context);
    __sanitizer_finish_switch_fiber(fakeStack, NULL, NULL);
}

void pim_yield(void) {
    to_scheduler();
}

_Noreturn void pim_fault(void) {
    g_run.dpu->faulted = true;
    running()->wait = ENDED;
    to_scheduler();
    __builtin_unreachable();
}

/// \return with the cause gone.
static void wait_for(enum wait what, const void* object, unsigned peer) {
    struct tasklet* self = running();
    self->wait = what;
    self->object = object;
    self->peer = peer;
    to_scheduler();
}

static void wake(enum wait what, const void* object) {
    for (unsigned i = 0; i < g_run.dpu->tasklets; ++i)
        if (g_run.tasklets[i].wait == what && g_run.tasklets[i].object == object)
            g_run.tasklets[i].wait = READY;
}

void pim_barrier_wait(struct barrier_t* barrier) {
    if (--barrier->count != 0) {
        wait_for(AT_BARRIER, barrier, 0);
        return;
    }
    barrier->count = barrier->initial_count;
    wake(AT_BARRIER, barrier);
}

/// 0: free, else 1 + the tasklet that holds it.
static uint8_t* lock_of(uint8_t* lock) {
    return lock != NULL ? lock : &g_run.dpu->lockBit0;
}

int pim_mutex_trylock(uint8_t* lock) {
    lock = lock_of(lock);
    if (*lock != 0)
        return 0;
    *lock = (uint8_t)(g_run.running + 1);
    return 1;
}

void pim_mutex_lock(uint8_t* lock) {
    while (!pim_mutex_trylock(lock))
        wait_for(FOR_LOCK, lock_of(lock), 0);
}

void pim_mutex_unlock(uint8_t* lock) {
    lock = lock_of(lock);
    *lock = 0;
    wake(FOR_LOCK, lock);
}

int pim_handshake_wait_for(unsigned notifier) {
    for (unsigned i = 0; i < g_run.dpu->tasklets; ++i)
        if (g_run.tasklets[i].wait == FOR_NOTIFIER && g_run.tasklets[i].peer == notifier) {
            pim_violation(
                PIM_HANDSHAKE, g_run.dpu,
                "handshake_wait_for tasklet %u, for which tasklet %u waits: a notify wakes one, the second "
                "does not wait; let each tasklet wait for another, or use a barrier",
                notifier, i);
            return -1;
        }
    if (notifier < g_run.dpu->tasklets && g_run.tasklets[notifier].wait == FOR_WAITER)
        g_run.tasklets[notifier].wait = READY;
    else
        wait_for(FOR_NOTIFIER, NULL, notifier);
    return 0;
}

void pim_handshake_notify(void) {
    for (unsigned i = 0; i < g_run.dpu->tasklets; ++i)
        if (g_run.tasklets[i].wait == FOR_NOTIFIER && g_run.tasklets[i].peer == g_run.running) {
            g_run.tasklets[i].wait = READY;
            return;
        }
    wait_for(FOR_WAITER, NULL, 0);
}

void pim_sem_take(int32_t* count) {
    while (*count <= 0)
        wait_for(FOR_SEMAPHORE, count, 0);
    --*count;
}

void pim_sem_give(int32_t* count) {
    ++*count;
    wake(FOR_SEMAPHORE, count);
}

/// A mutex by its name.
static void name_lock(const uint8_t* lock, char* text, size_t room) {
    static const char prefix[] = "pim_lock_of_"; // atomic_bit.h
    pim_name_address(g_run.dpu, lock, text, room);
    if (lock == &g_run.dpu->lockBit0)
        snprintf(text, room, "lock bit 0");
    else if (strncmp(text, prefix, sizeof prefix - 1) == 0)
        memmove(text, text + sizeof prefix - 1, strlen(text) + 2 - sizeof prefix);
}

static void describe_wait(FILE* text, const struct tasklet* tasklet) {
    char name[160];
    switch (tasklet->wait) {
    case AT_BARRIER: {
        const struct barrier_t* barrier = tasklet->object;
        pim_name_address(g_run.dpu, barrier, name, sizeof name);
        fprintf(text, "barrier_wait at %s, %d of %d arrived", name, barrier->initial_count - barrier->count,
                barrier->initial_count);
        break;
    }
    case FOR_LOCK:
        name_lock(tasklet->object, name, sizeof name);
        fprintf(text, "mutex_lock of %s, held by tasklet %u", name, *(const uint8_t*)tasklet->object - 1u);
        break;
    case FOR_NOTIFIER:
        fprintf(text, "handshake_wait_for tasklet %u", tasklet->peer);
        break;
    case FOR_WAITER:
        fputs("handshake_notify, nobody waits for it", text);
        break;
    case FOR_SEMAPHORE:
        fputs("sem_take", text);
        break;
    case READY:
    case ENDED:
        break;
    }
}

static void report_deadlock(unsigned waiting) {
    char* text = NULL;
    size_t bytes = 0;
    FILE* waits = open_memstream(&text, &bytes);
    if (waits == NULL)
        pim_die("a message", "no memory");
    const char* between = "";
    for (unsigned i = 0; i < g_run.dpu->tasklets; ++i)
        if (g_run.tasklets[i].wait != ENDED) {
            fprintf(waits, "%s%u: ", between, i);
            describe_wait(waits, &g_run.tasklets[i]);
            between = "; ";
        }
    fclose(waits);
    pim_violation(PIM_DEADLOCK, g_run.dpu,
                  "deadlock: %u of %u tasklets wait, none can go on (%s); every tasklet has to pass the same "
                  "barriers, and every wait needs its notify or unlock",
                  waiting, g_run.dpu->tasklets, text);
    free(text);
    g_run.dpu->faulted = true;
}

static void create_stack(struct tasklet* tasklet) {
    const size_t guard = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t* at =
        mmap(NULL, guard + STACK_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED || mprotect(at + guard, STACK_BYTES, PROT_READ | PROT_WRITE) != 0)
        pim_die("stack of a tasklet", "no memory");
    tasklet->stack = at + guard;
}

static void prepare(struct tasklet* tasklet) {
    if (tasklet->stack == NULL)
        create_stack(tasklet);
    ASAN_UNPOISON_MEMORY_REGION(tasklet->stack, STACK_BYTES);
    getcontext(&tasklet->context);
    tasklet->context.uc_stack.ss_sp = tasklet->stack;
    tasklet->context.uc_stack.ss_size = STACK_BYTES;
    tasklet->context.uc_link = NULL;
    tasklet->wait = READY;
    makecontext(&tasklet->context, tasklet_main, 0);
}

void pim_run(struct pim_dpu* dpu) {
    g_run.dpu = dpu;
    dpu->heapUsed = 0;
    pim_count_wram(dpu->staticBytes);
    for (unsigned i = 0; i < dpu->tasklets; ++i)
        prepare(&g_run.tasklets[i]);
    unsigned next = 0, passed = 0, waiting = 0; // passed: looked at in vain since one ran; some of them wait
    while (passed < dpu->tasklets && !dpu->faulted) {
        if (g_run.tasklets[next].wait == READY) {
            to_tasklet(next);
            passed = 0;
            waiting = 0;
        } else {
            ++passed;
            waiting += g_run.tasklets[next].wait != ENDED;
        }
        next = (next + 1) % dpu->tasklets;
    }
    if (!dpu->faulted && waiting != 0)
        report_deadlock(waiting);
    g_run.dpu = NULL;
}
