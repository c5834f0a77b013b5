/* See writer.h. */
#include "recorder/writer.h"

#include "base/array.h"
#include "base/number.h"
#include "recorder/clock.h"
#include "recorder/page.h"
#include "recorder/record.h"
#include "recorder/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
    FILE_BYTES = 32, /* size of the file header */
    FLUSH_VALUES = 3 + SPENT_VALUES,
    BLOCKS_MAX = 4096,
    SHARED_THREADS = 4096,
    IDS = 65536,
    PPB = 1000000000,
    RESERVE_BYTES = 1024 * 1024, /* number of bytes to reserve the first time */
    RESERVE_MOST = 16 * 1024 * 1024,
    AT_ONCE = PAGES_MOST,       /* maximum number of pages in one write */
    AT_ONCE_BYTES = 1024 * 1024 /* maximum size of one write, if it has several pages */
};

static struct {
    struct folder_open_file file;
    struct skew skew;
    void (*changed)(void);
    atomic_uint changes, changes_told; /* number of changes of event types; number handled */
    atomic_uint done;
    uint64_t offset, in_file; /* number of bytes and records in the file */
    uint64_t reserved;        /* offset at which the reserved part of the file ends */
    uint64_t reserves;        /* by how many bytes to extend the reserved part of the file next; 0:
                               * never again */
    uint8_t *copy;            /* copy of a page that threads share, or whose times are changed */
    struct writer_sum sum;
} writer = {.file.fd = -1};

/* For each event id: the number of the block that the event enters, the negative number of the
 * block that the event leaves, or 0. Blocks are numbered from 1. */
static _Atomic(int16_t) block_of[IDS];
static atomic_int nblocks;

void writer_pair(unsigned entry_id, unsigned exit_id)
{
    int block = atomic_fetch_add(&nblocks, 1) + 1;
    if (block < BLOCKS_MAX) {
        atomic_store(&block_of[entry_id], (int16_t)block);
        atomic_store(&block_of[exit_id], (int16_t)-block);
    }
}

/* Count that a thread enters a block (block > 0) or leaves it (block < 0). For a record from the
 * shared buffer, thread is NULL, and id is the id of its thread. */
static void note_block(struct thread *thread, uint32_t id, int block)
{
    static struct {
        uint32_t id;
        int32_t *depths;
    } * threads; /* threads with records in the shared buffer */
    static size_t last, n;
    int32_t **depths = thread ? &thread->depths : NULL;
    if (!thread && !threads)
        threads = system_map(SHARED_THREADS * sizeof *threads);
    if (!thread && threads) {
        for (size_t i = 0; i < n && threads[last].id != id; i++)
            last = (last + 1) % n;
        if (n < SHARED_THREADS && (n == 0 || threads[last].id != id)) {
            last = n++;
            threads[last].id = id;
        }
        depths = threads[last].id == id ? &threads[last].depths : NULL;
    }
    if (depths && !*depths)
        *depths = system_map(BLOCKS_MAX * sizeof **depths);
    if (!depths || !*depths)
        return;
    int32_t *depth = *depths + (block < 0 ? -block : block);
    int32_t before = *depth;
    *depth += block < 0 ? -1 : 1;
    if (!thread) /* If threads share a buffer, the end of a thread is not visible, so settle_blocks
                  * cannot count its unbalanced entries. */
        writer.sum.unbalanced += (uint64_t)(int64_t)(abs(*depth) - abs(before));
}

/* For a thread that ends, count entries without an exit, and exits without an entry. */
static void settle_blocks(struct thread *thread)
{
    int n = atomic_load(&nblocks);
    for (int i = 1; thread->depths && i <= n && i < BLOCKS_MAX; i++) {
        writer.sum.unbalanced += (uint64_t)abs(thread->depths[i]);
        thread->depths[i] = 0;
    }
}

/* Returns the size of the complete records in the first `size` bytes of a page, and counts them. */
static size_t measure(const struct page *page, const uint8_t *bytes, size_t size, uint64_t *records)
{
    bool watched = atomic_load(&nblocks) > 0;
    if (!watched && page->thread && page->records > 0) {
        *records = page->records;
        return page->used;
    }
    size_t at = 0;
    *records = 0;
    while (at + RECORD_BYTES <= size) {
        uint64_t head = word_load_published(bytes + at);
        if (head == 0)
            break;
        int block =
            watched ? atomic_load_explicit(&block_of[head_id(head)], memory_order_relaxed) : 0;
        if (block)
            note_block(page->thread, (uint32_t)(word_load(bytes + at + 8) >> 32), block);
        at += head_size(head);
        ++*records;
    }
    return at;
}

