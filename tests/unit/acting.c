/* Random programs of a few threads. */
#include "acting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Steps of one thread from *at on: marks, and waits around further steps. */
static void act(struct acting *a, struct random *r, size_t thread, size_t steps, int64_t apart,
                bool waits, unsigned depth, int64_t *at)
{
    for (size_t i = 0; i < steps && a->n < ACTING_EVENTS; i++) {
        *at += random_between(r, 1, apart);
        struct acting_event event = {thread, 0, ACTING_MARK, *at, *at};
        if (random_chance(r, 60))
            event.kind = waits ? ACTING_WAIT : random_chance(r, 50) ? ACTING_BLOCK : ACTING_RUN;
        if (event.kind == ACTING_WAIT && depth > 0 && random_chance(r, 30))
            act(a, r, thread, (size_t)random_between(r, 1, 2), apart, waits, depth - 1, at);
        if (event.kind == ACTING_WAIT)
            *at += random_between(r, 0, apart);
        event.time = *at;
        event.step = a->n;
        if (a->n < ACTING_EVENTS)
            a->events[a->n++] = event;
    }
}

static int compare_events(const void *x, const void *y)
{
    const struct acting_event *s = x, *t = y;
    if (s->time != t->time)
        return s->time > t->time ? 1 : -1;
    return s->step > t->step ? 1 : -1;
}

static void draw(struct random *r, size_t threads, size_t steps, int64_t apart, bool waits,
                 unsigned depth, struct acting *out)
{
    struct acting *a = out;
    *a = (struct acting){.nthreads = (size_t)random_between(r, 2, (int64_t)threads)};
    for (size_t i = 0; i < a->nthreads; i++) {
        int64_t at = random_between(r, 0, 2 * apart);
        a->offsets[i] = i > 0 ? random_between(r, -1000, 1000) : 0;
        act(a, r, i, (size_t)random_between(r, 1, (int64_t)steps), apart, waits, depth, &at);
    }
    qsort(a->events, a->n, sizeof *a->events, compare_events);
}

void acting_draw(struct random *r, size_t threads, size_t steps, int64_t apart, bool waits,
                 struct acting *out)
{
    draw(r, threads, steps, apart, waits, 2, out);
}

void acting_draw_flat(struct random *r, size_t threads, size_t steps, int64_t apart, bool waits,
                      struct acting *out)
{
    draw(r, threads, steps, apart, waits, 0, out);
}

void acting_share(struct acting *a)
{
    a->nclocks = 2;
    for (size_t i = 2; i < a->nthreads; i++)
        a->offsets[i] = a->offsets[i % 2];
}

/* The name of a thread's clock, or "". */
static void name_clock(const struct acting *a, size_t thread, char name[16])
{
    name[0] = 0;
    if (a->nclocks > 0)
        snprintf(name, 16, "%s", thread % a->nclocks ? "shared" : "ppe");
}

void acting_draw_messages(struct acting *a, struct random *r)
{
    for (size_t tries = 0; tries < 4 * ACTING_MESSAGES && a->nmessages < ACTING_MESSAGES; tries++) {
        size_t from = (size_t)random_between(r, 0, (int64_t)a->n - 1);
        size_t to = (size_t)random_between(r, (int64_t)from, (int64_t)a->n - 1);
        const struct acting_event *s = &a->events[from], *t = &a->events[to];
        bool good = s->thread != t->thread && s->kind != ACTING_WAIT;
        for (size_t i = 0; i < a->nmessages; i++)
            good = good && a->senders[i] != from && a->receivers[i] != to;
        if (!good)
            continue;
        a->senders[a->nmessages] = from;
        a->receivers[a->nmessages++] = to;
    }
}

static const char *const kind_names[] = {"mark", "BARRIER", "BLOCK", "RUNNING"};

/* Rows thread by thread, in partial order. */
static void write_rows(const struct acting *a, struct buffer *rows)
{
    buffer_text(rows, "# order=partial\n# timebase_hz=1000\n"
                      "thread,clock,event,begin,time,send,recv\n");
    for (size_t thread = a->nthreads; thread-- > 0;)
        for (size_t i = 0; i < a->n; i++) {
            const struct acting_event *e = &a->events[i];
            int64_t offset = a->offsets[thread];
            char text[128], clock[16], begin[32] = "", send[32] = "", recv[32] = "";
            if (e->thread != thread)
                continue;
            if (e->kind == ACTING_WAIT)
                snprintf(begin, sizeof begin, "%lld", (long long)(e->begin - offset));
            for (size_t m = 0; m < a->nmessages; m++) {
                if (a->senders[m] == i)
                    snprintf(send, sizeof send, "m%zu", m);
                if (a->receivers[m] == i)
                    snprintf(recv, sizeof recv, "m%zu", m);
            }
            name_clock(a, thread, clock);
            snprintf(text, sizeof text, "%s%c,%s,%s,%s,%lld,%s,%s\n", thread ? "" : "pp",
                     thread ? (char)('a' + thread) : 'e', clock, kind_names[e->kind], begin,
                     (long long)(e->time - offset), send, recv);
            buffer_text(rows, text);
        }
}

