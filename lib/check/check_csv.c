/* Proves the guarantees of a synchronized CSV (csy_check). See cellsync-model(7), Guarantees.
 *
 *   rows --without the columns of global time--> checksum
 *        --timeline--> events --offsets: global minus local time--> order, then bounds
 *
 * A CSV has no table of bounds, so they are computed here, by repeated passes over the rows: the
 * constraint of each row tightens a bound as far as necessary, until nothing changes. Then
 * check/proof.h proves them, without the algorithms that computed the offsets. */
#include "base/array.h"
#include "base/crc.h"
#include "base/error.h"
#include "check/check.h"
#include "clock/knots.h"
#include "io/bytes.h"
#include "sync/placement.h"
#include "trace/input.h"

#include <cellsync/cellsync.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The events of a trace, stored so that they can be read again in both directions. A few events are
 * stored in memory, and more in a temporary file, with 16 bytes for each event. */

enum { REPLAY_BLOCK = 64 * 1024 };

struct stamp {
    int64_t ticks;
    uint64_t thread;
};

struct replay {
    int fd; /* temporary file, or -1 if all events are in `block` */
    struct stamp *block;
    size_t nblock;
    uint64_t stored; /* number of events in the temporary file */
};

typedef csy_status (*replay_show)(void *user, const struct stamp *stamp, csy_error *error);

