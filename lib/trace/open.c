/* Opens traces. Also reads the file of measured offsets, with the reader for CSV traces. */
#include "base/array.h"
#include "base/crc.h"
#include "base/number.h"
#include "trace/input.h"
#include "trace/offsets.h"
#include "trace/source.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static csy_status refuse(const struct csy_trace *file, uint64_t line, const char *what,
                         csy_error *error)
{
    return error_set(error, CSY_INPUT, "%s: line %" PRIu64 ": %s", file->name, line, what);
}

/* A conversion of ticks of the file to ticks of the trace: times num / den. */
struct unit {
    uint64_t num, den;
};

static bool convert(const struct unit *unit, int64_t ticks, bool up, int64_t *out)
{
    int128 value = (int128)ticks * (int128)unit->num;
    value = up ? ceil_div(value, (int128)unit->den) : floor_div(value, (int128)unit->den);
    *out = (int64_t)value;
    return fits_int64(value);
}

static void add_crc(struct measured_offsets *offsets, const void *bytes, size_t size)
{
    offsets->crc32 = crc_add(offsets->crc32, bytes, size);
}

static csy_status add(struct measured_offsets *offsets, const struct csy_trace *file,
                      const struct unit *unit, const struct event *event, csy_error *error)
{
    const struct event_roles *roles = event->roles;
    const struct named_stamp *stamp = &event->stamp;
    if (roles->other_clock.size == 0)
        return refuse(file, event->place, "other_clock is empty", error);
    if (!ARRAY_RESERVE(offsets->items, offsets->capacity, offsets->count + 1))
        return error_memory(error);
    struct measured_offset *item = &offsets->items[offsets->count++];
    *item = (struct measured_offset){.clock = strndup(stamp->thread, stamp->thread_size),
                                     .other_clock =
                                         strndup(roles->other_clock.bytes, roles->other_clock.size),
                                     .line = event->place};
    if (!item->clock || !item->other_clock)
        return error_memory(error);
    /* The other clock's reading is rounded down, so it is early by less than a tick. */
    bool exact = (int128)roles->other_ticks * (int128)unit->num % (int128)unit->den == 0;
    if (!convert(unit, stamp->interval ? stamp->begin_ticks : stamp->time_ticks, false,
                 &item->begin_ticks) ||
        !convert(unit, stamp->time_ticks, true, &item->time_ticks) ||
        !convert(unit, roles->other_ticks, false, &item->other_ticks) ||
        !convert(unit, roles->within_ticks, true, &item->within_ticks) ||
        __builtin_add_overflow(item->within_ticks, !exact, &item->within_ticks))
        return refuse(file, event->place, "a time leaves 64 bits in ticks of the trace", error);
    add_crc(offsets, item->clock, strlen(item->clock) + 1);
    add_crc(offsets, item->other_clock, strlen(item->other_clock) + 1);
    const int64_t ticks[] = {item->begin_ticks, item->time_ticks, item->other_ticks,
                             item->within_ticks};
    for (size_t i = 0; i < sizeof ticks / sizeof *ticks; i++) {
        char text[24];
        add_crc(offsets, text, (size_t)snprintf(text, sizeof text, "%" PRId64 ",", ticks[i]));
    }
    return CSY_OK;
}

/* Choose the unit of the file. A file in ticks has the ticks of the trace. */
static csy_status choose_unit(const struct csy_trace *file, const struct csy_trace *trace,
                              struct unit *out, csy_error *error)
{
    *out = (struct unit){1, 1};
    if (file->timebase_assumed)
        return CSY_OK;
    if (trace->timebase_assumed)
        return error_set(error, CSY_INPUT,
                         "%s: times have a unit, but those of %s are ticks of unknown length",
                         file->name, trace->name);
    *out = (struct unit){trace->timebase_hz, file->timebase_hz};
    return CSY_OK;
}

/* Read the offsets for an open trace. Times in another unit are rounded such that offsets stay
 * valid. The caller frees *out, even after a failure. */
static csy_status read_offsets(const char *path, const struct csy_trace *trace,
                               struct measured_offsets **out, csy_error *error)
{
    const csy_input input = {
        .format = CSY_FORMAT_CSV, .columns = "thread=clock", .is_offsets = true};
    struct measured_offsets *offsets = calloc(1, sizeof *offsets);
    struct csy_trace *file = NULL;
    struct unit unit;
    csy_status status = offsets ? CSY_OK : error_memory(error);
    *out = offsets;
    if (!status)
        status = trace_open(path, &input, &file, error);
    if (!status && !(offsets->name = strdup(path)))
        status = error_memory(error);
    if (!status && file->lines.columns.order[CSV_OTHER_CLOCK] == CSV_NO_COLUMN)
        status = error_set(error, CSY_INPUT,
                           "%s: expected columns clock, time, other_clock, and other_time", path);
    if (!status)
        status = choose_unit(file, trace, &unit, error);
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

csy_status offsets_read(struct csy_trace *trace, const csy_input *input, csy_error *error)
{
    if (!input->offsets)
        return CSY_OK;
    if (!trace->partial)
        return error_set(error, CSY_USAGE, "%s: --offsets needs a trace in partial order",
                         trace->name);
    trace->limits = true;
    return read_offsets(input->offsets, trace, &trace->offsets, error);
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
