/*
 * Tracks of a picture of a trace: rows on which slices lie, each within another or beside it.
 *
 * Viewers of trace events want the slices of a track to nest, and drop what does not.  Here slices
 * come in the order of their ends, mostly; a track remembers those that stand in no other, at most
 * TRACK_SLICES_MAX of them, to tell whether the next one nests.
 */
#ifndef OUTPUT_TRACE_TRACKS_H
#define OUTPUT_TRACE_TRACKS_H

#include <cellsync/cellsync.h>

enum { TRACK_SLICES_MAX = 1024, TRACK_WORDS_MAX = 64, TRACKS_RECENT = 64 };

/* Global ticks.  Begins may be what a program wrote: any 64 bits. */
struct slice {
    int64_t begin, end;
};

/* From begin, or its end where that is not before it, or the base, to its end. */
static inline struct slice slice_from(int64_t begin, int64_t end, int64_t base)
{
    begin = begin < end ? begin : end;
    return (struct slice){begin < base ? base : begin, end};
}

struct track {
    unsigned group; /* what it is a track of */
    uint64_t number;
    struct slice *slices; /* beside one another, in order */
    size_t nslices, capacity;
    bool begun, forgot;
    int64_t last_end;
    int64_t forgotten_end;       /* of the slices that it forgot */
    char words[TRACK_WORDS_MAX]; /* the user's: what all that lies on it has in common */
    size_t nwords;
};

/* All tracks, found by group and number. */
struct tracks {
    void *tree;
    struct track *recent[TRACKS_RECENT]; /* found, by the low bits of their numbers, or NULL */
};

/* The track, made where it is new: *made.  It belongs to tracks.  O(log tracks). */
csy_status tracks_find(struct tracks *tracks, unsigned group, uint64_t number, struct track **out,
                       bool *made, csy_error *error);
void tracks_fini(struct tracks *tracks);

/* Lay a slice on the track: *nests is false where it would cross another one, might cross one that
 * was forgotten, or ends before the last one; then it is not laid.  begin <= end.  Amortized
 * O(log slices). */
csy_status track_lay(struct track *track, struct slice slice, bool *nests, csy_error *error);

/* Whether a slice that was laid, and is longer than nothing, begins where this one does: where
 * begins are all that is said, this one, which comes later, would be within it. */
bool track_begins_inside(const struct track *track, struct slice slice);

#endif
