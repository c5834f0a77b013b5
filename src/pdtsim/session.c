/*
 * One simulation from options to files.
 *
 * Records stream to FILE.trace as they are made; what is kept is a row for each live interval.  The
 * .pex, which says what is in the trace, comes after them, and names are given only when everything
 * is written.
 */
#include "pdtsim/session.h"

#include "base/error.h"
#include "pdtsim/pex.h"
#include "pdtsim/sim.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_TID = 4711, DECREMENTER_SHIFT = 32, TIMEBASE_BITS = 44 };

struct session {
    const struct options *options;
    char *trace_path;
    struct sink *trace, *pex, *truth;
    struct truth rows;
    struct sim sim;
};

static csy_status open_sinks(struct session *s, csy_error *error)
{
    const struct options *o = s->options;
    size_t stem = strlen(o->output) - 4;
    if (asprintf(&s->trace_path, "%.*s.trace%s", (int)stem, o->output, o->compress ? ".gz" : "") <
        0)
        s->trace_path = NULL;
    if (!s->trace_path)
        return error_memory(error);
    if (o->truth && strcmp(o->truth, s->trace_path) == 0)
        return error_set(error, CSY_IO, "%s: the truth would be written onto the records",
                         o->truth);
    csy_status status = sink_open(s->trace_path, o->compress, &s->trace, error);
    if (!status)
        status = sink_open(o->output, false, &s->pex, error);
    if (!status && o->truth)
        status = sink_open(o->truth, false, &s->truth, error);
    return status;
}

static void init_context(struct sim *sim, size_t i)
{
    struct context *c = &sim->contexts[i];
    c->writer.thread = c->writer.context = (uint32_t)i + 1;
    c->writer.decr_base = (uint32_t)(rng_next(&sim->rng) >> DECREMENTER_SHIFT);
    c->thread.thread = (uint32_t)(FIRST_TID + 1 + i);
    c->thread.cell = (int)(i % (size_t)sim->machine->ncells);
    c->in.depth = IN_MAILBOX_DEPTH;
    c->out.depth = c->out_interrupting.depth = 1;
}

static csy_status init_sim(struct session *s, csy_error *error)
{
    const struct options *o = s->options;
    struct sim *sim = &s->sim;
    *sim = (struct sim){.machine = o->machine, .workload = o->workload, .nspes = o->nspes};
    sim->ncontexts = o->ncontexts;
    sim->rng.state = o->seed;
    sim->runnable.kind = LINE_RUNNABLE;
    sim->memory.ncells = o->machine->ncells;
    sim->limit = o->events;
    sim->notifier = o->notifier;
    sim->drifts = o->drifts;
    sim->main.writer.thread = FIRST_TID;
    sim->slots = (struct slots){
        .machine = o->machine,
        .sink = s->trace,
        .truth = &s->rows,
        .rng = {rng_next(&sim->rng)},
        .level = o->level,
        .timebase = (int64_t)(rng_next(&sim->rng) >> (64 - TIMEBASE_BITS)) + (INT64_C(1) << 32),
        .jitter_ticks = o->jitter_ticks,
        .late_percent = o->late_percent,
        .apart = o->drifts,
        .holder = -1,
    };
    sim->spes = calloc(sim->nspes, sizeof *sim->spes);
    sim->contexts = calloc(sim->ncontexts, sizeof *sim->contexts);
    if (!sim->spes || !sim->contexts || !truth_init(&s->rows, sim->ncontexts) ||
        !queue_init(&sim->queue, sim->nspes + sim->ncontexts + 1))
        return error_memory(error);
    for (size_t i = 0; i < sim->ncontexts; i++)
        init_context(sim, i);
    for (size_t i = 0; i < sim->nspes && o->drifts; i++)
        sim->spes[i].clock = clock_draw(&sim->rng, o->range, sim->slots.timebase);
    return CSY_OK;
}

static void write_interval_head(struct session *s, const struct truth_row *r)
{
    sink_print(s->truth, "spe%u.%u,%u,%u,%llu,%llu,%u,", r->context, r->ordinal, r->context, r->spe,
               (unsigned long long)r->first_record, (unsigned long long)r->records, r->decr_first);
}

/* A row; under drift one where the interval begins, and where its clock's rate changes within. */
static void write_interval(struct session *s, const struct truth_row *r)
{
    if (!r->clock) {
        write_interval_head(s, r);
        sink_print(s->truth, "%lld\n", (long long)r->first_ticks);
        return;
    }
    int128 start = (int128)s->sim.slots.timebase * CLOCK_NANO;
    for (int64_t shown = r->first_ticks; shown <= r->last_ticks;
         shown = clock_next_kink(r->clock, shown)) {
        char text[QUOTIENT_TEXT_MAX];
        int64_t local = shown - r->first_ticks;
        int128 offset = start + clock_true_nano(r->clock, shown) - (int128)local * CLOCK_NANO;
        write_interval_head(s, r);
        sink_print(s->truth, "%s,%lld,%lld\n", decimal_text(offset, 9, text), (long long)local,
                   (long long)clock_rate_ppb(r->clock, shown));
    }
}

static void write_truth(struct session *s)
{
    int64_t twice = slots_imprecision_twice(&s->sim.slots);
    sink_print(s->truth, "# imprecision_ticks=%lld%s\n", (long long)(twice % 2 ? twice : twice / 2),
               twice % 2 ? "/2" : "");
    sink_print(s->truth, "thread,context,spe,first_record,records,decr_first,offset_ticks%s\n",
               s->sim.slots.apart ? ",local_ticks,rate_ppb" : "");
    for (size_t i = 0; i < s->rows.count; i++)
        write_interval(s, &s->rows.rows[i]);
}

static csy_status simulate(struct session *s, csy_error *error)
{
    pex_write_header(s->trace);
    csy_status status = sim_run(&s->sim, error);
    if (status)
        return status;
    if (s->rows.failed)
        return error_memory(error);
    if (!s->options->compress)
        pex_patch_count(s->trace, s->sim.slots.count);
    pex_write_document(s->pex, s->options, s->trace_path, FIRST_TID);
    if (s->truth)
        write_truth(s);
    return CSY_OK;
}

/* Records before the .pex that names them. */
static csy_status publish(struct session *s, csy_error *error)
{
    struct sink *sinks[] = {s->trace, s->truth, s->pex};
    csy_status status = CSY_OK;
    for (size_t i = 0; i < 3 && !status; i++)
        if (sinks[i])
            status = sink_finish(sinks[i], error);
    for (size_t i = 0; i < 3 && !status; i++)
        if (sinks[i])
            status = sink_publish(sinks[i], error);
    return status;
}

static void fini(struct session *s)
{
    sink_close(s->trace);
    sink_close(s->pex);
    sink_close(s->truth);
    truth_fini(&s->rows);
    queue_fini(&s->sim.queue);
    free(s->sim.spes);
    free(s->sim.contexts);
    free(s->trace_path);
}

csy_status session_run(const struct options *options, struct session_result *out, csy_error *error)
{
    struct session s = {.options = options};
    csy_status status = open_sinks(&s, error);
    if (!status)
        status = init_sim(&s, error);
    if (!status)
        status = simulate(&s, error);
    if (!status)
        status = publish(&s, error);
    if (!status)
        *out = (struct session_result){s.sim.slots.count, s.rows.count, s.sim.switches};
    fini(&s);
    return status;
}