static void set_delta(csy_options *options, int64_t delta)
{
    csy_error error;
    if (delta == 0)
        return;
    ck_ok(csy_options_set_relax(options, CSY_RELAX_GIVEN, &error), error);
    ck_ok(csy_options_set_delta(options, (csy_fraction){delta, 1}, &error), error);
}

static void solve_rows(const struct acting *a, int64_t delta, csy_trace **trace, csy_sync **sync)
{
    struct buffer rows = {0};
    csy_error error;
    csy_options *options;
    write_rows(a, &rows);
    int fd = file_of(rows.bytes, rows.size);
    char path[32];
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    ck_ok(csy_trace_open(path, NULL, trace, &error), error);
    close(fd);
    ck_ok(csy_options_new(&options, &error), error);
    set_delta(options, delta);
    ck_ok(csy_trace_synchronize(*trace, options, sync, &error), error);
    csy_options_free(options);
    buffer_free(&rows);
}

void acting_solve_off(const struct acting *a, struct random *r, int64_t jitter, csy_trace **trace,
                      csy_sync **sync)
{
    csy_error error;
    csy_options *options;
    if (a->nmessages > 0) {
        solve_rows(a, jitter, trace, sync);
        return;
    }
    ck_ok(csy_trace_new("acting", 1000, trace, &error), error);
    for (size_t i = 0; i < a->nthreads; i++) {
        const char name[] = {(char)('a' + i), 0};
        char clock[16];
        size_t index;
        name_clock(a, i, clock);
        ck_ok(csy_trace_add_thread(*trace, i ? name : "ppe", clock, &index, &error), error);
    }
    for (size_t i = 0; i < a->n; i++) {
        const struct acting_event *e = &a->events[i];
        int64_t offset = a->offsets[e->thread];
        csy_new_event event = {.thread = e->thread,
                               .time_ticks = e->time - offset,
                               .interval = e->kind == ACTING_WAIT,
                               .begin_ticks = e->begin - offset,
                               .name = kind_names[e->kind]};
        if (jitter > 0 && r) {
            event.time_ticks += random_between(r, -jitter, jitter);
            event.begin_ticks += random_between(r, -jitter, jitter);
        }
        if (event.begin_ticks > event.time_ticks)
            event.begin_ticks = event.time_ticks;
        ck_ok(csy_trace_add(*trace, &event, 1, &error), error);
    }
    ck_ok(csy_options_new(&options, &error), error);
    set_delta(options, jitter);
    ck_ok(csy_trace_synchronize(*trace, options, sync, &error), error);
    csy_options_free(options);
}

void acting_solve(const struct acting *a, csy_trace **trace, csy_sync **sync)
{
    acting_solve_off(a, NULL, 0, trace, sync);
}

int64_t acting_furthest(csy_sync *sync)
{
    csy_error error;
    int64_t most = 0;
    for (size_t t = 1; t < csy_sync_nthreads(sync); t++)
        for (size_t s = 0; s < t; s++) {
            int64_t lower, upper;
            ck_ok(csy_sync_bounds(sync, s, t, &lower, &upper, NULL, &error), error);
            if (lower == INT64_MIN || upper == INT64_MAX)
                return INT64_MAX;
            most = upper - lower > most ? upper - lower : most;
        }
    return most;
}

bool acting_is_possible(const struct acting *a, const int64_t *x)
{
    for (size_t i = 0; i < a->nmessages; i++) {
        const struct acting_event *s = &a->events[a->senders[i]];
        const struct acting_event *t = &a->events[a->receivers[i]];
        if (s->time + x[s->thread] > t->time + x[t->thread])
            return false;
    }
    for (size_t i = 1; i < a->n && a->nmessages == 0; i++) {
        const struct acting_event *s = &a->events[i - 1], *t = &a->events[i];
        if (s->time + x[s->thread] > t->time + x[t->thread])
            return false;
    }
    return true;
}

bool acting_next_move(const struct acting *a, int64_t most, int64_t *x)
{
    do {
        size_t thread = a->nthreads;
        while (--thread > 0 && x[thread] == most)
            x[thread] = -most;
        if (thread == 0)
            return false;
        x[thread]++;
    } while (!acting_is_possible(a, x));
    return true;
}

