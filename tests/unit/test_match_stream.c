/* Messages that are met by a key while they come, against a count of all of them. */
#include "support.h"

#include "order/match_stream.h"

#include <stdlib.h>
#include <string.h>

enum { LOCATIONS = 5, CHANNELS = 8, MOST = 12, TRIALS = 3000, SHIFT = 7 };

struct message {
    struct stream_item ends[2];
    size_t locations[2];
    bool fed[2]; /* they have come */
    bool sent_only;
};

struct channel {
    uint32_t key[4];
    size_t locations[2];
    bool shared; /* other locations of their clocks have ends, too */
    struct message messages[MOST];
    size_t n;
};

struct world {
    uint32_t clocks[LOCATIONS];
    struct tracer_reading readings[LOCATIONS][2];
    struct tracer_thread tracers[LOCATIONS];
    uint64_t positions[LOCATIONS];
    struct channel channels[CHANNELS];
    size_t nchannels;
    int64_t latency;
};

/* Any location of the clock of the channel's own. */
static size_t draw_location(struct random *r, const struct world *w, const struct channel *c,
                            bool recv)
{
    size_t location = c->locations[recv];
    while (c->shared) {
        location = (size_t)random_between(r, 0, LOCATIONS - 1);
        if (w->clocks[location] == w->clocks[c->locations[recv]])
            break;
    }
    return location;
}

static void draw_end(struct random *r, struct world *w, const struct channel *c, struct message *m,
                     bool recv)
{
    size_t location = m->locations[recv] = draw_location(r, w, c, recv);
    m->ends[recv] = (struct stream_item){.position = w->positions[location]++,
                                         .place = random_bits(r) >> 17,
                                         .role = recv ? STREAM_RECV : STREAM_SEND};
    memcpy(m->ends[recv].key, c->key, sizeof c->key);
}

/* When its message left, not before that of the send before it, and the event before it. */
static void draw_begin(struct random *r, struct stream_item *send, const struct message *before)
{
    send->other_ticks = send->time_ticks;
    if (random_chance(r, 50))
        send->other_ticks -= random_between(r, 0, 9);
    if (before && send->other_ticks < before->ends[0].other_ticks)
        send->other_ticks = before->ends[0].other_ticks;
    send->interval = send->other_ticks < send->time_ticks || random_chance(r, 50);
    send->before_ticks = send->other_ticks + random_between(r, -1, 1);
    if (send->before_ticks > send->time_ticks)
        send->before_ticks = send->time_ticks;
}

/* Whether a channel has ends at several locations each way. */
static bool has_several(const struct channel *c)
{
    bool several = false;
    for (size_t k = 1; k < c->n; k++) {
        const struct message *m = &c->messages[k];
        several |= m->locations[0] != c->messages->locations[0] ||
                   (!m->sent_only && m->locations[1] != c->messages->locations[1]);
    }
    return several;
}

