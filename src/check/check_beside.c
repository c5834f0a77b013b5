/* A CSV beside the trace that it was made of. */
#include "check/check_beside.h"

#include "base/error.h"
#include "trace/input.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What had a clock of its own in an archive, where the line of facts says it. */
static csy_status find_clock_per(const struct csy_trace *trace, csy_clock_per *out,
                                 csy_error *error)
{
    const struct csv_facts facts = csv_reader_facts(&trace->csv);
    char *text = malloc(facts.size + 1);
    if (!text)
        return error_memory(error);
    *out = !csv_fact_find(facts, "clock_per", text) ? CSY_CLOCK_PER_AUTO
           : strcmp(text, "node") == 0              ? CSY_CLOCK_PER_NODE
           : strcmp(text, "location") == 0          ? CSY_CLOCK_PER_LOCATION
                                                    : CSY_CLOCK_PER_PROCESS;
    free(text);
    return CSY_OK;
}

csy_status check_beside_open(struct check *check, const char *path, csy_error *error)
{
    const struct csy_trace *trace = check->trace;
    csy_input input = {.format = CSY_FORMAT_AUTO};
    if (trace->source->carried != CARRIED_ROWS || trace->csv.facts_size == 0)
        return error_set(error, CSY_USAGE,
                         "%s: only a synchronized CSV is proved beside the trace that it was made "
                         "of",
                         trace->name);
    csy_status status = find_clock_per(trace, &input.clock_per, error);
    if (!status)
        status = csy_trace_open(path, &input, &check->made_of, error);
    if (status || trace_loses_order(check->made_of))
        return status;
    return error_set(error, CSY_USAGE,
                     "%s: no archive of OTF2, log or run: a CSV made of it is proved without it",
                     check->made_of->name);
}

/* The other one may have blanks around it. */
static bool same_text(const char *text, size_t size, const char *other, size_t other_size)
{
    while (other_size > 0 && strchr(" \t", other[other_size - 1]))
        other_size--;
    for (; other_size > 0 && strchr(" \t", *other); other_size--)
        other++;
    return size == other_size && (size == 0 || memcmp(text, other, size) == 0);
}

static bool is_text(const struct csv_field *field, const char *text, size_t size)
{
    return field->size == size && (size == 0 || memcmp(field->at, text, size) == 0);
}

/* The last column, but for that of routines and those of what is ordered.  A CSV of before types of
 * values were heeded has all of them unsigned. */
static bool same_values(const struct check *check, const struct csv_row *row,
                        const struct event *event)
{
    size_t after = check->made_of->has_routines ? 2 : 1;
    for (size_t i = 0; i < CSV_ORDER_COLUMNS; i++)
        after += check->trace->csv.columns.order[i] != CSV_NO_COLUMN;
    if (row->nfields < after)
        return false;
    const struct csv_field *field = &row->fields[row->nfields - after];
    return is_text(field, (const char *)event->bytes, event->size) ||
           (event->raw.size > 0 && is_text(field, event->raw.bytes, event->raw.size));
}

/* What differs; NULL: nothing. */
static const char *find_difference(const struct check *check, const struct event *row,
                                   const struct event *event)
{
    const struct named_stamp *is = &row->stamp, *was = &event->stamp;
    bool own = was->clock_size == 0;
    return !same_text(is->thread, is->thread_size, was->thread, was->thread_size) ? "its thread"
           : !same_text(is->clock, is->clock_size, own ? was->thread : was->clock,
                        own ? was->thread_size : was->clock_size)
               ? "its clock"
           : is->time_ticks != event->local_ticks ? "its time"
           : is->interval != was->interval || (is->interval && is->begin_ticks != was->begin_ticks)
               ? "its begin"
           : !same_text(row->name, row->name_size, event->name, event->name_size)   ? "its event"
           : check->made_of->source->valued && !same_values(check, row->row, event) ? "its values"
                                                                                    : NULL;
}

csy_status check_beside_row(struct check *check, const struct event *event,
                            const struct csv_row **out, csy_error *error)
{
    struct event row = {.position = event->position};
    bool more;
    csy_status status = check->trace->source->next(check->trace, &row, &more, error);
    if (status)
        return status;
    const char *what = more ? find_difference(check, &row, event) : NULL;
    if (!more)
        return error_set(error, CSY_CHECK, "%s: it has %" PRIu64 " rows, %s has more events",
                         check->trace->name, event->position, check->made_of->name);
    if (what)
        return error_set(error, CSY_CHECK, "%s: line %" PRIu64 ": %s is not that of %s",
                         check->trace->name, row.place, what, check->made_of->name);
    *out = row.row;
    return CSY_OK;
}

csy_status check_beside_end(struct check *check, csy_error *error)
{
    struct event row = {.position = check->survey.records};
    bool more;
    csy_status status = check->trace->source->next(check->trace, &row, &more, error);
    return status || !more
               ? status
               : error_set(error, CSY_CHECK, "%s: line %" PRIu64 ": a row that is no event of %s",
                           check->trace->name, row.place, check->made_of->name);
}
