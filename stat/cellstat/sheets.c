/* Answers the verbs of cellstat(1). Each verb has a row in the array stat_verbs. */
#include "cellstat/table.h"

#include "tool/explain.h"
#include "tool/progress.h"
#include "tool/show.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static csy_status fail_usage(csy_error *error,
                                                                   const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *error = (csy_error){.status = CSY_USAGE};
    (void)vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return CSY_USAGE;
}

/* Sort the rows by the requested column or the verb's own, greatest value first, and keep the
 * requested number of rows. Graphs are not sorted. */
static csy_status sort(const struct stat_options *options, csy_analysis **out, csy_error *error)
{
    bool graph = options->format == CSY_REPORT_DOT || options->format == CSY_REPORT_FOLDED;
    const char *by = graph ? NULL : options->sort ? options->sort : options->verb->sort;
    csy_status status = by ? csy_analysis_sort(*out, by, (size_t)options->top, error) : CSY_OK;
    if (status)
        csy_analysis_free(*out);
    return status;
}

static csy_status fail_option(csy_error *error, const char *option, const char *text,
                              const char *want)
{
    char shown[128];
    csy_escape(shown, sizeof shown, text);
    return fail_usage(error, "--%s: '%s' is not %s", option, shown, want);
}

static csy_status take_time(const struct solved *solved, const char *option, const char *text,
                            int64_t *out, csy_error *error)
{
    csy_fraction ticks;
    if (!text)
        return CSY_OK;
    if (!csy_time_parse(text, csy_trace_timebase_hz(solved->trace), &ticks) ||
        ticks.num < ticks.den)
        return fail_option(error, option, text, "a time of at least one tick, such as 10ms");
    *out = ticks.num / ticks.den;
    return CSY_OK;
}

#define SECTION_WANT "NAME, NAME#K or NAME#K-M"

/* Parse a section: NAME, NAME#K, or NAME#K-M. `name` is changed: it is cut after NAME. */
static bool take_section(char *name, csy_concurrency *out)
{
    char *numbers = strrchr(name, '#');
    out->section = name;
    if (!numbers)
        return true;
    char *end;
    *numbers++ = 0;
    errno = 0;
    out->first = out->last = strtoull(numbers, &end, 10);
    if (end == numbers || *numbers == '-' || out->first == 0)
        return false;
    if (*end == '-') {
        numbers = end + 1;
        out->last = strtoull(numbers, &end, 10);
        if (end == numbers || *numbers == '-')
            return false;
    }
    return *end == 0 && errno == 0 && out->last >= out->first;
}

static csy_status make_states(const struct solved *solved, const csy_meaning *meaning,
                              csy_analysis **out, csy_error *error)
{
    return csy_sync_states(solved->sync, meaning, &solved->options->states, out, error);
}

static csy_status make_concurrency(const struct solved *solved, const csy_meaning *meaning,
                                   csy_analysis **out, csy_error *error)
{
    const struct stat_options *options = solved->options;
    csy_concurrency asked = options->asked;
    char *section = options->section ? strdup(options->section) : NULL;
    csy_status status = take_time(solved, "serial", options->serial, &asked.serial_ticks, error);
    if (!status)
        status = take_time(solved, "sample", options->sample, &asked.sample_ticks, error);
    asked.bins = (size_t)options->bins;
    asked.section = options->each;
    if (!status && section && !take_section(section, &asked))
        status = fail_option(error, "section", options->section, SECTION_WANT);
    if (!status)
        status = csy_sync_concurrency(solved->sync, meaning, &asked, out, error);
    free(section);
    return status;
}

static csy_status make_comm(const struct solved *solved, const csy_meaning *meaning,
                            csy_analysis **out, csy_error *error)
{
    return csy_sync_comm(solved->sync, meaning, &solved->options->comm, out, error);
}

static csy_status make_latency(const struct solved *solved, const csy_meaning *meaning,
                               csy_analysis **out, csy_error *error)
{
    const struct stat_options *options = solved->options;
    return (options->each_message ? csy_sync_each_latency : csy_sync_latency)(
        solved->sync, meaning, options->actors, options->window, out, error);
}

static csy_status make_sync(const struct solved *solved, const csy_meaning *meaning,
                            csy_analysis **out, csy_error *error)
{
    const struct stat_options *options = solved->options;
    return csy_sync_waits(solved->sync, meaning, options->actors, options->window, out, error);
}

static csy_status make_profile(const struct solved *solved, const csy_meaning *meaning,
                               csy_analysis **out, csy_error *error)
{
    csy_profile_options asked = solved->options->profile;
    csy_status status =
        take_time(solved, "sample", solved->options->sample, &asked.sample_ticks, error);
    return status ? status : csy_sync_profile(solved->sync, meaning, &asked, out, error);
}

