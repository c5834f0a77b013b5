/* Counts and checks the events of locations that are read separately. */
#include "fast/fast.h"

#include "base/array.h"
#include "base/error.h"
#include "base/team.h"
#include "order/stream_members.h"
#include "trace/streams.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Each open location needs a file descriptor, and SPARE_FILES descriptors stay free for other uses.
 * A worker reads OPEN_MOST locations at a time, or more if messages wait for other locations. */
enum { SPARE_FILES = 24, OPEN_MOST = 64, WORKERS_MOST = 2 };

/* If this many messages and operations are pending, a worker that is ahead of others waits. The
 * limit is about one chunk, so memory does not depend on the number of events. */
#define WAITING_MANY ((uint64_t)1 << 12)

/* If this many messages and operations are pending, they probably wait for unread locations. All
 * are then read at once, if possible, although a chunk of each is then in memory. */
#define WAITING_TOO_MANY ((uint64_t)1 << 16)

struct part {
    struct streams *streams;
    bool done;
    bool widens; /* true if the worker must read all locations of the part at the same time */
    int64_t elapsed_ticks;
};

struct reader {
    struct csy_trace *trace;
    const struct stream_reading *source;
    size_t nlocations;
    uint32_t *clocks;             /* number of each location's clock */
    struct stream_totals *totals; /* counts of each location's events */
    struct tracer_thread *tracers;
    _Atomic int64_t *starts; /* time of each clock's first event */
    struct part parts[WORKERS_MOST];
    unsigned nparts;
    pthread_mutex_t lock;
    pthread_cond_t moved;
    bool few_clocks; /* true if the clocks are few enough to visit collective operations */
    struct match_stream *stream;
    struct stream_members *members;
    bool failed;
    /* The members below receive the results. */
    struct timeline *timeline;
    struct rebase *rebase;
    struct match *match;
    struct stream_start *begins; /* first event of each location */
};

/* Returns how many locations a worker may open: at most `most`, within the limit of open files. */
static size_t open_most(unsigned workers, size_t most)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        size_t files = limit.rlim_cur > SPARE_FILES ? (size_t)limit.rlim_cur - SPARE_FILES : 0;
        most = files / workers < most ? files / workers : most;
    }
    return most < 1 ? 1 : most;
}

static bool widens(const void *user)
{
    return ((const struct part *)user)->widens;
}

static bool take_batch(struct reader *r, const struct stream_batch *batch)
{
    struct tracer_thread *tracer = &r->tracers[batch->location];
    bool good = true;
    if (r->trace->source->tracer && tracer->count == 0)
        r->trace->source->tracer(r->trace, batch->location, tracer);
    for (size_t i = 0; i < batch->count && good; i++) {
        const struct stream_item *item = &batch->items[i];
        if (item->role == STREAM_MEMBER)
            good = r->few_clocks && stream_members_item(r->members, batch->location, item);
        else if (item->role != STREAM_PLAIN)
            good = match_stream_item(r->stream, batch->location, item);
    }
    good = good && match_stream_reach(r->stream, batch->location, batch->known_ticks);
    if (batch->ended)
        r->totals[batch->location] = batch->totals;
    return good;
}

static uint64_t count_waiting(const struct reader *r)
{
    return match_stream_waiting(r->stream) + stream_members_waiting(r->members);
}

/* Returns true if this part must wait until other parts have advanced. */
static bool is_ahead(const struct reader *r, const struct part *part)
{
    if (r->failed || count_waiting(r) < WAITING_MANY)
        return false;
    for (unsigned i = 0; i < r->nparts; i++)
        if (!r->parts[i].done && r->parts[i].elapsed_ticks < part->elapsed_ticks)
            return true;
    return false;
}

static void read_parts(void *user, struct team *team, unsigned self)
{
    struct reader *r = user;
    unsigned size = team ? team_size(team) : 1;
    for (unsigned i = self; i < r->nparts; i += size) {
        struct part *part = &r->parts[i];
        bool alone = size < r->nparts;
        struct stream_batch batch;
        bool more = true;
        while (more) {
            more = r->source->next(part->streams, &batch);
            pthread_mutex_lock(&r->lock);
            if (more)
                r->failed |= !take_batch(r, &batch);
            part->elapsed_ticks = more ? batch.elapsed_ticks : 0;
            part->widens |= count_waiting(r) > WAITING_TOO_MANY;
            part->done = !more;
            r->failed |= r->source->failed(part->streams);
            pthread_cond_broadcast(&r->moved);
            while (!alone && more && is_ahead(r, part))
                pthread_cond_wait(&r->moved, &r->lock);
            more &= !r->failed;
            part->done |= !more;
            pthread_mutex_unlock(&r->lock);
        }
    }
}

/* Returns true if there are fewer clocks than `most`. Clocks are numbered from 0. */
static bool has_few_clocks(const struct reader *r, size_t most)
{
    bool few = true;
    for (size_t i = 0; i < r->nlocations; i++)
        few &= r->clocks[i] < most;
    return few;
}

