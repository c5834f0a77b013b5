/* Implements offsets.h: reads the file of measured offsets with the reader for CSV traces. */
#include "trace/offsets.h"

#include "base/array.h"
#include "base/crc.h"
#include "base/number.h"
#include "trace/input.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* Add a row. Rounds begin down and time up. If other_time is rounded, its error grows by a tick. */
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

csy_status offsets_read(struct csy_trace *trace, const csy_input *input, csy_error *error)
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
