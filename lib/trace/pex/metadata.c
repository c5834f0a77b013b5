/* See metadata.h. */
#include "trace/pex/metadata.h"

#include "base/array.h"
#include "base/error.h"
#include "base/keys.h"
#include "base/number.h"
#include "base/put.h"
#include "base/sort.h"
#include "base/texts.h"

#include <stdlib.h>
#include <string.h>

/* --- Values of a payload as text ----------------------------------------------------------- */

char *value_put(char *at, enum value_kind kind, uint64_t bits)
{
    switch (kind) {
    case VALUE_SIGNED:
        return number_put(at, (int64_t)bits);
    case VALUE_REAL:
        return real_put(at, bits);
    case VALUE_ADDRESS:
        return number_put_address(at, bits);
    case VALUE_UNSIGNED:
        break;
    }
    return number_put_unsigned(at, bits);
}

bool value_is_decimal(enum value_kind kind, uint64_t bits)
{
    return kind == VALUE_REAL ? real_is_finite(bits) : kind != VALUE_ADDRESS;
}

/* --- Meaning: for stat/meaning to read; cellsync-events(5), MEANING ----------------------- */

/* Keep an element with an attribute such as role or unit. Returns false if memory runs out. */
static bool said_meanings_add(struct said_meanings *said, const struct element *element,
                              uint16_t id, uint32_t field)
{
    enum { NAMES_MAX = 7 };
    static const char *const of_types[NAMES_MAX] = {"role",  "class", "state", "routine",
                                                    "block", "stall", "call"};
    static const char *const of_fields[NAMES_MAX] = {"role", "unit", "of"};
    static const char *const of_places[NAMES_MAX] = {"node", "cell", "spe"};
    const char *const *names = field == SAID_PLACE  ? of_places
                               : field == SAID_TYPE ? of_types
                                                    : of_fields;
    bool meant = field == SAID_STATE || field == SAID_TOPOLOGY;
    for (size_t i = 0; i < NAMES_MAX && names[i]; i++)
        meant = meant || element_text(element, names[i]);
    const struct said_meaning of = {.id = id, .element = *element};
    return !meant || said_meanings_copy(said, &of, NULL, field);
}

bool said_meanings_copy(struct said_meanings *said, const struct said_meaning *of, const char *type,
                        uint32_t field)
{
    if (!ARRAY_RESERVE(said->items, said->capacity, said->count + 1))
        return false;
    struct said_meaning *item = &said->items[said->count];
    *item = (struct said_meaning){.id = of->id, .field = field};
    if (!element_keep(&item->element, &of->element))
        return false;
    said->count++;
    item->type = type ? strdup(type) : NULL;
    return !type || item->type;
}

void said_meanings_fini(struct said_meanings *said)
{
    for (size_t i = 0; i < said->count; i++) {
        element_fini(&said->items[i].element);
        free(said->items[i].type);
    }
    free(said->items);
    *said = (struct said_meanings){0};
}

/* --- Addresses: cellsync-events(5), SYMBOLS ----------------------------------------------- */

/* Keep a complete element image, symbols, or symbol. Returns false if memory runs out. */
static bool said_symbols_add(struct said_symbols *said, const struct element *element)
{
    uint64_t from = 0, to = 0;
    bool complete = element_is(element, "image")
                        ? element_number(element, "from", &from) &&
                              element_number(element, "to", &to) && from < to
                    : element_is(element, "symbols")
                        ? element_text(element, "href") != NULL
                        : element_is(element, "symbol") && element_number(element, "at", &from) &&
                              element_text(element, "name");
    if (!complete)
        return true;
    return ARRAY_PUSH(said->items, said->count, said->capacity, (struct element){0}) &&
           element_keep(&said->items[said->count - 1], element);
}

/* --- Threads of a synchronized .pex: pex(5), Synchronized traces --------------------------- */

/* Add a row if all rows so far have all attributes, and are sorted by first_record. */
static bool table_rows_add(struct table_rows *rows, const struct element *row)
{
    struct table_thread thread = {.spe = CSY_NO_SPE, .ppe = element_is(row, "ppe_thread")};
    uint64_t id = rows->count, context = 0, decr = 0;
    if (rows->fault)
        return true;
    bool good =
        thread.ppe || (element_number(row, "id", &id) && element_number(row, "ctx", &context) &&
                       element_number(row, "decr_first", &decr));
    if (!thread.ppe && !element_number(row, "spe", &thread.spe))
        thread.spe = CSY_NO_SPE;
    thread.context = (uint32_t)context;
    thread.decr_first = (uint32_t)decr;
    good = good && id == rows->count && context <= UINT32_MAX && decr <= UINT32_MAX &&
           element_number(row, "first_record", &thread.first_record) &&
           element_number(row, "records", &thread.records) &&
           element_ticks(row, "offset", &thread.offset_ticks) &&
           element_ticks(row, "earliest", &thread.earliest_ticks) &&
           element_ticks(row, "latest", &thread.latest_ticks);
    rows->fault_ppe = thread.ppe;
    rows->fault_line = row->line;
    if (!good)
        rows->fault = "an attribute is missing or malformed";
    else if (rows->count && thread.first_record <= rows->threads[rows->count - 1].first_record)
        rows->fault = "the elements are not in the order of their first records";
    if (rows->fault)
        return true;
    return ARRAY_PUSH(rows->threads, rows->count, rows->capacity, thread);
}

void table_rows_fini(struct table_rows *rows)
{
    free(rows->threads);
    *rows = (struct table_rows){0};
}

/* --- Order: roles of recordTypes, and fields that hold keys; pex(5), Order of events ------- */

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

