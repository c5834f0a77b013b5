/* Traces in partial order, from rows to offsets: known answers, and drawn ones against the network
 * of the instants of all their records. */
#include "sync/pipeline/pipeline.h"

#include "support.h"
#include "sync/options.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLOCKS = 5, ROWS = 24 };

/* What a source would read of it; NULL: nothing. */
struct row {
    const char *thread, *clock;
    int64_t begin, time; /* the same: it is no interval */
    const char *send, *recv, *enter, *leave, *id, *after, *buffer;
    bool sync;
    int64_t latency; /* below 0: not said */
};

static struct row rows[ROWS];
static size_t nrows;
static struct event_roles roles;

static csy_text text(const char *bytes)
{
    return (csy_text){bytes ? bytes : "", bytes ? strlen(bytes) : 0};
}

static bool probe(const struct head *head)
{
    return head->size >= 4 && memcmp(head->bytes, "ROWS", 4) == 0;
}

static csy_status look(struct csy_trace *trace, csy_error *error)
{
    (void)trace, (void)error;
    return CSY_OK;
}

static csy_status rewind_rows(struct csy_trace *trace, csy_error *error)
{
    (void)error;
    *(size_t *)trace->state = 0;
    return CSY_OK;
}

static csy_status open_rows(struct csy_trace *trace, uint64_t start, csy_error *error)
{
    trace->timebase_hz = 1000000000;
    trace->partial = true;
    trace->state = calloc(1, sizeof(size_t));
    ck_assert_ptr_nonnull(trace->state);
    return bytes_new(trace->fd, trace->name, start, trace->gzip, trace->workers, &trace->bytes,
                     error);
}

static csy_status next_row(struct csy_trace *trace, struct event *event, bool *more,
                           csy_error *error)
{
    size_t *next = trace->state;
    (void)error;
    *more = *next < nrows;
    if (!*more)
        return CSY_OK;
    const struct row *row = &rows[*next];
    const csy_text clock = text(row->clock);
    event->place = ++*next;
    event->stamp = (struct named_stamp){.thread = row->thread,
                                        .thread_size = strlen(row->thread),
                                        .clock = clock.bytes,
                                        .clock_size = clock.size,
                                        .time_ticks = row->time,
                                        .interval = row->begin != row->time,
                                        .begin_ticks = row->begin};
    event->name = "";
    event->name_size = 0;
    event->bytes = NULL;
    event->size = 0;
    event->record = NULL;
    event->row = NULL;
    roles = (struct event_roles){.send = text(row->send),
                                 .recv = text(row->recv),
                                 .enter = text(row->enter),
                                 .leave = text(row->leave),
                                 .id = text(row->id),
                                 .after = text(row->after),
                                 .buffer = text(row->buffer),
                                 .location = text(NULL),
                                 .sync = row->sync,
                                 .has_latency = row->latency >= 0,
                                 .latency_ticks = row->latency};
    event->roles = &roles;
    return CSY_OK;
}

static void close_rows(struct csy_trace *trace)
{
    free(trace->state);
}

static const csy_cut *cut(const struct csy_trace *trace)
{
    (void)trace;
    return NULL;
}

static const struct source source = {.written_as = CSY_FORMAT_CSV,
                                     .title = "rows",
                                     .place = "line",
                                     .probe = probe,
                                     .look = look,
                                     .open = open_rows,
                                     .rewind = rewind_rows,
                                     .next = next_row,
                                     .close = close_rows,
                                     .cut = cut};

static struct folder folder;

static csy_status solve(const csy_options *asked, csy_sync **sync, csy_trace **trace,
                        csy_error *error)
{
    csy_options options;
    options = options_default;
    const char *path = folder_file(&folder, "rows");
    file_write(path, "ROWS", 4);
    source_add(&source);
    ck_ok(csy_trace_open(path, NULL, trace, error), *error);
    source_add(NULL);
    return csy_trace_synchronize(*trace, asked ? asked : &options, sync, error);
}

static void set_rows(const struct row *from, size_t n)
{
    memcpy(rows, from, n * sizeof *rows);
    nrows = n;
}

/* Bounds of g[0] - g[1]. */
static void expect(int64_t lower, int64_t upper)
{
    csy_sync *sync = NULL;
    csy_trace *trace;
    csy_error error;
    int64_t got_lower, got_upper;
    ck_ok(solve(NULL, &sync, &trace, &error), error);
    ck_ok(csy_sync_bounds(sync, 0, 1, &got_lower, &got_upper, NULL, &error), error);
    ck_assert_int_eq(got_lower, lower);
    ck_assert_int_eq(got_upper, upper);
    csy_sync_free(sync);
    csy_trace_free(trace);
}

