/*
 * Messages, thinned while they come: of those of a channel the one that says most is kept, and how
 * many there were.
 *
 * Where nothing contradicts anything, which is delta 0, one stamp a point, and one clock a
 * location, what is known at a point of other clocks follows from the point itself (graph/reduce.h,
 * window 0).  Then of each pair of clocks only the message matters of which receive less send is
 * least; one of each channel goes on to order/match.h, as if there were no others.
 *
 * Whatever else an event says, and steps back of a clock, end it: thin_failed, and events are to go
 * to order/match.h, all of them.  Whether the messages that are left contradict one another shows
 * afterwards; if so, the same is to be done.
 */
#ifndef ORDER_THIN_H
#define ORDER_THIN_H

#include "order/match.h"

struct thin;

/* match has the names; latency_ticks is of messages that do not say their own;
 * trace: whether records may have begins, and sends may be missing. */
csy_status thin_new(struct match *match, int64_t latency_ticks, const struct csy_trace *trace,
                    struct thin **out, csy_error *error);
void thin_free(struct thin *thin);

/* Whether it cannot go on; it cannot from now on. */
bool thin_failed(const struct thin *thin);
void thin_fail(struct thin *thin);

/* A record: of its location, by its clock; place is of messages. */
struct thin_record {
    uint64_t position, place;
    uint32_t location, clock;
    int64_t x, lo; /* of its end; of its begin, or where it has none of its end */
};

/* The next event, in the order of the file; x: of its time. */
csy_status thin_event(struct thin *thin, const struct event *event, int64_t x, csy_error *error);

/* The same in parts: where records are from this one on, if their places go up with their positions
 * from then; the record; and what it says.  false: no memory. */
void thin_place(struct thin *thin, const struct thin_record *record);
void thin_record(struct thin *thin, const struct thin_record *record);
/* latency_ticks is of receives; below 0: the usual one. */
bool thin_end(struct thin *thin, uint32_t channel, bool recv, const struct thin_record *record,
              int64_t latency_ticks);

/* The number of a channel, and of an event's location; false on no memory. */
bool thin_channel(struct thin *thin, const char *key, size_t size, uint32_t *out);

/* They will be wanted soon. */
void thin_expect(const struct thin *thin, const uint32_t *channels, size_t n);

/* Whether every receive came after its send: then no cycle of messages can be. */
bool thin_in_order(const struct thin *thin);

/* All events have come: what is kept goes to match, unless it cannot go on at the end: a channel
 * whose sends and receives are not as many may have to be left out. */
csy_status thin_finish(struct thin *thin, csy_error *error);

#endif
