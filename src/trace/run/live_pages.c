/* The pages of a process that did not end. */
#include "trace/run/live_pages.h"

#include "base/array.h"
#include "base/error.h"
#include "io/range.h"
#include "trace/pex/record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    HEADER_BYTES = 72,
    HEAD_BYTES = 64, /* of a page */
    PAGE_MOST = 16 * 1024 * 1024,
    STATE_FILLING = 1,
    STATE_HANDED = 2,
    UNFINISHED = 0x80, /* a flag of records in shared pages */
    PPB = 1000000000
};

#define LIVE_MAGIC "PDTPAGES"

/* False: not all of it is there. */
static bool read_at(int fd, void *bytes, size_t size, uint64_t offset)
{
    char *at = bytes;
    while (size > 0) {
        ssize_t n = pread(fd, at, size, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        offset += (uint64_t)n;
        size -= (size_t)n;
    }
    return true;
}

static int compare_pages(const void *a, const void *b)
{
    const struct live_page *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* The first of the pages at `at` and after that is not in a hole of a sparse file. */
static uint64_t skip_hole(const struct live_pages *pages, uint64_t at, uint64_t step, uint64_t end)
{
    struct range range = {.fd = pages->fd, .next = at};
    range_skip_hole(&range);
    uint64_t data = range.next < end ? range.next : end;
    return at + (data - at) / step * step;
}

/* Pages that are full or being filled. */
static csy_status list_pages(struct live_pages *pages, uint64_t first, uint64_t step, uint64_t end,
                             csy_error *error)
{
    uint8_t head[HEAD_BYTES];
    size_t capacity = 0;
    for (uint64_t at = first; end - at >= step; at += step) {
        if (!read_at(pages->fd, head, sizeof head, at))
            break;
        uint32_t state = load32(head);
        if (state == 0 && load64(head + 8) == 0 && at + step <= end - step)
            at = skip_hole(pages, at + step, step, end) - step;
        if (state != STATE_FILLING && state != STATE_HANDED)
            continue;
        if (!ARRAY_RESERVE(pages->items, capacity, pages->count + 1))
            return error_memory(error);
        pages->items[pages->count++] = (struct live_page){load64(head + 8), at, false};
    }
    if (pages->count > 1)
        qsort(pages->items, pages->count, sizeof *pages->items, compare_pages);
    return CSY_OK;
}

csy_status live_pages_open(const char *name, struct live_pages *out, csy_error *error)
{
    uint8_t header[HEADER_BYTES];
    struct stat st;
    *out = (struct live_pages){.name = name, .fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (out->fd < 0 && errno == ENOENT)
        return CSY_OK;
    if (out->fd < 0 || fstat(out->fd, &st) < 0)
        return error_io(error, name, NULL);
    if (!S_ISREG(st.st_mode))
        return error_set(error, CSY_IO, "%s: it is not a regular file", name);
    if (!read_at(out->fd, header, sizeof header, 0) || memcmp(header, LIVE_MAGIC, 8) != 0)
        return error_set(error, CSY_INPUT, "%s: offset 0: this is no file of pages", name);
    uint64_t size = (uint64_t)st.st_size, first = load64(header + 8) & (UINT64_MAX >> 16);
    uint64_t step = load64(header + 24);
    out->page_bytes = load64(header + 16);
    out->skew_ticks = (int64_t)load64(header + 32);
    out->skew_ppb = (int64_t)load64(header + 40);
    out->shared = load64(header + 64) & 1;
    if (load16(header + 8) != 1)
        return error_set(error, CSY_INPUT, "%s: offset 8: the version is not 1, the only one known",
                         name);
    if (first < HEADER_BYTES || first > size || out->page_bytes > PAGE_MOST ||
        step < HEAD_BYTES + out->page_bytes || step > 2 * (uint64_t)PAGE_MOST)
        return error_set(error, CSY_INPUT,
                         "%s: offset 8: the header, or a page, has an impossible size", name);
    out->found = true;
    return list_pages(out, first, step, size, error);
}

void live_pages_close(struct live_pages *pages)
{
    if (pages->fd >= 0)
        close(pages->fd);
    free(pages->items);
    *pages = (struct live_pages){.fd = -1};
}

void live_pages_drop(struct live_pages *pages, uint64_t number)
{
    const struct live_page key = {.number = number};
    struct live_page *page =
        pages->count ? bsearch(&key, pages->items, pages->count, sizeof key, compare_pages) : NULL;
    if (page)
        page->dropped = true;
}

/* Keep the whole records of a page: those that it begins with, or, where threads share it, also
 * those after places that were taken, but not filled.  The bytes of all. */
static size_t keep_whole(uint8_t *bytes, size_t size, bool shared)
{
    size_t at = 0, kept = 0;
    while (size - at >= RECORD_PPE_BYTES) {
        size_t record = load16(bytes + at);
        size_t least = RECORD_PPE_BYTES + 8 * (size_t)load16(bytes + at + 6);
        bool unfinished = shared && (record == 0 || (bytes[at + 3] & UNFINISHED));
        if (unfinished && record == 0)
            record = 8;
        if ((!unfinished && record < least) || record % 8 || record == 0 || record > size - at ||
            bytes[at + 2] != CORE_PPE)
            break;
        if (!unfinished) {
            memmove(bytes + kept, bytes + at, record);
            kept += record;
        }
        at += record;
    }
    return kept;
}

static uint64_t skewed(const struct live_pages *pages, uint64_t ticks)
{
    return ticks + (uint64_t)pages->skew_ticks +
           (uint64_t)(int64_t)((int128)ticks * pages->skew_ppb / PPB);
}

static void skew(const struct live_pages *pages, uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size; at += load16(bytes + at)) {
        store64(bytes + at + 16, skewed(pages, load64(bytes + at + 16)));
        if (bytes[at + 3] & RECORD_INTERVAL)
            store64(bytes + at + 24, skewed(pages, load64(bytes + at + 24)));
    }
}

csy_status live_pages_read(const struct live_pages *pages, uint8_t **out, size_t *size,
                           csy_error *error)
{
    uint8_t *bytes = NULL;
    size_t capacity = 0, used = 0, page = (size_t)pages->page_bytes;
    for (size_t i = 0; i < pages->count; i++) {
        if (pages->items[i].dropped)
            continue;
        if (!ARRAY_RESERVE(bytes, capacity, used + page)) {
            free(bytes);
            return error_memory(error);
        }
        if (!read_at(pages->fd, bytes + used, page, pages->items[i].offset + HEAD_BYTES)) {
            free(bytes);
            return error_io(error, pages->name, NULL);
        }
        size_t whole = keep_whole(bytes + used, page, pages->shared);
        if (pages->skew_ticks || pages->skew_ppb)
            skew(pages, bytes + used, whole);
        used += whole;
    }
    *out = bytes;
    *size = used;
    return CSY_OK;
}
