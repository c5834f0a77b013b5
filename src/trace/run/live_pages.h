/* The pages of a process that did not end, HOST.PID.live: pex(5), Runs. */
#ifndef TRACE_RUN_LIVE_PAGES_H
#define TRACE_RUN_LIVE_PAGES_H

#include <cellsync/cellsync.h>

enum { ID_LIVE_FLUSH = 0x0900, LIVE_FLUSH_NUMBER = 2 }; /* the payload value that is a page's */

/* A page that may not be in the trace. */
struct live_page {
    uint64_t number, offset;
    bool dropped;
};

struct live_pages {
    int fd;
    bool shared; /* by all threads */
    bool found;  /* there is such a file, of which name is the name: */
    const char *name;
    uint64_t page_bytes;
    int64_t skew_ticks, skew_ppb;
    struct live_page *items; /* by their numbers */
    size_t count;
};

/* Where there is no such file, nothing is found.  name outlives it; live_pages_close also after a
 * failure. */
csy_status live_pages_open(const char *name, struct live_pages *out, csy_error *error);
void live_pages_close(struct live_pages *pages);

/* The page of that number is in the trace. */
void live_pages_drop(struct live_pages *pages, uint64_t number);

/* The whole records of the others, as the writer would have written them; the caller frees them. */
csy_status live_pages_read(const struct live_pages *pages, uint8_t **out, size_t *size,
                           csy_error *error);

#endif
