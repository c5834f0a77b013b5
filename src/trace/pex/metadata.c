/* The XML half of a trace. */
#include "trace/pex/metadata.h"

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"
#include "trace/pex/document.h"

#include <stdlib.h>
#include <string.h>

/* A record has 65520 bytes at most, so that of more fields no name is ever asked for. */
enum { FIELDS_NAMED_MAX = 65520 / 8 };

enum { IDS = UINT16_MAX + 1 };

/* A recordType that has begun. */
struct open_type {
    size_t type; /* among metadata.types */
    unsigned depth;
    size_t first;        /* its first field in `names` */
    struct element said; /* it, where it says something of order */
};

/* A document that is being read. */
struct reader {
    struct metadata *m;
    struct element root, machine, clock, order, source, process, recording; /* the first of each */
    struct element *files; /* of version 1 the first */
    size_t nfiles, files_capacity, ranks_capacity;
    bool second;               /* version 2 */
    bool in_threads, in_table; /* the root's child that is open is one of these */
    uint8_t seen[IDS / 8];     /* ids that have a type */
    struct open_type *open;    /* those around the next element */
    size_t nopen, open_capacity;
    uint32_t *names; /* of their fields, up to where the inner ones begin */
    uint8_t *kinds;  /* of the same fields */
    size_t nnames, names_capacity, kinds_capacity;
    size_t types_capacity, fields_capacity, field_kinds_capacity, listed_capacity, texts_capacity;
};

/* Keep a text; *place is 0 for none.  False without memory. */
static bool add_name(struct reader *r, const char *text, uint32_t *place)
{
    struct metadata *m = r->m;
    size_t size = text ? strlen(text) + 1 : 0;
    if (!ARRAY_RESERVE(m->names, r->texts_capacity, m->names_size + size + 1))
        return false;
    if (m->names_size == 0)
        m->names[m->names_size++] = '\0';
    *place = text ? (uint32_t)m->names_size : 0;
    if (text)
        memcpy(m->names + m->names_size, text, size);
    m->names_size += size;
    return true;
}

/* A recordType begins.  It counts if it has an id of 16 bits and a name, and is the first of that
 * id; others are carried, not used. */
static bool begin_type(struct reader *r, const struct element *element)
{
    struct metadata *m = r->m;
    uint64_t id;
    const char *name = element_text(element, "name");
    if (!name || !*name || !element_number(element, "id", &id) || id >= IDS ||
        r->seen[id / 8] >> id % 8 & 1)
        return true;
    if (!ARRAY_RESERVE(m->types, r->types_capacity, m->ntypes + 1) ||
        !ARRAY_RESERVE(r->open, r->open_capacity, r->nopen + 1))
        return false;
    r->seen[id / 8] |= (uint8_t)(1u << id % 8);
    struct open_type *open = &r->open[r->nopen++];
    *open = (struct open_type){m->ntypes, element->depth, r->nnames, {0}};
    if (r->second && type_order_is_said(element) && !element_keep(&open->said, element))
        return false;
    struct record_type *type = &m->types[m->ntypes++];
    *type = (struct record_type){.id = (uint16_t)id};
    return add_name(r, name, &type->name) &&
           said_meanings_add(&m->meanings, element, type->id, SAID_TYPE);
}

/* "value" and a number: what fields without a name of their own are called. */
static bool is_made_name(const char *name)
{
    return strncmp(name, "value", 5) == 0 && name[5] && !name[5 + strspn(name + 5, "0123456789")];
}