static void draw_world(struct random *r, struct world *w)
{
    *w = (struct world){.latency = random_between(r, 0, 3)};
    for (size_t i = 0; i < LOCATIONS; i++) {
        w->clocks[i] = (uint32_t)random_between(r, 0, LOCATIONS - 1);
        int64_t offset = (int64_t)w->clocks[i] * SHIFT;
        w->readings[i][0] = (struct tracer_reading){0, offset, 0};
        w->readings[i][1] = (struct tracer_reading){100, offset, 0};
        w->tracers[i] = (struct tracer_thread){.readings = w->readings[i], .count = 2};
    }
    w->nchannels = (size_t)random_between(r, 1, CHANNELS);
    for (size_t i = 0; i < w->nchannels; i++) {
        struct channel *c = &w->channels[i];
        int64_t now[2] = {0, 0};
        const uint32_t key[] = {(uint32_t)i / 2, 1, 2, i & 1 ? 7 : 8};
        memcpy(c->key, key, sizeof key);
        c->shared = random_chance(r, 40);
        c->locations[0] = (size_t)random_between(r, 0, LOCATIONS - 1);
        c->locations[1] = (size_t)random_between(r, 0, LOCATIONS - 1);
        bool same = w->clocks[c->locations[0]] == w->clocks[c->locations[1]];
        c->n = (size_t)random_between(r, 0, MOST);
        for (size_t k = 0; k < c->n; k++) {
            struct message *m = &c->messages[k];
            draw_end(r, w, c, m, false);
            m->ends[0].time_ticks = now[0] += random_between(r, c->shared, 20);
            if (c->shared)
                m->ends[0].other_ticks = now[0];
            else
                draw_begin(r, &m->ends[0], k > 0 ? m - 1 : NULL);
            m->sent_only = c->n - k <= 2 && random_chance(r, 30);
            if ((k > 0 && c->messages[k - 1].sent_only) || m->sent_only) {
                m->sent_only = true;
                continue;
            }
            draw_end(r, w, c, m, true);
            now[1] = now[1] > now[0] || !same ? now[1] : now[0];
            m->ends[1].other_ticks = now[1] += random_between(r, 1, 5);
            m->ends[1].time_ticks = now[1] + (same ? w->latency + 1 : 0);
            if (!c->shared)
                m->ends[1].time_ticks += random_between(r, 0, 5);
        }
        c->shared = has_several(c);
    }
}

/* The next end of some location; NULL: all have come. */
static const struct message *choose(struct random *r, struct channel *c, size_t side)
{
    struct message *chosen = NULL;
    for (size_t k = 0; k < c->n; k++) {
        struct message *m = &c->messages[k];
        bool first = !m->fed[side];
        for (size_t i = 0; i < k && first; i++)
            first =
                c->messages[i].fed[side] || c->messages[i].locations[side] != m->locations[side];
        if (first && (!chosen || random_chance(r, 50)))
            chosen = m;
    }
    if (chosen)
        chosen->fed[side] = true;
    return chosen;
}

/* Tell what has come of a location. */
static bool reach(const struct world *w, struct match_stream *stream, size_t location)
{
    int64_t known = INT64_MAX;
    for (size_t i = 0; i < w->nchannels; i++)
        for (size_t k = 0; k < w->channels[i].n; k++)
            for (size_t side = 0; side < 2; side++) {
                const struct message *m = &w->channels[i].messages[k];
                if (!m->fed[side] && !(side && m->sent_only) && m->locations[side] == location &&
                    m->ends[side].time_ticks < known)
                    known = m->ends[side].time_ticks;
            }
    return match_stream_reach(stream, location, known);
}

/* Each side of a channel in its order, all of them mixed. */
static bool feed(struct random *r, struct world *w, struct match_stream *stream)
{
    size_t left = 0;
    for (size_t i = 0; i < w->nchannels; i++)
        left += 2 * w->channels[i].n;
    while (left > 0) {
        struct channel *c = &w->channels[random_between(r, 0, (int64_t)w->nchannels - 1)];
        size_t side = random_chance(r, 50);
        const struct message *m = choose(r, c, side);
        if (!m)
            continue;
        left--;
        if (!(side && m->sent_only) &&
            !match_stream_item(stream, m->locations[side], &m->ends[side]))
            return false;
        if (random_chance(r, 30) && !reach(w, stream, (size_t)random_between(r, 0, LOCATIONS - 1)))
            return false;
    }
    bool good = true;
    for (size_t i = 0; i < LOCATIONS; i++)
        good &= reach(w, stream, i);
    return good;
}

/* What is to be found. */
struct wanted {
    struct match_stream_send unmatched[CHANNELS * MOST];
    uint64_t messages, nunmatched, several;
    csy_backward raw, tracer;
};

static void note(csy_backward *backward, int64_t passage)
{
    if (passage >= 0)
        return;
    backward->count++;
    backward->largest_ticks =
        -passage > backward->largest_ticks ? -passage : backward->largest_ticks;
}

static int64_t passage_of(const struct message *m)
{
    return m->ends[1].time_ticks - m->ends[0].other_ticks;
}

