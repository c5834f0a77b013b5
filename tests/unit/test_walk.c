/* Locations that are read separately: random messages and operations against a count of all of
 * them, and traces that must be read in the ordinary way. */
#include "support.h"

#include "order/match.h"
#include "order/operations.h"
#include "order/walk.h"
#include "sync/partial_order.h"
#include "sync/solution.h"
#include "trace/source.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

enum { LOCATIONS = 5, CHANNELS = 8, MOST = 2000, KEYS = 16, TRIALS = 600, SHIFT = 7, GROUP = 3 };

struct located {
    struct stream_item items[MOST];
    size_t n, next; /* next: index of the next item to be read */
};

struct channel {
    uint32_t key[4];
    size_t locations[2];
    bool shared, used[2][LOCATIONS];
    struct stream_item sent[MOST]; /* sends in their order, with their locations */
    size_t senders[MOST], nsent, nreceived;
};

/* A trace, and what is to be found. */
static struct world {
    struct random r;
    struct located of[LOCATIONS];
    uint32_t clocks[LOCATIONS];
    struct channel channels[CHANNELS];
    size_t nchannels;
    size_t ranks, present; /* number of members that a group may have, and that it has */
    struct tracer_reading readings[LOCATIONS][2];
    csy_backward raw, tracer;
    struct match_thinned want;
    uint64_t nunmatched, unmatched[CSY_UNUSED_LISTED];
    size_t nshared;
} w;

/* --- A source of its items ----------------------------------------------------------------- */

struct stream {
    struct stream_file base;
    size_t next; /* the next item */
};

static size_t count_locations(struct csy_trace *trace)
{
    (void)trace;
    return LOCATIONS;
}

static csy_status number_clocks(const struct csy_trace *trace, uint32_t *clocks, csy_error *error)
{
    (void)trace, (void)error;
    memcpy(clocks, w.clocks, sizeof w.clocks);
    return CSY_OK;
}

static csy_status start(struct streams *streams, csy_error *error)
{
    (void)error;
    streams->nfiles = LOCATIONS;
    return CSY_OK;
}

static bool open_location(struct streams *streams, size_t number, struct stream_file **out)
{
    struct stream *s = calloc(1, sizeof *s);
    (void)streams;
    ck_assert_ptr_nonnull(s);
    s->base = (struct stream_file){.first = number, .nlocations = 1};
    *out = &s->base;
    return true;
}

/* Read some items of the location. */
static bool read_items(struct streams *streams, struct stream_file *file)
{
    struct stream *s = (void *)file;
    const struct located *of = &w.of[file->first];
    size_t to = s->next + (file->first + s->next) % 9 + 1;
    to = to > of->n ? of->n : to;
    for (; s->next < to; s->next++) {
        struct stream_item item = of->items[s->next];
        item.role = STREAM_PLAIN;
        if (streams->part.all)
            ck_assert(streams_add(streams, &item));
        if (of->items[s->next].role != STREAM_PLAIN)
            ck_assert(streams_add(streams, &of->items[s->next]));
        file->last_ticks = item.time_ticks;
    }
    file->ended = to == of->n;
    file->totals.events = of->n;
    file->totals.first_ticks = of->n > 0 ? of->items[0].time_ticks : 0;
    return true;
}

static void give(struct stream_file *file, struct stream_batch *batch)
{
    const struct stream *s = (void *)file;
    const struct located *of = &w.of[file->first];
    batch->totals = (struct stream_totals){.events = of->n};
    if (!file->ended) {
        batch->known = s->next;
        batch->known_ticks = of->items[s->next].time_ticks;
    }
    if (of->n > 0) {
        batch->totals.first_ticks = of->items[0].time_ticks;
        batch->totals.last_ticks = of->items[of->n - 1].time_ticks;
    }
    for (size_t i = 0; i < of->n; i++) {
        batch->totals.sends += of->items[i].role == STREAM_SEND;
        batch->totals.receives += of->items[i].role == STREAM_RECV;
        batch->totals.operations += of->items[i].role == STREAM_MEMBER;
    }
}

static void close_location(struct stream_file *file)
{
    free(file);
}