bool acting_first_move(const struct acting *a, int64_t most, int64_t *x)
{
    x[0] = 0;
    for (size_t thread = 1; thread < a->nthreads; thread++)
        x[thread] = -most;
    return acting_is_possible(a, x) || acting_next_move(a, most, x);
}

/* Whether a thread is active in the tick that begins at that true time. */
static bool is_active(const struct acting *a, size_t thread, int64_t now)
{
    bool begun = false, blocked = false, waits = false, more = false;
    for (size_t i = 0; i < a->n; i++) {
        const struct acting_event *e = &a->events[i];
        if (e->thread != thread)
            continue;
        begun |= e->time <= now;
        more |= e->time > now;
        waits |= e->kind == ACTING_WAIT && e->begin <= now && now < e->time;
        if (e->time <= now && (e->kind == ACTING_BLOCK || e->kind == ACTING_RUN))
            blocked = e->kind == ACTING_BLOCK;
    }
    return begun && more && !waits && !blocked;
}

void acting_span(const struct acting *a, size_t thread, int64_t *first, int64_t *last)
{
    *first = INT64_MAX;
    *last = INT64_MIN;
    for (size_t i = 0; i < a->n; i++) {
        const struct acting_event *e = &a->events[i];
        *first = e->thread == thread && e->time < *first ? e->time : *first;
        *last = e->thread == thread && e->time > *last ? e->time : *last;
    }
}

bool acting_is_early(const struct acting *a, size_t thread)
{
    int64_t first, last;
    bool early = false;
    acting_span(a, thread, &first, &last);
    for (size_t i = 0; i < a->n; i++) {
        const struct acting_event *e = &a->events[i];
        early |= e->thread == thread && e->kind == ACTING_WAIT && e->begin < first;
    }
    return early;
}

int64_t acting_here(const struct acting *a, size_t thread)
{
    int64_t first, last;
    acting_span(a, thread, &first, &last);
    return last - first;
}

int64_t acting_active(const struct acting *a, size_t thread)
{
    int64_t first, last, active = 0;
    acting_span(a, thread, &first, &last);
    for (int64_t now = first; now < last; now++)
        active += is_active(a, thread, now);
    return active;
}

int64_t acting_active_in(const struct acting *a, size_t thread, int64_t from, int64_t until)
{
    int64_t active = 0;
    for (int64_t now = from; now < until; now++)
        active += is_active(a, thread, now);
    return active;
}

int64_t acting_here_in(const struct acting *a, size_t thread, int64_t from, int64_t until)
{
    int64_t first, last;
    acting_span(a, thread, &first, &last);
    first = first < from ? from : first;
    last = last > until ? until : last;
    return last > first ? last - first : 0;
}

void acting_levels(const struct acting *a, const int64_t *x, int64_t times[ACTING_THREADS + 2])
{
    int64_t first = INT64_MAX, last = INT64_MIN, active;
    for (size_t i = 0; i < a->n; i++) {
        int64_t at = a->events[i].time + x[a->events[i].thread];
        first = at < first ? at : first;
        last = at > last ? at : last;
    }
    acting_levels_in(a, x, first, last, times, &active);
}

void acting_levels_in(const struct acting *a, const int64_t *x, int64_t from, int64_t until,
                      int64_t times[ACTING_THREADS + 2], int64_t *active)
{
    memset(times, 0, (ACTING_THREADS + 2) * sizeof *times);
    *active = 0;
    times[0] = until > from ? until - from : 0;
    for (int64_t now = from; now < until; now++) {
        size_t n = 0;
        for (size_t t = 0; t < a->nthreads; t++)
            n += is_active(a, t, now - x[t]);
        for (size_t i = 1; i <= n; i++)
            times[i]++;
        *active += (int64_t)n;
    }
}

/* A time that the first thread has no record before, or after, would be that of another record. */
void acting_draw_end(const struct acting *a, struct random *r, struct acting_end *end)
{
    int64_t first = INT64_MIN, last = INT64_MIN;
    for (size_t i = 0; i < a->n; i++) {
        const struct acting_event *e = &a->events[i];
        first = e->thread == 0 && first == INT64_MIN ? e->time : first;
        last = e->thread == 0 ? e->time : last;
    }
    bool none = first > last; /* by stamps that are off */
    *end = (struct acting_end){ACTING_END_TIME, none ? first : random_between(r, first, last), 0};
    if (random_chance(r, 20) || none)
        end->kind = ACTING_END_NONE;
    else if (random_chance(r, 30)) {
        end->kind = ACTING_END_RECORD;
        end->record = (size_t)random_between(r, 0, (int64_t)a->n - 1);
        const struct acting_event *e = &a->events[end->record];
        int64_t own_first, own_last;
        acting_span(a, e->thread, &own_first, &own_last);
        if (e->kind == ACTING_WAIT && e->begin >= own_first && random_chance(r, 70))
            end->kind = ACTING_END_BEGIN;
        end->time = end->kind == ACTING_END_BEGIN ? e->begin : e->time;
    }
}

