/* csy_sync_overview joins the main results of all analyses in one analysis. */
#include "analysis/calls/profile.h"
#include "analysis/messages/messages.h"
#include "analysis/run/analysis.h"
#include "analysis/run/skim.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { MISSING_MAX = 8 };

struct missing {
    const char *part;
    char reason[sizeof((csy_error *)NULL)->text];
};

struct wanted {
    csy_sync *sync;
    const csy_meaning *meaning;
    csy_units units;
    size_t bins;
    const char *actors; /* name patterns of the included actors, or NULL for all actors */
    const char *window; /* window to analyse, as the user wrote it, or NULL for the whole trace */
    struct missing missing[MISSING_MAX];
    size_t nmissing;
    bool no_messages, no_waits; /* true if the trace has no event of messages, or of waits */
};

typedef csy_status make_part(struct wanted *wanted, csy_analysis **out, csy_error *error);

/* Remember an error message, without the name of the trace, as the reason of a missing part. */
static void note_missing(struct wanted *wanted, const char *part, const char *text)
{
    const char *name = wanted->sync->trace->name;
    size_t size = strlen(name);
    struct missing *missing = &wanted->missing[wanted->nmissing++];
    if (strncmp(text, name, size) == 0 && strncmp(text + size, ": ", 2) == 0)
        text += size + 2;
    missing->part = part;
    snprintf(missing->reason, sizeof missing->reason, "%s", text);
}

/* --- Routines, and who calls them ----------------------------------------------------------- */

enum { PATHS_CLOCKS_MAX = 1 << 17 };

static csy_status note_many(struct wanted *wanted)
{
    note_missing(wanted, "calls", "too many call paths for a summary; run cellstat calls");
    return CSY_OK;
}

/* Make the tables of routines for a window. This reads the trace again. */
static csy_status cut_routines(struct wanted *wanted, csy_analysis **out, csy_error *error)
{
    const csy_profile_options profile = {.actors = wanted->actors, .window = wanted->window};
    const csy_calls_options options = {
        .actors = wanted->actors, .weight = CSY_WEIGHT_TIME, .window = wanted->window};
    csy_analysis *calls = NULL;
    csy_status status = csy_sync_profile(wanted->sync, wanted->meaning, &profile, out, error);
    if (status)
        return status;
    status = csy_analysis_sort(*out, "direct", 0, error);
    if (!status)
        status =
            calls_make(wanted->sync, wanted->meaning, &options, PATHS_CLOCKS_MAX, &calls, error);
    if (!status && !calls)
        status = note_many(wanted);
    if (!status && calls) {
        status = sheets_sort(calls, "calls", "time", error);
        status = status ? status : sheets_move(*out, calls, error);
    }
    if (status)
        csy_analysis_free(*out);
    else
        sheets_drop_empty(*out);
    return status;
}

struct routines_part {
    struct profile profile;
    struct wanted *wanted;
    struct calltree tree;
    csy_analysis *made;
    csy_analysis **out;
};

static csy_status begin_routines(void *user, struct instants *in, csy_error *error)
{
    struct routines_part *r = user;
    r->wanted->no_messages = !in->partial && !skim_any(&in->event_kinds, skim_messages);
    r->wanted->no_waits = !skim_any(&in->event_kinds, skim_waits);
    calltree_init(&r->tree, NULL);
    return profile_begin(user, in, error);
}

static csy_status end_routines(void *user, csy_error *error)
{
    struct routines_part *r = user;
    csy_status status = profile_end(user, error);
    const csy_calls_options options = {.weight = CSY_WEIGHT_TIME};
    bool many = !status && calls_are_many(&r->profile, PATHS_CLOCKS_MAX);
    if (!status)
        status = profile_write(&r->profile, r->made, error);
    if (!status)
        status = csy_analysis_sort(r->made, "direct", 0, error);
    if (!status)
        status = many ? note_many(r->wanted)
                      : profile_write_calls(&r->profile, &options, r->made, error);
    if (!status && !many)
        status = sheets_sort(r->made, "calls", "time", error);
    if (status)
        return status;
    sheets_drop(r->made, "waits");
    sheets_drop_empty(r->made);
    *r->out = r->made;
    r->made = NULL;
    return CSY_OK;
}

