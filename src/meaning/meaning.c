/* The documents that say what events mean. */
#include "meaning/meaning.h"

#include "base/array.h"
#include "base/error.h"
#include "base/near.h"
#include "meaning/vocabulary.h"
#include "trace/pex/document.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A document that is being read. */
struct reader {
    struct rules *rules;
    struct rules_fault fault;
    bool in_type; /* fields that come are of the last type */
    bool in_symbols;
};

static void refuse(struct reader *r, const struct element *element, const char *what,
                   const char *word, const char *const *words)
{
    char escaped[ERROR_ESCAPED_MAX];
    const char *nearest = near_word(word, words);
    if (r->fault.text[0])
        return;
    r->fault.line = element->line;
    snprintf(r->fault.text, sizeof r->fault.text, "unknown %s '%s'%s%s%s", what,
             error_escape(escaped, word, strlen(word)), nearest ? ", did you mean '" : "",
             nearest ? nearest : "", nearest ? "'?" : "");
}

/* Of attributes only those count that are of these names. */
static void check_attributes(struct reader *r, const struct element *element,
                             const char *const *names)
{
    const char *at = element->text + strlen(element->text) + 1;
    while (at < element->text + element->size) {
        if (names[word_find(names, at)] == NULL)
            refuse(r, element, "attribute", at, names);
        at += strlen(at) + 1;
        at += strlen(at) + 1;
    }
}

static void begin_root(struct reader *r, const struct element *element)
{
    static const char *const names[] = {"version", NULL};
    uint64_t version;
    if (!element_is(element, "events") || !element_number(element, "version", &version) ||
        version != 1) {
        r->fault.line = element->line;
        snprintf(r->fault.text, sizeof r->fault.text, "want the root element events version=\"1\"");
    } else {
        check_attributes(r, element, names);
    }
}

static bool begin_element(void *user, const struct element *element)
{
    static const char *const elements[] = {"recordType", "state",    "symbols", "symbol",
                                           "place",      "topology", NULL};
    static const char *const inner[] = {"field", NULL};
    static const char *const of_types[] = {"name", "id",      "role",  "class", "state", "stall",
                                           "call", "routine", "block", "type",  NULL};
    static const char *const of_fields[] = {"name", "role", "unit", "of", "type", NULL};
    static const char *const of_states[] = {"name", "kind", "part", NULL};
    static const char *const of_symbols[] = {"image", NULL};
    static const char *const of_symbol[] = {"at", "size", "name", "file", "line", "image", NULL};
    static const char *const of_places[] = {"ctx", "rank", "tid", "node", "cell", "spe", NULL};
    static const char *const of_topology[] = {"spes_per_cell", "cells_per_node", NULL};
    struct reader *r = user;
    if (element->depth == 0) {
        begin_root(r, element);
    } else if (element->depth == 1 && element_is(element, "recordType")) {
        check_attributes(r, element, of_types);
        rules_add_type(r->rules, element, RULE_NO_ID, &r->fault);
        r->in_type = true;
    } else if (element->depth == 1 && element_is(element, "state")) {
        check_attributes(r, element, of_states);
        rules_add_state(r->rules, element, &r->fault);
    } else if (element->depth == 1 && element_is(element, "symbols")) {
        check_attributes(r, element, of_symbols);
        r->in_symbols = true;
    } else if (element->depth == (r->in_symbols ? 2 : 1) && element_is(element, "symbol")) {
        check_attributes(r, element, of_symbol);
        rules_add_symbol(r->rules, element, &r->fault);
    } else if (element->depth == 1 && element_is(element, "place")) {
        check_attributes(r, element, of_places);
        rules_add_place(r->rules, element, &r->fault);
    } else if (element->depth == 1 && element_is(element, "topology")) {
        check_attributes(r, element, of_topology);
        rules_add_topology(r->rules, element, &r->fault);
    } else if (element->depth == 2 && r->in_type && element_is(element, "field")) {
        check_attributes(r, element, of_fields);
        rules_add_field(r->rules, element, RULE_NO_PLACE, &r->fault);
    } else {
        refuse(r, element, "element", element->text, element->depth == 1 ? elements : inner);
    }
    return !r->fault.no_memory;
}