static void make_event(struct csy_trace *trace, size_t location, const struct stream_item *item,
                       struct event *event)
{
    static const char *const names[] = {"A", "B", "C", "D", "E"};
    static struct event_roles roles;
    static char key[KEYS];
    (void)trace;
    roles = (struct event_roles){.sync = false};
    event->roles = &roles;
    event->stamp = (struct named_stamp){.thread = names[location],
                                        .thread_size = 1,
                                        .clock = names[w.clocks[location]],
                                        .clock_size = 1};
    if (!item)
        return;
    event->stamp.interval = item->interval;
    event->stamp.begin_ticks = item->other_ticks;
    snprintf(key, sizeof key, "%u", item->key[0]);
    const csy_text text = {key, strlen(key)};
    *(item->role == STREAM_SEND   ? &roles.send
      : item->role == STREAM_RECV ? &roles.recv
                                  : &roles.members) = text;
}

static bool read_tracer(const struct csy_trace *trace, size_t index, struct tracer_thread *out)
{
    (void)trace;
    if (index < LOCATIONS)
        *out = (struct tracer_thread){.readings = w.readings[index], .count = 2};
    return index < LOCATIONS;
}

/* Synchronize a CSV whose only row is unreadable, but with the world's locations. Returns NULL if
 * this was not enough, so the row was read. */
static csy_sync *synchronize(csy_trace **trace)
{
    static const struct stream_reading reading = {.count = count_locations,
                                                  .clocks = number_clocks,
                                                  .start = start,
                                                  .open = open_location,
                                                  .read = read_items,
                                                  .give = give,
                                                  .close = close_location,
                                                  .event = make_event};
    static struct source source;
    static struct folder folder;
    csy_options options = options_default;
    csy_sync *sync = NULL;
    csy_error error;
    folder_open(&folder);
    const char *path = folder_file(&folder, "a.csv");
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs("# order=partial\nthread,time,send,recv\nA,unreadable,,\n", file);
    ck_assert_int_eq(fclose(file), 0);
    ck_ok(csy_trace_open(path, NULL, trace, &error), error);
    source = *(*trace)->source;
    source.streams = &reading;
    source.tracer = read_tracer;
    source.archive = true;
    (*trace)->source = &source;
    (*trace)->sends = SENDS_STATED;
    csy_status status = csy_trace_synchronize(*trace, &options, &sync, &error);
    if (status)
        ck_assert_ptr_nonnull(strstr(error.text, "unreadable"));
    else
        ck_assert_ptr_nonnull(sync->partial->walked);
    folder_close(&folder);
    return sync;
}

/* --- Random traces ---------------------------------------------------------------------------- */

static struct stream_item *add(size_t location, const struct stream_item *item)
{
    struct located *of = &w.of[location];
    ck_assert_uint_lt(of->n, MOST);
    struct stream_item *added = &of->items[of->n];
    *added = *item;
    added->position = added->place = of->n;
    added->before_ticks = of->n > 0 ? of->items[of->n - 1].time_ticks : 0;
    of->n++;
    return added;
}

static int64_t time_of(size_t location, int64_t now)
{
    return now + 10000 + 1000 * (int64_t)w.clocks[location];
}

/* Any location of the clock of the channel's own, if the channel is shared. */
static size_t draw_location(const struct channel *c, bool recv)
{
    size_t location = c->locations[recv];
    while (c->shared) {
        location = (size_t)random_between(&w.r, 0, LOCATIONS - 1);
        if (w.clocks[location] == w.clocks[c->locations[recv]])
            break;
    }
    return location;
}

static void draw_end(struct channel *c, bool recv, int64_t now)
{
    size_t location = draw_location(c, recv);
    struct stream_item item = {.time_ticks = time_of(location, now),
                               .role = recv ? STREAM_RECV : STREAM_SEND};
    item.other_ticks = item.time_ticks;
    memcpy(item.key, c->key, sizeof item.key);
    c->used[recv][location] = true;
    if (recv) {
        const struct stream_item *sent = &c->sent[c->nreceived];
        size_t from = c->senders[c->nreceived++];
        int64_t passage = item.time_ticks - sent->other_ticks;
        match_note_passage(&w.raw, passage);
        match_note_passage(
            &w.tracer, passage + SHIFT * ((int64_t)w.clocks[location] - (int64_t)w.clocks[from]));
        add(location, &item);
        return;
    }
    item.interval = !c->shared && random_chance(&w.r, 50);
    if (item.interval && random_chance(&w.r, 50))
        item.other_ticks--;
    c->senders[c->nsent] = location;
    c->sent[c->nsent++] = *add(location, &item);
}

