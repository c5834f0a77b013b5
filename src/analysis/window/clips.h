/*
 * Clips: several windows side by side, and which of them a time may have something in.
 */
#ifndef ANALYSIS_WINDOW_CLIPS_H
#define ANALYSIS_WINDOW_CLIPS_H

#include "analysis/window/clip.h"

/* From where to where a window may be by any clock, in global time by the estimate. */
struct clip_extent {
    int64_t from, until;
    int64_t until_before, from_after; /* greatest until up to it, least from of it and all later */
};

struct clips {
    struct clip *items; /* by their begins */
    struct clip_extent *extents;
    size_t count;
};

/* One of a window as it is written, or of none where it is NULL (clip_init), or one of each of n
 * sections that csy_sync_sections has found, for which the records are read once.  The caller calls
 * clips_fini even after a failure. */
csy_status clips_init(struct clips *clips, struct instants *instants, const struct moves *moves,
                      const char *window, csy_error *error);
csy_status clips_init_sections(struct clips *clips, struct instants *instants,
                               const struct moves *moves, const csy_section *sections, size_t n,
                               csy_error *error);
void clips_fini(struct clips *clips);

/* The first from index `at` on in which there may be something of the time between two moments, and
 * clips->count where there is none: clip_add adds nothing to those in between. */
size_t clips_next(const struct clips *clips, size_t at, const struct moment *begin,
                  const struct moment *end);

#endif
