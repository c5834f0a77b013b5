/* What recordTypes say of order. */
#include "trace/pex/type_order.h"

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_MAX = 64 };

#define BIT(end) (UINT32_C(1) << (end))
#define GROUPED (BIT(CSY_END_ENTER) | BIT(CSY_END_LEAVE))
#define LOCKED (BIT(CSY_END_RELEASE) | BIT(CSY_END_ACQUIRE))
#define LIVING (BIT(CSY_END_SPAWN) | BIT(CSY_END_JOIN))
#define TOKENS (BIT(CSY_END_POST) | BIT(CSY_END_WAIT))
#define RECEIVING (BIT(CSY_END_RECV) | BIT(CSY_END_WAIT))
#define TARGETS (RECEIVING | BIT(CSY_END_LEAVE) | BIT(CSY_END_ACQUIRE) | BIT(CSY_END_JOIN))

static const char *const role_words[] = {
    [CSY_END_SEND] = "send",       [CSY_END_RECV] = "recv",   [CSY_END_SYNC] = NULL,
    [CSY_END_ENTER] = "enter",     [CSY_END_LEAVE] = "leave", [CSY_END_POST] = "post",
    [CSY_END_WAIT] = "wait",       [CSY_END_ROOM] = NULL,     [CSY_END_RELEASE] = "release",
    [CSY_END_ACQUIRE] = "acquire", [CSY_END_SPAWN] = "spawn", [CSY_END_JOIN] = "join"};

static const char *const kind_words[COLLECTIVE_KINDS] = {
    [COLLECTIVE_BARRIER] = "barrier",     [COLLECTIVE_BCAST] = "bcast",
    [COLLECTIVE_GATHER] = "gather",       [COLLECTIVE_GATHERV] = "gatherv",
    [COLLECTIVE_SCATTER] = "scatter",     [COLLECTIVE_SCATTERV] = "scatterv",
    [COLLECTIVE_ALLGATHER] = "allgather", [COLLECTIVE_ALLGATHERV] = "allgatherv",
    [COLLECTIVE_ALLTOALL] = "alltoall",   [COLLECTIVE_ALLTOALLV] = "alltoallv",
    [COLLECTIVE_ALLTOALLW] = "alltoallw", [COLLECTIVE_ALLREDUCE] = "allreduce",
    [COLLECTIVE_REDUCE] = "reduce",       [COLLECTIVE_REDUCE_SCATTER] = "reduce_scatter",
    [COLLECTIVE_SCAN] = "scan",           [COLLECTIVE_EXSCAN] = "exscan"};

/* A recordType that is being read. */
struct reading {
    struct type_orders *orders;
    const struct element *type;
    struct type_order order;
    const char *names;
    const uint32_t *fields;
    size_t nfields;
    bool failed; /* the first fault was met; what follows is not looked at */
    bool no_memory;
};

/* The first fault of a document stays. */
static void refuse(struct reading *r, const char *what)
{
    const char *name = element_text(r->type, "name");
    char escaped[ERROR_ESCAPED_MAX];
    r->failed = true;
    if (r->orders->fault)
        return;
    r->orders->fault_line = r->type->line;
    r->no_memory = asprintf(&r->orders->fault, "recordType %s: %s",
                            error_escape(escaped, name, strlen(name)), what) < 0;
    if (r->no_memory)
        r->orders->fault = NULL;
}

/* "kind="barier": want ..." */
static void refuse_value(struct reading *r, const char *attribute, const char *value, size_t size,
                         const char *want)
{
    char escaped[ERROR_ESCAPED_MAX], text[ERROR_ESCAPED_MAX + 512];
    snprintf(text, sizeof text, "%s=\"%s\": %s", attribute, error_escape(escaped, value, size),
             want);
    refuse(r, text);
}

/* The next word of several between blanks; false after the last. */
static bool next_word(const char **at, size_t *size)
{
    *at += strspn(*at, " \t\n\r");
    *size = strcspn(*at, " \t\n\r");
    return *size > 0;
}

static bool is_word(const char *word, const char *at, size_t size)
{
    return word && strlen(word) == size && memcmp(word, at, size) == 0;
}

static void read_roles(struct reading *r)
{
    const char *at = element_text(r->type, "order"), *all = at;
    size_t size;
    for (; !r->failed && next_word(&at, &size); at += size) {
        uint32_t before = r->order.roles;
        for (unsigned i = 0; i < sizeof role_words / sizeof *role_words; i++)
            if (is_word(role_words[i], at, size))
                r->order.roles |= BIT(i);
        if (r->order.roles == before)
            refuse_value(r, "order", at, size,
                         "want different ones of send, recv, post, wait, enter, leave, release, "
                         "acquire, spawn and join");
    }
    if (!r->failed && r->order.roles == 0)
        refuse_value(r, "order", all, strlen(all), "it is empty");
}

