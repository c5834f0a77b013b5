/* Reads a trace twice (instants/instants.h). The first pass, the scan, finds actors, their stays,
 * and long waits. The second pass, the merge, passes on records, and begins of waits and calls
 * between them. Most records ("plain records") are read as they are in the file; others are decoded
 * in batches. */
#include "instants/instants.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "sync/events.h"
#include "trace/pex/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Sizes of the cache: powers of 2, or their logarithms (BITS). */
enum { MET_WRITERS = 256, MET_HEAD_BITS = 6, MET_ROUTINE_BITS = 6 };

struct met_writer {
    uint64_t key; /* kind and id of the writer, from met_writer_key */
    uint32_t actor;
};

/* Properties of all records that begin with the same 8 bytes, called their head. */
struct met_head {
    _Alignas(32) uint64_t head; /* the first 8 bytes; 0 if this element is unused */
    uint32_t routine;           /* routine, or NO_TEXT for the innermost; unused if `place` > 0 */
    uint32_t place;             /* offset of the routine's address in bytes, or 0 */
    uint16_t size;              /* size of the records in bytes; 0 if this element is unused */
    bool spe;
    bool calls; /* true if the records are only calls whose routine needs no decoding */
    bool enters;
};

struct met_routine {
    uint64_t address; /* address of the routine; if unused, one never looked up here */
    uint32_t routine;
};

struct met {
    struct met_writer writers[MET_WRITERS];
    struct met_head heads[1 << MET_HEAD_BITS];
    struct met_routine routines[1 << MET_ROUTINE_BITS];
};

/* Number of events in a batch. The events and their contents fit into the first-level CPU cache. */
enum { READER_BATCH = 128 };

struct reader {
    const csy_sync *sync;
    csy_events *events;
    struct event_kinds *event_kinds;
    struct actors *actors;
    struct partners partners; /* only initialized once an actor other than the writer is needed */
    csy_decoded *batch;       /* `n` valid events, the first `next` of them used */
    size_t next, n;
    struct events_next_plain plain; /* records before the batch; the first `taken` were used */
    size_t taken;
    struct met met; /* cache for plain records */
};

static inline struct long_wait wait_of(const struct seen *seen, uint64_t position)
{
    return (struct long_wait){.end = position,
                              .actor = seen->actor,
                              .begin = seen->begin,
                              .ordered = seen->ordered,
                              .after = seen->first_record,
                              .called = seen->called,
                              .routine = seen->routine,
                              .waits = seen->waits,
                              .state = seen->event_kind.state,
                              .class = seen->event_kind.class};
}

/* Returns true if a wait began before the look-ahead of `ahead` records. `oldest` is the greatest
 * global time before the look-ahead. */
static inline bool wait_is_long(const struct seen *seen, uint64_t position, size_t ahead,
                                int64_t oldest)
{
    return position >= ahead && (seen->ordered ? seen->first_record + ahead < position
                                               : seen->begin.global_ticks < oldest);
}

/* Facts about scanned records. From `enters` on, the members are about skipped records only. */
struct passed {
    uint64_t records;
    int64_t greatest; /* greatest global time so far */
    int64_t *recent;  /* value of `greatest` at the last records; index: position & mask */
    size_t mask;
    size_t ahead; /* look-ahead in records; a record that ends a longer wait is not skipped */
    struct moment last;
    bool enters;     /* true if some skipped record enters a routine */
    bool waits;      /* true if some skipped record ends a wait */
    uint32_t thread; /* thread and global time of the last skipped record */
    int64_t global_ticks;
};

static inline uint64_t met_writer_key(bool spe, uint32_t id)
{
    return keys_pair((uint32_t)(spe ? ACTOR_SPE : ACTOR_PPE) + 1, id);
}

static inline struct met_writer *met_writer_of(struct met *met, uint64_t key)
{
    return &met->writers[(key ^ key >> 32 << 4) & (MET_WRITERS - 1)];
}

static inline bool met_is_spe(uint64_t head)
{
    return (uint8_t)(head >> 40) == CORE_SPE;
}

static inline struct met_routine *met_routine_of(struct met *met, uint64_t address)
{
    return &met->routines[address * UINT64_C(0x9e3779b97f4a7c15) >> (64 - MET_ROUTINE_BITS)];
}

/* Returns the properties of records with these first 8 bytes (head). All are 0 if not known yet. */
static inline const struct met_head *
met_head_of(struct met *met, const struct event_kinds *event_kinds, uint64_t head)
{
    static const struct met_head nothing;
    struct met_head *out = &met->heads[head * UINT64_C(0x9e3779b97f4a7c15) >> (64 - MET_HEAD_BITS)];
    if (__builtin_expect(out->head == head, 1))
        return out;
    const struct event_kind *event_kind =
        event_kinds_known(event_kinds, met_is_spe(head), (uint16_t)(head >> 16));
    size_t fixed = met_is_spe(head) ? RECORD_SPE_BYTES : RECORD_PPE_BYTES;
    size_t size = (size_t)(head >> 48), values = (uint16_t)head;
    if (!event_kind || (uint8_t)(head >> 40) > CORE_SPE || fixed + 8 * values > size)
        return &nothing;
    const struct field_at *at = event_kinds_field(event_kinds, event_kind, FIELD_ROUTINE);
    bool enters = event_kind->role == ROLE_ENTER, calls = enters || event_kind->role == ROLE_EXIT;
    bool alone = event_kind->plain && !event_kind->calls, by_value = at->where == AT_VALUE;
    bool said = by_value ? at->place < values
                         : at->where == AT_NOWHERE && (!enters || event_kind->routine != NO_TEXT);
    *out =
        (struct met_head){.head = head,
                          .size = (uint16_t)size,
                          .routine = event_kind->routine,
                          .place = by_value && said ? (uint32_t)(fixed + 8 * (size_t)at->place) : 0,
                          .spe = met_is_spe(head),
                          .calls = alone && calls && said,
                          .enters = enters};
    return out;
}

