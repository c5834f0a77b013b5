/*
 * What is written beside .pex and reports: a few bytes that choose options and what to write, then
 * a world (world.h) or any trace, whose records may be in a file of their own.
 *
 * One worker and three, which take tiny segments, write the same: CSV, trace events,
 * a CTF folder, reports with other pairs, graphs, tables.  Pairs that are live together are told as
 * among all pairs; the chains of an explanation sum to the bound; monotonic times never go down,
 * and no record moves further than was accepted; csy_check refutes no CSV, of clocks that drift or
 * not.
 */
#include "base/number.h"
#include "solving.h"
#include "sync/solution.h"
#include "world.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { THREADS_MAX = 64 }; /* of which all pairs are told */

enum view {
    VIEW_CSV,
    VIEW_EVENTS,
    VIEW_CTF,
    VIEW_PAIRS,
    VIEW_GRAPH,
    VIEW_TABLE,
    VIEW_CHAINS,
    VIEWS
};

struct choice {
    struct solving solving;
    enum view view;
    unsigned detail;
    csy_output output; /* of views that are traces, but for the format */
};

static char folder[] = "/dev/shm/cellsync-fuzz-XXXXXX",
            elsewhere[] = P_tmpdir "/cellsync-fuzz-XXXXXX";
static const char *ctf_folder; /* where CTF folders go */

static void remove_folder(void)
{
    char path[PATH_MAX];
    struct dirent **entries;
    snprintf(path, sizeof path, "%s/x.ctf", ctf_folder);
    int n = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char file[PATH_MAX + 256];
        snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
        unlink(file);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    rmdir(path);
    rmdir(ctf_folder);
}

static const char *ctf_path(void)
{
    static char path[64];
    if (!ctf_folder) {
        ctf_folder = access("/dev/shm", W_OK) == 0 ? mkdtemp(folder) : mkdtemp(elsewhere);
        must(ctf_folder, "a folder");
        snprintf(path, sizeof path, "%s/x.ctf", ctf_folder);
        atexit(remove_folder);
    }
    return path;
}

/* A sum over names and bytes of the files in a folder. */
static uLong sum_folder(const char *path)
{
    static uint8_t bytes[65536];
    struct dirent **entries;
    uLong sum = 0;
    int n = scandir(path, &entries, NULL, alphasort);
    must(n > 2, path);
    for (int i = 0; i < n; i++) {
        char file[PATH_MAX];
        snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
        sum = crc32(sum, (const uint8_t *)entries[i]->d_name, (uInt)strlen(entries[i]->d_name));
        int fd = open(file, O_RDONLY);
        for (ssize_t got; fd >= 0 && (got = read(fd, bytes, sizeof bytes)) > 0;)
            sum = crc32(sum, bytes, (uInt)got);
        close(fd);
        free(entries[i]);
    }
    free(entries);
    return sum;
}

static csy_status write_trace(const struct solved *s, const char *path, csy_format format,
                              const struct choice *choice, csy_error *error)
{
    csy_output output = choice->output;
    output.format = format;
    return csy_sync_write_trace(s->sync, path, &output, error);
}

static csy_status write_table(const struct solved *s, unsigned detail, csy_error *error)
{
    static const csy_report_format formats[] = {CSY_REPORT_TEXT, CSY_REPORT_CSV, CSY_REPORT_TEX};
    csy_table *table = NULL;
    csy_status status = csy_table_new("-", formats[detail % 3], &table, error);
    for (unsigned rows = 0; !status && rows < 2; rows++)
        status = csy_table_add(table, s->sync, error);
    if (!status)
        status = csy_table_write(table, error);
    csy_table_free(table);
    return status;
}

