/* Writes graphs of error bounds or constraints, as in [BHH08]. See cellsync-output(5), Graphs. */
#include "base/error.h"
#include "bounds/bounds.h"
#include "graph/constraints.h"
#include "output/encode/caveats.h"
#include "output/encode/escape.h"
#include "output/encode/text.h"
#include "output/file/outfile.h"
#include "output/report/report.h"
#include "sync/drift_clocks.h"
#include "sync/solution.h"

#include <inttypes.h>
#include <stdlib.h>

/* If there are too many error bounds, the graph shows only a minimum spanning forest of them. */

#define TREE_ROOT SIZE_MAX

/* Find a minimum spanning tree of each set of connected threads. parent[t] becomes the parent of
 * thread t, or TREE_ROOT for the first thread of a set. Prim's algorithm finds the bounds of each
 * thread once. CSY_INPUT: a bound overflows. */
static csy_status tree_find(struct csy_sync *sync, size_t *parent, csy_error *error)
{
    size_t n = sync->bounds.n, s = 0;
    /* near[t]: least error bound between thread t and a thread that is in the tree already; -1
     * if t itself is in the tree */
    int64_t *near = malloc((3 * n + 1) * sizeof *near);
    int64_t *room = near ? near + n : NULL, *errors = near ? near + 2 * n : NULL;
    csy_status status = near ? CSY_OK : error_memory(error);
    for (size_t t = 0; t < n && !status; t++) {
        near[t] = WALK_INF;
        parent[t] = TREE_ROOT;
    }
    while (!status) {
        /* Add the thread with the least distance to the tree. If no thread has a constraint with
         * the tree, begin a new tree. */
        s = n;
        for (size_t t = 0; t < n; t++)
            if (near[t] >= 0 && (s == n || near[t] < near[s]))
                s = t;
        if (s == n)
            break;
        near[s] = -1;
        if (!sync->drift)
            status = bounds_errors(&sync->bounds, s, room, errors, error);
        for (size_t t = 0; t < n && sync->drift && !status; t++) {
            struct pair pair;
            status = t == s ? CSY_OK : pair_find(sync, s, t, true, &pair, error);
            errors[t] = t == s || status ? 0 : pair_event_error(sync, &pair);
        }
        for (size_t t = 0; t < n && !status; t++)
            if (errors[t] >= 0 && errors[t] < near[t]) {
                near[t] = errors[t];
                parent[t] = s;
            }
    }
    free(near);
    return status;
}

static void write_head(const struct csy_sync *sync, csy_graph graph, const char *what,
                       struct outfile *out)
{
    const csy_imprecision *imprecision = &sync->imprecision;
    bool bounds = graph == CSY_GRAPH_BOUNDS;
    outfile_print(out, "%s {\n  graph [label=\"", bounds ? "graph bounds" : "digraph constraints");
    dot_text(out, sync->trace->name);
    outfile_print(out, ": %s", what);
    if (imprecision->added_ticks > 0)
        outfile_print(out, "\\n%" PRId64 " ticks are added to each constraint%s",
                      imprecision->added_ticks,
                      bounds || imprecision->relax == CSY_RELAX_PAPER
                          ? ""
                          : "; only constraints between neighbouring records are shown");
    for (struct caveats p = caveats_of(sync, NULL); caveats_next(&p);) {
        outfile_print(out, p.condition ? "\\nbounds hold if " : "\\n");
        dot_escaped(out, p.text);
    }
    outfile_add(out, "\"];\n  node [shape=box];\n");
    for (size_t t = 0; t < sync->survey.threads.count; t++) {
        outfile_print(out, "  t%zu [label=\"", t);
        dot_text(out, sync->views[t].name);
        outfile_print(out, "\\n%" PRId64 "\"];\n", sync->views[t].offset_ticks);
    }
}

