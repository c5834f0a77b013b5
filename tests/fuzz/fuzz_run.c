/*
 * The folder of a run, or any trace, and what is asked of it by cellstat: a byte that chooses the
 * question, one for its details, and one for the way to solve.  Files follow, as draw_files has
 * them:
 *
 *   0    a document of events       2    the clock of the run        4    a trace without a folder,
 *   1    symbols                    3    the symbols of an image          where no process is there
 *   5, 6, 7    the document, records and pages of the first process; and so on of two more
 *
 * One worker and three give the same tables, in every format; no range is empty.
 */
#include "support.h"

#include "sync/options.h"

#include <cellsync/analysis.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EVENTS, SYMBOLS, CLOCK, IMAGE, ALONE, FIRST, PROCESSES = 3, PARTS = 3 };
enum { KINDS = FIRST + PROCESSES * PARTS };

static char folder[] = "/tmp/fuzz-run-XXXXXX";

static const char *file_of(unsigned kind)
{
    static const char *const names[FIRST] = {"events.xml", "symbols", "run/clock", "run/x.symbols",
                                             "trace"};
    static const char *const parts[PARTS] = {"pex", "trace", "live"};
    static char path[PATH_MAX];
    if (kind < FIRST)
        snprintf(path, sizeof path, "%s/%s", folder, names[kind]);
    else
        snprintf(path, sizeof path, "%s/run/h.%u.%s", folder, 1 + (kind - FIRST) / PARTS,
                 parts[(kind - FIRST) % PARTS]);
    return path;
}

static void remove_files(void)
{
    for (unsigned kind = 0; kind < KINDS; kind++)
        unlink(file_of(kind));
}

static const char *run_folder(void)
{
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/run", folder);
    return path;
}

static void remove_folder(void)
{
    remove_files();
    rmdir(run_folder());
    rmdir(folder);
}

static void make_folder(void)
{
    static bool made;
    if (made)
        return;
    must(mkdtemp(folder), folder);
    must(mkdir(run_folder(), 0700) == 0, run_folder());
    made = atexit(remove_folder) == 0;
}

static bool is_there(unsigned kind)
{
    return access(file_of(kind), F_OK) == 0;
}

struct way {
    csy_meaning *meaning;
    csy_trace *trace;
    csy_sync *sync;
    csy_analysis *analysis;
    csy_status status;
    csy_error error;
};

static csy_status read_meaning(struct way *way)
{
    csy_status status = csy_meaning_new(&way->meaning, &way->error);
    if (!status && is_there(EVENTS))
        status = csy_meaning_add_file(way->meaning, file_of(EVENTS), &way->error);
    if (!status && is_there(SYMBOLS))
        status = csy_meaning_set_symbols(way->meaning, file_of(SYMBOLS), &way->error);
    return status;
}

static csy_status solve(struct way *way, unsigned how, unsigned workers)
{
    csy_options chosen = options_default;
    bool run = false;
    for (unsigned i = 0; i < PROCESSES; i++)
        run |= is_there(FIRST + PARTS * i);
    chosen.relax = how & 1 ? CSY_RELAX_NONE : CSY_RELAX_EXACT;
    chosen.delta = (csy_fraction){how >> 1 & 1, 2};
    if (how & 4) {
        chosen.drift_ppb = 100000;
        chosen.center = CSY_CENTER_REFERENCE;
    }
    csy_status status =
        csy_trace_open(run ? run_folder() : file_of(ALONE), NULL, &way->trace, &way->error);
    if (status)
        return status;
    csy_trace_set_workers(way->trace, workers);
    csy_trace_set_salvage(way->trace, how & 8);
    status = csy_trace_synchronize(way->trace, &chosen, &way->sync, &way->error);
    if (!status)
        csy_sync_set_ranges(way->sync, (csy_ranges)(how >> 4 & 1));
    return status;
}

