/* Reads the events of a trace with the global times of a solution, one by one or in batches. */
#include "sync/events.h"

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"
#include "sync/reread.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Start the fast path (reads many records at once, fast/fast.h) if each clock has one offset. */
static csy_status make_fast(struct csy_events *events, csy_error *error)
{
    const struct csy_sync *sync = events->sync;
    /* The fast path adds an offset to each local time, so each clock must have one offset. */
    bool by_offsets =
        !sync->read && !sync->drift && placement_moves_threads(sync) && !sync->monotonic;
    return events->fast || !by_offsets ? CSY_OK
                                       : fast_new(&events->timeline, &events->rough, NULL,
                                                  sync->views, &events->fast, error);
}

static csy_status begin(struct csy_events *events, struct csy_trace *trace, csy_error *error)
{
    const struct csy_sync *sync = events->sync;
    placement_init(&events->placement, sync);
    if (sync->table) { /* the file has global times, so clocks are not needed */
        events->timeline = (struct timeline){.trace = trace};
        threads_init(&events->timeline.threads);
        return trace_rewind(trace, error);
    }
    events->rough = sync->survey.rough;
    csy_status status =
        timeline_init(&events->timeline, trace, &sync->survey.rules, &sync->survey.lore, error);
    return status || !events->timeline.intervals ? status : make_fast(events, error);
}

static void end(struct csy_events *events)
{
    fast_free(events->fast);
    events->fast = NULL;
    placement_fini(&events->placement);
    timeline_fini(&events->timeline);
}

static csy_status open_on(csy_trace *trace, bool forks, const csy_sync *sync, csy_events **out,
                          csy_error *error)
{
    struct csy_trace *read = trace;
    csy_status status = sync->read ? CSY_OK : solution_check_feasible(sync, error);
    if (status)
        return status;
    struct csy_events *events = calloc(1, sizeof *events);
    if (!events)
        return error_memory(error);
    *events = (struct csy_events){.sync = sync, .trace = trace, .progress = trace->progress};
    if (forks)
        status = trace_fork(trace, &read, error);
    if (status) {
        free(events);
        return status;
    }
    status = begin(events, read, error);
    if (status)
        csy_events_free(events);
    else
        *out = events;
    return status;
}

csy_status events_open(csy_trace *trace, const csy_sync *sync, csy_events **out, csy_error *error)
{
    return open_on(trace, false, sync, out, error);
}

csy_status csy_events_open(const csy_sync *sync, csy_events **out, csy_error *error)
{
    return open_on(sync->trace, true, sync, out, error);
}

static csy_status run_fast(struct csy_events *events, const struct fast_job *job,
                           struct fast_taken *taken, csy_error *error)
{
    *taken = (struct fast_taken){0};
    csy_status status = events->fast ? fast_run(events->fast, job, taken, error) : CSY_OK;
    if (taken->records > 0)
        progress_show(&events->progress, events->timeline.trace);
    return status;
}

/* The job writes to `out`: NOLINTNEXTLINE(readability-non-const-parameter) */
csy_status events_copy(struct csy_events *events, uint8_t *out, size_t room,
                       struct fast_taken *taken, csy_error *error)
{
    const struct fast_job job = {WRITING, .limit = UINT64_MAX, .out = out, .room = room};
    return run_fast(events, &job, taken, error);
}

csy_status events_fill(struct csy_events *events, csy_error *error)
{
    if (!events->fast)
        return CSY_OK;
    events->place = bytes_offset(events->timeline.trace->bytes);
    csy_status status = events_next_plain(events, &events->run, error);
    if (!status)
        events_skip_plain(events, NULL, events->run.n);
    return status;
}

csy_status events_measure(struct csy_events *events, uint64_t until, struct measured *measured,
                          struct fast_taken *taken, csy_error *error)
{
    const struct fast_job job = {MEASURING, .limit = until, .measured = measured};
    *taken = (struct fast_taken){0};
    csy_status status = make_fast(events, error);
    return status ? status : run_fast(events, &job, taken, error);
}

csy_status events_share(struct csy_events *events, const struct fast_sink *sink,
                        struct fast_taken *taken, csy_error *error)
{
    const struct fast_job job = {WRITING, .limit = UINT64_MAX, .sink = sink};
    return run_fast(events, &job, taken, error);
}