/* A field begins.  It counts within a type that does. */
static bool begin_field(struct reader *r, const struct element *element)
{
    const struct open_type *open = r->nopen ? &r->open[r->nopen - 1] : NULL;
    if (!open || open->depth + 1 != element->depth)
        return true;
    struct record_type *type = &r->m->types[open->type];
    if (!said_meanings_add(&r->m->meanings, element, type->id, type->nfields++))
        return false;
    if (r->nnames - open->first >= FIELDS_NAMED_MAX)
        return true;
    const char *name = element_text(element, "name");
    bool good = name && *name && !is_made_name(name);
    if (!ARRAY_RESERVE(r->names, r->names_capacity, r->nnames + 1) ||
        !ARRAY_RESERVE(r->kinds, r->kinds_capacity, r->nnames + 1))
        return false;
    enum value_kind kind = value_kind_of(element_text(element, "type"));
    r->kinds[r->nnames] = (uint8_t)kind;
    type->typed = type->typed || kind != VALUE_UNSIGNED;
    r->m->typed = r->m->typed || type->typed;
    return add_name(r, good ? name : NULL, &r->names[r->nnames++]);
}

struct named_field {
    const char *name;
    uint32_t *place;
};

static int compare_fields(const void *a, const void *b)
{
    const struct named_field *x = a, *y = b;
    int names = strcmp(x->name, y->name);
    return names ? names : x->place < y->place ? -1 : 1;
}

/* Take the names from all fields of a type that have the name of one before; false without
 * memory. */
static bool part_fields(const struct metadata *m,
                        /* fields write it: NOLINTNEXTLINE(readability-non-const-parameter) */
                        uint32_t *places, size_t n)
{
    struct named_field *fields = malloc((n + 1) * sizeof *fields);
    size_t named = 0;
    if (!fields)
        return false;
    for (size_t i = 0; i < n; i++)
        if (places[i])
            fields[named++] = (struct named_field){m->names + places[i], &places[i]};
    qsort(fields, named, sizeof *fields, compare_fields);
    for (size_t i = 1; i < named; i++)
        if (strcmp(fields[i].name, fields[i - 1].name) == 0)
            *fields[i].place = 0;
    free(fields);
    return true;
}

/* A recordType that counts ends: move the names of its fields to where they stay. */
static bool end_type(struct reader *r)
{
    struct metadata *m = r->m;
    struct open_type *open = &r->open[--r->nopen];
    size_t n = r->nnames - open->first;
    r->nnames = open->first;
    bool good = n == 0 || (part_fields(m, r->names + open->first, n) &&
                           ARRAY_RESERVE(m->fields, r->fields_capacity, m->nfields + n) &&
                           ARRAY_RESERVE(m->kinds, r->field_kinds_capacity, m->nfields + n));
    if (good && open->said.text)
        good = type_orders_add(&m->orders, &open->said, m->types[open->type].id, m->names,
                               n > 0 ? r->names + open->first : NULL, n);
    element_fini(&open->said);
    if (!good || n == 0)
        return good;
    memcpy(m->fields + m->nfields, r->names + open->first, n * sizeof *m->fields);
    memcpy(m->kinds + m->nfields, r->kinds + open->first, n * sizeof *m->kinds);
    m->types[open->type].field = (uint32_t)m->nfields;
    m->types[open->type].nnamed = (uint32_t)n;
    m->nfields += n;
    return true;
}

static bool add_listed(struct reader *r, const struct element *element)
{
    struct metadata *m = r->m;
    uint64_t tid;
    if (!element_number(element, "tid", &tid) || tid > UINT32_MAX)
        return true;
    if (!ARRAY_RESERVE(m->listed, r->listed_capacity, m->nlisted + 1))
        return false;
    struct listed_thread *listed = &m->listed[m->nlisted++];
    listed->tid = (uint32_t)tid;
    return add_name(r, element_text(element, "name"), &listed->name);
}

/* Who @self is of a thread or context. */
static bool add_rank(struct reader *r, const struct element *element, bool spe)
{
    struct metadata *m = r->m;
    uint64_t id, rank;
    if (!element_number(element, spe ? "ctx" : "tid", &id) || id > UINT32_MAX ||
        !element_number(element, "rank", &rank))
        return true;
    if (!ARRAY_RESERVE(m->ranks, r->ranks_capacity, m->nranks + 1))
        return false;
    m->ranks[m->nranks++] = (struct listed_rank){spe, (uint32_t)id, rank};
    return true;
}

