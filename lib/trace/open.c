/* Opens traces: one file, several files that are joined to one trace, and the file of measured
 * offsets (offsets.h), which the reader for CSV traces reads.
 *
 * Each file of a joined trace is opened as a trace, called a part. The joined trace has the events
 * of the first part, then the events of the second part, and so on. Equal names of threads or
 * clocks in two files need operands of the form NAME=FILE, which add NAME to them. Keys of messages
 * and groups are shared by all parts. trace/source.h has the functions that join a format.
 *
 * A place (line or offset) in a joined trace is a number that is unique among all parts.
 * trace_place converts it to a file and a place in the file. */
#include "base/array.h"
#include "base/crc.h"
#include "base/error.h"
#include "base/number.h"
#include "trace/input.h"
#include "trace/offsets.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- Measured offsets ------------------------------------------------------------------------ */

/* The unit of times in the offsets file: one unit is num / den ticks of the trace. */
struct unit {
    uint64_t num, den;
};

void offsets_free(struct measured_offsets *offsets)
{
    for (size_t i = 0; offsets && i < offsets->count; i++) {
        FREE_ALL(offsets->items[i].clock, offsets->items[i].other_clock);
    }
    if (offsets) {
        FREE_ALL(offsets->items, offsets->name);
    }
    free(offsets);
}

static bool convert(const struct unit *unit, int64_t ticks, bool up, int64_t *out)
{
    int128 value = (int128)ticks * (int128)unit->num;
    value = up ? ceil_div(value, (int128)unit->den) : floor_div(value, (int128)unit->den);
    *out = (int64_t)value;
    return fits_int64(value);
}

/* Add a row. Rounding moves begin down and time up, and adds a tick to the error of other_time. */
static csy_status add(struct measured_offsets *offsets, const struct csy_trace *file,
                      const struct unit *unit, const struct event *event, csy_error *error)
{
    const struct event_roles *roles = event->roles;
    const struct named_stamp *stamp = &event->stamp;
    if (roles->other_clock.size == 0)
        return csv_refuse(file->name, event->place, error, "other_clock is empty");
    if (!ARRAY_RESERVE(offsets->items, offsets->capacity, offsets->count + 1))
        return error_memory(error);
    struct measured_offset *item = &offsets->items[offsets->count++];
    *item = (struct measured_offset){.clock = strndup(stamp->thread, stamp->thread_size),
                                     .other_clock =
                                         strndup(roles->other_clock.bytes, roles->other_clock.size),
                                     .line = event->place};
    if (!item->clock || !item->other_clock)
        return error_memory(error);
    bool exact = (int128)roles->other_ticks * (int128)unit->num % (int128)unit->den == 0;
    if (!convert(unit, stamp->interval ? stamp->begin_ticks : stamp->time_ticks, false,
                 &item->begin_ticks) ||
        !convert(unit, stamp->time_ticks, true, &item->time_ticks) ||
        !convert(unit, roles->other_ticks, false, &item->other_ticks) ||
        !convert(unit, roles->within_ticks, true, &item->within_ticks) ||
        __builtin_add_overflow(item->within_ticks, !exact, &item->within_ticks))
        return csv_refuse(file->name, event->place, error,
                          "the time does not fit 64 bits in ticks of the trace");
    const int64_t ticks[] = {item->begin_ticks, item->time_ticks, item->other_ticks,
                             item->within_ticks};
    uint32_t crc32 = crc_add(offsets->crc32, (const uint8_t *)item->clock, strlen(item->clock) + 1);
    crc32 = crc_add(crc32, (const uint8_t *)item->other_clock, strlen(item->other_clock) + 1);
    for (size_t i = 0; i < sizeof ticks / sizeof *ticks; i++) {
        char text[24];
        int size = snprintf(text, sizeof text, "%" PRId64 ",", ticks[i]);
        crc32 = crc_add(crc32, (const uint8_t *)text, (size_t)size);
    }
    offsets->crc32 = crc32;
    return CSY_OK;
}

/* Read the file input->offsets, if any. Returns CSY_USAGE unless the trace is in partial order. */
static csy_status offsets_read(struct csy_trace *trace, const csy_input *input, csy_error *error)
{
    const char *path = input->offsets;
    const csy_input for_file = {
        .format = CSY_FORMAT_CSV, .columns = "thread=clock", .is_offsets = true};
    if (!path)
        return CSY_OK;
    if (!trace->partial)
        return error_set(error, CSY_USAGE, "%s: --offsets requires a trace in partial order",
                         trace->name);
    struct measured_offsets *offsets = trace->offsets = calloc(1, sizeof *offsets);
    struct csy_trace *file = NULL;
    struct unit unit = {1, 1}; /* times without a unit are in ticks of the trace */
    trace->limits = true;
    csy_status status = offsets ? trace_open(path, &for_file, &file, error) : error_memory(error);
    if (!status && !(offsets->name = strdup(path)))
        status = error_memory(error);
    if (!status && file->lines.columns.order[CSV_OTHER_CLOCK] == CSV_NO_COLUMN)
        status = error_set(error, CSY_INPUT,
                           "%s: expected the columns \"clock\", \"time\", other_clock, and "
                           "other_time",
                           path);
    if (!status && !file->timebase_assumed && trace->timebase_assumed)
        status =
            error_set(error, CSY_INPUT,
                      "%s: the times of this file have a unit, but the times of %s are ticks of "
                      "unknown length",
                      file->name, trace->name);
    else if (!status && !file->timebase_assumed)
        unit = (struct unit){trace->timebase_hz, file->timebase_hz};
    bool more = !status;
    for (struct event event = {0}; more; event.position++) {
        status = file->source->next(file, &event, &more, error);
        if (!status && more)
            status = add(offsets, file, &unit, &event, error);
        more = more && !status;
    }
    csy_trace_free(file);
    return status;
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
        status = parts[0]->source->join_parts(trace, error);
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
    csy_error why; /* error of the first file that cannot be opened; its status is in `dropped` */
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
                /* Try the other files first. If one of them can be joined, this file was meant to
                 * be joined with it, and its error is reported. */
                if (!dropped && error)
                    why = *error;
                dropped = dropped ? dropped : status;
                status = CSY_OK;
            } else if (!status && !joins) {
                status = refuse_join(parts[i], always, error);
            }
        }
    if (!status && dropped && any_joins) {
        if (error)
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