static void want_messages(const struct world *w, const struct channel *c, struct wanted *wanted)
{
    uint32_t from = w->clocks[c->locations[0]], to = w->clocks[c->locations[1]];
    uint64_t complete = 0, open = 0;
    for (size_t k = 0; k < c->n; k++) {
        const struct message *m = &c->messages[k];
        if (m->sent_only) {
            open++;
            wanted->unmatched[wanted->nunmatched++] =
                (struct match_stream_send){(uint32_t)m->locations[0], c->shared, m->ends[0]};
            continue;
        }
        complete++;
        note(&wanted->raw, passage_of(m));
        note(&wanted->tracer, passage_of(m) + SHIFT * ((int64_t)to - from));
    }
    wanted->messages += complete;
    wanted->several += complete > 1 || (complete > 0 && open > 0);
}

static int by_place(const void *a, const void *b)
{
    const struct match_stream_send *x = a, *y = b;
    if (x->location != y->location)
        return x->location < y->location ? -1 : 1;
    return (x->item.position > y->item.position) - (x->item.position < y->item.position);
}

static void compare(const struct match_stream_result *got, struct wanted *wanted)
{
    qsort(wanted->unmatched, wanted->nunmatched, sizeof *wanted->unmatched, by_place);
    ck_assert_uint_eq(got->messages, wanted->messages);
    ck_assert_uint_eq(got->nunmatched, wanted->nunmatched);
    ck_assert_uint_eq(got->several, wanted->several);
    ck_assert_uint_eq(got->raw.count, wanted->raw.count);
    ck_assert_int_eq(got->raw.largest_ticks, wanted->raw.largest_ticks);
    ck_assert_uint_eq(got->tracer.count, wanted->tracer.count);
    ck_assert_int_eq(got->tracer.largest_ticks, wanted->tracer.largest_ticks);
    for (size_t i = 0; i < CSY_UNUSED_LISTED && i < got->nunmatched; i++) {
        const struct match_stream_send *x = &got->unmatched[i], *y = &wanted->unmatched[i];
        ck_assert_uint_eq(x->location, y->location);
        ck_assert_int_eq(x->shared, y->shared);
        ck_assert_uint_eq(x->item.position, y->item.position);
        ck_assert_uint_eq(x->item.place, y->item.place);
        ck_assert_int_eq(x->item.time_ticks, y->item.time_ticks);
        /* When an end of a shared channel was posted does not matter. */
        ck_assert_int_eq(x->item.other_ticks, y->shared ? y->item.time_ticks : y->item.other_ticks);
        ck_assert_int_eq(x->item.role, STREAM_SEND);
        ck_assert_mem_eq(x->item.key, y->item.key, sizeof x->item.key);
    }
}

static size_t list_shared(const struct world *w, uint32_t (*keys)[4])
{
    size_t n = 0;
    for (size_t i = 0; i < w->nchannels; i++)
        if (w->channels[i].shared)
            memcpy(keys[n++], w->channels[i].key, sizeof *keys);
    return n;
}

/* What is found has the keys, in any order. */
static void compare_shared(const struct match_stream *stream, uint32_t (*keys)[4], size_t n)
{
    struct shared_keys found = {0};
    ck_assert(match_stream_finds_shared(stream) == (n > 0));
    ck_assert(match_stream_list_shared(stream, &found));
    ck_assert_uint_eq(found.count, n);
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < n && memcmp(found.items[k], keys[i], sizeof *keys) != 0)
            k++;
        ck_assert_uint_lt(k, n);
    }
    free(found.items);
}

static void forget_fed(struct world *w)
{
    for (size_t i = 0; i < w->nchannels; i++)
        for (size_t k = 0; k < w->channels[i].n; k++)
            w->channels[i].messages[k].fed[0] = w->channels[i].messages[k].fed[1] = false;
}

/* Which channels are shared is found, if it is not known. */
static void find_shared(struct random *r, struct world *w, struct shared_keys *shared)
{
    struct match_stream_rules rules = {
        .nlocations = LOCATIONS, .clocks = w->clocks, .tracers = w->tracers};
    struct match_stream_result got;
    struct match_stream *stream;
    csy_error error;
    shared->count = list_shared(w, shared->items);
    ck_ok(match_stream_new(&rules, &stream, &error), error);
    ck_assert(feed(r, w, stream));
    compare_shared(stream, shared->items, shared->count);
    if (shared->count > 0)
        ck_assert(!match_stream_finish(stream, &got));
    match_stream_free(stream);
    forget_fed(w);
}

