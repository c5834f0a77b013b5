/* See session.h.
 *
 * Records are written to FILE.trace as they are made. Only one row for each live interval is kept
 * in memory. The .pex, which describes the trace, is written last. Then files get their names. */
#include "simulator/session.h"

#include "base/array.h"
#include "base/error.h"
#include "simulator/network.h"
#include "simulator/sink.h"
#include "simulator/vocabulary.h"

#include <stdlib.h>
#include <string.h>

/* --- The format of pex(5), version 2 if there are ranks or blocks, otherwise 1 ---------------- */

/* The XML attributes of record types that tell cellsync about the order of records. */
static const char *const order_of[EVENTS] = {
    /* the timestamp of THREAD_START is taken before the context starts */
    [EVENT_THREAD_START] = "order=\"spawn\" thread=\"ctx\" stamp=\"before\"",
    [EVENT_MPI_SEND] = "order=\"send\" match=\"@self peer tag\"",
    [EVENT_MPI_SSEND] = "order=\"send\" sync=\"yes\" match=\"@self peer tag\"",
    [EVENT_MPI_RECV] = "order=\"recv\" match=\"peer @self tag\"",
    [EVENT_MPI_BARRIER] = "order=\"enter leave\" kind=\"barrier\" match=\"\""};

static void print_type(struct sink *pex, const struct event_type *type, bool ordered)
{
    sink_print(pex, "    <recordType name=\"%s\" id=\"0x%04x\" type=\"%s\"%s", type->name, type->id,
               type->interval ? "interval" : "event", type->wait ? " stall=\"yes\"" : "");
    if (ordered && order_of[type - event_types])
        sink_print(pex, " %s", order_of[type - event_types]);
    sink_print(pex, type->nfields ? ">" : "/>\n");
    for (int i = 0; i < type->nfields; i++)
        sink_print(pex, "<field name=\"%s\" type=\"u64\"/>", type->fields[i]);
    if (type->nfields)
        sink_print(pex, "</recordType>\n");
}

/* Returns true if the trace may contain records of this type. */
static bool is_used(enum event event, const struct options *options)
{
    const struct tracing *tracing = &options->tracing;
    bool message = event >= EVENT_MPI_SEND && event <= EVENT_MPI_BARRIER;
    return event == EVENT_E || event == EVENT_X ? options->calls
           : message                            ? options->workload.ranks
           : event == EVENT_CLOCK_PROBE         ? options->advice != NULL
           : event == EVENT_BUFFER_FLUSH ? tracing->block > 0 && tracing->flush == FLUSH_STAMPED
                                         : true;
}

/* Write the document, which names the record files. The thread of context i has the tid
 * main_tid + i. */
