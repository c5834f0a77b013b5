/* csy_arrow_stream passes tables to other programs by the Arrow C data interface. A receiver may
 * move a child out of the tree of schemas or arrays, so each node is a separate allocation, and a
 * parent releases only the children that it still has. */
#include "base/array.h"
#include "base/error.h"

#include <cellsync/analysis.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- Schemas --- */

static void release_schema(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->release)
            schema->children[i]->release(schema->children[i]);
        free(schema->children[i]);
    }
    if (schema->dictionary && schema->dictionary->release)
        schema->dictionary->release(schema->dictionary);
    /* private_data is the memory of the name and the format */
    FREE_ALL(schema->dictionary, schema->children, schema->private_data);
    schema->release = NULL;
}

/* Fill *out, without children. Returns false, and leaves nothing to release, if out of memory. */
static bool make_schema(struct ArrowSchema *out, const char *name, const char *format,
                        bool nullable)
{
    size_t length = strlen(name) + 1;
    char *both = malloc(length + strlen(format) + 1);
    if (!both)
        return false;
    memcpy(both, name, length);
    memcpy(both + length, format, strlen(format) + 1);
    *out = (struct ArrowSchema){.format = both + length,
                                .name = both,
                                .flags = nullable ? ARROW_FLAG_NULLABLE : 0,
                                .release = release_schema,
                                .private_data = both};
    return true;
}

/* Returns a copy of a schema, for a parent to own, or NULL if out of memory.
 * Schemas have few levels. NOLINTNEXTLINE(misc-no-recursion) */
static struct ArrowSchema *copy_schema(const struct ArrowSchema *from)
{
    struct ArrowSchema *node = malloc(sizeof *node);
    if (!node || !make_schema(node, from->name, from->format, from->flags != 0)) {
        free(node);
        return NULL;
    }
    if (from->dictionary && !(node->dictionary = copy_schema(from->dictionary))) {
        release_schema(node);
        free(node);
        return NULL;
    }
    return node;
}

/* --- Arrays --- */

static void release_array(struct ArrowArray *array)
{
    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release)
            array->children[i]->release(array->children[i]);
        free(array->children[i]);
    }
    if (array->dictionary && array->dictionary->release)
        array->dictionary->release(array->dictionary);
    FREE_ALL(array->dictionary, array->children, array->private_data);
    array->release = NULL;
}

/* Append a copy of the bytes at the next multiple of 64, as the Arrow specification recommends. */
static const void *put_buffer(char **at, const void *bytes, size_t size)
{
    char *to = *at + (64 - (uintptr_t)*at % 64) % 64;
    if (size > 0)
        memcpy(to, bytes, size);
    *at = to + size;
    return to;
}

/* Returns an array with a copy of a column, for a parent to own, or NULL if out of memory.
 * Arrays have few levels. NOLINTNEXTLINE(misc-no-recursion) */
static struct ArrowArray *make_array(const csy_arrow_column *column, int64_t rows)
{
    enum { BUFFERS = 3 };
    bool text = strcmp(column->format, "u") == 0 || strcmp(column->format, "U") == 0;
    size_t valid_bytes = column->valid ? (size_t)(rows + 7) / 8 : 0, sizes = 0;
    bool fits = !__builtin_add_overflow(valid_bytes, column->values_bytes, &sizes) &&
                !__builtin_add_overflow(sizes, text ? column->text_bytes : 0, &sizes) &&
                !__builtin_add_overflow(sizes, BUFFERS * (sizeof(void *) + 64), &sizes);
    const void **buffers = fits ? malloc(sizes) : NULL;
    struct ArrowArray *node = malloc(sizeof *node);
    if (!buffers || !node) {
        FREE_ALL(buffers, node);
        return NULL;
    }
    char *at = (char *)(buffers + BUFFERS);
    buffers[0] = column->valid ? put_buffer(&at, column->valid, valid_bytes) : NULL;
    buffers[1] = put_buffer(&at, column->values, column->values_bytes);
    buffers[2] = text ? put_buffer(&at, column->text, column->text_bytes) : NULL;
    *node = (struct ArrowArray){.length = rows,
                                .null_count = column->valid ? column->nulls : 0,
                                .n_buffers = text ? 3 : 2,
                                .buffers = buffers,
                                .release = release_array,
                                .private_data = buffers};
    if (column->dictionary &&
        !(node->dictionary = make_array(column->dictionary, column->dictionary_rows))) {
        release_array(node);
        free(node);
        return NULL;
    }
    return node;
}