static bool add_file(struct reader *r, const struct element *element)
{
    if (r->nfiles > 0 && !r->second)
        return true;
    if (!ARRAY_RESERVE(r->files, r->files_capacity, r->nfiles + 1))
        return false;
    r->files[r->nfiles] = (struct element){0};
    return element_keep(&r->files[r->nfiles++], element);
}

/* A child of the root begins. */
static bool begin_child(struct reader *r, const struct element *element)
{
    const struct {
        const char *name;
        struct element *first;
    } kept[] = {{"machine", &r->machine}, {"clock", &r->clock},
                {"order", &r->order},     {"switch_source", &r->source},
                {"process", &r->process}, {"recording", &r->recording}};
    if (element_is(element, "trace_file"))
        return add_file(r, element) && said_meanings_add(&r->m->meanings, element, 0, SAID_PLACE);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (!kept[i].first->text && element_is(element, kept[i].name))
            return element_keep(kept[i].first, element);
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
        bool spe = element_is(element, "spe"), ppe = element_is(element, "ppe");
        good = !ppe || add_listed(r, element);
        if (good && r->second && (ppe || spe))
            good = add_rank(r, element, spe);
    } else if (element->depth == 2 && r->in_table && table_rows_has(element)) {
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
    return r->nopen == 0 || r->open[r->nopen - 1].depth != depth || end_type(r);
}

static csy_status read_root(const struct document_bytes *src, const struct reader *r)
{
    const struct element *root = &r->root;
    if (!element_is(root, "pdt_trace"))
        return document_refuse_element(src, root, "the root element is not pdt_trace");
    uint64_t version;
    if (!element_number(root, "version", &version))
        return document_refuse_element(src, root, "version is missing or not a number");
    if (version != 1 && version != 2)
        return document_refuse_element(src, root, "the version is not 1 or 2, the only ones known");
    r->m->version = (unsigned)version;
    return CSY_OK;
}

static csy_status read_machine(const struct document_bytes *src, const struct reader *r)
{
    const struct element *machine = &r->machine;
    if (!machine->text)
        return document_refuse_element(src, &r->root, "there is no machine element");
    const char *hz = element_text(machine, "timebase_hz"), *name = element_text(machine, "name");
    if (!hz)
        return document_refuse_element(src, machine, "timebase_hz is missing");
    if (!number_parse(hz, &r->m->timebase_hz) || r->m->timebase_hz == 0)
        return document_refuse_value(src, machine, "timebase_hz", hz,
                                     "want a whole number above 0");
    r->m->machine = strdup(name ? name : "");
    return r->m->machine ? CSY_OK : error_memory(src->error);
}

/* One of n words; *out stays where there is none. */
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

static csy_status read_order(const struct document_bytes *src, const struct reader *r)
{
    static const char *const granularities[] = {"record", "thread", "block"};
    static const char *const afters[] = {"flush", "block", "none"};
    struct metadata *m = r->m;
    static const char *const sends[] = {"complete"};
    size_t granularity = GRANULARITY_RECORD, after = BLOCK_AFTER_FLUSH, sent = 0;
    const char *records = element_text(&r->order, "records");
    csy_status status =
        read_word(src, &r->order, "granularity", granularities, r->second ? 3 : 1,
                  r->second ? "want record, block or thread" : "want record, the only one known",
                  &granularity);
    m->granularity = (enum granularity)granularity;
    if (!status && r->second) {
        status = read_word(src, &r->order, "sends", sends, 1, "want complete", &sent);
        m->sends_complete = element_text(&r->order, "sends") != NULL;
    }
    if (status || m->granularity != GRANULARITY_BLOCK)
        return status;
    status = read_word(src, &r->order, "after", afters, 3, "want flush, block or none", &after);
    m->block_after = (enum block_after)after;
    if (!status && records && (!number_parse(records, &m->block_records) || !m->block_records))
        status = document_refuse_value(src, &r->order, "records", records,
                                       "want a whole number above 0");
    return status;
}