static void write_document(struct sink *pex, const struct options *options,
                           char *const *trace_paths, unsigned main_tid)
{
    const struct machine *machine = options->machine;
    const struct workload *workload = &options->workload;
    const struct tracing *tracing = &options->tracing;
    sink_print(pex,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<pdt_trace version=\"%d\" application=\"%s\">\n",
               workload->ranks || tracing->block > 0 ? 2 : 1, workload->name);
    sink_print(pex, "  <machine name=\"%s\" timebase_hz=\"%lld\" ppes=\"%d\" spes=\"%zu\"/>\n",
               machine->label, (long long)machine->timebase_hz, machine->ncells, options->nspes);
    for (size_t i = 0; i < options->nnodes; i++) {
        const char *slash = strrchr(trace_paths[i], '/');
        sink_print(pex, "  <trace_file href=\"");
        sink_print_escaped(pex, slash ? slash + 1 : trace_paths[i]);
        sink_print(pex, "\"");
        if (workload->ranks)
            sink_print(pex, " buffer=\"node%zu\"", i);
        sink_print(pex, " compression=\"%s\"/>\n", options->compress ? "gzip" : "none");
    }
    sink_print(pex, "  <clock kind=\"local\"/>\n");
    if (tracing->block > 0)
        sink_print(pex, "  <order granularity=\"block\" after=\"%s\" records=\"%lld\"/>\n",
                   tracing->flush == FLUSH_DOUBLE ? "block" : "flush", (long long)tracing->block);
    else
        sink_print(pex, "  <order granularity=\"%s\"/>\n",
                   workload->ranks && !workload->buffers ? "thread" : "record");
    sink_print(pex, "  <switch_source kind=\"%s\"/>\n",
               options->notifier ? "notifier" : "switch_log");
    sink_print(pex, "  <threads>\n    <ppe tid=\"%u\" name=\"main\"/>\n", main_tid);
    for (unsigned i = 1; i <= options->ncontexts; i++) {
        sink_print(pex, "    <spe ctx=\"%u\" tid=\"%u\"", i, main_tid + i);
        if (workload->ranks)
            sink_print(pex, " rank=\"%u\"", i - 1);
        sink_print(pex, " image=\"%s_spu\"/>\n", workload->name);
    }
    sink_print(pex, "  </threads>\n");
    bool messages = workload->ranks, blocks = tracing->block > 0, last = messages || options->calls;
    for (size_t g = 0; g < (last ? EVENT_GROUPS : EVENT_GROUPS - 1); g++) {
        sink_print(pex, "  <pdtGroup name=\"%s\" id=\"0x%02x\">\n", event_groups[g].name,
                   event_groups[g].id);
        for (size_t i = 0; i < EVENTS; i++)
            if ((event_types[i].id & 0xff) == event_groups[g].id && is_used((enum event)i, options))
                print_type(pex, &event_types[i], messages || blocks);
        sink_print(pex, "  </pdtGroup>\n");
    }
    if (options->calls)
        sink_print(pex, "  <symbols>\n");
    for (enum routine i = ROUTINE_NONE + 1; options->calls && i < ROUTINES; i++)
        if (workload_calls(workload, i))
            sink_print(pex, "    <symbol at=\"0x%llx\" size=\"%d\" name=\"%s\"/>\n",
                       (unsigned long long)routine_address(i), ROUTINE_BYTES, routine_name(i));
    sink_print(pex, options->calls ? "  </symbols>\n</pdt_trace>\n" : "</pdt_trace>\n");
}

/* --- The session ---------------------------------------------------------------------------- */

enum { FIRST_TID = 4711, DECREMENTER_SHIFT = 32, TIMEBASE_BITS = 44 };

struct session {
    const struct options *options;
    char *trace_paths[NODES_MAX]; /* path of the record file of each node; NULL for a CSV */
    struct sink *traces[NODES_MAX], *document, *truth, *did;
    struct activity *activity; /* the activity, or NULL if it is not needed */
    struct rows_style style;
    struct tracer tracer;
    struct truth rows;
    struct advice advice;
    struct sim sim;
};

/* Returns the number of record files: 0 for a CSV, or if nothing is traced. */
static size_t ntraces(const struct options *o)
{
    return o->csv || !o->output ? 0 : o->nnodes;
}

/* Returns true if each node has one true offset. Otherwise, each live interval has its own. */
static bool are_nodes(const struct options *o)
{
    return o->csv && o->workload.ranks;
}

static csy_status open_sinks(struct session *s, csy_error *error)
{
    const struct options *o = s->options;
    const char *truths[] = {o->truth, o->truth_activity};
    csy_status status = CSY_OK;
    for (size_t node = 0; node < ntraces(o) && !status; node++) {
        /* The records are in FILE.trace or, if there are several nodes, in FILE.node1.trace etc. */
        char number[32] = "", **path = &s->trace_paths[node];
        if (o->nnodes > 1)
            snprintf(number, sizeof number, ".node%zu", node);
        int stem = (int)strlen(o->output) - 4;
        if (asprintf(path, "%.*s%s.trace%s", stem, o->output, number, o->compress ? ".gz" : "") <
            0) {
            *path = NULL;
            return error_memory(error);
        }
        for (size_t i = 0; i < 2; i++)
            if (truths[i] && strcmp(truths[i], *path) == 0)
                return error_set(error, CSY_IO, "%s: the truth would overwrite the records",
                                 truths[i]);
        status = sink_open(*path, o->compress, &s->traces[node], error);
    }
    if (!status && o->output)
        status = sink_open(o->output, false, &s->document, error);
    if (!status && o->truth)
        status = sink_open(o->truth, false, &s->truth, error);
    if (!status && o->truth_activity)
        status = sink_open(o->truth_activity, false, &s->did, error);
    return status;
}