static csy_status read_locations(struct reader *r, const struct streams_rules *rules,
                                 const struct shared_keys *shared, csy_error *error)
{
    r->nlocations = r->source->count(r->trace);
    r->nparts = r->trace->workers < WORKERS_MOST ? r->trace->workers : WORKERS_MOST;
    r->nparts = r->nparts > r->nlocations ? 1 : r->nparts;
    r->clocks = calloc(r->nlocations + 1, sizeof *r->clocks);
    r->totals = calloc(r->nlocations + 1, sizeof *r->totals);
    r->tracers = calloc(r->nlocations + 1, sizeof *r->tracers);
    r->starts = malloc((r->nlocations + 1) * sizeof *r->starts);
    if (!r->clocks || !r->totals || !r->tracers || !r->starts)
        return error_memory(error);
    for (size_t i = 0; i < r->nlocations; i++)
        atomic_init(&r->starts[i], INT64_MAX);
    csy_status status = r->source->clocks(r->trace, r->clocks, error);
    r->few_clocks = has_few_clocks(r, rules->clocks_most);
    if (!status)
        status =
            match_stream_new(&(struct match_stream_rules){.nlocations = r->nlocations,
                                                          .clocks = r->clocks,
                                                          .tracers = r->tracers,
                                                          .shared = shared,
                                                          .latency_ticks = rules->latency_ticks,
                                                          .whole = r->source->whole},
                             &r->stream, error);
    if (!status)
        status = stream_members_new(&r->members, error);
    for (unsigned i = 0; i < r->nparts && !status; i++) {
        size_t all = r->nlocations / r->nparts + 1,
               limit = all < OPEN_MOST || r->nlocations > STREAMS_TOGETHER ? OPEN_MOST : all;
        const struct streams_part part = {.first = i,
                                          .step = r->nparts,
                                          .open_most = open_most(r->nparts, OPEN_MOST),
                                          .open_limit = open_most(r->nparts, limit),
                                          .chunk = STREAMS_CHUNK,
                                          .clocks = r->clocks,
                                          .starts = shared->count > 0 ? r->starts : NULL,
                                          .widens = widens,
                                          .user = &r->parts[i]};
        status = r->source->start(r->trace, &part, &r->parts[i].streams, error);
    }
    if (!status)
        team_run(r->nparts, read_parts, r);
    return status;
}

/* Returns false if there are several clocks, but no messages and operations that order them. */
static bool has_order(const struct reader *r)
{
    uint64_t sends = 0, receives = 0, operations = 0;
    for (size_t i = 0; i < r->nlocations; i++) {
        sends += r->totals[i].sends;
        receives += r->totals[i].receives;
        operations += r->totals[i].operations;
    }
    return (sends > 0 && receives > 0) || operations > 0 || has_few_clocks(r, 1);
}

/* Pass a send without a receive to r->match, or the first event of a location if `send` is NULL. */
static csy_status give(struct reader *r, size_t location, const struct match_stream_send *send,
                       csy_error *error)
{
    const struct stream_totals *totals = &r->totals[location];
    struct event event = {.thread = r->begins[location].thread,
                          .position = r->begins[location].position +
                                      (send ? send->item.position : totals->first_position)};
    struct event_roles roles;
    int64_t x, time_ticks = send ? send->item.time_ticks : totals->first_ticks;
    r->source->event(r->trace, location, send ? &send->item : NULL, &event);
    if (send && send->shared) {
        roles = *event.roles;
        roles.shared = true;
        event.roles = &roles;
    }
    event.stamp.time_ticks = event.local_ticks = time_ticks;
    if (!send && totals->first_begins) {
        event.stamp.interval = true;
        event.stamp.begin_ticks = totals->first_begin_ticks;
    }
    event.stamp.same = false; /* `same` is false because the match has not received all events */
    csy_status status = rebase_alone(r->rebase, event.thread, time_ticks, &x, error);
    return status ? status : match_event(r->match, &event, x, error);
}

/* Add the thread of a location to the timeline, with the location's first event. */
static csy_status add_thread(struct reader *r, size_t location, csy_error *error)
{
    const struct stream_totals *totals = &r->totals[location];
    struct timeline *timeline = r->timeline;
    uint64_t base = r->source->whole ? 0 : timeline->records;
    struct event event = {.position = base + totals->first_position, .track = NO_THREAD};
    int64_t x;
    r->source->event(r->trace, location, NULL, &event);
    event.stamp.time_ticks = totals->first_ticks;
    event.stamp.same = false;
    csy_status status = names_push(timeline->names, &event, r->trace, error);
    r->begins[location] = (struct stream_start){event.thread, base};
    timeline->records += totals->events;
    return status ? status : rebase_alone(r->rebase, event.thread, totals->first_ticks, &x, error);
}

