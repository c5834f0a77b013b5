/*
 * One simulation of a cluster, from options to files.
 *
 * Logs are copied from the spool once the programs have ended; the .pex that names them comes after
 * them, and names are given only when everything is written.
 */
#include "pdtsim/cluster/cluster.h"

#include "base/error.h"
#include "pdtsim/cluster/ranks.h"
#include "pdtsim/pex.h"

#include <stdlib.h>
#include <string.h>

/* Ids of event80's records begin with their type. */
enum { GROUP_ID = 0x0b, FUNCTION_BYTES = 0x400 };

struct cluster {
    const struct options *options;
    struct spool *spool;
    struct ranks *ranks;
    char **paths; /* of the logs */
    struct sink **logs, *document, *truth, *did;
    size_t nlogs;
};

static char *log_path(const struct options *o, size_t rank)
{
    char *path = NULL;
    int stem = (int)strlen(o->output) - 4;
    if (asprintf(&path, "%.*s.rank%zu.log%s", stem, o->output, rank, o->compress ? ".gz" : "") < 0)
        return NULL;
    return path;
}

static csy_status write_log(struct cluster *c, size_t rank, csy_error *error)
{
    const struct options *o = c->options;
    const struct cluster_program *program = &o->workload.cluster;
    c->paths[rank] = log_path(o, rank);
    if (!c->paths[rank])
        return error_memory(error);
    const char *truths[] = {o->truth, o->truth_activity};
    for (size_t i = 0; i < 2; i++)
        if (truths[i] && strcmp(truths[i], c->paths[rank]) == 0)
            return error_set(error, CSY_IO, "%s: the truth would be written onto a log", truths[i]);
    csy_status status = sink_open(c->paths[rank], o->compress, &c->logs[rank], error);
    if (!status)
        status = spool_copy(c->spool, rank, program->pages, program->little, c->logs[rank], error);
    return status ? status : sink_finish(c->logs[rank], error);
}

/* --- The document --------------------------------------------------------------------------- */

static void print_log(const struct cluster *c, size_t rank)
{
    const struct options *o = c->options;
    const struct cluster_program *program = &o->workload.cluster;
    const struct places *places = &c->ranks->places;
    const char *slash = strrchr(c->paths[rank], '/');
    size_t on_node = rank % places->per_node;
    sink_print(c->document, "  <trace_file format=\"event80\" href=\"");
    pex_print_escaped(c->document, slash ? slash + 1 : c->paths[rank]);
    sink_print(c->document,
               "\" ctx=\"%zu\" rank=\"%zu\" node=\"%zu\" cell=\"%zu\" spe=\"%zu\" "
               "byte_order=\"%s\" stamp=\"%s\" pages=\"%s\" compression=\"%s\"/>\n",
               rank, rank, places_node(places, rank), on_node / places->per_cell,
               on_node % places->per_cell, program->little ? "little" : "big",
               program->ends ? "end" : "begin", program->pages ? "yes" : "no",
               o->compress ? "gzip" : "none");
}

static void print_document(const struct cluster *c)
{
    const struct options *o = c->options;
    const struct workload *workload = &o->workload;
    struct sink *pex = c->document;
    sink_print(pex,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<pdt_trace version=\"2\" application=\"%s\">\n"
               "  <machine name=\"%s\" timebase_hz=\"%lld\" ppes=\"%zu\" spes=\"%zu\"/>\n",
               workload->name, o->machine->label, (long long)o->machine->timebase_hz,
               o->nnodes * ((o->nspes - 1) / CELL_SPES + 1), o->nnodes * o->nspes);
    for (size_t i = 0; i < c->nlogs; i++)
        print_log(c, i);
    sink_print(pex, "  <clock kind=\"local\"/>\n  <order granularity=\"thread\"/>\n"
                    "  <symbols>\n");
    for (size_t i = 0; script_function(workload, o->calls, i); i++)
        sink_print(pex, "    <symbol at=\"0x%llx\" size=\"%d\" name=\"%s\"/>\n",
                   (unsigned long long)ranks_address(i), FUNCTION_BYTES,
                   script_function(workload, o->calls, i));
    sink_print(pex, "  </symbols>\n</pdt_trace>\n");
}

/* --- The truth ------------------------------------------------------------------------------ */

