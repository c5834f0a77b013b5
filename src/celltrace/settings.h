/*
 * What CELLTRACE says: settings with ; between them, NAME=VALUE, of which run, which may hold any
 * character, is the last.
 *
 *     CELLTRACE="events=threads,sync;page=65536;full=wait;run=/home/me/run"
 */
#ifndef CELLTRACE_SETTINGS_H
#define CELLTRACE_SETTINGS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum event_set {
    EVENTS_THREADS = 1,
    EVENTS_FUNCTIONS = 2,
    EVENTS_SYNC = 4,
    EVENTS_LOOPS = 8,
    EVENTS_BLOCKS = 16,
    EVENTS_SWITCHES = 32,
    EVENTS_MPI = 64
};

enum full_page { FULL_WAIT, FULL_DROP };

/* Pages of each thread, or a buffer that all share. */
enum buffer_order { ORDER_BLOCK, ORDER_BUFFER };

enum {
    PAGE_BYTES_MIN = 4096,
    PAGE_BYTES_MAX = 16 * 1024 * 1024,
    PAGE_BYTES = 128 * 1024,
    BUFFER_BYTES = 256 * 1024 * 1024,
    SKEW_NS_MAX = 1000000000,
    SKEW_PPM_MAX = 500
};

struct settings {
    char run[PATH_MAX];
    unsigned events; /* of event_set */
    enum full_page full;
    enum buffer_order order;
    uint32_t page_bytes;
    uint64_t buffer_bytes; /* that all pages of the process take at most */
    uint64_t skew_ns, skew_ppm;
};

/* Read them; false and what is wrong in *fault, a static text, if they are not as they should. */
bool settings_read(const char *text, struct settings *out, const char **fault);

/* Of a list of words with commas between them, the bits of event_set; false: one is unknown. */
bool settings_events(const char *text, size_t size, unsigned *out);

/* NS or NS,PPM: whole numbers up to SKEW_NS_MAX and SKEW_PPM_MAX. */
bool settings_skew(const char *text, size_t size, uint64_t *ns, uint64_t *ppm);

/* A number of bytes, with k, M or G for 2^10, 2^20 and 2^30. */
bool settings_bytes(const char *text, size_t size, uint64_t least, uint64_t most, uint64_t *out);

#endif