/* Set *out to the routine that a record enters or exits. Returns false if it is not known yet. */
static inline bool met_called(struct met *met, const struct event_kinds *event_kinds,
                              const struct met_head *known, const uint8_t *record, uint32_t *out)
{
    uint32_t routine = known->routine;
    if (known->place > 0) {
        uint64_t address = load64(record + known->place);
        struct met_routine *place = met_routine_of(met, address);
        if (__builtin_expect(place->address != address, 0)) {
            routine = routines_known(&event_kinds->routines, address);
            if (routine == NO_TEXT)
                return false;
            *place = (struct met_routine){address, routine};
        }
        routine = place->routine;
    }
    *out = routine;
    return true;
}

/* Returns true if no data are requested that need decoding. */
static inline bool reader_wants_plain(const struct reader *reader)
{
    return !reader->event_kinds->leaves_wanted && !reader->event_kinds->children_wanted;
}

static inline int64_t reader_local(const struct reader *reader, uint32_t thread,
                                   int64_t global_ticks)
{
    return (int64_t)placement_local(reader->sync->views[thread].offset_ticks, global_ticks);
}

static inline void passed_add(struct passed *passed, uint32_t thread, int64_t global_ticks)
{
    passed->greatest = global_ticks > passed->greatest ? global_ticks : passed->greatest;
    passed->recent[passed->records++ & passed->mask] = passed->greatest;
    passed->thread = thread;
    passed->global_ticks = global_ticks;
}

static void reader_close(struct reader *reader)
{
    csy_events_free(reader->events);
    partners_fini(&reader->partners);
    free(reader->batch);
    *reader = (struct reader){0};
}

static csy_status reader_open(struct reader *reader, const csy_sync *sync,
                              struct event_kinds *event_kinds, struct actors *actors,
                              csy_error *error)
{
    *reader = (struct reader){.sync = sync, .event_kinds = event_kinds, .actors = actors};
    struct met *met = &reader->met;
    /* give the unused element 0 another address than 0, because it would be found for 0 */
    for (uint64_t address = 1; met->routines[0].address == 0; address++)
        if (met_routine_of(met, address) != met->routines)
            met->routines[0].address = address;
    reader->batch = malloc(READER_BATCH * sizeof *reader->batch);
    csy_status status =
        reader->batch ? csy_events_open(sync, &reader->events, error) : error_memory(error);
    if (status)
        reader_close(reader);
    return status;
}

/* Find the actor that event->about or the field names. *out becomes NO_ACTOR if there is none. */
static bool find_other(struct reader *reader, const csy_decoded *event,
                       const struct event_kind *event_kind, enum field_role role, uint32_t *out)
{
    if (!reader->partners.sync && !partners_init(&reader->partners, reader->sync))
        return false;
    return event->about_size > 0 ? partners_find_name(&reader->partners, reader->actors,
                                                      event->about, event->about_size, out)
                                 : partners_find(&reader->partners, reader->event_kinds,
                                                 reader->actors, event, event_kind, role, out);
}

static bool see_spent(struct reader *reader, const csy_decoded *event,
                      const struct event_kind *event_kind)
{
    struct spent spent = {
        .at = {event->local_begin_ticks, event->global_begin_ticks, event->thread}};
    const struct event_kinds *event_kinds = reader->event_kinds;
    uint32_t actor;
    if (!event_kinds_number(event_kinds, event_kind, event, FIELD_USER_NS, &spent.user_ns) ||
        !event_kinds_number(event_kinds, event_kind, event, FIELD_SYSTEM_NS, &spent.system_ns))
        return true;
    if (!event_kinds_number(event_kinds, event_kind, event, FIELD_RUNNABLE_NS, &spent.runnable_ns))
        spent.runnable_ns = 0;
    bool good = event->about_size > 0 ? find_other(reader, event, event_kind, FIELD_THREAD, &actor)
                                      : actors_find_writer(reader->actors, event, &actor);
    if (good && actor != NO_ACTOR)
        actor_spent(&reader->actors->items[actor], &spent);
    return good;
}

/* Store when a thread began, if this record is about the thread's start or creation. */
static bool see_begin(struct reader *reader, const csy_decoded *event, const struct seen *seen)
{
    enum role role = seen->event_kind.role;
    if (role != ROLE_START && role != ROLE_CREATE)
        return true;
    bool by_thread =
        event_kinds_field(reader->event_kinds, &seen->event_kind, FIELD_THREAD)->where !=
        AT_NOWHERE;
    bool other = event->about_size > 0 || by_thread;
    uint32_t actor;
    if (role == ROLE_START && !other && seen->task == NO_ACTOR)
        actor_begins(&reader->actors->items[seen->actor], &seen->end, false);
    if (role != ROLE_CREATE || !other)
        return true;
    bool good = find_other(reader, event, &seen->event_kind, FIELD_THREAD, &actor);
    if (good && actor != NO_ACTOR)
        actor_begins(&reader->actors->items[actor], &seen->begin, true);
    return good;
}

/* Set out->child to the actor that a record creates; or starts, if no event states its creator. */
static bool see_child(struct reader *reader, const csy_decoded *event, struct seen *out)
{
    const struct field_at *task =
        event_kinds_field(reader->event_kinds, &out->event_kind, FIELD_TASK);
    bool creates = out->event_kind.role == ROLE_CREATE;
    if (!creates && out->event_kind.role != ROLE_START)
        return true;
    bool good = find_other(reader, event, &out->event_kind,
                           task->where == AT_NOWHERE ? FIELD_THREAD : FIELD_TASK, &out->child);
    if (!good || out->child == NO_ACTOR)
        return good;
    struct actor *child = &reader->actors->items[out->child];
    if (child->creator == NO_ACTOR || (creates && !child->created))
        child->creator = out->actor;
    child->created |= creates;
    if (child->created && !creates)
        out->child = NO_ACTOR;
    return true;
}

