/* Tracks of an output for viewers: rows of slices that are nested or side by side.
 *
 * Viewers of trace events require that slices of a track nest, and drop others. Slices arrive
 * mostly in the order of their ends. A track remembers up to TRACK_SLICES_MAX outermost slices to
 * determine whether the next one nests. */
#ifndef OUTPUT_TRACE_TRACKS_H
#define OUTPUT_TRACE_TRACKS_H

#include <cellsync/cellsync.h>

enum { TRACK_SLICES_MAX = 1024, TRACK_WORDS_MAX = 64, TRACKS_RECENT = 64 };

/* Global ticks. Begins may come from the traced program: any 64 bits. */
struct slice {
    int64_t begin, end;
};

/* From begin (or the end, if begin is after it; or the base) to the end. */
static inline struct slice slice_from(int64_t begin, int64_t end, int64_t base)
{
    begin = begin < end ? begin : end;
    return (struct slice){begin < base ? base : begin, end};
}

struct track {
    unsigned group; /* owner of the track */
    uint64_t number;
    struct slice *slices; /* outermost slices, in order */
    size_t nslices, capacity;
    bool begun, forgot;
    int64_t last_end;
    int64_t forgotten_end;       /* of the dropped slices */
    char words[TRACK_WORDS_MAX]; /* the user's data for all slices */
    size_t nwords;
};

/* All tracks, found by group and number. */
struct tracks {
    void *tree;
    struct track *recent[TRACKS_RECENT]; /* a cache by the low bits of their numbers; NULL: empty */
};

/* Find a track, or make it (*made). It belongs to tracks. O(log tracks). */
csy_status tracks_find(struct tracks *tracks, unsigned group, uint64_t number, struct track **out,
                       bool *made, csy_error *error);
void tracks_fini(struct tracks *tracks);

/* Add a slice to a track. *nests is false, and the slice not added, if it would cross another one,
 * might cross a dropped one, or ends before the last one. begin <= end. Amortized O(log slices). */
csy_status track_lay(struct track *track, struct slice slice, bool *nests, csy_error *error);

/* True if a previous slice of nonzero length begins at the same time. If only begins determine
 * nesting, this slice, which comes later, would be inside it. */
bool track_begins_inside(const struct track *track, struct slice slice);

#endif
