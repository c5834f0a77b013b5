/* Thins messages while a trace is read: keeps the message of each channel that implies most, and
 * counts the others.
 *
 * Without any contradiction, with one timestamp a point, and one clock a location, all that a point
 * knows of other clocks follows from the point itself (graph/reduce.h, window 0). So for each pair
 * of clocks only the message with the least receive minus send matters. One message of each channel
 * is passed to order/match.h, as if there were no others.
 *
 * If an event has another role, or a clock steps back, thinning fails (thin_failed), and all events
 * must be passed to order/match.h. The same is necessary if the kept messages turn out to
 * contradict each other. */
#ifndef ORDER_THIN_H
#define ORDER_THIN_H

#include "order/match.h"

struct thin;

/* match numbers the channels and locations. latency_ticks applies to messages that state no
 * latency. trace tells whether records may have begins, and whether sends may be missing. */
csy_status thin_new(struct match *match, int64_t latency_ticks, const struct csy_trace *trace,
                    struct thin **out, csy_error *error);
void thin_free(struct thin *thin);

/* thin_failed is true if thinning is not possible; thin_fail makes it so. */
bool thin_failed(const struct thin *thin);
void thin_fail(struct thin *thin);

/* A record with its location and clock. place is for messages. */
struct thin_record {
    uint64_t position, place;
    uint32_t location, clock;
    int64_t x, lo; /* x is the time of the end; lo is the time of the begin, or x if there is
                      none */
};

/* Add the next event in the order of the file; x is its time. */
csy_status thin_event(struct thin *thin, const struct event *event, int64_t x, csy_error *error);

/* The same in steps: thin_place, if places do not continue to grow with positions from this record
 * on; thin_record; and thin_end for each of its ends. False if out of memory. */
void thin_place(struct thin *thin, const struct thin_record *record);
void thin_record(struct thin *thin, const struct thin_record *record);
/* latency_ticks is for receives; below 0: the default latency. */
bool thin_end(struct thin *thin, uint32_t channel, bool recv, const struct thin_record *record,
              int64_t latency_ticks);

/* The number of a channel; false if out of memory. */
bool thin_channel(struct thin *thin, const char *key, size_t size, uint32_t *out);

/* Prefetch channels that will be used soon. */
void thin_expect(const struct thin *thin, const uint32_t *channels, size_t n);

/* True if every receive came after its send; then messages form no cycle. */
bool thin_in_order(const struct thin *thin);

/* Call after the last event. Passes the kept messages to match. It may still fail if sends and
 * receives of a channel differ in number, because then the channel may have to be left out. */
csy_status thin_finish(struct thin *thin, csy_error *error);

#endif
