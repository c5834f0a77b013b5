/* Logs that grow side by side. */
#include "pdtsim/cluster/spool.h"

#include "base/array.h"
#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PAGE_BYTES = SPOOL_PAGE_RECORDS * SPOOL_RECORD_BYTES,
    HEAD_BYTES = 16,
    FIRST_PAGE_ADDRESS = 0x10000000 /* in the PPE's memory */
};

struct log {
    uint32_t *pages; /* of the file */
    size_t npages, capacity;
    unsigned used; /* records of the page that is being filled */
    uint8_t page[PAGE_BYTES];
};

struct spool {
    FILE *file;
    uint32_t npages;
    int failure; /* an errno, or 0 */
    size_t nlogs;
    struct log *logs;
};

csy_status spool_new(size_t logs, struct spool **out, csy_error *error)
{
    struct spool *spool = calloc(1, sizeof *spool);
    if (!spool)
        return error_memory(error);
    *out = spool;
    spool->nlogs = logs;
    spool->logs = calloc(logs, sizeof *spool->logs);
    if (!spool->logs)
        return error_memory(error);
    spool->file = tmpfile();
    return spool->file ? CSY_OK : error_io(error, "temporary file", NULL);
}

void spool_free(struct spool *spool)
{
    if (!spool)
        return;
    for (size_t i = 0; i < spool->nlogs && spool->logs; i++)
        free(spool->logs[i].pages);
    free(spool->logs);
    if (spool->file && fclose(spool->file) != 0)
        spool->failure = errno; /* of no importance: it is gone */
    free(spool);
}

static void write_page(struct spool *spool, struct log *log)
{
    off_t at = (off_t)spool->npages * PAGE_BYTES;
    if (!ARRAY_RESERVE(log->pages, log->capacity, log->npages + 1))
        spool->failure = ENOMEM;
    else if (pwrite(fileno(spool->file), log->page, PAGE_BYTES, at) != PAGE_BYTES)
        spool->failure = errno ? errno : EIO;
    else
        log->pages[log->npages++] = spool->npages++;
    log->used = 0;
}

bool spool_add(struct spool *spool, size_t log, const uint8_t record[SPOOL_RECORD_BYTES])
{
    struct log *to = &spool->logs[log];
    memcpy(to->page + (size_t)to->used++ * SPOOL_RECORD_BYTES, record, SPOOL_RECORD_BYTES);
    if (to->used < SPOOL_PAGE_RECORDS || spool->failure)
        return false;
    write_page(spool, to);
    return true;
}

uint64_t spool_records(const struct spool *spool, size_t log)
{
    const struct log *of = &spool->logs[log];
    return (uint64_t)of->npages * SPOOL_PAGE_RECORDS + of->used;
}

static void write_head(struct sink *sink, size_t next, bool little)
{
    uint8_t head[HEAD_BYTES] = {0};
    uint64_t address = next ? FIRST_PAGE_ADDRESS + (uint64_t)next * (HEAD_BYTES + PAGE_BYTES) : 0;
    for (size_t i = 0; i < sizeof address; i++)
        head[little ? i : sizeof address - 1 - i] = (uint8_t)(address >> 8 * i);
    sink_write(sink, head, sizeof head);
}

csy_status spool_copy(struct spool *spool, size_t log, bool pages, bool little, struct sink *sink,
                      csy_error *error)
{
    const struct log *from = &spool->logs[log];
    uint8_t page[PAGE_BYTES];
    for (size_t i = 0; i < from->npages && !spool->failure; i++) {
        bool last = i + 1 == from->npages && from->used == 0;
        off_t at = (off_t)from->pages[i] * PAGE_BYTES;
        if (pread(fileno(spool->file), page, PAGE_BYTES, at) != PAGE_BYTES)
            spool->failure = errno ? errno : EIO;
        if (pages)
            write_head(sink, last ? 0 : i + 1, little);
        sink_write(sink, page, PAGE_BYTES);
    }
    errno = spool->failure;
    if (spool->failure)
        return error_io(error, "temporary file", NULL);
    size_t rest = (size_t)from->used * SPOOL_RECORD_BYTES;
    if (rest == 0)
        return CSY_OK;
    memset(page, 0, sizeof page);
    memcpy(page, from->page, rest);
    if (pages)
        write_head(sink, 0, little);
    sink_write(sink, page, pages ? PAGE_BYTES : rest);
    return CSY_OK;
}
