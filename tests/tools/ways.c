/* Synchronizes traces in two ways: as cellsync does, location by location where possible, and event
 * by event. Every other trace is read only a few records at a time. The reports and the
 * explanations of bounds must be equal.
 *
 *   ways FOLDER < LINES     TRACE PER LATENCY DELTA WORKERS DRIFT WANDER
 *
 * PER: a value of csy_clock_per. LATENCY: in ticks. DELTA: in half ticks; 0: the least possible.
 * DRIFT and WANDER: in ppb; -1: none. Prints all differing traces and then several counts. The exit
 * status is 1 if a trace differs. */
#include "heap.h"
#include "sync/partial_order.h"
#include "sync/solution.h"
#include "trace/source.h"
#include "trace/streams.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4096, REPORT_MOST = 1 << 26, EXPLAINED_MOST = 16, MANY = 128, FEW = 5 };

struct job {
    char anchor[LINE];
    unsigned per, workers;
    int64_t latency_ticks, delta_halves, drift_ppb, wander_ppb;
};

static void die(const char *what, const csy_error *error)
{
    fprintf(stderr, "ways: %s: %s\n", what, error->text);
    exit(2);
}

#define MUST(call)                                                                                 \
    do {                                                                                           \
        if (call)                                                                                  \
            die(#call, &error);                                                                    \
    } while (0)

static csy_options *options_of(const struct job *job)
{
    csy_options *options;
    csy_error error;
    MUST(csy_options_new(&options, &error));
    MUST(csy_options_set_latency(options, job->latency_ticks, &error));
    if (job->drift_ppb >= 0)
        MUST(csy_options_set_drift(options, job->drift_ppb, job->wander_ppb, &error));
    if (job->delta_halves > 0) {
        const csy_fraction delta = {job->delta_halves, 2};
        MUST(csy_options_set_delta(options, delta, &error));
        MUST(csy_options_set_relax(options, CSY_RELAX_GIVEN, &error));
    }
    return options;
}

/* Returns the status as text, followed by the message or, on success, by the report in `path`. */
static char *read_text(csy_status status, const csy_error *said, const char *path)
{
    char *text = calloc(1, REPORT_MOST);
    FILE *file = status ? NULL : fopen(path, "r");
    if (!text || (!status && !file))
        exit(2);
    int head = snprintf(text, REPORT_MOST, "%d %s\n", (int)status, status ? said->text : "");
    if (file) {
        text[(size_t)head + fread(text + head, 1, REPORT_MOST - (size_t)head - 1, file)] = 0;
        fclose(file);
    }
    return text;
}

/* Remove the text from `begin` up to `end`, if it contains both. */
static void cut(char *text, const char *begin, const char *end)
{
    char *from = strstr(text, begin), *to = from ? strstr(from, end) : NULL;
    if (to)
        memmove(from, to, strlen(to) + 1);
}

/* Remove the diagnosis, which depends on the way: it examines only records that were kept. */
static void cut_diagnosis(char *text)
{
    cut(text, "\"diagnosis\":", "\"summary\":");
    cut(text, "<section id=\"diagnosis\">", "</section>");
}

/* Append the contents of a file. */
static void add_file(char *text, const char *path)
{
    size_t size = strlen(text);
    FILE *file = fopen(path, "r");
    if (!file)
        exit(2);
    text[size + fread(text + size, 1, REPORT_MOST - size - 1, file)] = 0;
    fclose(file);
}

/* Append the records and the steps of a chain. */
static void add_chain(char *text, const csy_chain *chain)
{
    size_t size = strlen(text);
    for (size_t i = 0; i < chain->length && size < REPORT_MOST - LINE; i++) {
        const csy_witness_edge *edge = &chain->edges[i].constraint;
        size += (size_t)snprintf(text + size, LINE, " %" PRIu64 ">%" PRIu64, edge->record_s,
                                 edge->record_t);
        for (size_t k = 0; k < edge->nsteps && size < REPORT_MOST - LINE; k++)
            size += (size_t)snprintf(text + size, LINE, "(%d %s)", (int)edge->steps[k].kind,
                                     edge->steps[k].key.bytes ? edge->steps[k].key.bytes : "");
    }
    snprintf(text + size, LINE, "\n");
}

static void add_explanations(char *text, csy_sync *sync)
{
    csy_explanation *explanation;
    csy_error error;
    size_t n = csy_sync_nthreads(sync), step = n / EXPLAINED_MOST + 1;
    for (size_t s = 0; s < n; s += step)
        for (size_t t = 0; t < s; t += step) {
            MUST(csy_sync_explain(sync, s, t, &explanation, &error));
            add_chain(text, &explanation->upper);
            add_chain(text, &explanation->lower);
            csy_explanation_free(explanation);
        }
}

/* Properties of a solution. */
struct went {
    bool walked, operations; /* true if it was found location by location, and if it has collective
                              * operations */
    bool enough;             /* true if a sufficient drift was found */
    bool many;               /* true if there are more than MANY locations */
    uint64_t groups;
};

static const struct stream_reading *reading; /* how the source reads streams */
static bool few;                             /* true if streams read only FEW records at a time */

static csy_status start_few(struct streams *streams, csy_error *error)
{
    streams->part.chunk = few ? FEW : streams->part.chunk;
    return reading->start(streams, error);
}

static char *report_of(const struct job *job, bool ordinary, const char *path, struct went *went)
{
    csy_trace *trace;
    csy_input *input;
    csy_sync *sync = NULL;
    csy_error error = {0};
    struct source source;
    MUST(csy_input_new(&input, &error));
    if (job->per > 0)
        MUST(csy_input_set_clock_per(input, (csy_clock_per)job->per, &error));
    MUST(csy_trace_open(job->anchor, input, &trace, &error));
    csy_trace_set_workers(trace, job->workers);
    source = *trace->source;
    reading = source.streams;
    struct stream_reading changed = *reading;
    changed.start = start_few;
    source.streams = ordinary ? NULL : &changed;
    trace->source = &source;
    csy_options *options = options_of(job);
    csy_status status = csy_trace_synchronize(trace, options, &sync, &error);
    *went = (struct went){.walked = sync && sync->partial && sync->partial->walked};
    if (went->walked)
        went->operations = match_report(sync->partial->match)->groups > 0;
    if (went->walked)
        went->groups = match_thinned(sync->partial->match)->groups;
    if (!status)
        MUST(csy_sync_write_report(sync, path, CSY_REPORT_JSON, CSY_PAIRS_ALL, &error));
    char *text = read_text(status, &error, path);
    went->enough = strstr(text, "\"enough_drift_ppb\"") != NULL;
    went->many = sync && csy_sync_nthreads(sync) > MANY;
    if (!status) {
        MUST(csy_sync_write_report(sync, path, CSY_REPORT_HTML, CSY_PAIRS_REFERENCE, &error));
        add_file(text, path);
    }
    if (!status && job->drift_ppb >= 0) {
        MUST(csy_sync_write_clocks(sync, path, &error));
        add_file(text, path);
    }
    cut_diagnosis(text);
    if (!status && job->drift_ppb < 0)
        add_explanations(text, sync);
    csy_sync_free(sync);
    csy_options_free(options);
    csy_trace_free(trace);
    csy_input_free(input);
    return text;
}

int main(int argc, char **argv)
{
    struct job job;
    char path[2][LINE];
    unsigned archives = 0, walked = 0, operations = 0, enough = 0, many = 0, faults = 0;
    uint64_t groups = 0;
    if (argc != 2)
        return 2;
    heap_keep(); /* because libotf2 allocates 256 KiB for each location */
    snprintf(path[0], LINE, "%s/ways.json", argv[1]);
    snprintf(path[1], LINE, "%s/ordinary.json", argv[1]);
    while (scanf("%4095s %u %" SCNd64 " %" SCNd64 " %u %" SCNd64 " %" SCNd64, job.anchor, &job.per,
                 &job.latency_ticks, &job.delta_halves, &job.workers, &job.drift_ppb,
                 &job.wander_ppb) == 7) {
        struct went was, never;
        few = archives % 2 == 1;
        char *first = report_of(&job, false, path[0], &was);
        char *second = report_of(&job, true, path[1], &never);
        archives++;
        walked += was.walked;
        operations += was.walked && was.operations;
        enough += was.walked && was.enough;
        many += was.walked && was.many;
        groups += was.groups;
        if (strcmp(first, second) != 0 || never.walked) {
            faults++;
            printf("FAULT: %s %u %" PRId64 " %" PRId64 " %u %" PRId64 " %" PRId64
                   ": reports differ\n",
                   job.anchor, job.per, job.latency_ticks, job.delta_halves, job.workers,
                   job.drift_ppb, job.wander_ppb);
        }
        free(first);
        free(second);
    }
    printf("%u archives, %u replayed, %u with operations, %u explained, %u of many, %" PRIu64
           " groups\n",
           archives, walked, operations, enough, many, groups);
    return faults > 0;
}
