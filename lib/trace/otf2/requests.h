/* A set of requests that were posted but not completed. Completed ids may be used again. */
#ifndef TRACE_OTF2_REQUESTS_H
#define TRACE_OTF2_REQUESTS_H

#include "base/array.h"
#include "base/keys.h"

#include <stdlib.h>

struct requests {
    struct keys ids; /* maps the id of each open request to its index in `items` */
    struct request {
        uint64_t id;
        int64_t ticks; /* time when the request was posted */
    } * items;
    size_t count, capacity;
};

static inline void requests_fini(struct requests *requests)
{
    keys_fini(&requests->ids);
    free(requests->items);
    *requests = (struct requests){.count = 0};
}

/* Add a request with an unused id, in amortized O(1). Returns false if memory runs out. */
static inline bool requests_put(struct requests *requests, uint64_t id, int64_t ticks)
{
    return requests->count < NO_KEY && keys_put(&requests->ids, id, (uint32_t)requests->count) &&
           ARRAY_PUSH(requests->items, requests->count, requests->capacity,
                      (struct request){id, ticks});
}

/* Remove a request in O(1), and set *ticks to its time. Returns false if the id is not open. */
static inline bool requests_take(struct requests *requests, uint64_t id, int64_t *ticks)
{
    uint32_t at, last;
    if (!keys_remove(&requests->ids, id, &at))
        return false;
    *ticks = requests->items[at].ticks;
    if (at < --requests->count) { /* the last request moves to the free place */
        requests->items[at] = requests->items[requests->count];
        keys_remove(&requests->ids, requests->items[at].id, &last);
        keys_put(&requests->ids, requests->items[at].id, at); /* cannot fail: the table has room */
    }
    return true;
}

#endif
