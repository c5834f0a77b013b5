/*
 * Random programs of a few threads, each by a clock of its own, that mark and wait, within waits
 * too; of which it is known what they did when.
 */
#ifndef UNIT_ACTING_H
#define UNIT_ACTING_H

#include "support.h"

#include <cellsync/analysis.h>

enum { ACTING_THREADS = 6, ACTING_EVENTS = 240, ACTING_MESSAGES = 12 };

/* Waits are intervals, whose begins have no place in the order; BLOCK and RUN are records. */
enum acting_kind { ACTING_MARK, ACTING_WAIT, ACTING_BLOCK, ACTING_RUN };

struct acting_event {
    size_t thread, step; /* of the thread */
    enum acting_kind kind;
    int64_t time, begin; /* true */
};

struct acting {
    size_t n, nthreads;
    struct acting_event events[ACTING_EVENTS]; /* in the order of the buffer */
    size_t nmessages; /* 0: their order is that of a buffer; else that of these alone */
    size_t senders[ACTING_MESSAGES], receivers[ACTING_MESSAGES]; /* events */
    int64_t offsets[ACTING_THREADS]; /* true time is local time and this; of the first 0 */
    size_t nclocks;                  /* that threads share in turn; 0: each has one of its own */
};

/* 2 to so many threads with up to so many steps each, one tick apart and up to `apart`. */
void acting_draw(struct random *r, size_t threads, size_t steps, int64_t apart, bool waits,
                 struct acting *out);

/* The same with waits that nothing happens in. */
void acting_draw_flat(struct random *r, size_t threads, size_t steps, int64_t apart, bool waits,
                      struct acting *out);

/* Let threads share two clocks. */
void acting_share(struct acting *a);

/* Let some of the events be ends of up to 12 messages. */
void acting_draw_messages(struct acting *a, struct random *r);

/* The trace, solved; the caller frees both. */
void acting_solve(const struct acting *a, csy_trace **trace, csy_sync **sync);

/* The same with stamps off by up to jitter ticks, without r as they are, and that as delta. */
void acting_solve_off(const struct acting *a, struct random *r, int64_t jitter, csy_trace **trace,
                      csy_sync **sync);

/* Whether the records are still in the order of the buffer, or messages reach their ends, where
 * clocks are off by x. */
bool acting_is_possible(const struct acting *a, const int64_t *x);

/* All such moves of the clocks, by `most` at most, against the first; false: there is none more. */
bool acting_first_move(const struct acting *a, int64_t most, int64_t *x);
bool acting_next_move(const struct acting *a, int64_t most, int64_t *x);

/* How far a clock can be from another one; INT64_MAX: any way. */
int64_t acting_furthest(csy_sync *sync);

/* When its first record is, and its last. */
void acting_span(const struct acting *a, size_t thread, int64_t *first, int64_t *last);

/* Whether a thread waits before its first record. */
bool acting_is_early(const struct acting *a, size_t thread);

/* How long a thread is active, and between its first record and its last. */
int64_t acting_active(const struct acting *a, size_t thread);
int64_t acting_here(const struct acting *a, size_t thread);

/* The same in [from, until) alone. */
int64_t acting_active_in(const struct acting *a, size_t thread, int64_t from, int64_t until);
int64_t acting_here_in(const struct acting *a, size_t thread, int64_t from, int64_t until);

/* How long at least i threads are active then, for i of 1 to nthreads: between first and last
 * record, but for waits; at 0 the time from the first record to the last. */
void acting_levels(const struct acting *a, const int64_t *x, int64_t times[ACTING_THREADS + 2]);

/* The same of [from, until) alone; and in *active the time of all of them together. */
void acting_levels_in(const struct acting *a, const int64_t *x, int64_t from, int64_t until,
                      int64_t times[ACTING_THREADS + 2], int64_t *active);

/* An end of a window: so much true time of the first thread, a record, where a wait begins, or
 * none. */
struct acting_end {
    enum { ACTING_END_NONE, ACTING_END_TIME, ACTING_END_RECORD, ACTING_END_BEGIN } kind;
    int64_t time;
    size_t record;
};

void acting_draw_end(const struct acting *a, struct random *r, struct acting_end *end);

/* When an end is, where clocks are off by x; one that is none is the first record then, or the
 * last. */
int64_t acting_end_time(const struct acting *a, const struct acting_end *end, const int64_t *x,
                        bool last);

/* As programs are told of it. */
void acting_write_end(const struct acting_end *end, char text[32]);

/* How many stamps there are. */
size_t acting_stamps(const struct acting *a);

/* Let each stamp be off by up to that, at random. */
void acting_err(const struct acting *a, struct random *r, int64_t delta, struct acting *out);

/* Look at all that may have been, in true time, where stamps are off by delta at most, and clocks
 * by `most`: records in the order of the buffer, or messages no later than their sends, and waits
 * between their actor's record before and their ends. */
typedef void acting_look(void *user, const struct acting *was);
void acting_histories(const struct acting *told, int64_t delta, int64_t most, acting_look *look,
                      void *user);

/* What events mean, by that document; the caller frees it. */
csy_meaning *acting_meaning(const char *text);

#endif
