/* Context switches of the process's threads, as the kernel reports them through a ring for each CPU
 * (perf_event_open(2)). A thread of the recorder reads the rings. Switches are recorded by CPU:
 * each CPU has pages of its own, as a thread has. */
#include "base/number.h"
#include "recorder/event.h"
#include "recorder/session.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    RING_BYTES = 256 * 1024, /* for each CPU; users without special rights get at most 516 KiB */
    CPUS_MOST = 1024,
    EVERY_NS = 20000000
};

enum { SWITCH_OUT, SWITCH_IN, PREEMPTED, SWITCH_TYPES };

#define SWITCH(number, name, meaning)                                                              \
    {                                                                                              \
        EVENT_ID(number, GROUP_SWITCHES), CT_MARK, 2, "SWITCHES", name, "thread:thread cpu:cpu",   \
            meaning                                                                                \
    }

static struct ct_type types[SWITCH_TYPES] = {
    SWITCH(1, "SWITCH_OUT", "role=\"suspend\" state=\"blocked\""),
    SWITCH(2, "SWITCH_IN", "role=\"resume\""),
    SWITCH(3, "PREEMPTED", "role=\"suspend\" state=\"ready\"")};

static struct type_table table = {types, SWITCH_TYPES, NULL};

struct sample {
    uint32_t pid, tid;
    uint64_t time;
    uint32_t cpu, reserved;
};

struct ring {
    struct perf_event_mmap_page *map;
    uint64_t last; /* time of the last record, in ticks */
    struct local local;
};

static struct {
    struct ring *rings;
    unsigned nrings;
    struct system_lock lock;
    atomic_bool ended;
    uint32_t pid;
    uint64_t from_ns, from_ticks; /* the same moment by both clocks, when recording began */
} switches;

/* Open the ring of a CPU. Returns false with errno on failure. The mapping keeps the ring open,
 * because programs may close descriptors that they do not know. */
static bool open_ring(int cpu, struct ring *ring)
{
    struct perf_event_attr want = {.type = PERF_TYPE_SOFTWARE,
                                   .size = sizeof want,
                                   .config = PERF_COUNT_SW_DUMMY,
                                   .sample_type =
                                       PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
                                   .inherit = 1,
                                   .exclude_kernel = 1,
                                   .exclude_hv = 1,
                                   .sample_id_all = 1,
                                   .context_switch = 1,
                                   .use_clockid = 1,
                                   .clockid = CLOCK_MONOTONIC_RAW};
    int fd = (int)syscall(SYS_perf_event_open, &want, 0, cpu, -1, PERF_FLAG_FD_CLOEXEC);
    if (fd < 0)
        return false;
    size_t size = (size_t)sysconf(_SC_PAGESIZE) + RING_BYTES;
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    int reason = errno;
    close(fd);
    errno = reason;
    if (at == MAP_FAILED)
        return false;
    ring->map = at;
    ring->local.id = PAGES_NO_THREAD | (uint32_t)cpu;
    return true;
}

static void copy_out(const struct ring *ring, uint64_t at, void *to, size_t size)
{
    const uint8_t *bytes = (const uint8_t *)ring->map + sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)to)[i] = bytes[(at + i) % RING_BYTES];
}

/* Returns the position up to which the kernel has written. A 32-bit CPU reads the halves of the
 * position separately, so it reads again until two readings agree. */
#if UINTPTR_MAX > UINT32_MAX
static uint64_t written(const struct ring *ring)
{
    return __atomic_load_n(&ring->map->data_head, __ATOMIC_ACQUIRE);
}

static void give_back(struct ring *ring, uint64_t read)
{
    __atomic_store_n(&ring->map->data_tail, read, __ATOMIC_RELEASE);
}
#else
static uint64_t written(const struct ring *ring)
{
    const volatile __u64 *head = &ring->map->data_head;
    uint64_t now = *head;
    for (uint64_t again; (again = *head) != now;)
        now = again;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return now;
}

static void give_back(struct ring *ring, uint64_t read)
{
    volatile __u64 *tail = &ring->map->data_tail;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    *tail = read;
}
#endif

