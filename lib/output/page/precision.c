/* Computes error bounds, and counts records, in equal parts of the trace's global time. */
#include "output/page/precision.h"

#include "base/error.h"
#include "base/sort.h"
#include "bounds/concurrent.h"
#include "order/line.h"
#include "output/trace/tracks.h"

#include <stdlib.h>
#include <string.h>

void precision_init(struct precision *course, const struct spans *lives, size_t reference)
{
    int128 length = (int128)lives->end - lives->begin + 1;
    uint64_t seen[PRECISION_BINS] = {0};
    memset(course, 0, sizeof *course);
    course->nbins = length < PRECISION_BINS ? (size_t)length : PRECISION_BINS;
    for (size_t t = 0; t < lives->n; t++) {
        const struct span *life = &lives->items[t];
        size_t last = spans_part(lives, life->end, course->nbins);
        if (t == reference)
            continue;
        for (size_t i = spans_part(lives, life->begin, course->nbins); i <= last; i++) {
            course->bins[i].live++;
            course->bins[i].unbounded += life->bound == BOUND_NONE;
        }
    }
    /* Add threads in ascending order of bounds. Thus the k-th thread that is added to a bin (a part
     * of the time) has the k-th least bound there. */
    for (size_t rank = 0; rank < lives->n; rank++) {
        const struct span *life = &lives->items[lives->order[rank]];
        size_t last = spans_part(lives, life->end, course->nbins);
        if (lives->order[rank] == reference)
            continue;
        for (size_t i = spans_part(lives, life->begin, course->nbins); i <= last; i++) {
            struct precision_bin *bin = &course->bins[i];
            if (seen[i]++ == 0)
                bin->least = life->bound;
            if (seen[i] == (bin->live + 1) / 2)
                bin->median = life->bound;
            bin->most = life->bound;
        }
    }
}

void precision_send(struct precision *course, size_t thread)
{
    if (course->nscouts < PRECISION_SCOUTS)
        course->scouts[course->nscouts++] =
            (struct precision_scout){.thread = thread, .behind = BOUND_NONE, .ahead = BOUND_NONE};
}

/* Numbers of threads in precision_pass.line. FIRST_SCOUT + i stands for the thread
 * course->scouts[i]. */
enum { REFERENCE, FIRST_SCOUT };

/* Note the time between a record of the reference and a record of a scout (a thread with wide
 * bounds) if it is the least so far in this order. */
static csy_status take_pair(void *engine, const struct point *from, const struct point *to,
                            csy_error *error)
{
    struct precision *course = engine;
    int64_t apart = to->x - from->x;
    (void)error;
    if (from->thread == to->thread || (from->thread != REFERENCE && to->thread != REFERENCE))
        return CSY_OK;
    int64_t *least = to->thread == REFERENCE ? &course->scouts[from->thread - FIRST_SCOUT].ahead
                                             : &course->scouts[to->thread - FIRST_SCOUT].behind;
    *least = apart < *least ? apart : *least;
    return CSY_OK;
}

struct precision_pass {
    struct precision *course;
    const struct spans *lives;
    struct members *members;
    size_t reference;
    /* [t]: number of thread t in `line`; 0 unless thread t is in course->scouts */
    unsigned char *scout_of;
    struct line line;
};

static csy_status take_event(void *user, const struct event *source, const csy_event *event,
                             csy_error *error)
{
    struct precision_pass *p = user;
    int64_t g = event->global_ticks;
    struct precision *course = p->course;
    /* As timestamps may decrease, a record may lie outside of p->lives. Move it inside. */
    int64_t begin = p->lives->begin, end = p->lives->end, inside = g < begin ? begin : g;
    inside = inside > end ? end : inside;
    struct precision_bin *bin = &course->bins[spans_part(p->lives, inside, course->nbins)];
    (void)source;
    if (p->members->items) {
        struct member *member = &p->members->items[event->track];
        member->begin = member->records == 0 || g < member->begin ? g : member->begin;
        member->end = member->records == 0 || g > member->end ? g : member->end;
        member->records++;
    }
    bin->records++;
    bin->reference_records += event->thread == p->reference;
    if (event->thread != p->reference && !p->scout_of[event->thread])
        return CSY_OK;
    struct point point = {.thread = p->scout_of[event->thread], .x = g};
    for (size_t i = 0; i < course->nscouts && point.thread == REFERENCE; i++)
        course->scouts[i].amid_so_far += course->scouts[i].begun;
    if (point.thread != REFERENCE) {
        struct precision_scout *scout = &course->scouts[point.thread - FIRST_SCOUT];
        scout->begun = true;
        scout->amid = scout->amid_so_far; /* at the last record of the scout, `amid` gets its final
                                           * value */
    }
    return line_event(&p->line, &point, error);
}

static int by_clock(const void *a, const void *b)
{
    const struct member *p = a, *q = b;
    return 2 * COMPARE(p->clock, q->clock) + COMPARE(p->track, q->track);
}