/* Set *out to the routine of a plain call. Returns false if it is not known yet. */
static inline bool find_routine(const struct reader *reader, const struct event_kind *event_kind,
                                const uint8_t *record, uint32_t *out)
{
    const struct field_at *at = event_kinds_field(reader->event_kinds, event_kind, FIELD_ROUTINE);
    const uint8_t *payload =
        record + (record_is_spe_at(record) ? RECORD_SPE_BYTES : RECORD_PPE_BYTES);
    *out = event_kind->routine;
    if (at->where == AT_NOWHERE)
        return true;
    if (at->where != AT_VALUE || at->place >= record_nvalues_at(record))
        return false;
    *out = routines_known(&reader->event_kinds->routines, payload_value(payload, at->place));
    return *out != NO_TEXT;
}

/* Replace the times of a plain interval by the times of its begin. */
static void begin_interval(const uint8_t *p, int64_t *local, int64_t *global)
{
    struct record record;
    int64_t local_begin, global_begin;
    record_load(&record, p, false);
    placement_begins(&record, false, *local, *global, &local_begin, &global_begin);
    if (global_begin > *global) /* the begin is after the end, so it is ignored */
        return;
    *local = local_begin;
    *global = global_begin;
}

/* Process the next plain record. *taken becomes false if the record means nothing to actors and is
 * skipped, or if it must be decoded and stays the next record. */
static inline csy_status take_plain(struct reader *reader, struct seen *out, bool *taken,
                                    csy_error *error)
{
    struct events_next_plain *plain = &reader->plain;
    const uint8_t *p = plain->at;
    const struct event_kind *event_kind =
        event_kinds_known(reader->event_kinds, record_is_spe_at(p), record_id_at(p));
    bool interval = record_is_interval_at(p);
    uint32_t routine = NO_TEXT;
    *taken = false;
    if (!event_kind || !event_kind->plain)
        return CSY_OK;
    bool calls =
        event_kind->role == ROLE_ENTER || event_kind->role == ROLE_EXIT || event_kind->calls;
    if (calls && !find_routine(reader, event_kind, p, &routine))
        return CSY_OK;
    uint64_t position = plain->position + reader->taken;
    int64_t global = plain->times[reader->taken++];
    plain->at += record_size_at(p);
    if (event_kind->role == ROLE_NONE)
        return CSY_OK;
    out->event_kind = *event_kind;
    /* members are set one by one: copying a struct waits until the struct has been stored */
    uint32_t thread = fast_thread_of(plain->threads, p);
    int64_t local = reader_local(reader, thread, global);
    out->begin.local_ticks = out->end.local_ticks = local;
    out->begin.global_ticks = out->end.global_ticks = global;
    out->begin.clock = out->end.clock = thread;
    if (interval)
        begin_interval(p, &out->begin.local_ticks, &out->begin.global_ticks);
    seen_begin(out, routine);
    out->child = NO_ACTOR;
    out->leaf = NO_TEXT;
    *taken = true;
    bool spe = record_is_spe_at(p);
    uint64_t key = met_writer_key(spe, record_writer_at(p));
    struct met_writer *writer = met_writer_of(&reader->met, key);
    if (writer->key != key && !actors_find(reader->actors, spe ? ACTOR_SPE : ACTOR_PPE,
                                           record_writer_at(p), &writer->actor))
        return error_memory(error);
    writer->key = key;
    out->actor = writer->actor;
    if (!event_kind->calls && !(interval && event_kind_may_wait(event_kind)) &&
        actors_go_on(reader->actors, position, out))
        return CSY_OK;
    return actors_see_known(reader->actors, position, interval, out, error);
}

/* Get more plain records if all were used. *more becomes false if the next record is not plain. */
static csy_status reader_fill(struct reader *reader, bool *more, csy_error *error)
{
    struct events_next_plain *plain = &reader->plain;
    csy_status status = CSY_OK;
    if (reader->taken == plain->n) {
        if (plain->n > 0)
            events_skip_plain(reader->events, plain->at, plain->n);
        reader->taken = 0;
        status = events_next_plain(reader->events, plain, error);
    }
    *more = !status && plain->n > 0;
    return status;
}

/* --- Records that only enter or exit a routine --------------------------------------------- */

enum { READER_CALLS = 256 };

/* In the second pass, read at most READER_CALLS records that only enter or exit routines. Stops
 * before the first other record, or earlier. The trace must not have intervals that are calls.
 * If actors run in parallel, the kind of the next writer is unpredictable, so no branch depends on
 * it. The size is read from the record, because reading it from the cache takes longer. */
static csy_status reader_calls(struct reader *reader, struct actor_call *out, size_t *n,
                               csy_error *error)
{
    struct events_next_plain *plain = &reader->plain;
    bool more = reader_wants_plain(reader) && reader->next == reader->n;
    csy_status status = more ? reader_fill(reader, &more, error) : CSY_OK;
    *n = 0;
    if (status || !more)
        return status;
    const struct event_kinds *event_kinds =
        reader->event_kinds; /* local copies, which stay in registers */
    struct actor *actors = reader->actors->items;
    const csy_thread *views = reader->sync->views;
    const uint8_t *p = plain->at;
    const int64_t *times = plain->times + reader->taken;
    uint64_t position = plain->position + reader->taken;
    size_t left = plain->n - reader->taken, most = left < READER_CALLS ? left : READER_CALLS, i = 0;
    for (; i < most; i++) {
        const struct met_head *known = met_head_of(&reader->met, event_kinds, load64(p));
        size_t size = record_size_at(p);
        struct moment *at = &out[i].at;
        if (!known->calls)
            break;
        uint64_t key = met_writer_key(known->spe, record_writer_at(p));
        const struct met_writer *writer = met_writer_of(&reader->met, key);
        struct actor *actor = &actors[writer->actor];
        if (writer->key != key || position + i >= actor->until ||
            !met_called(&reader->met, event_kinds, known, p, &out[i].routine))
            break;
        actor->records++;
        out[i].actor = writer->actor;
        out[i].enters = known->enters;
        at->clock = actor->clock = fast_thread_by(plain->threads, known->spe, record_writer_at(p));
        at->global_ticks = times[i];
        at->local_ticks = (int64_t)placement_local(views[at->clock].offset_ticks, at->global_ticks);
        p += size;
    }
    plain->at = p;
    reader->taken += i;
    *n = i;
    return CSY_OK;
}

