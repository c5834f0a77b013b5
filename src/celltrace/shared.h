/*
 * The buffer that all threads share, as PDT's traces have one: records are in the order in which
 * they reached it.
 *
 * It is a few pages, which are filled one after the other.  A thread reads the clock once it knows
 * what is taken, and then takes its place, unless another one has done so meanwhile: then it reads
 * the clock anew.  So no record has an earlier stamp than one before it, whichever thread it is
 * of, and no thread ever waits for one that is not running, but for where a page ends.
 *
 * A place that is taken but not filled is skipped, by its size or, where not even that is there,
 * by its zeros: that a thread was killed or interrupted just then costs its own record alone.
 */
#ifndef CELLTRACE_SHARED_H
#define CELLTRACE_SHARED_H

#include "celltrace/page.h"

bool shared_is_used(void);

/* Use it: of pages_grow.  False with errno. */
bool shared_open(const struct settings *settings);

struct shared_place {
    uint8_t *bytes;
    uint64_t ticks; /* its stamp; all that was loaded before was loaded by then */
};

/* Take so many bytes; false: what they are for is lost, and was counted. */
bool shared_take(struct local *l, size_t bytes, struct shared_place *out);

/* Hand over the page that is being filled; NULL: there is none, or nothing in it. */
struct page *shared_give(struct local *l);

/* For the writer: move the whole records of a page that was handed over to `to`, of pages_bytes
 * bytes; the size of all, and how many were not filled, after a second of waiting.  A page with
 * such is never filled again: its thread may go on. */
size_t shared_collect(const struct page *page, uint8_t *to, uint64_t *unfinished);

/* Record what threads have spent that have not ended, but for the calling one. */
void shared_record_spent(struct local *l);

/* A page that was written is cleared, or is never to be filled again. */
void shared_free(struct page *page);
void shared_retire(struct page *page);

/* Nothing is recorded from now on: hand over what is there. */
void shared_end(struct local *l);

void shared_forget(void);

/* What was waited. */
void shared_add(struct pages_sum *sum);

#endif
