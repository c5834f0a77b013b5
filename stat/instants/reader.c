/* Reads the records of a trace, and extracts the parts that actors need (instants/reader.h). */
#include "instants/reader.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* Set *out to the routine that a record enters or exits. Returns false if the routine's address has
 * not occurred yet. */
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

csy_status reader_open(struct reader *reader, const csy_sync *sync, struct event_kinds *event_kinds,
                       struct actors *actors, csy_error *error)
{
    *reader = (struct reader){.sync = sync, .event_kinds = event_kinds, .actors = actors};
    struct met *met = &reader->met;
    /* Unused elements have the address 0, which is looked up in element 0. Element 0 needs another
     * address, or this look-up would find it although it is unused. */
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

/* Find the actor that an event is about: event->about has its name, or the field with this role
 * identifies it. *out becomes NO_ACTOR if there is none. */
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

/* Set out->child to the actor that the record creates or, if no event creates this actor,
 * starts. */
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

/* No branch depends on the next record's writer, which is unpredictable if actors run in parallel.
 * The size is read from the record, because reading it from met_head takes longer. */
csy_status reader_calls(struct reader *reader, struct actor_call *out, size_t *n, csy_error *error)
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

/* *good becomes false if memory runs out. */
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

/* Returns true if the wait that ends with the next record began after the actor's first record, and
 * at most passed->ahead records before. */
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

/* Skip the next record, which needs no decoding. Returns false, and skips nothing, if it enters or
 * exits a routine, or if its effect on actors must be examined. */
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

csy_status reader_pass(struct reader *reader, struct passed *passed, csy_error *error)
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

/* Read records that need no decoding, up to the first record that may affect an actor. *taken
 * becomes false if there is no such record before a record that must be decoded. */
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
        bool one = reader->taken < reader->plain.n; /* read a single event, because later records
                                                     * may need no decoding */
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

/* Returns true for an event that a core or the recorder itself has written. Neither is an actor.
 * CSV files contain such events if they were made from a run without a document (cellsync-run(5),
 * RUNS). */
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

/* Read the next record: from its bytes in the file if possible, otherwise with csy_events_read,
 * which takes longer. */
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
    /* If an argument is the actor itself, print its number or, in a run, its name. */
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

csy_status reader_next(struct reader *reader, struct seen *out, bool *more, csy_error *error)
{
    csy_status status;
    if (reader->next < reader->n || reader->taken == reader->plain.n)
        return see_next(reader, out, more, error);
    status = take_plain(reader, out, more, error);
    return status || *more ? status : see_next(reader, out, more, error);
}

void reader_close(struct reader *reader)
{
    csy_events_free(reader->events);
    partners_fini(&reader->partners);
    free(reader->batch);
    *reader = (struct reader){0};
}
