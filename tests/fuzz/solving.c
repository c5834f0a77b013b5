/* Solve a trace in several ways that must agree, and prove what is written. */
#include "solving.h"

#include "base/number.h"
#include "trace/trace.h"

#include <string.h>

enum {
    SEGMENT = 512,     /* bytes; so that a few records make several */
    THREADS_MAX = 128, /* of a trace that dense bounds are compared for */
    LIVE_MAX = 512     /* of a trace that is written and proved */
};

struct solving solving_draw(struct drawing *d)
{
    static const csy_fraction alphas[] = {{1, 2}, {0, 1}, {1, 1}, {1, 3}};
    static const csy_fraction deltas[] = {{0, 1}, {1, 2}, {7, 2}, {100, 1}, {INT64_MAX, 2}};
    static const int64_t imprecisions[] = {CSY_IMPRECISION_DEFAULT, CSY_IMPRECISION_DEFAULT, 0,
                                           1000, (int64_t)1 << 30};
    struct solving s;
    s.options = options_default;
    s.output = settings_default;
    unsigned byte = draw_below(d, 256);
    s.options.relax = (csy_relax)(byte % 4);
    s.options.unwrap = byte & 4 ? CSY_UNWRAP_STRICT : CSY_UNWRAP_ASSUME;
    s.options.alpha = alphas[byte >> 3 & 3];
    s.options.measure = byte & 32;
    s.options.method = byte >= 240 ? (csy_method)(byte % 4) : CSY_METHOD_BHH;
    s.options.delta = deltas[draw_below(d, 5)];
    s.options.max_imprecision_ticks = imprecisions[draw_below(d, 5)];
    byte = draw_below(d, 256);
    s.output.format = byte % 4 == 0 ? CSY_FORMAT_JSON : CSY_FORMAT_AUTO;
    s.output.compress_level = s.output.format || byte < 128 ? -1 : (int)(byte % 10);
    s.salvage = byte & 64;
    static const csy_report_format reports[] = {CSY_REPORT_TEXT, CSY_REPORT_CSV, CSY_REPORT_JSON,
                                                CSY_REPORT_HTML, CSY_REPORT_TEX};
    s.report = reports[draw_below(d, 5)];
    if (s.options.method != CSY_METHOD_BHH) {
        s.options.relax = CSY_RELAX_EXACT;
        s.options.unwrap = CSY_UNWRAP_ASSUME;
        s.options.alpha = alphas[0];
    }
    return s;
}

struct solved solve(const struct solving *solving, csy_engine engine, unsigned nthreads)
{
    struct solved s = {0};
    csy_options chosen = solving->options;
    chosen.engine = engine;
    s.status = csy_trace_open(memory_path(), NULL, &s.trace, &s.error);
    if (!s.status) {
        csy_trace_set_workers(s.trace, nthreads);
        csy_trace_set_salvage(s.trace, solving->salvage);
        if (nthreads > 1)
            s.trace->segment_bytes = SEGMENT;
        s.status = csy_trace_synchronize(s.trace, &chosen, &s.sync, &s.error);
    }
    must_be_told(s.status, &s.error);
    return s;
}

void solved_free(struct solved *s)
{
    csy_sync_free(s->sync);
    csy_trace_free(s->trace);
}

/* Edges that join up, each with the weight of its records, and sum to what is claimed. */
static void look_at_witness(const csy_sync *sync)
{
    const csy_witness *w = csy_sync_witness(sync);
    int128 sum = 0;
    for (size_t i = 0; w && i < w->length; i++) {
        const csy_witness_edge *e = &w->edges[i];
        must(e->t == w->edges[(i + 1) % w->length].s, "the witness does not close");
        must(e->record_s < e->record_t || w->length == 1, "an edge against the order");
        must((int128)e->time_t - e->time_s == e->weight_ticks, "an edge's weight");
        sum += e->weight_ticks;
    }
    must(!w || (sum == w->weight_ticks && sum < 0), "the weight of the witness");
}

static void compare_threads(const csy_sync *a, const csy_sync *b)
{
    must(csy_sync_nthreads(a) == csy_sync_nthreads(b) && csy_sync_records(a) == csy_sync_records(b),
         "threads");
    must(csy_sync_reference(a) == csy_sync_reference(b), "the reference");
    for (size_t t = 0; t < csy_sync_nthreads(a); t++) {
        const csy_thread *s = csy_sync_thread(a, t), *u = csy_sync_thread(b, t);
        must(strcmp(s->name, u->name) == 0 && s->spe == u->spe, s->name);
        must(s->first_record == u->first_record && s->records == u->records, s->name);
        must(s->decr_first == u->decr_first, s->name);
        must(s->offset_ticks == u->offset_ticks, s->name);
        must(s->earliest_ticks == u->earliest_ticks && s->latest_ticks == u->latest_ticks, s->name);
    }
}

static void compare_reports(const csy_sync *a, const csy_sync *b)
{
    const csy_imprecision *i = csy_sync_imprecision(a), *j = csy_sync_imprecision(b);
    const csy_clock_report *c = csy_sync_clock_report(a), *d = csy_sync_clock_report(b);
    must(i->delta.num == j->delta.num && i->delta.den == j->delta.den, "delta");
    must(i->added_ticks == j->added_ticks && i->inversions == j->inversions, "inversions");
    must(i->largest_inversion_ticks == j->largest_inversion_ticks, "the largest inversion");
    must(i->adjacent_steps_back == j->adjacent_steps_back, "adjacent steps back");
    must(c->wraps == d->wraps && c->splits == d->splits && c->assumed == d->assumed, "clocks");
    must(c->lost_outs == d->lost_outs && c->lost_ins == d->lost_ins, "lost switches");
    must(c->stragglers == d->stragglers && c->contexts == d->contexts, "stragglers");
}