/* Skip a record that reader_calls will read later. *good becomes false if memory runs out. */
static inline bool pass_call(struct reader *reader, const struct met_head *known, const uint8_t *p,
                             size_t index, struct passed *out, bool *good)
{
    const struct events_next_plain *plain = &reader->plain;
    uint32_t routine, id = record_writer_at(p),
                      thread = fast_thread_by(plain->threads, known->spe, id);
    if (!known->calls || !met_called(&reader->met, reader->event_kinds, known, p, &routine))
        return false;
    uint64_t key = met_writer_key(known->spe, id);
    const struct met_writer *writer = met_writer_of(&reader->met, key);
    struct actor *actor = &reader->actors->items[writer->actor];
    if (writer->key != key || !actor_pass(actor, plain->position + index, thread))
        return false;
    int64_t global = plain->times[index];
    *good = known->enters ? calls_enter(&actor->calls, routine, global)
                          : calls_exit(&actor->calls, routine, global);
    out->enters |= known->enters;
    passed_add(out, thread, global);
    return true;
}

/* --- All other records --------------------------------------------------------------------- */

/* Returns true if a wait begins within the look-ahead, and after the actor's first record. */
static bool is_short_wait(const struct reader *reader, const struct actor *actor, uint32_t thread,
                          const struct passed *passed)
{
    const struct events_next_plain *plain = &reader->plain;
    uint64_t position = passed->records;
    int64_t global = plain->times[reader->taken], local = reader_local(reader, thread, global);
    begin_interval(plain->at, &local, &global);
    return global > actor->first.global_ticks &&
           (position < passed->ahead ||
            global >= passed->recent[(position - passed->ahead) & passed->mask]);
}

/* Skip a plain record that is no call. Returns false, and skips nothing, if it must be examined. */
static bool pass_plain(struct reader *reader, struct passed *out)
{
    struct events_next_plain *plain = &reader->plain;
    const uint8_t *p = plain->at;
    bool spe = record_is_spe_at(p);
    const struct event_kind *event_kind =
        event_kinds_known(reader->event_kinds, spe, record_id_at(p));
    uint32_t thread = fast_thread_of(plain->threads, p);
    uint64_t key = met_writer_key(spe, record_writer_at(p));
    const struct met_writer *writer = met_writer_of(&reader->met, key);
    if (!event_kind || !event_kind->plain || event_kind->calls || event_kind->role == ROLE_NONE ||
        event_kind->role == ROLE_ENTER || event_kind->role == ROLE_EXIT || writer->key != key)
        return false;
    struct actor *actor = &reader->actors->items[writer->actor];
    bool waits = record_is_interval_at(p) && event_kind_may_wait(event_kind) &&
                 event_kind->state != STATE_UNSAID;
    if ((waits && !is_short_wait(reader, actor, thread, out)) ||
        !actor_pass(actor, plain->position + reader->taken, thread))
        return false;
    out->waits |= waits;
    passed_add(out, thread, plain->times[reader->taken++]);
    plain->at += record_size_at(p);
    return true;
}

/* Skip plain records during the scan, after the first record. Stops before a record that may begin
 * a stay, is an interval with a call, or ends a wait that is long or may begin before the stay. */
static csy_status reader_pass(struct reader *reader, struct passed *passed, csy_error *error)
{
    csy_status status = CSY_OK;
    bool more = reader_wants_plain(reader) && reader->next == reader->n;
    uint64_t before = passed->records;
    while (!status && more) {
        status = reader_fill(reader, &more, error);
        size_t taken = reader->taken;
        while (!status && reader->taken < reader->plain.n && pass_plain(reader, passed))
            ;
        if (!status && reader->taken < reader->plain.n) {
            /* skip records that are in memory, as long as they enter or exit routines */
            const struct events_next_plain *plain = &reader->plain;
            struct passed now = *passed; /* a local copy, which stays in registers */
            const uint8_t *p = plain->at;
            size_t index = reader->taken;
            bool good = true;
            for (; good && index < plain->n; index++) {
                const struct met_head *known =
                    met_head_of(&reader->met, reader->event_kinds, load64(p));
                size_t size = record_size_at(p);
                if (!pass_call(reader, known, p, index, &now, &good))
                    break;
                p += size;
            }
            reader->plain.at = p;
            reader->taken = index;
            *passed = now;
            status = good ? CSY_OK : error_memory(error);
        }
        more = more && reader->taken > taken;
    }
    if (passed->records > before)
        passed->last = (struct moment){reader_local(reader, passed->thread, passed->global_ticks),
                                       passed->global_ticks, passed->thread};
    return status;
}

/* Process the next plain record that matters. *taken becomes false if one must be decoded first. */
static csy_status take_plains(struct reader *reader, struct seen *out, bool *taken,
                              csy_error *error)
{
    csy_status status = CSY_OK;
    bool more = reader_wants_plain(reader);
    *taken = false;
    while (!status && more && !*taken) {
        status = reader_fill(reader, &more, error);
        size_t before = reader->taken;
        if (!status && more)
            status = take_plain(reader, out, taken, error);
        more = more && reader->taken > before;
    }
    return status;
}

static csy_status next_event(struct reader *reader, const csy_decoded **out, csy_error *error)
{
    csy_status status = CSY_OK;
    *out = NULL;
    if (reader->next == reader->n) {
        bool one = reader->taken < reader->plain.n; /* plain records may follow this event */
        if (one)
            events_skip_plain(reader->events, reader->plain.at, reader->taken);
        reader->plain.n = reader->taken = reader->next = 0;
        status = csy_events_read(reader->events, reader->batch, one ? 1 : READER_BATCH, &reader->n,
                                 error);
    }
    if (!status && reader->n > 0)
        *out = &reader->batch[reader->next++];
    return status;
}

