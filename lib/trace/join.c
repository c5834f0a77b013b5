/* See join.h. */
#include "trace/join.h"

#include "base/array.h"
#include "base/error.h"
#include "io/bytes.h"
#include "trace/input.h"
#include "trace/offsets.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Part k of a joined trace begins at place k << PART_SHIFT, unless the source sets places. */
enum { PART_SHIFT = 44 };

/* The state of a joined trace, or of its fork (a second reading of the same trace). */
struct joined {
    struct source source;     /* the source of the joined trace; forks use it, too */
    struct csy_trace **parts; /* the parts; in a fork, forks of the parts */
    size_t part;              /* index of the part that is being read */
    bool switched;            /* true if the next event is the first one of its part */
    struct join_threads threads;
    struct join_text thread, clock, location;
};

/* --- Names --------------------------------------------------------------------------------- */

csy_status join_name(const struct csy_trace *part, struct join_text *buffer, const char **name,
                     size_t *size, csy_error *error)
{
    size_t prefix = part->part_name ? strlen(part->part_name) : 0;
    if (!part->part_name || *size == 0)
        return CSY_OK;
    if (!ARRAY_RESERVE(buffer->bytes, buffer->capacity, prefix + 1 + *size))
        return error_memory(error);
    memcpy(buffer->bytes, part->part_name, prefix);
    buffer->bytes[prefix] = '/';
    memcpy(buffer->bytes + prefix + 1, *name, *size);
    *name = buffer->bytes;
    *size += prefix + 1;
    return CSY_OK;
}

void join_threads_fini(struct join_threads *threads)
{
    texts_fini(&threads->names);
    free(threads->parts);
    *threads = (struct join_threads){0};
}

csy_status join_threads_note(struct join_threads *threads, const char *name, size_t size,
                             size_t part, size_t *other, csy_error *error)
{
    uint32_t number;
    bool added;
    if (!texts_find(&threads->names, name, size, &number, &added) ||
        !ARRAY_RESERVE(threads->parts, threads->capacity, threads->names.count))
        return error_memory(error);
    if (added)
        threads->parts[number] = (uint32_t)part;
    *other = threads->parts[number];
    return CSY_OK;
}

csy_status join_refuse_thread(const struct csy_trace *trace, size_t part, size_t other,
                              uint64_t place, csy_text name, csy_error *error)
{
    char escaped[ERROR_ESCAPED_MAX];
    return error_set(
        error, CSY_INPUT,
        "%s: %s %" PRIu64
        ": the thread '%s' is also in %s. If these are different threads of one recording, name "
        "the files, as in A=%s B=%s; if each file is a separate recording, pass --table",
        trace->parts[part]->name, trace->source->place, place,
        error_escape(escaped, name.bytes, name.size), trace->parts[other]->name,
        trace->parts[other]->name, trace->parts[part]->name);
}

/* --- Events of one part after the other ------------------------------------------------------ */

static csy_status join_rewind(struct csy_trace *trace, csy_error *error)
{
    struct joined *j = trace->state;
    csy_status status = CSY_OK;
    for (size_t i = 0; i < trace->nparts && !status; i++) {
        j->parts[i]->salvage = trace->salvage;
        status = trace_rewind(j->parts[i], error);
    }
    j->part = 0;
    j->switched = true;
    return status;
}