/* Without a name of its own, the one at place N is valueN. */
static bool find_field(const struct reading *r, const char *at, size_t size, uint32_t *out)
{
    uint64_t number;
    char text[WORD_MAX];
    for (size_t i = 0; i < r->nfields; i++)
        if (r->fields[i] && is_word(r->names + r->fields[i], at, size)) {
            *out = (uint32_t)i;
            return true;
        }
    if (size <= 5 || size >= sizeof text || memcmp(at, "value", 5) != 0)
        return false;
    memcpy(text, at + 5, size - 5);
    text[size - 5] = 0;
    if (strspn(text, "0123456789") != size - 5 || !number_parse(text, &number) ||
        number > UINT16_MAX)
        return false;
    *out = (uint32_t)number;
    return true;
}

static void refuse_field(struct reading *r, const char *attribute, const char *at, size_t size)
{
    char escaped[ERROR_ESCAPED_MAX], text[ERROR_ESCAPED_MAX + 64];
    snprintf(text, sizeof text, "%s names '%s', which is not a field", attribute,
             error_escape(escaped, at, size));
    refuse(r, text);
}

/* The fields that an attribute names, at most `most`; whether it is there, and has a meaning with
 * roles of these. */
static bool is_said(struct reading *r, const char *attribute, bool meant, const char *whose)
{
    char text[WORD_MAX];
    if (r->failed || !element_text(r->type, attribute))
        return false;
    if (meant)
        return true;
    snprintf(text, sizeof text, "%s is of %s only", attribute, whose);
    refuse(r, text);
    return false;
}

static uint32_t read_field(struct reading *r, const char *attribute, bool meant, const char *whose)
{
    uint32_t field = FIELD_NONE;
    if (!is_said(r, attribute, meant, whose))
        return field;
    const char *at = element_text(r->type, attribute);
    if (!find_field(r, at, strlen(at), &field))
        refuse_field(r, attribute, at, strlen(at));
    return field;
}

static void read_match(struct reading *r)
{
    struct type_orders *orders = r->orders;
    const char *at = element_text(r->type, "match");
    size_t size;
    r->order.match = (uint32_t)orders->nfields;
    for (; at && !r->failed && next_word(&at, &size); at += size) {
        uint32_t field = FIELD_SELF;
        if (!is_word("@self", at, size) && !find_field(r, at, size, &field))
            refuse_field(r, "match", at, size);
        if (!ARRAY_RESERVE(orders->fields, orders->fields_capacity, orders->nfields + 1)) {
            r->no_memory = r->failed = true;
            return;
        }
        orders->fields[orders->nfields++] = field;
        r->order.nmatch++;
    }
    if (r->order.nmatch > orders->nmatch_most)
        orders->nmatch_most = r->order.nmatch;
}

/* What is given and what is got, in bytes: one field for both, or two. */
static void read_size(struct reading *r)
{
    size_t size;
    r->order.sent = r->order.received = FIELD_NONE;
    if (!is_said(r, "size", r->order.collective, "collective operations"))
        return;
    const char *at = element_text(r->type, "size");
    for (unsigned i = 0; !r->failed && next_word(&at, &size); i++, at += size) {
        uint32_t field = FIELD_NONE;
        if (i == 2)
            refuse(r, "size names more than two fields");
        else if (!find_field(r, at, size, &field))
            refuse_field(r, "size", at, size);
        r->order.sent = i == 0 ? field : r->order.sent;
        r->order.received = field;
    }
}

static struct said_number read_number(struct reading *r, const char *attribute, uint32_t roles,
                                      const char *whose)
{
    struct said_number number = {.field = FIELD_NONE};
    if (!is_said(r, attribute, r->order.roles & roles, whose))
        return number;
    const char *at = element_text(r->type, attribute);
    number.is_there = true;
    if (!number_parse(at, &number.value) && !find_field(r, at, strlen(at), &number.field))
        refuse_field(r, attribute, at, strlen(at));
    else if (number.value > INT64_MAX)
        refuse_value(r, attribute, at, strlen(at), "want less than 2^63");
    return number;
}