START_TEST(known_answers)
{
    struct row messages[] = {{.thread = "A", .send = "m", .latency = -1},
                             {.thread = "B", .begin = 105, .time = 105, .recv = "m", .latency = -1},
                             {.thread = "B", .begin = 110, .time = 110, .send = "n", .latency = -1},
                             {.thread = "A", .begin = 20, .time = 20, .recv = "n", .latency = -1}};
    set_rows(messages, 4);
    expect(90, 105);
    messages[1].latency = messages[3].latency = 5;
    set_rows(messages, 4);
    expect(95, 100);
    const struct row barrier[] = {
        {.thread = "A", .time = 10, .enter = "b", .leave = "b"},
        {.thread = "B", .begin = 100, .time = 104, .enter = "b", .leave = "b"}};
    set_rows(barrier, 2);
    expect(90, 104);
    const struct row islands[] = {{.thread = "A", .time = 10}, {.thread = "B", .time = 4}};
    set_rows(islands, 2);
    expect(INT64_MIN, INT64_MAX);
}
END_TEST

static void refuse(csy_status status, const char *want)
{
    char message[2048];
    csy_sync *sync = NULL;
    csy_trace *trace;
    csy_error error;
    ck_assert_int_eq(solve(NULL, &sync, &trace, &error), status);
    snprintf(message, sizeof message, "%s: %s", folder_file(&folder, "rows"), want);
    ck_assert_str_eq(error.text, message);
    csy_sync_free(sync);
    csy_trace_free(trace);
}

START_TEST(what_cannot_be_is_refused)
{
    const struct row cycle[] = {{.thread = "A", .recv = "y", .latency = -1},
                                {.thread = "A", .begin = 1, .time = 1, .send = "x"},
                                {.thread = "B", .recv = "x", .latency = -1},
                                {.thread = "B", .begin = 1, .time = 1, .send = "y"}};
    set_rows(cycle, 4);
    refuse(CSY_INPUT, "the events cannot be ordered, because they form a cycle: line 1 before "
                      "line 2 (thread 'A'), line 2 before line "
                      "3 (channel 'x'), line 3 before line 4 (thread 'B'), line 4 before line 1 "
                      "(channel 'y'); check that the records of each thread are in program order, "
                      "and that sends are recorded before the message leaves");
    const struct row missing[] = {{.thread = "A", .id = "p"}, {.thread = "B", .after = "p q"}};
    set_rows(missing, 2);
    refuse(CSY_INPUT, "line 2: after: no row has the id 'q'");
    const struct row twice[] = {{.thread = "A", .id = "p"}, {.thread = "B", .id = "p"}};
    set_rows(twice, 2);
    refuse(CSY_INPUT, "line 2: two rows have the id 'p'");
}
END_TEST