/* What the choice wants, on standard output or as a folder. */
static csy_status write_view(const struct solved *s, const struct choice *choice, csy_error *error)
{
    static const csy_report_format reports[] = {CSY_REPORT_CSV, CSY_REPORT_JSON, CSY_REPORT_TEXT,
                                                CSY_REPORT_HTML, CSY_REPORT_TEX};
    unsigned detail = choice->detail;
    output_empty();
    switch (choice->view) {
    case VIEW_CSV:
        return write_trace(s, "-", CSY_FORMAT_CSV, choice, error);
    case VIEW_EVENTS:
        return write_trace(s, "-", CSY_FORMAT_JSON, choice, error);
    case VIEW_CTF:
        return write_trace(s, ctf_path(), CSY_FORMAT_CTF, choice, error);
    case VIEW_PAIRS:
        return csy_sync_write_report(s->sync, "-", reports[detail / 5 % 5], (csy_pairs)(detail % 5),
                                     error);
    case VIEW_GRAPH:
        return csy_sync_write_graph(s->sync, "-", (csy_graph)(detail % 2), error);
    case VIEW_TABLE:
        return write_table(s, detail, error);
    case VIEW_CHAINS:
    case VIEWS:
        break;
    }
    return CSY_OK;
}

/* The same view by two numbers of threads. */
static void compare_views(const struct solved *a, const struct solved *b,
                          const struct choice *choice)
{
    csy_error one = {0}, three = {0};
    csy_status status = write_view(a, choice, &one);
    must_be_told(status, &one);
    must(status != CSY_MEMORY && status != CSY_IO, one.text);
    uLong sum = choice->view == VIEW_CTF && !status ? sum_folder(ctf_path()) : 0;
    output_keep();
    must(write_view(b, choice, &three) == status, three.text);
    must(!status || strcmp(one.text, three.text) == 0, three.text);
    must(status || output_is_kept(), "threads write other bytes");
    must(!sum || sum_folder(ctf_path()) == sum, "threads write other folders");
}

/* A CSV report on standard output: its lines, each with a NUL in place of its end. */
static char *read_lines(size_t *size)
{
    output_keep();
    const uint8_t *bytes = output_kept(size);
    char *lines = malloc(*size + 1);
    must(lines, "no memory");
    memcpy(lines, bytes, *size);
    lines[*size] = 0;
    return lines;
}

/* Pairs of threads that are live together are some of the lines of all pairs, in their order. In a
 * partial order there are none. */
static void compare_pairs(const struct solved *s)
{
    csy_error error;
    size_t all_size, live_size;
    if (csy_sync_nthreads(s->sync) > THREADS_MAX || s->sync->partial)
        return;
    output_empty();
    must_be_ok(csy_sync_write_report(s->sync, "-", CSY_REPORT_CSV, CSY_PAIRS_ALL, &error), error);
    char *all = read_lines(&all_size), *at = all;
    output_empty();
    must_be_ok(csy_sync_write_report(s->sync, "-", CSY_REPORT_CSV, CSY_PAIRS_LIVE, &error), error);
    char *live = read_lines(&live_size);
    for (char *line = live; *line && at;) {
        char *end = strchr(line, '\n');
        must(end, "a line does not end");
        size_t size = (size_t)(end + 1 - line);
        while (at && strncmp(at, line, size) != 0)
            at = (at = strchr(at, '\n')) ? at + 1 : NULL;
        must(at, "live pairs have bounds of their own");
        line = end + 1;
    }
    free(all);
    free(live);
}

static void look_at_chain(const csy_sync *sync, const csy_chain *chain, size_t s, size_t t)
{
    int64_t added = csy_sync_imprecision(sync)->added_ticks;
    int128 sum = 0;
    must(chain->s == s && chain->t == t, "the ends of a chain");
    for (size_t i = 0; i < chain->length; i++) {
        const csy_chain_edge *e = &chain->edges[i];
        must(e->constraint.s == s, "a chain does not join");
        must(e->slack_ticks >= 0, "an offset breaks a constraint");
        sum += (int128)e->constraint.weight_ticks + added;
        s = e->constraint.t;
    }
    must(chain->end_ticks == INT64_MAX || (s == t && sum == chain->end_ticks), "a chain's sum");
}