/* Parse "#RECORD", a percentage, a time, or ticks from the first record on. */
static bool take_moment(const char *text, uint64_t timebase_hz, csy_calls_options *out)
{
    char number[32];
    csy_fraction value;
    size_t size = strlen(text);
    out->at = *text == '#' ? CSY_AT_RECORD : CSY_AT_TICKS;
    bool percent = size > 1 && size < sizeof number && text[size - 1] == '%';
    if (percent) {
        memcpy(number, text, size - 1);
        number[size - 1] = 0;
        out->at = CSY_AT_PPM;
    }
    if (!csy_fraction_parse(percent ? number : text + (*text == '#'), &value) &&
        (out->at != CSY_AT_TICKS || !csy_time_parse(text, timebase_hz, &value)))
        return false;
    if (percent && value.num > 100 * value.den)
        return false;
    int64_t whole = value.num / value.den, rest = value.num % value.den;
    out->at_value = percent ? whole * 10000 + rest * 10000 / value.den : whole;
    return out->at != CSY_AT_RECORD || value.den == 1;
}

static csy_status make_calls(const struct solved *solved, const csy_meaning *meaning,
                             csy_analysis **out, csy_error *error)
{
    const struct stat_options *options = solved->options;
    csy_calls_options calls = options->calls;
    calls.leaves = (size_t)options->leaves;
    if (options->at && !take_moment(options->at, csy_trace_timebase_hz(solved->trace), &calls))
        return fail_usage(error,
                          "--at: expected #RECORD, a percentage, a time such as 1.5s, or ticks");
    return csy_sync_calls(solved->sync, meaning, &calls, out, error);
}

/* Copy options that several verbs share to the options of these verbs. */
static void share_options(struct stat_options *o)
{
    o->profile.actors = o->states.actors = o->asked.actors = o->comm.actors = o->calls.actors =
        o->actors;
    o->profile.window = o->states.window = o->asked.window = o->comm.window = o->calls.window =
        o->window;
    o->profile.per = o->asked.per = o->per;
    o->states.units = o->asked.units = o->units;
}

static csy_status make_window(const struct solved *solved, const csy_meaning *meaning,
                              const char *window, csy_analysis **out, csy_error *error)
{
    struct stat_options options = *solved->options;
    struct solved one = *solved;
    options.window = window;
    share_options(&options);
    one.options = &options;
    csy_status status = options.verb->make(&one, meaning, out, error);
    return status ? status : sort(&options, out, error);
}

struct sections {
    const struct stat_options *options;
    const csy_section *items;
    csy_analysis *all;
};

static csy_status append(void *user, size_t index, csy_analysis *one, csy_error *error)
{
    struct sections *sections = user;
    csy_status status = sort(sections->options, &one, error);
    return status ? status
                  : csy_analysis_append(&sections->all, one, &sections->items[index], error);
}

/* For concurrency, one call of the library covers all sections. */
static csy_status make_sections(const struct solved *solved, const csy_meaning *meaning,
                                csy_analysis **out, csy_error *error)
{
    const struct stat_options *options = solved->options;
    csy_concurrency asked = {.section = options->each};
    csy_section *sections;
    size_t n;
    if ((!options->section && !options->each) || options->verb->make == make_concurrency)
        return make_window(solved, meaning, options->window, out, error);
    char *name = options->section ? strdup(options->section) : NULL;
    csy_status status = CSY_OK;
    if (name && !take_section(name, &asked))
        status = fail_option(error, "section", options->section, SECTION_WANT);
    if (!status)
        status = csy_sync_sections(solved->sync, meaning, asked.section, asked.first, asked.last,
                                   &sections, &n, error);
    free(name);
    if (status)
        return status;
    struct sections all = {options, sections, NULL};
    bool tables = stat_options_tables(options), states = options->verb->make == make_states;
    if (!tables) {
        status = n == 1 ? make_window(solved, meaning, sections->window, out, error)
                        : fail_usage(error,
                                     "%s: the trace has %zu such sections, but a page or a drawing "
                                     "can show only one; choose one, as in --section=NAME#1",
                                     csy_trace_name(solved->trace), n);
        csy_sections_free(sections);
        return status;
    }
    if (states)
        status = csy_sync_states_by_section(solved->sync, meaning, &options->states, sections, n,
                                            append, &all, error);
    for (size_t i = 0; !states && i < n && !status; i++) {
        csy_analysis *one;
        status = make_window(solved, meaning, sections[i].window, &one, error);
        if (!status)
            status = csy_analysis_append(&all.all, one, &sections[i], error);
    }
    csy_sections_free(sections);
    if (status)
        csy_analysis_free(all.all);
    else
        *out = all.all;
    return status;
}