/* Three stamps that contradict each other: A@0 -> B@0, B@0 -> C@0, C@10 -> A@7. */
START_TEST(a_witness_names_its_messages)
{
    const struct row chain[] = {{.thread = "A", .id = "a"},
                                {.thread = "B", .id = "b", .after = "a"},
                                {.thread = "C", .after = "b"},
                                {.thread = "C", .begin = 10, .time = 10, .id = "c"},
                                {.thread = "A", .begin = 7, .time = 7, .after = "c"}};
    csy_options options;
    csy_sync *sync = NULL;
    csy_trace *trace;
    csy_error error;
    set_rows(chain, 5);
    ck_ok(solve(NULL, &sync, &trace, &error), error);
    const csy_imprecision *imprecision = csy_sync_imprecision(sync);
    ck_assert_int_eq(imprecision->delta.num, 3);
    ck_assert_int_eq(imprecision->delta.den, 4);
    const csy_witness *witness = csy_sync_witness(sync);
    ck_assert_uint_eq(witness->length, 2);
    ck_assert_int_eq(witness->weight_ticks, -3);
    csy_sync_free(sync);
    csy_trace_free(trace);
    options = options_default;
    options.relax = CSY_RELAX_NONE;
    ck_assert_int_eq(solve(&options, &sync, &trace, &error), CSY_INFEASIBLE);
    ck_assert_uint_gt(csy_sync_witness(sync)->length, 0);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

/* --- Drawn traces --- */

static const char *const names[CLOCKS] = {"A", "B", "C", "D", "E"};
static const char *const keys[] = {"k", "l", "m"};

/* Rows of threads that go on in time; each receive after a send that it may be of.  Each of the
 * first threads sends on a channel to the next thread. */
static void draw_rows(struct random *r)
{
    static const int jitters[] = {0, 0, 1, 5};
    int jitter = jitters[random_between(r, 0, 3)];
    int64_t now = 0, offset[CLOCKS], sent[3] = {0};
    bool left = false; /* a group */
    size_t nclocks = (size_t)random_between(r, 2, CLOCKS);
    for (size_t t = 0; t < CLOCKS; t++)
        offset[t] = random_between(r, -500, 500);
    nrows = (size_t)random_between(r, 2, ROWS);
    for (size_t i = 0; i < nrows; i++) {
        size_t t = (size_t)random_between(r, 0, (int64_t)nclocks - 1), k;
        bool shares = random_chance(r, 10);
        struct row *row = &rows[i];
        *row = (struct row){.thread = names[t], .clock = shares ? "A" : NULL, .latency = -1};
        int64_t apart = shares ? offset[0] : offset[t];
        row->begin = now + apart + random_between(r, -jitter, jitter);
        now += random_between(r, 0, 5);
        row->time = now + apart + random_between(r, -jitter, jitter);
        if (row->begin > row->time || random_chance(r, 50))
            row->begin = row->time;
        if (t < 3 && random_chance(r, 45)) {
            row->send = keys[t];
            sent[t]++;
        } else if ((k = (t + nclocks - 1) % nclocks) < 3 && random_chance(r, 70) && sent[k] > 0) {
            row->recv = keys[k];
            row->latency = random_chance(r, 30) ? random_between(r, 0, 2) : -1;
            sent[k]--;
        }
        left = left || random_chance(r, 10);
        if (random_chance(r, 12))
            *(left ? &row->leave : &row->enter) = "g";
    }
}

enum { VERTICES = 2 * ROWS + CLOCKS + 1, HUB = VERTICES - 1 };
#define FAR ((int128)1 << 90)

struct network {
    int128 m[VERTICES][VERTICES]; /* the greatest a - b, in units of 1 / (2 den) */
    size_t nclocks, clock_of[ROWS];
    const char *clocks[CLOCKS];
};

static void lower(int128 *to, int128 value)
{
    *to = value < *to ? value : *to;
}

/* Instants 2i, 2i + 1 of the begin and the end of row i, then clocks, then the hub of group g. */
static void build(struct network *n, int64_t twice_num, int64_t den, bool clocks)
{
    int128 unit = 2 * (int128)den, delta = twice_num;
    for (size_t a = 0; a < VERTICES; a++)
        for (size_t b = 0; b < VERTICES; b++)
            n->m[a][b] = a == b ? 0 : FAR;
    n->nclocks = 0;
    for (size_t i = 0; i < nrows; i++) {
        const char *name = rows[i].clock ? rows[i].clock : rows[i].thread;
        size_t c = 0, last = SIZE_MAX, clock;
        while (c < n->nclocks && strcmp(n->clocks[c], name) != 0)
            c++;
        if (c == n->nclocks)
            n->clocks[n->nclocks++] = name;
        n->clock_of[i] = c;
        clock = (size_t)2 * ROWS + c;
        const int64_t stamps[] = {rows[i].begin, rows[i].time};
        for (size_t e = 0; e < 2 && clocks; e++) {
            lower(&n->m[clock][2 * i + e], delta - unit * stamps[e]);
            lower(&n->m[2 * i + e][clock], delta + unit * stamps[e]);
        }
        lower(&n->m[2 * i][2 * i + 1], 0);
        if (rows[i].begin == rows[i].time) /* one instant */
            lower(&n->m[2 * i + 1][2 * i], 0);
        for (size_t j = 0; j < i; j++)
            if (strcmp(rows[j].thread, rows[i].thread) == 0)
                last = j;
        if (last != SIZE_MAX)
            lower(&n->m[2 * last + 1][2 * i + 1], 0);
        if (rows[i].enter)
            lower(&n->m[2 * i][HUB], 0);
        if (rows[i].leave)
            lower(&n->m[HUB][2 * i + 1], 0);
    }
}

static int compare_rows(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* The rows that send on a channel, or receive: as they were posted, which is by their begins where
 * all of them have one, on one clock.  Receives whose begins are closer than 2 delta, rounded up to
 * `window`, are as they ended, and `close`: another one of these may have got the message. */
static size_t list_posted(const struct network *n, const char *key, bool sends, int64_t window,
                          size_t *list, bool *close)
{
    size_t count = 0;
    bool begins = true;
    for (size_t i = 0; i < nrows; i++) {
        const char *other = sends ? rows[i].send : rows[i].recv;
        if (!other || strcmp(other, key) != 0)
            continue;
        begins = begins && rows[i].begin != rows[i].time &&
                 (count == 0 || n->clock_of[list[0]] == n->clock_of[i]);
        close[count] = false;
        list[count++] = i;
    }
    for (size_t i = 1; i < count && begins; i++)
        for (size_t k = i; k > 0 && rows[list[k - 1]].begin > rows[list[k]].begin; k--) {
            size_t row = list[k];
            list[k] = list[k - 1];
            list[k - 1] = row;
        }
    for (size_t i = 1; i < count && begins && !sends; i++) {
        close[i] = rows[list[i]].begin - rows[list[i - 1]].begin < window;
        close[i - 1] |= close[i];
    }
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && close[end] &&
                          rows[list[end]].begin - rows[list[end - 1]].begin < window;)
            end++;
        qsort(list + i, close[i] ? end - i : 1, sizeof *list, compare_rows);
    }
    return count;
}

