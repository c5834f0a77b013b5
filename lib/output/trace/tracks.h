/* Tracks of an output for viewers: rows of slices that are nested or side by side.
 *
 * Viewers of trace events drop slices that cross others of their track. Slices arrive mostly in the
 * order of their ends. A track remembers up to TRACK_SLICES_MAX outermost slices to find out
 * whether the next one nests. */
#ifndef OUTPUT_TRACE_TRACKS_H
#define OUTPUT_TRACE_TRACKS_H

#include <cellsync/cellsync.h>

enum { TRACK_SLICES_MAX = 1024, TRACK_WORDS_MAX = 64, TRACKS_RECENT = 64 };

/* Global ticks. begin may be any 64 bits, since the traced program may have written it. */
struct slice {
    int64_t begin, end;
};

/* A slice from begin to end; begin is at most `end` and at least `base`. */
static inline struct slice slice_from(int64_t begin, int64_t end, int64_t base)
{
    begin = begin < end ? begin : end;
    return (struct slice){begin < base ? base : begin, end};
}

struct track {
    unsigned group; /* who owns the track */
    uint64_t number;
    struct slice *slices; /* outermost slices, in order */
    size_t nslices, capacity;
    bool begun, forgot;
    int64_t last_end;
    int64_t forgotten_end;       /* last end of the dropped slices */
    char words[TRACK_WORDS_MAX]; /* user data about all slices */
    size_t nwords;
};

/* All tracks, found by group and number. */
struct tracks {
    void *tree;
    struct track *recent[TRACKS_RECENT]; /* cache by the low bits of numbers; NULL: empty */
};

/* Find or make a track, which belongs to `tracks`. *made: it is new. O(log tracks). */
csy_status tracks_find(struct tracks *tracks, unsigned group, uint64_t number, struct track **out,
                       bool *made, csy_error *error);
void tracks_fini(struct tracks *tracks);

/* Add a slice to a track; begin <= end. If it would cross another slice, might cross a dropped one,
 * or ends before the last one, it is not added, and *nests is false. Amortized O(log slices). */
csy_status track_lay(struct track *track, struct slice slice, bool *nests, csy_error *error);

/* True if an earlier slice of nonzero length begins at the same time. A viewer that looks only at
 * begins would put this slice, which comes later, inside it. */
bool track_begins_inside(const struct track *track, struct slice slice);

#endif