/* Find the actor that an event suspends or resumes, or NO_ACTOR; for other events, the writer. */
static bool find_actor(struct reader *reader, const csy_decoded *event,
                       const struct event_kind *event_kind, uint32_t *actor)
{
    bool told = event_kind->role == ROLE_SUSPEND || event_kind->role == ROLE_RESUME;
    bool other = told && (event->about_size > 0 ||
                          event_kinds_field(reader->event_kinds, event_kind, FIELD_THREAD)->where !=
                              AT_NOWHERE);
    bool good = other ? find_other(reader, event, event_kind, FIELD_THREAD, actor)
                      : actors_find_writer(reader->actors, event, actor);
    if (!good || *actor == NO_ACTOR || !told)
        return good;
    /* events show when this actor has a core; if this event names the core, store its number */
    struct actors *actors = reader->actors;
    uint64_t cpu;
    uint32_t index;
    bool added;
    actors->told = actors->items[*actor].told = true;
    return actors->scanned ||
           !event_kinds_number(reader->event_kinds, event_kind, event, FIELD_CPU, &cpu) ||
           keys_find(&actors->cpus, cpu, &index, &added);
}

/* Returns true if an event belongs to the recorder or a core, but to no actor, as in CSV files made
 * from a run without a document (cellsync-run(5), RUNS). */
static bool is_of_none(const struct reader *reader, const csy_decoded *event)
{
    static const char *const names[] = {"BUFFER_FLUSH", "SWITCH_OUT", "SWITCH_IN", "PREEMPTED"};
    size_t n = sizeof names / sizeof *names, i = 0;
    if (event->track == CSY_NO_TRACK || !event->name)
        return false;
    while (i < n && (event->name_size != strlen(names[i]) ||
                     memcmp(event->name, names[i], event->name_size) != 0))
        i++;
    const char *name = strrchr(csy_sync_track(reader->sync, event->track)->name, '/');
    return name && i < n &&
           (i == 0 ? strcmp(name, "/celltrace") == 0
                   : strncmp(name, "/cpu", 4) == 0 && name[4] >= '0' && name[4] <= '9');
}

/* Read the next record: from its bytes in the file if it is plain, otherwise by csy_events_read. */
static csy_status see_next(struct reader *reader, struct seen *out, bool *more, csy_error *error)
{
    const csy_decoded *event = NULL;
    const struct event_kind *event_kind = &out->event_kind;
    csy_status status = CSY_OK;
    bool times = reader->event_kinds->times_wanted && !reader->actors->scanned, taken = false;
    do {
        if (reader->next == reader->n)
            status = take_plains(reader, out, &taken, error);
        if (!status && !taken)
            status = next_event(reader, &event, error);
        *more = !status && (taken || event);
        if (!*more || taken)
            return status;
        if (!event_kinds_find(reader->event_kinds, reader->events, event, &out->event_kind))
            return error_memory(error);
        bool of_none = event_kind->role == ROLE_NONE ||
                       (event_kind->role == ROLE_MARK && is_of_none(reader, event));
        out->actor = NO_ACTOR;
        if ((event_kind->timed && times && !see_spent(reader, event, event_kind)) ||
            (!of_none && !find_actor(reader, event, event_kind, &out->actor)))
            return error_memory(error);
    } while (out->actor == NO_ACTOR);
    uint32_t routine = NO_TEXT;
    bool calls =
        event_kind->role == ROLE_ENTER || event_kind->role == ROLE_EXIT || event_kind->calls;
    if (calls && !event_kinds_routine(reader->event_kinds, event, event_kind, &routine))
        return error_memory(error);
    status = actors_see(reader->actors, event, routine, out, error);
    if (!status && times && event_kind->timed && event->about_size == 0)
        actor_spent_itself(&reader->actors->items[out->actor], out);
    out->child = NO_ACTOR;
    out->leaf = NO_TEXT;
    if (!status && ((times && !see_begin(reader, event, out)) ||
                    (reader->event_kinds->children_wanted && !see_child(reader, event, out))))
        status = error_memory(error);
    if (status || !reader->event_kinds->leaves_wanted)
        return status;
    /* Arguments that name the actor itself contain its number or, in a run, its name. */
    char self[128];
    const struct actor *actor = &reader->actors->items[out->actor];
    uint64_t number = actor->id;
    const char *name =
        actor->kind == ACTOR_NAMED ? csy_sync_track(reader->sync, actor->id)->name : "";
    if (strchr(name, '/'))
        snprintf(self, sizeof self, "%s", name);
    else
        snprintf(self, sizeof self, "%" PRIu64, partner_number(name, &number) ? number : actor->id);
    return event_kinds_leaf(reader->event_kinds, event, &out->event_kind, self, &out->leaf,
                            &out->bytes)
               ? CSY_OK
               : error_memory(error);
}

static csy_status reader_next(struct reader *reader, struct seen *out, bool *more, csy_error *error)
{
    csy_status status;
    if (reader->next < reader->n || reader->taken == reader->plain.n)
        return see_next(reader, out, more, error);
    status = take_plain(reader, out, more, error);
    return status || *more ? status : see_next(reader, out, more, error);
}

/* --- The scan ------------------------------------------------------------------------------- */

static csy_status scan_record(struct instants *in, struct passed *passed, uint64_t position,
                              const struct seen *seen, csy_error *error)
{
    bool interval = seen->waits || seen->called;
    size_t reach = in->ahead; /* least look-ahead that contains the begin */
    while (interval && reach <= in->most_ahead && reach <= position &&
           wait_is_long(seen, position, reach, passed->recent[(position - reach) & passed->mask]))
        reach *= 2;
    if (reach > in->ahead) {
        struct long_wait wait = wait_of(seen, position);
        wait.reach = reach;
        if (!ARRAY_PUSH(in->longs, in->nlongs, in->longs_capacity, wait))
            return error_memory(error);
    }
    while (in->nlongs > INSTANTS_LONGS && in->ahead < in->most_ahead) {
        size_t kept = 0;
        in->ahead *= 2; /* drop waits that are no longer long */
        for (size_t i = 0; i < in->nlongs; i++)
            if (in->longs[i].reach > in->ahead)
                in->longs[kept++] = in->longs[i];
        in->nlongs = kept;
    }
    if (position == 0 || seen->end.global_ticks > passed->greatest)
        passed->greatest = seen->end.global_ticks;
    passed->recent[position & passed->mask] = passed->greatest;
    if (position == 0)
        in->first = seen->end;
    if (position == 0 || !in->partial || seen->end.global_ticks > in->last.global_ticks)
        in->last = seen->end;
    in->has_intervals |= interval;
    in->has_begins |= interval && !seen->ordered;
    in->has_open_calls |= seen->called && !seen->ordered;
    in->has_calls |= seen->calls && seen->event_kind.role != ROLE_EXIT;
    return CSY_OK;
}

