/* How far sums of times may be from their estimates if clocks drift.
 *
 * A time between two clocks has an instant at each end. The instants of a form on one clock go into
 * a tube (analysis/ranges/tube.h), sorted by that clock. An instant is limited by itself if it
 * comes late, or if there are too many tubes. Rates limit times on one clock. */
#ifndef ANALYSIS_RANGES_FORM_TUBES_H
#define ANALYSIS_RANGES_FORM_TUBES_H

#include "analysis/ranges/places.h"
#include "analysis/ranges/tube.h"
#include "base/keys.h"

/* How far a form may be from its estimate. */
struct form_drift {
    int128 up, down;           /* times between clocks, in units of 1/AGE_UNIT */
    int128 each_up, each_down; /* from limits of each time, in ticks */
    bool no_each_up, no_each_down;
    int128 own; /* sum of times on one clock, in ticks */
    bool no_up, no_down;
    bool crosses; /* some time is between two clocks */
};

/* An instant that waits for earlier ones. */
struct tube_waiting {
    int64_t local_ticks, global_ticks, early, late, c;
};

/* The instants of a form on one clock. */
struct clock_tube {
    size_t form;
    struct tube up, down;
    int64_t local_ticks, global_ticks; /* last instant in the tubes, if begun */
    bool begun;
    struct tube_waiting *waiting; /* sorted by local_ticks */
    size_t nwaiting, waiting_capacity;
};

/* All members are 0 initially, except places. */
struct form_tubes {
    struct event_places *places; /* NULL: no drift, and all other members are unused */
    struct form_drift *forms;
    size_t nforms, forms_capacity;
    struct keys keys; /* keys of tubes: form, then clock */
    struct clock_tube *tubes;
    size_t ntubes, tubes_capacity;
};

/* Most tubes, of about 1 KB each, and most waiting instants in each. */
enum { FORM_TUBES_MAX = 16384, TUBE_WAITING_MAX = 8 };

void form_tubes_fini(struct form_tubes *tubes);

/* Add a time on one clock, or a time between two clocks `times` times. Returns false if out of
 * memory. */
bool form_tubes_own(struct form_tubes *tubes, size_t form, int128 ticks);
bool form_tubes_add(struct form_tubes *tubes, size_t form, const struct moment *begin,
                    const struct moment *end, int64_t times);

/* After the last time, find how far all forms may be from their estimates: by tubes or by the
 * limits of each time, whichever is less. Returns false if out of memory. */
bool form_tubes_settle(struct form_tubes *tubes);

/* Add one form to another, `times` times, after form_tubes_settle. Returns false if out of
 * memory. */
bool form_tubes_derive(struct form_tubes *tubes, size_t from, size_t to, int64_t times);

/* The drift of a form, which may have no times. */
struct form_drift form_tubes_of(const struct form_tubes *tubes, size_t form);

#endif
