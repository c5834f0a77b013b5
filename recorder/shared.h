/* A buffer for all threads, as in traces of PDT, with records in the order of their arrival.
 *
 * Its pages are filled one after another. A thread reads the fill level of the page, then the
 * clock, and then reserves space. If another thread has reserved space in between, it tries again.
 * So no record has an earlier time than the record before it. Threads wait only at the end of a
 * page.
 *
 * A thread may be killed or interrupted after it reserved space. Readers skip such space by its
 * size, or by its zeros if it has no size yet, so only this record is lost. */
#ifndef CELLTRACE_SHARED_H
#define CELLTRACE_SHARED_H

#include "recorder/page.h"

bool shared_is_used(void);

/* Use the shared buffer, with memory from pages_grow. Returns false with errno on failure. */
bool shared_open(const struct settings *settings);

struct shared_place {
    uint8_t *bytes;
    uint64_t ticks; /* time of the record, which was read after all earlier loads */
};

/* Reserve space for a record. Returns false if the event is lost, and counts it. */
bool shared_take(struct local *l, size_t bytes, struct shared_place *out);

/* Hand over the current page to the writer. Returns NULL if no page is open, or if the page is
 * empty. */
struct page *shared_give(struct local *l);

/* Copy the complete records of a page to `to`, which has room for pages_bytes() bytes. Waits up to
 * a second for unfinished records, and stores the number of records that remain unfinished. Returns
 * the size of the copy. A page with unfinished records must never be filled again, because the
 * threads of these records may continue. Only the writer calls this function. */
size_t shared_collect(const struct page *page, uint8_t *to, uint64_t *unfinished);

/* Record the CPU times of all threads that have not ended, except the calling thread. */
void shared_record_spent(struct local *l);

/* Release a written page, which the caller has cleared, for another use. If `retire`, give the page
 * up for ever. */
void shared_free(struct page *page, bool retire);

/* Hand over the remaining pages after recording has ended. */
void shared_end(struct local *l);

void shared_forget(void);

/* Add the number and duration of waits for pages to *sum. */
void shared_add(struct pages_sum *sum);

#endif
