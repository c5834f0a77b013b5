/* See page.h. */
#include "recorder/page.h"

#include "recorder/clock.h"
#include "recorder/record.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
    NAMES_MAX = 65536,
    CHUNK_THREADS = 64,
    FOR_FIRST = 8, /* a thread gets further pages only while all pages take at most 1/8 of the
                    * permitted size */
    PLENTY = 256   /* further pages require this many times their size as free disk space */
};

struct thread_name {
    uint32_t id;
    char text[THREAD_NAME_BYTES];
};

static struct {
    struct folder_open_file file;
    uint32_t page_bytes; /* size of the records of a full page */
    size_t unit;         /* page size of the machine; mapped sizes are multiples of it */
    size_t slot_bytes;   /* size of a page of records in the file, with its head and end */
    uint64_t file_bytes, most_bytes;
    enum full_page full;
    uint64_t per_ms; /* ticks per millisecond */
    uint8_t *header;
    struct system_lock lock; /* protects the lists of threads and names below */
    struct thread *threads, *free_threads, *chunk;
    unsigned chunk_left;
    struct thread_name *names;
    unsigned nnames;
    atomic_uint_fast64_t next_number;
    /* The pages for the writer as a linked list, latest first, and a counter that changes with the
     * list. */
    _Atomic(struct page *) handed;
    atomic_uint handed_count;
    atomic_bool writer_waits, poked, ended;
    int reason;        /* errno of the first failure to get pages */
    pthread_key_t key; /* calls `leave` when a thread ends */
    void (*leave)(struct local *l);
} pages = {.file.fd = -1, .leave = pages_leave};

_Thread_local struct local local __attribute__((tls_model("initial-exec")));
atomic_bool pages_record;
atomic_uint_fast64_t pages_lost;

/* Map the next part of the file, and allocate its disk blocks now. A full disk then fails here, not
 * by a SIGBUS later. Returns NULL with errno on failure. */
uint8_t *pages_grow(size_t size)
{
    struct system_quiet quiet;
    if (pages.file_bytes + size > pages.most_bytes + LIVE_HEADER_BYTES) {
        errno = ENOMEM;
        return NULL;
    }
    if (!folder_check(&pages.file))
        return NULL;
    system_be_quiet(&quiet);
    int reason = posix_fallocate(pages.file.fd, (off_t)pages.file_bytes, (off_t)size);
    system_be_loud(&quiet);
    if (reason) {
        errno = reason;
        return NULL;
    }
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, pages.file.fd,
                    (off_t)pages.file_bytes);
    if (at == MAP_FAILED)
        return NULL;
    pages.file_bytes += size;
    return at;
}

/* The C library calls the destructor of a key again if the destructor sets a value. Each call sets
 * the address of the next item of this array, which thus counts the calls. */
enum { END_ROUNDS = PTHREAD_DESTRUCTOR_ITERATIONS - 2 }; /* the last call is for sanitizers */
static const uint8_t end_rounds[END_ROUNDS + 1];

/* The destructor of pages.key, which runs at the end of a thread. Only its last call acts, because
 * destructors of other keys may still record events. */
static void thread_ends(void *rounds)
{
    const uint8_t *round = rounds;
    if (round < end_rounds + END_ROUNDS && pthread_setspecific(pages.key, round + 1) == 0)
        return;
    /* A thread that was cancelled asynchronously may be busy. Its last record stays incomplete, and
     * its page ends before this record. */
    int state = system_hold_cancel();
    atomic_store(&local.busy, true);
    pages.leave(&local);
    local.ended = true;
    atomic_store(&local.busy, false);
    system_release_cancel(state);
}

void pages_tell(void)
{
    pthread_setspecific(pages.key, end_rounds);
}

void pages_leave_by(void (*leave)(struct local *l))
{
    pages.leave = leave;
}

bool pages_open(const struct folder_open_file *file, const struct settings *settings, uint64_t hz)
{
    enum { PER_S = 1000 };
    size_t unit = (size_t)sysconf(_SC_PAGESIZE);
    unit = unit < LIVE_HEADER_BYTES ? LIVE_HEADER_BYTES : unit;
    pages.page_bytes = settings->page_bytes;
    pages.slot_bytes = (size_t)(pages_of_thread(settings->page_bytes, unit) / PAGES_FEWEST);
    pages.most_bytes = settings->buffer_bytes;
    pages.full = settings->full;
    pages.per_ms = hz / PER_S;
    pages.file = *file;
    pages.unit = unit;
    pages.header = pages_grow(unit);
    if (!pages.header || pthread_key_create(&pages.key, thread_ends) != 0)
        return false;
    word_store(pages.header + 8, UINT64_C(1) << 48 | (uint64_t)unit);
    word_store(pages.header + 16, pages.page_bytes);
    word_store(pages.header + 24, pages.slot_bytes);
    return true;
}