static int compare_longs(const void *a, const void *b)
{
    const struct long_wait *x = a, *y = b;
    if (x->ordered != y->ordered)
        return COMPARE(x->ordered, y->ordered);
    return x->ordered ? 2 * COMPARE(x->after, y->after) + COMPARE(y->end, x->end)
                      : 2 * COMPARE(x->begin.global_ticks, y->begin.global_ticks) +
                            COMPARE(x->end, y->end);
}

/* Store the next record in memory, for a trace with a partial order. This takes about 150 bytes. */
static csy_status sorted_records_add(struct sorted_records *held, struct actors *actors,
                                     const struct seen *seen, csy_error *error)
{
    struct actor *actor = &actors->items[seen->actor];
    int64_t global = seen->end.global_ticks;
    csy_status status = CSY_OK;
    if (held->count == held->capacity)
        status = error_check_memory((uint128)2 * held->count *
                                        (sizeof *held->items + sizeof *held->places),
                                    NULL, "records in partial order", error);
    if (status)
        return status;
    if (!ARRAY_RESERVE(held->items, held->capacity, held->count + 1) ||
        !ARRAY_RESERVE(held->places, held->places_capacity, held->count + 1))
        return error_memory(error);
    bool told = seen->event_kind.role == ROLE_SUSPEND || seen->event_kind.role == ROLE_RESUME;
    if (!told && (!actor->reached || global > actor->reached_ticks))
        actor->reached_ticks = global;
    actor->reached |= !told;
    held->places[held->count] =
        (struct sorted_place){told ? global : actor->reached_ticks, held->count};
    held->items[held->count++] = *seen;
    return CSY_OK;
}

static int compare_places(const void *a, const void *b)
{
    const struct sorted_place *x = a, *y = b;
    return 2 * COMPARE(x->reached_ticks, y->reached_ticks) + COMPARE(x->item, y->item);
}

/* Sort the stored records, find the ends of stays, and correct begins of waits before an actor's
 * first record, in O(n log n). */
static csy_status sorted_records_sort(struct sorted_records *held, size_t nactors,
                                      int64_t added_ticks, csy_error *error)
{
    struct {
        uint64_t first; /* position of the first record in the actor's present stay */
        uint32_t clock; /* 1 + clock of the actor's last record */
        bool more, met; /* true if the stay has a later record; true if the actor has one */
    } *stays = calloc(nactors + 1, sizeof *stays);
    csy_status status = stays ? CSY_OK : error_memory(error);
    if (!status)
        SORT(held->places, held->count, compare_places);
    for (size_t i = 0; !status && i < held->count; i++) {
        struct seen *seen = &held->items[held->places[i].item];
        uint32_t *clock = &stays[seen->actor].clock;
        /* a record with another clock begins another stay */
        seen->first = *clock != seen->end.clock + 1;
        *clock = seen->end.clock + 1;
        if (seen->first)
            stays[seen->actor].first = i;
        seen->first_record = stays[seen->actor].first;
        if (!seen->waits || !seen->opens || seen->called ||
            seen->begin.global_ticks > sorted_record(held, 0)->end.global_ticks)
            continue;
        /* A wait that began before the trace now begins at the actor's first record. Ignore it if
         * it ends there. */
        const struct moment *first = &sorted_record(held, seen->first_record)->end;
        int128 early = (int128)first->global_ticks - seen->begin.global_ticks;
        seen->waits = !seen->first;
        seen->ordered = added_ticks == 0 || early > added_ticks;
        seen->begin = *first;
    }
    for (size_t i = held->count; !status && i-- > 0;) {
        struct seen *seen = &held->items[held->places[i].item];
        seen->last = !stays[seen->actor].more;
        seen->final = !stays[seen->actor].met;
        stays[seen->actor].met = true;
        stays[seen->actor].more = !seen->first;
    }
    free(stays);
    return status;
}

csy_status instants_open(struct instants *in, csy_sync *sync, const csy_meaning *meaning,
                         size_t ahead, unsigned wanted, csy_error *error)
{
    *in = (struct instants){.sync = sync,
                            .ahead = ahead < INSTANTS_NEAR ? ahead : INSTANTS_NEAR,
                            .most_ahead = ahead,
                            .imprecision_ticks = sync->imprecision.added_ticks,
                            .partial = sync->partial || sync->trace->partial};
    in->actors.imprecision_ticks = in->imprecision_ticks;
    in->actors.partial = in->partial;
    struct passed passed = {.recent = calloc(ahead, sizeof *passed.recent), .mask = ahead - 1};
    struct reader reader;
    struct seen seen;
    bool more = true;
    if (!passed.recent)
        return error_memory(error);
    csy_status status = reader_open(&reader, sync, &in->event_kinds, &in->actors, error);
    if (!status)
        status = event_kinds_init(&in->event_kinds, sync->trace, meaning, reader.events, error);
    in->event_kinds.leaves_wanted = wanted & MORE_LEAVES;
    in->event_kinds.children_wanted = wanted & MORE_CHILDREN;
    in->event_kinds.times_wanted = wanted & MORE_TIMES;
    while (!status && more) {
        if (!in->partial && in->records > 0) {
            passed.records = in->records;
            passed.ahead = in->ahead;
            status = reader_pass(&reader, &passed, error);
            if (passed.records > in->records)
                in->last = passed.last;
            in->records = passed.records;
        }
        if (!status)
            status = reader_next(&reader, &seen, &more, error);
        if (!status && more && in->partial)
            status = sorted_records_add(&in->held, &in->actors, &seen, error);
        else if (!status && more)
            status = scan_record(in, &passed, in->records++, &seen, error);
    }
    reader_close(&reader);
    if (!status)
        status = sorted_records_sort(&in->held, in->actors.count, in->imprecision_ticks, error);
    for (size_t i = 0; !status && i < in->held.count; i++)
        status = scan_record(in, &passed, in->records++, sorted_record(&in->held, i), error);
    free(passed.recent);
    if (status) {
        instants_fini(in);
        return status;
    }
    in->has_calls |= passed.enters;
    in->has_intervals |= passed.waits;
    in->has_begins |= passed.waits;
    SORT(in->longs, in->nlongs, compare_longs);
    for (; in->nlongs > 0 && in->longs[in->nlongs - 1].ordered; in->nlongs--)
        in->nclipped++;
    in->clipped = in->longs ? in->longs + in->nlongs : NULL;
    if (!in->has_intervals)
        in->ahead = 1; /* there are no begins, so no record must be decoded ahead */
    actors_again(&in->actors);
    return CSY_OK;
}

