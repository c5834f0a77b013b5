/* Counts and checks the events of locations that are read separately. */
#include "fast/fast.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/team.h"
#include "order/match.h"
#include "order/operations.h"
#include "trace/streams.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS_MOST = 2 };

#define NONE UINT32_MAX

/* Timestamps of operations must be below this limit, so that sums of a few fit in 64 bits. */
#define TICKS_MAX ((int64_t)1 << 61)

/* Index 0 of the arrays is for the sends of the channel, and 1 for its receives. */
struct channel {
    uint64_t counts[2];
    uint32_t locations[2]; /* location of the first send or receive, or NONE */
    /* the last send or receive: its position, and the time when it was posted */
    uint64_t posted_position[2];
    int64_t posted_ticks[2];
    uint32_t next;   /* number of the channel found last time after this one, to try first */
    bool shared;     /* true if several locations of one clock send to it, or several receive */
    bool interval;   /* true if a send or receive has a begin */
    bool disordered; /* true if sends or receives are not in the order they were posted */
};

/* A member of a group, which takes part in collective operations. */
struct member {
    struct stream_member of;
    uint32_t location;
    uint32_t ranks; /* expected number of members of the group */
    uint32_t instance;
    uint64_t count; /* number of operations of the member */
    int64_t began_ticks;
};

struct reader {
    struct csy_trace *trace;
    const struct stream_reading *source;
    size_t nlocations;
    uint32_t *clocks;                      /* number of each location's clock */
    struct stream_totals *totals;          /* counts of each location's events */
    struct streams *streams[WORKERS_MOST]; /* streams[i] reads part i of the trace */
    unsigned nparts;
    pthread_mutex_t lock;
    bool few_clocks; /* true if the clocks are few enough for a trace with collective operations */
    struct texts *keys, member_keys; /* number the channels by their keys, and the members */
    struct channel *channels;        /* indexed by the channel's number in `keys` */
    size_t nchannels, channels_capacity;
    uint32_t last; /* number of the channel that was found last */
    struct member *members;
    size_t nmembers, members_capacity;
    bool failed;
    /* The members below receive the results. */
    struct timeline *timeline;
    struct rebase *rebase;
    struct match *match;
    struct stream_start *begins;
};

static struct channel *find_channel(struct reader *r, const uint32_t key[4])
{
    uint32_t last = r->last, number = last < r->nchannels ? r->channels[last].next : NONE;
    if (!texts_find_guess(r->keys, (const char *)key, 4 * sizeof *key, &number) ||
        !ARRAY_EXTEND(r->channels, r->nchannels, r->channels_capacity, (size_t)number + 1,
                      (struct channel){.locations = {NONE, NONE},
                                       .posted_ticks = {INT64_MIN, INT64_MIN},
                                       .next = NONE}))
        return NULL;
    r->last = number;
    r->channels[last < r->nchannels ? last : number].next = number;
    return &r->channels[number];
}

/* Count a send or a receive. Returns false if out of memory, or if several locations send, or
 * several receive, that have different clocks or alternate in the trace. */
static bool take_end(struct reader *r, uint32_t location, const struct stream_item *item)
{
    bool recv = item->role == STREAM_RECV;
    struct channel *channel = find_channel(r, item->key);
    if (!channel)
        return false;
    if (channel->counts[recv]++ == 0)
        channel->locations[recv] = location;
    uint32_t first = channel->locations[recv];
    if (first != location && (r->source->whole || r->clocks[first] != r->clocks[location]))
        return false;
    int64_t *ticks = &channel->posted_ticks[recv];
    uint64_t *position = &channel->posted_position[recv];
    channel->shared |= first != location;
    channel->interval |= item->interval;
    /* If two were posted at the same time, their order in the trace counts. */
    channel->disordered |=
        item->other_ticks < *ticks || (item->other_ticks == *ticks && item->position <= *position);
    *ticks = item->other_ticks;
    *position = item->position;
    return true;
}

/* Count an operation. Returns false if out of memory, or if order/walk.h cannot match it: for
 * example, a member has several locations, or begins are unknown or not in order. */
