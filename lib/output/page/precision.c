/* Records and bounds over time. */
#include "output/page/precision.h"

#include "base/error.h"
#include "order/line.h"
#include "output/trace/writer.h"

#include <stdlib.h>
#include <string.h>

int128 precision_begin(const struct precision *course, const struct spans *lives, size_t bin)
{
    int128 length = (int128)lives->end - lives->begin + 1;
    return bin < course->nbins ? ceil_div(length * (int128)bin, (int128)course->nbins) : length - 1;
}

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
    /* Threads are sorted by bound, so the k-th thread added to a bin has its k-th least bound. */
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

/* Numbers of threads in the separate order of the reference and the scouts. */
enum { REFERENCE, FIRST_SCOUT };

/* Record the time between the reference and a scout. */
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
    unsigned char *scout_of; /* for each thread FIRST_SCOUT plus its index among the scouts, or 0 */
    struct line line;        /* order of the reference and the scouts, in global time */
};

static csy_status take_event(void *user, const struct event *source, const csy_event *event,
                             csy_error *error)
{
    struct precision_pass *p = user;
    int64_t g = event->global_ticks;
    struct precision *course = p->course;
    /* If timestamps step back, g may be slightly outside of all lives. */
    int64_t begin = p->lives->begin, end = p->lives->end, inside = g < begin ? begin : g;
    inside = inside > end ? end : inside;
    struct precision_bin *bin = &course->bins[spans_part(p->lives, inside, course->nbins)];
    (void)source;
    members_take(p->members, event);
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
        scout->amid = scout->amid_so_far; /* reference's records since the scout's first */
    }
    return line_event(&p->line, &point, error);
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
    line_init(&p.line, &sink, LINE_ALL, 0);
    for (size_t i = 0; i < course->nscouts && !status; i++)
        p.scout_of[course->scouts[i].thread] = (unsigned char)(i + FIRST_SCOUT);
    if (!status)
        status = writer_walk(&(struct writer){trace, sync, NULL, &format, &p}, error);
    line_fini(&p.line);
    free(p.scout_of);
    return status;
}