static csy_status read_kinds(const struct document_bytes *src, const struct reader *r)
{
    static const char *const clocks[2] = {"local", "global"};
    static const char *const sources[2] = {"switch_log", "notifier"};
    csy_status status =
        document_read_word(src, &r->clock, "kind", clocks, "want local or global", &r->m->global);
    if (!status)
        status = read_order(src, r);
    if (!status && r->m->event80 && r->m->global)
        status = document_refuse_value(src, &r->clock, "kind", "global",
                                       "each log of event80 is by a clock of its own");
    if (!status && r->m->event80 && r->m->granularity == GRANULARITY_BLOCK)
        status = document_refuse_value(src, &r->order, "granularity", "block",
                                       "a log of event80 is in the order of one thread");
    if (!status)
        status = document_read_word(src, &r->source, "kind", sources, "want switch_log or notifier",
                                    &r->m->notifier);
    return status;
}

/* Whether a tag has this local name. */
static bool is_called(const struct document_bytes *src, const struct tag *tag, const char *local)
{
    return tag->end > tag->begin && tag_is(src->xml + tag->begin, tag->end - tag->begin, local);
}

static bool are_called(const struct document_bytes *src, const struct reader *r)
{
    bool good = true;
    for (size_t i = 0; i < r->nfiles; i++)
        good = good && is_called(src, &r->m->files[i].place, r->files[i].text);
    return good;
}

static csy_status check_symbols(const struct document_bytes *src, const struct metadata *m)
{
    for (size_t i = 0; i < m->symbols.count; i++) {
        const struct element *element = &m->symbols.items[i];
        const char *href = element_text(element, "href");
        const char *fault = element_is(element, "symbols") ? said_href_fault(href) : NULL;
        if (fault)
            return document_refuse_value(src, element, "href", href, fault);
    }
    return CSY_OK;
}

/* The bytes of the tags that an output changes.  They are found without the parser, whose count of
 * the elements must be the same. */
static csy_status find_places(const struct document_bytes *src, const struct reader *r,
                              const struct document *document)
{
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
        else if (r->clock.text && index == r->clock.index)
            places->clock = tag;
    }
    if (index != document->nelements || !is_called(src, &root, r->root.text) ||
        !are_called(src, r) || (r->clock.text && !is_called(src, &places->clock, r->clock.text)))
        return document_refuse(src, 1, "its tags cannot be told in its encoding");
    const char *name = src->xml + root.begin + 1;
    places->prefix =
        strndup(name, tag_name_bytes(name - 1, root.end - root.begin) - strlen(r->root.text));
    return places->prefix ? CSY_OK : error_memory(src->error);
}

static int compare_types(const void *a, const void *b)
{
    return (int)((const struct record_type *)a)->id - (int)((const struct record_type *)b)->id;
}

static int compare_ranks(const void *a, const void *b)
{
    const struct listed_rank *x = a, *y = b;
    return x->spe != y->spe ? (x->spe ? 1 : -1) : (x->id > y->id) - (x->id < y->id);
}

static csy_status read_kept(const struct document_bytes *src, const struct reader *r,
                            const struct document *document)
{
    struct metadata *m = r->m;
    csy_status status = read_root(src, r);
    if (!status)
        status = read_machine(src, r);
    if (!status)
        status = said_files_read(src, r->files, r->nfiles, r->second, &r->root, m);
    if (!status)
        status = read_kinds(src, r);
    if (!status)
        status = check_symbols(src, m);
    if (!status && m->orders.fault)
        status = document_refuse(src, m->orders.fault_line, m->orders.fault);
    const struct element none = {.text = NULL};
    if (!status &&
        !said_process_read(&m->process, &r->clock, &r->process, r->second ? &r->recording : &none))
        status = error_memory(src->error);
    m->has_rank = r->second && element_number(&r->process, "rank", &m->rank);
    if (m->nranks > 1)
        qsort(m->ranks, m->nranks, sizeof *m->ranks, compare_ranks);
    type_orders_sort(&m->orders);
    if (!status)
        status = find_places(src, r, document);
    if (m->ntypes > 0)
        qsort(m->types, m->ntypes, sizeof *m->types, compare_types);
    if (!m->global)
        table_rows_fini(&m->rows);
    return status;
}