static csy_status write_constraints(struct csy_trace *trace, const struct csy_sync *sync,
                                    struct outfile *out, csy_error *error)
{
    const int128 *rough = sync->survey.rough.offset;
    struct constraints constraints;
    struct progress progress = trace->progress;
    size_t n = sync->survey.threads.count;
    progress.stage = "drawing";
    constraints_init(&constraints, n);
    struct taker taker = {.sink = constraints_sink(&constraints), .pairs = LINE_NEIGHBOURS};
    csy_status status = pass_again(trace, &sync->survey, NO_THREAD, &taker, &progress, error);
    write_head(sync, CSY_GRAPH_CONSTRAINTS,
               "g[s] - g[t] <= weight for each edge from s to t, ticks", out);
    for (size_t s = 0; s < n && !status; s++)
        for (size_t t = 0; t < n; t++) {
            int64_t w = s == t ? WALK_INF : constraints_weight(&constraints, s, t);
            if (w >= WALK_FAR)
                continue;
            /* w is for times with rough offsets (first estimates) added */
            int64_t weight = (int64_t)(rough[s] - rough[t] + w);
            int128 slack = (int128)weight + sync->imprecision.added_ticks -
                           sync->views[s].offset_ticks + sync->views[t].offset_ticks;
            outfile_print(out, "  t%zu -> t%zu [label=\"%" PRId64 "\\nslack %" PRId64 "\"%s];\n", s,
                          t, weight, (int64_t)slack, slack == 0 ? ", style=bold" : "");
        }
    constraints_fini(&constraints);
    return status;
}

static void write_closest(const struct csy_sync *sync, struct outfile *out)
{
    const struct drift *drift = sync->drift;
    const struct ageing *ageing = &drift->ageing;
    const int128 *rough = sync->survey.rough.offset;
    size_t n = sync->survey.threads.count;
    write_head(sync, CSY_GRAPH_CONSTRAINTS,
               "for each edge from s to t, the constraint with the smallest slack, ticks", out);
    for (uint32_t s = 0; s < n; s++)
        for (uint32_t t = 0; t < n; t++) {
            int64_t weight = 0;
            /* in 1/AGE_UNIT ticks */
            int128 slack = 0;
            bool any = false;
            char text[QUOTIENT_TEXT_MAX];
            for (size_t i = drift->pairs.first[s]; i < drift->pairs.first[s + 1] && s != t; i++) {
                const struct clock_pair *pair = &drift->pairs.items[i];
                if (pair->t != t)
                    continue;
                int64_t from = ageing->reading[ageing->from[i]],
                        to = ageing->reading[ageing->to[i]];
                int64_t local_s = (int64_t)(from - rough[s]), local_t = (int64_t)(to - rough[t]);
                int128 global = ((int128)local_t - local_s) * AGE_UNIT +
                                knots_age(&drift->clocks[t], local_t) -
                                knots_age(&drift->clocks[s], local_s);
                int128 one = global - ((int128)to - from) * AGE_UNIT +
                             ageing_loss(ageing, pair->weight, pair_counts(&drift->pairs, pair));
                if (!any || one < slack) {
                    slack = one;
                    weight = (int64_t)(pair->weight + rough[s] - rough[t]);
                }
                any = true;
            }
            if (any)
                outfile_print(out, "  t%u -> t%u [label=\"%" PRId64 "\\nslack %s\"%s];\n", s, t,
                              weight, decimal_text(floor_div(slack, AGE_UNIT / 1000), 3, text),
                              slack == 0 ? ", style=bold" : "");
        }
}

/* Write an edge between two threads. Its label is their error bound. Its tooltip is the range of
 * their offset, or if clocks drift, the time of the greatest error. */