/* Read the next event, and prefix its thread, clock, and location with the name of the part. */
static csy_status join_next(struct csy_trace *trace, struct event *event, bool *more,
                            csy_error *error)
{
    struct joined *j = trace->state;
    *more = false;
    while (!*more && j->part < trace->nparts) {
        csy_status status = j->parts[j->part]->source->next(j->parts[j->part], event, more, error);
        if (status)
            return status;
        if (!*more) {
            j->part++;
            j->switched = true;
        }
    }
    if (!*more)
        return CSY_OK;
    const struct csy_trace *part = j->parts[j->part];
    struct named_stamp *stamp = &event->stamp;
    size_t other = event->file = j->part;
    csy_status status = join_name(part, &j->thread, &stamp->thread, &stamp->thread_size, error);
    if (!status)
        status = join_name(part, &j->clock, &stamp->clock, &stamp->clock_size, error);
    if (!status && event->roles && part->part_name && event->roles->location.size > 0) {
        struct event_roles *roles = unconst(event->roles);
        status =
            join_name(part, &j->location, &roles->location.bytes, &roles->location.size, error);
    }
    if (!status && (j->switched || !stamp->same))
        status = join_threads_note(&j->threads, stamp->thread, stamp->thread_size, j->part, &other,
                                   error);
    if (!status && other != j->part)
        status = join_refuse_thread(trace, j->part, other, event->place,
                                    (csy_text){stamp->thread, stamp->thread_size}, error);
    stamp->same &= !j->switched;
    j->switched = false;
    event->place += trace->part_places[j->part].first - trace->part_places[j->part].own;
    return status;
}

static csy_status join_describe(struct csy_trace *trace, struct event *event, csy_error *error)
{
    struct csy_trace *part = ((struct joined *)trace->state)->parts[event->file];
    return part->source->describe(part, event, error);
}

static void join_close(struct csy_trace *trace)
{
    struct joined *j = trace->state;
    if (!j)
        return;
    join_threads_fini(&j->threads);
    free(j->thread.bytes);
    free(j->clock.bytes);
    free(j->location.bytes);
    free(j);
    trace->state = NULL;
}

static void join_forks(struct csy_trace *fork)
{
    struct joined *j = fork->state;
    for (size_t i = 0; j && j->parts && i < fork->nparts; i++)
        trace_join(fork->parts[i], j->parts[i]);
    if (j)
        free(j->parts);
    join_close(fork);
}

static csy_status join_fork(const struct csy_trace *trace, struct csy_trace *fork, csy_error *error)
{
    struct joined *j = fork->state = calloc(1, sizeof *j);
    if (!j)
        return error_memory(error);
    j->parts = calloc(trace->nparts, sizeof(struct csy_trace *));
    csy_status status = j->parts ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < trace->nparts && !status; i++)
        status = trace_fork(trace->parts[i], &j->parts[i], error);
    j->switched = true;
    return status;
}

static const csy_cut *join_cut(const struct csy_trace *trace)
{
    const struct joined *j = trace->state;
    for (size_t i = 0; i < trace->nparts; i++) {
        const csy_cut *cut = trace_cut(j->parts[i]);
        if (cut)
            return cut;
    }
    return NULL;
}

static const struct csy_trace *part_being_read(const struct csy_trace *trace)
{
    const struct joined *j = trace->state;
    return j->parts[j->part < trace->nparts ? j->part : trace->nparts - 1];
}

static bool join_time_decimals(const struct csy_trace *trace, unsigned *decimals)
{
    unsigned least = UINT32_MAX;
    for (size_t i = 0; i < trace->nparts; i++) {
        const struct csy_trace *part = trace->parts[i];
        if (!part->source->time_decimals(part, decimals))
            return false;
        least = *decimals < least ? *decimals : least;
    }
    *decimals = least;
    return true;
}

static uint64_t join_time_steps(const struct csy_trace *trace)
{
    const struct csy_trace *part = part_being_read(trace);
    return part->source->time_steps(part);
}

static bool join_dates(const struct csy_trace *trace)
{
    bool any = false;
    for (size_t i = 0; i < trace->nparts; i++)
        any |= trace->parts[i]->source->dates(trace->parts[i]);
    return any;
}

static bool join_is_synchronized(const struct csy_trace *trace)
{
    bool any = false;
    for (size_t i = 0; i < trace->nparts; i++)
        any |= csy_trace_is_synchronized(trace->parts[i]);
    return any;
}

static const char *join_place_file(const struct csy_trace *trace)
{
    const struct csy_trace *part = part_being_read(trace);
    return part->source->place_file ? part->source->place_file(part) : part->name;
}

