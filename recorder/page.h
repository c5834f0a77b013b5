/* Pages of records. Each thread has two pages of its own, which it fills by turns.
 *
 *      HOST.PID.live:  | header, 4096 bytes | page | page | page | ...
 *
 * The pages are mapped from this file, so records survive if the program is killed. A page begins
 * with 64 bytes of administration, followed by records. The first eight bytes of a record are
 * stored last. So a record is complete if its size is not 0, and a size of 0 ends the page. Before
 * a thread completes a record, it stores a 0 after the record. Therefore old contents of the page
 * need not be cleared. pex(5) defines the bytes.
 *
 * A thread fills a page, hands it over to the writer (writer.h), and continues with its other page.
 * Usually the writer has freed the other page by then. If it has not, the thread gets further pages
 * as long as there is plenty of room, which lets the writer write more at once. Otherwise the
 * thread waits. */
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
    /* the number of pages that a thread gets at first, and the number that it gets later at once */
    PAGES_FEWEST = 2,
    PAGES_MOST = 8,
    RECORD_BYTES = 32, /* size of a record without values */
    THREAD_NAME_BYTES = 64
};

/* The size of the first pages of a thread. They are mapped together, rounded up to whole pages of
 * the machine (`unit`): two pages of 5 KiB take 12 KiB instead of 16 KiB. */
static inline uint64_t pages_of_thread(uint64_t page_bytes, uint64_t unit)
{
    uint64_t bytes = PAGES_FEWEST * (PAGE_HEAD_BYTES + page_bytes + PAGE_END_BYTES);
    return (bytes + unit - 1) / unit * unit;
}

/* Ids from this one on belong to CPUs, which also have pages, not to threads. */
#define PAGES_NO_THREAD (UINT32_C(1) << 31)

/* The states of a page. PAGE_RETIRED: it was written and will never be filled again. */
enum page_state { PAGE_FREE, PAGE_FILLING, PAGE_HANDED, PAGE_WRITTEN, PAGE_RETIRED };

struct thread;

struct page {
    uint8_t *head;  /* its administration, in the mapped file */
    uint8_t *bytes; /* its records, after the administration */
    atomic_uint state;
    struct page *next;     /* the next page in the list of pages that were handed over */
    struct thread *thread; /* NULL: shared by all threads */
    size_t used;           /* bytes used; for the page of a thread, set when it is handed over */
    uint32_t records;      /* number of records; 0 if it must be counted from the page itself */
    uint32_t handed_by;    /* id of the thread that handed it over */
    uint64_t number, lost; /* values for the event BUFFER_FLUSH */
    uint64_t handed_ticks;
    bool has_spent; /* the CPU times of the thread at the handover are set: */
    struct system_spent spent;
};

struct thread {
    uint32_t id;
    unsigned current; /* index of the page that it fills, or that it waits for */
    unsigned npages, most_pages;
    struct page pages[PAGES_MOST];
    unsigned untold;           /* number of pages that it handed over without waking the writer */
    uint64_t handed_ticks;     /* time of the last handover */
    atomic_uint_fast64_t lost; /* number of events lost since the thread began */
    uint64_t lost_told;        /* number of lost events that pages already report */
    uint64_t spent_ticks;      /* time when its CPU times were last read */
    atomic_uint_fast64_t waits, wait_ticks;
    atomic_bool ended;
    int32_t *depths;          /* for writer.c, by block: number of entries minus number of exits */
    struct thread *next;      /* next in the list of all threads */
    struct thread *next_free; /* next in the list of structs that can be used again */
};

/* The data that a thread needs to record an event. They are adjacent, so that they share cache
 * lines. */
struct local {
    uint8_t *p, *end; /* the unused part of its page */
    struct thread *thread;
    uint32_t id;
    uint32_t records; /* number of records in the page */
    /* the thread is inside of the recorder, so events of a signal handler are lost */
    atomic_bool busy;
    bool refused; /* the thread gets no pages, or has ended */
    bool ended;   /* the thread has ended, except for its end in the C library */
};

extern _Thread_local struct local local __attribute__((tls_model("initial-exec")));

/* True if events are recorded now. */
extern atomic_bool pages_record;

/* The number of events that were lost without a thread to count them. */
extern atomic_uint_fast64_t pages_lost;

/* Use NAME.live for pages; the file must be empty. The caller fills in the rest of its header
 * (pages_header). Returns false with errno on a failure. */
bool pages_open(const struct folder_open_file *file, const struct settings *settings, uint64_t hz);
uint8_t *pages_header(void);

/* For shared.h: map a further part of the file for pages. Returns NULL with errno on a failure. */
uint8_t *pages_grow(size_t size);
size_t pages_slot_bytes(void);

void pages_set_state(struct page *page, enum page_state state);

/* Begin to fill a free page. `thread` is the thread that will fill it; 0: all threads will, and the
 * page must have been cleared. */
void pages_begin(struct page *page, uint32_t thread, uint64_t lost);

/* Claim a page that is being filled, to hand it over. Returns false if the end of the process has
 * claimed it before. */
bool pages_claim(struct page *page, uint64_t ticks);

/* pages_hand_over hands a claimed page over to the writer. Before that, pages_read_spent stores the
 * CPU times of the calling thread in the page. */
void pages_hand_over(struct page *page);
void pages_read_spent(struct page *page);

/* Make room for this many bytes in the page of the calling thread, or get its first page. Returns
 * false if the event is lost; it was then counted as lost. */
bool pages_turn(struct local *l, size_t bytes);

/* Reserve space for a record in the page of the thread, which must have room. The word after the
 * space is set to 0 before the record becomes complete. */
static inline uint8_t *page_take(struct local *l, size_t size)
{
    uint8_t *p = l->p;
    l->p = p + size;
    l->records++;
    word_store(l->p, 0);
    return p;
}

/* pages_give hands over the page of the calling thread and returns it, or NULL if there was nothing
 * to hand over. pages_wait waits until such a page is written. */
struct page *pages_give(struct local *l);
void pages_wait(struct page *page);

/* pages_leave ends the recording of the calling thread. pages_tell arranges that it is called when
 * the thread ends. */
void pages_leave(struct local *l);
void pages_tell(void);

/* Set another function to call instead of pages_leave, if threads have no pages of their own. */
void pages_leave_by(void (*leave)(struct local *l));

/* Count an event of the calling thread as lost. */
void pages_lose(struct local *l);

/* For the writer. pages_next waits for pages that were handed over, for pages_poke, or for the end
 * of recording. It returns the first page of a list linked by page->next, or NULL. */
struct page *pages_next(void);
void pages_poke(void);
bool pages_have_ended(void);

/* The number of bytes for records in a page. */
size_t pages_bytes(void);

/* For the writer. pages_note_written: a page was written. pages_free: it may be filled again; it
 * must be in the state that pages_begin requires. */
void pages_note_written(struct page *page);
void pages_free(struct page *page);

/* Hand over the pages of all threads, with their CPU times, at the end of the process. */
void pages_end(struct local *l);

/* Forget all pages, in the child of a fork: they belong to its parent. */
void pages_forget(void);

/* Totals over all threads: lost events, and number and duration of waits for pages. */
struct pages_sum {
    uint64_t lost, waits, wait_ticks;
    int reason; /* the errno if some thread got no pages, otherwise 0 */
};

struct pages_sum pages_sum(void);

void pages_visit_threads(void (*visit)(struct thread *thread));

/* Names of threads. */
void pages_name(struct local *l, const char *name);
void pages_visit_names(void (*visit)(void *user, uint32_t id, const char *name), void *user);

#endif