/* One of two words; false where the attribute is missing. */
static bool read_either(struct reading *r, const char *attribute, uint32_t roles, const char *whose,
                        const char *yes, const char *no)
{
    char want[WORD_MAX];
    if (!is_said(r, attribute, r->order.roles & roles, whose))
        return false;
    const char *text = element_text(r->type, attribute);
    bool said = strcmp(text, yes) == 0;
    snprintf(want, sizeof want, "want %s or %s", yes, no);
    if (!said && strcmp(text, no) != 0)
        refuse_value(r, attribute, text, strlen(text), want);
    return said;
}

static bool is_rooted(enum collective_kind kind)
{
    return kind >= COLLECTIVE_BCAST && (kind <= COLLECTIVE_SCATTERV || kind == COLLECTIVE_REDUCE);
}

static void read_collective(struct reading *r)
{
    uint32_t grouped = r->order.roles & GROUPED;
    const char *kind = element_text(r->type, "kind");
    r->order.kind = COLLECTIVE_BARRIER;
    r->order.collective = grouped == GROUPED || (grouped && kind);
    if (is_said(r, "kind", grouped, "enter and leave")) {
        r->order.kind = 0;
        while (r->order.kind < COLLECTIVE_KINDS && strcmp(kind, kind_words[r->order.kind]) != 0)
            r->order.kind++;
        if (r->order.kind == COLLECTIVE_KINDS)
            refuse_value(r, "kind", kind, strlen(kind),
                         "want barrier, bcast, gather, gatherv, scatter, scatterv, allgather, "
                         "allgatherv, alltoall, alltoallv, alltoallw, allreduce, reduce, "
                         "reduce_scatter, scan or exscan");
    }
    r->order.root = read_field(r, "root", r->order.collective, "collective operations");
    if (!r->failed && is_rooted(r->order.kind) && r->order.root == FIELD_NONE)
        refuse_value(r, "kind", kind, strlen(kind), "it needs a root");
    r->order.instance = read_field(r, "instance", grouped, "enter and leave");
    read_size(r);
}

static void read_rest(struct reading *r)
{
    uint32_t roles = r->order.roles;
    r->order.turn = read_field(r, "turn", roles & LOCKED, "release and acquire");
    r->order.thread = read_field(r, "thread", roles & LIVING, "spawn and join");
    if (!r->failed && (roles & LIVING) && r->order.thread == FIELD_NONE)
        refuse(r, "spawn and join need a thread");
    r->order.latency = read_number(r, "latency", RECEIVING, "recv and wait");
    r->order.capacity = read_number(r, "capacity", TOKENS, "post and wait");
    r->order.sync = read_either(r, "sync", BIT(CSY_END_SEND), "send", "yes", "no");
    r->order.before = read_either(r, "stamp", ~UINT32_C(0), "", "before", "after");
    if (!r->failed && r->order.before && (roles & TARGETS))
        refuse_value(r, "stamp", "before", 6,
                     "only send, post, enter, release and spawn come after such a stamp");
}

bool type_order_is_said(const struct element *type)
{
    return element_text(type, "order") != NULL;
}

bool type_orders_add(struct type_orders *orders, const struct element *type, uint16_t id,
                     const char *names, const uint32_t *fields, size_t nfields)
{
    struct reading r = {.orders = orders,
                        .type = type,
                        .order = {.id = id},
                        .names = names,
                        .fields = fields,
                        .nfields = nfields};
    read_roles(&r);
    read_match(&r);
    read_collective(&r);
    read_rest(&r);
    if (r.failed)
        return !r.no_memory;
    if (!ARRAY_RESERVE(orders->items, orders->capacity, orders->count + 1))
        return false;
    orders->items[orders->count++] = r.order;
    return true;
}

static int compare(const void *a, const void *b)
{
    return (int)((const struct type_order *)a)->id - (int)((const struct type_order *)b)->id;
}

void type_orders_sort(struct type_orders *orders)
{
    if (orders->count > 1)
        qsort(orders->items, orders->count, sizeof *orders->items, compare);
}

const struct type_order *type_orders_find(const struct type_orders *orders, uint16_t id)
{
    const struct type_order key = {.id = id};
    return orders->count ? bsearch(&key, orders->items, orders->count, sizeof key, compare) : NULL;
}

bool type_orders_have_keys(const struct type_orders *orders)
{
    const uint32_t lives = 1u << CSY_END_SPAWN | 1u << CSY_END_JOIN;
    for (size_t i = 0; i < orders->count; i++)
        if (orders->items[i].roles & ~lives)
            return true;
    return false;
}

void type_orders_fini(struct type_orders *orders)
{
    free(orders->items);
    free(orders->fields);
    free(orders->fault);
    *orders = (struct type_orders){0};
}