static bool take_member(struct reader *r, uint32_t location, const struct stream_item *item)
{
    const struct event_collective is = stream_item_collective(item);
    const struct stream_member of = {item->key[0], item->key[3]};
    uint32_t number;
    if (!r->few_clocks || of.rank == NONE || item->time_ticks < 0 ||
        item->time_ticks >= TICKS_MAX || (operation_is_rooted(is.kind) && !item->has_root) ||
        !texts_find(&r->member_keys, (const char *)&of, sizeof of, &number, NULL) ||
        !ARRAY_EXTEND(r->members, r->nmembers, r->members_capacity, (size_t)number + 1,
                      (struct member){.of = of, .location = location, .ranks = item->ranks}))
        return false;
    struct member *member = &r->members[number];
    if (member->location != location ||
        (item->interval ? item->other_ticks < member->began_ticks : operation_enters(&is)) ||
        (item->has_instance && member->count > 0 && item->key[2] <= member->instance))
        return false;
    member->instance = item->key[2];
    member->count++;
    member->began_ticks = item->interval ? item->other_ticks : member->began_ticks;
    return true;
}

static void read_parts(void *user, struct team *team, unsigned self)
{
    struct reader *r = user;
    unsigned size = team ? team_size(team) : 1;
    for (unsigned i = self; i < r->nparts; i += size) {
        struct stream_batch batch;
        bool good = true;
        while (good && streams_next(r->streams[i], &batch)) {
            pthread_mutex_lock(&r->lock);
            for (size_t k = 0; k < batch.count && good; k++) {
                const struct stream_item *item = &batch.items[k];
                if (item->role != STREAM_PLAIN)
                    good = (item->role == STREAM_MEMBER ? take_member : take_end)(
                        r, (uint32_t)batch.location, item);
            }
            if (batch.ended)
                r->totals[batch.location] = batch.totals;
            r->failed |= !good;
            good = !r->failed;
            pthread_mutex_unlock(&r->lock);
        }
        pthread_mutex_lock(&r->lock);
        r->failed |= r->streams[i]->failed;
        pthread_mutex_unlock(&r->lock);
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

static csy_status read_locations(struct reader *r, size_t clocks_most, csy_error *error)
{
    r->nlocations = r->source->count(r->trace);
    r->nparts = r->trace->workers < WORKERS_MOST ? r->trace->workers : WORKERS_MOST;
    r->nparts = r->nparts > r->nlocations ? 1 : r->nparts;
    r->clocks = calloc(r->nlocations + 1, sizeof *r->clocks);
    r->totals = calloc(r->nlocations + 1, sizeof *r->totals);
    if (!r->clocks || !r->totals)
        return error_memory(error);
    csy_status status = r->source->clocks(r->trace, r->clocks, error);
    r->few_clocks = has_few_clocks(r, clocks_most);
    for (unsigned i = 0; i < r->nparts && !status; i++) {
        const struct streams_part part = {
            .first = i, .step = r->nparts, .open_most = 1, .chunk = STREAMS_CHUNK};
        status = streams_start(r->trace, &part, &r->streams[i], error);
    }
    if (!status)
        team_run(r->nparts, read_parts, r);
    return status;
}

/* Returns false if there are several clocks, but no messages or operations to compare them. */
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

/* Add the thread of a location to the timeline, and pass the location's first event to r->match. */
static csy_status add_thread(struct reader *r, size_t location, csy_error *error)
{
    const struct stream_totals *totals = &r->totals[location];
    struct timeline *timeline = r->timeline;
    uint64_t base = r->source->whole ? 0 : timeline->records;
    struct event event = {.position = base + totals->first_position, .track = NO_THREAD};
    int64_t x;
    r->source->event(r->trace, location, NULL, &event);
    event.stamp.time_ticks = event.local_ticks = totals->first_ticks;
    event.stamp.same = false;
    csy_status status = names_push(timeline->names, &event, r->trace, error);
    r->begins[location] = (struct stream_start){event.thread, base};
    timeline->records += totals->events;
    if (!status)
        status = rebase_alone(r->rebase, event.thread, totals->first_ticks, &x, error);
    event.stamp.interval = totals->first_begins;
    event.stamp.begin_ticks = totals->first_begin_ticks;
    return status ? status : match_event(r->match, &event, x, error);
}

/* Pass the threads of all locations to the timeline. */
static csy_status give_all(struct reader *r, csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t l = 0; l < r->nlocations && !status; l++)
        if (r->totals[l].events > 0)
            status = add_thread(r, l, error);
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
    return status;
}

/* Count messages and list channels. Returns false if out of memory, or if order/walk.h cannot match
 * a channel. */
static bool finish_channels(const struct reader *r, struct streams_found *found,
                            struct match_thinned *thinned)
{
    found->channels = malloc((r->nchannels + 1) * sizeof *found->channels);
    bool good = found->channels != NULL;
    for (size_t i = 0; i < r->nchannels && good; i++) {
        const struct channel *channel = &r->channels[i];
        uint64_t sends = channel->counts[0], receives = channel->counts[1];
        bool uneven = receives > 0 && sends > receives;
        thinned->messages += receives;
        thinned->several += receives > 1 || uneven;
        good = receives <= sends && !(channel->shared ? channel->interval : channel->disordered) &&
               !(uneven && r->trace->sends == SENDS_UNKNOWN);
        found->channels[i] = (struct stream_channel){channel->shared, uneven};
        found->nshared += channel->shared;
    }
    return good;
}

static int compare_members(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    return COMPARE_THEN(x->of.group, y->of.group, COMPARE(x->of.rank, y->of.rank));
}

/* List all members. Returns false if out of memory, or if order/walk.h cannot match them. */
static bool finish_members(struct reader *r, struct streams_found *found)
{
    bool good = true;
    SORT(r->members, r->nmembers, compare_members);
    found->members = malloc((r->nmembers + 1) * sizeof *found->members);
    if (!found->members)
        return false;
    for (size_t i = 0, first = 0; i < r->nmembers && good; i++) {
        const struct member *member = &r->members[i];
        first = member->of.group == r->members[first].of.group ? first : i;
        /* all members of a group must have the same number of operations */
        good = member->count == r->members[first].count && i - first < member->ranks;
        found->members[found->nmembers++] = member->of;
    }
    return good;
}

void streams_found_fini(struct streams_found *found)
{
    texts_fini(&found->keys);
    FREE_ALL(found->starts, found->members, found->channels);
    *found = (struct streams_found){.good = false};
}

csy_status fast_streams_read(struct timeline *timeline, size_t clocks_most, struct rebase *rebase,
                             struct match *match, struct streams_found *found, csy_error *error)
{
    struct csy_trace *trace = timeline->trace;
    struct reader r = {.trace = trace,
                       .source = trace->source->streams,
                       .timeline = timeline,
                       .rebase = rebase,
                       .match = match,
                       .keys = &found->keys,
                       .last = NONE};
    struct match_thinned thinned = {.messages = 0};
    if (!r.source)
        return CSY_OK;
    if (pthread_mutex_init(&r.lock, NULL) != 0)
        return error_memory(error);
    csy_status status = read_locations(&r, clocks_most, error);
    found->good = !status && !r.failed && has_order(&r) && finish_channels(&r, found, &thinned) &&
                  finish_members(&r, found);
    if (found->good) {
        if (r.source->end)
            r.source->end(r.trace, r.streams, r.nparts);
        found->has_roles = r.nchannels + r.nmembers > 0;
        found->nlocations = r.nlocations;
        found->starts = calloc(r.nlocations + 1, sizeof *found->starts);
        r.begins = found->starts;
        status = found->starts ? give_all(&r, error) : error_memory(error);
        *match_thinned(match) = thinned;
    }
    for (unsigned i = 0; i < r.nparts; i++)
        streams_stop(r.streams[i]);
    texts_fini(&r.member_keys);
    FREE_ALL(r.clocks, r.totals, r.channels, r.members);
    pthread_mutex_destroy(&r.lock);
    if (status == CSY_INPUT) { /* the ordinary way to read the trace gives a better message */
        status = CSY_OK;
        found->good = false;
    }
    return status;
}
