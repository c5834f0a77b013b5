/* Events of named threads as events of CTF. */
#include "output/trace/ctf_rows.h"

#include "base/array.h"
#include "base/error.h"
#include "base/portable.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* A name. If it is stored, its bytes follow the struct; in a search key, they are elsewhere. */
struct ctf_name {
    const char *bytes;
    size_t size;
    uint32_t id;
};

/* U+FFFD replaces a NUL byte, which would end the string. */
static const char replacement[] = "\xef\xbf\xbd";

csy_status ctf_rows_new(struct csv_reader *reader, bool values, bool routines,
                        struct ctf_rows **out, csy_error *error)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return error_memory(error);
    (*out)->reader = reader;
    (*out)->values = values;
    (*out)->routines = routines;
    return CSY_OK;
}

void ctf_rows_free(struct ctf_rows *rows)
{
    if (!rows)
        return;
    portable_tdestroy(rows->tree, free);
    free(rows->text);
    free(rows);
}

const char *ctf_rows_name(const struct ctf_rows *rows, size_t id)
{
    return rows->names[id - 1]->bytes;
}

/* Append a field and a NUL to the text. Doubled quotes become one. An empty field becomes a blank,
 * because babeltrace2 2.0 shows an earlier value for an empty string. False if out of memory. */
static bool add_field(struct ctf_rows *rows, const struct csv_field *field)
{
    size_t most = (memchr(field->at, 0, field->size) ? 3 : 1) * field->size + 2;
    if (!ARRAY_RESERVE(rows->text, rows->capacity, rows->size + most))
        return false;
    char *to = rows->text + rows->size;
    for (const char *at = field->at, *end = at + field->size; at < end; at++) {
        if (*at)
            *to++ = *at;
        else {
            memcpy(to, replacement, sizeof replacement - 1);
            to += sizeof replacement - 1;
        }
        at += field->quoted && *at == '"';
    }
    if (field->size == 0)
        *to++ = ' ';
    *to++ = 0;
    rows->size = (size_t)(to - rows->text);
    return true;
}

/* True if a column is no field: the context has its value, or cellsync added it earlier. */
static bool is_told(const struct csv_header *columns, size_t i)
{
    return i == columns->thread || i == columns->clock || csv_header_is_global(columns, i);
}

static int compare_names(const void *a, const void *b)
{
    const struct ctf_name *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return memcmp(x->bytes, y->bytes, x->size);
}

static csy_status add_name(struct ctf_rows *rows, const struct ctf_name *key, csy_error *error)
{
    struct ctf_name *name = malloc(sizeof *name + key->size + 1);
    if (!name)
        return error_memory(error);
    char *bytes = (char *)(name + 1);
    memcpy(bytes, key->bytes, key->size);
    bytes[key->size] = 0;
    *name = (struct ctf_name){bytes, key->size, (uint32_t)rows->nnames + 1};
    if (!tsearch(name, &rows->tree, compare_names)) {
        free(name);
        return error_memory(error);
    }
    rows->names[rows->nnames++] = rows->last = name;
    return CSY_OK;
}

/* Find or add the class for the event name at the end of the text. */
static csy_status find_class(struct ctf_rows *rows, struct ctf_name key, uint32_t *id,
                             csy_error *error)
{
    csy_status status = CSY_OK;
    *id = CTF_ROW;
    if (key.size == 0)
        return CSY_OK;
    if (!rows->last || compare_names(rows->last, &key) != 0) {
        struct ctf_name **found = tfind(&key, &rows->tree, compare_names);
        if (found)
            rows->last = *found;
        else if (rows->nnames < CTF_NAMES_MAX && key.size <= CTF_NAME_BYTES_MAX)
            status = add_name(rows, &key, error);
        else {
            rows->unnamed++;
            return CSY_OK;
        }
    }
    if (!status)
        *id = rows->last->id;
    return status;
}

