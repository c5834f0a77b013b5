/* The verb `order` of cellstat tells which of two moments came first. */
#include "cellstat/table.h"
#include "tool/explain.h"
#include "tool/show.h"

#include <inttypes.h>
#include <string.h>

enum { SHOWN_BYTES = 128, AMOUNT_BYTES = 80 };

/* A moment that the user named. */
struct moment {
    char name[SHOWN_BYTES];
    bool begin; /* true if the moment is the begin of a record, not its end */
    csy_instant instant;
    int64_t global_ticks;
};

/* Parse an integer: a number of a record, or ticks. */
static bool take_ticks(const char *text, int64_t *out)
{
    csy_fraction ticks;
    bool below = *text == '-';
    if (!csy_fraction_parse(text + below, &ticks) || ticks.den != 1)
        return false;
    *out = below ? -ticks.num : ticks.num;
    return true;
}

static csy_status find_record(const struct solved *solved, uint64_t record, struct moment *out,
                              csy_error *error)
{
    csy_events *events;
    csy_decoded event;
    size_t got;
    if (record >= csy_sync_records(solved->sync))
        return fail_usage(error,
                          "%s: this record does not exist; the trace has %" PRIu64
                          " records, numbered from 0",
                          out->name, csy_sync_records(solved->sync));
    csy_status status = csy_events_open(solved->sync, &events, error);
    if (status)
        return status;
    status = csy_events_seek(events, record, error);
    if (!status)
        status = csy_events_read(events, &event, 1, &got, error);
    if (!status && out->begin && !event.interval)
        status = fail_usage(error, "%s: this record has no begin", out->name);
    if (!status) {
        out->instant =
            (csy_instant){event.thread, out->begin ? event.local_begin_ticks : event.local_ticks,
                          out->begin ? CSY_NO_RECORD : record};
        out->global_ticks = out->begin ? event.global_begin_ticks : event.global_ticks;
    }
    csy_events_free(events);
    return status;
}

/* Parse a moment: "#RECORD", "#RECORD.begin", or "CLOCK@TICKS". */
static csy_status find_moment(const struct solved *solved, const char *text, struct moment *out,
                              csy_error *error)
{
    static const char suffix[] = ".begin";
    char number[32];
    const char *at = strrchr(text, '@');
    size_t size = strlen(text);
    int64_t ticks;
    *out = (struct moment){.instant.record = CSY_NO_RECORD};
    csy_escape(out->name, sizeof out->name, text);
    if (*text == '#') {
        out->begin = size > sizeof suffix && strcmp(text + size - sizeof suffix + 1, suffix) == 0;
        size -= 1 + (out->begin ? sizeof suffix - 1 : 0);
        if (size < sizeof number) {
            memcpy(number, text + 1, size);
            number[size] = 0;
            if (*number != '-' && take_ticks(number, &ticks))
                return find_record(solved, (uint64_t)ticks, out, error);
        }
    } else if (at && take_ticks(at + 1, &ticks)) {
        csy_status status = csy_sync_find_thread(solved->sync, text, (size_t)(at - text),
                                                 &out->instant.thread, error);
        if (status)
            return status;
        out->instant.local_ticks = ticks;
        return csy_sync_global(solved->sync, out->instant.thread, ticks, &out->global_ticks, error);
    }
    return fail_usage(error, "'%s': expected a moment: #RECORD, #RECORD.begin, or CLOCK@TICKS",
                      out->name);
}

/* Write a range such as "3 to 11 ticks", "1 tick", or, if `most` is INT64_MAX, "3 ticks or more".
 * */
static const char *amount(char text[AMOUNT_BYTES], int64_t least, int64_t most)
{
    if (least == most)
        snprintf(text, AMOUNT_BYTES, "%" PRId64 " tick%s", least, least == 1 ? "" : "s");
    else if (most == INT64_MAX)
        snprintf(text, AMOUNT_BYTES, "%" PRId64 " tick%s or more", least, least == 1 ? "" : "s");
    else
        snprintf(text, AMOUNT_BYTES, "%" PRId64 " to %" PRId64 " ticks", least, most);
    return text;
}

/* Negate an end of a range of time differences. INT64_MIN, no limit, becomes INT64_MAX. */
static int64_t before(int64_t end)
{
    return end == INT64_MIN ? INT64_MAX : -end;
}