/* All present members of the group do something together; ends come after all begins. */
static void draw_operation(int64_t now, uint32_t number)
{
    uint32_t root = (uint32_t)random_between(&w.r, 0, (int64_t)w.present - 1);
    bool sizes = random_chance(&w.r, 20);
    struct stream_item items[LOCATIONS];
    uint64_t enters = 0, leaves = 0;
    while ((enters > 0) != (leaves > 0) || enters + leaves == 0) {
        uint8_t kind = (uint8_t)random_between(&w.r, 0, COLLECTIVE_KINDS - 1);
        enters = leaves = 0;
        for (uint32_t rank = 0; rank < w.present; rank++) {
            items[rank] =
                (struct stream_item){.time_ticks = time_of(rank, now + 9),
                                     .other_ticks = time_of(rank, now + random_between(&w.r, 0, 8)),
                                     .key = {GROUP, root, number, rank},
                                     .ranks = (uint32_t)w.ranks,
                                     .role = STREAM_MEMBER,
                                     .kind = kind,
                                     .interval = true,
                                     .gives = !(sizes && random_chance(&w.r, 30)),
                                     .gets = !(sizes && random_chance(&w.r, 30)),
                                     .has_root = true,
                                     .has_instance = true};
            const struct event_collective is = stream_item_collective(&items[rank]);
            enters += operation_enters(&is);
            leaves += operation_leaves(&is);
        }
    }
    for (size_t rank = 0; rank < w.present; rank++)
        add(rank, &items[rank]);
    w.want.groups++;
    w.want.enters += enters;
    w.want.leaves += leaves;
}

static bool has_several(const struct channel *c)
{
    size_t n[2] = {0, 0};
    for (size_t l = 0; l < 2 * LOCATIONS; l++)
        n[l % 2] += c->used[l % 2][l / 2];
    return n[0] > 1 || n[1] > 1;
}