int64_t acting_end_time(const struct acting *a, const struct acting_end *end, const int64_t *x,
                        bool last)
{
    const struct acting_event *e = &a->events[end->record];
    int64_t out = end->kind == ACTING_END_TIME    ? end->time
                  : end->kind == ACTING_END_BEGIN ? e->begin + x[e->thread]
                                                  : e->time + x[e->thread];
    for (size_t i = 0; i < a->n && end->kind == ACTING_END_NONE; i++) {
        int64_t at = a->events[i].time + x[a->events[i].thread];
        out = i == 0 || (last ? at > out : at < out) ? at : out;
    }
    return out;
}

void acting_write_end(const struct acting_end *end, char text[32])
{
    text[0] = 0;
    if (end->kind == ACTING_END_TIME)
        snprintf(text, 32, "%lld", (long long)end->time);
    if (end->kind == ACTING_END_RECORD)
        snprintf(text, 32, "#%zu", end->record);
    if (end->kind == ACTING_END_BEGIN)
        snprintf(text, 32, "#%zu.begin", end->record);
}

size_t acting_stamps(const struct acting *a)
{
    size_t stamps = a->n;
    for (size_t i = 0; i < a->n; i++)
        stamps += a->events[i].kind == ACTING_WAIT;
    return stamps;
}

void acting_err(const struct acting *a, struct random *r, int64_t delta, struct acting *out)
{
    *out = *a;
    for (size_t i = 0; i < a->n; i++) {
        struct acting_event *e = &out->events[i];
        e->time += random_between(r, -delta, delta);
        e->begin = e->kind == ACTING_WAIT ? e->begin + random_between(r, -delta, delta) : e->time;
        e->begin = e->begin > e->time ? e->time : e->begin; /* no further off than both */
    }
}

struct histories {
    const struct acting *told;
    int64_t delta, most;
    acting_look *look;
    void *user;
    struct acting was;
    int64_t x[ACTING_THREADS];
};

/* Whether a record may be there, after those before it. */
static bool follows(const struct acting *was, size_t event)
{
    const struct acting_event *e = &was->events[event];
    for (size_t m = 0; m < was->nmessages; m++)
        if (was->receivers[m] == event && was->events[was->senders[m]].time > e->time)
            return false;
    return was->nmessages > 0 || event == 0 || was->events[event - 1].time <= e->time;
}

/* All true times of records from one on. */
static void err_from(struct histories *h, size_t event)
{
    if (event == h->told->n) {
        h->look(h->user, &h->was);
        return;
    }
    const struct acting_event *stamped = &h->told->events[event];
    struct acting_event *e = &h->was.events[event];
    int64_t x = h->x[stamped->thread], previous = INT64_MIN;
    for (size_t i = 0; i < event; i++)
        if (h->was.events[i].thread == e->thread)
            previous = h->was.events[i].time;
    for (int64_t off = -h->delta; off <= h->delta; off++) {
        e->time = stamped->time + x + off;
        if (e->time < previous || !follows(&h->was, event))
            continue;
        int64_t by = e->kind == ACTING_WAIT ? h->delta : 0;
        for (int64_t begin = -by; begin <= by; begin++) {
            e->begin = e->kind == ACTING_WAIT ? stamped->begin + x + begin : e->time;
            if (e->begin >= previous && e->begin <= e->time)
                err_from(h, event + 1);
        }
    }
}

static void move_from(struct histories *h, size_t thread)
{
    if (thread >= ACTING_THREADS || thread == h->told->nthreads) {
        err_from(h, 0);
        return;
    }
    for (h->x[thread] = -h->most; h->x[thread] <= h->most; h->x[thread]++)
        move_from(h, thread + 1);
}

void acting_histories(const struct acting *told, int64_t delta, int64_t most, acting_look *look,
                      void *user)
{
    struct histories h = {told, delta, most, look, user, *told, {0}};
    move_from(&h, 1);
}

csy_meaning *acting_meaning(const char *text)
{
    csy_meaning *meaning;
    csy_error error;
    char path[32];
    int fd = file_of((const uint8_t *)text, strlen(text));
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    ck_ok(csy_meaning_new(&meaning, &error), error);
    ck_ok(csy_meaning_add_file(meaning, path, &error), error);
    close(fd);
    return meaning;
}