static void look_at_chains(const struct solved *solved, unsigned detail)
{
    csy_error error;
    csy_explanation *explanation;
    int64_t lower, upper;
    size_t n = csy_sync_nthreads(solved->sync), s = detail % n, t = detail / 7 % n;
    csy_status status = csy_sync_explain(solved->sync, s, t, &explanation, &error);
    must_be_told(status, &error);
    if (status)
        return;
    must_be_ok(csy_sync_bounds(solved->sync, s, t, &lower, &upper, NULL, &error), error);
    look_at_chain(solved->sync, &explanation->upper, s, t);
    look_at_chain(solved->sync, &explanation->lower, t, s);
    must(explanation->upper.end_ticks == upper, "the upper end");
    must(explanation->lower.end_ticks == (lower == INT64_MIN ? INT64_MAX : -lower),
         "the lower end");
    csy_explanation_free(explanation);
}

/* What was written as CSV is not refuted; it need not be what can be proved. */
static void prove_view(void)
{
    csy_error error = {0};
    csy_proof proof;
    csy_status status = prove(output_path(), &proof, &error);
    must_be_told(status, &error);
    must(!status || status == CSY_INPUT, error.text);
}

/* Monotonic times do not go down, and none is moved further from its clock than was accepted. */
static void look_at_times(const struct solved *s, const csy_options *options)
{
    csy_error error;
    csy_events *events;
    csy_event event;
    bool more = true;
    int64_t last = INT64_MIN;
    must_be_ok(csy_events_open(s->sync, &events, &error), error);
    for (;;) {
        must_be_ok(csy_events_next(events, &event, &more, &error), error);
        if (!more)
            break;
        const csy_thread *thread = csy_sync_thread(s->sync, event.thread);
        int64_t moved = event.global_ticks - event.local_ticks - thread->offset_ticks;
        must(!options->monotonic || event.global_ticks >= last, "a time goes down");
        last = event.global_ticks;
        if (options->drift_ppb != CSY_NO_DRIFT)
            continue; /* its clock moves */
        must(moved == 0 || options->monotonic, "a record is moved");
        must(moved >= 0, "a record is moved back");
        must(options->max_adjust_ticks < 0 || moved <= options->max_adjust_ticks, "moved too far");
    }
    csy_events_free(events);
}

/* What is for some methods and clocks only, from five bits; more from the detail. */
static void choose_more(struct choice *choice, unsigned bits)
{
    enum { DRIFT = 1, LATENCY = 2, ADVISE = 4, DROP = 8, OTHERS = 16 };
    static const int64_t rates[] = {0, 1, 100000, 999999999}, wanders[] = {-1, -1, 0, 1000},
                         latencies[] = {1, 100, 1000000, (int64_t)1 << 40};
    static const char *const windows[] = {NULL, "0..100", "5..5", "100.."}, *const names[] = {
                                                                                NULL, "spe*", "ppe",
                                                                                "T?"};
    csy_options *options = &choice->solving.options;
    unsigned detail = choice->detail;
    bool drifts = bits & DRIFT && options->relax != CSY_RELAX_PAPER;
    if (options->method == CSY_METHOD_BHH && drifts) {
        options->drift_ppb = rates[detail % 4];
        options->wander_ppb = wanders[detail / 4 % 4];
        options->unwrap = CSY_UNWRAP_ASSUME;
        options->center = CSY_CENTER_REFERENCE;
    }
    if (bits & LATENCY && detail < 64) /* it is refused where there are no messages */
        options->latency_ticks = latencies[detail / 16];
    if (options->method == CSY_METHOD_BHH && bits & ADVISE)
        options->advise = 1 + detail % 5;
    if (options->method == CSY_METHOD_BHH && bits & DROP && !drifts &&
        options->relax == CSY_RELAX_EXACT)
        options->drop = 1 + detail % 3;
    if (!(bits & OTHERS))
        return;
    if (options->method == CSY_METHOD_BHH && !drifts)
        options->statistics = CSY_STATISTICS_ALL;
    choice->output.csv_header = detail & 1 ? CSY_CSV_BARE : CSY_CSV_COMMENT;
    choice->output.csv_time = (csy_csv_time)(detail / 2 % 3);
    choice->output.json_args = (csy_json_args)(detail & 1);
    choice->output.window = windows[detail / 8 % 4];
    choice->output.only = names[detail / 32 % 4];
}