/* A timeline as text has few parts, because lines are short. */
static size_t choose_bins(const struct stat_options *options)
{
    enum { TEXT_BINS = 64 };
    return options->bins                        ? (size_t)options->bins
           : options->format == CSY_REPORT_TEXT ? TEXT_BINS
                                                : CSY_TIMELINE_BINS;
}

static csy_status make_timeline(const struct solved *solved, const csy_meaning *meaning,
                                csy_analysis **out, csy_error *error)
{
    const struct stat_options *options = solved->options;
    return csy_sync_timeline(solved->sync, meaning, options->units, choose_bins(options),
                             options->actors, options->window, out, error);
}

static csy_status make_summary(const struct solved *solved, const csy_meaning *meaning,
                               csy_analysis **out, csy_error *error)
{
    const struct stat_options *options = solved->options;
    return csy_sync_overview(solved->sync, meaning, options->units, choose_bins(options),
                             options->actors, options->window, out, error);
}

/* The options of all verbs except `order`. */
enum {
    TAKES_COMMON =
        TAKES_MEANING | TAKES_FILE | TAKES_RANGES | TAKES_ACTORS | TAKES_WINDOW | TAKES_SECTIONS
};

const struct verb stat_verbs[] = {
    {"summary", "", 0, "an overview (the default)", make_summary, NULL,
     TAKES_COMMON | TAKES_UNITS | TAKES_BINS | TAKES_PLACES},
    {"calls", "", 0, "which routines call which", make_calls, "time",
     TAKES_COMMON | TAKES_ROWS | TAKES_GRAPH},
    {"concurrency", "", 0, "number of units active at once, and for how long", make_concurrency,
     NULL,
     TAKES_COMMON | TAKES_UNITS | TAKES_CONCURRENCY | TAKES_BINS | TAKES_SAMPLE | TAKES_PER |
         TAKES_PLACES},
    {"comm", "", 0, "amount of data between senders and receivers", make_comm, NULL,
     TAKES_COMMON | TAKES_COMM | TAKES_ROWS | TAKES_PLACES},
    {"latency", "", 0, "latency of messages, by place and size", make_latency, NULL,
     TAKES_COMMON | TAKES_ROWS | TAKES_PLACES | TAKES_EACH},
    {"profile", "", 0, "time in each routine", make_profile, "direct",
     TAKES_COMMON | TAKES_ROWS | TAKES_SAMPLE | TAKES_PER | TAKES_FOLLOW | TAKES_PLACES},
    {"states", "", 0, "time of actors and units in each state", make_states, NULL,
     TAKES_COMMON | TAKES_ROWS | TAKES_UNITS | TAKES_STATES},
    {"sync", "", 0, "waiting times at waits, locks, and barriers", make_sync, NULL,
     TAKES_COMMON | TAKES_ROWS},
    {"timeline", "", 0, "activity of actors over time", make_timeline, NULL,
     TAKES_COMMON | TAKES_UNITS | TAKES_BINS | TAKES_PLACES},
    {"order", " A B", 2, "which of two moments came first, and by how much", NULL, NULL,
     TAKES_EXPLAIN | TAKES_FILE},
};
const size_t stat_nverbs = sizeof stat_verbs / sizeof *stat_verbs;

/* Write an analysis to the output, unless `status` is an error, and free it. */
static csy_status write_tables(const struct solved *solved, csy_status status,
                               csy_analysis *analysis, csy_error *error)
{
    const struct stat_options *options = solved->options;
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

csy_status verb_tables(const struct solved *solved, csy_error *error)
{
    const struct stat_options *options = solved->options;
    csy_meaning *meaning;
    csy_analysis *analysis = NULL;
    csy_status status = csy_meaning_new(&meaning, error);
    if (status)
        return status;
    for (size_t i = 0; !status && i < options->nevents; i++)
        status = csy_meaning_add_file(meaning, options->events[i], error);
    if (!status && options->symbols)
        status = csy_meaning_set_symbols(meaning, options->symbols, error);
    if (!status && options->spes_per_cell)
        status = csy_meaning_set_topology(meaning, options->spes_per_cell, options->cells_per_node,
                                          error);
    csy_sync_set_ranges(solved->sync, options->ranges);
    share_options(solved->options);
    if (!status)
        status = make_sections(solved, meaning, &analysis, error);
    status = write_tables(solved, status, analysis, error);
    csy_meaning_free(meaning);
    return status;
}

/* --- The verb `order`, which tells which of two moments came first ---------------------------- */

enum { SHOWN_BYTES = 128, AMOUNT_BYTES = 80 };

struct moment {
    char name[SHOWN_BYTES];
    bool begin; /* true if the moment is the begin of a record, not its end */
    csy_instant instant;
    int64_t global_ticks;
};

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

/* Write a range such as "3 to 11 ticks", "1 tick" or, if `most` is INT64_MAX, "3 ticks or more". */
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
        return write_tables(solved, status, analysis, error);
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
