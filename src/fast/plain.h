/*
 * Plain records, many at a time: the loop of the quick way for a .pex (fast/records.c).
 *
 * A record of the live interval in line L that reads decr is at x = L.x0 + (L.decr0 - decr),
 * one of the PPE at its time + ppe.x0.  The loop tells a run of the records of lines that it knows,
 * or writes them with global stamps.  It touches nothing but struct plain, struct plain_cursor and
 * struct run, so that several may run side by side (fast/segments.h).
 */
#ifndef FAST_PLAIN_H
#define FAST_PLAIN_H

#include "clock/global.h"
#include "fast/run.h"
#include "fast/taken.h"
#include "trace/pex/record.h"

/* A quarter of a wrap: how far a thread may move from its anchor, and PPE records stand apart. */
#define PLAIN_REACH ((uint32_t)1 << 30)

enum {
    PLAIN_LINES = FAST_CONTEXTS, /* by the low bits of the context id */
    PLAIN_LEDGER = 4096          /* PPE records in one buffer */
};

/* Records that start so near the end of the bytes at hand are left. */
enum { PLAIN_LOOKAHEAD = FAST_LOOKAHEAD };

/* A live interval, or the PPE; a line of the processor's cache. */
struct plain_line {
    _Alignas(64) uint32_t id; /* context; of a line that is not in use none that leads here */
    uint32_t slot; /* of the sweep, without one the thread; SWEEP_NONE: the line is not in use */
    uint32_t decr0;
    uint32_t thread;
    int64_t x0;
    int64_t shift; /* that puts x in global time: placement_shift */
    /* Of the records taken: */
    uint64_t records;
    uint64_t position; /* of the last one */
    uint32_t decr;     /* of the last one; not of the PPE */
    uint32_t stay;     /* which of plain's stays they make; not of the PPE */
};

/* What the records taken of a live interval did. */
struct plain_stay {
    uint32_t line;
    uint32_t first_decr;
    int64_t first_x;
    bool has_before, has_after;
    int64_t before_x, after_x; /* PPE records around the last one; has_before: it was taken too */
};

struct plain {
    int64_t near_ticks; /* how far a record may stand from the greatest x so far */
    int64_t greatest_x;
    struct plain_line ppe;
    int64_t ppe_x; /* of its last record */
    struct plain_line lines[PLAIN_LINES];

    /* Taken since plain_begin; what stands above is all that a copy needs (plain_copy). */
    int64_t ppe_first_x;
    uint32_t nstays;
    uint32_t nledger; /* PPE records of the present buffer, in ledger from 1 on */
    struct plain_stay stays[PLAIN_LINES];
    int64_t ledger[PLAIN_LEDGER + 1];     /* their x */
    uint64_t ledger_at[PLAIN_LEDGER + 1]; /* their positions */
};

/* The line with this index is not in use any more. */
void plain_free_line(struct plain_line *line, uint32_t index);

/* No line is in use. */
void plain_init(struct plain *plain, int64_t near_ticks);

/* Everything but what was taken. */
void plain_copy(struct plain *to, const struct plain *from);

/* Nothing has been taken. */
void plain_begin(struct plain *plain);

/* No record grows by more when it is written. */
#define PLAIN_ROOM(bytes) ((bytes) / RECORD_SPE_BYTES * RECORD_PPE_BYTES)

/* Where the loop stands. */
struct plain_cursor {
    const uint8_t *at, *end; /* the bytes at hand */
    const uint8_t *stop;     /* no record from here on is taken */
    uint64_t position;       /* of the next record */
    uint64_t until;          /* position that no PPE record taken may have */
    uint64_t limit;          /* position of no record taken */
    int64_t greatest_x;      /* plain_take's own: as in struct plain */
    int64_t ppe_x;
    uint32_t nledger;
    uint8_t *out;   /* WRITING: room for PLAIN_ROOM of the bytes at hand */
    int64_t *times; /* TIMING: room for one a record up to limit */
    /* A record that is not plain; true: it has been taken, and the loop goes on after it.  May be
     * NULL. */
    bool (*turn)(void *user, struct plain_cursor *cursor, struct run *run);
    void *user;
};

/* The time that a run is told of a record at x. */
static inline int64_t plain_time(const struct plain_line *line, int64_t x, enum purpose purpose)
{
    return purpose == MEASURING ? (int64_t)placement_global(line->shift, x) : x;
}

/* The line and x of the record at p, if it may be plain; false where it is not. */
bool plain_look(const struct plain *plain, const uint8_t *p, size_t have,
                const struct plain_line **line, int64_t *x);

/* Whether records follow one another from there on, at about one time, as far as the eye
 * reaches. */
bool plain_looks_right(const struct plain *plain, const uint8_t *p, const uint8_t *end);

/* For turn, READING or CONSTRAINING.  Take the PPE record at hand, even a switch, as a plain one;
 * false where it is not. */
bool plain_take_switch(struct plain *plain, struct plain_cursor *cursor, struct run *run);

/* Whether the record at hand may be a plain one of an SPE, at x. */
bool plain_may_begin(const struct plain *plain, const struct plain_cursor *cursor, int64_t x);

/* Take it, as the first of a live interval.  Of its line, which is not in use, id, slot, decr0,
 * thread and x0 are set. */
void plain_take_first(struct plain *plain, struct plain_cursor *cursor, struct run *run,
                      const struct plain_line *line);

/* The line's live interval has ended: it is not in use any more, and nothing was taken of it. */
void plain_end_line(struct plain *plain, struct plain_line *line);

/* Take plain records of one buffer up to the first that is not. */
void plain_take(struct plain *plain, struct plain_cursor *cursor, struct run *run);

/* What a caller may take by himself, of so many bytes from out->at on, and no more records than
 * are left; no record of the PPE has fewer than RECORD_PPE_BYTES. */
void plain_peek_ppe(const struct plain *plain, size_t have, uint64_t left, struct fast_ppe *out);

/* He has taken those from one on up to another one, and nothing else since plain_begin. */
void plain_take_ppe(struct plain *plain, const struct fast_ppe *from, const struct fast_ppe *to);

#endif