START_TEST(all_messages_are_counted)
{
    uint64_t messages = 0, unmatched = 0, nshared = 0;
    for (uint64_t trial = 0; trial < (uint64_t)trials_of(TRIALS); trial++) {
        static struct world w;
        struct random r = random_trial(trial);
        struct wanted wanted = {.messages = 0};
        struct match_stream_result got;
        struct match_stream *stream;
        csy_error error;
        uint32_t keys[CHANNELS][4];
        struct shared_keys shared = {keys, 0, CHANNELS};
        draw_world(&r, &w);
        find_shared(&r, &w, &shared);
        nshared += shared.count;
        ck_ok(match_stream_new(&(struct match_stream_rules){.nlocations = LOCATIONS,
                                                            .clocks = w.clocks,
                                                            .shared = &shared,
                                                            .tracers = w.tracers,
                                                            .latency_ticks = w.latency},
                               &stream, &error),
              error);
        ck_assert(feed(&r, &w, stream));
        for (size_t i = 0; i < w.nchannels; i++)
            want_messages(&w, &w.channels[i], &wanted);
        ck_assert_uint_eq(match_stream_waiting(stream), wanted.nunmatched);
        ck_assert(match_stream_finish(stream, &got));
        compare(&got, &wanted);
        messages += got.messages;
        unmatched += got.nunmatched;
        free(got.open.items);
        match_stream_free(stream);
    }
    ck_assert_uint_gt(messages, (uint64_t)trials_of(TRIALS));
    ck_assert_uint_gt(unmatched, (uint64_t)trials_of(TRIALS));
    ck_assert_uint_gt(nshared, (uint64_t)trials_of(TRIALS) / 2);
}
END_TEST

/* Whether ends can be met, in this order; locations 0 and 2 share a clock. */
struct given {
    size_t location;
    struct stream_item item;
};

static bool can_meet(const struct given *ends, size_t n)
{
    static const uint32_t clocks[] = {0, 1, 0};
    static const struct tracer_thread tracers[3];
    struct match_stream_result got;
    struct match_stream *stream;
    csy_error error;
    bool good = true;
    ck_ok(match_stream_new(&(struct match_stream_rules){.clocks = clocks, .tracers = tracers},
                           &stream, &error),
          error);
    for (size_t i = 0; i < n; i++)
        good = match_stream_item(stream, ends[i].location, &ends[i].item) && good;
    bool finished = match_stream_finish(stream, &got);
    ck_assert(good || !finished);
    free(got.open.items);
    match_stream_free(stream);
    return finished;
}

static struct given send_of(size_t location, uint64_t position, int64_t ticks)
{
    return (struct given){location,
                          {.position = position,
                           .time_ticks = ticks,
                           .other_ticks = ticks,
                           .key = {1},
                           .role = STREAM_SEND}};
}

static struct given recv_of(size_t location, uint64_t position, int64_t ticks)
{
    return (struct given){location,
                          {.position = position,
                           .time_ticks = ticks,
                           .other_ticks = ticks,
                           .key = {1},
                           .role = STREAM_RECV}};
}

#define CAN_MEET(...)                                                                              \
    can_meet((const struct given[]){__VA_ARGS__},                                                  \
             sizeof((const struct given[]){__VA_ARGS__}) / sizeof(struct given))