/* The k-th send of a channel with the k-th receive, if there are as many, at 2 delta. */
static void add_messages(struct network *n, int64_t twice_num, int64_t den)
{
    int64_t window = (twice_num + den - 1) / den;
    for (size_t k = 0; k < 3; k++) {
        size_t sends[ROWS], receives[ROWS];
        bool close[ROWS];
        int64_t least = INT64_MAX;
        size_t nsends = list_posted(n, keys[k], true, window, sends, close);
        size_t nreceives = list_posted(n, keys[k], false, window, receives, close);
        for (size_t i = 0; i < nsends && nsends == nreceives; i++) {
            int64_t latency = rows[receives[i]].latency > 0 ? rows[receives[i]].latency : 0;
            least = latency < least ? latency : least;
            lower(&n->m[2 * sends[i]][2 * receives[i] + 1],
                  -2 * (int128)den * (close[i] ? least : latency));
        }
    }
}

/* False where it cannot be. */
static bool close_network(struct network *n)
{
    for (size_t k = 0; k < VERTICES; k++)
        for (size_t a = 0; a < VERTICES; a++)
            for (size_t b = 0; b < VERTICES && n->m[a][k] < FAR / 2; b++)
                if (n->m[k][b] < FAR / 2)
                    lower(&n->m[a][b], n->m[a][k] + n->m[k][b]);
    for (size_t a = 0; a < VERTICES; a++)
        if (n->m[a][a] < 0)
            return false;
    return true;
}

static bool can_be(struct network *n, int64_t num, int64_t den)
{
    build(n, num, den, true);
    add_messages(n, num, den);
    return close_network(n);
}

/* Bounds at ceil(2 delta), and offsets within them. */
static void compare(struct network *n, csy_sync *sync)
{
    int64_t added = csy_sync_imprecision(sync)->added_ticks;
    ck_assert(can_be(n, added, 1));
    ck_assert_uint_eq(csy_sync_nthreads(sync), n->nclocks);
    for (size_t s = 0; s < n->nclocks; s++)
        for (size_t t = 0; t < n->nclocks; t++) {
            int64_t got_lower, got_upper;
            csy_error error;
            int128 upper = n->m[2 * ROWS + s][2 * ROWS + t] / 2;
            ck_ok(csy_sync_bounds(sync, s, t, &got_lower, &got_upper, NULL, &error), error);
            ck_assert(upper >= FAR / 4 ? got_upper == INT64_MAX : got_upper == upper);
            int64_t apart =
                csy_sync_thread(sync, s)->offset_ticks - csy_sync_thread(sync, t)->offset_ticks;
            ck_assert(apart >= got_lower && apart <= got_upper);
        }
}

/* Records whose global time is below that of one that comes before them, by the closure of the
 * order alone. */