static void print_verdict(const char *a, const char *b, csy_verdict verdict, const csy_range *range)
{
    char text[AMOUNT_BYTES], least[AMOUNT_BYTES] = "any time", most[AMOUNT_BYTES] = "any time";
    if (verdict == CSY_BEFORE_YES) {
        printf("%s is before %s by %s\n", a, b, amount(text, before(range->hi), before(range->lo)));
        return;
    }
    if (verdict == CSY_BEFORE_NO) {
        if (range->lo == 0 && range->hi == 0)
            printf("%s and %s are at the same time\n", a, b);
        else
            printf("%s is before %s by %s\n", b, a, amount(text, range->lo, range->hi));
        return;
    }
    if (range->lo != INT64_MIN)
        snprintf(least, sizeof least, "%" PRId64, -range->lo);
    if (range->hi != INT64_MAX)
        snprintf(most, sizeof most, "%" PRId64, range->hi);
    printf("the order is unknown: %s is between %s before and %s after %s\n", a, least, most, b);
}

static void print_moment(const struct solved *solved, const struct moment *moment)
{
    char clock[SHOWN_BYTES];
    csy_escape(clock, sizeof clock, csy_sync_thread(solved->sync, moment->instant.thread)->name);
    printf("  %s: %s at %" PRId64 ", global %" PRId64 "\n", moment->name, show_name(clock, stdout),
           moment->instant.local_ticks, moment->global_ticks);
}

csy_status verb_order(const struct solved *solved, csy_error *error)
{
    struct moment a = {0}, b = {0};
    csy_verdict verdict;
    csy_range range;
    char text[CSY_WARNING_TEXT_MAX], time[CSY_TIME_TEXT_MAX];
    csy_status status = find_moment(solved, solved->options->operands[0], &a, error);
    if (!status)
        status = find_moment(solved, solved->options->operands[1], &b, error);
    if (!status && solved->options->tables) {
        const struct stat_options *options = solved->options;
        const char *const names[] = {a.name, b.name};
        const csy_instant moments[] = {a.instant, b.instant};
        csy_analysis *analysis;
        if (options->explain)
            return fail_usage(error,
                              "--explain excludes -o, --format, and --time, which write a table");
        status = csy_sync_order_table(solved->sync, names, moments, &analysis, error);
        progress_line_clear(solved->progress);
        if (status)
            return status;
        progress_line_yield(solved->progress, options->output);
        if (options->time_unit)
            status = csy_analysis_set_time_unit(analysis, solved->sync, options->time_unit, error);
        if (!status)
            status =
                csy_analysis_write(analysis, solved->sync, options->output, options->format, error);
        csy_analysis_free(analysis);
        return status;
    }
    if (!status)
        status = csy_sync_before(solved->sync, &a.instant, &b.instant, &verdict, &range, error);
    progress_line_clear(solved->progress);
    bool read = csy_trace_has_solution(solved->trace) && !csy_trace_is_synchronized(solved->trace);
    if (!status && solved->options->explain && read)
        status = fail_usage(error, "--explain requires a trace that is not synchronized yet");
    if (status)
        return status;
    show_name(a.name, stdout);
    show_name(b.name, stdout);
    print_verdict(a.name, b.name, verdict, &range);
    print_moment(solved, &a);
    print_moment(solved, &b);
    if (range.kind == CSY_RANGE_STAR)
        puts("  from the bounds of each clock to the reference, because the trace contains no "
             "others");
    bool apart = a.instant.thread != b.instant.thread;
    for (size_t i = 0; apart && csy_sync_condition_at(solved->sync, i, text); i++)
        printf("  if %s\n", text);
    const csy_imprecision *imprecision = csy_sync_imprecision(solved->sync);
    if (imprecision->conditional)
        printf("  if no timestamp is off by more than %s, which is an estimate\n",
               csy_time_text(imprecision->delta, csy_trace_timebase_hz(solved->trace), time));
    if (!solved->options->explain)
        return CSY_OK;
    if (a.instant.thread == b.instant.thread) {
        puts("  both times come from the same clock");
        return CSY_OK;
    }
    return explain_clocks(solved->trace, solved->sync, a.instant.thread, b.instant.thread,
                          solved->progress, error);
}