static void init_context(const struct session *s, struct sim *sim, size_t i)
{
    struct context *c = &sim->contexts[i];
    c->writer.thread = c->writer.context = (uint32_t)i + 1;
    c->writer.decr_base = (uint32_t)(rng_next(&sim->rng) >> DECREMENTER_SHIFT);
    c->thread.thread = (uint32_t)(FIRST_TID + 1 + i);
    c->thread.cell = (int)(i % (size_t)sim->machine->ncells);
    c->in.depth = IN_MAILBOX_DEPTH;
    c->out.depth = c->out_interrupting.depth = 1;
    if (!sim->workload.ranks)
        return;
    /* Ranks stay on their SPEs, and fill the Cells of their node in order. */
    c->node = rows_node(&s->style, i);
    size_t on_node = i;
    while (on_node > 0 && rows_node(&s->style, i - on_node) != c->node)
        on_node--;
    c->writer.cell = (int)(on_node / CELL_SPES);
    c->writer.clock = c->node ? &sim->nodes[c->node].clock : NULL;
}

static void init_node(struct session *s, size_t i)
{
    const struct options *o = s->options;
    struct sim *sim = &s->sim;
    struct node *node = &sim->nodes[i];
    uint64_t random = rng_next(&sim->rng);
    /* Draw a random time since the machine was switched on, in ticks. */
    int64_t timebase = (int64_t)(rng_next(&sim->rng) >> (64 - TIMEBASE_BITS)) + (INT64_C(1) << 32);
    node->slots = (struct slots){
        .machine = o->machine,
        .sink = o->csv ? s->document : s->traces[i],
        .rows = are_nodes(o) ? &s->style : NULL,
        .tracing = &o->tracing,
        .tracer = tracing_is_rows(&o->tracing) ? &s->tracer : NULL,
        .node = i,
        .truth = &s->rows,
        .rng = {random},
        .level = o->level,
        .timebase = timebase,
        .jitter_ticks = o->jitter_ticks,
        .late_percent = o->late_percent,
        .steady = o->workload.ranks,
        .apart = o->drifts || o->nnodes > 1,
        .holder = -1,
    };
    if (i > 0)
        node->clock = clock_draw(&sim->rng, o->range, node->slots.timebase);
}

