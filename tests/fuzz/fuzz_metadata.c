/*
 * The XML half of a trace, and the table of a synchronized one.
 *
 * What is accepted says the same with another table at its end, and is all of its bytes: with a
 * rest after it that is none, it is refused.  What is refused is so in words.
 */
#include "support.h"
#include "sync/reread/table.h"

#include <stdlib.h>
#include <string.h>

static bool same_text(const char *a, const char *b)
{
    return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

static void compare(const struct metadata *a, const struct metadata *b)
{
    must(a->timebase_hz == b->timebase_hz, "timebase_hz");
    must(a->global == b->global && a->notifier == b->notifier && a->version == b->version &&
             a->granularity == b->granularity,
         "kinds");
    must(same_text(a->machine, b->machine), "machine");
    must(a->nfiles == b->nfiles && a->nranks == b->nranks && a->orders.count == b->orders.count,
         "files, ranks or orders");
    for (size_t i = 0; i < a->nfiles; i++)
        must(a->files[i].gzip == b->files[i].gzip &&
                 same_text(a->files[i].href, b->files[i].href) &&
                 same_text(a->files[i].buffer, b->files[i].buffer),
             "a file");
    must(a->types.count == b->types.count && a->types.nfields == b->types.nfields, "record types");
    for (size_t i = 0; i < a->types.count; i++) {
        const struct record_type *s = &a->types.items[i], *t = &b->types.items[i];
        must(s->id == t->id && s->nfields == t->nfields &&
                 same_text(types_text(&a->types, s->name), types_text(&b->types, t->name)),
             "a type");
        for (size_t f = 0; f < s->nfields; f++)
            must(same_text(types_field_name(&a->types, s, f), types_field_name(&b->types, t, f)),
                 "a field");
    }
}

static bool is_called(const char *xml, const struct tag *tag, const char *name)
{
    return tag_is(xml + tag->begin, tag->end - tag->begin, name);
}

/* What an output changes is where it is said to be: a table put there is read as one. */
static void change_and_read(const struct metadata *m, const char *xml, size_t size)
{
    csy_error error;
    struct metadata again = {0};
    char *changed;
    const struct places *places = &m->places;
    must(places->size == size && places->root_end.end <= size, "not all of it");
    for (size_t i = 0; i < m->nfiles; i++)
        must(is_called(xml, &m->files[i].place, "trace_file"), "trace_file");
    must(places->clock.end == 0 || is_called(xml, &places->clock, "clock"), "clock");
    size_t at = places->root_end.begin;
    int n = asprintf(&changed, "%.*s<%ssynchronization fuzz='1'/>%.*s", (int)at, xml,
                     places->prefix, (int)(size - at), xml + at);
    must(n > 0, "no memory");
    must_be_ok(metadata_parse("again", changed, (size_t)n, &again, &error), error);
    compare(m, &again);
    must(element_says(&again.table, "fuzz", "1"), "the table is not the root's last one");
    metadata_fini(&again);
    free(changed);
}

static void find_types(const struct metadata *m)
{
    for (size_t i = 0; i < m->types.count; i++) {
        const struct record_type *type = types_of_id(&m->types, m->types.items[i].id);
        must(type == &m->types.items[i], "a type is not found");
        must(types_event_name(&m->types, type->id, true) == types_text(&m->types, type->name),
             "its name");
    }
}

static void read_table(struct metadata *m)
{
    char name[] = "fuzz";
    struct csy_trace trace = {
        .name = name, .source = &source_pex, .table = &m->table, .table_rows = &m->rows};
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
        change_and_read(&m, (const char *)data, size);
        add_rest(data, size);
    }
    metadata_fini(&m);
    return 0;
}
