/* The buffer shared by all threads, as in PDT's traces: records are in the order in which they
 * reached it.
 *
 * It consists of a few pages, filled one after the other. A thread reads the fill level, then the
 * clock, and then reserves its space, unless another thread did so in between: then it reads the
 * clock again. So no record has an earlier time than the one before it, and no thread waits for one
 * that is not running, except at the end of a page.
 *
 * Space that was reserved but not filled is skipped by its size, or by its zeros if there is no
 * size. A thread that is killed or interrupted at that moment loses only its own record. */
#ifndef CELLTRACE_SHARED_H
#define CELLTRACE_SHARED_H

#include "recorder/page.h"

bool shared_is_used(void);

/* Use the shared buffer, from pages_grow. False with errno. */
bool shared_open(const struct settings *settings);

struct shared_place {
    uint8_t *bytes;
    uint64_t ticks; /* its time; all earlier loads were done by then */
};

/* Reserve this many bytes. False if the event is lost, which has been counted. */
bool shared_take(struct local *l, size_t bytes, struct shared_place *out);

/* Hand over the page that is being filled; NULL if there is none, or if it is empty. */
struct page *shared_give(struct local *l);

/* For the writer: copy the complete records of a page to `to`, of pages_bytes bytes. Returns their
 * size and the number of records not filled after a second of waiting. A page with such records is
 * never filled again, because their threads may continue. */
size_t shared_collect(const struct page *page, uint8_t *to, uint64_t *unfinished);

/* Record the times of threads that have not ended, without the calling thread. */
void shared_record_spent(struct local *l);

/* Clear a written page, or retire it for ever. */
void shared_free(struct page *page);
void shared_retire(struct page *page);

/* Recording has ended: hand over the rest. */
void shared_end(struct local *l);

void shared_forget(void);

/* Add the waits. */
void shared_add(struct pages_sum *sum);

#endif
