/* How the ends of a channel are paired. */
#ifndef ORDER_PAIRING_H
#define ORDER_PAIRING_H

#include <stdbool.h>
#include <stdint.h>

/* Index 0 is for sends, index 1 for receives, each in the order of the trace. */
struct match_pairing {
    uint64_t pairs;      /* messages 0 to pairs - 1 have both ends; 0: pairing unknown */
    bool apart;          /* receives are missing, so a pair may have ends of two messages */
    uint32_t *places[2]; /* message of each end; NULL: as in the trace; the caller frees it */
    uint64_t counts[2];  /* sizes of `places` */
};

#endif