/* Write n events from the block to the temporary file or, if `in` is true, read them. */
static csy_status move_block(struct replay *replay, uint64_t first, size_t n, bool in,
                             csy_error *error)
{
    char *at = (char *)replay->block;
    size_t left = n * sizeof *replay->block;
    off_t offset = (off_t)(first * sizeof *replay->block);
    while (left > 0) {
        ssize_t done =
            in ? pread(replay->fd, at, left, offset) : pwrite(replay->fd, at, left, offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return error_io(error, "temporary file", NULL);
        at += done;
        left -= (size_t)done;
        offset += done;
    }
    return CSY_OK;
}

static csy_status store(struct replay *replay, csy_error *error)
{
    csy_status status = replay->fd < 0 ? bytes_temporary(&replay->fd, error) : CSY_OK;
    status = status ? status : move_block(replay, replay->stored, replay->nblock, false, error);
    replay->stored += replay->nblock;
    replay->nblock = 0;
    return status;
}

/* Show all events in order, or in reverse order if `forwards` is false. */
static csy_status replay_events(struct replay *replay, bool forwards, replay_show show, void *user,
                                csy_error *error)
{
    csy_status status = CSY_OK;
    bool in_memory = replay->fd < 0;
    uint64_t blocks = in_memory ? 1 : (replay->stored + REPLAY_BLOCK - 1) / REPLAY_BLOCK;
    for (uint64_t b = 0; b < blocks && !status; b++) {
        uint64_t first = (forwards ? b : blocks - 1 - b) * REPLAY_BLOCK;
        size_t n = replay->nblock;
        if (!in_memory) {
            uint64_t left = replay->stored - first;
            n = left < REPLAY_BLOCK ? (size_t)left : REPLAY_BLOCK;
            status = move_block(replay, first, n, true, error);
        }
        for (size_t i = 0; i < n && !status; i++)
            status = show(user, &replay->block[forwards ? i : n - 1 - i], error);
    }
    return status;
}

/* If the rows lack the columns that order them, check the events of the original trace instead. */

csy_status check_beside_open(struct check *check, const char *const *paths, size_t n,
                             const char *offsets, csy_error *error)
{
    const struct csy_trace *trace = check->trace;
    csy_input input = {.format = CSY_FORMAT_AUTO, .offsets = offsets};
    if (trace->lines.facts_size == 0)
        return error_set(
            error, CSY_USAGE,
            "%s: --original requires a synchronized CSV, which begins with a line # cellsync",
            trace->name);
    const struct csv_facts facts = csv_reader_facts(&trace->lines);
    char *text = malloc(facts.size + 1);
    if (!text)
        return error_memory(error);
    input.clock_per = !csv_fact_find(facts, "clock_per", text) ? CSY_CLOCK_PER_AUTO
                      : strcmp(text, "node") == 0              ? CSY_CLOCK_PER_NODE
                      : strcmp(text, "location") == 0          ? CSY_CLOCK_PER_LOCATION
                                                               : CSY_CLOCK_PER_PROCESS;
    if (csv_fact_find(facts, "spans", text) && strcmp(text, "nested") == 0)
        input.spans = CSY_SPANS_NESTED;
    free(text);
    csy_status status = CSY_OK;
    /* a single file is opened once, because it may be a pipe */
    if (n > 1 || strchr(paths[0], '='))
        status = csy_trace_open_files(paths, n, &input, &check->made_of, error);
    bool joined = check->made_of;
    if (!status && !joined)
        status = csy_trace_open(paths[0], &input, &check->made_of, error);
    if (!status && !joined && n > 1)
        return error_set(error, CSY_USAGE,
                         "%s and the other originals are separate traces; pass only the original "
                         "trace of the CSV",
                         check->made_of->name);
    if (status || trace_loses_order(check->made_of))
        return status;
    return error_set(error, CSY_USAGE,
                     "%s: a CSV made from this file is checked without --original; the option is "
                     "for OTF2 archives, spans, profiles, logs, and runs",
                     check->made_of->name);
}

/* Returns true if a field has the text `raw`, as cellsync writes it in a CSV: an apostrophe may
 * precede a text that looks like a formula, and \xNN may stand for a byte that is no printable
 * ASCII. */
static bool is_written(const char *field, size_t size, const char *raw, size_t raw_size)
{
    static const char digits[] = "0123456789abcdef";
    size_t at = 0;
    if (size > 1 && raw_size > 1 && *field == '\'' && *raw && strchr("=+-@\t\r", *raw))
        at = 1;
    for (size_t i = 0; i < raw_size; i++) {
        unsigned char c = (unsigned char)raw[i];
        const char code[] = {'\\', 'x', digits[c >> 4], digits[c & 15]};
        if (at < size && field[at] == raw[i])
            at++;
        else if ((c < 0x20 || c >= 0x7f) && size - at >= sizeof code &&
                 memcmp(field + at, code, sizeof code) == 0)
            at += sizeof code;
        else
            return false;
    }
    return at == size;
}

/* Returns true if a field has the text `other`, perhaps without the blanks around it. */
static bool same_text(const char *text, size_t size, const char *other, size_t other_size)
{
    if (is_written(text, size, other, other_size))
        return true;
    while (other_size > 0 && strchr(" \t", other[other_size - 1]))
        other_size--;
    for (; other_size > 0 && strchr(" \t", *other); other_size--)
        other++;
    return is_written(text, size, other, other_size);
}

static bool is_text(const struct csv_field *field, const char *text, size_t size)
{
    return field->size == size && (size == 0 || memcmp(field->at, text, size) == 0);
}

/* Returns true if the field of values in the row equals the event's values. The field is `after`
 * fields before the end of the row. Old versions wrote values as unsigned numbers. */
static bool same_values(const struct check *check, const struct csv_row *row,
                        const struct event *event)
{
    size_t after = check->made_of->has_routines ? 2 : 1;
    for (size_t i = 0; i < CSV_ORDER_COLUMNS; i++)
        after += check->trace->lines.columns.order[i] != CSV_NO_COLUMN;
    if (row->nfields < after)
        return false;
    const struct csv_field *field = &row->fields[row->nfields - after];
    return is_text(field, (const char *)event->bytes, event->size) ||
           (event->raw.size > 0 && is_text(field, event->raw.bytes, event->raw.size));
}

/* Read the next row, and compare it with the event of check->made_of that it must show. Returns
 * CSY_CHECK if they differ. */
static csy_status check_beside_row(struct check *check, const struct event *event,
                                   const struct csv_row **out, csy_error *error)
{
    struct event row = {.position = event->position}, said = *event;
    struct csy_trace *of = check->made_of;
    bool more;
    csy_status status = check->trace->source->next(check->trace, &row, &more, error);
    if (!status && more && of->source->describe)
        status = of->source->describe(of, &said, error);
    if (status)
        return status;
    const struct named_stamp *is = &row.stamp, *was = &said.stamp;
    bool own = was->clock_size == 0;
    const char *what =
        !more                                                                    ? NULL
        : !same_text(is->thread, is->thread_size, was->thread, was->thread_size) ? "thread"
        : !same_text(is->clock, is->clock_size, own ? was->thread : was->clock,
                     own ? was->thread_size : was->clock_size)
            ? "clock"
        : is->time_ticks != said.local_ticks ? "time"
        : is->interval != was->interval || (is->interval && is->begin_ticks != was->begin_ticks)
            ? "begin"
        : !same_text(row.name, row.name_size, said.name, said.name_size) ? "event"
        : of->source->valued && !same_values(check, row.row, &said)      ? "value"
                                                                         : NULL;
    if (!more)
        return error_set(error, CSY_CHECK,
                         "%s: the file has %" PRIu64 " rows, but %s has more events",
                         check->trace->name, event->position, check->made_of->name);
    if (what)
        return error_set(error, CSY_CHECK,
                         "%s: line %" PRIu64 ": the %s of this event differs from %s",
                         check->trace->name, row.place, what, check->made_of->name);
    *out = row.row;
    return CSY_OK;
}

/* --- The check ----------------------------------------------------------------------------- */

/* Initial value of csv_check.far: greater than all distances. */
#define FAR ((int128)1 << 100)

enum { SUM_BYTES = 64 * 1024 };

/* The range of global times that a row states for its time or its begin. */
struct claim {
    uint64_t position;
    int64_t local_ticks, global_ticks;
    int64_t ends[2]; /* earliest and latest global time in ticks */
    bool has[2], has_column[2];
    bool none; /* true if the row must not state a range */
    /* Claims that the field global_mark of the row permits. marks[0]: no clock was set during the
     * record. marks[1]: its clock may have been set. If there is no such column, both are true. */
    bool marks[2];
    uint32_t thread;
};

struct csv_check {
    struct check *check;
    struct claim *claims;
    size_t nclaims, claims_capacity;
    size_t tau;
    struct seconds seconds;
    struct replay replay;
    size_t nsum;
    char sum[SUM_BYTES]; /* bytes of the original file that are not in the checksum yet */

    /* For the current pass over all events, forwards or backwards: */
    int128 *far; /* for each thread: how far its earliest (in a backward pass: latest) offset is
                  * from its offset */
    bool forwards, changed;
    int128 nearest; /* the least value of `far` minus global time (in a backward pass: plus global
                     * time) of all events so far */
    bool begun;
    struct stamp last;
};

/* ---- The line of facts */

static csy_status input_error(const struct csy_trace *trace, const char *what, csy_error *error)
{
    return error_set(error, CSY_INPUT, "%s: %s", trace->name, what);
}

/* Read the line "# cellsync", as check_facts does. `text` must have room for this line. */
static csy_status read_facts(struct check *check, const struct table_facts *said, char *text,
                             csy_error *error)
{
    const struct csy_trace *trace = check->trace;
    const struct csv_facts facts = said->facts;
    bool summed = csv_fact_find(facts, "original_crc32", text);
    if (csv_fact_find(facts, "method", text) && strcmp(text, "bhh") != 0) {
        char shown[ERROR_ESCAPED_MAX];
        return error_set(error, CSY_INPUT,
                         "%s: the trace was synchronized with --method=%s, but only results of "
                         "--method=bhh can be checked",
                         trace->name, error_escape(shown, text, strlen(text)));
    }
    csy_status status =
        check_measured(check, csv_fact_find(facts, "offsets", text) ? text : NULL, error);
    if (status)
        return status;
    const char *fault =
        csv_fact_find(facts, "monotonic", text)
            ? "the trace was synchronized with --monotonic, so it cannot be checked"
        : !csv_fact_find(facts, "lacks", text) || (check->made_of && strcmp(text, "channels") == 0)
            ? (csv_fact_find(facts, "part", text)
                   ? "this file is a part of a trace (--window, --only, or one file of several), "
                     "and only a whole trace can be checked"
                   : NULL)
        : strcmp(text, "channels") == 0
            ? "the rows lack part of the order by channels, so the bounds cannot be checked; if "
              "the original is an OTF2 archive, spans, profiles, or a run, pass --original"
            : "the rows lack part of the order by flushes, so the bounds cannot be checked";
    if (fault)
        return input_error(trace, fault, error);
    if (summed && check->made_of)
        return error_set(error, CSY_USAGE,
                         "%s: this CSV contains the whole trace; check it without --original",
                         trace->name);
    /* Without the original trace, the CSV must be one buffer, or have a column that orders rows. */
    bool any = !trace->partial;
    for (size_t i = 0; i < CSV_ORDER_COLUMNS && !any; i++)
        any = trace->lines.columns.order[i] != CSV_NO_COLUMN;
    if (!summed && !check->made_of && (trace->independent || !any))
        return input_error(trace,
                           "the rows do not contain the whole order of events; pass --original "
                           "with the original input from which this file was made (all its files, "
                           "if it was made from several)",
                           error);
    if (!summed && !check->made_of)
        return error_set(error, CSY_INPUT, "%s: %s: original_crc32 is missing or malformed",
                         trace->name, said->where);
    return table_read_facts(trace, said, &check->table, text, error);
}

csy_status check_facts(struct check *check, const struct table_facts *said, csy_error *error)
{
    char *text = malloc(said->facts.size + 1);
    csy_status status = text ? read_facts(check, said, text, error) : error_memory(error);
    free(text);
    return status;
}

/* Returns the reason why the columns or comments of a CSV do not suffice for a proof, or NULL. */
static const char *find_gap(const struct csv_reader *reader)
{
    const struct csv_header *columns = &reader->columns;
    bool begins = columns->begin != CSV_NO_COLUMN || columns->duration != CSV_NO_COLUMN;
    bool global_begins = csv_reader_exact_global(reader, true) != CSV_NO_COLUMN ||
                         columns->global[GLOBAL_BEGIN_S] != CSV_NO_COLUMN;
    if (reader->facts_size == 0)
        return "this CSV cannot be checked, because it lacks the line # cellsync reference=... "
               "(--csv-header=none omits this line)";
    if (csv_reader_exact_global(reader, false) == CSV_NO_COLUMN)
        return "this CSV cannot be checked, because it lacks the column global_time "
               "(--csv-time=seconds omits this column)";
    return !begins && global_begins
               ? "no column begin or duration is found for the column global_begin; pass "
                 "--columns=begin=NAME or --columns=duration=NAME"
               : NULL;
}

/* ---- The rows */

static void flush_sum(struct csv_check *c)
{
    c->check->crc32 = crc_add(c->check->crc32, (const uint8_t *)c->sum, c->nsum);
    c->nsum = 0;
}

static void sum_up(struct csv_check *c, const char *bytes, size_t size)
{
    while (size > 0) {
        size_t room = SUM_BYTES - c->nsum, n = size < room ? size : room;
        memcpy(c->sum + c->nsum, bytes, n);
        c->nsum += n;
        bytes += n;
        size -= n;
        if (c->nsum == SUM_BYTES)
            flush_sum(c);
    }
}

/* Add the original row to the checksum: all columns that cellsync did not add, and the line end. */
static void sum_row(struct csv_check *c, const struct csv_row *row)
{
    const struct csv_reader *reader = &c->check->trace->lines;
    const char *row_end = row->bytes + row->size;
    bool first = true;
    for (size_t i = 0; i < row->nfields; i++) {
        const struct csv_field *field = &row->fields[i];
        if (csv_header_is_global(&reader->columns, i))
            continue;
        if (!first)
            sum_up(c, &reader->separator, 1);
        first = false;
        sum_up(c, field->at - field->quoted, field->size + 2 * (size_t)field->quoted);
    }
    if (row->end_size > 0)
        sum_up(c, row_end, row->end_size);
    else if (reader->header_end_size > 0)
        sum_up(c, reader->preamble + reader->preamble_size - reader->header_end_size,
               reader->header_end_size);
    else
        sum_up(c, "\n", 1);
}

/* The checksum does not include the columns that cellsync added. Therefore check_row compares each
 * of them, except ranges: claim_ranges stores the ranges, and check_claims compares them after the
 * proof of bounds. */
_Static_assert(GLOBALS == 11, "check the new column in check_row or check_claims, then count it");

/* Returns true if the field contains exactly this text, or if the CSV lacks the column. */
static bool field_holds(const struct csv_check *c, const struct csv_row *row, enum csv_global i,
                        const char *text, const char *end)
{
    size_t column = c->check->trace->lines.columns.global[i], size = (size_t)(end - text);
    if (column == CSV_NO_COLUMN)
        return true;
    const struct csv_field *field = &row->fields[column];
    return !field->quoted && field->size == size && memcmp(field->at, text, size) == 0;
}

/* Returns true if the columns with seconds and dates, if any, show this global time exactly. */
static bool time_holds(const struct csv_check *c, const struct csv_row *row, bool of_begin,
                       int64_t global)
{
    const enum csv_global date = of_begin ? GLOBAL_BEGIN_DATE : GLOBAL_DATE;
    char text[SECONDS_TEXT_MAX];
    if (!field_holds(c, row, of_begin ? GLOBAL_BEGIN_S : GLOBAL_TIME_S, text,
                     seconds_put(text, &c->seconds, global)))
        return false;
    if (c->check->trace->lines.columns.global[date] == CSV_NO_COLUMN)
        return true;
    const char *end = table_put_date(c->check->trace, global, text);
    return end && field_holds(c, row, date, text, end);
}

static bool has_no_begin(const struct csv_check *c, const struct csv_row *row)
{
    static const char none[] = "";
    return field_holds(c, row, GLOBAL_BEGIN, none, none) &&
           field_holds(c, row, GLOBAL_BEGIN_S, none, none) &&
           field_holds(c, row, GLOBAL_BEGIN_DATE, none, none);
}

/* Returns true if begin and end are equally far apart in global and local time, or have no
 * begin. */
static bool begin_holds(const struct csv_check *c, const struct csv_row *row, int64_t global)
{
    char text[NUMBER_DIGITS_MAX];
    int128 begin = (int128)global - ((int128)row->stamp.time_ticks - row->stamp.begin_ticks);
    if (!row->stamp.interval)
        return has_no_begin(c, row);
    return fits_int64(begin) &&
           field_holds(c, row, GLOBAL_BEGIN, text, number_put(text, (int64_t)begin)) &&
           time_holds(c, row, true, (int64_t)begin);
}

static const char begin_differs[] =
    "the global begin of this row differs from its begin in global time";

/* Add a drifting clock's row to the proof, which also checks the rate from begin to end. */
static csy_status check_drifting(struct csv_check *c, const struct event *event,
                                 const struct csv_row *row, int64_t global, csy_error *error)
{
    const struct check *check = c->check;
    const struct named_stamp *stamp = &row->stamp;
    bool said =
        stamp->interval && csv_reader_exact_global(&check->trace->lines, true) != CSV_NO_COLUMN;
    int64_t begin = global;
    if ((said && !table_read_global(check->trace, row, true, &begin)) ||
        (stamp->interval ? said && (!time_holds(c, row, true, begin) || begin > global ||
                                    (stamp->begin_ticks >= stamp->time_ticks && begin != global))
                         : !has_no_begin(c, row)))
        return check_fail_at(check, event->position, begin_differs, error);
    sum_row(c, row);
    const int128 from = (int128)begin * AGE_UNIT;
    return check_drift_event(c->check->drift, event, (int128)global * AGE_UNIT, said ? &from : NULL,
                             error);
}

/* Read the earliest or latest global time of a row. *has becomes false if the field is empty.
 * Returns false if the field is not written as cellsync writes it. */
static bool read_end(const struct csv_check *c, const struct csv_row *row, enum csv_global i,
                     bool *has, int64_t *out)
{
    char text[NUMBER_DIGITS_MAX + 2], again[NUMBER_DIGITS_MAX + 2];
    size_t column = c->check->trace->lines.columns.global[i];
    *has = column != CSV_NO_COLUMN && row->fields[column].size > 0;
    *out = 0;
    if (!*has)
        return true;
    const struct csv_field *field = &row->fields[column];
    if (field->size >= sizeof text)
        return false;
    memcpy(text, field->at, field->size);
    text[field->size] = '\0';
    errno = 0;
    *out = strtoll(text, NULL, 10);
    return errno == 0 && (size_t)(number_put(again, *out) - again) == field->size &&
           memcmp(again, text, field->size) == 0;
}

/* Store the ranges of global time and the mark in a row. check_claims compares them later, when the
 * bounds are proved. */
static csy_status claim_ranges(struct csv_check *c, const struct event *event,
                               const struct csv_row *row, int64_t global, csy_error *error)
{
    struct check *check = c->check;
    const size_t *columns = check->trace->lines.columns.global;
    bool is_dropped = false;
    for (size_t i = 0; i < check->table.ndropped; i++)
        is_dropped |= check->table.dropped[i] == event->position;
    for (int begin = 0; begin < 2; begin++) {
        enum csv_global least = begin ? GLOBAL_BEGIN_EARLIEST : GLOBAL_EARLIEST;
        enum csv_global greatest = begin ? GLOBAL_BEGIN_LATEST : GLOBAL_LATEST;
        if (columns[least] == CSV_NO_COLUMN && columns[greatest] == CSV_NO_COLUMN &&
            (begin || columns[GLOBAL_MARK] == CSV_NO_COLUMN))
            continue;
        static const char set[] = CSV_MARK_STEP;
        struct claim claim = {
            .position = event->position,
            .thread = event->thread,
            .none = is_dropped || (begin && !row->stamp.interval),
            .marks = {field_holds(c, row, GLOBAL_MARK, set, set),
                      field_holds(c, row, GLOBAL_MARK, set, set + strlen(set))},
            .has_column = {columns[least] != CSV_NO_COLUMN, columns[greatest] != CSV_NO_COLUMN},
            .local_ticks =
                begin && row->stamp.interval ? row->stamp.begin_ticks : event->local_ticks,
            .global_ticks = global};
        if (begin && row->stamp.interval &&
            (csv_reader_exact_global(&check->trace->lines, true) == CSV_NO_COLUMN ||
             !table_read_global(check->trace, row, true, &claim.global_ticks)))
            claim.global_ticks = global - (row->stamp.time_ticks - row->stamp.begin_ticks);
        if (!read_end(c, row, least, &claim.has[0], &claim.ends[0]) ||
            !read_end(c, row, greatest, &claim.has[1], &claim.ends[1]))
            return check_fail_at(check, event->position,
                                 "global_earliest or global_latest is not a whole number of ticks",
                                 error);
        if (!ARRAY_RESERVE(c->claims, c->claims_capacity, c->nclaims + 1))
            return error_memory(error);
        c->claims[c->nclaims++] = claim;
    }
    return CSY_OK;
}

/* A proved range of global times. If has[i] is false, there is no limit on this side. */
struct proved {
    bool found, has[2];
    int128 ends[2];
};

/* Compute the range that a row must state. If it is unknown whether the clock was set before or
 * after the record, the range also includes the row's own global time. */
static struct proved find_claimed(const struct csv_check *c, const struct claim *claim)
{
    const struct check *check = c->check;
    const struct table_thread *row = &check->table.rows.threads[claim->thread];
    const csy_fraction delta = check->table.delta;
    const int64_t local = claim->local_ticks, global = claim->global_ticks;
    struct proved out = {.found = true};
    if (claim->none)
        return out;
    if (c->check->drift) {
        int128 least, greatest, rate = claim->thread == c->tau ? 0 : c->check->rule.rate_ppb;
        int128 by = delta.num > 0 ? ceil_div(delta.num * (AGE_UNIT + rate), delta.den) : 0;
        out.has[0] = out.has[1] = check_drift_bounds(c->check->drift, claim->thread, local, &least,
                                                     &greatest, &out.found);
        if (out.has[0]) {
            out.ends[0] = floor_div(least - by, AGE_UNIT);
            out.ends[1] = ceil_div(greatest + by, AGE_UNIT);
        }
    } else {
        int128 off = delta.num > 0 ? ceil_div(delta.num, delta.den) : 0;
        out.has[0] = row->earliest_ticks != INT64_MIN;
        out.has[1] = row->latest_ticks != INT64_MAX;
        out.ends[0] = (int128)local + row->earliest_ticks - off;
        out.ends[1] = (int128)local + row->latest_ticks + off;
    }
    if (check->survey.threads.items[claim->thread].set) {
        out.ends[0] = global < out.ends[0] ? global : out.ends[0];
        out.ends[1] = global > out.ends[1] ? global : out.ends[1];
    }
    return out;
}

/* Compare the ranges and the column global_mark in the rows with the proved values. */
static csy_status check_claims(const struct csv_check *c, csy_error *error)
{
    for (size_t i = 0; i < c->nclaims; i++) {
        const struct claim *claim = &c->claims[i];
        const struct proved proved = find_claimed(c, claim);
        if (!claim->marks[c->check->survey.threads.items[claim->thread].set])
            return check_fail_at(
                c->check, claim->position,
                "the global_mark of this row does not agree with the steps of its clock", error);
        for (int end = 0; end < 2 && proved.found; end++)
            if (claim->has_column[end] &&
                (claim->has[end] != proved.has[end] ||
                 (proved.has[end] && claim->ends[end] != proved.ends[end])))
                return check_fail_at(c->check, claim->position,
                                     end ? "the latest global time of this row does not agree with "
                                           "the bounds of its clock"
                                         : "the earliest global time of this row does not agree "
                                           "with the bounds of its clock",
                                     error);
    }
    return CSY_OK;
}

static csy_status check_row(void *user, const struct event *event, csy_error *error)
{
    struct csv_check *c = user;
    struct check *check = c->check;
    const struct csv_row *row = event->row;
    int64_t global = 0;
    csy_status status = check->made_of ? check_beside_row(check, event, &row, error) : CSY_OK;
    if (status)
        return status;
    bool dated = check->trace->lines.columns.global[GLOBAL_TIME] == CSV_NO_COLUMN;
    bool reads = table_read_global(check->trace, row, false, &global);
    int128 offset = (int128)global - event->local_ticks;
    const char *fault = !reads
                            ? (dated ? "global_date is not a date in the form that cellsync writes"
                                     : "global_time is not a whole number of ticks")
                        : !time_holds(c, row, false, global)
                            ? (dated ? "global_time_s differs from global_date"
                                     : "global_time_s or global_date differs from global_time")
                        : !check->drift && !begin_holds(c, row, global) ? begin_differs
                        : !fits_int64(offset) ? "the offset of this thread does not fit 64 bits"
                                              : NULL;
    if (fault)
        return check_fail_at(check, event->position, fault, error);
    struct table_rows *rows = &check->table.rows;
    if (event->thread >= rows->count) { /* this is the thread's first row */
        if (!ARRAY_RESERVE(rows->threads, rows->capacity, rows->count + 1))
            return error_memory(error);
        rows->threads[rows->count++] =
            (struct table_thread){.first_record = event->position, .offset_ticks = (int64_t)offset};
    }
    status = claim_ranges(c, event, row, global, error);
    if (status)
        return status;
    if (check->drift) {
        check->by_time = check->by_time && event->local_ticks >= check->local_ticks;
        check->local_ticks = event->local_ticks;
        return check_drifting(c, event, row, global, error);
    }
    if (placement_global(check->table.rows.threads[event->thread].offset_ticks,
                         event->local_ticks) != global)
        return check_fail_at(
            check, event->position,
            "the global time of this row is not its local time plus the offset of its thread",
            error);
    if (check->partial) {
        sum_row(c, row);
        return check_partial_event(check->partial, event, global, error);
    }
    bool dropped;
    uint64_t first = check->table.rows.threads[event->thread].first_record;
    status = check_dropped(check, event->position, first, global, &dropped, error);
    check->by_time = check->by_time && (dropped || event->local_ticks >= check->local_ticks);
    check->local_ticks = dropped ? check->local_ticks : event->local_ticks;
    if (!status && !dropped && !check_order(check, event->thread, global))
        return check_fail_at(check, event->position,
                             "this record is before an earlier one by more than delta allows",
                             error);
    sum_row(c, row);
    if (status || dropped)
        return status;
    if (c->replay.nblock == REPLAY_BLOCK)
        status = store(&c->replay, error);
    if (!status)
        c->replay.block[c->replay.nblock++] = (struct stamp){global, event->thread};
    return status;
}

static csy_status read_rows(struct csv_check *c, const struct progress *progress, csy_error *error)
{
    struct check *check = c->check;
    const struct taker taker = {.observe = check_row, .observer = c};
    check->inversions.greatest_ticks = INT64_MIN;
    check->previous_thread = SIZE_MAX;
    check->survey.rules = timeline_default_rules(check_source(check));
    struct csv_reader *reader = &check->trace->lines;
    struct csv_row header;
    csy_status status = csv_header(reader, &header, error);
    if (!status) {
        size_t after = csv_reader_facts_end(reader);
        sum_up(c, reader->preamble, reader->facts_at);
        sum_up(c, reader->preamble + after, (size_t)(header.bytes - reader->preamble) - after);
        sum_row(c, &header);
        status = check_survey(check, &taker, progress, error);
    }
    if (!status && check->made_of) {
        struct event row = {.position = check->survey.records};
        bool more;
        status = check->trace->source->next(check->trace, &row, &more, error);
        if (!status && more)
            status = error_set(error, CSY_CHECK,
                               "%s: line %" PRIu64 ": this row follows the last event of %s",
                               check->trace->name, row.place, check->made_of->name);
    }
    flush_sum(c);
    if (!status && check->survey.threads.ppe != NO_THREAD)
        check->table.rows.threads[check->survey.threads.ppe].ppe = true;
    if (!status && !check->made_of && check->crc32 != check->table.original_crc32)
        status = error_set(error, CSY_CHECK,
                           "%s: the original columns have CRC-32 0x%08" PRIx32
                           ", but the first line gives 0x%08" PRIx32 ": the file has changed",
                           check->trace->name, check->crc32, check->table.original_crc32);
    status = status ? status : check_all_dropped(check, error);
    if (!status && check->partial)
        return check_partial_order(check->partial, error);
    return status || check->drift || c->replay.fd < 0 ? status : store(&c->replay, error);
}

/* ---- The ends of bounds */

/* Called for each event: lower `far` of its thread, because the previous events of this pass must
 * come first. With --relax=paper, only the last of them counts. */
static csy_status move_end(void *user, const struct stamp *stamp, csy_error *error)
{
    struct csv_check *c = user;
    const struct table *table = &c->check->table;
    (void)error;
    bool neighbours = table->relax == CSY_RELAX_PAPER;
    int128 ticks = c->forwards ? stamp->ticks : -(int128)stamp->ticks;
    int128 *far = &c->far[stamp->thread];
    int128 limit = c->nearest + ticks + table->added_ticks;
    bool meets =
        c->begun && c->nearest < FAR / 2 && !(neighbours && c->last.thread == stamp->thread);
    if (meets && limit < *far) {
        *far = limit;
        c->changed = true;
    }
    if (!c->begun || neighbours || *far - ticks < c->nearest)
        c->nearest = *far - ticks;
    c->begun = true;
    c->last = *stamp;
    return CSY_OK;
}

/* Compute the earliest offsets of all threads, or, if `forwards` is false, the latest ones. Passes
 * over the events are repeated until nothing changes. */
static csy_status find_ends(struct csv_check *c, size_t tau, bool forwards, csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t t = 0; t < c->check->table.rows.count; t++)
        c->far[t] = t == tau ? 0 : FAR;
    c->forwards = forwards;
    for (c->changed = true; c->changed && !status;) {
        c->changed = c->begun = false;
        status = replay_events(&c->replay, forwards, move_end, c, error);
    }
    for (size_t t = 0; t < c->check->table.rows.count && !status; t++)
        status = check_set_end(c->check, t, forwards, c->far[t] >= FAR / 2,
                               forwards ? -c->far[t] : c->far[t], error);
    return status;
}