static csy_status init_sim(struct session *s, csy_error *error)
{
    const struct options *o = s->options;
    struct sim *sim = &s->sim;
    *sim = (struct sim){.machine = o->machine, .workload = o->workload, .nnodes = o->nnodes};
    sim->nspes = o->workload.ranks ? o->ncontexts : o->nspes;
    sim->ncontexts = o->ncontexts;
    sim->width = network_width(o->ncontexts);
    sim->rng.state = o->seed;
    sim->runnable.kind = LINE_RUNNABLE;
    sim->memory.ncells = o->machine->ncells;
    sim->limit = o->events;
    sim->notifier = o->notifier && !o->workload.ranks;
    sim->drifts = o->drifts;
    sim->calls = o->calls;
    sim->main.writer.thread = FIRST_TID;
    const struct workload *workload = &o->workload;
    const struct op *swap = workload->spe;
    while (swap->kind != OP_SWAP && swap->kind != OP_END)
        swap++;
    s->style = (struct rows_style){
        .latencies = workload->latencies,
        .buffers = workload->buffers,
        .near_ticks = network_latency_ticks(o->machine, true, swap->a),
        .far_ticks = network_latency_ticks(o->machine, false, swap->a),
        .calls = o->calls,
        .ranks = o->ncontexts,
        .nodes = o->nnodes,
    };
    sim->nodes = calloc(sim->nnodes, sizeof *sim->nodes);
    sim->spes = calloc(sim->nspes, sizeof *sim->spes);
    sim->contexts = calloc(sim->ncontexts, sizeof *sim->contexts);
    sim->links = calloc(sim->ncontexts * NEIGHBOURS, sizeof *sim->links);
    sim->advice = o->advice ? &s->advice : NULL;
    sim->probes = calloc(2 * s->advice.count + 1, sizeof *sim->probes);
    sim->probe_thread.thread = (uint32_t)(FIRST_TID + 1 + o->ncontexts);
    size_t clocks = are_nodes(o) ? sim->nnodes : sim->ncontexts;
    s->tracer.sink = s->document;
    s->tracer.rows = o->csv;
    s->tracer.truth = &s->rows;
    s->tracer.level = o->level;
    s->tracer.calls = o->calls;
    if (!tracer_init(&s->tracer, &o->tracing, sim->ncontexts) || !sim->nodes || !sim->spes ||
        !sim->contexts || !sim->links || !sim->probes || !truth_init(&s->rows, clocks) ||
        !queue_init(&sim->queue, sim->nspes + sim->ncontexts + 1 + 2 * s->advice.count))
        return error_memory(error);
    for (size_t i = 0; i < sim->nnodes; i++)
        init_node(s, i);
    for (size_t i = 0; i < sim->ncontexts; i++)
        init_context(s, sim, i);
    if (o->truth_activity) {
        /* The PPE has a main thread, a thread for each context, and a thread for extra records. */
        csy_status status = activity_new(sim->machine, sim->nodes[0].slots.timebase, sim->ncontexts,
                                         sim->ncontexts + 2, &s->activity, error);
        if (status)
            return status;
        for (size_t i = 0; i < sim->nnodes; i++)
            sim->nodes[i].slots.observer =
                (struct observer){s->activity, sim->ncontexts, FIRST_TID, !are_nodes(o)};
    }
    for (size_t i = 0; i < sim->nspes && o->drifts && !o->workload.ranks; i++)
        sim->spes[i].clock = clock_draw(&sim->rng, o->range, sim->nodes[0].slots.timebase);
    return CSY_OK;
}

/* Write rows of true offsets: one for the begin of a clock and, if clocks drift, one for each
 * change of its rate. */
static void write_course(struct session *s, const struct truth_row *r)
{
    char text[QUOTIENT_TEXT_MAX];
    const struct node *nodes = s->sim.nodes;
    bool of_node = are_nodes(s->options);
    int128 start = (int128)nodes[0].slots.timebase * CLOCK_NANO;
    int64_t zero = of_node ? 0 : r->first_ticks, shown = r->first_ticks;
    uint64_t position = r->first_record; /* index of the record in all files together */
    for (size_t i = 0; !of_node && i < s->sim.contexts[r->context - 1].node; i++)
        position += nodes[i].slots.count;
    do {
        int128 time =
            r->clock ? start + clock_true_nano(r->clock, shown) : (int128)shown * CLOCK_NANO;
        if (of_node)
            sink_print(s->truth, "node%u,%llu,", r->context - 1, (unsigned long long)r->records);
        else
            sink_print(s->truth, "spe%u.%u,%u,%u,%llu,%llu,%u,", r->context, r->ordinal, r->context,
                       r->spe, (unsigned long long)position, (unsigned long long)r->records,
                       r->decr_first);
        if (nodes[0].slots.apart)
            sink_print(s->truth, "%s,%lld,%lld\n",
                       decimal_text(time - (int128)(shown - zero) * CLOCK_NANO, 9, text),
                       (long long)(shown - zero),
                       r->clock ? (long long)clock_rate_ppb(r->clock, shown) : 0);
        else
            sink_print(s->truth, "%lld\n", (long long)zero);
    } while (r->clock && (shown = clock_next_kink(r->clock, shown)) <= r->last_ticks);
}

static void write_truth(struct session *s)
{
    int64_t twice = 0;
    for (size_t i = 0; i < s->sim.nnodes; i++)
        if (slots_imprecision_twice(&s->sim.nodes[i].slots) > twice)
            twice = slots_imprecision_twice(&s->sim.nodes[i].slots);
    sink_print(s->truth, "# imprecision_ticks=%lld%s\n", (long long)(twice % 2 ? twice : twice / 2),
               twice % 2 ? "/2" : "");
    if (s->options->workload.ranks)
        sink_print(s->truth, "# latency_ticks=%lld\n", (long long)s->style.near_ticks);
    sink_print(s->truth, "%s,offset_ticks%s\n",
               are_nodes(s->options) ? "thread,records"
                                     : "thread,context,spe,first_record,records,decr_first",
               s->sim.nodes[0].slots.apart ? ",local_ticks,rate_ppb" : "");
    for (size_t i = 0; i < s->rows.count; i++)
        write_course(s, &s->rows.rows[i]);
}

