/* The pairing of the ends of a channel. */
#ifndef ORDER_PAIRING_H
#define ORDER_PAIRING_H

#include <stdbool.h>
#include <stdint.h>

/* Sends have index 0 and receives index 1, each in the order of the trace. */
struct match_pairing {
    uint64_t pairs;      /* messages 0 to pairs - 1 have both ends; 0 if the pairing is not known */
    bool apart;          /* receives are missing: a pair may have the ends of two messages */
    uint32_t *places[2]; /* the message of each end; NULL: in the order of the trace; the caller
                            frees it */
    uint64_t counts[2];  /* the sizes of `places` */
};

#endif
