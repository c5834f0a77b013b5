/* Traces of calls, at random. */
#include "called.h"

#include <string.h>

enum { THREADS = 6, DEPTH = 8, LEAST = 300 };

enum {
    ENTER = 0x0109,
    EXIT = 0x0209,
    LEAVE = 0x0309,
    MARK = 0x0409,
    STALL = 0x0509,
    NONE = 0x0609,
    UNKNOWN = 0x0709
};

const char called_document[] =
    "<pdt_trace version=\"1\"><machine name=\"m\" timebase_hz=\"1000\"/>"
    "<trace_file href=\"calls.trace\"/><pdtGroup name=\"CALLS\" id=\"0x09\">"
    "<recordType name=\"ENTER\" id=\"0x0109\" type=\"event\" role=\"enter\">"
    "<field name=\"routine\" type=\"u64\"/></recordType>"
    "<recordType name=\"EXIT\" id=\"0x0209\" type=\"event\" role=\"exit\">"
    "<field name=\"routine\" type=\"u64\"/></recordType>"
    "<recordType name=\"LEAVE\" id=\"0x0309\" type=\"event\" role=\"exit\"/>"
    "<recordType name=\"MARK\" id=\"0x0409\" type=\"event\"/>"
    "<recordType name=\"STALL\" id=\"0x0509\" type=\"interval\" role=\"wait\"/>"
    "<recordType name=\"NOISE\" id=\"0x0609\" type=\"event\" role=\"none\"/>"
    "</pdtGroup></pdt_trace>";

/* A thread of the PPE, or a context, and what it is in. */
struct thread {
    bool spe;
    uint64_t stack[DEPTH];
    size_t depth;
};

struct program {
    struct random r;
    struct buffer *out;
    struct thread threads[THREADS];
    size_t nthreads, late; /* the last one writes from that record on */
    uint64_t now, gain;    /* 100 ppm for each number of a context */
    bool steps_back;       /* stamps may, a little */
};

static void put(struct program *p, size_t index, uint16_t id, bool named, uint64_t routine)
{
    bool spe = p->threads[index].spe, stall = id == STALL;
    size_t stamp = spe ? 4 : 8;
    uint64_t back = (uint64_t)random_between(&p->r, 0, 400),
             step = p->steps_back && random_chance(&p->r, 5) ? back % 8 : 0,
             now = spe ? 0xffffff00 - p->now - p->now * index * p->gain / 10000 : p->now - step;
    buffer_number(p->out, (spe ? 24U : 32U) + (named ? 8U : 0U), 2);
    buffer_number(p->out, spe, 1);
    buffer_number(p->out, stall, 1);
    buffer_number(p->out, id, 2);
    buffer_number(p->out, named, 2);
    buffer_number(p->out, index, 4);
    buffer_number(p->out, 0, 4);
    buffer_number(p->out, now, stamp);
    buffer_number(p->out, !stall ? 0 : spe ? now + back : now > back ? now - back : 0, stamp);
    if (named)
        buffer_number(p->out, routine, 8);
}

/* It enters, exits, or at times marks. */
static void step(struct program *p, size_t index, bool marks)
{
    struct thread *t = &p->threads[index];
    if (marks && random_chance(&p->r, 3)) {
        put(p, index, MARK, false, 0);
    } else if (t->depth == 0 || (t->depth < DEPTH && random_chance(&p->r, 50))) {
        t->stack[t->depth] = (uint64_t)random_between(&p->r, 1, CALLED_ROUTINES);
        put(p, index, ENTER, true, t->stack[t->depth++]);
    } else {
        bool named = random_chance(&p->r, 90);
        t->depth--;
        put(p, index, named ? EXIT : LEAVE, named, t->stack[t->depth]);
    }
}

/* An odd record: a wait, what is left out, or an exit of what was not entered (true); or one of an
 * unknown type (false). */
static bool stumble(struct program *p, size_t index)
{
    static const uint16_t odd[] = {STALL, NONE, EXIT, UNKNOWN};
    uint16_t id = odd[random_between(&p->r, 0, 3)];
    put(p, index, id, id == EXIT, CALLED_ROUTINES + 1);
    return id != UNKNOWN;
}

bool called_draw(int trial, int often, struct buffer *out)
{
    struct program p = {
        .r = random_trial((uint64_t)trial), .out = out, .now = 1000, .gain = trial % 4 == 1};
    size_t n = (size_t)random_between(&p.r, LEAST, CALLED_RECORDS_MAX);
    size_t odd = random_chance(&p.r, 40) ? (size_t)random_between(&p.r, 0, (int64_t)n - 1) : n;
    bool marks = random_chance(&p.r, 50), stumbles = false, alone = true;
    p.nthreads = (size_t)random_between(&p.r, 2, THREADS);
    p.late = (size_t)random_between(&p.r, 0, (int64_t)n);
    for (size_t i = 1; i < p.nthreads; i++)
        alone &= !(p.threads[i].spe = random_chance(&p.r, 50));
    p.steps_back = alone && random_chance(&p.r, 50);
    add_header(out, 0, n);
    for (size_t i = 0; i < n; i++) {
        size_t least = i % 50 == 0 ? 0 : 1, last = p.nthreads - (i < p.late ? 2 : 1);
        size_t index = (size_t)random_between(&p.r, 0, (int64_t)(last < least ? least : last));
        uint64_t apart = (uint64_t)random_between(&p.r, 1, 5);
        p.now += alone && !random_chance(&p.r, 2) ? apart / 2 : apart * (p.gain ? 1000 : 1);
        if (i % 50 == 0)
            index = 0; /* contexts are bounded by what the PPE records */
        if (random_chance(&p.r, often))
            put(&p, index, EXIT, true, (uint64_t)random_between(&p.r, 1, CALLED_ROUTINES));
        else if (i == odd && often == 0)
            stumbles = stumble(&p, index);
        else
            step(&p, index, marks);
    }
    return stumbles;
}

void called_open(struct folder *folder, int trial, const struct buffer *records, csy_trace **trace,
                 csy_sync **sync)
{
    csy_options *options;
    csy_error error;
    file_write(folder_file(folder, "calls.pex"), called_document, strlen(called_document));
    file_write(folder_file(folder, "calls.trace"), records->bytes, records->size);
    ck_ok(csy_trace_open(folder_file(folder, "calls.pex"), NULL, trace, &error), error);
    ck_ok(csy_options_new(&options, &error), error);
    if (trial % 8 == 1)
        ck_ok(csy_options_set_drift(options, 500000, 0, &error), error);
    ck_ok(csy_options_set_monotonic(options, trial % 8 == 5, &error), error);
    ck_ok(csy_trace_synchronize(*trace, options, sync, &error), error);
    csy_options_free(options);
}