static bool end_element(void *user, unsigned depth)
{
    struct reader *r = user;
    if (depth == 1)
        r->in_type = r->in_symbols = false;
    return true;
}

/* Add the rules of a document; none where it is refused. */
static csy_status add_document(struct csy_meaning *meaning, const char *name, const char *xml,
                               size_t size, csy_error *error)
{
    struct document_bytes src = {name, xml, size, error};
    struct document document;
    struct rules rules = {0};
    struct reader r = {.rules = &rules};
    csy_status status = document_parse(&src, begin_element, end_element, &r, &document);
    if (!status && r.fault.text[0])
        status = error_set(error, CSY_INPUT, "%s: line %ld: %s", name, r.fault.line, r.fault.text);
    rules.name = status ? NULL : strdup(name);
    if (!status && (!rules.name || !symbols_seal(&rules.symbols) || !rules_seal(&rules)))
        status = error_memory(error);
    if (!status && !ARRAY_RESERVE(meaning->documents, meaning->capacity, meaning->count + 1))
        status = error_memory(error);
    if (status)
        rules_fini(&rules);
    else
        meaning->documents[meaning->count++] = rules;
    return status;
}

static csy_status add_vocabulary(struct csy_meaning *meaning, csy_error *error)
{
    char *xml = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&xml, &size);
    if (!stream)
        return error_memory(error);
    for (const char *const *line = vocabulary; *line; line++)
        fputs(*line, stream);
    csy_status status = fclose(stream) == 0 ? CSY_OK : error_memory(error);
    if (!status)
        status = add_document(meaning, "built-in", xml, size, error);
    free(xml);
    return status;
}

csy_status csy_meaning_new(csy_meaning **out, csy_error *error)
{
    struct csy_meaning *meaning = calloc(1, sizeof *meaning);
    if (!meaning)
        return error_memory(error);
    csy_status status = add_vocabulary(meaning, error);
    if (status)
        csy_meaning_free(meaning);
    else
        *out = meaning;
    return status;
}

csy_status csy_meaning_add_file(csy_meaning *meaning, const char *path, csy_error *error)
{
    char name[ERROR_ESCAPED_MAX];
    char *xml = NULL;
    size_t size;
    bool embedded;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    error_escape(name, path, strlen(path));
    if (fd < 0)
        return error_io(error, name, NULL);
    csy_status status = document_load(fd, name, 0, &xml, &size, &embedded, error);
    if (!status)
        status = add_document(meaning, name, xml, size, error);
    free(xml);
    close(fd);
    return status;
}

csy_status csy_meaning_set_symbols(csy_meaning *meaning, const char *path, csy_error *error)
{
    char name[ERROR_ESCAPED_MAX];
    struct symbols symbols = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    error_escape(name, path, strlen(path));
    if (fd < 0)
        return error_io(error, name, NULL);
    csy_status status = symbols_read(&symbols, fd, name, error);
    if (!status && !symbols_seal(&symbols))
        status = error_memory(error);
    close(fd);
    symbols_fini(status ? &symbols : &meaning->symbols);
    if (!status)
        meaning->symbols = symbols;
    return status;
}

csy_status csy_meaning_set_topology(csy_meaning *meaning, uint64_t spes_per_cell,
                                    uint64_t cells_per_node, csy_error *error)
{
    if (spes_per_cell == 0)
        return error_set(error, CSY_USAGE, "a Cell has at least 1 SPE");
    meaning->topology = (struct topology){spes_per_cell, cells_per_node};
    return CSY_OK;
}

void csy_meaning_free(csy_meaning *meaning)
{
    if (!meaning)
        return;
    for (size_t i = 0; i < meaning->count; i++)
        rules_fini(&meaning->documents[i]);
    free(meaning->documents);
    symbols_fini(&meaning->symbols);
    free(meaning);
}