/* A row from where a clock shows that: true time less its local time. */
static void print_moment(const struct cluster *c, size_t rank, int64_t shown)
{
    char text[QUOTIENT_TEXT_MAX];
    const struct rank *r = &c->ranks->ranks[rank];
    const struct clock *clock = &c->ranks->nodes[places_node(&c->ranks->places, rank)].clock;
    int64_t local = shown - r->zero_ticks;
    int128 offset = clock_true_nano(clock, shown) - (int128)local * CLOCK_NANO;
    sink_print(c->truth, "spe%zu,%llu,%s,%lld,%lld\n", rank,
               (unsigned long long)spool_records(c->spool, rank), decimal_text(offset, 9, text),
               (long long)local, (long long)clock_rate_ppb(clock, shown));
}

static void print_truth(const struct cluster *c)
{
    long long twice = 2 * (long long)c->options->jitter_ticks + 1;
    int64_t latency = wire_latency(c->options->machine, SAME_CELL);
    sink_print(c->truth, "# imprecision_ticks=%lld/2\n# latency_ticks=%lld\n", twice,
               (long long)machine_ticks(c->options->machine, latency));
    sink_print(c->truth, "thread,records,offset_ticks,local_ticks,rate_ppb\n");
    for (size_t i = 0; i < c->nlogs; i++) {
        const struct rank *rank = &c->ranks->ranks[i];
        const struct clock *clock = &c->ranks->nodes[places_node(&c->ranks->places, i)].clock;
        int64_t shown = rank->zero_ticks, last = shown + rank->last_ticks;
        do
            print_moment(c, i, shown);
        while ((shown = clock_next_kink(clock, shown)) <= last);
    }
}

/* --- All ------------------------------------------------------------------------------------ */

static csy_status open_all(struct cluster *c, csy_error *error)
{
    const struct options *o = c->options;
    csy_status status = spool_new(c->nlogs, &c->spool, error);
    if (!status)
        status = ranks_new(o, c->spool, &c->ranks, error);
    c->paths = calloc(c->nlogs, sizeof *c->paths);
    /* Of pointers: NOLINTNEXTLINE(bugprone-sizeof-expression) */
    c->logs = calloc(c->nlogs, sizeof *c->logs);
    if (!c->paths || !c->logs)
        return error_memory(error);
    if (!status)
        status = sink_open(o->output, false, &c->document, error);
    if (!status && o->truth)
        status = sink_open(o->truth, false, &c->truth, error);
    if (!status && o->truth_activity)
        status = sink_open(o->truth_activity, false, &c->did, error);
    return status;
}

static csy_status write_all(struct cluster *c, csy_error *error)
{
    const struct activity_names names = {"spe", 0, 0};
    csy_status status = CSY_OK;
    for (size_t i = 0; i < c->nlogs && !status; i++)
        status = write_log(c, i, error);
    if (status)
        return status;
    print_document(c);
    if (c->truth)
        print_truth(c);
    if (c->did)
        status = activity_write(c->ranks->activity, &names, c->did, error);
    if (!status && c->did)
        status = sink_finish(c->did, error);
    if (!status && c->truth)
        status = sink_finish(c->truth, error);
    return status ? status : sink_finish(c->document, error);
}

/* Logs before the document that names them. */
static csy_status publish_all(struct cluster *c, csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t i = 0; i < c->nlogs && !status; i++)
        status = sink_publish(c->logs[i], error);
    if (!status && c->truth)
        status = sink_publish(c->truth, error);
    if (!status && c->did)
        status = sink_publish(c->did, error);
    return status ? status : sink_publish(c->document, error);
}

static void fini(struct cluster *c)
{
    for (size_t i = 0; i < c->nlogs; i++) {
        if (c->logs)
            sink_close(c->logs[i]);
        if (c->paths)
            free(c->paths[i]);
    }
    free(c->logs);
    free(c->paths);
    sink_close(c->document);
    sink_close(c->truth);
    sink_close(c->did);
    ranks_free(c->ranks);
    spool_free(c->spool);
}

static void sum_up(const struct cluster *c, struct session_result *out)
{
    int64_t pauses = 0;
    *out = (struct session_result){.intervals = c->nlogs,
                                   .run_ns = machine_ns(c->options->machine, c->ranks->ended_at)};
    for (size_t i = 0; i < c->nlogs; i++) {
        out->records += spool_records(c->spool, i);
        pauses += c->ranks->ranks[i].pause_cycles;
    }
    out->pause_ns = machine_ns(c->options->machine, pauses);
}

csy_status cluster_run(const struct options *options, struct session_result *out, csy_error *error)
{
    struct cluster c = {.options = options, .nlogs = options->nnodes * options->nspes};
    csy_status status = open_all(&c, error);
    if (!status)
        status = ranks_run(c.ranks, error);
    if (!status)
        status = write_all(&c, error);
    if (!status)
        status = publish_all(&c, error);
    if (!status)
        sum_up(&c, out);
    fini(&c);
    return status;
}