static void free_routines(void *user)
{
    struct routines_part *r = user;
    calltree_fini(&r->tree);
    profile_fini(&r->profile);
    csy_analysis_free(r->made);
    free(r);
}

/* --- Messages, and waits -------------------------------------------------------------------- */

static csy_status make_comm(struct wanted *wanted, csy_analysis **out, csy_error *error)
{
    csy_comm_options options;
    csy_comm_options_init(&options);
    options.window = wanted->window;
    options.actors = wanted->actors;
    if (wanted->no_messages)
        return messages_refuse(wanted->sync, error);
    csy_status status = csy_sync_comm(wanted->sync, wanted->meaning, &options, out, error);
    if (status)
        return status;
    sheets_drop_empty(*out);
    /* Drop the sheet "unmatched" if all its values are 0. */
    csy_analysis *analysis = *out;
    bool any = false;
    for (size_t i = 0; i < analysis->nsheets; i++) {
        const csy_sheet *sheet = &analysis->sheets[i].view;
        bool named = strcmp(sheet->name, "unmatched") == 0;
        for (size_t k = 0; named && k < sheet->nrows * sheet->ncolumns; k++)
            any |= sheet->columns[k % sheet->ncolumns].kind != CSY_COLUMN_TEXT &&
                   sheet->values[k].range.estimate != 0;
    }
    if (!any)
        sheets_drop(analysis, "unmatched");
    status = sheets_sort(*out, "comm", "count", error);
    if (!status)
        status = sheets_sort(*out, "comm", "bytes", error);
    if (!status) { /* add the latencies of messages, which takes passes of their own */
        csy_error why;
        csy_analysis *latency;
        status = csy_sync_latency(wanted->sync, wanted->meaning, wanted->actors, wanted->window,
                                  &latency, &why);
        if (!status) {
            sheets_drop_empty(latency);
            status = sheets_move(*out, latency, error);
        } else if (status == CSY_INPUT) {
            note_missing(wanted, "latency", why.text);
            status = CSY_OK;
        } else {
            status = error_set(error, status, "%s", why.text);
        }
    }
    if (status)
        csy_analysis_free(*out);
    return status;
}

static csy_status fail_without_waits(const struct wanted *wanted, csy_error *error)
{
    return error_set(
        error, CSY_INPUT,
        "no event%s%s is a wait, the acquisition of a lock, or the arrival at a barrier",
        wanted->actors ? " of these actors" : "", wanted->window ? " in the window" : "");
}

static csy_status make_waits(struct wanted *wanted, csy_analysis **out, csy_error *error)
{
    if (wanted->no_waits)
        return fail_without_waits(wanted, error);
    csy_status status =
        csy_sync_waits(wanted->sync, wanted->meaning, wanted->actors, wanted->window, out, error);
    if (status)
        return status;
    sheets_drop_empty(*out);
    status = (*out)->nsheets > 0 ? CSY_OK : fail_without_waits(wanted, error);
    if (!status)
        status = sheets_sort(*out, "waits", "time", error);
    if (!status)
        status = sheets_sort(*out, "locks", "waited", error);
    if (!status)
        status = sheets_sort(*out, "barriers", "spread", error);
    if (status)
        csy_analysis_free(*out);
    return status;
}

/* --- The whole ------------------------------------------------------------------------------- */

enum {
    PART_CONCURRENCY,
    PART_TIMELINE,
    PART_STATES,
    PART_ROUTINES,
    PART_COMM,
    PART_WAITS,
    ALL_PARTS
};

/* A part of the overview, such as the table of messages. All parts up to PART_ROUTINES are computed
 * in one pass over the trace. If the user requests a window, PART_ROUTINES needs passes of its
 * own. */
struct part {
    const char *name; /* name in the list of missing parts, or NULL if never missing */
    make_part *make;
    csy_status status;
    csy_error why;
    csy_analysis *analysis;
};

