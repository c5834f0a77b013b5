/* See shared.h. */
#include "recorder/shared.h"

#include "recorder/clock.h"
#include "recorder/record.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { SHARED_PAGES = 16, SHARED_PAGES_LEAST = 2, CLOSED = 1 << 30 };

/* High half of `head`: the turn of the current page (1 for the page opened first, then 2, 3, ...).
 * Low half: the number of used bytes of this page, and the bit CLOSED if it is closed. */
static struct {
    _Alignas(64) _Atomic(uint64_t) head;
    _Alignas(64) bool used;
    size_t page_bytes;
    enum full_page full;
    uint8_t *mapped;
    unsigned npages;
    struct page pages[SHARED_PAGES];
    _Atomic(struct page *) turns[SHARED_PAGES]; /* latest pages; index: turn % SHARED_PAGES */
    struct system_lock lock;                    /* protects closing and opening of pages */
    uint64_t lost_told;
    uint64_t opened_ticks; /* time when the current page was opened after a wait; 0 if no thread
                            * waited */
    bool ended;
    atomic_uint freed, retired; /* how often pages became free; number of pages out of use */
    atomic_uint_fast64_t waits, wait_ticks;
} shared;

bool shared_is_used(void)
{
    return shared.used;
}

static void open_page(struct page *page, uint64_t turn)
{
    uint64_t lost = atomic_load(&pages_lost);
    pages_begin(page, 0, lost - shared.lost_told);
    shared.lost_told = lost;
    atomic_store(&shared.turns[turn % SHARED_PAGES], page);
    atomic_store(&shared.head, turn << 32);
}

/* Record the CPU times of a thread as an event, because the thread has no page of its own. */
static void record_spent(struct local *l, uint32_t thread, const struct system_spent *spent)
{
    struct shared_place place;
    uint64_t values[SPENT_VALUES];
    system_spent_values(spent, values);
    if (shared_take(l, record_size(SPENT_VALUES), &place))
        record_store(place.bytes, record_head(0, ID_THREAD_TIMES, SPENT_VALUES), thread, 0,
                     place.ticks, 0, values, SPENT_VALUES);
}

static void leave(struct local *l)
{
    struct system_spent spent;
    system_spent(&spent);
    record_spent(l, l->id, &spent);
    l->refused = true;
}

static void record_spent_of(void *user, uint32_t thread)
{
    struct local *l = user;
    struct system_spent spent;
    if (thread == l->id || system_is_own(thread))
        return;
    system_spent_of(thread, &spent);
    record_spent(l, thread, &spent);
}

void shared_record_spent(struct local *l)
{
    system_visit_threads(record_spent_of, l);
}

bool shared_open(const struct settings *settings)
{
    size_t slot = pages_slot_bytes();
    uint64_t fit = settings->buffer_bytes / (2 * slot) * 2; /* two slots fill whole memory pages */
    shared.npages = fit < SHARED_PAGES ? (unsigned)fit : SHARED_PAGES;
    if (shared.npages < SHARED_PAGES_LEAST) {
        errno = ENOMEM;
        return false;
    }
    shared.mapped = pages_grow(shared.npages * slot);
    if (!shared.mapped)
        return false;
    for (unsigned i = 0; i < shared.npages; i++)
        shared.pages[i] = (struct page){.head = shared.mapped + i * slot,
                                        .bytes = shared.mapped + i * slot + PAGE_HEAD_BYTES};
    shared.page_bytes = settings->page_bytes;
    shared.full = settings->full;
    shared.used = true;
    pages_leave_by(leave);
    word_store(pages_header() + 64, 1);
    open_page(&shared.pages[0], 1);
    return true;
}

static struct page *page_of(uint64_t head)
{
    return atomic_load_explicit(&shared.turns[(head >> 32) % SHARED_PAGES], memory_order_relaxed);
}

/* Close the current page and hand it over. Returns NULL if it is already closed, or if it is empty
 * and even_empty is false. The caller holds the lock. */
static struct page *close_page(struct local *l, bool even_empty)
{
    uint64_t head = atomic_load(&shared.head);
    do
        if (head & CLOSED || (!even_empty && (uint32_t)head == 0))
            return NULL;
    while (!atomic_compare_exchange_weak(&shared.head, &head, head | CLOSED));
    struct page *page = page_of(head);
    page->used = (uint32_t)head;
    page->handed_by = l->id;
    pages_claim(page, clock_here());
    pages_read_spent(page);
    pages_hand_over(page);
    return page;
}

/* Open a free page. If there is none, wait for one, unless events are dropped when pages are full.
 * Returns false if no page was opened. The caller holds the lock. */
static bool open_next(void)
{
    bool waits = false;
    uint64_t turn = (atomic_load(&shared.head) >> 32) + 1;
    while (!shared.ended && atomic_load(&shared.retired) < shared.npages) {
        unsigned freed = atomic_load(&shared.freed);
        for (unsigned i = 0; i < shared.npages; i++)
            if (atomic_load(&shared.pages[i].state) == PAGE_FREE) {
                open_page(&shared.pages[i], turn);
                shared.opened_ticks = waits ? clock_now() : 0;
                return true;
            }
        if (shared.full == FULL_DROP)
            return false;
        waits = true;
        system_wait(&shared.freed, freed);
    }
    return false;
}