/* What is asked, with details from a byte. */
static csy_status ask(struct way *way, unsigned question, unsigned detail)
{
    enum { STATES, CONCURRENCY, PROFILE, CALLS, COMM, LATENCY, WAITS, TIMELINE, QUESTIONS };
    static const char *const windows[] = {NULL, NULL, "0..50", "#1..#7"};
    const char *window = windows[detail & 3], *actors = detail & 4 ? "*1*,main" : NULL;
    csy_sync *sync = way->sync;
    const csy_meaning *m = way->meaning;
    csy_analysis **out = &way->analysis;
    csy_error *error = &way->error;
    unsigned some = detail >> 3;
    switch (question % (QUESTIONS + 1)) {
    case STATES:
        return csy_sync_states(sync, m,
                               &(csy_states){.pairs = some & 1,
                                             .levels = some & 2,
                                             .joint = some & 4,
                                             .window = window,
                                             .actors = actors},
                               out, error);
    case CONCURRENCY:
        return csy_sync_concurrency(sync, m,
                                    &(csy_concurrency){.units = (csy_units)(some % 5),
                                                       .actors = actors,
                                                       .window = window,
                                                       .bins = some & 8 ? 3 : 0,
                                                       .with_idle = some & 16,
                                                       .attained = some & 1},
                                    out, error);
    case PROFILE:
        return csy_sync_profile(sync, m,
                                &(csy_profile_options){.per = (csy_per)(some % 5),
                                                       .actors = actors,
                                                       .follow = (csy_follow)(some >> 3 & 1),
                                                       .sample_ticks = some & 16 ? 7 : 0,
                                                       .window = window},
                                out, error);
    case CALLS:
        return csy_sync_calls(sync, m,
                              &(csy_calls_options){.actors = actors,
                                                   .weight = (csy_weight)(some % 3),
                                                   .leaves = some & 4 ? 5 : 0,
                                                   .at = (csy_at)(some >> 3),
                                                   .at_value = some,
                                                   .window = window},
                              out, error);
    case COMM:
        return csy_sync_comm(sync, m,
                             &(csy_comm_options){.group = (csy_comm_group)(some % 3),
                                                 .by = (csy_comm_by)(some & 3),
                                                 .heavy = {some >> 4, 2},
                                                 .templates = some & 8,
                                                 .window = window,
                                                 .actors = actors},
                             out, error);
    case LATENCY:
        return csy_sync_latency(sync, m, actors, window, out, error);
    case WAITS:
        return csy_sync_waits(sync, m, actors, window, out, error);
    case TIMELINE:
        return csy_sync_timeline(sync, m, (csy_units)(some % 5), 20, actors, window, out, error);
    default:
        return csy_sync_overview(sync, m, (csy_units)(some % 5), 20, actors, window, out, error);
    }
}

static struct way go(unsigned question, unsigned detail, unsigned how, unsigned workers)
{
    struct way way = {.meaning = NULL};
    way.status = read_meaning(&way);
    if (!way.status)
        way.status = solve(&way, how, workers);
    if (!way.status)
        way.status = ask(&way, question, detail);
    must_be_told(way.status, &way.error);
    must(way.status != CSY_MEMORY, way.error.text);
    return way;
}

static void look(const csy_analysis *analysis)
{
    for (size_t i = 0; i < csy_analysis_nsheets(analysis); i++) {
        const csy_sheet *sheet = csy_analysis_sheet(analysis, i);
        for (size_t k = 0; k < sheet->nrows * sheet->ncolumns; k++) {
            const csy_value *value = &sheet->values[k];
            bool text = sheet->columns[k % sheet->ncolumns].kind == CSY_COLUMN_TEXT;
            must(!text || value->none || value->text, sheet->name);
            must(text || value->none || value->range.kind == CSY_RANGE_UNKNOWN ||
                     value->range.lo <= value->range.hi,
                 sheet->name);
        }
    }
}

/* Every format; false: it is refused. */
static bool write_analysis(struct way *way, csy_report_format format)
{
    csy_error error = {0};
    output_empty();
    csy_status status = csy_analysis_write(way->analysis, way->sync, "-", format, &error);
    must_be_told(status, &error);
    must(!status || status == CSY_USAGE, error.text);
    return !status;
}

static void compare(struct way *one, struct way *three)
{
    must(one->status == three->status, one->status ? one->error.text : three->error.text);
    must(!one->status || strcmp(one->error.text, three->error.text) == 0, three->error.text);
    if (one->status)
        return;
    look(one->analysis);
    for (unsigned format = CSY_REPORT_TEXT; format <= CSY_REPORT_FOLDED; format++) {
        bool written = write_analysis(one, (csy_report_format)format);
        output_keep();
        must(write_analysis(three, (csy_report_format)format) == written && output_is_kept(),
             "workers write other bytes");
    }
}

static void end(struct way *way)
{
    csy_analysis_free(way->analysis);
    csy_sync_free(way->sync);
    csy_trace_free(way->trace);
    csy_meaning_free(way->meaning);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct drawing d = {data, size};
    make_folder();
    unsigned question = draw_below(&d, 256), detail = draw_below(&d, 256);
    unsigned how = draw_below(&d, 256);
    draw_files(&d, KINDS, file_of);
    struct way one = go(question, detail, how, 1);
    struct way three = go(question, detail, how, 3);
    compare(&one, &three);
    end(&one);
    end(&three);
    remove_files();
    return 0;
}