uint8_t *pages_header(void)
{
    return pages.header;
}

size_t pages_slot_bytes(void)
{
    return pages.slot_bytes;
}

void pages_set_state(struct page *page, enum page_state state)
{
    atomic_store(&page->state, state);
    __atomic_store_n((uint32_t *)(void *)page->head, big_endian32(state), __ATOMIC_RELEASE);
}

/* Add two pages to a thread. The caller holds the lock. */
static bool add_pages(struct thread *thread)
{
    uint8_t *bytes = pages_grow(PAGES_FEWEST * pages.slot_bytes);
    if (!bytes)
        return false;
    for (unsigned i = 0; i < PAGES_FEWEST; i++, bytes += pages.slot_bytes)
        /* `attach` has set the thread: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
        thread->pages[thread->npages++] =
            (struct page){.head = bytes, .bytes = bytes + PAGE_HEAD_BYTES, .thread = thread};
    return true;
}

void pages_lose(struct local *l)
{
    atomic_fetch_add_explicit(l->thread ? &l->thread->lost : &pages_lost, 1, memory_order_relaxed);
}

void pages_begin(struct page *page, uint32_t thread, uint64_t lost)
{
    page->number = atomic_fetch_add(&pages.next_number, 1);
    page->lost = lost;
    word_store(page->head + 8, page->number);
    word_store(page->head + 16, page->lost);
    word_store(page->head + 24, thread ? system_cpu_ns(thread) : 0);
    __atomic_store_n((uint32_t *)(void *)(page->head + 4), big_endian32(thread), __ATOMIC_RELAXED);
    pages_set_state(page, PAGE_FILLING);
}

void pages_read_spent(struct page *page)
{
    page->has_spent = true;
    system_spent(&page->spent);
}

/* Read the CPU times of the thread if `now`, or if the last reading is older than a millisecond. A
 * reading takes some thousand ticks. */
static void read_spent(struct thread *thread, struct page *page, bool now)
{
    if (thread->id >= PAGES_NO_THREAD ||
        (!now && page->handed_ticks - thread->spent_ticks < pages.per_ms))
        return;
    thread->spent_ticks = page->handed_ticks;
    pages_read_spent(page);
}

bool pages_claim(struct page *page, uint64_t ticks)
{
    unsigned filling = PAGE_FILLING;
    if (!atomic_compare_exchange_strong(&page->state, &filling, PAGE_HANDED))
        return false;
    __atomic_store_n((uint32_t *)(void *)page->head, big_endian32(PAGE_HANDED), __ATOMIC_RELEASE);
    page->handed_ticks = ticks;
    page->has_spent = false;
    return true;
}

static bool claim(struct page *page)
{
    if (!pages_claim(page, clock_now()))
        return false;
    page->handed_by = page->thread->id;
    page->used = page->records = 0;
    return true;
}

static void wake_writer(void)
{
    atomic_fetch_add(&pages.handed_count, 1);
    if (atomic_load(&pages.writer_waits))
        system_wake(&pages.handed_count);
}

static void push(struct page *page)
{
    page->next = atomic_load(&pages.handed);
    while (!atomic_compare_exchange_weak(&pages.handed, &page->next, page))
        ;
}

void pages_hand_over(struct page *page)
{
    push(page);
    wake_writer();
}

/* Wake the writer if the thread has handed over pages without waking it. */
static void tell_writer(struct thread *thread)
{
    if (thread->untold)
        wake_writer();
    thread->untold = 0;
}

struct page *pages_next(void)
{
    for (;;) {
        unsigned count = atomic_load(&pages.handed_count);
        struct page *latest = atomic_exchange(&pages.handed, NULL), *first = NULL;
        while (latest) {
            struct page *next = latest->next;
            latest->next = first;
            first = latest;
            latest = next;
        }
        if (first || atomic_load(&pages.ended) || atomic_exchange(&pages.poked, false))
            return first;
        atomic_store(&pages.writer_waits, true);
        system_wait(&pages.handed_count, count);
        atomic_store(&pages.writer_waits, false);
    }
}

bool pages_have_ended(void)
{
    return atomic_load(&pages.ended) && !atomic_load(&pages.handed);
}

void pages_poke(void)
{
    atomic_store(&pages.poked, true);
    wake_writer();
}

/* Hand over the page of the thread and return it, or NULL if the thread has none. If `spent`,
 * always read the CPU times and wake the writer. */
static struct page *give_page(struct local *l, bool spent)
{
    struct page *page = l->thread && l->p ? &l->thread->pages[l->thread->current] : NULL;
    if (!page)
        return NULL;
    size_t used = (size_t)(l->p - page->bytes);
    l->p = l->end = NULL;
    l->thread->current = (l->thread->current + 1) % l->thread->npages;
    if (!claim(page))
        return NULL;
    page->used = used;
    page->records = l->records;
    read_spent(l->thread, page, spent);
    push(page);
    /* Waking the writer takes as long as hundreds of events. If a thread fills pages fast, wake the
     * writer only after half of its pages. */
    bool fast = page->handed_ticks - l->thread->handed_ticks < pages.per_ms;
    l->thread->handed_ticks = page->handed_ticks;
    if (++l->thread->untold >= l->thread->npages / 2 || !fast || spent)
        tell_writer(l->thread);
    return page;
}

struct page *pages_give(struct local *l)
{
    if (l->thread)
        tell_writer(l->thread);
    return give_page(l, true);
}

void pages_wait(struct page *page)
{
    unsigned state;
    while (page && ((state = atomic_load(&page->state)) == PAGE_HANDED || state == PAGE_WRITTEN) &&
           !atomic_load(&pages.ended))
        system_wait(&page->state, state);
}

/* Wait until the page is free. Returns false if the process ends first. */
static bool wait_for(struct thread *thread, struct page *page)
{
    unsigned state;
    tell_writer(thread);
    while ((state = atomic_load(&page->state)) != PAGE_FREE) {
        if (atomic_load(&pages.ended))
            return false;
        system_wait(&page->state, state);
    }
    return true;
}

/* Returns the next free page of the thread, or NULL if events are lost. If the thread waited for
 * the page, *begin is the time when the wait began. */
static struct page *find_page(struct thread *thread, uint64_t *begin)
{
    struct page *page = &thread->pages[thread->current];
    if (atomic_load(&page->state) == PAGE_FREE)
        return page;
    tell_writer(thread);
    if (thread->npages < thread->most_pages) {
        /* The thread fills pages faster than the writer writes them, so get more pages. */
        struct statvfs disk;
        uint64_t size = PAGES_FEWEST * pages.slot_bytes;
        system_lock(&pages.lock);
        bool more = pages.file_bytes + size <= pages.most_bytes / FOR_FIRST &&
                    folder_check(&pages.file) && fstatvfs(pages.file.fd, &disk) == 0 &&
                    disk.f_bavail / PLENTY >= size / disk.f_frsize + 1 && add_pages(thread);
        system_unlock(&pages.lock);
        if (more) {
            thread->current = thread->npages - PAGES_FEWEST;
            return &thread->pages[thread->current];
        }
        thread->most_pages = thread->npages;
    }
    if (pages.full == FULL_DROP)
        return NULL;
    *begin = clock_now();
    return wait_for(thread, page) ? page : NULL;
}

/* Called for the first event of a thread. Returns false if there is no memory for its pages. */
static bool attach(struct local *l)
{
    if (l->refused)
        return false;
    l->id = l->id ? l->id : system_thread();
    system_lock(&pages.lock);
    struct thread *thread = pages.free_threads;
    if (thread) {
        pages.free_threads = thread->next_free;
    } else {
        if (pages.chunk_left == 0 &&
            (pages.chunk = system_map(CHUNK_THREADS * sizeof *pages.chunk)))
            pages.chunk_left = CHUNK_THREADS;
        if (pages.chunk_left > 0 && add_pages(pages.chunk)) {
            thread = pages.chunk++;
            pages.chunk_left--;
            thread->most_pages = PAGES_MOST;
            thread->next = pages.threads;
            pages.threads = thread;
        }
    }
    if (!thread && !pages.reason)
        pages.reason = errno;
    if (thread) {
        thread->id = l->id;
        thread->current = thread->untold = 0;
        thread->handed_ticks = 0;
        atomic_store(&thread->ended, false);
    }
    system_unlock(&pages.lock);
    l->thread = thread;
    l->refused = !thread;
    if (thread && l->id < PAGES_NO_THREAD)
        pages_tell();
    return thread != NULL;
}

bool pages_turn(struct local *l, size_t bytes)
{
    uint64_t begin = 0;
    int reason = errno, state = system_hold_cancel();
    bool good = bytes + RECORD_BYTES <= pages.page_bytes && (l->thread || attach(l));
    if (good) {
        give_page(l, false);
        struct page *page = find_page(l->thread, &begin);
        good = page != NULL;
        if (good) {
            uint64_t lost = atomic_load(&l->thread->lost);
            pages_begin(page, l->thread->id, lost - l->thread->lost_told);
            l->thread->lost_told = lost;
            l->p = page->bytes; /* the first word of the page is 0: no records */
            l->end = page->bytes + pages.page_bytes;
            l->records = 0;
        }
    }
    if (good && begin) {
        uint64_t now = clock_now();
        atomic_fetch_add_explicit(&l->thread->waits, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&l->thread->wait_ticks, now - begin, memory_order_relaxed);
        uint8_t *p = page_take(l, record_size(0));
        record_store(p, record_head(RECORD_IS_INTERVAL, ID_PAGE_WAIT, 0), l->id, 0, now, begin,
                     NULL, 0);
    }
    if (!good)
        pages_lose(l);
    errno = reason;
    system_release_cancel(state);
    return good;
}

void pages_leave(struct local *l)
{
    struct thread *thread = l->thread;
    l->refused = true;
    if (!thread)
        return;
    struct page *page = &thread->pages[thread->current];
    /* If the thread has no page, open one, because only a page tells the writer of its end. */
    if (!l->p && (!wait_for(thread, page) || atomic_load(&pages.ended)))
        return;
    if (!l->p)
        pages_set_state(page, PAGE_FILLING);
    l->p = l->end = NULL;
    l->thread = NULL;
    if (!claim(page))
        return;
    read_spent(thread, page, true);
    atomic_store(&thread->ended, true);
    pages_hand_over(page);
}

size_t pages_bytes(void)
{
    return pages.page_bytes;
}

void pages_free(struct page *page)
{
    struct thread *thread = page->thread;
    word_store(page->bytes, 0);
    pages_set_state(page, PAGE_FREE);
    system_wake(&page->state);
    if (!atomic_load(&thread->ended))
        return;
    for (unsigned i = 0; i < thread->npages; i++)
        if (atomic_load(&thread->pages[i].state) != PAGE_FREE)
            return;
    atomic_fetch_add(&pages_lost, atomic_load(&thread->lost));
    atomic_store(&thread->lost, 0);
    thread->lost_told = 0;
    system_lock(&pages.lock);
    thread->next_free = pages.free_threads;
    pages.free_threads = thread;
    system_unlock(&pages.lock);
}

void pages_end(struct local *l)
{
    system_lock(&pages.lock);
    for (struct thread *thread = pages.threads; thread; thread = thread->next)
        for (unsigned i = 0; i < thread->npages; i++) {
            struct page *page = &thread->pages[i];
            if (!claim(page))
                continue;
            page->has_spent = thread->id < PAGES_NO_THREAD;
            if (thread == l->thread)
                system_spent(&page->spent);
            else if (page->has_spent)
                system_spent_of(thread->id, &page->spent);
            pages_hand_over(page);
        }
    system_unlock(&pages.lock);
    atomic_store(&pages.ended, true);
    wake_writer();
}

void pages_forget(void)
{
    for (struct thread *thread = pages.threads; thread; thread = thread->next)
        for (unsigned i = 0; i < thread->npages; i += PAGES_FEWEST)
            munmap(thread->pages[i].head, PAGES_FEWEST * pages.slot_bytes);
    if (pages.header)
        munmap(pages.header, pages.unit);
    pages.threads = NULL;
}

struct pages_sum pages_sum(void)
{
    struct pages_sum sum = {.lost = atomic_load(&pages_lost)};
    system_lock(&pages.lock);
    sum.reason = pages.reason;
    for (const struct thread *thread = pages.threads; thread; thread = thread->next) {
        sum.lost += atomic_load(&thread->lost);
        sum.waits += atomic_load(&thread->waits);
        sum.wait_ticks += atomic_load(&thread->wait_ticks);
    }
    system_unlock(&pages.lock);
    return sum;
}

void pages_visit_threads(void (*visit)(struct thread *thread))
{
    system_lock(&pages.lock);
    for (struct thread *thread = pages.threads; thread; thread = thread->next)
        visit(thread);
    system_unlock(&pages.lock);
}

void pages_name(struct local *l, const char *name)
{
    system_lock(&pages.lock);
    if (!pages.names)
        pages.names = system_map(NAMES_MAX * sizeof *pages.names);
    unsigned i = 0;
    while (pages.names && i < pages.nnames && pages.names[i].id != l->id)
        i++;
    if (pages.names && i < NAMES_MAX) {
        size_t size = strnlen(name, THREAD_NAME_BYTES - 1);
        pages.names[i].id = l->id;
        memcpy(pages.names[i].text, name, size);
        pages.names[i].text[size] = 0;
        pages.nnames += i == pages.nnames;
    }
    system_unlock(&pages.lock);
}

void pages_visit_names(void (*visit)(void *user, uint32_t id, const char *name), void *user)
{
    system_lock(&pages.lock);
    for (unsigned i = 0; i < pages.nnames; i++)
        visit(user, pages.names[i].id, pages.names[i].text);
    system_unlock(&pages.lock);
}