csy_status events_next(struct csy_events *events, csy_event *out, bool *more, csy_error *error)
{
    const struct csy_sync *sync = events->sync;
    struct event *event = &events->event;
    csy_status status = sync->table ? reread_record(sync, &events->timeline, event, more, error)
                                    : timeline_next(&events->timeline, event, more, error);
    if (!status && *more)
        status = timeline_describe(&events->timeline, event, error);
    if (status)
        return status;
    if (!*more)
        return events->timeline.records == sync->survey.records
                   ? CSY_OK
                   : trace_refuse_changed(sync->trace, error);
    int64_t global = 0;
    progress_note(&events->progress, events->timeline.trace, event->position);
    status = placement_next(&events->placement, event, &global, error);
    if (status)
        return status;
    if (events->fast)
        fast_note(events->fast, event,
                  rebase_x(&sync->survey.rough, event->thread, event->local_ticks));
    *out = (csy_event){
        .record = event->position,
        .thread = event->thread,
        .track = event->track == NO_THREAD ? CSY_NO_TRACK : event->track,
        .local_ticks = event->local_ticks,
        .global_ticks = global,
        .bytes = event->bytes,
        .size = event->size,
    };
    return CSY_OK;
}

/* --- Events in batches ------------------------------------------------------------------------ */

enum {
    RUN_RECORDS = 4096,       /* number of records that the fast path reads at once */
    CHUNK_BYTES = 64 * 1024,  /* least size of a chunk of memory for copies */
    BATCH_BYTES = 512 * 1024, /* number of copied bytes after which a batch ends */
    FEW = 4,                  /* number of values that most records do not exceed */
    NAMES = 256
};

/* A cached name of an event of a .pex trace. */
struct known_name {
    uint32_t key; /* event id, core, and a bit that is set if the entry is in use */
    uint32_t size;
    const char *name;
};

/* Memory for copies of a batch. The next batch reuses it. */
struct chunk {
    uint8_t *bytes;
    size_t size;
};

struct decoder {
    /* global times of the records in the run (records that were read at once) */
    int64_t times[RUN_RECORDS];
    uint64_t *payload; /* payload values of all records of a batch */
    size_t payload_capacity;
    const uint8_t *at; /* bytes of the next record to decode */
    size_t next, n;
    uint64_t position; /* position of that record in the trace */
    struct chunk *chunks;
    size_t nchunks, chunks_capacity;
    size_t chunk, used; /* index of the chunk in use, and number of bytes used in it */
    size_t copied;      /* number of bytes copied in this batch */
    struct known_name names[NAMES];
    char *text; /* text that csy_events_field_name returned last */
    size_t text_capacity;
};

static csy_status decoder_new(struct decoder **out, csy_error *error)
{
    *out = calloc(1, sizeof **out);
    return *out ? CSY_OK : error_memory(error);
}

static void set_name(struct decoder *decoder, const struct event_types *types, csy_decoded *out)
{
    uint32_t key = UINT32_C(1) << 31 | (uint32_t)(out->core == CSY_CORE_SPE) << 16 | out->id;
    struct known_name *known = &decoder->names[record_id_place(out->id, NAMES)];
    if (known->key != key) {
        const char *name = types_event_name(types, out->id, out->core == CSY_CORE_SPE);
        *known = (struct known_name){key, (uint32_t)strlen(name), name};
    }
    out->name = known->name;
    out->name_size = known->size;
}

