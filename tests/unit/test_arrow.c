/* Tables by the Arrow C data interface, read as its specification says. */
#include "support.h"

#include <cellsync/analysis.h>
#include <stdlib.h>
#include <string.h>

static const int64_t ticks[] = {7, -1, INT64_MAX};
static const uint8_t valid[] = {0x5};
static const int32_t ends[] = {0, 2, 2, 5}, codes[] = {1, 0, 1}, label_ends[] = {0, 1, 3};
static const csy_arrow_column labels = {.format = "u",
                                        .values = label_ends,
                                        .values_bytes = sizeof label_ends,
                                        .text = "abb",
                                        .text_bytes = 3};
static const csy_arrow_column columns[] = {{.name = "ticks",
                                            .format = "l",
                                            .valid = valid,
                                            .nulls = 1,
                                            .values = ticks,
                                            .values_bytes = sizeof ticks},
                                           {.name = "text",
                                            .format = "u",
                                            .values = ends,
                                            .values_bytes = sizeof ends,
                                            .text = "xyzzy",
                                            .text_bytes = 5},
                                           {.name = "thread",
                                            .format = "i",
                                            .values = codes,
                                            .values_bytes = sizeof codes,
                                            .dictionary = &labels,
                                            .dictionary_rows = 2}};
enum { COLUMNS = sizeof columns / sizeof *columns, ROWS = 3 };

static void open_stream(struct ArrowArrayStream *stream, struct ArrowSchema *schema,
                        struct ArrowArray *array)
{
    csy_error error;
    ck_ok(csy_arrow_stream(columns, COLUMNS, ROWS, stream, &error), error);
    ck_assert_int_eq(stream->get_schema(stream, schema), 0);
    ck_assert_int_eq(stream->get_next(stream, array), 0);
}

START_TEST(columns_are_children)
{
    struct ArrowArrayStream stream;
    struct ArrowSchema schema, again;
    struct ArrowArray array, end;
    open_stream(&stream, &schema, &array);
    ck_assert_int_eq(stream.get_schema(&stream, &again), 0);
    ck_assert_int_eq(stream.get_next(&stream, &end), 0);
    ck_assert(!end.release); /* there is one batch */
    stream.release(&stream);
    ck_assert(!stream.release);
    again.release(&again);
    ck_assert(!again.release);

    ck_assert_str_eq(schema.format, "+s");
    ck_assert_int_eq(schema.n_children, COLUMNS);
    ck_assert_int_eq(array.n_children, COLUMNS);
    ck_assert_int_eq(array.length, ROWS);
    ck_assert_int_eq(array.n_buffers, 1);
    ck_assert_ptr_null(array.buffers[0]);
    for (size_t i = 0; i < COLUMNS; i++) {
        ck_assert_str_eq(schema.children[i]->name, columns[i].name);
        ck_assert_str_eq(schema.children[i]->format, columns[i].format);
        ck_assert_int_eq(schema.children[i]->flags, i == 0 ? ARROW_FLAG_NULLABLE : 0);
        ck_assert_int_eq(array.children[i]->length, ROWS);
        ck_assert_int_eq(array.children[i]->null_count, i == 0);
        ck_assert_int_eq(array.children[i]->n_buffers, i == 1 ? 3 : 2);
        ck_assert_mem_eq(array.children[i]->buffers[1], columns[i].values, columns[i].values_bytes);
        ck_assert_uint_eq((uintptr_t)array.children[i]->buffers[1] % 64, 0);
    }
    ck_assert_mem_eq(array.children[0]->buffers[0], valid, sizeof valid);
    ck_assert_mem_eq(array.children[1]->buffers[2], "xyzzy", 5);
    ck_assert_str_eq(schema.children[2]->dictionary->format, "u");
    ck_assert_int_eq(array.children[2]->dictionary->length, 2);
    ck_assert_mem_eq(array.children[2]->dictionary->buffers[2], "abb", 3);
    schema.release(&schema);
    array.release(&array);
    ck_assert(!array.release);
}
END_TEST

/* A receiver may keep one column and release the rest. */
START_TEST(children_can_be_moved)
{
    struct ArrowArrayStream stream;
    struct ArrowSchema schema, kept_schema;
    struct ArrowArray array, kept;
    open_stream(&stream, &schema, &array);
    kept = *array.children[2];
    array.children[2]->release = NULL;
    kept_schema = *schema.children[2];
    schema.children[2]->release = NULL;
    stream.release(&stream);
    schema.release(&schema);
    array.release(&array);
    ck_assert_str_eq(kept_schema.name, "thread");
    ck_assert_mem_eq(kept.buffers[1], codes, sizeof codes);
    ck_assert_mem_eq(kept.dictionary->buffers[2], "abb", 3);
    kept.release(&kept);
    kept_schema.release(&kept_schema);
}
END_TEST

START_TEST(unread_streams_are_released)
{
    struct ArrowArrayStream stream = {.release = NULL};
    csy_error error;
    ck_assert_int_eq(csy_arrow_stream(columns, COLUMNS, -1, &stream, &error), CSY_USAGE);
    ck_assert(!stream.release);
    ck_ok(csy_arrow_stream(columns, COLUMNS, ROWS, &stream, &error), error);
    stream.release(&stream);
    ck_ok(csy_arrow_stream(NULL, 0, 0, &stream, &error), error); /* a table without columns */
    stream.release(&stream);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("arrow");
    tcase_add_test(tests, columns_are_children);
    tcase_add_test(tests, children_can_be_moved);
    tcase_add_test(tests, unread_streams_are_released);
    return unit_run();
}