static void check_inversions(struct network *n, csy_sync *sync)
{
    const csy_imprecision *imprecision = csy_sync_imprecision(sync);
    uint64_t inversions = 0;
    int128 largest = 0;
    build(n, 0, 1, false);
    add_messages(n, imprecision->added_ticks, 1);
    ck_assert(close_network(n));
    for (size_t q = 0; q < nrows; q++) {
        int128 end = (int128)csy_sync_thread(sync, n->clock_of[q])->offset_ticks + rows[q].time;
        int128 most = end;
        for (size_t a = 0; a < 2 * nrows; a++) {
            if (n->m[a][2 * q + 1] >= FAR / 2)
                continue;
            int128 time = a % 2 ? rows[a / 2].time : rows[a / 2].begin;
            time +=
                csy_sync_thread(sync, n->clock_of[a / 2])->offset_ticks - n->m[a][2 * q + 1] / 2;
            most = time > most ? time : most;
        }
        inversions += most > end;
        largest = most - end > largest ? most - end : largest;
    }
    ck_assert_uint_eq(imprecision->inversions, inversions);
    ck_assert(imprecision->largest_inversion_ticks == largest);
    ck_assert_int_le(imprecision->largest_inversion_ticks, imprecision->added_ticks);
}

/* Chains sum to the ends of the bound, and go from clock to clock. */
static void check_chain(const csy_chain *chain, int64_t added, int64_t want)
{
    int64_t sum = 0;
    ck_assert_int_eq(chain->end_ticks, want);
    for (size_t i = 0; i < chain->length; i++) {
        const csy_witness_edge *edge = &chain->edges[i].constraint;
        const struct row *from = &rows[edge->record_s], *to = &rows[edge->record_t];
        ck_assert_uint_eq(edge->s, i ? chain->edges[i - 1].constraint.t : chain->s);
        ck_assert(edge->time_s == from->begin || edge->time_s == from->time);
        ck_assert(edge->time_t == to->begin || edge->time_t == to->time);
        ck_assert_int_eq(edge->weight_ticks, edge->time_t - edge->time_s - edge->latency_ticks);
        ck_assert_int_ge(edge->latency_ticks, 0);
        ck_assert_int_ge(chain->edges[i].slack_ticks, 0);
        sum += edge->weight_ticks + added;
    }
    if (want != INT64_MAX) {
        ck_assert_int_eq(sum, want);
        ck_assert_uint_eq(chain->edges[chain->length - 1].constraint.t, chain->t);
    }
}

static void check_chains(csy_sync *sync)
{
    int64_t added = csy_sync_imprecision(sync)->added_ticks, lower, upper;
    csy_explanation *explanation;
    csy_error error;
    for (size_t t = 1; t < csy_sync_nthreads(sync); t++) {
        ck_ok(csy_sync_bounds(sync, 0, t, &lower, &upper, NULL, &error), error);
        ck_ok(csy_sync_explain(sync, 0, t, &explanation, &error), error);
        check_chain(&explanation->upper, added, upper);
        check_chain(&explanation->lower, added, lower == INT64_MIN ? INT64_MAX : -lower);
        csy_explanation_free(explanation);
    }
}

START_TEST(they_are_the_network)
{
    size_t above = 0, trials = (size_t)trials_of(1500);
    for (size_t trial = 0; trial < trials; trial++) {
        static struct network n;
        struct random r = random_trial(trial);
        csy_sync *sync = NULL;
        csy_trace *trace;
        csy_error error;
        csy_options options;
        options = options_default;
        options.engine = random_chance(&r, 30) ? CSY_ENGINE_DENSE : CSY_ENGINE_AUTO;
        draw_rows(&r);
        ck_ok(solve(&options, &sync, &trace, &error), error);
        compare(&n, sync);
        csy_fraction delta = csy_sync_imprecision(sync)->delta;
        ck_assert(can_be(&n, 2 * delta.num, delta.den));
        /* No two cycles differ by less than 1 / clocks^2. */
        enum { FINE = 2 * CLOCKS * CLOCKS };
        ck_assert(delta.num == 0 ||
                  !can_be(&n, 2 * delta.num * FINE - delta.den, delta.den * FINE));
        check_inversions(&n, sync);
        check_chains(sync);
        above += delta.num > 0;
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    ck_assert(above > trials / 20 && above < trials);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("partial");
    unit_in_folder(tests, &folder);
    tcase_add_test(tests, known_answers);
    tcase_add_test(tests, what_cannot_be_is_refused);
    tcase_add_test(tests, a_witness_names_its_messages);
    tcase_add_test(tests, they_are_the_network);
    return unit_run();
}