csy_status metadata_parse(const char *name, const char *xml, size_t size, struct metadata *out,
                          csy_error *error)
{
    struct document_bytes src = {name, xml, size, error};
    struct document document;
    struct reader r = {.m = out};
    memset(out, 0, sizeof *out);
    csy_status status = document_parse(&src, begin_element, end_element, &r, &document);
    if (!status)
        status = read_kept(&src, &r, &document);
    element_fini(&r.root);
    element_fini(&r.machine);
    element_fini(&r.process);
    element_fini(&r.recording);
    for (size_t i = 0; i < r.nfiles; i++)
        element_fini(&r.files[i]);
    free(r.files);
    for (size_t i = 0; i < r.nopen; i++)
        element_fini(&r.open[i].said);
    element_fini(&r.clock);
    element_fini(&r.order);
    element_fini(&r.source);
    free(r.open);
    free(r.names);
    free(r.kinds);
    return status;
}

void metadata_fini(struct metadata *m)
{
    table_rows_fini(&m->rows);
    element_fini(&m->table);
    free(m->types);
    free(m->fields);
    free(m->kinds);
    free(m->listed);
    free(m->names);
    free(m->places.prefix);
    for (size_t i = 0; i < m->nfiles; i++) {
        free(m->files[i].href);
        free(m->files[i].buffer);
    }
    free(m->files);
    free(m->ranks);
    said_process_fini(&m->process);
    type_orders_fini(&m->orders);
    said_meanings_fini(&m->meanings);
    said_symbols_fini(&m->symbols);
    free(m->machine);
    memset(m, 0, sizeof *m);
}

/* Group GENERAL, which the format itself defines: pex(5), Record file. */
static const char *general_event_name(uint16_t id)
{
    static const char *const names[] = {"SPE_SWITCH_IN", "SPE_SWITCH_OUT",   "TRACE_START",
                                        "TRACE_STOP",    "SPE_THREAD_START", "SPE_THREAD_STOP"};
    unsigned event = id >> 8;
    bool general = (id & 0xff) == 0 && event >= 1 && event <= sizeof names / sizeof *names;
    return general ? names[event - 1] : NULL;
}

uint64_t metadata_self(const struct metadata *m, bool spe, uint32_t id, size_t file)
{
    const struct listed_rank key = {spe, id, 0};
    const struct listed_rank *listed =
        m->nranks ? bsearch(&key, m->ranks, m->nranks, sizeof key, compare_ranks) : NULL;
    return listed                    ? listed->rank
           : m->files[file].has_rank ? m->files[file].rank
           : m->has_rank             ? m->rank
                                     : id;
}

const struct record_type *metadata_type(const struct metadata *m, uint16_t id)
{
    struct record_type key = {.id = id};
    return m->ntypes ? bsearch(&key, m->types, m->ntypes, sizeof key, compare_types) : NULL;
}

const char *metadata_event_name(const struct metadata *m, uint16_t id, bool spe)
{
    const struct record_type *found = metadata_type(m, id);
    return found ? metadata_name(m, found->name) : spe ? NULL : general_event_name(id);
}

const char *metadata_field_name(const struct metadata *m, const struct record_type *type,
                                size_t field)
{
    return field < type->nnamed ? metadata_name(m, m->fields[type->field + field]) : NULL;
}

const struct record_type *metadata_typed(const struct metadata *m, uint16_t id)
{
    const struct record_type *type = m->typed ? metadata_type(m, id) : NULL;
    return type && type->typed ? type : NULL;
}

enum value_kind metadata_value_kind(const struct metadata *m, const struct record_type *type,
                                    size_t field)
{
    return type && field < type->nnamed ? (enum value_kind)m->kinds[type->field + field]
                                        : VALUE_UNSIGNED;
}

const char *metadata_name(const struct metadata *m, uint32_t place)
{
    return place ? m->names + place : NULL;
}
