/* Pages: each thread records into two pages of its own by turns.
 *
 *     HOST.PID.live:  | header, 4096 bytes | page | page | page | ...
 *
 * They are mapped from that file, so that records survive if the program is killed. A page begins
 * with 64 bytes of administration, followed by records. The first eight bytes of a record are
 * stored last: a record is complete if its size is not 0, and 0 ends the page. A thread stores the
 * 0 after a record before the record is complete, so that old contents of the page need not be
 * cleared. pex(5) defines the bytes.
 *
 * A thread fills a page, hands it over to the writer (writer.h), and continues with its other page,
 * which the writer has freed by then. If it has not, the thread gets more pages while there is
 * plenty of room, which lets the writer write more at once; otherwise it waits. */
#ifndef CELLTRACE_PAGE_H
#define CELLTRACE_PAGE_H

#include "recorder/folder.h"
#include "recorder/record.h"
#include "recorder/settings.h"
#include "recorder/system.h"

enum {
    LIVE_HEADER_BYTES = 4096,
    PAGE_HEAD_BYTES = 64,
    PAGE_END_BYTES = 8, /* the 0 after a full page */
    PAGES_FEWEST = 2,   /* of a thread; it gets as many more at once */
    PAGES_MOST = 8,
    RECORD_BYTES = 32, /* size of a record without values */
    THREAD_NAME_BYTES = 64
};

/* The size of a thread's first pages, mapped together in whole pages of the machine: two of 5 KiB
 * take 12 KiB, not 16. */
static inline uint64_t pages_of_thread(uint64_t page_bytes, uint64_t unit)
{
    uint64_t bytes = PAGES_FEWEST * (PAGE_HEAD_BYTES + page_bytes + PAGE_END_BYTES);
    return (bytes + unit - 1) / unit * unit;
}

/* Ids from here on are not of threads, but of CPUs, which also have pages. */
#define PAGES_NO_THREAD (UINT32_C(1) << 31)

/* PAGE_RETIRED: written, and never filled again. */
enum page_state { PAGE_FREE, PAGE_FILLING, PAGE_HANDED, PAGE_WRITTEN, PAGE_RETIRED };

struct thread;

struct page {
    uint8_t *head;  /* in the file */
    uint8_t *bytes; /* of records, after the head */
    atomic_uint state;
    struct page *next;     /* in the list of pages handed over */
    struct thread *thread; /* NULL: shared by all threads */
    size_t used;           /* bytes used; in the page of a thread, bytes filled */
    uint32_t records;      /* number of records; 0 if only the page itself contains it */
    uint32_t handed_by;    /* thread id */
    uint64_t number, lost; /* as in BUFFER_FLUSH */
    uint64_t handed_ticks;
    bool has_spent; /* the thread's times at the handover are set: */
    struct system_spent spent;
};

struct thread {
    uint32_t id;
    unsigned current; /* the page that it fills, or waits for */
    unsigned npages, most_pages;
    struct page pages[PAGES_MOST];
    unsigned untold;           /* pages handed over without waking the writer */
    uint64_t handed_ticks;     /* time of the last handover */
    atomic_uint_fast64_t lost; /* since it began */
    uint64_t lost_told;        /* those already in pages */
    uint64_t spent_ticks;      /* when its times were last read */
    atomic_uint_fast64_t waits, wait_ticks;
    atomic_bool ended;
    int32_t *depths;          /* writer.c: entries minus exits of each block */
    struct thread *next;      /* in the list of all threads */
    struct thread *next_free; /* in the list of reusable ones */
};

/* A thread's data for recording, adjacent for the cache. */
struct local {
    uint8_t *p, *end; /* the free part of its page */
    struct thread *thread;
    uint32_t id;
    uint32_t records; /* in the page */
    atomic_bool busy; /* in the recorder: events of a signal handler are lost */
    bool refused;     /* it gets no pages, or has ended */
    bool ended;       /* only the C library's part of the thread's end follows */
};

extern _Thread_local struct local local __attribute__((tls_model("initial-exec")));

/* True if events are recorded now. */
extern atomic_bool pages_record;

/* Losses without a thread to count them. */
extern atomic_uint_fast64_t pages_lost;

/* Begin with the empty file NAME.live; the caller fills the rest of its header. False with errno.
 */
bool pages_open(const struct folder_open_file *file, const struct settings *settings, uint64_t hz);
uint8_t *pages_header(void);

/* For shared.h: map more of the file, for pages; NULL with errno. */
uint8_t *pages_grow(size_t size);
size_t pages_slot_bytes(void);

void pages_set_state(struct page *page, enum page_state state);

/* Begin to fill a free page, by this thread, or, with 0, by all, which requires it to be cleared.
 */
void pages_begin(struct page *page, uint32_t thread, uint64_t lost);

/* Claim a page that is being filled. False if the end of the process has already done so. */
bool pages_claim(struct page *page, uint64_t ticks);

/* Hand a claimed page over to the writer; before that, read the calling thread's times. */
void pages_hand_over(struct page *page);
void pages_read_spent(struct page *page);

/* Make room for this many bytes in the calling thread's page, or get its first page. False if the
 * event is lost, which has then been counted. */
bool pages_turn(struct local *l, size_t bytes);

/* Reserve a record in the thread's page, which has room; the word after it is 0 before the record
 * is published. */
static inline uint8_t *page_take(struct local *l, size_t size)
{
    uint8_t *p = l->p;
    l->p = p + size;
    l->records++;
    word_store(l->p, 0);
    return p;
}

/* Hand over the calling thread's page (NULL: nothing to hand over), and wait until it is written.
 */
struct page *pages_give(struct local *l);
void pages_wait(struct page *page);

/* End the calling thread's recording; pages_tell arranges for that call. */
void pages_leave(struct local *l);
void pages_tell(void);

/* Call this function instead if threads have no pages of their own. */
void pages_leave_by(void (*leave)(struct local *l));

/* Count an event of the calling thread as lost. */
void pages_lose(struct local *l);

/* For the writer: wait for handed-over pages, for pages_poke, or for the end. Returns the first
 * page of a list linked by page->next, or NULL. */
struct page *pages_next(void);
void pages_poke(void);
bool pages_have_ended(void);

/* Size of a page's records. */
size_t pages_bytes(void);

/* A page has been written; and it may be filled again, once it is as pages_begin requires. */
void pages_note_written(struct page *page);
void pages_free(struct page *page);

/* At the end of the process: hand over the pages of all threads, with their times. */
void pages_end(struct local *l);

/* In the child of a fork: the pages belong to its parent. */
void pages_forget(void);

/* Lost records, waits for pages, and the duration of waits, over all threads. */
struct pages_sum {
    uint64_t lost, waits, wait_ticks;
    int reason; /* errno if a thread got no pages, or 0 */
};

struct pages_sum pages_sum(void);

void pages_visit_threads(void (*visit)(struct thread *thread));

/* Names of threads. */
void pages_name(struct local *l, const char *name);
void pages_visit_names(void (*visit)(void *user, uint32_t id, const char *name), void *user);

#endif