csy_status ctf_rows_take(struct ctf_rows *rows, const struct event *event, uint32_t *id,
                         csy_error *error)
{
    const struct csv_row *row = event->row;
    struct csv_field name = {event->name_size ? event->name : "", event->name_size, false};
    rows->size = 0;
    if (!add_field(rows, &name))
        return error_memory(error);
    csy_status status = find_class(
        rows, (struct ctf_name){rows->text, name.size ? rows->size - 1 : 0, CTF_ROW}, id, error);
    rows->size = 0;
    for (size_t i = 0; row && i < row->nfields && !status; i++)
        if (!is_told(&rows->reader->columns, i) && !add_field(rows, &row->fields[i]))
            status = error_memory(error);
    const struct csv_field values = {event->size ? (const char *)event->bytes : "", event->size,
                                     false};
    const struct csv_field routine = {event->routine.size ? event->routine.bytes : "",
                                      event->routine.size, false};
    if (!status && ((rows->values && !add_field(rows, &values)) ||
                    (rows->routines && !add_field(rows, &routine))))
        status = error_memory(error);
    return status;
}

char ctf_word(char c)
{
    bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return (char)(good || !c ? c : '_');
}

const char *ctf_bare(const char *name)
{
    while (*name && ctf_word(*name) == '_')
        name++;
    return name;
}

bool ctf_is_made(const char *bare)
{
    return !*bare ||
           (strncmp(bare, "value", 5) == 0 && bare[5] && !bare[5 + strspn(bare + 5, "0123456789")]);
}

/* The name of a column, as a TSDL identifier. */
struct word {
    const char *text;
    size_t column;
};

static int compare_words(const void *a, const void *b)
{
    const struct word *x = a, *y = b;
    int order = strcmp(ctf_bare(x->text), ctf_bare(y->text));
    return order ? order : (x->column > y->column) - (x->column < y->column);
}

/* Choose the identifier of each column, or NULL if it would not be unique. Identifiers are stored
 * in text, which has room for them. */
static void choose_words(const struct csv_row *header, struct word *words, const char **chosen,
                         char *text)
{
    for (size_t i = 0; i < header->nfields; i++) {
        struct csv_field name = csv_field_trim(header->fields[i]);
        words[i] = (struct word){text, i};
        for (size_t k = 0; k < name.size; k++) {
            *text++ = ctf_word(name.at[k]);
            k += name.quoted && name.at[k] == '"';
        }
        *text++ = 0;
    }
    qsort(words, header->nfields, sizeof *words, compare_words);
    for (size_t i = 0; i < header->nfields; i++) {
        const char *bare = ctf_bare(words[i].text);
        bool again = i > 0 && strcmp(bare, ctf_bare(words[i - 1].text)) == 0;
        chosen[words[i].column] = again || ctf_is_made(bare) ? NULL : words[i].text;
    }
}

csy_status ctf_rows_write_fields(const struct ctf_rows *rows, struct outfile *out, csy_error *error)
{
    struct csv_row header;
    csy_status status = csv_header(rows->reader, &header, error);
    if (status)
        return status;
    struct word *words = calloc(header.nfields + 1, sizeof *words);
    const char **chosen = calloc(header.nfields + 1, sizeof *chosen);
    char *text = malloc(header.size + header.nfields + 1);
    if (words && chosen && text) {
        choose_words(&header, words, chosen, text);
        outfile_print(out, "struct row {\n");
        for (size_t i = 0; i < header.nfields; i++) {
            if (is_told(&rows->reader->columns, i))
                continue;
            if (chosen[i])
                outfile_print(out, "    string _%s;\n", chosen[i]);
            else
                outfile_print(out, "    string _value%zu;\n", i);
        }
        if (rows->values)
            outfile_print(out, "    string _values;\n");
        if (rows->routines)
            outfile_print(out, "    string _routine;\n");
        outfile_print(out, "};\n\n");
    } else {
        status = error_memory(error);
    }
    free(words);
    free(chosen);
    free(text);
    return status;
}
