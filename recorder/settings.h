/* The environment variable CELLTRACE contains settings NAME=VALUE, separated by semicolons. `run`
 * comes last, because its value may contain any character.
 *
 *     CELLTRACE="events=threads,sync;page=65536;full=wait;run=/home/me/run" */
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

/* Where records go: to pages of each thread (ORDER_BLOCK), or to a buffer that all threads share
 * (ORDER_BUFFER). */
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
    unsigned events; /* bits of enum event_set */
    enum full_page full;
    enum buffer_order order;
    uint32_t page_bytes;
    uint64_t buffer_bytes; /* limit for the bytes of all pages of the process */
    uint64_t skew_ns, skew_ppm;
};

/* Parse the settings. If they are invalid, returns false and sets *fault to a static text. */
bool settings_read(const char *text, struct settings *out, const char **fault);

/* Parse words separated by commas to bits of event_set. Returns false if a word is unknown. */
bool settings_events(const char *text, size_t size, unsigned *out);

/* Parse NS or NS,PPM: two integers, up to SKEW_NS_MAX and SKEW_PPM_MAX. */
bool settings_skew(const char *text, size_t size, uint64_t *ns, uint64_t *ppm);

/* Parse a size in bytes; k, M, and G mean 2^10, 2^20, and 2^30. */
bool settings_bytes(const char *text, size_t size, uint64_t least, uint64_t most, uint64_t *out);

#endif