/* Record the switches in a ring, and empty the ring. */
static void empty(struct ring *ring, uint64_t now_ns, uint64_t now_ticks)
{
    uint64_t at = ring->map->data_tail;
    uint64_t end = written(ring);
    while (at < end) {
        struct perf_event_header head;
        struct sample sample;
        uint64_t lost[2];
        copy_out(ring, at, &head, sizeof head);
        if (head.size < sizeof head)
            break;
        if (head.type == PERF_RECORD_SWITCH && head.size == sizeof head + sizeof sample) {
            copy_out(ring, at + sizeof head, &sample, sizeof sample);
            at += head.size;
            if (sample.pid != switches.pid || system_is_own(sample.tid))
                continue; /* the kernel also reports forked children */
            uint64_t span = now_ns - switches.from_ns, ticks = switches.from_ticks;
            if (sample.time > switches.from_ns && span > 0)
                ticks += (uint64_t)((uint128)(sample.time - switches.from_ns) *
                                    (now_ticks - switches.from_ticks) / span);
            const uint64_t values[] = {sample.tid, sample.cpu};
            unsigned type = !(head.misc & PERF_RECORD_MISC_SWITCH_OUT)          ? SWITCH_IN
                            : (head.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) ? PREEMPTED
                                                                                : SWITCH_OUT;
            ring->last = ticks > ring->last ? ticks : ring->last;
            event_record_at(&ring->local, &types[type], ring->last, values, 2);
            continue;
        }
        if (head.type == PERF_RECORD_LOST) {
            copy_out(ring, at + sizeof head, lost, sizeof lost);
            atomic_fetch_add(&pages_lost, lost[1]);
        }
        at += head.size;
    }
    give_back(ring, end);
}

static void empty_all(void)
{
    uint64_t now_ns, now_ticks;
    /* event_record_at may map memory, and then call functions of the program that replace those of
     * the C library. These calls must not be recorded. */
    bool busy = atomic_exchange_explicit(&local.busy, true, memory_order_relaxed);
    system_lock(&switches.lock);
    clock_both(&now_ns, &now_ticks);
    for (unsigned i = 0; i < switches.nrings && !switches.ended; i++)
        empty(&switches.rings[i], now_ns, now_ticks);
    system_unlock(&switches.lock);
    atomic_store_explicit(&local.busy, busy, memory_order_relaxed);
}

static void *run(void *unused)
{
    static const struct timespec a_while = {.tv_nsec = EVERY_NS};
    (void)unused;
    system_note_own();
    for (;;) {
        nanosleep(&a_while, NULL);
        if (switches.ended)
            return NULL;
        empty_all();
    }
}

/* Open the rings of all CPUs. Returns false with errno if the kernel denies access. */
static bool open_rings(void)
{
    long ncpus = sysconf(_SC_NPROCESSORS_CONF);
    ncpus = ncpus > CPUS_MOST ? CPUS_MOST : ncpus;
    switches.rings = system_map((size_t)ncpus * sizeof *switches.rings);
    if (!switches.rings)
        return false;
    for (int cpu = 0; cpu < ncpus; cpu++) {
        if (open_ring(cpu, &switches.rings[switches.nrings]))
            switches.nrings++;
        else if (errno != ENODEV) /* ENODEV: the CPU is offline */
            return false;
    }
    return switches.nrings > 0;
}

static void end_switches(void)
{
    empty_all();
    switches.ended = true;
}

__attribute__((constructor(HOOK_PRIORITY))) static void construct(void)
{
    char name[THREAD_NAME_BYTES], paranoid[THREAD_NAME_BYTES];
    if (!(session_events() & EVENTS_SWITCHES))
        return;
    switches.pid = (uint32_t)getpid();
    clock_both(&switches.from_ns, &switches.from_ticks);
    if (!open_rings()) {
        int reason = errno;
        system_read_text("/proc/sys/kernel/perf_event_paranoid", paranoid, sizeof paranoid);
        system_say("switches are not recorded: perf_event_open: %s (perf_event_paranoid is %s)",
                   strerror(reason), paranoid[0] ? paranoid : "not available");
        switches.nrings = 0;
        return;
    }
    types_register(&table);
    for (unsigned i = 0; i < switches.nrings; i++)
        if (snprintf(name, sizeof name, "cpu%u",
                     (unsigned)(switches.rings[i].local.id & ~PAGES_NO_THREAD)) > 0)
            pages_name(&switches.rings[i].local, name);
    session_before_end(end_switches);
    system_start_own(run);
}