static void join_progress(const struct csy_trace *trace, uint64_t *done, uint64_t *total)
{
    const struct joined *j = trace->state;
    *done = *total = 0;
    for (size_t i = 0; i < trace->nparts; i++) {
        const struct csy_trace *part = j->parts[i];
        uint64_t read = 0, all = part->record_bytes - part->record_start;
        if (part->source->progress)
            part->source->progress(part, &read, &all);
        else if (i <= j->part && part->bytes)
            read = bytes_file_offset(part->bytes) - part->record_start;
        *done += read;
        *total += all;
    }
}

static csy_status join_events(struct csy_trace *trace, csy_error *error)
{
    const struct source *own = trace->parts[0]->source;
    struct joined *j = calloc(1, sizeof *j);
    if (!j)
        return error_memory(error);
    j->source = *own;
    j->source.rewind = join_rewind;
    j->source.next = join_next;
    j->source.close = join_close;
    j->source.describe = own->describe ? join_describe : NULL;
    j->source.fork = own->fork ? join_fork : NULL;
    j->source.join = own->fork ? join_forks : NULL;
    j->source.cut = own->cut ? join_cut : NULL;
    j->source.time_decimals = own->time_decimals ? join_time_decimals : NULL;
    j->source.time_steps = own->time_steps ? join_time_steps : NULL;
    j->source.dates = own->dates ? join_dates : NULL;
    j->source.is_synchronized = own->is_synchronized ? join_is_synchronized : NULL;
    j->source.assumed = NULL;
    j->source.facts = NULL;
    j->source.sum = NULL;
    j->source.tracer = NULL;
    j->source.streams = NULL;
    j->source.place_file = join_place_file;
    j->source.progress = join_progress;
    j->parts = trace->parts;
    trace->state = j;
    trace->source = &j->source;
    for (size_t i = 0; i < trace->nparts; i++)
        trace->part_places[i] = (struct part_places){(uint64_t)i << PART_SHIFT, 0};
    return join_rewind(trace, error);
}

/* --- The joined trace ------------------------------------------------------------------------ */

/* Returns CSY_INPUT if a part does not fit the first part, for example in its format. */
static csy_status compare_parts(const struct csy_trace *first, const struct csy_trace *part,
                                csy_error *error)
{
    char own[80] = "", other[80] = "";
    if (part->source != first->source) {
        snprintf(own, sizeof own, "is %s", part->source->title);
        snprintf(other, sizeof other, "is %s", first->source->title);
    } else if (part->timebase_hz != first->timebase_hz) {
        snprintf(own, sizeof own, "has %" PRIu64 " ticks per second", part->timebase_hz);
        snprintf(other, sizeof other, "has %" PRIu64, first->timebase_hz);
    } else if (part->loose != first->loose || part->partial != first->partial ||
               part->granularity != first->granularity) {
        snprintf(own, sizeof own, "has %ss in %s",
                 part->source->called ? part->source->called : "record",
                 part->loose ? "no order" : "the order of each thread");
        snprintf(other, sizeof other, "has %s",
                 first->loose     ? "no order"
                 : first->partial ? "the order of each thread"
                                  : "one order");
    }
    if (!*own)
        return CSY_OK;
    return error_set(error, CSY_INPUT,
                     "%s: this file %s, but %s %s, so they cannot be joined to one trace; for a "
                     "table of all files, pass --table",
                     part->name, own, first->name, other);
}

