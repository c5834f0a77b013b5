/* Reads events, and can leave out records that do not matter to an analysis. */
#include "analysis/run/skim.h"

#include "base/array.h"
#include "base/error.h"
#include "sync/events.h"
#include "trace/pex/record.h"

#include <stdlib.h>

enum { WRITERS = 256 /* slots of the hash table of writers, a power of 2 */, BATCH = 1024 };

enum { KIND_NEW, KIND_SILENT, KIND_MATTERS };

struct skim_writer {
    uint64_t id; /* writer * 4 + 1, plus 2 for an SPE; 0 in an empty slot */
    uint32_t thread;
};

bool skim_messages(const struct event_kinds *event_kinds, const struct event_kind *event_kind)
{
    (void)event_kinds;
    return event_kind->role == ROLE_SEND || event_kind->role == ROLE_RECV ||
           event_kind->role == ROLE_TRANSFER ||
           /* an event that waits or posts may use a mailbox */
           event_kind->role == ROLE_WAIT || event_kind->role == ROLE_POST;
}

/* No event with an object is left out, because objects are numbered by their first events. */
bool skim_waits(const struct event_kinds *event_kinds, const struct event_kind *event_kind)
{
    return event_kind->class != NO_TEXT || event_kind->role == ROLE_ACQUIRE ||
           event_kind->role == ROLE_RELEASE || event_kind->role == ROLE_BARRIER ||
           event_kind->role == ROLE_COLLECTIVE ||
           event_kinds_field(event_kinds, event_kind, FIELD_OBJECT)->where != AT_NOWHERE;
}

bool skim_any(const struct event_kinds *event_kinds, skim_matters *matters)
{
    for (size_t i = 0; i < event_kinds->count; i++)
        if (matters(event_kinds, &event_kinds->items[i]))
            return true;
    return false;
}

csy_status skim_init(struct skim *skim, csy_events *events, const struct event_kinds *event_kinds,
                     skim_matters *matters, csy_error *error)
{
    *skim = (struct skim){.events = events, .event_kinds = event_kinds, .matters = matters};
    skim->kinds = calloc(2 * (size_t)EVENT_KINDS_IDS, sizeof *skim->kinds);
    skim->writers = calloc(WRITERS, sizeof *skim->writers);
    if (skim->kinds && skim->writers)
        return CSY_OK;
    skim_fini(skim);
    return error_memory(error);
}

void skim_fini(struct skim *skim)
{
    FREE_ALL(skim->kinds, skim->writers);
    *skim = (struct skim){0};
}

static uint8_t look_up(struct skim *skim, bool spe, uint16_t id)
{
    const struct event_kind *event_kind = event_kinds_known(skim->event_kinds, spe, id);
    uint8_t *kind = &skim->kinds[(spe ? EVENT_KINDS_IDS : 0) + id];
    if (event_kind)
        *kind = event_kind->plain && !skim->matters(skim->event_kinds, event_kind) ? KIND_SILENT
                                                                                   : KIND_MATTERS;
    return *kind;
}

static inline bool is_silent(struct skim *skim, const uint8_t *p,
                             const struct fast_threads *threads)
{
    bool spe = record_is_spe_at(p);
    uint16_t id = record_id_at(p);
    uint8_t kind = skim->kinds[(spe ? EVENT_KINDS_IDS : 0) + id];
    if (kind == KIND_NEW)
        kind = look_up(skim, spe, id);
    if (kind != KIND_SILENT)
        return false;
    uint32_t thread = fast_thread_of(threads, p);
    uint64_t who = (uint64_t)record_writer_at(p) << 2 | (unsigned)spe << 1 | 1;
    struct skim_writer *writer =
        &skim->writers[who * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (WRITERS - 1)];
    if (writer->id == who && writer->thread == thread)
        return true;
    *writer = (struct skim_writer){who, thread};
    return false;
}

/* Skip records as long as they can be left out. Returns how many of the following records cannot be
 * left out, at most `most`. Returns 0 if all records in `plain` were skipped. */
static size_t pass(struct skim *skim, const struct events_next_plain *plain, size_t most)
{
    const uint8_t *p = plain->at;
    size_t i = 0, n = 0;
    for (; i < plain->n && is_silent(skim, p, plain->threads); i++)
        p += record_size_at(p);
    if (i > 0)
        events_skip_plain(skim->events, p, i);
    if (i == plain->n)
        return 0;
    do {
        p += record_size_at(p);
        n++;
    } while (n < most && i + n < plain->n && !is_silent(skim, p, plain->threads));
    return n;
}

csy_status skim_read(struct skim *skim, csy_decoded *out, size_t n, size_t *got, csy_error *error)
{
    struct events_next_plain plain;
    size_t left = 0;
    csy_status status;
    do {
        status = events_next_plain(skim->events, &plain, error);
        if (!status && plain.n > 0)
            left = pass(skim, &plain, n);
    } while (!status && plain.n > 0 && left == 0);
    *got = 0;
    return status ? status : csy_events_read(skim->events, out, left > 0 ? left : n, got, error);
}

csy_status events_each(struct event_pass *pass, events_take *take, void *user, csy_error *error)
{
    static const bool never = false;
    const bool *stop = pass->stop ? pass->stop : &never;
    bool own = !pass->events;
    size_t n = pass->single ? 1 : BATCH, got = n;
    struct skim skim = {.kinds = NULL};
    csy_decoded *batch = malloc(n * sizeof *batch);
    csy_status status = batch ? CSY_OK : error_memory(error);
    if (!status && own)
        status = csy_events_open(pass->sync, &pass->events, error);
    if (!status && pass->first > 0)
        status = csy_events_seek(pass->events, pass->first, error);
    if (!status && pass->matters)
        status = skim_init(&skim, pass->events, pass->event_kinds, pass->matters, error);
    while (!status && got > 0 && !*stop) {
        status = pass->matters ? skim_read(&skim, batch, n, &got, error)
                               : csy_events_read(pass->events, batch, n, &got, error);
        for (size_t i = 0; i < got && !status && !*stop; i++)
            status = take(user, &batch[i], error);
    }
    skim_fini(&skim);
    if (own)
        csy_events_free(pass->events);
    free(batch);
    return status;
}