/* --- Streams --- */

struct stream {
    struct ArrowSchema schema;
    struct ArrowArray array; /* release is NULL after the receiver has taken the array */
};

/* Fill *out with the schemas of the columns. If the result is false, *out needs no release. */
static bool make_columns(struct ArrowSchema *out, struct ArrowSchema *const *columns, size_t n)
{
    if (!make_schema(out, "", "+s", false))
        return false;
    out->children = calloc(n + 1, sizeof(struct ArrowSchema *));
    bool good = out->children != NULL;
    for (size_t i = 0; i < n && good; i++) {
        out->children[i] = copy_schema(columns[i]);
        good = out->children[i] != NULL;
        out->n_children += good;
    }
    if (!good)
        release_schema(out);
    return good;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    const struct stream *of = stream->private_data;
    return make_columns(out, of->schema.children, (size_t)of->schema.n_children) ? 0 : ENOMEM;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    struct stream *of = stream->private_data;
    *out = of->array;
    of->array = (struct ArrowArray){.release = NULL};
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "out of memory";
}

static void release_stream(struct ArrowArrayStream *stream)
{
    struct stream *of = stream->private_data;
    if (of->array.release)
        release_array(&of->array);
    release_schema(&of->schema);
    free(of);
    stream->release = NULL;
}

csy_status csy_arrow_stream(const csy_arrow_column *columns, size_t ncolumns, int64_t rows,
                            struct ArrowArrayStream *out, csy_error *error)
{
    if (rows < 0)
        return error_set(error, CSY_USAGE, "a table with %lld rows", (long long)rows);
    /* Schemas of all columns. Each call of get_schema copies them. */
    struct ArrowSchema *all = calloc(2 * ncolumns + 1, sizeof *all), **nodes;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers */
    nodes = calloc(ncolumns + 1, sizeof *nodes);
    struct stream *of = malloc(sizeof *of);
    for (size_t i = 0; all && nodes && i < ncolumns; i++) {
        const csy_arrow_column *column = &columns[i], *values = column->dictionary;
        struct ArrowSchema *dictionary = values ? &all[ncolumns + i] : NULL;
        all[i] = (struct ArrowSchema){.format = column->format,
                                      .name = column->name,
                                      .flags = column->valid != NULL,
                                      .dictionary = dictionary};
        if (values)
            *dictionary = (struct ArrowSchema){.format = values->format, .name = ""};
        nodes[i] = &all[i];
    }
    bool good = all && nodes && of && make_columns(&of->schema, nodes, ncolumns);
    if (good) {
        /* The only buffer of a struct array is its bitmap of null rows; NULL means no null rows. */
        struct ArrowArray *batch = &of->array;
        *batch = (struct ArrowArray){.length = rows,
                                     .n_buffers = 1,
                                     .children = calloc(ncolumns + 1, sizeof(struct ArrowArray *)),
                                     .release = release_array,
                                     .private_data = calloc(1, sizeof(void *))};
        batch->buffers = batch->private_data;
        good = batch->children && batch->buffers;
        for (size_t i = 0; i < ncolumns && good; i++) {
            batch->children[i] = make_array(&columns[i], rows);
            good = batch->children[i] != NULL;
            batch->n_children += good;
        }
        if (!good) {
            release_array(batch);
            release_schema(&of->schema);
        }
    }
    FREE_ALL(all, nodes);
    if (!good) {
        free(of);
        return error_memory(error);
    }
    *out = (struct ArrowArrayStream){.get_schema = get_schema,
                                     .get_next = get_next,
                                     .get_last_error = get_last_error,
                                     .release = release_stream,
                                     .private_data = of};
    return CSY_OK;
}
