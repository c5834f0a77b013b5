/* Requests that were posted and are not completed, by their ids, which are used again. */
#ifndef TRACE_OTF2_REQUESTS_H
#define TRACE_OTF2_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct requests {
    struct request {
        uint64_t id;
        int64_t ticks; /* when it was posted */
        bool used;
    } * slots;
    size_t nslots, count; /* a power of 2 of slots, at most half of them used */
};

void requests_fini(struct requests *requests);
void requests_clear(struct requests *requests);

/* Post a request that is not there; false if memory runs out.  Amortized O(1). */
bool requests_put(struct requests *requests, uint64_t id, int64_t ticks);

/* Complete one; false where it was not posted.  O(1). */
bool requests_take(struct requests *requests, uint64_t id, int64_t *ticks);

/* When the first one was posted that is still there; false: there is none. */
bool requests_first(const struct requests *requests, int64_t *ticks);

#endif