static void compare(const struct solved *a, const struct solved *b)
{
    must(a->status == b->status, a->status ? a->error.text : b->error.text);
    if (!a->sync)
        return;
    look_at_witness(a->sync);
    look_at_witness(b->sync);
    if (!a->status) {
        compare_threads(a->sync, b->sync);
        compare_reports(a->sync, b->sync);
    }
}

static void compare_bounds(const struct solved *a, const struct solved *b)
{
    csy_error error;
    int64_t lower, upper, width, others[3];
    for (size_t s = 0; s < csy_sync_nthreads(a->sync); s++)
        for (size_t t = 0; t < csy_sync_nthreads(a->sync); t++) {
            must_be_ok(csy_sync_bounds(a->sync, s, t, &lower, &upper, &width, &error), error);
            must_be_ok(csy_sync_bounds(b->sync, s, t, &others[0], &others[1], &others[2], &error),
                       error);
            must(lower == others[0] && upper == others[1] && width == others[2], "a bound");
        }
}

/* Dense looks beforehand whether the longest walk there could be fits; the sweep, whether each one
 * does. */
static bool is_beyond(const struct solved *dense)
{
    static const char text[] = "the differences between clocks are too large";
    return dense->status == CSY_INPUT && strncmp(dense->error.text, text, sizeof text - 1) == 0;
}

static void compare_engines(const struct solving *solving, const struct solved *sweep)
{
    const csy_options *options = &solving->options;
    if (options->relax == CSY_RELAX_PAPER || options->method != CSY_METHOD_BHH || !sweep->sync ||
        csy_sync_nthreads(sweep->sync) > THREADS_MAX)
        return;
    struct solved dense = solve(solving, CSY_ENGINE_DENSE, 1);
    if (!is_beyond(&dense))
        compare(sweep, &dense);
    if (!sweep->status && !dense.status)
        compare_bounds(sweep, &dense);
    solved_free(&dense);
}

/* Write the trace or the report, or say why not. */
static bool write_trace(const struct solved *s, const csy_output *output)
{
    csy_error error;
    output_empty();
    csy_status status = csy_sync_write_trace(s->sync, "-", output, &error);
    must_be_told(status, &error);
    must(status != CSY_IO && status != CSY_MEMORY, error.text);
    return status == CSY_OK;
}

static bool write_report(const struct solved *s, csy_report_format format)
{
    csy_error error;
    output_empty();
    csy_status status = csy_sync_write_report(s->sync, "-", format, CSY_PAIRS_AUTO, &error);
    must_be_told(status, &error);
    must(!status || status == CSY_USAGE, error.text);
    return status == CSY_OK;
}

/* Flip a bit that the checksum chooses in the plain records after the document. */
static void refute_output(uint32_t chosen)
{
    csy_error error = {0};
    csy_proof proof;
    size_t size;
    const uint8_t *bytes = output_kept(&size), *nul = memchr(bytes, 0, size);
    must(nul, "no records are embedded");
    size_t first = (size_t)(nul + 1 - bytes) + load16(nul + 1 + 10);
    size_t at = first + chosen % (size - first);
    output_flip(at, chosen >> 29);
    must_be_told(prove(output_path(), &proof, &error), &error);
    must(error.status == CSY_CHECK || error.status == CSY_INPUT, "a flipped bit is proved");
    output_flip(at, chosen >> 29);
}

static void prove_output(const struct solved *s, bool packed)
{
    csy_error error = {0};
    csy_proof proof;
    must_be_ok(prove(output_path(), &proof, &error), error);
    must(proof.records == csy_sync_records(s->sync), "records");
    must(proof.threads == csy_sync_nthreads(s->sync), "threads");
    must(proof.inversions == csy_sync_imprecision(s->sync)->inversions, "inversions");
    if (!packed)
        refute_output(proof.original_crc32);
}

/* Trace and report, by one worker and by three. */
static void compare_outputs(const struct solving *solving, const struct solved *a,
                            const struct solved *b)
{
    bool pex = csy_trace_format(a->trace) == CSY_FORMAT_PEX;
    csy_output output = solving->output;
    if (!pex)
        output.compress_level = -1;
    bool written = write_trace(a, &output);
    output_keep();
    if (written && pex && output.format == CSY_FORMAT_AUTO &&
        solving->options.method == CSY_METHOD_BHH)
        prove_output(a, output.compress_level >= 0);
    must(write_trace(b, &output) == written && output_is_kept(), "threads write other bytes");
    written = write_report(a, solving->report);
    output_keep();
    must(write_report(b, solving->report) == written && output_is_kept(),
         "threads write another report");
}

bool solve_all_ways(const struct solving *solving, void (*seen)(csy_sync *sync, void *user),
                    void *user)
{
    struct solved one = solve(solving, CSY_ENGINE_AUTO, 1);
    struct solved three = solve(solving, CSY_ENGINE_AUTO, 3);
    compare(&one, &three);
    must(!one.status || strcmp(one.error.text, three.error.text) == 0, three.error.text);
    bool solved = one.sync && !one.status;
    compare_engines(solving, &one);
    if (solved && csy_sync_nthreads(one.sync) <= LIVE_MAX)
        compare_outputs(solving, &one, &three);
    if (solved && seen)
        seen(one.sync, user);
    solved_free(&one);
    solved_free(&three);
    return solved;
}
