/*
 * The line of facts of a synchronized CSV, read back as a table, and its global times.
 */
#include "base/error.h"
#include "base/number.h"
#include "sync/reread/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static csy_status refuse(const struct csy_trace *trace, const struct table_facts *said,
                         const char *what, csy_error *error)
{
    return error_set(error, CSY_INPUT, "%s: %s: %s", trace->name, said->where, what);
}

static csy_status refuse_fact(const struct csy_trace *trace, const struct table_facts *said,
                              const char *key, csy_error *error)
{
    return error_set(error, CSY_INPUT, "%s: %s: %s is missing or malformed", trace->name,
                     said->where, key);
}

static bool take_word(const char *text, const char *const *words, int *out)
{
    for (*out = 0; words[*out]; ++*out)
        if (strcmp(text, words[*out]) == 0)
            return true;
    return false;
}

static csy_status take_numbers(const struct csy_trace *trace, const struct table_facts *said,
                               struct table *table, char *text, csy_error *error)
{
    const struct csv_facts facts = said->facts;
    uint64_t crc;
    int64_t added;
    char digits[NUMBER_DIGITS_MAX + 1];
    if (!csv_fact_find(facts, "alpha", text) || !fraction_parse(text, INT64_MAX, &table->alpha) ||
        table->alpha.num > table->alpha.den)
        return refuse_fact(trace, said, "alpha", error);
    if (!csv_fact_find(facts, "delta", text) || !fraction_parse(text, INT64_MAX, &table->delta) ||
        !fraction_twice_ceil(table->delta, &added))
        return refuse_fact(trace, said, "delta", error);
    *number_put(digits, added) = 0;
    if (!csv_fact_find(facts, "added_ticks", text) || strcmp(text, digits) != 0)
        return refuse(trace, said, "added_ticks is not 2 delta rounded up", error);
    table->added_ticks = added;
    if (csv_fact_find(facts, "original_crc32", text)) {
        if (!number_parse(text, &crc) || crc >> 32)
            return refuse_fact(trace, said, "original_crc32", error);
        table->original_crc32 = (uint32_t)crc;
    }
    if (csv_fact_find(facts, "assumed", text) && !number_parse(text, &table->assumed))
        return refuse_fact(trace, said, "assumed", error);
    return CSY_OK;
}

static csy_status take_words(const struct csy_trace *trace, const struct table_facts *said,
                             struct table *table, char *text, csy_error *error)
{
    static const char *const relaxations[] = {"exact", "paper", "none", "given", NULL};
    static const char *const centers[] = {"reference", "local", NULL};
    const struct csv_facts facts = said->facts;
    int word = 0;
    if (csv_fact_find(facts, "relax", text) && !take_word(text, relaxations, &word))
        return refuse_fact(trace, said, "relax", error);
    table->relax = csv_fact_find(facts, "relax", text) ? (csy_relax)word : CSY_RELAX_EXACT;
    if (table->relax == CSY_RELAX_NONE && table->delta.num != 0)
        return refuse(trace, said, "relax is none, but delta is not 0", error);
    if (csv_fact_find(facts, "center", text) && !take_word(text, centers, &word))
        return refuse_fact(trace, said, "center", error);
    table->center = csv_fact_find(facts, "center", text) ? (csy_center)word : CSY_CENTER_REFERENCE;
    if (!csv_fact_find(facts, "reference", text) || !csv_fact_unescape(text))
        return refuse_fact(trace, said, "reference", error);
    table->reference = strdup(text);
    return table->reference ? CSY_OK : error_memory(error);
}

static csy_status take_dropped(const struct csy_trace *trace, const struct table_facts *said,
                               struct table *table, char *text, csy_error *error)
{
    csy_status status;
    if (!csv_fact_find(said->facts, "dropped", text))
        return CSY_OK;
    const char *wrong = table_take_dropped(table, text, ',', &status);
    if (status)
        return error_memory(error);
    if (!wrong && table->relax != CSY_RELAX_EXACT)
        wrong = "dropped is for relax exact";
    return wrong ? refuse(trace, said, wrong, error) : CSY_OK;
}

csy_status table_read_facts(const struct csy_trace *trace, const struct table_facts *said,
                            struct table *table, char *text, csy_error *error)
{
    csy_status status = take_numbers(trace, said, table, text, error);
    if (!status)
        status = take_words(trace, said, table, text, error);
    return status ? status : take_dropped(trace, said, table, text, error);
}

bool table_read_global(const struct csv_field *field, int64_t *out)
{
    char text[NUMBER_DIGITS_MAX + 1], again[NUMBER_DIGITS_MAX];
    uint64_t size;
    bool negative = field->size > 0 && *field->at == '-';
    if (field->quoted || field->size >= sizeof text)
        return false;
    memcpy(text, field->at, field->size);
    text[field->size] = 0;
    if (!number_parse(text + negative, &size) || size > (uint64_t)INT64_MAX + negative)
        return false;
    *out = (int64_t)(negative ? -size : size);
    return (size_t)(number_put(again, *out) - again) == field->size &&
           memcmp(again, text, field->size) == 0;
}