/* Decode at most n records that fill_run has read. Returns their number. */
static size_t decode_run(struct csy_events *events, csy_decoded *out, size_t n)
{
    struct decoder *d = events->decoder;
    const struct fast_threads *threads = fast_threads(events->fast);
    const struct event_types *types = events->timeline.trace->types;
    const csy_thread *views = events->sync->views;
    const uint8_t *p = d->at; /* a local copy, so that the compiler can keep it in a register */
    const int64_t *time = d->times + d->next;
    uint64_t position = d->position, *values = d->payload;
    n = n < d->n - d->next ? n : d->n - d->next;
    for (csy_decoded *event = out; event < out + n; event++) {
        struct record r = {.spe = p[2] == CORE_SPE,
                           .interval = p[3] & RECORD_INTERVAL,
                           .npayload = load16(p + 6),
                           .thread = load32(p + 8),
                           .bytes = p};
        r.stamp = r.spe ? load32(p + RECORD_PREFIX_BYTES) : load64(p + RECORD_PREFIX_BYTES);
        r.begin = r.spe ? load32(p + RECORD_PREFIX_BYTES + 4) : load64(p + RECORD_PREFIX_BYTES + 8);
        const uint8_t *payload = record_payload(&r, false);
        uint32_t thread = fast_thread_of(threads, p);
        for (size_t i = 0; i < FEW; i++) /* always copy FEW values, because a branch is slower */
            values[i] = load64(payload + 8 * i);
        for (size_t i = FEW; i < r.npayload; i++)
            values[i] = load64(payload + 8 * i);
        /* Set members one by one: a literal would first clear the struct (twice the time). */
        event->record = position++;
        event->thread = thread;
        event->track = CSY_NO_TRACK;
        event->global_ticks = *time++;
        event->local_ticks =
            (int64_t)placement_local(views[thread].offset_ticks, event->global_ticks);
        event->interval = r.interval;
        placement_begins(&r, false, event->local_ticks, event->global_ticks,
                         &event->local_begin_ticks, &event->global_begin_ticks);
        event->core = r.spe ? CSY_CORE_SPE : CSY_CORE_PPE;
        event->id = load16(p + 4);
        event->tid = r.thread;
        event->nfields = r.npayload;
        event->values = values;
        event->bytes = p;
        event->size = load16(p);
        event->texts = NULL;
        event->routine = NULL;
        event->routine_size = 0;
        event->about = NULL;
        event->about_size = 0;
        set_name(d, types, event);
        values += r.npayload;
        p += event->size;
    }
    d->at = p;
    d->next += n;
    d->position = position;
    return n;
}

/* Read the next plain records (fast/fast.h) at once; none if the next event is not plain. */
static csy_status fill_run(struct csy_events *events, csy_error *error)
{
    struct decoder *d = events->decoder;
    struct fast_taken taken;
    uint64_t first = events->timeline.records;
    const struct fast_job job = {TIMING, .limit = first + RUN_RECORDS, .times = d->times};
    csy_status status = run_fast(events, &job, &taken, error);
    if (status || taken.records == 0)
        return status;
    d->at = taken.bytes;
    d->next = 0;
    d->n = (size_t)taken.records; /* a run has at most RUN_RECORDS records */
    d->position = first;
    return ARRAY_RESERVE(d->payload, d->payload_capacity, taken.size / sizeof *d->payload + FEW)
               ? CSY_OK
               : error_memory(error);
}

csy_status events_next_plain(struct csy_events *events, struct events_next_plain *out,
                             csy_error *error)
{
    csy_status status = events->decoder ? CSY_OK : decoder_new(&events->decoder, error);
    *out = (struct events_next_plain){0};
    if (!status && events->decoder->next == events->decoder->n)
        status = fill_run(events, error);
    if (status || events->decoder->next == events->decoder->n)
        return status;
    const struct decoder *d = events->decoder;
    *out = (struct events_next_plain){d->at, d->times + d->next, d->n - d->next, d->position,
                                      fast_threads(events->fast)};
    return CSY_OK;
}

void events_skip_plain(struct csy_events *events, const uint8_t *at, size_t n)
{
    struct decoder *d = events->decoder;
    d->at = at;
    d->next += n;
    d->position += n;
}

/* Allocate aligned memory that is valid until the next batch. Returns NULL if out of memory. */
static void *take_room(struct decoder *d, size_t size)
{
    size = (size + 15) / 16 * 16;
    while (d->chunk < d->nchunks && d->chunks[d->chunk].size - d->used < size) {
        d->chunk++;
        d->used = 0;
    }
    if (d->chunk == d->nchunks) {
        struct chunk new = {.size = size > CHUNK_BYTES ? size : CHUNK_BYTES};
        if (!ARRAY_RESERVE(d->chunks, d->chunks_capacity, d->nchunks + 1) ||
            !(new.bytes = malloc(new.size)))
            return NULL;
        d->chunks[d->nchunks++] = new;
        d->used = 0;
    }
    void *room = d->chunks[d->chunk].bytes + d->used;
    d->used += size;
    d->copied += size;
    return room;
}

static void *take_copy(struct decoder *d, const void *bytes, size_t size)
{
    void *copy = take_room(d, size);
    return copy && size > 0 ? memcpy(copy, bytes, size) : copy;
}

