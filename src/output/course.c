/* How a trace goes on. */
#include "output/course.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

int128 course_begin(const struct course *course, const struct lives *lives, size_t bin)
{
    int128 length = (int128)lives->end - lives->begin + 1;
    return bin < course->nbins ? ceil_div(length * (int128)bin, (int128)course->nbins) : length - 1;
}

static void count_live(struct course *course, const struct lives *lives, size_t t)
{
    const struct life *life = &lives->items[t];
    size_t last = lives_part(lives, life->end, course->nbins);
    for (size_t i = lives_part(lives, life->begin, course->nbins); i <= last; i++) {
        course->bins[i].live++;
        course->bins[i].unbounded += life->bound == BOUND_NONE;
    }
}

/* Threads come by rank: the k-th that comes to a bin is its k-th least. */
static void take_rank(struct course *course, const struct lives *lives, size_t t,
                      uint64_t seen[COURSE_BINS])
{
    const struct life *life = &lives->items[t];
    size_t last = lives_part(lives, life->end, course->nbins);
    for (size_t i = lives_part(lives, life->begin, course->nbins); i <= last; i++) {
        struct course_bin *bin = &course->bins[i];
        if (seen[i]++ == 0)
            bin->least = life->bound;
        if (seen[i] == (bin->live + 1) / 2)
            bin->median = life->bound;
        bin->most = life->bound;
    }
}

void course_init(struct course *course, const struct lives *lives, size_t reference)
{
    int128 length = (int128)lives->end - lives->begin + 1;
    uint64_t seen[COURSE_BINS] = {0};
    memset(course, 0, sizeof *course);
    course->nbins = length < COURSE_BINS ? (size_t)length : COURSE_BINS;
    for (size_t t = 0; t < lives->n; t++)
        if (t != reference)
            count_live(course, lives, t);
    for (size_t i = 0; i < lives->n; i++)
        if (lives->order[i] != reference)
            take_rank(course, lives, lives->order[i], seen);
}

void course_send(struct course *course, size_t thread)
{
    if (course->nscouts < COURSE_SCOUTS)
        course->scouts[course->nscouts++] =
            (struct course_scout){.thread = thread, .behind = BOUND_NONE, .ahead = BOUND_NONE};
}

/* What a record of the reference is to a scout. */
static void meet_reference(struct course_scout *scout, int64_t g)
{
    scout->amid_so_far += scout->begun;
    if (scout->begun && g - scout->greatest_ticks < scout->ahead)
        scout->ahead = g - scout->greatest_ticks;
}

/* A record of the scout; greatest (may be NULL): of the reference, before it. */
static void meet_scout(struct course_scout *scout, int64_t g, const int64_t *greatest)
{
    scout->greatest_ticks = scout->begun && scout->greatest_ticks > g ? scout->greatest_ticks : g;
    scout->begun = true;
    scout->amid = scout->amid_so_far;
    if (greatest && g - *greatest < scout->behind)
        scout->behind = g - *greatest;
}

struct passing {
    struct course *course;
    const struct lives *lives;
    size_t reference;
    unsigned char *scout_of; /* by thread: 1 + its place among the scouts, or 0 */
    bool spoken;             /* the reference has, so far up to: */
    int64_t reference_ticks;
};

/* Stamps that step back may stand a little outside of all lives. */
static int64_t inside(const struct lives *lives, int64_t g)
{
    return g < lives->begin ? lives->begin : g > lives->end ? lives->end : g;
}

static void take_event(struct passing *p, const csy_event *event)
{
    int64_t g = event->global_ticks;
    struct course *course = p->course;
    struct course_bin *bin =
        &course->bins[lives_part(p->lives, inside(p->lives, g), course->nbins)];
    bin->records++;
    if (event->thread == p->reference) {
        bin->reference_records++;
        p->reference_ticks = p->spoken && p->reference_ticks > g ? p->reference_ticks : g;
        p->spoken = true;
        for (size_t i = 0; i < course->nscouts; i++)
            meet_reference(&course->scouts[i], g);
    } else if (p->scout_of[event->thread]) {
        meet_scout(&course->scouts[p->scout_of[event->thread] - 1], g,
                   p->spoken ? &p->reference_ticks : NULL);
    }
}

csy_status course_pass(struct course *course, const struct lives *lives, struct members *members,
                       struct csy_trace *trace, const struct csy_sync *sync, csy_error *error)
{
    struct passing p = {course, lives, sync->reference, calloc(lives->n, 1), false, 0};
    csy_events *events = NULL;
    csy_event event;
    bool more = false;
    csy_status status =
        p.scout_of ? csy_events_open(trace, sync, &events, error) : error_memory(error);
    for (size_t i = 0; i < course->nscouts && !status; i++)
        p.scout_of[course->scouts[i].thread] = (unsigned char)(i + 1);
    while (!status && !(status = csy_events_next(events, &event, &more, error)) && more) {
        take_event(&p, &event);
        members_take(members, &event);
    }
    csy_events_free(events);
    free(p.scout_of);
    return status;
}
