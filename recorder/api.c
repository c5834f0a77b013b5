/* The functions of celltrace.h, and the parts of event.h that are seldom called. */
#include "recorder/event.h"
#include "recorder/session.h"
#include "recorder/shared.h"
#include "recorder/writer.h"

#define API __attribute__((visibility("default")))

bool event_record_slowly(struct local *l, const struct ct_type *type, bool after, uint64_t begin,
                         uint32_t pc, const uint64_t *values, unsigned n)
{
    size_t size = record_size(n);
    struct shared_place place;
    if (shared_is_used()) {
        if (!shared_take(l, size, &place))
            return false;
        event_store(place.bytes, type, l->id, place.ticks, begin, pc, values, n);
        return true;
    }
    if (!pages_turn(l, size))
        return false;
    uint8_t *p = page_take(l, size);
    event_store(p, type, l->id, after ? clock_after() : clock_now(), begin, pc, values, n);
    return true;
}

void event_record_at(struct local *l, const struct ct_type *type, uint64_t ticks,
                     const uint64_t *values, unsigned n)
{
    size_t size = record_size(n);
    if ((size_t)(l->end - l->p) < size && !pages_turn(l, size))
        return;
    uint8_t *p = page_take(l, size);
    event_store(p, type, l->id, ticks, 0, 0, values, n);
}

/* Record an event without duration. If its type is an interval, it begins and ends now. */
static inline __attribute__((always_inline)) void mark(ct_type type, const uint64_t *values,
                                                       unsigned n)
{
    event_record(type, false, type && kind_is_interval(type->kind) ? clock_now() : 0, 0, values, n);
}

static inline __attribute__((always_inline)) void interval(ct_type type, uint64_t begin,
                                                           const uint64_t *values, unsigned n)
{
    event_record(type, true, begin, 0, values, n);
}

API ct_type ct_define(const char *group, const char *name, enum ct_kind kind, const char *fields)
{
    bool added;
    struct ct_type *type = types_define(group, name, kind, fields, &added);
    if (added && (kind == CT_ENTRY || kind == CT_EXIT)) {
        enum ct_kind opposite = kind == CT_ENTRY ? CT_EXIT : CT_ENTRY;
        const struct ct_type *pair = types_find(group, name, opposite);
        if (pair)
            writer_pair(kind == CT_ENTRY ? type->id : pair->id,
                        kind == CT_ENTRY ? pair->id : type->id);
    }
    if (added)
        session_note_change(true);
    return type;
}

API uint64_t ct_now(void)
{
    return atomic_load_explicit(&pages_record, memory_order_relaxed) ? clock_now() : 0;
}

#define MARK(function, parameters, n, ...)                                                         \
    API void function parameters                                                                   \
    {                                                                                              \
        mark(type, (const uint64_t[]){__VA_ARGS__}, n);                                            \
    }
MARK(ct_mark0, (ct_type type), 0, 0)
MARK(ct_mark1, (ct_type type, uint64_t a), 1, a)
MARK(ct_mark2, (ct_type type, uint64_t a, uint64_t b), 2, a, b)
MARK(ct_mark3, (ct_type type, uint64_t a, uint64_t b, uint64_t c), 3, a, b, c)
MARK(ct_mark4, (ct_type type, uint64_t a, uint64_t b, uint64_t c, uint64_t d), 4, a, b, c, d)

#define INTERVAL(function, parameters, n, ...)                                                     \
    API void function parameters                                                                   \
    {                                                                                              \
        interval(type, begin, (const uint64_t[]){__VA_ARGS__}, n);                                 \
    }
#define BEGUN ct_type type, uint64_t begin
INTERVAL(ct_interval0, (BEGUN), 0, 0)
INTERVAL(ct_interval1, (BEGUN, uint64_t a), 1, a)
INTERVAL(ct_interval2, (BEGUN, uint64_t a, uint64_t b), 2, a, b)
INTERVAL(ct_interval3, (BEGUN, uint64_t a, uint64_t b, uint64_t c), 3, a, b, c)
INTERVAL(ct_interval4, (BEGUN, uint64_t a, uint64_t b, uint64_t c, uint64_t d), 4, a, b, c, d)
INTERVAL(ct_interval5, (BEGUN, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e), 5, a, b,
         c, d, e)
INTERVAL(ct_interval6,
         (BEGUN, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f), 6, a, b,
         c, d, e, f)

API void ct_values(ct_type type, uint64_t begin, const uint64_t *values, unsigned n)
{
    if (n > CT_VALUES_MAX) {
        if (type && atomic_load(&pages_record))
            pages_lose(&local);
        return;
    }
    if (type && kind_is_interval(type->kind))
        interval(type, begin, values, n);
    else
        mark(type, values, n);
}

/* Mark the thread as busy. Returns false if nothing is recorded, or if a signal handler calls while
 * the thread is already busy. */
static bool enter(void)
{
    bool idle = false;
    return atomic_load(&pages_record) && atomic_compare_exchange_strong(&local.busy, &idle, true);
}

static void leave(void)
{
    atomic_store(&local.busy, false);
}

API void ct_name_thread(const char *name)
{
    if (!name || !enter())
        return;
    pages_name(&local, name);
    leave();
    session_note_change(false);
}

API void ct_flush(void)
{
    if (!enter())
        return;
    pages_wait(shared_is_used() ? shared_give(&local) : pages_give(&local));
    leave();
}

API bool ct_recording(void)
{
    return atomic_load(&pages_record);
}

API void ct_start(void)
{
    session_start();
}

API void ct_stop(void)
{
    session_stop();
}

API void ct_times(struct ct_times *out)
{
    struct system_spent spent;
    system_spent(&spent);
    *out = spent.times;
}

API void ct_sample(const char *name)
{
    if (!atomic_load(&pages_record))
        return;
    struct ct_times t;
    ct_type type = ct_define("SAMPLE", name, CT_COUNTER,
                             "user:user_ns system:system_ns running:running_ns "
                             "runnable:runnable_ns page_faults:page_faults");
    ct_times(&t);
    const uint64_t values[] = {t.user_ns, t.system_ns, t.running_ns, t.runnable_ns, t.page_faults};
    mark(type, values, 5);
}
