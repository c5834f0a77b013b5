/* Records an event in 12 ns, which are mostly spent on reading the clock.
 *
 * The thread marks itself busy, reserves space in its page, fills the space, and stores the first
 * word last. If a signal handler interrupts a busy thread, events of the handler are lost, because
 * they would mix with the unfinished event. */
#ifndef CELLTRACE_EVENT_H
#define CELLTRACE_EVENT_H

#include "recorder/clock.h"
#include "recorder/page.h"
#include "recorder/record.h"
#include "recorder/types.h"

/* Returns true if *wanted is true, and if events of the calling thread can be recorded now. */
static inline bool event_wanted(const atomic_bool *wanted)
{
    return atomic_load_explicit(wanted, memory_order_relaxed) &&
           atomic_load_explicit(&pages_record, memory_order_relaxed) &&
           !atomic_load_explicit(&local.busy, memory_order_relaxed);
}

/* Write an event to p, the address of reserved space. */
static inline __attribute__((always_inline)) void
event_store(uint8_t *p, const struct ct_type *type, uint32_t thread, uint64_t time, uint64_t begin,
            uint32_t pc, const uint64_t *values, unsigned n)
{
    unsigned flags = kind_is_interval(type->kind) ? RECORD_IS_INTERVAL : 0;
    record_store(p, record_head(flags, type->id, n), thread, pc, time, begin, values, n);
}

/* Record an event that does not fit into the current page of the thread. The event goes to the next
 * page or to the shared buffer. Returns false if the event is lost. The function is never inlined,
 * because it would make each of its many callers larger. */
__attribute__((noinline)) bool event_record_slowly(struct local *l, const struct ct_type *type,
                                                   bool after, uint64_t begin, uint32_t pc,
                                                   const uint64_t *values, unsigned n);

/* Record an event at the time `ticks` in the pages of l, which belong to a CPU instead of a
 * thread. */
void event_record_at(struct local *l, const struct ct_type *type, uint64_t ticks,
                     const uint64_t *values, unsigned n);

/* Record an event of the calling thread. If `after`, the time is read after all earlier loads.
 * values may be NULL if n is 0. Returns false if the event is lost. */
static inline __attribute__((always_inline)) bool event_record(const struct ct_type *type,
                                                               bool after, uint64_t begin,
                                                               uint32_t pc, const uint64_t *values,
                                                               unsigned n)
{
    if (!type || !atomic_load_explicit(&pages_record, memory_order_relaxed))
        return false;
    struct local *l = &local;
    if (atomic_load_explicit(&l->busy, memory_order_relaxed)) {
        pages_lose(l);
        return false;
    }
    atomic_store_explicit(&l->busy, true, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    size_t size = record_size(n);
    bool recorded = __builtin_expect((size_t)(l->end - l->p) >= size, 1);
    if (recorded) {
        uint8_t *p = page_take(l, size);
        event_store(p, type, l->id, after ? clock_after() : clock_now(), begin, pc, values, n);
    } else {
        recorded = event_record_slowly(l, type, after, begin, pc, values, n);
    }
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&l->busy, false, memory_order_relaxed);
    return recorded;
}

#endif