static csy_status simulate(struct session *s, csy_error *error)
{
    const struct options *o = s->options;
    size_t files = ntraces(o);
    enum { HEADER_BYTES = 32, COUNT_BYTES = 8, COUNT_OFF = 16 };
    static const uint8_t header[HEADER_BYTES] = {
        'P', 'D', 'T', 'T', 'R',  'A',  'C',  'E',  0,    1,    0,    HEADER_BYTES,
        0,   0,   0,   0,   0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    for (size_t i = 0; i < files; i++)
        sink_write(s->traces[i], header, sizeof header);
    if (s->sim.nodes[0].slots.tracer && o->csv)
        tracer_write_header(&s->tracer, o->machine->timebase_hz);
    else if (o->csv)
        rows_write_header(s->document, &s->style, o->machine->timebase_hz);
    csy_status status = sim_run(&s->sim, error);
    if (status)
        return status;
    if (s->rows.failed)
        return error_memory(error);
    for (size_t i = 0; i < files && !o->compress; i++) {
        uint8_t count[COUNT_BYTES];
        for (size_t k = 0; k < COUNT_BYTES; k++)
            count[k] = (uint8_t)(s->sim.nodes[i].slots.count >> 8 * (COUNT_BYTES - 1 - k));
        sink_patch(s->traces[i], COUNT_OFF, count, sizeof count);
    }
    if (files > 0)
        write_document(s->document, o, s->trace_paths, FIRST_TID);
    if (s->truth)
        write_truth(s);
    if (!s->activity)
        return CSY_OK;
    bool rows = are_nodes(o); /* true if threads are named by their ranks */
    struct activity_names names = {rows ? "rank" : "spe", !rows, FIRST_TID};
    return activity_write(s->activity, &names, s->did, error);
}

csy_status session_run(const struct options *options, struct session_result *out, csy_error *error)
{
    struct session s = {.options = options};
    csy_status status = options->advice
                            ? advice_read(options->advice, options->ncontexts, &s.advice, error)
                            : CSY_OK;
    if (!status)
        status = open_sinks(&s, error);
    if (!status)
        status = init_sim(&s, error);
    if (!status)
        status = simulate(&s, error);
    /* Publish records before the document that names them. */
    struct sink *sinks[NODES_MAX + 3];
    size_t n = 0;
    for (size_t i = 0; i < options->nnodes; i++)
        sinks[n++] = s.traces[i];
    sinks[n++] = s.truth;
    sinks[n++] = s.did;
    sinks[n++] = s.document;
    for (size_t i = 0; i < n && !status; i++)
        if (sinks[i])
            status = sink_finish(sinks[i], error);
    for (size_t i = 0; i < n && !status; i++)
        if (sinks[i])
            status = sink_publish(sinks[i], error);
    if (!status)
        *out = (struct session_result){
            sim_records(&s.sim),
            s.rows.count,
            s.sim.switches,
            s.sim.probed,
            machine_ns(options->machine, s.sim.main.ended_at),
            s.tracer.cost,
            machine_ns(options->machine, s.tracer.cost.pause_cycles),
        };
    for (size_t i = 0; i < options->nnodes; i++) {
        sink_close(s.traces[i]);
        free(s.trace_paths[i]);
    }
    sink_close(s.document);
    sink_close(s.truth);
    sink_close(s.did);
    activity_free(s.activity);
    truth_fini(&s.rows);
    tracer_fini(&s.tracer);
    queue_fini(&s.sim.queue);
    FREE_ALL(s.sim.nodes, s.sim.spes, s.sim.contexts, s.sim.links, s.sim.probes);
    advice_fini(&s.advice);
    return status;
}
