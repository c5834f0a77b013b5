/* The document of a process, HOST.PID.pex. See cellsync-run(5), RUNS. */
#ifndef CELLTRACE_META_H
#define CELLTRACE_META_H

#include "recorder/folder.h"

#include <stdbool.h>
#include <stdint.h>

enum { META_TEXT_MAX = 256 };

/* Facts about the process. The caller keeps the texts until after the last call of meta_write. */
struct meta {
    struct folder *folder;
    /* names of the document, of the temporary file for writing it, and of the record file */
    const char *name, *temporary, *trace_name;
    char program[META_TEXT_MAX], host[META_TEXT_MAX], start[META_TEXT_MAX];
    char clock_id[META_TEXT_MAX]; /* processes with equal ids share a clock */
    const char *clock_source;
    uint64_t hz;
    uint32_t pid, ppid;
    bool is_buffer;     /* true if all threads record to one buffer, in order */
    bool has_addresses; /* true if records may contain addresses of functions */
    bool has_rank;
    uint64_t rank, ranks;
};

/* The outcome of recording, which the document reports. */
struct meta_recording {
    const char *complete; /* "yes", "no", or "exec" (an exec ended the recording) */
    const char *fault;    /* why records could not be written, or NULL */
    bool known;
    uint64_t records, lost, waits, wait_ticks, unbalanced, refused;
};

/* Note the images (program and libraries) that are mapped at present, because records may contain
 * addresses in these images. Images that were noted earlier are kept. */
void meta_note_images(void);

/* Rewrite the document under a temporary name, and rename it. On failure, keep the old document and
 * return false with errno. */
bool meta_write(const struct meta *meta, const struct meta_recording *recording);

#endif
