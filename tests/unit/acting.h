/* Random programs with known true times. Each of a few threads writes marks and waits, by its own
 * clock. Waits may contain marks and other waits. */
#ifndef UNIT_ACTING_H
#define UNIT_ACTING_H

#include "support.h"

#include <cellsync/analysis.h>

enum { ACTING_THREADS = 6, ACTING_EVENTS = 240, ACTING_MESSAGES = 12 };

/* A wait is an interval, whose begin has no place in the order of records. BLOCK and RUN are
 * records at which the thread is blocked and continues. */
enum acting_kind { ACTING_MARK, ACTING_WAIT, ACTING_BLOCK, ACTING_RUN };

struct acting_event {
    size_t thread, step; /* step: orders events with equal times */
    enum acting_kind kind;
    int64_t time, begin; /* true times; equal except for a wait */
};

struct acting {
    size_t n, nthreads;
    struct acting_event events[ACTING_EVENTS]; /* in the order of the buffer */
    size_t nmessages; /* 0: events are ordered by a buffer; otherwise by messages only */
    size_t senders[ACTING_MESSAGES], receivers[ACTING_MESSAGES]; /* indices of events */
    int64_t offsets[ACTING_THREADS]; /* true time minus local time; 0 for the first thread */
    size_t nclocks;                  /* number of clocks that threads share in turn; 0: each thread
                                      * has its own clock */
};

/* Draw 2 to `threads` threads. A thread has up to `steps` steps, not counting those within waits,
 * which are 1 to `apart` ticks apart. If `waits` is false, there are BLOCK and RUN instead of
 * waits. */
void acting_draw(struct random *r, size_t threads, size_t steps, int64_t apart, bool waits,
                 struct acting *out);

/* Like acting_draw, but nothing happens within a wait. */
void acting_draw_flat(struct random *r, size_t threads, size_t steps, int64_t apart, bool waits,
                      struct acting *out);

/* Let all threads share two clocks. */
void acting_share(struct acting *a);

/* Let some events send or receive messages, at most ACTING_MESSAGES. */
void acting_draw_messages(struct acting *a, struct random *r);

/* Synchronize the trace of the program. The caller frees *trace and *sync. */
void acting_solve(const struct acting *a, csy_trace **trace, csy_sync **sync);

/* Like acting_solve, but with the timestamp error `jitter` as delta. If r is not NULL and there are
 * no messages, timestamps have random errors of at most `jitter` ticks. */
void acting_solve_off(const struct acting *a, struct random *r, int64_t jitter, csy_trace **trace,
                      csy_sync **sync);

/* Returns true if all events are still in the order of the buffer, or of their messages, after x[i]
 * is added to the times of each thread i. */
bool acting_is_possible(const struct acting *a, const int64_t *x);

/* Get the first or the next x that acting_is_possible accepts, with x[0] = 0 and all other elements
 * from -most to most. Returns false if there is none. */
bool acting_first_move(const struct acting *a, int64_t most, int64_t *x);
bool acting_next_move(const struct acting *a, int64_t most, int64_t *x);

/* Returns the largest width of the bounds of two clocks, or INT64_MAX if a bound is infinite. */
int64_t acting_furthest(csy_sync *sync);

/* Get the true times of the first and the last record of a thread. */
void acting_span(const struct acting *a, size_t thread, int64_t *first, int64_t *last);

/* Returns true if a wait of the thread begins before its first record. */
bool acting_is_early(const struct acting *a, size_t thread);

/* Returns how long a thread is active, or how long it exists: from its first to its last record. */
int64_t acting_active(const struct acting *a, size_t thread);
int64_t acting_here(const struct acting *a, size_t thread);

/* Like acting_active and acting_here, but only for the time in [from, until). */
int64_t acting_active_in(const struct acting *a, size_t thread, int64_t from, int64_t until);
int64_t acting_here_in(const struct acting *a, size_t thread, int64_t from, int64_t until);

/* Compute times[i], the time with at least i active threads, for i > 0. times[0] is the time from
 * the first to the last record. x[i] is added to the times of each thread i. */
void acting_levels(const struct acting *a, const int64_t *x, int64_t times[ACTING_THREADS + 2]);

/* Like acting_levels, for the time in [from, until). *active is the sum of the active times. */
void acting_levels_in(const struct acting *a, const int64_t *x, int64_t from, int64_t until,
                      int64_t times[ACTING_THREADS + 2], int64_t *active);

/* An end of a window: a true time of the first thread, a record, the begin of a wait, or none. */
struct acting_end {
    enum { ACTING_END_NONE, ACTING_END_TIME, ACTING_END_RECORD, ACTING_END_BEGIN } kind;
    int64_t time;
    size_t record;
};

void acting_draw_end(const struct acting *a, struct random *r, struct acting_end *end);

/* Returns the time of an end after x[i] is added to the times of each thread i. For no end: the
 * time of the first record or, if `last`, of the last record. */
int64_t acting_end_time(const struct acting *a, const struct acting_end *end, const int64_t *x,
                        bool last);

/* Write the end in the syntax of windows, such as "#5.begin"; "" for no end. */
void acting_write_end(const struct acting_end *end, char text[32]);

/* Returns the number of timestamps; a wait has two. */
size_t acting_stamps(const struct acting *a);

/* Copy the program to *out, with random errors of at most delta in all timestamps. */
void acting_err(const struct acting *a, struct random *r, int64_t delta, struct acting *out);

/* Call `look` with every program that may have given these timestamps, if they are wrong by at most
 * delta and clocks by at most `most`. Events keep the order of the buffer, or of their messages. A
 * wait does not begin before the previous record of its thread. */
typedef void acting_look(void *user, const struct acting *was);
void acting_histories(const struct acting *told, int64_t delta, int64_t most, acting_look *look,
                      void *user);

/* Returns the meanings of events from a document. The caller frees them. */
csy_meaning *acting_meaning(const char *text);

#endif