/* in the order of enum collective_kind */
static const char *const kind_words[COLLECTIVE_KINDS] = {
    "barrier",   "bcast",          "gather",   "gatherv",   "scatter",   "scatterv",
    "allgather", "allgatherv",     "alltoall", "alltoallv", "alltoallw", "allreduce",
    "reduce",    "reduce_scatter", "scan",     "exscan"};

struct type_reader {
    struct type_orders *orders;
    const struct element *type;
    struct type_order order;
    const char *names;
    const uint32_t *fields;
    size_t nfields;
    bool failed; /* true after a fault in the type; its other attributes are ignored */
    bool no_memory;
};

/* Set the fault of the document, unless it has one already. */
static void refuse(struct type_reader *r, const char *what)
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

static void refuse_value(struct type_reader *r, const char *attribute, const char *value,
                         size_t size, const char *want)
{
    char escaped[ERROR_ESCAPED_MAX], text[ERROR_ESCAPED_MAX + 512];
    snprintf(text, sizeof text, "%s=\"%s\": %s", attribute, error_escape(escaped, value, size),
             want);
    refuse(r, text);
}

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

/* Returns the number of the field that an attribute's value names. A field without a name at index
 * N is called valueN. If there is no such field, sets the fault, and returns FIELD_NONE. */
static uint32_t find_field(struct type_reader *r, const char *attribute, const char *at,
                           size_t size)
{
    uint64_t number;
    char escaped[ERROR_ESCAPED_MAX], text[ERROR_ESCAPED_MAX + WORD_MAX];
    for (size_t i = 0; i < r->nfields; i++)
        if (r->fields[i] && is_word(r->names + r->fields[i], at, size))
            return (uint32_t)i;
    if (size > 5 && size < WORD_MAX && memcmp(at, "value", 5) == 0) {
        memcpy(text, at + 5, size - 5);
        text[size - 5] = 0;
        if (strspn(text, "0123456789") == size - 5 && number_parse(text, &number) &&
            number <= UINT16_MAX)
            return (uint32_t)number;
    }
    snprintf(text, sizeof text, "%s names '%s', which is not a field", attribute,
             error_escape(escaped, at, size));
    refuse(r, text);
    return FIELD_NONE;
}

/* Returns the value of an attribute, or NULL if it is missing. If `meant` is false, refuses the
 * attribute, because it requires `whose`, such as "spawn or join". */
static const char *find_text(struct type_reader *r, const char *attribute, bool meant,
                             const char *whose)
{
    char what[WORD_MAX];
    const char *text = r->failed ? NULL : element_text(r->type, attribute);
    if (!text || meant)
        return text;
    snprintf(what, sizeof what, "%s requires %s", attribute, whose);
    refuse(r, what);
    return NULL;
}

static uint32_t read_field(struct type_reader *r, const char *attribute, bool meant,
                           const char *whose)
{
    const char *at = find_text(r, attribute, meant, whose);
    return at ? find_field(r, attribute, at, strlen(at)) : FIELD_NONE;
}

/* Append the fields that an attribute names to type_orders.fields. Returns their number. */
static uint32_t read_key(struct type_reader *r, const char *attribute, uint32_t *first)
{
    struct type_orders *orders = r->orders;
    const char *at = element_text(r->type, attribute);
    uint32_t n = 0;
    size_t size;
    *first = (uint32_t)orders->nfields;
    for (; at && !r->failed && next_word(&at, &size); at += size) {
        uint32_t field =
            is_word("@self", at, size) ? FIELD_SELF : find_field(r, attribute, at, size);
        if (!ARRAY_PUSH(orders->fields, orders->nfields, orders->fields_capacity, field)) {
            r->no_memory = r->failed = true;
            return n;
        }
        n++;
    }
    if (n > orders->nmatch_most)
        orders->nmatch_most = n;
    return n;
}

static struct said_number read_number(struct type_reader *r, const char *attribute, bool meant,
                                      const char *whose)
{
    const char *at = find_text(r, attribute, meant, whose);
    struct said_number number = {.is_there = at != NULL, .field = FIELD_NONE};
    if (at && !number_parse(at, &number.value))
        number.field = find_field(r, attribute, at, strlen(at));
    else if (number.value > INT64_MAX)
        refuse_value(r, attribute, at, strlen(at), "expected a number below 2^63");
    return number;
}

/* Read an attribute, `yes` or `no`. Returns false for `no`, or if the attribute is missing. */
static bool read_either(struct type_reader *r, const char *attribute, uint32_t roles,
                        const char *whose, const char *yes, const char *no)
{
    char want[WORD_MAX];
    const char *text = find_text(r, attribute, r->order.roles & roles, whose);
    bool said = text && strcmp(text, yes) == 0;
    snprintf(want, sizeof want, "expected %s or %s", yes, no);
    if (text && !said && strcmp(text, no) != 0)
        refuse_value(r, attribute, text, strlen(text), want);
    return said;
}

