/* A set of requests that were posted, but not completed. An id may be used again after
 * completion. */
#ifndef TRACE_OTF2_REQUESTS_H
#define TRACE_OTF2_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct requests {
    struct request {
        uint64_t id;
        int64_t ticks; /* time when the request was posted */
        bool used;
    } * slots;
    size_t nslots, count; /* `nslots` is a power of 2; at most half of the slots are used */
};

void requests_fini(struct requests *requests);
void requests_clear(struct requests *requests);

/* Add a request with an unused id, in amortized O(1). Returns false if memory runs out. */
bool requests_put(struct requests *requests, uint64_t id, int64_t ticks);

/* Remove a request in O(1), and set *ticks to its time. Returns false if no such request is
 * open. */
bool requests_take(struct requests *requests, uint64_t id, int64_t *ticks);

/* Set *ticks to the time of the oldest open request. Returns false if no request is open. */
bool requests_first(const struct requests *requests, int64_t *ticks);

#endif
