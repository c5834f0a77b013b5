/* The document of a process, HOST.PID.pex. See cellsync-run(5), RUNS. */
#ifndef CELLTRACE_META_H
#define CELLTRACE_META_H

#include "recorder/folder.h"

#include <stdbool.h>
#include <stdint.h>

enum { META_TEXT_MAX = 256 };

/* Data about the process. The texts must outlive all calls of meta_write. */
struct meta {
    struct folder *folder;
    /* names of files: the document, the document while it is written, and the record file */
    const char *name, *temporary, *trace_name;
    char program[META_TEXT_MAX], host[META_TEXT_MAX], start[META_TEXT_MAX];
    char clock_id[META_TEXT_MAX]; /* clocks with the same id are the same clock */
    const char *clock_source;
    uint64_t hz;
    uint32_t pid, ppid;
    bool is_buffer;     /* records are in the order of one buffer */
    bool has_addresses; /* records may contain addresses of functions */
    bool has_rank;
    uint64_t rank, ranks;
};

/* The result of recording, for the document. */
struct meta_recording {
    const char *complete; /* "yes", "no" or "exec" */
    const char *fault;    /* why records could not be written, or NULL */
    bool known;           /* the members below are set */
    uint64_t records, lost, waits, wait_ticks, unbalanced, refused;
};

/* Note the images (program and libraries) that are mapped now, because records may contain
 * addresses in them. Images that were noted before are kept. */
void meta_note_images(void);

/* Write the document again. It is first written under a temporary name. Returns false with errno on
 * a failure; the old document is then unchanged. */
bool meta_write(const struct meta *meta, const struct meta_recording *recording);

#endif