void instants_fini(struct instants *in)
{
    event_kinds_fini(&in->event_kinds);
    actors_fini(&in->actors);
    FREE_ALL(in->held.items, in->held.places, in->longs);
    *in = (struct instants){0};
}

csy_status instants_check_fit(const struct actors *met, csy_sync *sync, const csy_meaning *meaning,
                              const char *patterns, csy_error *error)
{
    struct instants in;
    if (!patterns || (met->count > 0 && actors_check_fit(met, sync, patterns, error) == CSY_OK))
        return CSY_OK;
    csy_status status = instants_open(&in, sync, meaning, INSTANTS_AHEAD, 0, error);
    if (status)
        return status;
    status = actors_check_fit(&in.actors, sync, patterns, error);
    instants_fini(&in);
    return status;
}

/* --- The merge ------------------------------------------------------------------------------ */

#define NO_RECORD UINT64_MAX

struct begin {
    struct long_wait wait;
    uint32_t next; /* index of the next begin in the same list */
};

struct slot {
    struct seen seen;
    int64_t greatest;  /* greatest global time of this and all earlier records */
    uint64_t previous; /* position of the previous record of this actor, or NO_RECORD */
    uint32_t begins;   /* list of the begins between this record and the previous one */
};

struct merge {
    struct instants *in;
    struct reader reader;
    struct slot *slots; /* decoded records; position p is in slot p modulo look-ahead */
    uint64_t head, tail;
    uint64_t *last; /* for each actor: position of its last decoded record, or NO_RECORD */
    struct begin *begins;
    size_t nbegins, begins_capacity;
    uint32_t free;
    size_t next_long, next_clipped;
    take_instant *take;
    take_actor_calls *calls; /* NULL if records are passed on one by one */
    void *user;
};

static struct slot *slot_of(const struct merge *m, uint64_t position)
{
    return &m->slots[position & (m->in->ahead - 1)];
}

/* Returns the first position after `before` from which on all decoded records are later than
 * `global`, or `until`. */
static uint64_t find_above(const struct merge *m, uint64_t before, uint64_t until, int64_t global)
{
    uint64_t low = before + 1, high = until; /* 0 if `before` is UINT64_MAX (no record) */
    uint64_t step = 1;
    /* search from the end, because most begins are near the end */
    while (high - low >= step && slot_of(m, high - step)->greatest > global) {
        high -= step;
        step *= 2;
    }
    if (high - low > step)
        low = high - step;
    BISECT(low, high, middle, slot_of(m, middle)->greatest <= global);
    return low;
}

/* At equal times, the outer wait or call of an actor, which ends later, comes first. */
static bool goes_before(const struct long_wait *a, const struct long_wait *b)
{
    int64_t s = a->begin.global_ticks, t = b->begin.global_ticks;
    return s != t ? s < t : a->actor != b->actor ? a->actor < b->actor : a->end > b->end;
}

/* Returns true if a record is later than a global time by more than the timestamp error. */
static bool is_after(const struct merge *m, uint64_t position, int64_t global)
{
    return (int128)slot_of(m, position)->seen.end.global_ticks - global > m->in->imprecision_ticks;
}

static void link_begin(struct merge *m, struct slot *slot, uint32_t item)
{
    uint32_t *link = &slot->begins;
    while (*link != NO_ITEM && !goes_before(&m->begins[item].wait, &m->begins[*link].wait))
        link = &m->begins[*link].next;
    m->begins[item].next = *link;
    *link = item;
}

/* Put a begin into the list before the record that follows it. `next` is a record that is known to
 * follow, and `previous` the actor's last record before `next`. */
static bool place_begin(struct merge *m, const struct long_wait *wait, uint64_t next,
                        uint64_t previous)
{
    int64_t global = wait->begin.global_ticks;
    while (previous != NO_RECORD && previous >= m->head && is_after(m, previous, global)) {
        next = previous;
        previous = slot_of(m, previous)->previous;
    }
    bool held = previous != NO_RECORD && previous >= m->head;
    uint64_t position = wait->ordered ? wait->after + 1
                                      : find_above(m, held ? previous : m->head - 1, next, global);
    uint32_t item;
    if (!ARRAY_TAKE(m->begins, m->begins_capacity, m->nbegins, next, m->free, &item))
        return false;
    m->begins[item].wait = *wait;
    link_begin(m, slot_of(m, position), item);
    return true;
}

/* Place the begins of long waits before the last decoded record. Returns false if out of memory. */
static bool place_longs(struct merge *m)
{
    const struct instants *in = m->in;
    uint64_t at = m->tail - 1;
    if (m->next_clipped == in->nclipped && m->next_long == in->nlongs)
        return true;
    for (; m->next_clipped < in->nclipped; m->next_clipped++) {
        const struct long_wait *wait = &in->clipped[m->next_clipped];
        if (wait->after >= at)
            break;
        if (!place_begin(m, wait, at, NO_RECORD))
            return false;
    }
    for (; m->next_long < in->nlongs; m->next_long++) {
        const struct long_wait *wait = &in->longs[m->next_long];
        int64_t global = wait->begin.global_ticks;
        uint64_t previous = m->last[wait->actor];
        if (slot_of(m, at)->greatest <= global)
            return true;
        if (previous == at && wait->end == at)
            previous = slot_of(m, at)->previous;
        else if (previous == at && !is_after(m, at, global))
            return true; /* the begin comes after the last decoded record */
        if (!place_begin(m, wait, at, previous))
            return false;
    }
    return true;
}

