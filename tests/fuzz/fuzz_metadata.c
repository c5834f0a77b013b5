/*
 * The XML half of a trace, and the table of a synchronized one.
 *
 * What is accepted can be written and read again, says the same, and is all of its bytes: with a
 * rest behind it that is none, it is refused.  What is refused is so in words.
 */
#include "support.h"
#include "sync/table.h"

#include <stdlib.h>
#include <string.h>

static bool same_text(const char *a, const char *b)
{
    return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

static void compare(const struct metadata *a, const struct metadata *b)
{
    must(a->timebase_hz == b->timebase_hz, "timebase_hz");
    must(a->gzip == b->gzip && a->global == b->global && a->notifier == b->notifier, "kinds");
    must(same_text(a->machine, b->machine) && same_text(a->href, b->href), "machine or href");
    must(a->ntypes == b->ntypes && a->nfields == b->nfields, "record types");
    for (size_t i = 0; i < a->ntypes; i++) {
        const struct record_type *s = &a->types[i], *t = &b->types[i];
        must(s->id == t->id && s->nfields == t->nfields && same_text(s->name, t->name), "a type");
        for (size_t f = 0; f < s->nfields; f++)
            must(same_text(a->fields[s->field + f].name, b->fields[t->field + f].name), "a field");
    }
}

static void write_and_read(const struct metadata *m)
{
    xmlChar *text;
    int size;
    csy_error error;
    struct metadata again = {0};
    xmlDocDumpMemoryEnc(m->doc, &text, &size, "UTF-8");
    must(text, "it cannot be written");
    must_be_ok(metadata_parse("again", (const char *)text, (size_t)size, &again, &error), error);
    compare(m, &again);
    metadata_fini(&again);
    xmlFree(text);
}

static void find_types(const struct metadata *m)
{
    for (size_t i = 0; i < m->ntypes; i++) {
        const struct record_type *type = metadata_type(m, m->types[i].id);
        must(type == &m->types[i], "a type is not found");
        must(!type->name || metadata_event_name(m, type->id, true) == type->name, "its name");
    }
}

static void read_table(struct metadata *m)
{
    char name[] = "fuzz";
    struct csy_trace trace = {.name = name, .source = &source_pex, .metadata = *m};
    struct table table;
    csy_error error;
    must_be_told(table_read(&trace, &table, &error), &error);
    for (uint32_t position = 0; position < 4; position++)
        for (uint32_t context = 0; context < 8; context++) {
            const struct record record = {.position = position, .thread = context, .spe = context};
            if (table.by_context)
                table_find(&table, &record);
        }
    table_fini(&table);
    *m = trace.metadata;
}

static void add_rest(const uint8_t *data, size_t size)
{
    static const char rest[] = "\n<rest";
    struct metadata m = {0};
    csy_error error;
    char *longer = malloc(size + sizeof rest);
    must(longer, "no memory");
    memcpy(longer, data, size);
    memcpy(longer + size, rest, sizeof rest);
    must(metadata_parse("rest", longer, size + sizeof rest - 1, &m, &error), "a rest is not seen");
    metadata_fini(&m);
    free(longer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t all)
{
    const uint8_t *nul = all ? memchr(data, 0, all) : NULL;
    size_t size = nul ? (size_t)(nul - data) : all; /* a NUL ends what is parsed */
    struct metadata m = {0};
    csy_error error;
    csy_status status = metadata_parse("fuzz", (const char *)data, size, &m, &error);
    must_be_told(status, &error);
    if (!status) {
        find_types(&m);
        read_table(&m);
        write_and_read(&m);
        add_rest(data, size);
    }
    metadata_fini(&m);
    return 0;
}
