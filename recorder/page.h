/* Pages of records. Each thread has two pages of its own, which it fills by turns.
 *
 *      HOST.PID.live:  | header, 4096 bytes | page | page | page | ...
 *
 * The pages are mapped from this file, so records survive if the program is killed. A page begins
 * with 64 bytes of administration, followed by records. A thread stores the first eight bytes of a
 * record last, so a record is complete if its size is not 0. Before it completes a record, it
 * stores a 0 after the record. Old contents need no clearing, as this 0 ends the page: see pex(5).
 *
 * A thread hands a full page over to the writer (writer.h), and continues with its other page. If
 * the writer has not freed that page, the thread gets further pages as long as there is plenty of
 * room, so that the writer writes more at once. Otherwise the thread waits. */
#ifndef CELLTRACE_PAGE_H
#define CELLTRACE_PAGE_H

#include "recorder/folder.h"
#include "recorder/record.h"
#include "recorder/settings.h"
#include "recorder/system.h"

enum {
    LIVE_HEADER_BYTES = 4096,
    PAGE_HEAD_BYTES = 64,
    PAGE_END_BYTES = 8, /* the word 0 that follows the last record of a full page */
    /* a thread gets PAGES_FEWEST pages at a time, and at most PAGES_MOST pages */
    PAGES_FEWEST = 2,
    PAGES_MOST = 8,
    RECORD_BYTES = 32, /* size of a record without values */
    THREAD_NAME_BYTES = 64
};

/* Returns the size of the first pages of a thread. The pages are mapped together, and their size is
 * rounded up to `unit`, the page size of the machine. Two pages of 5 KiB thus take 12 KiB instead
 * of 16 KiB. */
static inline uint64_t pages_of_thread(uint64_t page_bytes, uint64_t unit)
{
    uint64_t bytes = PAGES_FEWEST * (PAGE_HEAD_BYTES + page_bytes + PAGE_END_BYTES);
    return (bytes + unit - 1) / unit * unit;
}

/* Ids below this number are threads. All other ids are CPUs, which also have pages. */
#define PAGES_NO_THREAD (UINT32_C(1) << 31)

/* The states of a page. A retired page was written and will never be filled again. */
enum page_state { PAGE_FREE, PAGE_FILLING, PAGE_HANDED, PAGE_WRITTEN, PAGE_RETIRED };

struct thread;

struct page {
    uint8_t *head;  /* administration of the page, in the mapped file */
    uint8_t *bytes; /* records of the page, in the mapped file */
    atomic_uint state;
    struct page *next;     /* the next page in the list of pages that were handed over */
    struct thread *thread; /* the thread that owns the page; NULL: all threads share the page */
    size_t used;           /* number of used bytes, set when the page is handed over */
    uint32_t records;      /* number of records; 0: count them in the page */
    uint32_t handed_by;    /* id of the thread that handed the page over */
    uint64_t number, lost; /* number of the page, and number of events lost before it */
    uint64_t handed_ticks;
    bool has_spent; /* true if `spent` is set */
    struct system_spent spent;
};

struct thread {
    uint32_t id;
    unsigned current; /* index of the page that the thread fills or waits for */
    unsigned npages, most_pages;
    struct page pages[PAGES_MOST];
    unsigned untold;           /* number of pages handed over without waking the writer */
    uint64_t handed_ticks;     /* time of the last handover */
    atomic_uint_fast64_t lost; /* number of events lost since the thread began */
    uint64_t lost_told;        /* the part of `lost` that pages already report */
    uint64_t spent_ticks;      /* time when the CPU times of the thread were last read */
    atomic_uint_fast64_t waits, wait_ticks;
    atomic_bool ended;
    int32_t *depths;          /* used by writer.c: for each block, entries minus exits */
    struct thread *next;      /* next in the list of all threads */
    struct thread *next_free; /* next in the list of structs that can be used again */
};