/* Decode the next record into its slot. Sets *more to false after the last record. */
static csy_status decode(struct merge *m, bool *more, csy_error *error)
{
    const struct instants *in = m->in;
    uint64_t position = m->tail;
    struct slot *slot = slot_of(m, position);
    struct seen *seen = &slot->seen;
    int64_t before = position > 0 ? slot_of(m, position - 1)->greatest : INT64_MIN;
    /* greatest time of all records before the look-ahead */
    int64_t oldest = position >= in->ahead ? slot->greatest : 0;
    csy_status status = CSY_OK;
    if (in->partial) {
        *more = position < in->held.count;
        if (*more)
            *seen = *sorted_record(&in->held, position);
    } else {
        status = reader_next(&m->reader, seen, more, error);
    }
    if (status || !*more)
        return status;
    slot->greatest = seen->end.global_ticks > before ? seen->end.global_ticks : before;
    slot->previous = m->last[seen->actor];
    slot->begins = NO_ITEM;
    m->last[seen->actor] = position;
    m->tail++;
    bool good = place_longs(m);
    if (good && (seen->waits || seen->called) && !wait_is_long(seen, position, in->ahead, oldest)) {
        const struct long_wait wait = wait_of(seen, position);
        good = place_begin(m, &wait, position, slot->previous);
    }
    return good ? CSY_OK : error_memory(error);
}

static csy_status give(struct merge *m, const struct actor *actor, struct actor_instant *instant,
                       csy_error *error)
{
    instant->actor = (uint32_t)(actor - m->in->actors.items);
    instant->state = actor_state(actor, &instant->class);
    instant->unit = actor->on_unit || actor->here ? actor->unit : NO_UNIT;
    instant->has_core = actor->here && !actor->suspended;
    return m->take(m->user, instant, error);
}

/* Pass on the first decoded record, after the begins before it, and let them take effect. */
static csy_status give_record(struct merge *m, csy_error *error)
{
    struct slot *slot = slot_of(m, m->head);
    const struct seen *seen = &slot->seen;
    struct actor *actors = m->in->actors.items;
    csy_status status = CSY_OK;
    while (!status && slot->begins != NO_ITEM) {
        struct begin *begin = &m->begins[slot->begins];
        const struct long_wait *wait = &begin->wait;
        struct actor *actor = &m->in->actors.items[wait->actor];
        struct actor_instant instant = {.record = wait->end,
                                        .at = wait->begin,
                                        .ordered = wait->ordered && !m->in->partial,
                                        .own = true,
                                        .call = wait->called ? CALL_ENTER : CALL_NONE,
                                        .routine = wait->routine};
        const struct open_wait open = {wait->end, wait->state, wait->class};
        uint32_t item = slot->begins;
        bool early = wait->called && wait->waits && m->head == 0;
        bool good = !wait->waits || early || actor_wait(actor, &open);
        status = good ? give(m, actor, &instant, error) : error_memory(error);
        slot->begins = begin->next;
        if (early) {
            /* only the call begins before this first record; the wait begins at this record */
            begin->wait.begin = slot->seen.end;
            begin->wait.called = false;
            begin->wait.routine = NO_TEXT;
            link_begin(m, slot, item);
        } else {
            begin->next = m->free;
            m->free = item;
        }
    }
    struct actor_instant instant = {.record = m->head,
                                    .is_record = true,
                                    .at = seen->end,
                                    .ordered = !m->in->partial,
                                    .own = true,
                                    .seen = seen};
    if (status)
        return status;
    if (seen->calls) {
        instant.call = seen->event_kind.role == ROLE_ENTER ? CALL_ENTER : CALL_EXIT;
        instant.routine = seen->routine;
    }
    enum role role = seen->event_kind.role;
    if (seen->first || seen->last || seen->waits || role == ROLE_STATE || role == ROLE_SUSPEND ||
        role == ROLE_RESUME)
        actor_record(&actors[seen->actor], seen, m->head);
    status = give(m, &actors[seen->actor], &instant, error);
    if (!status && seen->task != NO_ACTOR) {
        instant.own = false;
        instant.seen = NULL;
        instant.call = CALL_NONE;
        actor_task(&actors[seen->task], seen);
        status = give(m, &actors[seen->task], &instant, error);
    }
    m->head++;
    return status;
}

csy_status instants_merge(struct instants *in, take_instant *take, take_actor_calls *calls,
                          void *user, csy_error *error)
{
    struct merge m = {.in = in, .free = NO_ITEM, .take = take, .user = user};
    if (!in->has_intervals && !in->partial)
        m.calls = calls;
    size_t nactors = in->actors.count;
    m.slots = malloc(in->ahead * sizeof *m.slots);
    m.last = malloc((nactors + 1) * sizeof *m.last);
    csy_status status = m.slots && m.last ? CSY_OK : error_memory(error);
    for (size_t i = 0; !status && i < nactors; i++)
        m.last[i] = NO_RECORD;
    if (!status && !in->partial)
        status = reader_open(&m.reader, in->sync, &in->event_kinds, &in->actors, error);
    bool more = true;
    while (!status && (more || m.head < m.tail)) {
        if (m.tail - m.head == in->ahead || !more)
            status = give_record(&m, error);
        bool alone = more && m.calls && m.head == m.tail;
        while (!status && alone) {
            struct actor_call next[READER_CALLS];
            size_t n;
            status = reader_calls(&m.reader, next, &n, error);
            alone = n > 0;
            if (!status && alone)
                status = m.calls(user, next, n, error);
            m.head = m.tail += n;
        }
        if (!status && more)
            status = decode(&m, &more, error);
    }
    if (m.reader.events)
        reader_close(&m.reader);
    FREE_ALL(m.slots, m.last, m.begins);
    return status;
}