static csy_text unquote(struct csv_field field, char **at)
{
    field = csv_field_trim(field);
    csy_text text = {*at, field.size};
    if (!field.quoted) {
        memcpy(*at, field.at, field.size);
        *at += field.size;
        return text;
    }
    for (size_t i = 0; i < field.size; i++) {
        *(*at)++ = field.at[i];
        i += field.at[i] == '"'; /* a doubled quote stands for one quote */
    }
    text.size = (size_t)(*at - text.bytes);
    return text;
}

static csy_status decode_named(struct csy_events *events, csy_decoded *out, csy_error *error)
{
    static const csy_core cores[] = {[STAMP_CORE_NONE] = CSY_CORE_NONE,
                                     [STAMP_CORE_PPE] = CSY_CORE_PPE,
                                     [STAMP_CORE_SPE] = CSY_CORE_SPE};
    const struct event *event = &events->event;
    const struct named_stamp *stamp = &event->stamp;
    int128 global = events->sync->drift
                        ? placement_of(events->sync, out->thread, stamp->begin_ticks)
                        : placement_named_begin(stamp, out->global_ticks);
    out->core = cores[stamp->core];
    out->interval = stamp->interval;
    if (stamp->interval) {
        if (!fits_int64(global) && !stamp->begin_is_raw)
            return trace_at_place(
                events->timeline.trace, event->place,
                error_set(error, CSY_INPUT, "the global time of the begin does not fit 64 bits"),
                error);
        out->local_begin_ticks = stamp->begin_ticks;
        out->global_begin_ticks = (int64_t)(uint64_t)(uint128)global;
    }
    out->name = take_copy(events->decoder, event->name, event->name_size);
    out->name_size = (uint32_t)event->name_size;
    out->routine = take_copy(events->decoder, event->routine.bytes, event->routine.size);
    out->routine_size = (uint32_t)event->routine.size;
    out->about = take_copy(events->decoder, event->about.bytes, event->about.size);
    out->about_size = (uint32_t)event->about.size;
    if (!out->name || !out->routine || !out->about)
        return error_memory(error);
    const struct csv_row *row = event->row;
    if (!event->row)
        return CSY_OK;
    csy_text *texts = take_room(events->decoder, row->nfields * sizeof *texts);
    char *at = take_room(events->decoder, row->size);
    if (!texts || !at)
        return error_memory(error);
    for (size_t i = 0; i < row->nfields; i++)
        texts[i] = unquote(row->fields[i], &at);
    out->nfields = (uint32_t)row->nfields;
    out->texts = texts;
    return CSY_OK;
}

/* Decode an event that events_next returned. */
static csy_status decode_event(struct csy_events *events, const csy_event *event, csy_decoded *out,
                               csy_error *error)
{
    *out = (csy_decoded){
        .record = event->record,
        .thread = (uint32_t)event->thread,
        .track = (uint32_t)event->track,
        .local_ticks = event->local_ticks,
        .global_ticks = event->global_ticks,
        .local_begin_ticks = event->local_ticks,
        .global_begin_ticks = event->global_ticks,
        .size = (uint32_t)event->size,
    };
    if (event->bytes && !(out->bytes = take_copy(events->decoder, event->bytes, event->size)))
        return error_memory(error);
    if (!events->event.record)
        return decode_named(events, out, error);
    const struct record *r = events->event.record;
    bool global = events->timeline.trace->records.header.global;
    const uint8_t *payload = record_payload(r, global);
    uint64_t *values = take_room(events->decoder, r->npayload * sizeof *values);
    if (!values)
        return error_memory(error);
    for (size_t i = 0; i < r->npayload; i++)
        values[i] = load64(payload + 8 * i);
    out->core = r->spe ? CSY_CORE_SPE : CSY_CORE_PPE;
    out->id = r->id;
    out->tid = r->thread;
    out->nfields = r->npayload;
    out->values = values;
    out->interval = r->interval;
    placement_begins(r, global, out->local_ticks, out->global_ticks, &out->local_begin_ticks,
                     &out->global_begin_ticks);
    out->global_begin_ticks = events->sync->drift
                                  ? placement_record_begin(events->sync, r, out->thread,
                                                           out->global_ticks, out->local_ticks)
                                  : out->global_begin_ticks;
    set_name(events->decoder, events->timeline.trace->types, out);
    return CSY_OK;
}