static uint64_t skewed(uint64_t ticks)
{
    return ticks + (uint64_t)writer.skew.ticks +
           (uint64_t)(int64_t)((int128)ticks * writer.skew.ppb / PPB);
}

static void skew_record(uint8_t *record)
{
    word_store(record + 16, skewed(word_load(record + 16)));
    if (head_flags(word_load(record)) & RECORD_IS_INTERVAL)
        word_store(record + 24, skewed(word_load(record + 24)));
}

static uint8_t *make_copy(void)
{
    if (!writer.copy)
        writer.copy = system_map(pages_bytes());
    return writer.copy;
}

/* A page to be written, and the record BUFFER_FLUSH that follows it in the file. */
struct block {
    struct page *page;
    const uint8_t *bytes; /* records of the page; NULL: out of memory */
    size_t size, flush_size;
    uint64_t records, unfinished;
    uint8_t flush[8 * (RECORD_PREFIX_WORDS + FLUSH_VALUES)]; /* the record BUFFER_FLUSH, of
                                                              * flush_size bytes */
};

/* Append a block without its first `done` bytes. Returns false with errno on failure. */
static bool append_rest(const struct block *block, size_t done)
{
    size_t flushed = done > block->size ? done - block->size : 0;
    return (done >= block->size || system_write(writer.file.fd, block->bytes + done,
                                                block->size - done, writer.offset + done)) &&
           system_write(writer.file.fd, block->flush + flushed, block->flush_size - flushed,
                        writer.offset + block->size + flushed);
}

/* Append blocks to the file. On failure, leave the file as it was and return false with errno. */
static bool append(const struct block *blocks, size_t n)
{
    struct iovec parts[2 * AT_ONCE];
    size_t size = 0;
    for (size_t i = 0; i < n; i++) {
        parts[2 * i] =
            (struct iovec){.iov_base = unconst(blocks[i].bytes), .iov_len = blocks[i].size};
        parts[2 * i + 1] =
            (struct iovec){.iov_base = unconst(blocks[i].flush), .iov_len = blocks[i].flush_size};
        size += blocks[i].size + blocks[i].flush_size;
    }
    if (size == 0)
        return true;
    if (!folder_check(&writer.file))
        return false;
    /* Reserve space for many pages at once: allocating the space of each page when it is written
     * takes a third longer. Reserve no more if the file system is full, or cannot reserve. */
    if (writer.offset + size > writer.reserved && writer.reserves > 0) {
        if (fallocate(writer.file.fd, FALLOC_FL_KEEP_SIZE, (off_t)writer.reserved,
                      (off_t)writer.reserves) < 0) {
            writer.reserves = 0;
        } else {
            writer.reserved += writer.reserves;
            writer.reserves = writer.reserves < RESERVE_MOST ? 2 * writer.reserves : RESERVE_MOST;
        }
    }
    ssize_t done = pwritev(writer.file.fd, parts, (int)(2 * n), (off_t)writer.offset);
    if (done == (ssize_t)size || (n == 1 && append_rest(blocks, done > 0 ? (size_t)done : 0))) {
        writer.offset += size;
        return true;
    }
    int reason = errno;
    if (ftruncate(writer.file.fd, (off_t)writer.offset) < 0)
        reason = reason ? reason : errno;
    errno = reason;
    return false;
}

/* Returns true if a page can be written without copying it: one thread owns it, and no skew is
 * set. */
static bool lies_ready(const struct page *page)
{
    return page->thread && !writer.skew.ticks && !writer.skew.ppb;
}

/* Prepare a page for writing. Returns the size of the block, or 0 if nothing is to be written. */
static size_t prepare(struct page *page, struct block *out)
{
    *out = (struct block){.page = page, .bytes = page->thread ? page->bytes : make_copy()};
    bool collects = !page->thread && out->bytes;
    size_t size = collects ? shared_collect(page, writer.copy, &out->unfinished) : pages_bytes();
    size = measure(page, out->bytes ? out->bytes : page->bytes, size, &out->records);
    if (out->records == 0 || writer.sum.reason)
        return 0;
    if (out->bytes && (writer.skew.ticks || writer.skew.ppb)) {
        uint8_t *copy = make_copy();
        if (copy && copy != out->bytes)
            memcpy(copy, out->bytes, size);
        for (size_t at = 0; copy && at < size; at += record_published_size(copy + at))
            skew_record(copy + at);
        out->bytes = copy;
    }
    /* Make the record that ends the block of a thread; see cellsync-run(5), BLOCKS. */
    uint64_t values[FLUSH_VALUES] = {out->records, page->lost, page->number};
    unsigned n = page->has_spent ? FLUSH_VALUES : FLUSH_VALUES - SPENT_VALUES;
    if (page->has_spent)
        system_spent_values(&page->spent, values + FLUSH_VALUES - SPENT_VALUES);
    /* The shared buffer may already contain later records, so use the time of the handover. */
    uint64_t now = page->thread ? clock_now() : page->handed_ticks;
    record_store(out->flush, record_head(RECORD_IS_INTERVAL, ID_BUFFER_FLUSH, n), page->handed_by,
                 0, now, page->handed_ticks, values, n);
    if (writer.skew.ticks || writer.skew.ppb)
        skew_record(out->flush);
    out->size = size;
    out->flush_size = record_size(n);
    return out->size + out->flush_size;
}