static csy_status prove_event(void *user, const struct stamp *stamp, csy_error *error)
{
    struct csv_check *c = user;
    uint32_t thread = (uint32_t)stamp->thread;
    int128 local = placement_local(c->check->table.rows.threads[thread].offset_ticks, stamp->ticks);
    return check_prove(c->check, thread, (int64_t)local, error);
}

static csy_status prove_bounds(struct csv_check *c, csy_error *error)
{
    struct check *check = c->check;
    size_t tau;
    csy_status status = check_find_reference(check, &tau, error);
    c->tau = tau;
    /* The epoch is the time that the reference clock shows at global time 0. */
    const struct csv_reader *reader = &check->trace->lines;
    if (!status && reader->has_epoch &&
        (int128)check->table.rows.threads[tau].offset_ticks + reader->epoch_ticks != 0)
        status = error_set(error, CSY_CHECK,
                           "%s: the line # cellsync: epoch is not the time of the reference at "
                           "global time 0",
                           check->trace->name);
    bool in_order = check->drift || check->partial;
    if (!status && in_order)
        status = check_prove_order(check, tau, error);
    if (!status && check->partial) {
        struct table_thread *rows = check->table.rows.threads;
        for (size_t t = 0; t < check->table.rows.count; t++) {
            const struct thread *one = &check->survey.threads.items[t];
            if (!one->set || one->set_before == NO_THREAD || one->set_after == NO_THREAD)
                continue;
            const struct table_thread *a = &rows[one->set_before], *b = &rows[one->set_after];
            int64_t earliest =
                a->earliest_ticks < b->earliest_ticks ? a->earliest_ticks : b->earliest_ticks;
            int64_t latest = a->latest_ticks > b->latest_ticks ? a->latest_ticks : b->latest_ticks;
            earliest = earliest > rows[t].earliest_ticks ? earliest : rows[t].earliest_ticks;
            latest = latest < rows[t].latest_ticks ? latest : rows[t].latest_ticks;
            if (earliest > latest)
                continue;
            rows[t].earliest_ticks = earliest;
            rows[t].latest_ticks = latest;
        }
    }
    if (status || in_order)
        return status;
    c->far = malloc((check->table.rows.count + 1) * sizeof *c->far);
    if (!status && !c->far)
        status = error_memory(error);
    status = status ? status : find_ends(c, tau, true, error);
    status = status ? status : find_ends(c, tau, false, error);
    status = status ? status : check_begin_proofs(check, error);
    status = status ? status : replay_events(&c->replay, true, prove_event, c, error);
    return status ? status : check_bounds(check, error);
}