static csy_status copy_parts(struct csy_trace *trace, csy_error *error)
{
    const struct csy_trace *first = trace->parts[0];
    trace->timebase_hz = first->timebase_hz;
    trace->granularity = first->granularity;
    trace->partial = first->partial;
    trace->loose = first->loose;
    trace->block_after = first->block_after;
    trace->sends = first->sends;
    trace->meanings = first->meanings;
    trace->symbols = first->symbols;
    trace->complete = true;
    for (size_t i = 0; i < trace->nparts; i++) {
        const struct csy_trace *part = trace->parts[i];
        trace->has_begins |= part->has_begins;
        trace->limits |= part->limits;
        trace->has_routines |= part->has_routines;
        trace->has_keys |= part->has_keys;
        trace->timebase_assumed |= part->timebase_assumed;
        trace->independent |= part->independent;
        trace->skewed |= part->skewed;
        trace->complete &= part->complete;
        trace->hosts += part->hosts;
        trace->converted += part->converted;
        trace->record_bytes += part->record_bytes - part->record_start;
        trace->sends = part->sends < trace->sends ? part->sends : trace->sends;
        if (!ARRAY_RESERVE(trace->files, trace->files_capacity, trace->nfiles + part->nfiles))
            return error_memory(error);
        memcpy(trace->files + trace->nfiles, part->files, part->nfiles * sizeof *part->files);
        trace->nfiles += part->nfiles;
        for (size_t w = 0; w < part->nwarnings; w++)
            trace_warn(trace, "%s: %s", part->name, part->warnings[w]);
    }
    return CSY_OK;
}

/* Join n > 0 traces, owned by *out after success. Returns CSY_INPUT if they do not fit together. */
static csy_status join_traces(struct csy_trace *const *parts, size_t n, struct csy_trace **out,
                              csy_error *error)
{
    struct csy_trace *trace = NULL;
    csy_status status = CSY_OK;
    for (size_t i = 1; i < n && !status; i++)
        status = compare_parts(parts[0], parts[i], error);
    if (status)
        return status;
    /* The name for reports and messages is "a.csv", "a.csv, b.csv", or "a.csv and 3 more". */
    char *name = NULL;
    /* All parts are open. NOLINTBEGIN(clang-analyzer-core.NullDereference) */
    int size = n == 1   ? asprintf(&name, "%s", parts[0]->name)
               : n == 2 ? asprintf(&name, "%s, %s", parts[0]->name, parts[1]->name)
                        : asprintf(&name, "%s and %zu more", parts[0]->name, n - 1);
    /* NOLINTEND(clang-analyzer-core.NullDereference) */
    if (size < 0)
        return error_memory(error);
    status = trace_allocate(name, &trace, error);
    free(name);
    if (status)
        return status;
    trace->parts = malloc(n * sizeof(struct csy_trace *));
    trace->part_places = calloc(n, sizeof *trace->part_places);
    if (trace->parts && trace->part_places) {
        memcpy(trace->parts, parts, n * sizeof(struct csy_trace *));
        trace->nparts = n;
        status = copy_parts(trace, error);
    } else {
        status = error_memory(error);
    }
    if (!status)
        status = parts[0]->source->join_parts ? parts[0]->source->join_parts(trace, error)
                                              : join_events(trace, error);
    if (status) {
        trace->nparts = 0; /* after a failure, the caller still owns the parts */
        csy_trace_free(trace);
        return status;
    }
    *out = trace;
    return CSY_OK;
}

/* --- Opening files --------------------------------------------------------------------------- */

/* Returns the length of NAME in an operand NAME=FILE, or 0 if the operand is a file name. */
static size_t name_length(const char *operand)
{
    struct stat st;
    size_t size = strcspn(operand, "=");
    if (strcmp(operand, "-") == 0 || stat(operand, &st) == 0 || !operand[size] ||
        !operand[size + 1])
        return 0;
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)operand[i] <= ' ' || strchr("/,;\"'", operand[i]))
            return 0;
    return size;
}

/* Returns CSY_USAGE if the user asked for joined files, but this file cannot be joined. */
static csy_status refuse_join(const struct csy_trace *part, bool always, csy_error *error)
{
    if (part->part_name)
        return error_set(error, CSY_USAGE,
                         "%s=%s: a NAME= requires files that can be joined to one trace: captures, "
                         "spans, profiles, or CSV files with # order=partial or # order=messages",
                         part->part_name, part->name);
    if (!always)
        return CSY_OK;
    return part->source->joins
               ? error_set(error, CSY_USAGE,
                           "%s: the rows of this file are one buffer (# order=buffer), so it "
                           "cannot be joined with other files",
                           part->name)
               : error_set(error, CSY_USAGE,
                           "%s: %s is a complete trace, so it cannot be joined with other files",
                           part->name, part->source->title);
}