static struct choice choose(struct drawing *d)
{
    static const char *const references[] = {NULL, NULL, NULL, NULL, NULL, "ppe", "spe1.1", "T1"};
    static const int64_t adjusts[] = {-1, -1, -1, -1, -1, 0, 5, 1000};
    struct choice choice = {.solving = solving_draw(d)};
    csy_options *options = &choice.solving.options;
    unsigned view = draw_below(d, VIEWS);
    choice.view = (enum view)view;
    choice.detail = draw_below(d, 256);
    choice.output = settings_default;
    unsigned byte = draw_below(d, 256);
    if (options->method == CSY_METHOD_BHH) {
        options->reference = references[byte & 7];
        options->max_adjust_ticks = adjusts[byte >> 3 & 7];
        options->monotonic = byte >> 6 == 3;
    }
    return choice;
}

/* The trace that a NUL parts, as it is or in two files. */
static void place(const uint8_t *bytes, size_t size, bool apart)
{
    static const char element[] = "<trace_file ", href[] = "href=\"" MEMORY_RECORDS "\" ";
    static uint8_t document[2 * WORLD_BYTES_MAX];
    const uint8_t *nul = size ? memchr(bytes, 0, size) : NULL;
    size_t before = nul ? (size_t)(nul - bytes) : 0;
    const uint8_t *at = nul ? memmem(bytes, before, element, sizeof element - 1) : NULL;
    if (!apart || !at || before + sizeof href > sizeof document) {
        memory_file(bytes, size);
        return;
    }
    size_t head = (size_t)(at - bytes) + sizeof element - 1;
    memcpy(document, bytes, head);
    memcpy(document + head, href, sizeof href - 1);
    memcpy(document + head + sizeof href - 1, bytes + head, before - head);
    memory_file(document, before + sizeof href - 1);
    memory_records(nul + 1, size - before - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct world world;
    struct drawing d = {data, size};
    struct choice choice = choose(&d);
    unsigned how = draw_below(&d, 256);
    if (choice.solving.options.method == CSY_METHOD_BHH && how & 4)
        choice.solving.options.center = CSY_CENTER_LOCAL;
    choose_more(&choice, how / 8);
    if (how & 1)
        world_act(&world, &d);
    place(how & 1 ? world.bytes : d.at, how & 1 ? world.size : d.size, how & 2);
    struct solved one = solve(&choice.solving, CSY_ENGINE_AUTO, 1);
    struct solved three = solve(&choice.solving, CSY_ENGINE_AUTO, 3);
    must(one.status == three.status, three.error.text);
    if (!one.status) {
        bool bounded = choice.solving.options.method == CSY_METHOD_BHH;
        bool drifts = choice.solving.options.drift_ppb != CSY_NO_DRIFT;
        compare_views(&one, &three, &choice);
        if (bounded && choice.view == VIEW_CSV)
            prove_view();
        if (bounded && !drifts && choice.view == VIEW_PAIRS)
            compare_pairs(&one);
        if (bounded && !drifts && choice.view == VIEW_CHAINS)
            look_at_chains(&one, choice.detail);
        if (bounded)
            look_at_times(&one, &choice.solving.options);
    }
    solved_free(&one);
    solved_free(&three);
    return 0;
}