csy_status check_csv(struct check *check, const struct progress *progress, csy_error *error)
{
    const struct csv_reader *reader = &check->trace->lines;
    const struct table_facts said = {csv_reader_facts(reader), TABLE_FACTS_LINE};
    const char *gap = find_gap(reader);
    if (gap)
        return input_error(check->trace, gap, error);
    csy_status status = check_facts(check, &said, error);
    if (status)
        return status;
    struct csv_check *c = calloc(1, sizeof *c);
    if (!c)
        return error_memory(error);
    c->check = check;
    c->seconds = seconds_of(check->trace->timebase_hz);
    check->by_time = true;
    check->local_ticks = INT64_MIN;
    c->replay = (struct replay){.fd = -1, .block = malloc(REPLAY_BLOCK * sizeof *c->replay.block)};
    status = c->replay.block ? check_drift_read_rule(check, &said, error) : error_memory(error);
    bool drifts = check->rule.rate_ppb != CSY_NO_DRIFT, in_order = drifts || check->trace->partial;
    if (!status && in_order)
        status =
            check_choices(check, said.where, drifts ? "drifting clocks" : "a partial order", error);
    if (!status && in_order)
        status = check_begin_order(check, error);
    status = status ? status : absent_init(&check->absent, check->table.ndropped, error);
    status = status ? status : read_rows(c, progress, error);
    if (!status && check->table.rows.count == 0)
        status = input_error(check->trace, "the file has no rows", error);
    status = status ? status : prove_bounds(c, error);
    status = status ? status : check_claims(c, error);
    if (c->replay.block && c->replay.fd >= 0)
        close(c->replay.fd);
    FREE_ALL(c->replay.block, c->far, c->claims, c);
    if (!status && check->made_of)
        status = trace_check_unchanged(check->made_of, error);
    return status ? status : trace_check_unchanged(check->trace, error);
}