/* Pass the first event of each location, and the first sends without receives, to r->match. */
static csy_status give_all(struct reader *r, const struct match_stream_result *met,
                           csy_error *error)
{
    size_t n = met->nunmatched < CSY_UNUSED_LISTED ? (size_t)met->nunmatched : CSY_UNUSED_LISTED;
    csy_status status = CSY_OK;
    for (size_t l = 0; l < r->nlocations && !status; l++) {
        bool sends = false;
        if (r->totals[l].events == 0)
            continue;
        status = add_thread(r, l, error);
        for (size_t i = 0; i < n; i++)
            sends |= met->unmatched[i].location == l &&
                     met->unmatched[i].item.position == r->totals[l].first_position;
        if (!status && !sends)
            status = give(r, l, NULL, error);
    }
    for (size_t l = 0; l < r->nlocations && !status; l++)
        if (r->totals[l].events > 0) {
            const struct stream_totals *totals = &r->totals[l];
            const struct stream_start *start = &r->begins[l];
            uint64_t last =
                r->source->whole ? totals->last_position : start->position + totals->events - 1;
            int64_t ignored;
            if (totals->events > 1)
                threads_take_run(&r->timeline->threads, start->thread,
                                 &(struct thread_run){totals->events - 1, last, totals->last_ticks,
                                                      totals->first_ticks, totals->last_ticks});
            status = rebase_alone(r->rebase, start->thread, totals->last_ticks, &ignored, error);
        }
    for (size_t i = 0; i < n && !status; i++)
        status = give(r, met->unmatched[i].location, &met->unmatched[i], error);
    return status;
}

static void forget_all(struct reader *r)
{
    for (unsigned i = 0; i < r->nparts; i++) {
        r->source->stop(r->parts[i].streams);
        r->parts[i] = (struct part){.streams = NULL};
    }
    match_stream_free(r->stream);
    stream_members_free(r->members);
    FREE_ALL(r->clocks, r->totals, r->tracers, r->starts);
    r->stream = NULL;
    r->members = NULL;
    r->failed = false;
}

/* Read all locations, and read them again if locations turn out to share further channels. */
static csy_status read_all(struct reader *r, const struct streams_rules *rules,
                           struct shared_keys *shared, csy_error *error)
{
    csy_status status = read_locations(r, rules, shared, error);
    if (status || r->failed || !match_stream_finds_shared(r->stream))
        return status;
    if (!match_stream_list_shared(r->stream, shared))
        return error_memory(error);
    forget_all(r);
    return read_locations(r, rules, shared, error);
}

csy_status fast_streams_read(struct timeline *timeline, const struct streams_rules *rules,
                             struct rebase *rebase, struct match *match,
                             struct streams_found *found, csy_error *error)
{
    struct csy_trace *trace = timeline->trace;
    struct reader r = {.trace = trace,
                       .source = trace->source->streams,
                       .timeline = timeline,
                       .rebase = rebase,
                       .match = match};
    struct match_stream_result met = {0};
    struct stream_members_result members = {0};
    *found = (struct streams_found){.shared = found->shared};
    if (!r.source)
        return CSY_OK;
    if (pthread_mutex_init(&r.lock, NULL) != 0 || pthread_cond_init(&r.moved, NULL) != 0)
        return error_memory(error);
    csy_status status = read_all(&r, rules, &found->shared, error);
    /* The ordinary path leaves out channels with missing sends. Here they were already matched. */
    bool lacks = !status && trace->sends == SENDS_UNKNOWN && match_stream_is_uneven(r.stream);
    found->good = !status && !r.failed && !lacks && has_order(&r) &&
                  match_stream_finish(r.stream, &met) && stream_members_finish(r.members, &members);
    found->open = met.open;
    found->members = members.members;
    found->nmembers = members.nmembers;
    if (found->good) {
        struct streams *streams[WORKERS_MOST];
        for (unsigned i = 0; i < r.nparts; i++)
            streams[i] = r.parts[i].streams;
        if (r.source->end)
            r.source->end(r.trace, streams, r.nparts);
        found->nlocations = r.nlocations;
        found->starts = calloc(r.nlocations + 1, sizeof *found->starts);
        r.begins = found->starts;
        status = found->starts ? give_all(&r, &met, error) : error_memory(error);
        struct match_thinned thinned = {.messages = met.messages,
                                        .several = met.several,
                                        .groups = members.groups,
                                        .enters = members.enters,
                                        .leaves = members.leaves,
                                        .raw = met.raw};
        bool corrected = false;
        if (met.nunmatched > CSY_UNUSED_LISTED)
            thinned.unmatched[0] = met.nunmatched - CSY_UNUSED_LISTED;
        thinned.raw.known = true;
        for (size_t i = 0; i < r.nlocations; i++)
            corrected |= r.tracers[i].count > 0;
        if (corrected)
            thinned.tracer = met.tracer;
        thinned.tracer.known = corrected;
        match_set_thinned(match, &thinned);
    }
    forget_all(&r);
    pthread_mutex_destroy(&r.lock);
    pthread_cond_destroy(&r.moved);
    if (status == CSY_INPUT) { /* the ordinary way to read the trace gives a better message */
        status = CSY_OK;
        found->good = false;
    }
    return status;
}