/* Open a page with room for `bytes`. Returns false if the event is lost. *waited is true if the
 * thread had to wait for the page. Blocks signals, because a handler that never returns would keep
 * the lock. */
static bool turn_page(struct local *l, size_t bytes, uint64_t begin, bool *waited)
{
    sigset_t old;
    system_block(&old);
    system_lock(&shared.lock);
    uint64_t head = atomic_load(&shared.head);
    if ((uint32_t)head + bytes > shared.page_bytes)
        close_page(l, true);
    bool good = !(atomic_load(&shared.head) & CLOSED) || open_next();
    *waited = good && shared.opened_ticks > begin;
    system_unlock(&shared.lock);
    system_restore(&old);
    return good;
}

static void take_mark(uint8_t *bytes, size_t size)
{
    word_store(bytes, (uint64_t)size << 48 | (uint64_t)RECORD_UNFINISHED << 32);
    stores_in_order(); /* other threads must see this word before the rest of the record */
}

bool shared_take(struct local *l, size_t bytes, struct shared_place *out)
{
    uint64_t since = 0;
    size_t size = bytes;
    if (l->refused || bytes + RECORD_BYTES > shared.page_bytes) {
        pages_lose(l);
        return false;
    }
    if (!l->id) {
        l->id = system_thread();
        pages_tell();
    }
    uint64_t head = atomic_load_explicit(&shared.head, memory_order_acquire);
    for (;;) {
        bool waited;
        if (__builtin_expect((uint32_t)head + size <= shared.page_bytes, 1)) {
            struct page *page = page_of(head);
            out->ticks = clock_after();
            if (atomic_compare_exchange_weak(&shared.head, &head,
                                             clock_then(out->ticks, head + size))) {
                out->bytes = page->bytes + (uint32_t)head;
                break;
            }
            continue;
        }
        uint64_t begin = since ? since : clock_now();
        if (!turn_page(l, size, begin, &waited)) {
            pages_lose(l);
            return false;
        }
        if (waited && !since) {
            since = begin;
            size += RECORD_BYTES;
        }
        head = atomic_load_explicit(&shared.head, memory_order_acquire);
    }
    if (since) {
        /* Write the wait as a record of its own, before the record of the caller. */
        take_mark(out->bytes, RECORD_BYTES);
        atomic_fetch_add_explicit(&shared.waits, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&shared.wait_ticks, out->ticks - since, memory_order_relaxed);
        record_store(out->bytes, record_head(RECORD_IS_INTERVAL, ID_PAGE_WAIT, 0), l->id, 0,
                     out->ticks, since, NULL, 0);
        out->bytes += RECORD_BYTES;
    }
    take_mark(out->bytes, bytes);
    return true;
}

struct page *shared_give(struct local *l)
{
    sigset_t old;
    system_block(&old);
    system_lock(&shared.lock);
    struct page *page = close_page(l, false);
    system_unlock(&shared.lock);
    system_restore(&old);
    return page;
}

/* Copy the complete records of a page, and count the unfinished records. Returns their size. */
static size_t collect(const struct page *page, uint8_t *to, uint64_t *unfinished)
{
    size_t at = 0, size = 0;
    bool zeros = false;
    *unfinished = 0;
    while (at < page->used) {
        size_t record = record_published_size(page->bytes + at);
        bool filled = record && !(head_flags(word_load(page->bytes + at)) & RECORD_UNFINISHED);
        *unfinished += record ? !filled : !zeros;
        zeros = !record;
        if (filled) {
            memcpy(to + size, page->bytes + at, record);
            size += record;
        }
        at += record ? record : 8;
    }
    return size;
}

size_t shared_collect(const struct page *page, uint8_t *to, uint64_t *unfinished)
{
    enum { TRIES = 20000 };
    static const struct timespec a_while = {.tv_nsec = 50000};
    size_t size = collect(page, to, unfinished);
    for (int i = 0; *unfinished && i < TRIES; i++) {
        nanosleep(&a_while, NULL);
        size = collect(page, to, unfinished);
    }
    return size;
}

void shared_free(struct page *page, bool retire)
{
    if (retire)
        atomic_store(&page->state, PAGE_RETIRED);
    else
        pages_set_state(page, PAGE_FREE);
    atomic_fetch_add(&shared.retired, retire);
    system_wake(&page->state);
    atomic_fetch_add(&shared.freed, 1);
    system_wake(&shared.freed);
}

void shared_end(struct local *l)
{
    system_lock(&shared.lock);
    shared.ended = true;
    close_page(l, false);
    atomic_fetch_or(&shared.head, CLOSED);
    system_unlock(&shared.lock);
}

void shared_forget(void)
{
    if (shared.used)
        munmap(shared.mapped, shared.npages * pages_slot_bytes());
    shared.used = false;
}

void shared_add(struct pages_sum *sum)
{
    sum->waits += atomic_load(&shared.waits);
    sum->wait_ticks += atomic_load(&shared.wait_ticks);
}
