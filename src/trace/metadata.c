/* The XML half of a trace. */
#include "trace/metadata.h"

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"
#include "trace/document.h"
#include "trace/hush.h"

#include <stdlib.h>
#include <string.h>

static csy_status refuse_node(const struct source *src, const xmlNode *node, const char *what)
{
    char escaped[ERROR_ESCAPED_MAX];
    char text[512];
    const char *name = (const char *)node->name;
    snprintf(text, sizeof text, "%s: %s", error_escape(escaped, name, strlen(name)), what);
    return document_refuse(src, xmlGetLineNo(node), text);
}

/* "machine: timebase_hz="x": want a number" */
static csy_status refuse_value(const struct source *src, const xmlNode *node, const char *attribute,
                               const char *value, const char *want)
{
    char escaped[ERROR_ESCAPED_MAX];
    char text[256];
    error_escape(escaped, value, strlen(value));
    snprintf(text, sizeof text, "%s=\"%s\": %s", attribute, escaped, want);
    return refuse_node(src, node, text);
}

static bool is_named(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

/* Names of namespaces are short: document_parse sees to that. */
static bool same_namespace(const xmlNode *a, const xmlNode *b)
{
    return a->ns == b->ns || (a->ns && b->ns && xmlStrEqual(a->ns->href, b->ns->href));
}

bool metadata_is_called(const xmlNode *node, const xmlNode *kin, const char *name)
{
    return is_named(node, name) && same_namespace(node, kin);
}

xmlNode *metadata_child(const xmlNode *parent, const char *name)
{
    xmlNode *child = parent->children;
    while (child && !metadata_is_called(child, parent, name))
        child = child->next;
    return child;
}

char *metadata_text(xmlNode *node, const char *attribute)
{
    return (char *)xmlGetNoNsProp(node, (const xmlChar *)attribute);
}

bool metadata_number(xmlNode *node, const char *attribute, uint64_t *out)
{
    char *text = metadata_text(node, attribute);
    bool good = text && number_parse(text, out);
    xmlFree(text);
    return good;
}

bool metadata_ticks(xmlNode *node, const char *attribute, int64_t *out)
{
    char *text = metadata_text(node, attribute);
    uint64_t size = 0;
    bool negative = text && *text == '-';
    bool infinite = text && strcmp(text + negative, "inf") == 0;
    bool good =
        infinite || (text && number_parse(text + negative, &size) && size <= (uint64_t)INT64_MAX);
    if (infinite)
        *out = negative ? INT64_MIN : INT64_MAX;
    else if (good)
        *out = negative ? -(int64_t)size : (int64_t)size;
    xmlFree(text);
    return good;
}

bool metadata_fraction(xmlNode *node, const char *attribute, csy_fraction *out)
{
    char *text = metadata_text(node, attribute);
    bool good = text && fraction_parse(text, INT64_MAX, out);
    xmlFree(text);
    return good;
}

bool metadata_is(xmlNode *node, const char *attribute, const char *text)
{
    char *found = metadata_text(node, attribute);
    bool same = found && strcmp(found, text) == 0;
    xmlFree(found);
    return same;
}

xmlNode *metadata_last_child(const struct metadata *m, const char *name)
{
    const xmlNode *root = xmlDocGetRootElement(m->doc);
    xmlNode *child = root->last;
    while (child && !metadata_is_called(child, root, name))
        child = child->prev;
    return child;
}

/* One of the words that an attribute may be: its index, 0 where the attribute or the node is
 * missing. */
static csy_status read_word(const struct source *src, xmlNode *node, const char *attribute,
                            const char *const words[2], const char *want, bool *second)
{
    *second = false;
    char *text = node ? metadata_text(node, attribute) : NULL;
    csy_status status = CSY_OK;
    if (text && words[1] && strcmp(text, words[1]) == 0)
        *second = true;
    else if (text && strcmp(text, words[0]) != 0)
        status = refuse_value(src, node, attribute, text, want);
    xmlFree(text);
    return status;
}

static bool is_root(const xmlNode *node)
{
    return node && node->parent && node->parent->type == XML_DOCUMENT_NODE;
}

/* The rows of a synchronized trace, of which nothing is carried on, need not be kept as they
 * stand. */
static bool take_row(struct metadata *m, xmlNode *row)
{
    const char *fault;
    if (m->table != row->parent) {
        m->rows.count = 0;
        m->rows_stay = false;
    }
    m->table = row->parent;
    m->rows_stay = m->rows_stay || table_rows_add(&m->rows, row, &fault);
    return !m->rows_stay;
}

/* An element has ended. */
static bool take_element(void *user, xmlNode *node)
{
    struct metadata *m = user;
    const xmlNode *parent = node->parent;
    if (!m->clock && is_root(parent) && metadata_is_called(node, parent, "clock")) {
        m->clock = node;
        m->global = metadata_is(node, "kind", "global");
    }
    return m->global && parent && is_root(parent->parent) &&
           metadata_is_called(parent, parent->parent, "synchronization") && table_rows_has(node) &&
           take_row(m, node);
}

static csy_status read_root(const struct source *src, xmlNode *root)
{
    if (!is_named(root, "pdt_trace"))
        return refuse_node(src, root, "the root element is not pdt_trace");
    uint64_t version;
    if (!metadata_number(root, "version", &version))
        return refuse_node(src, root, "version is missing or not a number");
    if (version != 1)
        return refuse_node(src, root, "the version is not 1, the only one known");
    return CSY_OK;
}

static csy_status read_machine(const struct source *src, xmlNode *root, struct metadata *m)
{
    xmlNode *machine = metadata_child(root, "machine");
    if (!machine)
        return refuse_node(src, root, "there is no machine element");
    char *hz = metadata_text(machine, "timebase_hz");
    csy_status status = CSY_OK;
    if (!hz)
        status = refuse_node(src, machine, "timebase_hz is missing");
    else if (!number_parse(hz, &m->timebase_hz) || m->timebase_hz == 0)
        status = refuse_value(src, machine, "timebase_hz", hz, "want a whole number above 0");
    xmlFree(hz);
    char *name = metadata_text(machine, "name");
    m->machine = strdup(name ? name : "");
    xmlFree(name);
    if (!status && !m->machine)
        status = error_memory(src->error);
    return status;
}

/* "scheme:" in front of any slash, as RFC 3986 has it. */
static bool has_scheme(const char *href)
{
    size_t n = strspn(href, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");
    bool letter = (href[0] | 0x20) >= 'a' && (href[0] | 0x20) <= 'z';
    return letter && href[n] == ':';
}

static bool has_parent_component(const char *href)
{
    for (const char *at = href; *at;) {
        size_t n = strcspn(at, "/");
        if (n == 2 && at[0] == '.' && at[1] == '.')
            return true;
        at += n + (at[n] == '/');
    }
    return false;
}

static csy_status read_trace_file(const struct source *src, xmlNode *root, struct metadata *m)
{
    static const char *const compressions[2] = {"none", "gzip"};
    xmlNode *file = metadata_child(root, "trace_file");
    if (!file)
        return refuse_node(src, root, "there is no trace_file element");
    csy_status status =
        read_word(src, file, "compression", compressions, "want none or gzip", &m->gzip);
    char *href = metadata_text(file, "href");
    if (!status && href) {
        const char *fault = !*href                       ? "it is empty"
                            : *href == '/'               ? "an absolute path is refused"
                            : has_scheme(href)           ? "a URL is refused"
                            : has_parent_component(href) ? "a path with .. is refused"
                                                         : NULL;
        if (fault)
            status = refuse_value(src, file, "href", href, fault);
        else if (!(m->href = strdup(href)))
            status = error_memory(src->error);
    }
    xmlFree(href);
    return status;
}

static csy_status read_kinds(const struct source *src, xmlNode *root, struct metadata *m)
{
    static const char *const clocks[2] = {"local", "global"};
    static const char *const granularities[2] = {"record", NULL};
    static const char *const sources[2] = {"switch_log", "notifier"};
    bool unused;
    csy_status status = read_word(src, metadata_child(root, "clock"), "kind", clocks,
                                  "want local or global", &m->global);
    if (!status)
        status = read_word(src, metadata_child(root, "order"), "granularity", granularities,
                           "want record, the only one known", &unused);
    if (!status)
        status = read_word(src, metadata_child(root, "switch_source"), "kind", sources,
                           "want switch_log or notifier", &m->notifier);
    return status;
}

static xmlNode *next_in_tree(xmlNode *node, const xmlNode *root)
{
    if (node->type == XML_ELEMENT_NODE && node->children)
        return node->children;
    while (node != root && !node->next)
        node = node->parent;
    return node == root ? NULL : node->next;
}

static int compare_ids(const void *a, const void *b)
{
    return (int)((const struct record_type *)a)->id - (int)((const struct record_type *)b)->id;
}

static int compare_types(const void *a, const void *b)
{
    const struct record_type *x = a, *y = b;
    return x->id != y->id ? compare_ids(a, b) : x->order < y->order ? -1 : 1;
}

/* Sort by id; of several descriptions of one id the first stands. */
static void sort_types(struct metadata *m)
{
    if (m->ntypes < 2)
        return;
    qsort(m->types, m->ntypes, sizeof *m->types, compare_types);
    size_t kept = 1;
    for (size_t i = 1; i < m->ntypes; i++)
        if (m->types[i].id != m->types[kept - 1].id)
            m->types[kept++] = m->types[i];
    m->ntypes = kept;
}

/* The value of an attribute that is one piece of text, as it stands in the document, or NULL. */
static const char *plain_text(xmlNode *node, const char *attribute)
{
    const xmlAttr *found = xmlHasNsProp(node, (const xmlChar *)attribute, NULL);
    bool plain = found && found->children && !found->children->next;
    return plain ? (const char *)found->children->content : NULL;
}

/* "value" and a number: what fields without a name of their own are called. */
static bool is_made_name(const char *name)
{
    return strncmp(name, "value", 5) == 0 && name[5] && !name[5 + strspn(name + 5, "0123456789")];
}

static int compare_fields(const void *a, const void *b)
{
    const struct record_field *x = a, *y = b;
    int names =
        x->name && y->name ? strcmp(x->name, y->name) : (x->name != NULL) - (y->name != NULL);
    return names ? names : x->order < y->order ? -1 : 1;
}

static int compare_orders(const void *a, const void *b)
{
    const struct record_field *x = a, *y = b;
    return x->order < y->order ? -1 : 1;
}

/* Take the names from all fields of a type that have the name of one before. */
static void part_fields(struct record_field *fields, size_t n)
{
    if (n < 2)
        return;
    qsort(fields, n, sizeof *fields, compare_fields);
    const char *last = NULL;
    for (size_t i = 0; i < n; i++) {
        const char *name = fields[i].name;
        if (last && name && strcmp(last, name) == 0)
            fields[i].name = NULL;
        last = name;
    }
    qsort(fields, n, sizeof *fields, compare_orders);
}

/* Collect the field elements of a recordType. */
static bool
read_fields(struct metadata *m, xmlNode *parent, struct record_type *type,
            /* ARRAY_RESERVE writes it: NOLINTNEXTLINE(readability-non-const-parameter) */
            size_t *capacity)
{
    type->field = m->nfields;
    for (xmlNode *node = parent->children; node; node = node->next) {
        if (!metadata_is_called(node, parent, "field"))
            continue;
        if (!ARRAY_RESERVE(m->fields, *capacity, m->nfields + 1))
            return false;
        const char *name = plain_text(node, "name");
        bool good = name && *name && !is_made_name(name);
        m->fields[m->nfields] = (struct record_field){good ? name : NULL, m->nfields};
        m->nfields++;
    }
    type->nfields = m->nfields - type->field;
    if (type->nfields > 0)
        part_fields(m->fields + type->field, type->nfields);
    return true;
}

/* Collect every recordType that has an id of 16 bits and a name; others are carried, not used. */
static csy_status read_types(const struct source *src, xmlNode *root, struct metadata *m)
{
    size_t capacity = 0, fields_capacity = 0;
    for (xmlNode *node = root; node; node = next_in_tree(node, root)) {
        uint64_t id;
        if (!metadata_is_called(node, root, "recordType") || !metadata_number(node, "id", &id))
            continue;
        const char *name = plain_text(node, "name");
        if (id > UINT16_MAX || !name)
            continue;
        if (!ARRAY_RESERVE(m->types, capacity, m->ntypes + 1))
            return error_memory(src->error);
        struct record_type *type = &m->types[m->ntypes];
        *type = (struct record_type){.id = (uint16_t)id, .order = m->ntypes++, .name = name};
        if (!read_fields(m, node, type, &fields_capacity))
            return error_memory(src->error);
    }
    sort_types(m);
    return CSY_OK;
}

/* libxml2 writes the name of a namespace as it stands, not as it would have to be escaped. */
static csy_status check_namespaces(const struct source *src, xmlNode *root)
{
    for (xmlNode *node = root; node; node = next_in_tree(node, root)) {
        if (node->type != XML_ELEMENT_NODE)
            continue;
        for (const xmlNs *ns = node->nsDef; ns; ns = ns->next)
            if (ns->href && strpbrk((const char *)ns->href, "&<\t\n\r"))
                return refuse_node(src, node, "& or < or a line end in the name of a namespace");
    }
    return CSY_OK;
}

static csy_status read_document(const struct source *src, struct metadata *out)
{
    xmlNode *root = xmlDocGetRootElement(out->doc);
    csy_status status = read_root(src, root);
    if (!status)
        status = read_machine(src, root, out);
    if (!status)
        status = read_trace_file(src, root, out);
    if (!status)
        status = read_kinds(src, root, out);
    if (!status)
        status = read_types(src, root, out);
    if (!status)
        status = check_namespaces(src, root);
    return status;
}

csy_status metadata_parse(const char *name, const char *xml, size_t size, struct metadata *out,
                          csy_error *error)
{
    struct source src = {name, xml, size, error};
    struct hush hush;
    memset(out, 0, sizeof *out);
    hush_begin(&hush);
    csy_status status = document_parse(&src, take_element, out, &out->doc);
    bool parsed = !status;
    if (parsed)
        status = read_document(&src, out);
    return hush_end(&hush) || !parsed ? status : error_memory(error);
}

void metadata_fini(struct metadata *m)
{
    table_rows_fini(&m->rows);
    free(m->types);
    free(m->fields);
    free(m->href);
    free(m->machine);
    xmlFreeDoc(m->doc);
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

const struct record_type *metadata_type(const struct metadata *m, uint16_t id)
{
    struct record_type key = {.id = id};
    return m->ntypes ? bsearch(&key, m->types, m->ntypes, sizeof key, compare_ids) : NULL;
}

const char *metadata_event_name(const struct metadata *m, uint16_t id, bool spe)
{
    const struct record_type *found = metadata_type(m, id);
    return found ? found->name : spe ? NULL : general_event_name(id);
}
