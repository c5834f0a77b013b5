/*
 * Pages: where threads record, each into two of its own by turns.
 *
 *     HOST.PID.live:  | header, 4096 bytes | page | page | page | ...
 *
 * They are mapped from that file, so that what a program has recorded is there, too, when it is
 * killed.  A page begins with 64 bytes of its own and goes on with records, whose first eight bytes
 * are stored last: a record is there, whole, once its size is not 0, and 0 ends the page.  Before a
 * record is there the thread has stored the 0 that follows it, so that what
 * the page held before need not be cleared.  pex(5) has the bytes.
 *
 * A thread fills a page, hands it over to the writer (writer.h), and goes on with its other one,
 * which the writer has freed by then.  Where it has not, the thread gets more, while there is
 * plenty of room, so that the writer has much to write at once; or else it waits.
 */
#ifndef CELLTRACE_PAGE_H
#define CELLTRACE_PAGE_H

#include "celltrace/folder.h"
#include "celltrace/record.h"
#include "celltrace/settings.h"
#include "celltrace/system.h"

enum {
    LIVE_HEADER_BYTES = 4096,
    PAGE_HEAD_BYTES = 64,
    PAGE_END_BYTES = 8, /* the 0 after a page that is full */
    PAGES_FEWEST = 2,   /* of a thread; it gets as many more at once */
    PAGES_MOST = 8,
    RECORD_BYTES = 32, /* of a record without values */
    THREAD_NAME_BYTES = 64
};

/* What a thread's first pages take, which are mapped in one, in whole pages of the machine: two of
 * 5 KiB take 12 KiB, not 16. */
static inline uint64_t pages_of_thread(uint64_t page_bytes, uint64_t unit)
{
    uint64_t bytes = PAGES_FEWEST * (PAGE_HEAD_BYTES + page_bytes + PAGE_END_BYTES);
    return (bytes + unit - 1) / unit * unit;
}

/* From here on ids are of no threads, but of others that have pages: of CPUs. */
#define PAGES_NO_THREAD (UINT32_C(1) << 31)

/* PAGE_RETIRED: written, and never filled again. */
enum page_state { PAGE_FREE, PAGE_FILLING, PAGE_HANDED, PAGE_WRITTEN, PAGE_RETIRED };

struct thread;

struct page {
    uint8_t *head;  /* in the file */
    uint8_t *bytes; /* of records, after the head */
    atomic_uint state;
    struct page *next;     /* of those that are handed over */
    struct thread *thread; /* NULL: all threads share it */
    size_t used;           /* bytes of it that are taken, and in the page of a thread how many */
    uint32_t records;      /* records they are; there 0, if but the page itself says so */
    uint32_t handed_by;    /* thread id */
    uint64_t number, lost; /* as BUFFER_FLUSH has them */
    uint64_t handed_ticks;
    bool has_spent; /* what the thread had spent when the page was handed over: */
    struct system_spent spent;
};

struct thread {
    uint32_t id;
    unsigned current; /* the page that it fills, or waits for */
    unsigned npages, most_pages;
    struct page pages[PAGES_MOST];
    unsigned untold;           /* pages that it has handed over and not woken the writer for */
    uint64_t handed_ticks;     /* the last one */
    atomic_uint_fast64_t lost; /* since it began */
    uint64_t lost_told;        /* of these, by pages */
    uint64_t spent_ticks;      /* when it was read last what it has spent */
    atomic_uint_fast64_t waits, wait_ticks;
    atomic_bool ended;
    int32_t *depths;          /* writer.c: how often each block was entered and not left */
    struct thread *next;      /* of all */
    struct thread *next_free; /* of those that can be used again */
};

/* What a thread knows of where it records: beside each other, for the cache. */
struct local {
    uint8_t *p, *end; /* what is free of its page */
    struct thread *thread;
    uint32_t id;
    uint32_t records; /* in the page */
    atomic_bool busy; /* in the recorder: what a signal handler then records is lost */
    bool refused;     /* it gets no pages, or has ended */
    bool ended;       /* what still comes is the C library's end of the thread, not the program's */
};

extern _Thread_local struct local local __attribute__((tls_model("initial-exec")));

/* Whether events are recorded now. */
extern atomic_bool pages_record;

/* What is counted where there is no thread to count it. */
extern atomic_uint_fast64_t pages_lost;

/* Begin with NAME.live, which is empty; the caller adds the rest of its header.  False with
 * errno. */
bool pages_open(const struct folder_open_file *file, const struct settings *settings, uint64_t hz);
uint8_t *pages_header(void);

/* For shared.h: more of the file, mapped, of which pages are made; NULL with errno. */
uint8_t *pages_grow(size_t size);
size_t pages_slot_bytes(void);

void pages_set_state(struct page *page, enum page_state state);

/* A page that is free is to be filled, by that thread or, with 0, by all, who take it cleared. */
void pages_begin(struct page *page, uint32_t thread, uint64_t lost);

/* Take a page that is being filled; false: the end of the process has done so already. */
bool pages_claim(struct page *page, uint64_t ticks);

/* Give a page that was claimed to the writer; before that, what the calling thread has spent. */
void pages_hand_over(struct page *page);
void pages_read_spent(struct page *page);

/* Make room for so many bytes in the calling thread's page, which has too little, or begin with its
 * first one; false if what they are for is lost, which has then been counted. */
bool pages_turn(struct local *l, size_t bytes);

/* The place of a record in the thread's page, which has room for it; what follows is 0 by the time
 * that the record is published. */
static inline uint8_t *page_take(struct local *l, size_t size)
{
    uint8_t *p = l->p;
    l->p = p + size;
    l->records++;
    word_store(l->p, 0);
    return p;
}

/* Hand over what the calling thread has; NULL: nothing.  And wait until it is in the trace. */
struct page *pages_give(struct local *l);
void pages_wait(struct page *page);

/* That was all of the calling thread, as it ends: pages_tell has it called then. */
void pages_leave(struct local *l);
void pages_tell(void);

/* Call that instead: threads have no pages of their own. */
void pages_leave_by(void (*leave)(struct local *l));

/* One thing that the calling thread would have recorded is lost. */
void pages_lose(struct local *l);

/* For the writer: wait for pages that are handed over, or for pages_poke, or the end, and give the
 * first of a list, by page->next, or NULL. */
struct page *pages_next(void);
void pages_poke(void);
bool pages_have_ended(void);

/* Bytes of records of a page. */
size_t pages_bytes(void);

/* A page is in the trace; and, once it is as pages_begin takes it, it may be filled again. */
void pages_note_written(struct page *page);
void pages_free(struct page *page);

/* The process ends: hand over what all threads have, with what they have spent. */
void pages_end(struct local *l);

/* In the child of a fork: the pages are its parent's. */
void pages_forget(void);

/* Lost records, waits for pages, and how long these took, of all threads so far. */
struct pages_sum {
    uint64_t lost, waits, wait_ticks;
    int reason; /* errno where a thread got no pages, or 0 */
};

struct pages_sum pages_sum(void);

void pages_visit_threads(void (*visit)(struct thread *thread));

/* Threads that have a name. */
void pages_name(struct local *l, const char *name);
void pages_visit_names(void (*visit)(void *user, uint32_t id, const char *name), void *user);

#endif