static void read_collective(struct type_reader *r)
{
    uint32_t grouped = r->order.roles & GROUPED;
    const char *kind = element_text(r->type, "kind");
    r->order.kind = COLLECTIVE_BARRIER;
    r->order.collective = grouped == GROUPED || (grouped && kind);
    if (find_text(r, "kind", grouped, "enter or leave")) {
        r->order.kind = 0;
        while (r->order.kind < COLLECTIVE_KINDS && strcmp(kind, kind_words[r->order.kind]) != 0)
            r->order.kind++;
        if (r->order.kind == COLLECTIVE_KINDS)
            refuse_value(r, "kind", kind, strlen(kind),
                         "expected barrier, bcast, gather, gatherv, scatter, scatterv, allgather, "
                         "allgatherv, alltoall, alltoallv, alltoallw, allreduce, reduce, "
                         "reduce_scatter, scan, or exscan");
    }
    r->order.root = read_field(r, "root", r->order.collective, "collective operations");
    bool rooted = r->order.kind >= COLLECTIVE_BCAST &&
                  (r->order.kind <= COLLECTIVE_SCATTERV || r->order.kind == COLLECTIVE_REDUCE);
    if (!r->failed && rooted && r->order.root == FIELD_NONE)
        refuse_value(r, "kind", kind, strlen(kind), "this kind requires the attribute \"root\"");
    r->order.instance = read_field(r, "instance", grouped, "enter or leave");
    size_t size;
    r->order.sent = r->order.received = FIELD_NONE;
    const char *at = find_text(r, "size", r->order.collective, "collective operations");
    for (unsigned i = 0; at && !r->failed && next_word(&at, &size); i++, at += size) {
        if (i == 2)
            refuse(r, "the attribute \"size\" names more than two fields");
        else
            r->order.received = find_field(r, "size", at, size);
        r->order.sent = i == 0 ? r->order.received : r->order.sent;
    }
}

/* Read the roles of a type (such as send) and the fields in its keys. Field i has the name at
 * `names + fields[i]`, or no name if fields[i] is 0. Returns false if memory runs out. */
static bool type_orders_add(struct type_orders *orders, const struct element *type, uint16_t id,
                            const char *names, const uint32_t *fields, size_t nfields)
{
    struct type_reader r = {.orders = orders,
                            .type = type,
                            .order = {.id = id},
                            .names = names,
                            .fields = fields,
                            .nfields = nfields};
    const char *at = element_text(r.type, "order"), *all = at;
    size_t size;
    for (; at && !r.failed && next_word(&at, &size); at += size) {
        uint32_t before = r.order.roles;
        for (unsigned i = 0; i < sizeof role_words / sizeof *role_words; i++)
            if (is_word(role_words[i], at, size))
                r.order.roles |= BIT(i);
        if (r.order.roles == before)
            refuse_value(&r, "order", at, size,
                         "expected one or more of send, recv, post, wait, enter, leave, release, "
                         "acquire, spawn, and join, each only once");
    }
    if (!r.failed && all && r.order.roles == 0)
        refuse_value(&r, "order", all, strlen(all), "the attribute is empty");
    r.order.nmatch = read_key(&r, "match", &r.order.match);
    read_collective(&r);
    uint32_t roles = r.order.roles;
    r.order.turn = read_field(&r, "turn", roles & LOCKED, "release or acquire");
    r.order.thread = read_field(&r, "thread", roles & LIVING, "spawn or join");
    if (!r.failed && (roles & LIVING) && r.order.thread == FIELD_NONE)
        refuse(&r, "\"spawn\" and \"join\" require the attribute \"thread\"");
    r.order.latency = read_number(&r, "latency", roles & (RECEIVING | BIT(CSY_END_LEAVE)),
                                  "recv, wait, or leave");
    r.order.capacity = read_number(&r, "capacity", roles & TOKENS, "post or wait");
    /* These attributes limit the difference between two clocks: pex(5), Limits. */
    const char *same = element_text(type, "same"), *clock = element_text(type, "other_clock");
    r.order.nsame = read_key(&r, "same", &r.order.same);
    if (same && !r.failed && r.order.nsame == 0)
        refuse_value(&r, "same", same, strlen(same), "expected the name of a field");
    if (clock && !r.failed && strcmp(clock, EVENT_PPE) != 0)
        refuse_value(&r, "other_clock", clock, strlen(clock),
                     "expected ppe, because other clocks repeat their readings");
    r.order.other_time = read_field(&r, "other_time", clock, "other_clock");
    if (clock && !r.failed && r.order.other_time == FIELD_NONE)
        refuse(&r, "other_clock requires other_time");
    r.order.within = read_number(&r, "within", same || clock, "same or other_clock");
    r.order.latency_max = read_number(&r, "latency_max", roles & BIT(CSY_END_RECV), "recv");
    orders->moments |= same != NULL;
    orders->compare |= clock != NULL;
    orders->limit |= same || clock || r.order.latency_max.is_there;
    r.order.sync = read_either(&r, "sync", BIT(CSY_END_SEND), "send", "yes", "no");
    r.order.before = read_either(&r, "stamp", ~UINT32_C(0), "", "before", "after");
    if (!r.failed && r.order.before && (roles & TARGETS))
        refuse_value(&r, "stamp", "before", 6,
                     "this value is allowed only for send, post, enter, release, and spawn");
    if (r.failed)
        return !r.no_memory;
    return ARRAY_PUSH(orders->items, orders->count, orders->capacity, r.order);
}