csy_status csy_events_read(csy_events *events, csy_decoded *out, size_t n, size_t *got,
                           csy_error *error)
{
    csy_event event;
    bool more;
    csy_status status = events->decoder ? CSY_OK : decoder_new(&events->decoder, error);
    *got = 0;
    if (status)
        return status;
    struct decoder *d = events->decoder;
    d->chunk = d->used = d->copied = 0;
    while (*got < n && d->copied < BATCH_BYTES) {
        if (d->next == d->n && (status = fill_run(events, error)))
            return status;
        if (d->next < d->n) {
            if (*got == 0)
                *got = decode_run(events, out, n);
            return CSY_OK;
        }
        status = events_next(events, &event, &more, error);
        if (!status && more)
            status = decode_event(events, &event, &out[*got], error);
        if (status || !more)
            return status;
        ++*got;
    }
    return CSY_OK;
}

csy_status csy_events_next(csy_events *events, csy_event *event, bool *more, csy_error *error)
{
    csy_decoded decoded;
    size_t got;
    if (!events->decoder)
        return events_next(events, event, more, error);
    csy_status status = csy_events_read(events, &decoded, 1, &got, error);
    *more = got > 0;
    if (!status && *more)
        *event = (csy_event){
            .record = decoded.record,
            .thread = decoded.thread,
            .track = decoded.track,
            .local_ticks = decoded.local_ticks,
            .global_ticks = decoded.global_ticks,
            .bytes = decoded.bytes,
            .size = decoded.size,
        };
    return status;
}

csy_status csy_events_seek(csy_events *events, uint64_t record, csy_error *error)
{
    uint64_t records = events->sync->survey.records;
    if (record > records)
        return error_set(error, CSY_USAGE, "%s: no record %" PRIu64 ", there are %" PRIu64,
                         events->timeline.trace->name, record, records);
    struct decoder *d = events->decoder;
    for (; d && d->next < d->n && d->position < record; d->next++, d->position++)
        d->at += load16(d->at);
    if (d && d->next < d->n && d->position == record)
        return CSY_OK;
    if (d)
        d->next = d->n; /* drop the records read ahead, because the record is not one of them */
    struct csy_trace *trace = events->timeline.trace;
    csy_status status = CSY_OK;
    if (record < events->timeline.records) {
        end(events);
        status = begin(events, trace, error);
    }
    while (!status && events->timeline.records < record) {
        struct fast_taken taken;
        csy_event event;
        bool more;
        /* Skip many simple records (called plain in fast/fast.h) at once. */
        status = make_fast(events, error);
        if (!status)
            status = run_fast(events, &(struct fast_job){.limit = record}, &taken, error);
        if (!status && taken.records == 0) {
            status = events_next(events, &event, &more, error);
            if (!status && !more) /* events_next has checked that no record is missing */
                break;
        }
    }
    return status;
}

void csy_events_free(csy_events *events)
{
    if (!events)
        return;
    struct decoder *decoder = events->decoder;
    for (size_t i = 0; decoder && i < decoder->nchunks; i++)
        free(decoder->chunks[i].bytes);
    if (decoder)
        FREE_ALL(decoder->chunks, decoder->payload, decoder->text);
    struct csy_trace *read = events->timeline.trace;
    end(events);
    trace_join(events->trace, read);
    FREE_ALL(decoder, events);
}

static const char *keep_text(struct decoder *d, const char *bytes, size_t size)
{
    if (!ARRAY_RESERVE(d->text, d->text_capacity, size + 1))
        return NULL;
    memcpy(d->text, bytes, size);
    d->text[size] = 0;
    return d->text;
}

const char *csy_events_field_name(csy_events *events, unsigned id, size_t index)
{
    const struct csy_trace *trace = events->timeline.trace;
    char text[TYPE_TEXT_MAX];
    if (!events->decoder && decoder_new(&events->decoder, NULL))
        return NULL;
    if (!trace->types) {
        struct csv_row header;
        struct csv_reader *reader = &events->timeline.trace->lines;
        if (csv_header(reader, &header, NULL) || index >= header.nfields)
            return NULL;
        char *room = malloc(header.size + 1), *at = room;
        if (!room)
            return NULL;
        csy_text name = unquote(header.fields[index], &at);
        const char *kept = keep_text(events->decoder, name.bytes, name.size);
        free(room);
        return kept;
    }
    if (index > UINT16_MAX || id > UINT16_MAX)
        return NULL;
    const char *name = types_field_text(trace->types, (uint16_t)id, index, text);
    return name != text ? name : keep_text(events->decoder, text, strlen(text));
}