/* Write and free the first pages of a list, as many as one write takes. Returns the rest of the
 * list. */
static struct page *write_some(struct page *page)
{
    static struct block blocks[AT_ONCE];
    size_t n = 0, size = 0;
    do {
        size += prepare(page, &blocks[n++]);
        page = page->next;
    } while (page && n < AT_ONCE && size < AT_ONCE_BYTES && lies_ready(page) &&
             lies_ready(blocks[0].page));
    /* If the disk has no room for all pages, it may have room for some of them. */
    bool all = n > 1 && !writer.sum.reason && append(blocks, n);
    for (size_t i = 0; i < n; i++) {
        const struct block *block = &blocks[i];
        if (!all && !writer.sum.reason && block->records > 0 &&
            (!block->bytes || !append(block, 1)))
            writer.sum.reason = errno ? errno : EIO;
        atomic_fetch_add(&pages_lost, block->unfinished);
        if (writer.sum.reason) {
            writer.sum.discarded += block->records;
        } else if (block->records > 0) {
            writer.sum.records += block->records;
            writer.in_file += block->records + 1;
        }
        /* Free the page, whether or not it could be written. */
        struct page *done = block->page;
        pages_set_state(done, PAGE_WRITTEN);
        if (block->unfinished) {
            shared_free(done, true);
        } else if (!done->thread) {
            memset(done->bytes, 0, block->bytes ? done->used : pages_bytes());
            shared_free(done, false);
        } else {
            if (atomic_load(&done->thread->ended))
                settle_blocks(done->thread);
            pages_free(done);
        }
    }
    return page;
}

static void *run(void *unused)
{
    (void)unused;
    system_note_own();
    for (;;) {
        struct page *page = pages_next();
        unsigned changes = atomic_load(&writer.changes);
        if (changes != atomic_load(&writer.changes_told)) {
            writer.changed();
            atomic_store(&writer.changes_told, changes);
            system_wake(&writer.changes_told);
        }
        if (!page && pages_have_ended())
            break;
        while (page)
            page = write_some(page);
    }
    atomic_store(&writer.done, 1);
    system_wake(&writer.done);
    system_wake(&writer.changes_told);
    return NULL;
}

static bool write_header(uint64_t records)
{
    uint8_t header[FILE_BYTES] = "PDTTRACE";
    word_store(header + 8, UINT64_C(1) << 48 | (uint64_t)FILE_BYTES << 32);
    word_store(header + 16, records);
    return system_write(writer.file.fd, header, sizeof header, 0);
}

bool writer_start(struct folder *folder, const char *name, const struct skew *skew,
                  void (*changed)(void))
{
    writer.skew = *skew;
    writer.changed = changed;
    if (!folder_keep(&writer.file, folder, name, O_RDWR | O_CREAT))
        return false;
    writer.offset = FILE_BYTES;
    struct statfs fs; /* reserve nothing in tmpfs, which fills reserved blocks with zeros */
    bool in_memory = fstatfs(writer.file.fd, &fs) == 0 && fs.f_type == TMPFS_MAGIC;
    writer.reserves = in_memory ? 0 : RESERVE_BYTES;
    return write_header(UINT64_MAX) && system_start_own(run);
}

void writer_note_change(bool wait)
{
    unsigned told, change = atomic_fetch_add(&writer.changes, 1) + 1;
    pages_poke();
    while (wait && (int)((told = atomic_load(&writer.changes_told)) - change) < 0 &&
           atomic_load(&writer.done) == 0)
        system_wait(&writer.changes_told, told);
}

struct writer_sum writer_end(void)
{
    while (atomic_load(&writer.done) == 0)
        system_wait(&writer.done, 0);
    pages_visit_threads(settle_blocks);
    if (folder_check(&writer.file) && !write_header(writer.in_file) && !writer.sum.reason)
        writer.sum.reason = errno;
    if (writer.file.fd >= 0 && writer.reserved > writer.offset &&
        ftruncate(writer.file.fd, (off_t)writer.offset) < 0 && !writer.sum.reason)
        writer.sum.reason = errno;
    close(writer.file.fd);
    writer.file.fd = -1;
    return writer.sum;
}