/* Compare structs that begin with the id of a type. */
static int compare_types(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

const struct type_order *type_orders_find(const struct type_orders *orders, uint16_t id)
{
    return FIND(&id, orders->items, orders->count, compare_types);
}

bool type_orders_have_keys(const struct type_orders *orders)
{
    uint32_t roles = 0;
    for (size_t i = 0; i < orders->count; i++)
        roles |= orders->items[i].roles;
    return roles & ~LIVING || orders->limit;
}

/* --- Record files -------------------------------------------------------------------------- */

enum { BUFFER_NAME_MAX = 64 };

/* Read an attribute that is missing or one of two words. *is_second is true for the second. */
static csy_status read_choice(const struct document_bytes *src, const struct element *element,
                              const char *attribute, const char *first, const char *second,
                              bool *is_second)
{
    const char *text = element_text(element, attribute);
    char want[64];
    *is_second = text && strcmp(text, second) == 0;
    if (!text || *is_second || strcmp(text, first) == 0)
        return CSY_OK;
    snprintf(want, sizeof want, "expected %s or %s", first, second);
    return document_refuse_value(src, element, attribute, text, want);
}

/* Returns why an href is refused, or NULL. The file must be in or below the document's folder. */
static const char *said_href_fault(const char *href)
{
    size_t n = strspn(href, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");
    bool scheme = (href[0] | 0x20) >= 'a' && (href[0] | 0x20) <= 'z' && href[n] == ':';
    bool parent = false;
    for (const char *at = href; *at; at += n + (at[n] == '/')) {
        n = strcspn(at, "/");
        parent |= n == 2 && at[0] == '.' && at[1] == '.';
    }
    return !*href         ? "the attribute is empty"
           : *href == '/' ? "an absolute path is refused"
           : scheme       ? "a URL is refused" /* a scheme as in RFC 3986 */
           : parent       ? "a path with .. is refused"
                          : NULL;
}

/* Read the attributes of version 2. By default, the name of the buffer is the file's number. */
static csy_status read_buffer(const struct document_bytes *src, const struct element *element,
                              size_t position, struct said_file *file)
{
    char number[24];
    const char *name = element_text(element, "buffer"), *format = element_text(element, "format");
    file->event80 = format && strcmp(format, "event80") == 0;
    if (format && !file->event80)
        return document_refuse_value(src, element, "format", format, "expected event80");
    /* The name becomes a part of file names and messages, so it has no special characters. */
    bool good = !name || (*name != '.' && *name && strlen(name) <= BUFFER_NAME_MAX);
    for (const char *at = name; at && *at; at++)
        good = good && (unsigned char)*at > ' ' && *at != 0x7f && *at != '/';
    if (!good)
        return document_refuse_value(
            src, element, "buffer", name,
            "expected 1 to 64 bytes without blanks and /, and without a dot at the begin");
    file->has_rank = element_number(element, "rank", &file->rank);
    snprintf(number, sizeof number, "%zu", position);
    file->buffer = strdup(name ? name : number);
    if (!file->buffer)
        return error_memory(src->error);
    if (!file->event80)
        return CSY_OK;
    const char *context = element_text(element, "ctx"), *rank = element_text(element, "rank");
    uint64_t id;
    if (!file->href)
        return document_refuse_element(src, element, "a log of event80 requires href");
    if (!context)
        return document_refuse_element(src, element, "a log of event80 requires ctx, its context");
    if (!number_parse(context, &id) || id > UINT32_MAX)
        return document_refuse_value(src, element, "ctx", context, "expected a number below 2^32");
    file->context = (uint32_t)id;
    if (rank && !file->has_rank)
        return document_refuse_value(src, element, "rank", rank, "expected a whole number");
    csy_status status = read_choice(src, element, "byte_order", "big", "little", &file->little);
    if (!status)
        status = read_choice(src, element, "stamp", "begin", "end", &file->ends);
    return status ? status : read_choice(src, element, "pages", "no", "yes", &file->pages);
}

/* Read n elements trace_file. In version 2, these are all such elements of the document. */
static csy_status said_files_read(const struct document_bytes *src, const struct element *elements,
                                  size_t n, bool second, const struct element *root,
                                  struct metadata *m)
{
    csy_status status = CSY_OK;
    if (n == 0)
        return document_refuse_element(src, root, "the element trace_file is missing");
    m->files = calloc(n, sizeof *m->files);
    if (!m->files)
        return error_memory(src->error);
    for (m->nfiles = 0; m->nfiles < n && !status;) {
        const struct element *element = &elements[m->nfiles];
        struct said_file *file = &m->files[m->nfiles++];
        status = read_choice(src, element, "compression", "none", "gzip", &file->gzip);
        const char *href = element_text(element, "href");
        const char *fault = href ? said_href_fault(href) : NULL;
        if (!status && fault)
            status = document_refuse_value(src, element, "href", href, fault);
        if (!status && href && !(file->href = strdup(href)))
            status = error_memory(src->error);
        if (!status && second)
            status = read_buffer(src, element, m->nfiles - 1, file);
        if (!status && n > 1 && !file->href)
            status = document_refuse_element(src, element,
                                             "the attribute href is missing; only a .pex with one "
                                             "buffer can contain its records");
    }
    if (status || !second)
        return status;
    /* Refuse equal names of buffers, equal contexts of event logs, and different formats. */
    struct texts buffers = {.count = 0};
    struct keys contexts = {.count = 0};
    /* first file with a buffer, or a context, that an earlier file has, too */
    size_t buffer = SIZE_MAX, context = SIZE_MAX;
    bool good = true, added;
    uint32_t unused;
    m->event80 = m->files->event80;
    for (size_t i = 0; i < m->nfiles && good; i++) {
        const struct said_file *file = &m->files[i];
        const char *name = file->buffer ? file->buffer : "";
        good = texts_find(&buffers, name, strlen(name), &unused, &added);
        buffer = good && !added && buffer == SIZE_MAX ? i : buffer;
        good = good && (!m->event80 || keys_find(&contexts, file->context, &unused, &added));
        context = good && m->event80 && !added && context == SIZE_MAX ? i : context;
    }
    texts_fini(&buffers);
    keys_fini(&contexts);
    if (!good)
        return error_memory(src->error);
    for (size_t i = 1; i < m->nfiles; i++)
        if (m->files[i].event80 != m->event80)
            return document_refuse_element(src, &elements[i],
                                           "this trace_file has another format than the first; "
                                           "either all or none must be event80");
    if (buffer != SIZE_MAX)
        return document_refuse_value(src, &elements[buffer], "buffer", m->files[buffer].buffer,
                                     "another trace_file has this name");
    if (context != SIZE_MAX)
        return document_refuse_value(src, &elements[context], "ctx",
                                     element_text(&elements[context], "ctx"),
                                     "another trace_file has this context");
    return CSY_OK;
}

/* --- The document -------------------------------------------------------------------------- */

/* Maximum number of fields in a record, because a record has at most 65520 bytes. */
enum { FIELDS_NAMED_MAX = 65520 / 8 };

enum { IDS = UINT16_MAX + 1 };

/* An element recordType that has not ended yet. */
struct open_type {
    size_t type; /* index in metadata.types */
    unsigned depth;
    size_t first;        /* index of the type's first field in reader.names */
    struct element said; /* the element, if it has order, same, or other_clock; otherwise empty */
};

enum { MACHINE, CLOCK, ORDER, SWITCH_SOURCE, PROCESS, RECORDING, FIRSTS };

struct reader {
    struct metadata *m;
    struct element root;
    struct element first[FIRSTS]; /* the first child of the root with each of these names */
    struct element *files;        /* elements trace_file; in version 1, only the first one */
    size_t nfiles, files_capacity, ranks_capacity;
    bool second;               /* true if the document has version 2 of the format */
    bool in_threads, in_table; /* true inside the element threads; true inside synchronization */
    uint8_t seen[IDS / 8];     /* bit set: ids of the types read so far */
    struct open_type *open;    /* types that have not ended yet */
    size_t nopen, open_capacity;
    uint32_t *names; /* names of the fields of types that have not ended, outer types first */
    uint8_t *kinds;  /* enum value_kind of each field in `names` */
    size_t nnames, names_capacity, kinds_capacity;
    size_t types_capacity, fields_capacity, field_kinds_capacity, listed_capacity, texts_capacity;
};

/* Append a text to the names, at the index *place (NULL: 0). Returns false if memory runs out. */
static bool add_name(struct reader *r, const char *text, uint32_t *place)
{
    struct metadata *m = r->m;
    size_t size = text ? strlen(text) + 1 : 0;
    if (!ARRAY_RESERVE(m->types.names, r->texts_capacity, m->types.names_size + size + 1))
        return false;
    if (m->types.names_size == 0)
        m->types.names[m->types.names_size++] = '\0';
    *place = text ? (uint32_t)m->types.names_size : 0;
    if (text)
        memcpy(m->types.names + m->types.names_size, text, size);
    m->types.names_size += size;
    return true;
}

/* Begin a recordType. Ignore it, with its fields, unless it has a name and a new id below 2^16. */
static bool begin_type(struct reader *r, const struct element *element)
{
    struct metadata *m = r->m;
    uint64_t id;
    const char *name = element_text(element, "name");
    if (!name || !*name || !element_number(element, "id", &id) || id >= IDS ||
        r->seen[id / 8] >> id % 8 & 1)
        return true;
    if (!ARRAY_RESERVE(m->types.items, r->types_capacity, m->types.count + 1) ||
        !ARRAY_RESERVE(r->open, r->open_capacity, r->nopen + 1))
        return false;
    r->seen[id / 8] |= (uint8_t)(1u << id % 8);
    struct open_type *open = &r->open[r->nopen++];
    *open = (struct open_type){m->types.count, element->depth, r->nnames, {0}};
    bool orders = element_text(element, "order") || element_text(element, "same") ||
                  element_text(element, "other_clock");
    if (r->second && orders && !element_keep(&open->said, element))
        return false;
    struct record_type *type = &m->types.items[m->types.count++];
    *type = (struct record_type){.id = (uint16_t)id};
    return add_name(r, name, &type->name) &&
           said_meanings_add(&m->meanings, element, type->id, SAID_TYPE);
}

/* Begin a field, unless its recordType is ignored. */
static bool begin_field(struct reader *r, const struct element *element)
{
    const struct open_type *open = r->nopen ? &r->open[r->nopen - 1] : NULL;
    if (!open || open->depth + 1 != element->depth)
        return true;
    struct record_type *type = &r->m->types.items[open->type];
    if (!said_meanings_add(&r->m->meanings, element, type->id, type->nfields++))
        return false;
    if (r->nnames - open->first >= FIELDS_NAMED_MAX)
        return true;
    const char *name = element_text(element, "name");
    bool good =
        name && *name &&
        !(strncmp(name, "value", 5) == 0 && name[5] && !name[5 + strspn(name + 5, "0123456789")]);
    if (!ARRAY_RESERVE(r->names, r->names_capacity, r->nnames + 1) ||
        !ARRAY_RESERVE(r->kinds, r->kinds_capacity, r->nnames + 1))
        return false;
    const char *said = element_text(element, "type");
    enum value_kind kind = !said                          ? VALUE_UNSIGNED
                           : strcmp(said, "i64") == 0     ? VALUE_SIGNED
                           : strcmp(said, "f64") == 0     ? VALUE_REAL
                           : strcmp(said, "address") == 0 ? VALUE_ADDRESS
                                                          : VALUE_UNSIGNED;
    r->kinds[r->nnames] = (uint8_t)kind;
    type->typed = type->typed || kind != VALUE_UNSIGNED;
    r->m->types.typed = r->m->types.typed || type->typed;
    return add_name(r, good ? name : NULL, &r->names[r->nnames++]);
}

/* Remove names of fields that earlier fields also have. Returns false if memory runs out. */
static bool part_fields(const struct metadata *m, uint32_t *places, size_t n)
{
    struct texts names = {0};
    bool good = true, added = true;
    uint32_t number;
    for (size_t i = 0; i < n && good; i++) {
        const char *name = m->types.names + places[i];
        if (places[i])
            good = texts_find(&names, name, strlen(name), &number, &added);
        if (places[i] && good && !added)
            places[i] = 0;
    }
    texts_fini(&names);
    return good;
}

/* Store the name of a PPE thread, and the rank of a PPE thread or SPE context. */
static bool add_thread(struct reader *r, const struct element *element)
{
    struct metadata *m = r->m;
    uint64_t id, rank;
    bool spe = element_is(element, "spe"), ppe = element_is(element, "ppe");
    if ((!spe && !ppe) || !element_number(element, spe ? "ctx" : "tid", &id) || id > UINT32_MAX)
        return true;
    if (ppe) {
        if (!ARRAY_RESERVE(m->listed, r->listed_capacity, m->nlisted + 1))
            return false;
        struct listed_thread *listed = &m->listed[m->nlisted++];
        listed->tid = (uint32_t)id;
        if (!add_name(r, element_text(element, "name"), &listed->name))
            return false;
    }
    if (!r->second || !element_number(element, "rank", &rank))
        return true;
    return ARRAY_PUSH(m->ranks, m->nranks, r->ranks_capacity,
                      (struct listed_rank){spe, (uint32_t)id, rank});
}

static bool begin_child(struct reader *r, const struct element *element)
{
    static const char *const names[FIRSTS] = {"machine",       "clock",   "order",
                                              "switch_source", "process", "recording"};
    if (element_is(element, "trace_file")) {
        bool adds = r->nfiles == 0 || r->second; /* in version 1, only the first one counts */
        return (!adds || (ARRAY_PUSH(r->files, r->nfiles, r->files_capacity, (struct element){0}) &&
                          element_keep(&r->files[r->nfiles - 1], element))) &&
               said_meanings_add(&r->m->meanings, element, 0, SAID_PLACE);
    }
    for (size_t i = 0; i < FIRSTS; i++)
        if (!r->first[i].text && element_is(element, names[i]))
            return element_keep(&r->first[i], element);
    if (element_is(element, "image") || element_is(element, "symbols") ||
        element_is(element, "symbol"))
        return said_symbols_add(&r->m->symbols, element);
    if (element_is(element, "state"))
        return said_meanings_add(&r->m->meanings, element, 0, SAID_STATE);
    if (element_is(element, "place"))
        return said_meanings_add(&r->m->meanings, element, 0, SAID_PLACE);
    if (element_is(element, "topology"))
        return said_meanings_add(&r->m->meanings, element, 0, SAID_TOPOLOGY);
    r->in_threads = element_is(element, "threads");
    r->in_table = element_is(element, "synchronization");
    if (r->in_threads)
        r->m->nlisted = r->m->nranks = 0;
    if (!r->in_table)
        return true;
    r->m->rows.count = 0;
    r->m->rows.fault = NULL;
    return element_keep(&r->m->table, element);
}

static bool begin_element(void *user, const struct element *element)
{
    struct reader *r = user;
    bool good = true;
    uint64_t version;
    if (element->depth == 0) {
        r->second = element_number(element, "version", &version) && version == 2;
        good = element_keep(&r->root, element);
    } else if (element->depth == 1) {
        good = begin_child(r, element);
    } else if (element->depth == 2 && r->in_threads) {
        good = add_thread(r, element);
    } else if (element->depth == 2 && r->in_table &&
               (element_is(element, "live_interval") || element_is(element, "ppe_thread"))) {
        good = table_rows_add(&r->m->rows, element);
    } else if (element->depth == 2 && element_is(element, "symbol")) {
        good = said_symbols_add(&r->m->symbols, element);
    }
    if (element_is(element, "recordType"))
        good = good && begin_type(r, element);
    else if (element_is(element, "field"))
        good = good && begin_field(r, element);
    return good;
}

static bool end_element(void *user, unsigned depth)
{
    struct reader *r = user;
    if (depth == 1)
        r->in_threads = r->in_table = false;
    if (r->nopen == 0 || r->open[r->nopen - 1].depth != depth)
        return true;
    struct metadata *m = r->m;
    struct open_type *open = &r->open[--r->nopen];
    size_t n = r->nnames - open->first;
    r->nnames = open->first;
    bool good =
        n == 0 || (part_fields(m, r->names + open->first, n) &&
                   ARRAY_RESERVE(m->types.fields, r->fields_capacity, m->types.nfields + n) &&
                   ARRAY_RESERVE(m->types.kinds, r->field_kinds_capacity, m->types.nfields + n));
    if (good && open->said.text)
        good = type_orders_add(&m->orders, &open->said, m->types.items[open->type].id,
                               m->types.names, n > 0 ? r->names + open->first : NULL, n);
    element_fini(&open->said);
    if (!good || n == 0)
        return good;
    memcpy(m->types.fields + m->types.nfields, r->names + open->first, n * sizeof *m->types.fields);
    memcpy(m->types.kinds + m->types.nfields, r->kinds + open->first, n * sizeof *m->types.kinds);
    m->types.items[open->type].field = (uint32_t)m->types.nfields;
    m->types.items[open->type].nnamed = (uint32_t)n;
    m->types.nfields += n;
    return true;
}

static csy_status read_root(const struct document_bytes *src, const struct reader *r)
{
    const struct element *root = &r->root, *machine = &r->first[MACHINE];
    uint64_t version;
    if (!element_is(root, "pdt_trace"))
        return document_refuse_element(src, root, "the root element is not pdt_trace");
    if (!element_number(root, "version", &version))
        return document_refuse_element(src, root, "version is missing or not a number");
    if (version != 1 && version != 2)
        return document_refuse_element(src, root, "unknown version, expected 1 or 2");
    r->m->version = (unsigned)version;
    if (!machine->text)
        return document_refuse_element(src, root, "the element machine is missing");
    const char *hz = element_text(machine, "timebase_hz"), *name = element_text(machine, "name");
    if (!hz)
        return document_refuse_element(src, machine, "timebase_hz is missing");
    if (!number_parse(hz, &r->m->timebase_hz) || r->m->timebase_hz == 0)
        return document_refuse_value(src, machine, "timebase_hz", hz,
                                     "expected a whole number above 0");
    r->m->machine = strdup(name ? name : "");
    return r->m->machine ? CSY_OK : error_memory(src->error);
}

/* Set *out to the index of an attribute's word among n words. If the attribute is missing, *out
 * does not change. */
static csy_status read_word(const struct document_bytes *src, const struct element *element,
                            const char *attribute, const char *const *words, size_t n,
                            const char *want, size_t *out)
{
    const char *text = element_text(element, attribute);
    for (size_t i = 0; text && i < n; i++)
        if (strcmp(text, words[i]) == 0) {
            *out = i;
            return CSY_OK;
        }
    return text ? document_refuse_value(src, element, attribute, text, want) : CSY_OK;
}

static csy_status read_kinds(const struct document_bytes *src, const struct reader *r)
{
    static const char *const granularities[] = {"record", "thread", "block"};
    static const char *const afters[] = {"flush", "block", "none"}, *const sends[] = {"complete"};
    const struct element *order = &r->first[ORDER], *clock = &r->first[CLOCK];
    struct metadata *m = r->m;
    size_t granularity = 0, after = BLOCK_AFTER_FLUSH, sent = 0;
    const char *records = element_text(order, "records");
    csy_status status = read_choice(src, clock, "kind", "local", "global", &m->global);
    if (!status)
        status = read_word(src, order, "granularity", granularities, r->second ? 3 : 1,
                           r->second ? "expected record, block, or thread" : "expected record",
                           &granularity);
    m->granularity = (enum granularity)(GRANULARITY_RECORD + granularity);
    if (!status && r->second) {
        status = read_word(src, order, "sends", sends, 1, "expected complete", &sent);
        m->sends_complete = element_text(order, "sends") != NULL;
    }
    bool blocks = m->granularity == GRANULARITY_BLOCK;
    if (!status && blocks) {
        status =
            read_word(src, order, "after", afters, 3, "expected flush, block, or none", &after);
        m->block_after = (enum block_after)after;
    }
    if (!status && blocks && records &&
        (!number_parse(records, &m->block_records) || !m->block_records))
        status = document_refuse_value(src, order, "records", records,
                                       "expected a whole number above 0");
    if (!status && m->event80 && m->global)
        status =
            document_refuse_value(src, clock, "kind", "global",
                                  "expected local, because each log of event80 has its own clock");
    if (!status && m->event80 && blocks)
        status =
            document_refuse_value(src, order, "granularity", "block",
                                  "expected thread, because a log of event80 contains one thread");
    if (!status)
        status = read_choice(src, &r->first[SWITCH_SOURCE], "kind", "switch_log", "notifier",
                             &m->notifier);
    return status;
}

static bool is_called(const struct document_bytes *src, const struct tag *tag, const char *local)
{
    return tag->end > tag->begin && tag_is(src->xml + tag->begin, tag->end - tag->begin, local);
}

/* Find the byte offsets of the tags in struct places and said_file. libxml2 does not know them. */
static csy_status find_places(const struct document_bytes *src, const struct reader *r,
                              const struct document_layout *document)
{
    const struct element *clock = &r->first[CLOCK];
    struct places *places = &r->m->places;
    struct tag tag = {0}, root = {0};
    size_t index = 0, file = 0;
    *places = (struct places){.size = src->size, .letters = document->letters};
    for (; tag_next(src->xml, src->size, document->letters, &tag); index += tag.starts) {
        if (!tag.starts)
            places->root_end = tag;
        else if (index == 0)
            root = tag;
        else if (file < r->nfiles && index == r->files[file].index)
            r->m->files[file++].place = tag;
        else if (clock->text && index == clock->index)
            places->clock = tag;
    }
    bool good = index == document->nelements && is_called(src, &root, r->root.text) &&
                (!clock->text || is_called(src, &places->clock, clock->text));
    for (size_t i = 0; i < r->nfiles && good; i++)
        good = is_called(src, &r->m->files[i].place, r->files[i].text);
    if (!good)
        return document_refuse(src, 1, "the tags of the document cannot be found in its encoding");
    const char *name = src->xml + root.begin + 1;
    places->prefix =
        strndup(name, tag_name_bytes(name - 1, root.end - root.begin) - strlen(r->root.text));
    return places->prefix ? CSY_OK : error_memory(src->error);
}

static int compare_ranks(const void *a, const void *b)
{
    const struct listed_rank *x = a, *y = b;
    return x->spe != y->spe ? (x->spe ? 1 : -1) : COMPARE(x->id, y->id);
}

csy_status metadata_parse(const char *name, const char *xml, size_t size, struct metadata *out,
                          csy_error *error)
{
    struct document_bytes src = {name, xml, size, error};
    struct document_layout document;
    struct reader r = {.m = out};
    const struct element *process = &r.first[PROCESS], *recording = &r.first[RECORDING];
    memset(out, 0, sizeof *out);
    csy_status status = document_parse(&src, begin_element, end_element, &r, &document);
    if (!status) {
        struct metadata *m = r.m;
        status = read_root(&src, &r);
        if (!status)
            status = said_files_read(&src, r.files, r.nfiles, r.second, &r.root, m);
        if (!status)
            status = read_kinds(&src, &r);
        for (size_t i = 0; i < m->symbols.count && !status; i++) {
            const struct element *element = &m->symbols.items[i];
            const char *href = element_text(element, "href");
            const char *fault = element_is(element, "symbols") ? said_href_fault(href) : NULL;
            if (fault)
                status = document_refuse_value(&src, element, "href", href, fault);
        }
        if (!status && m->orders.fault)
            status = document_refuse(&src, m->orders.fault_line, m->orders.fault);
        if (r.second && recording->text) {
            m->process.complete = element_says(recording, "complete", "yes")    ? COMPLETE_YES
                                  : element_says(recording, "complete", "exec") ? COMPLETE_EXEC
                                                                                : COMPLETE_NO;
            element_number(recording, "lost", &m->process.lost);
        }
        element_number(process, "pid", &m->process.pid);
        const char *host = element_text(process, "host"), *id = element_text(&r.first[CLOCK], "id");
        m->process.host = strdup(host ? host : "");
        m->process.clock_id = strdup(id ? id : "");
        if (!status && (!m->process.host || !m->process.clock_id))
            status = error_memory(src.error);
        m->has_rank = r.second && element_number(process, "rank", &m->rank);
        SORT(m->ranks, m->nranks, compare_ranks);
        SORT(m->orders.items, m->orders.count, compare_types);
        if (!status)
            status = find_places(&src, &r, &document);
        SORT(m->types.items, m->types.count, compare_types);
        if (!m->global)
            table_rows_fini(&m->rows);
    }
    element_fini(&r.root);
    for (size_t i = 0; i < FIRSTS; i++)
        element_fini(&r.first[i]);
    for (size_t i = 0; i < r.nfiles; i++)
        element_fini(&r.files[i]);
    free(r.files);
    for (size_t i = 0; i < r.nopen; i++)
        element_fini(&r.open[i].said);
    FREE_ALL(r.open, r.names, r.kinds);
    return status;
}

void metadata_fini(struct metadata *m)
{
    table_rows_fini(&m->rows);
    element_fini(&m->table);
    FREE_ALL(m->types.items, m->types.fields, m->types.kinds, m->listed, m->types.names,
             m->places.prefix);
    for (size_t i = 0; i < m->nfiles; i++) {
        FREE_ALL(m->files[i].href, m->files[i].buffer);
    }
    FREE_ALL(m->files, m->ranks, m->process.host, m->process.clock_id, m->orders.items,
             m->orders.fields, m->orders.fault);
    said_meanings_fini(&m->meanings);
    for (size_t i = 0; i < m->symbols.count; i++)
        element_fini(&m->symbols.items[i]);
    FREE_ALL(m->symbols.items, m->machine);
    memset(m, 0, sizeof *m);
}

uint64_t metadata_self(const struct metadata *m, bool spe, uint32_t id, size_t file)
{
    const struct listed_rank key = {spe, id, 0};
    const struct listed_rank *listed = FIND(&key, m->ranks, m->nranks, compare_ranks);
    return listed                    ? listed->rank
           : m->files[file].has_rank ? m->files[file].rank
           : m->has_rank             ? m->rank
                                     : id;
}

const struct record_type *types_of_id(const struct event_types *types, uint16_t id)
{
    return FIND(&id, types->items, types->count, compare_types);
}

const char *types_event_name(const struct event_types *types, uint16_t id, bool spe)
{
    /* Names that the format defines for PPE events of the group GENERAL: pex(5), Record file. */
    static const char *const general[] = {"SPE_SWITCH_IN", "SPE_SWITCH_OUT",   "TRACE_START",
                                          "TRACE_STOP",    "SPE_THREAD_START", "SPE_THREAD_STOP"};
    const struct record_type *found = types_of_id(types, id);
    unsigned event = id >> 8;
    bool is_general =
        !spe && (id & 0xff) == 0 && event >= 1 && event <= sizeof general / sizeof *general;
    return found ? types_text(types, found->name) : is_general ? general[event - 1] : "";
}

const char *types_event_text(const struct event_types *types, uint16_t id, bool spe,
                             char text[TYPE_TEXT_MAX])
{
    const char *name = types_event_name(types, id, spe);
    *number_put_hex(put_text(text, "0x"), id, 4) = 0;
    return *name ? name : text;
}

const char *types_field_name(const struct event_types *types, const struct record_type *type,
                             size_t field)
{
    return field < type->nnamed ? types_text(types, types->fields[type->field + field]) : NULL;
}

const char *types_field_text(const struct event_types *types, uint16_t id, size_t field,
                             char text[TYPE_TEXT_MAX])
{
    const struct record_type *type = types_of_id(types, id);
    const char *name = type ? types_field_name(types, type, field) : NULL;
    *put_unsigned(text, "value", field) = 0;
    return name ? name : text;
}

const struct record_type *types_typed(const struct event_types *types, uint16_t id)
{
    const struct record_type *type = types->typed ? types_of_id(types, id) : NULL;
    return type && type->typed ? type : NULL;
}

enum value_kind types_value_kind(const struct event_types *types, const struct record_type *type,
                                 size_t field)
{
    return type && field < type->nnamed ? (enum value_kind)types->kinds[type->field + field]
                                        : VALUE_UNSIGNED;
}

const char *types_text(const struct event_types *types, uint32_t place)
{
    return place ? types->names + place : NULL;
}