csy_status precision_pass(struct precision *course, const struct spans *lives,
                          struct members *members, struct csy_trace *trace,
                          const struct csy_sync *sync, csy_error *error)
{
    static const struct writer_format format = {.event = take_event};
    struct precision_pass p = {course,     lives, members, sync->reference, calloc(lives->n, 1),
                               {.born = 0}};
    struct sink sink = {.engine = course, .pair = take_pair};
    csy_status status = p.scout_of ? CSY_OK : error_memory(error);
    *members = (struct members){.n = 0};
    for (size_t t = 0; t < sync->survey.threads.count; t++)
        members->nclocks += members_share(&sync->views[t]);
    if (!status && sync->survey.threads.ntracks > 0 && members->nclocks > 0) {
        members->n = sync->survey.threads.ntracks;
        members->items = calloc(members->n, sizeof *members->items);
        status = members->items ? CSY_OK : error_memory(error);
    }
    for (size_t i = 0; i < members->n && !status; i++)
        members->items[i] = (struct member){.clock = sync->tracks[i].thread, .track = i};
    line_init(&p.line, &sink, LINE_ALL, 0);
    for (size_t i = 0; i < course->nscouts && !status; i++)
        p.scout_of[course->scouts[i].thread] = (unsigned char)(i + FIRST_SCOUT);
    status = status ? status : writer_walk(&(struct writer){trace, sync, NULL, &format, &p}, error);
    line_fini(&p.line);
    free(p.scout_of);
    /* Keep the threads on shared clocks. */
    size_t n = 0;
    for (size_t i = 0; i < members->n && !status; i++)
        if (members_share(&sync->views[members->items[i].clock]))
            members->items[n++] = members->items[i];
    members->n = n;
    SORT(members->items, n, by_clock);
    return status;
}

/* --- Pairs of threads that are live together -----------------------------------------------------
 *
 * A pair of threads is active in consecutive bins. To add a pair fast, changes of counts and sums
 * from bin to bin are stored. The greatest error is stored for two runs of 2^k bins, which overlap
 * and together cover the bins of the pair. At the end, these runs are split into bins. */

enum { LEVELS = 8 };
_Static_assert(PRECISION_BINS < 1 << LEVELS, "runs of all lengths have a level");

struct change {
    int64_t pairs, bounded;
    int128 sum;
};

struct pair_changes {
    struct change changes[PRECISION_BINS + 1];
    /* [k][i]: greatest error stored for the run of 2^k bins from bin i on, or -1 */
    int64_t most[LEVELS][PRECISION_BINS];
};

static void raise(int64_t *most, int64_t bound)
{
    *most = bound > *most ? bound : *most;
}

static void change(struct change *change, int sign, int64_t error_ticks)
{
    bool bounded = error_ticks >= 0;
    change->pairs += sign;
    change->bounded += bounded ? sign : 0;
    change->sum += bounded ? (int128)sign * error_ticks : 0;
}

csy_status precision_take_pairs(struct precision *course, const struct spans *lives,
                                const struct csy_sync *sync, uint64_t pairs_max, csy_error *error)
{
    struct concurrent together;
    if (sync->summary.live.pairs > pairs_max)
        return CSY_OK;
    struct pair_changes *g = calloc(1, sizeof *g);
    struct pair_tally_thread *threads = solution_tally_threads(sync);
    csy_status status = g && threads ? concurrent_gather(&sync->bounds, threads, &together, error)
                                     : error_memory(error);
    free(threads);
    if (!status) {
        size_t n = course->nbins;
        for (size_t level = 0; level < LEVELS; level++)
            for (size_t i = 0; i < PRECISION_BINS; i++)
                g->most[level][i] = -1;
        for (size_t s = 0; s < lives->n; s++) {
            size_t count = concurrent_count(&together, s);
            for (size_t t = s + 1; t <= s + count; t++) {
                struct walks_between walks = concurrent_walks(&together, s, t);
                size_t level = 0;
                int64_t width = walk_width(walks.there, walks.back);
                int64_t error_ticks = csy_sync_event_error(sync, width);
                const struct span *a = &lives->items[s], *b = &lives->items[t];
                size_t first = spans_part(lives, a->begin > b->begin ? a->begin : b->begin, n);
                size_t last = spans_part(lives, a->end < b->end ? a->end : b->end, n);
                /* decreasing timestamps can make `last` less than `first` */
                last = last < first ? first : last;
                change(&g->changes[first], 1, error_ticks);
                change(&g->changes[last + 1], -1, error_ticks);
                while ((size_t)2 << level <= last - first + 1)
                    level++;
                raise(&g->most[level][first], error_ticks);
                raise(&g->most[level][last + 1 - ((size_t)1 << level)], error_ticks);
            }
        }
        struct change so_far = {0, 0, 0};
        for (size_t level = LEVELS; level-- > 1;) {
            size_t half = (size_t)1 << (level - 1);
            for (size_t i = 0; i + half < course->nbins; i++) {
                raise(&g->most[level - 1][i], g->most[level][i]);
                raise(&g->most[level - 1][i + half], g->most[level][i]);
            }
        }
        for (size_t i = 0; i < course->nbins; i++) {
            so_far.pairs += g->changes[i].pairs;
            so_far.bounded += g->changes[i].bounded;
            so_far.sum += g->changes[i].sum;
            course->bins[i].together =
                (struct precision_pairs){so_far.pairs, so_far.bounded, so_far.sum, g->most[0][i]};
            raise(&course->pairs_most, g->most[0][i]);
        }
        course->has_pairs = true;
        concurrent_fini(&together);
    }
    free(g);
    return status;
}