/* The data that a thread needs to record an event. They are adjacent, so that they share cache
 * lines. */
struct local {
    uint8_t *p, *end; /* begin and end of the unused part of the page */
    struct thread *thread;
    uint32_t id;
    uint32_t records; /* number of records in the page */
    /* true while the thread is inside the recorder, so that events of a signal handler are lost */
    atomic_bool busy;
    bool refused; /* true if the thread gets no pages, or has ended */
    bool ended;   /* true if the thread has ended, although the C library may still run code in
                   * it */
};

extern _Thread_local struct local local __attribute__((tls_model("initial-exec")));

/* True while events are recorded. */
extern atomic_bool pages_record;

/* Number of lost events that are in no struct thread. */
extern atomic_uint_fast64_t pages_lost;

/* Use the empty file NAME.live for pages. The caller fills in the rest of its header
 * (pages_header). Returns false with errno on failure. */
bool pages_open(const struct folder_open_file *file, const struct settings *settings, uint64_t hz);
uint8_t *pages_header(void);

/* Map a further part of the file for pages of shared.h. Returns NULL with errno on failure. */
uint8_t *pages_grow(size_t size);
size_t pages_slot_bytes(void);

/* Set the state, also in the file for readers of the file. */
void pages_set_state(struct page *page, enum page_state state);

/* Begin to fill a free page. `thread` is the id of the only thread that fills it. 0 means all
 * threads; the caller must have cleared the page. */
void pages_begin(struct page *page, uint32_t thread, uint64_t lost);

/* Claim a page that is being filled. Returns false if pages_end has claimed it. */
bool pages_claim(struct page *page, uint64_t ticks);

/* Give a claimed page to the writer. */
void pages_hand_over(struct page *page);

/* Store the CPU times of the calling thread in a claimed page. */
void pages_read_spent(struct page *page);

/* Get a page with room for `bytes`. Returns false if the event is lost, and counts it. */
bool pages_turn(struct local *l, size_t bytes);

/* Reserve space in the page of the thread, which must have room. Stores a 0 after the record. */
static inline uint8_t *page_take(struct local *l, size_t size)
{
    uint8_t *p = l->p;
    l->p = p + size;
    l->records++;
    word_store(l->p, 0);
    return p;
}

/* Hand over the page of the calling thread. Returns the page, or NULL if there is none. */
struct page *pages_give(struct local *l);

/* Wait until a page that was handed over is written. page may be NULL. */
void pages_wait(struct page *page);

/* End the recording of the calling thread. */
void pages_leave(struct local *l);

/* Have pages_leave called when the calling thread ends. */
void pages_tell(void);

/* Set a function to call instead of pages_leave, for threads without pages. */
void pages_leave_by(void (*leave)(struct local *l));

/* Count an event of the calling thread as lost. */
void pages_lose(struct local *l);

/* For the writer: wait for a page, for pages_poke, or for the end of recording. Returns a list of
 * pages linked by `next`, or NULL. */
struct page *pages_next(void);

/* Wake the writer although no page was handed over. */
void pages_poke(void);
bool pages_have_ended(void);

size_t pages_bytes(void);

/* For the writer: make a written page free. The page then has no records. */
void pages_free(struct page *page);

/* Hand over the trace buffers (pages) and CPU times of all threads when the process ends. */
void pages_end(struct local *l);

/* Forget all pages. The child of a fork calls this, because the pages belong to its parent. */
void pages_forget(void);

/* Totals over all threads: lost events, and number and duration of waits for pages. */
struct pages_sum {
    uint64_t lost, waits, wait_ticks;
    int reason; /* errno if some thread got no pages, otherwise 0 */
};

struct pages_sum pages_sum(void);

void pages_visit_threads(void (*visit)(struct thread *thread));

void pages_name(struct local *l, const char *name);
void pages_visit_names(void (*visit)(void *user, uint32_t id, const char *name), void *user);

#endif