static csy_status share(struct wanted *wanted, size_t sharing, struct part *parts, csy_error *error)
{
    const csy_concurrency concurrency = {
        .units = wanted->units, .actors = wanted->actors, .window = wanted->window};
    const csy_states states = {.units =
                                   wanted->units == CSY_UNITS_CPU ? CSY_UNITS_AUTO : wanted->units,
                               .actors = wanted->actors,
                               .window = wanted->window};
    struct analysis items[PART_ROUTINES + 1];
    size_t n = 0;
    csy_status status = concurrency_analysis(&items[n], wanted->sync, wanted->meaning, &concurrency,
                                             &parts[PART_CONCURRENCY].analysis, error);
    n += !status;
    if (!status)
        status = timeline_analysis(&items[n], wanted->units, wanted->bins, wanted->actors,
                                   wanted->window, &parts[PART_TIMELINE].analysis, error);
    n += !status;
    if (!status)
        status = states_analysis(&items[n], &states, &parts[PART_STATES].analysis, error);
    n += !status;
    if (!status && sharing > PART_ROUTINES) {
        struct routines_part *r = calloc(1, sizeof *r);
        csy_analysis *made = calloc(1, sizeof *made);
        if (r && made) {
            *r = (struct routines_part){.profile = {.patterns = wanted->actors, .tree = &r->tree},
                                        .wanted = wanted,
                                        .made = made,
                                        .out = &parts[PART_ROUTINES].analysis};
            items[n++] = (struct analysis){.begin = begin_routines,
                                           .take = profile_take,
                                           .end = end_routines,
                                           .free = free_routines,
                                           .user = r};
        } else {
            FREE_ALL(r, made);
            status = error_memory(error);
        }
    }
    for (size_t i = 0; status && i < n; i++)
        items[i].free(items[i].user);
    if (!status)
        status = analyses_run(wanted->sync, wanted->meaning, MORE_TIMES, items, n, error);
    for (size_t i = 0; !status && i < n; i++) {
        parts[i].status = items[i].status;
        parts[i].why = items[i].error;
    }
    return status;
}

csy_status csy_sync_overview(csy_sync *sync, const csy_meaning *meaning, csy_units units,
                             size_t bins, const char *actors, const char *window,
                             csy_analysis **out, csy_error *error)
{
    static const csy_column columns[] = {TEXT_COLUMN("part"), TEXT_COLUMN("reason")};
    struct wanted wanted = {sync, meaning, units, bins, actors, window, .nmissing = 0};
    struct part parts[ALL_PARTS] = {
        [PART_ROUTINES] = {.name = "profile, calls", .make = cut_routines},
        [PART_COMM] = {.name = "comm, latency", .make = make_comm},
        [PART_WAITS] = {.name = "sync", .make = make_waits}};
    const size_t sharing = window ? PART_ROUTINES : PART_ROUTINES + 1;
    csy_status status = error_check_choice("units", (int)units, CSY_UNITS_CPU, error);
    if (status)
        return status;
    csy_analysis *analysis = calloc(1, sizeof *analysis);
    if (!analysis)
        return error_memory(error);
    analysis->brief = true;
    if (!sync->read)
        status = solution_check_feasible(sync, error);
    if (!status)
        status = share(&wanted, sharing, parts, error);
    for (size_t i = 0; i < ALL_PARTS && !status; i++) {
        struct part *part = &parts[i];
        if (i >= sharing)
            part->status = part->make(&wanted, &part->analysis, &part->why);
        if (!part->status)
            status = sheets_move(analysis, part->analysis, error);
        else if (!part->name || part->status != CSY_INPUT)
            status = error_set(error, part->status, "%s", part->why.text);
        else
            note_missing(&wanted, part->name, part->why.text);
        part->analysis = NULL;
    }
    for (size_t i = 0; i < ALL_PARTS; i++)
        csy_analysis_free(parts[i].analysis);
    if (!status && wanted.nmissing > 0)
        SHEETS_ADD(analysis, "missing", columns);
    for (size_t i = 0; !status && i < wanted.nmissing; i++)
        SHEETS_ROW(analysis, sheets_text(analysis, wanted.missing[i].part),
                   sheets_text(analysis, wanted.missing[i].reason));
    status = sheets_finish(status, analysis, out, error);
    return sheets_name_window(status, out, window, error);
}