static int by_place(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void draw_world(uint64_t trial)
{
    static uint64_t unmatched[CHANNELS * MOST];
    memset(&w, 0, sizeof w);
    w.r = random_trial(trial);
    for (size_t i = 0; i < LOCATIONS; i++) {
        w.clocks[i] = i == 0 ? 0 : (uint32_t)random_between(&w.r, 0, (int64_t)i);
        for (size_t k = 0; k < 2; k++)
            w.readings[i][k] =
                (struct tracer_reading){100 * (int64_t)k, SHIFT * (int64_t)w.clocks[i], 0};
    }
    w.ranks = (size_t)random_between(&w.r, 2, LOCATIONS);
    w.present = w.ranks - (w.ranks > 2 && random_chance(&w.r, 20));
    w.nchannels = (size_t)random_between(&w.r, 1, CHANNELS);
    for (uint32_t i = 0; i < w.nchannels; i++) {
        struct channel *c = &w.channels[i];
        *c = (struct channel){.key = {i, 1, 2, 7}, .shared = random_chance(&w.r, 40)};
        c->locations[0] = (size_t)random_between(&w.r, 0, LOCATIONS - 1);
        c->locations[1] = (size_t)random_between(&w.r, 0, LOCATIONS - 1);
    }
    int64_t now = 0;
    uint32_t operations = random_chance(&w.r, 50) ? 0 : UINT32_MAX / 2;
    for (int64_t steps = random_between(&w.r, 1, 200); steps > 0; steps--) {
        struct channel *c = &w.channels[random_between(&w.r, 0, (int64_t)w.nchannels - 1)];
        now += random_between(&w.r, 2, 9);
        if (operations > 0 && random_chance(&w.r, 10)) {
            draw_operation(now, operations++);
            now += 9;
        } else if (c->nsent > c->nreceived && random_chance(&w.r, 60)) {
            draw_end(c, true, now);
        } else if (random_chance(&w.r, 80)) {
            draw_end(c, false, now);
        } else {
            size_t location = (size_t)random_between(&w.r, 0, LOCATIONS - 1);
            int64_t ticks = time_of(location, now);
            add(location, &(struct stream_item){
                              .time_ticks = ticks, .other_ticks = ticks, .role = STREAM_PLAIN});
        }
    }
    uint64_t starts[LOCATIONS] = {0};
    for (size_t l = 1; l < LOCATIONS; l++)
        starts[l] = starts[l - 1] + w.of[l - 1].n;
    for (size_t i = 0; i < w.nchannels; i++) {
        const struct channel *c = &w.channels[i];
        w.want.messages += c->nreceived;
        w.want.several += c->nreceived > 1 || (c->nreceived > 0 && c->nsent > c->nreceived);
        w.nshared += has_several(c);
        for (size_t k = c->nreceived; k < c->nsent; k++)
            unmatched[w.nunmatched++] = starts[c->senders[k]] + c->sent[k].position;
    }
    qsort(unmatched, (size_t)w.nunmatched, sizeof *unmatched, by_place);
    for (size_t i = 0; i < CSY_UNUSED_LISTED && i < w.nunmatched; i++)
        w.unmatched[i] = unmatched[i];
}

static void assert_same(const csy_backward *got, const csy_backward *want)
{
    ck_assert_uint_eq(got->count, want->count);
    ck_assert_int_eq(got->largest_ticks, want->largest_ticks);
}

static void compare(const csy_sync *sync)
{
    const struct match_thinned *got = match_thinned(sync->partial->match);
    const csy_matched *matched = sync->matched;
    const struct walked *walked = sync->partial->walked;
    ck_assert_uint_eq(matched->messages, w.want.messages);
    ck_assert_uint_eq(matched->groups, w.want.groups);
    ck_assert_uint_eq(matched->enters, w.want.enters);
    ck_assert_uint_eq(matched->leaves, w.want.leaves);
    ck_assert_uint_eq(matched->several, w.want.several);
    ck_assert_uint_eq(matched->nunused, w.nunmatched > 0);
    ck_assert(got->raw.known && got->tracer.known);
    assert_same(&got->raw, &w.raw);
    assert_same(&got->tracer, &w.tracer);
    ck_assert_uint_eq(walked->found.nshared, w.nshared);
    ck_assert_uint_eq(walked->found.nmembers, w.want.groups > 0 ? w.present : 0);
    for (size_t i = 0; i < walked->found.nmembers; i++)
        ck_assert(walked->found.members[i].group == GROUP && walked->found.members[i].rank == i);
    if (w.nunmatched == 0)
        return;
    const csy_unused *unused = matched->unused;
    ck_assert(unused->end == CSY_END_SEND && unused->why == CSY_LEFT_UNMATCHED);
    ck_assert_uint_eq(unused->count, w.nunmatched);
    for (size_t i = 0; i < unused->nlisted; i++)
        ck_assert_uint_eq(unused->listed[i].record, w.unmatched[i]);
}

START_TEST(all_messages_and_operations_are_counted)
{
    uint64_t messages = 0, unmatched = 0, nshared = 0, groups = 0, missing = 0, walked = 0;
    for (uint64_t trial = 0; trial < (uint64_t)trials_of(TRIALS); trial++) {
        csy_trace *trace;
        draw_world(trial);
        csy_sync *sync = synchronize(&trace);
        if (sync) {
            compare(sync);
            walked++;
            messages += w.want.messages;
            unmatched += w.nunmatched;
            nshared += w.nshared;
            groups += w.want.groups;
            missing += w.want.groups > 0 && w.present < w.ranks;
        }
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    ck_assert_uint_gt(walked, (uint64_t)trials_of(TRIALS) / 2);
    ck_assert_uint_gt(messages, (uint64_t)trials_of(TRIALS));
    ck_assert_uint_gt(unmatched, (uint64_t)trials_of(TRIALS));
    ck_assert_uint_gt(groups, (uint64_t)trials_of(TRIALS));
    ck_assert_of_trials(nshared > 0 && missing > 0);
}
END_TEST

/* --- Traces that can or cannot be read in this way; locations 0 and 2 share a clock -------- */

static void begin_world(void)
{
    memset(&w, 0, sizeof w);
    w.clocks[1] = 1;
    w.clocks[3] = 2;
    w.clocks[4] = 3;
    for (size_t i = 0; i < LOCATIONS; i++)
        w.readings[i][1].at_ticks = 100;
}

static bool can_walk(void)
{
    csy_trace *trace;
    csy_sync *sync = synchronize(&trace);
    bool walked = sync != NULL;
    csy_sync_free(sync);
    csy_trace_free(trace);
    return walked;
}

struct given {
    size_t location;
    struct stream_item item;
};

static struct given end_of(enum stream_role role, size_t location, int64_t ticks)
{
    return (struct given){
        location, {.time_ticks = ticks, .other_ticks = ticks, .key = {1}, .role = (uint8_t)role}};
}

/* Channel 2 also has a message, so that the trace always has some. */
static bool can_meet(const struct given *ends, size_t n)
{
    begin_world();
    add(3, &(struct stream_item){.other_ticks = 0, .key = {2}, .role = STREAM_SEND});
    add(4, &(struct stream_item){.other_ticks = 0, .key = {2}, .role = STREAM_RECV});
    for (size_t i = 0; i < n; i++)
        add(ends[i].location, &ends[i].item);
    return can_walk();
}

#define GIVEN(...)                                                                                 \
    (const struct given[]){__VA_ARGS__},                                                           \
        sizeof((const struct given[]){__VA_ARGS__}) / sizeof(struct given)
#define SEND(location, ticks) end_of(STREAM_SEND, location, ticks)
#define RECV(location, ticks) end_of(STREAM_RECV, location, ticks)

START_TEST(messages_that_need_all_events_are_refused)
{
    ck_assert(can_meet(GIVEN(SEND(0, 5), RECV(1, 3))));
    ck_assert(can_meet(GIVEN(RECV(1, 3), SEND(0, 5), SEND(0, 5))));
    ck_assert(!can_meet(GIVEN(SEND(0, 5), SEND(1, 6)))); /* clocks of senders */
    ck_assert(!can_meet(GIVEN(SEND(0, 5), SEND(0, 6), RECV(1, 9), RECV(3, 9))));
    ck_assert(!can_meet(GIVEN(RECV(1, 3)))); /* a send is missing */
    ck_assert(!can_meet(GIVEN(SEND(0, 5), RECV(1, 6), RECV(1, 7))));
    ck_assert(can_meet(GIVEN(SEND(0, 5), RECV(2, 5))));  /* one clock, no time between */
    ck_assert(!can_meet(GIVEN(RECV(0, 5), SEND(0, 6)))); /* to itself, from later on */
    ck_assert(can_meet(GIVEN(SEND(0, 5), RECV(2, 6))));
    struct given late = RECV(1, 5), begins = SEND(0, 5);
    late.item.other_ticks = 2;
    ck_assert(can_meet(GIVEN(SEND(0, 1), SEND(0, 1), RECV(1, 3), RECV(1, 3))));
    ck_assert(!can_meet(GIVEN(SEND(0, 1), SEND(0, 1), RECV(1, 3), late))); /* order of posting */
    /* Several locations of one clock share a channel by time. */
    ck_assert(can_meet(GIVEN(SEND(0, 5), SEND(2, 6), RECV(1, 3))));
    ck_assert(can_meet(GIVEN(SEND(0, 9), SEND(2, 6), RECV(1, 3), RECV(1, 3))));
    begins.item.interval = true;
    ck_assert(can_meet(GIVEN(begins, RECV(1, 6))));
    ck_assert(!can_meet(GIVEN(begins, SEND(2, 6), RECV(1, 6))));
    ck_assert(can_meet(GIVEN(SEND(0, 5), SEND(0, 7), RECV(2, 6), RECV(0, 8))));
    ck_assert(can_meet(GIVEN(SEND(0, 5), SEND(0, 7), RECV(2, 6), RECV(2, 7))));
}
END_TEST

struct taken {
    size_t location;
    uint32_t rank;
    int64_t begin_ticks, end_ticks; /* begin_ticks < 0: no begin */
    enum collective_kind kind;
    uint32_t root;
};

static void add_operation(const struct taken *at, uint32_t ranks, int64_t later)
{
    add(at->location, &(struct stream_item){.time_ticks = later + at->end_ticks,
                                            .other_ticks = later + at->begin_ticks,
                                            .key = {1, at->root, at->kind, at->rank},
                                            .ranks = ranks,
                                            .role = STREAM_MEMBER,
                                            .kind = (uint8_t)at->kind,
                                            .interval = at->begin_ticks >= 0,
                                            .gives = true,
                                            .gets = true,
                                            .has_root = at->root != UINT32_MAX});
}

static bool can_operate(uint32_t ranks, size_t times, const struct taken *taken, size_t n)
{
    begin_world();
    for (size_t i = 0; i < n * times; i++)
        add_operation(&taken[i % n], ranks, (int64_t)(i / n) * 100);
    return can_walk();
}

#define CAN_OPERATE(ranks, times, ...)                                                             \
    can_operate(ranks, times, (const struct taken[]){__VA_ARGS__},                                 \
                sizeof((const struct taken[]){__VA_ARGS__}) / sizeof(struct taken))

START_TEST(operations_that_need_all_events_are_refused)
{
    static const enum collective_kind B = COLLECTIVE_BARRIER, C = COLLECTIVE_BCAST;
    enum { MANY = 50 };
    const uint32_t no = UINT32_MAX;
    ck_assert(CAN_OPERATE(2, 1, {0, 0, 1, 5, B, no}, {1, 1, 2, 4, B, no}));
    ck_assert(CAN_OPERATE(2, MANY, {0, 0, 1, 5, B, no}, {1, 1, 2, 4, B, no}));
    ck_assert(CAN_OPERATE(3, MANY, {0, 0, 1, 5, B, no}, {1, 1, 2, 4, B, no})); /* one is missing */
    ck_assert(!CAN_OPERATE(1, 1, {0, 0, 1, 5, B, no}, {1, 1, 2, 4, B, no}));   /* too many */
    ck_assert(!CAN_OPERATE(2, 1, {0, 0, 1, 5, B, no}, {1, 1, 2, 4, C, 0}));    /* other kinds */
    ck_assert(!CAN_OPERATE(2, 1, {0, 0, 1, 5, C, 0}, {1, 1, 2, 4, C, 1}));     /* roots */
    ck_assert(!CAN_OPERATE(2, 1, {0, 0, 1, 5, C, no}, {1, 1, 2, 4, C, no}));   /* none */
    ck_assert(!CAN_OPERATE(2, 1, {0, 0, 1, 5, B, no}, {3, 0, 6, 8, B, no}));   /* a rank at two */
    ck_assert(!CAN_OPERATE(2, 1, {0, 0, -1, 5, B, no}, {1, 1, 2, 4, B, no}));  /* no begin */
    ck_assert(CAN_OPERATE(2, 1, {0, 0, 1, 5, C, 0}, {1, 1, -1, 4, C, 0}));     /* none is needed */
    ck_assert(!CAN_OPERATE(1, 1, {0, 0, 1, 5, C, 0}));                         /* none leaves */
    ck_assert(!CAN_OPERATE(2, 1, {0, 0, 3, 5, B, no}, {0, 0, 1, 9, B, no}));   /* not in order */
    ck_assert(!CAN_OPERATE(2, 1, {0, 0, 1, 5, B, no}, {1, 1, 2, 4, B, no}, {0, 0, 7, 9, B, no}));
    ck_assert(!CAN_OPERATE(2, 1, {0, 0, 1, 5, B, no}, {1, 1, 2, 4, B, no}, {3, 2, 7, 9, B, no}));
    ck_assert(!CAN_OPERATE(2, 1, {0, 0, 1, INT64_MAX, B, no}, {1, 1, 2, 4, B, no}));
}
END_TEST

/* True if barriers of two ranks that state these instances, in this order, can be matched. */
static bool agree(size_t n, const uint32_t instances[])
{
    begin_world();
    for (size_t i = 0; i < n; i++)
        add(i % 2, &(struct stream_item){.time_ticks = (int64_t)i + 1,
                                         .other_ticks = (int64_t)i,
                                         .key = {1, UINT32_MAX, instances[i], i % 2},
                                         .ranks = 2,
                                         .role = STREAM_MEMBER,
                                         .kind = COLLECTIVE_BARRIER,
                                         .interval = true,
                                         .gives = true,
                                         .gets = true,
                                         .has_instance = true});
    return can_walk();
}

START_TEST(instances_agree_and_increase)
{
    ck_assert(agree(4, (const uint32_t[]){4, 4, 6, 6}));
    ck_assert(!agree(2, (const uint32_t[]){4, 5}));
    ck_assert(!agree(4, (const uint32_t[]){4, 4, 6, 7}));
    ck_assert(!agree(4, (const uint32_t[]){4, 4, 4, 4}));
    ck_assert(!agree(4, (const uint32_t[]){4, 4, 3, 3}));
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("walk");
    tcase_add_test(tests, all_messages_and_operations_are_counted);
    tcase_add_test(tests, messages_that_need_all_events_are_refused);
    tcase_add_test(tests, operations_that_need_all_events_are_refused);
    tcase_add_test(tests, instances_agree_and_increase);
    return unit_run();
}