static csy_status write_bound(struct csy_sync *sync, size_t s, size_t t, struct outfile *out,
                              csy_error *error)
{
    char bound[TICKS_TEXT_MAX], low[TICKS_TEXT_MAX], high[TICKS_TEXT_MAX];
    struct pair pair;
    csy_status status = pair_find(sync, s, t, true, &pair, error);
    if (status)
        return status;
    int64_t width = pair_event_error(sync, &pair);
    outfile_print(out, "  t%zu -- t%zu [label=\"%s\"", s, t, text_bound(width, bound));
    if (!sync->drift)
        outfile_print(out, ", tooltip=\"%s to %s\"", text_ticks(pair.lower_ticks, "-inf", "", low),
                      text_ticks(pair.upper_ticks, "", "inf", high));
    else if (width >= 0)
        outfile_print(out, ", tooltip=\"at global %" PRId64 "\"", pair.drift.worst_moment_ticks);
    outfile_add(out, width < 0 ? ", style=dashed];\n" : "];\n");
    return CSY_OK;
}

/* Write the error bounds of all pairs, or only a minimum spanning tree if there are too many
 * threads. A pair's bound is at most the sum along its path in the tree. */
static csy_status write_bounds(struct csy_sync *sync, struct outfile *out, csy_error *error)
{
    char what[224];
    const char *called = text_error(sync->imprecision.added_ticks);
    const char *moments = sync->drift ? ", at most, at 64 moments" : "";
    size_t n = sync->survey.threads.count, edges = 0;
    size_t *parent = calloc(n + 1, sizeof *parent);
    bool tree = n > CSY_GRAPH_ALL_BOUNDS_THREADS_MAX;
    csy_status status = parent ? CSY_OK : error_memory(error);
    if (!status && tree)
        status = tree_find(sync, parent, error);
    for (size_t t = 0; t < n && tree && !status; t++)
        edges += parent[t] != TREE_ROOT;
    if (tree)
        snprintf(what, sizeof what,
                 "minimum spanning tree of the %ss, ticks%s: %zu of %" PRIu64
                 " pairs\\nthe %s of a pair is at most the sum along the path between the two "
                 "threads",
                 called, moments, edges, sync->summary.pairs, called);
    else
        snprintf(what, sizeof what, "%s of each pair, ticks%s", called, moments);
    write_head(sync, CSY_GRAPH_BOUNDS, what, out);
    for (size_t t = 0; t < n && tree && !status; t++)
        if (parent[t] != TREE_ROOT)
            status = write_bound(sync, parent[t] < t ? parent[t] : t, parent[t] < t ? t : parent[t],
                                 out, error);
    for (size_t s = 0; s < n && !tree; s++)
        for (size_t t = s + 1; t < n && !status; t++)
            status = write_bound(sync, s, t, out, error);
    free(parent);
    return status;
}

csy_status csy_sync_write_graph(csy_sync *sync, const char *path, csy_graph graph, csy_error *error)
{
    struct csy_trace *trace = sync->trace;
    struct outfile *out;
    csy_status status =
        sync->drift ? solution_check_feasible(sync, error) : solution_check_bounds(sync, error);
    size_t n = sync->survey.threads.count;
    size_t most = graph == CSY_GRAPH_BOUNDS ? CSY_GRAPH_BOUNDS_THREADS_MAX
                                            : CSY_GRAPH_CONSTRAINTS_THREADS_MAX;
    if (!status && (unsigned)graph > CSY_GRAPH_BOUNDS)
        status = error_set(error, CSY_USAGE, "%s: unknown kind of graph", path);
    if (!status && sync->partial && graph == CSY_GRAPH_CONSTRAINTS)
        status = error_set(error, CSY_USAGE,
                           "%s: a graph of neighbouring records requires a trace in one buffer; "
                           "pass --graph-of=bounds",
                           trace->name);
    if (!status && n > most)
        status =
            error_set(error, CSY_USAGE,
                      "%s: the trace has %zu threads, but a graph of %s can have at most %zu",
                      trace->name, n, graph == CSY_GRAPH_BOUNDS ? "bounds" : "constraints", most);
    status = status ? status : outfile_open(path, trace, &out, error);
    if (status)
        return status;
    if (graph == CSY_GRAPH_BOUNDS)
        status = write_bounds(sync, out, error);
    else if (sync->drift)
        write_closest(sync, out);
    else
        status = write_constraints(trace, sync, out, error);
    outfile_add(out, "}\n");
    return outfile_complete(out, status, error);
}