START_TEST(what_needs_all_events_fails)
{
    ck_assert(CAN_MEET(send_of(0, 0, 5), recv_of(1, 0, 3)));
    ck_assert(CAN_MEET(recv_of(1, 0, 3), send_of(0, 0, 5), send_of(0, 1, 5)));
    ck_assert(!CAN_MEET(send_of(0, 0, 5), send_of(2, 0, 6)));                 /* two send */
    ck_assert(!CAN_MEET(send_of(0, 0, 5), send_of(0, 1, 6), recv_of(1, 0, 9), /* two receive */
                        recv_of(2, 0, 9)));
    ck_assert(!CAN_MEET(recv_of(1, 0, 3)));                   /* a send is missing */
    ck_assert(CAN_MEET(send_of(0, 0, 5), recv_of(2, 0, 5)));  /* one clock, no time between */
    ck_assert(!CAN_MEET(send_of(0, 1, 5), recv_of(0, 0, 6))); /* to itself, from later on */
    ck_assert(CAN_MEET(send_of(0, 0, 5), recv_of(2, 0, 6)));
    ck_assert(!CAN_MEET(recv_of(1, 1, 3), recv_of(1, 0, 3), send_of(0, 0, 1), send_of(0, 1, 1)));
    ck_assert(CAN_MEET(recv_of(1, 0, 3), recv_of(1, 1, 3), send_of(0, 0, 1), send_of(0, 1, 1)));
    ck_assert(
        !CAN_MEET(send_of(0, 0, INT64_MIN), recv_of(1, 0, -1), send_of(0, 1, 1), recv_of(2, 1, 1)));
}
END_TEST

/* The same of one channel that is known to be shared, all at once. */
static bool can_share(const struct given *ends, size_t n)
{
    static const uint32_t clocks[] = {0, 1, 0};
    static const struct tracer_thread tracers[3];
    static uint32_t key[][4] = {{1}};
    const struct shared_keys shared = {key, 1, 1};
    const struct match_stream_rules rules = {
        .nlocations = 3, .clocks = clocks, .tracers = tracers, .shared = &shared};
    struct match_stream_result got;
    struct match_stream *stream;
    csy_error error;
    bool good = true;
    ck_ok(match_stream_new(&rules, &stream, &error), error);
    for (size_t i = 0; i < n; i++)
        good = match_stream_item(stream, ends[i].location, &ends[i].item) && good;
    ck_assert_uint_eq(match_stream_waiting(stream), good ? n : match_stream_waiting(stream));
    for (size_t i = 0; i < 3; i++)
        good = match_stream_reach(stream, i, INT64_MAX) && good;
    bool finished = match_stream_finish(stream, &got);
    ck_assert(!finished || (good && got.messages > 0));
    free(got.open.items);
    match_stream_free(stream);
    return finished;
}

#define CAN_SHARE(...)                                                                             \
    can_share((const struct given[]){__VA_ARGS__},                                                 \
              sizeof((const struct given[]){__VA_ARGS__}) / sizeof(struct given))

START_TEST(what_several_locations_share_is_met_by_time)
{
    ck_assert(CAN_SHARE(send_of(0, 0, 5), send_of(2, 0, 6), recv_of(1, 0, 3)));
    ck_assert(CAN_SHARE(send_of(0, 0, 9), send_of(2, 0, 6), recv_of(1, 0, 3), recv_of(1, 1, 3)));
    ck_assert(!CAN_SHARE(send_of(0, 0, 5), send_of(1, 0, 6), recv_of(1, 1, 7))); /* clocks */
    ck_assert(!CAN_SHARE(send_of(0, 0, 5), recv_of(1, 0, 6), recv_of(1, 1, 7)));
    struct given begins = send_of(0, 0, 5);
    begins.item.interval = true;
    ck_assert(!CAN_SHARE(begins, recv_of(1, 0, 6)));
    /* The receive at 6 is of the send at 5. The last pair contradicts its clock. */
    ck_assert(CAN_SHARE(send_of(0, 0, 5), send_of(0, 1, 7), recv_of(2, 0, 6), recv_of(0, 2, 8)));
    ck_assert(CAN_SHARE(send_of(0, 0, 5), send_of(0, 1, 7), recv_of(2, 0, 6), recv_of(2, 1, 7)));
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("match_stream");
    tcase_add_test(tests, all_messages_are_counted);
    tcase_add_test(tests, what_needs_all_events_fails);
    tcase_add_test(tests, what_several_locations_share_is_met_by_time);
    return unit_run();
}
