/* The buffer that all threads share, as in traces of PDT. Its records are in the order in which
 * they reached it.
 *
 * The buffer consists of a few pages, which are filled one after another. A thread reads the fill
 * level of the page, then the clock, and then reserves its space. If another thread reserved space
 * in the meantime, it reads the clock again. Therefore no record has an earlier time than the
 * record before it. No thread waits for a thread that is not running, except at the end of a page.
 *
 * Readers skip space that was reserved but not filled: by its size, or, if it has no size yet, by
 * its zeros. So a thread that is killed or interrupted at this point loses only its own record. */
#ifndef CELLTRACE_SHARED_H
#define CELLTRACE_SHARED_H

#include "recorder/page.h"

bool shared_is_used(void);

/* Use the shared buffer; its memory comes from pages_grow. Returns false with errno on a
 * failure. */
bool shared_open(const struct settings *settings);

struct shared_place {
    uint8_t *bytes;
    uint64_t ticks; /* the time of the record; all earlier loads were done before it was read */
};

/* Reserve this many bytes. Returns false if the event is lost; it was then counted as lost. */
bool shared_take(struct local *l, size_t bytes, struct shared_place *out);

/* Hand over the page that is being filled; NULL if there is none, or if it is empty. */
struct page *shared_give(struct local *l);

/* For the writer: copy the complete records of a page to `to`, which has room for pages_bytes()
 * bytes. Waits up to a second for records that are not filled yet. Returns the size of the copied
 * records; *unfinished is the number of records that are still not filled. A page with unfinished
 * records must never be filled again, because their threads may continue. */
size_t shared_collect(const struct page *page, uint8_t *to, uint64_t *unfinished);

/* Record the CPU times of all threads that have not ended, except the calling thread. */
void shared_record_spent(struct local *l);

/* shared_free clears a page that was written, so that it can be filled again. shared_retire never
 * uses it again. */
void shared_free(struct page *page);
void shared_retire(struct page *page);

/* Hand over the pages that remain. Call it when recording has ended. */
void shared_end(struct local *l);

void shared_forget(void);

/* Add the number and duration of waits for pages to *sum. */
void shared_add(struct pages_sum *sum);

#endif
