/* Which ends of a channel are of one message. */
#ifndef ORDER_PAIRING_H
#define ORDER_PAIRING_H

#include <stdbool.h>
#include <stdint.h>

/* How ends of a channel go together, sends and receives as they come in the trace. */
struct match_pairing {
    uint64_t pairs;      /* messages 0 to pairs - 1 have both; 0 where it is not known which */
    bool apart;          /* receives are missing: those of a message may be of two */
    uint64_t until[2];   /* ends from this position on have no other */
    uint32_t *places[2]; /* the message of each end, or NULL: as they come; to be freed */
    uint64_t counts[2];  /* of these */
};

#endif
