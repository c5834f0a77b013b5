/*
 * What recordTypes say of order: their roles, and the fields that hold keys.  pex(5), Order of
 * events.
 */
#ifndef TRACE_PEX_TYPE_ORDER_H
#define TRACE_PEX_TYPE_ORDER_H

#include "trace/event.h"
#include "trace/pex/element.h"

/* A field's place in the payload. */
#define FIELD_SELF UINT32_MAX       /* no field: who records */
#define FIELD_NONE (UINT32_MAX - 1) /* nothing is named */

/* A number that is said, or a field that holds it. */
struct said_number {
    bool is_there;
    uint32_t field; /* FIELD_NONE: it is */
    uint64_t value;
};

struct type_order {
    uint16_t id;
    uint32_t roles;         /* 1 << csy_end of each */
    uint32_t match, nmatch; /* fields of the key, among type_orders.fields */
    bool collective;        /* it enters and leaves, or has a kind */
    bool sync, before;      /* of a send; of the stamp */
    enum collective_kind kind;
    uint32_t turn, instance, thread, root, sent, received; /* fields */
    struct said_number latency, capacity;
};

struct type_orders {
    struct type_order *items; /* sorted by id, once type_orders_sort was called */
    size_t count, capacity;
    uint32_t *fields;
    size_t nfields, fields_capacity;
    uint32_t nmatch_most; /* fields of a key */
    char *fault;          /* what is wrong with the first bad one, or NULL */
    long fault_line;
};

/* Whether a recordType says something of order. */
bool type_order_is_said(const struct element *type);

/* Add what one says that has this id and name; names of its fields are texts from `names` on at
 * these places, 0 being none.  False without memory. */
bool type_orders_add(struct type_orders *orders, const struct element *type, uint16_t id,
                     const char *names, const uint32_t *fields, size_t nfields);

void type_orders_sort(struct type_orders *orders);
const struct type_order *type_orders_find(const struct type_orders *orders, uint16_t id);
/* Whether any of them has a role besides spawn and join. */
bool type_orders_have_keys(const struct type_orders *orders);
void type_orders_fini(struct type_orders *orders);

#endif