csy_status csy_trace_open(const char *path, const csy_input *input, csy_trace **out,
                          csy_error *error)
{
    const csy_input usual = {.format = CSY_FORMAT_AUTO};
    struct csy_trace *trace = NULL;
    input = input ? input : &usual;
    csy_status status = trace_open(path, input, &trace, error);
    if (!status)
        status = offsets_read(trace, input, error);
    if (status) {
        csy_trace_free(trace);
        return status;
    }
    *out = trace;
    return CSY_OK;
}

csy_status csy_trace_open_files(const char *const *operands, size_t n, const csy_input *input,
                                csy_trace **out, csy_error *error)
{
    const csy_input usual = {.format = CSY_FORMAT_AUTO};
    input = input ? input : &usual;
    bool always = input->join == CSY_JOIN_ALWAYS, joins = true;
    csy_input for_part = *input;
    for_part.part = n > 1;
    struct csy_trace **parts = calloc(n + 1, sizeof(struct csy_trace *));
    csy_status status = parts ? CSY_OK : error_memory(error), dropped = CSY_OK;
    csy_error why; /* of the first file that could not be opened, valid if `dropped` is set */
    bool any_joins = false;
    *out = NULL;
    /* Standard input can be opened only once, so open it after all other files. */
    for (int pipes = 0; pipes < 2; pipes++)
        for (size_t i = 0; i < n && !status && joins; i++) {
            if ((strcmp(operands[i], "-") == 0) != (pipes == 1))
                continue;
            size_t named = name_length(operands[i]);
            status = trace_open(operands[i] + (named ? named + 1 : 0), &for_part, &parts[i], error);
            if (!status) {
                struct csy_trace *part = parts[i];
                joins = part->source->joins && part->source->joins(part);
                any_joins |= joins;
                part->part_name = named ? strndup(operands[i], named) : NULL;
                status = named && !part->part_name ? error_memory(error) : CSY_OK;
            }
            if (!always && (status == CSY_INPUT || status == CSY_IO)) {
                /* Go on: if other files can be joined, this one was meant to be a part, too. */
                if (!dropped)
                    why = *error;
                dropped = dropped ? dropped : status;
                status = CSY_OK;
            } else if (!status && !joins) {
                status = refuse_join(parts[i], always, error);
            }
        }
    if (!status && dropped && any_joins) {
        *error = why;
        status = dropped;
    }
    joins &= !dropped;
    /* All parts are open: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    if (!status && joins && n == 1 && !parts[0]->part_name) {
        *out = parts[0];
        parts[0] = NULL;
    } else if (!status && joins) {
        status = join_traces(parts, n, out, error);
    }
    if (!status && *out)
        status = offsets_read(*out, input, error);
    if (status && *out) { /* *out owns the parts */
        csy_trace_free(*out);
        *out = NULL;
    } else {
        for (size_t i = 0; parts && i < n && !*out; i++)
            csy_trace_free(parts[i]);
    }
    free(parts);
    return status;
}

size_t csy_trace_nfiles(const csy_trace *trace)
{
    return trace->nparts;
}

const char *csy_trace_file(const csy_trace *trace, size_t index)
{
    return index < trace->nparts ? trace->parts[index]->name : NULL;
}

const char *csy_trace_place(const csy_trace *trace, uint64_t *place)
{
    return trace_place(trace, place);
}

const char *csy_trace_place_text(const csy_trace *trace, uint64_t place,
                                 char text[CSY_PLACE_TEXT_MAX])
{
    enum { NUMBER_MAX = 64 };
    char name[CSY_PLACE_TEXT_MAX - NUMBER_MAX];
    const char *file = trace_place(trace, &place);
    csy_escape(name, sizeof name, file);
    snprintf(text, CSY_PLACE_TEXT_MAX, "%.20s %" PRIu64 "%s%s", trace->source->place, place,
             trace->parts ? " of " : "", trace->parts ? name : "");
    return text;
}
