/* Sheets: the tables of an analysis, as they are filled in. */
#ifndef ANALYSIS_RUN_SHEETS_H
#define ANALYSIS_RUN_SHEETS_H

#include "base/number.h"
#include "base/texts.h"

#include <cellsync/analysis.h>

/*
 * Packed rows: rows of a table in blocks. Within a block, values are stored column by column.
 *
 * A value is stored as its difference from the value above it, and several equal differences in a
 * row are stored once. So a column of zeros, or of numbers that rise by 1, takes a few bytes for
 * each block, while an array of csy_value takes 48 bytes for each value. Reading returns exactly
 * the rows that were added.
 */

struct packed_block {
    uint8_t *bytes;
    size_t end; /* number of rows from the first block to the end of this one */
};

struct packed_rows {
    struct packed_block *blocks;
    size_t nblocks, capacity;
};

/* The columns to read: all before `names`, and those from `begin` on that are before `end`. names
 * is at most begin. */
struct chosen_columns {
    size_t names, begin, end;
};

/* Add the rows of a sheet as one block. Texts are not copied. Returns false if memory runs out;
 * then nothing has changed. */
bool packed_rows_add(struct packed_rows *rows, const csy_sheet *sheet);

/* The number of all rows, and the number of rows of the largest block. */
size_t packed_rows_count(const struct packed_rows *rows);
size_t packed_rows_most(const struct packed_rows *rows);

/* Read a block into `values`, which must have room for all rows of the block. `like` is a sheet
 * with the same columns. Values of columns that are not chosen are not changed. Returns the number
 * of rows. O(values read + columns). */
size_t packed_rows_read(const struct packed_rows *rows, size_t block, const csy_sheet *like,
                        const struct chosen_columns *chosen, csy_value *values);

void packed_rows_fini(struct packed_rows *rows);

enum { SHEETS_MAX = 32 };

/* The rows of one section: its number, from 1, and the index of the row after its last row. ncut
 * rows of it were cut. */
struct section_rows {
    size_t section, end, ncut;
};

/* A summary of the values of a sheet. Values that are missing do not count. */
struct sheet_facts {
    unsigned kinds; /* for each kind of range in a column with ranges: bit 1 << kind */
    bool stamped;   /* at least one time comes from timestamps of a single clock */
};

struct sheet {
    csy_sheet view; /* the public view; its values are NULL while rows are packed */
    csy_column *columns;
    csy_value *values; /* values of the rows that are not packed */
    size_t columns_capacity, values_capacity;
    bool packs;                /* see sheets_pack */
    struct packed_rows packed; /* the first rows, if they are packed */
    struct sheet_facts facts;  /* summary of the packed rows */
    /* number of rows that were removed because the caller requested fewer */
    size_t ncut;
    /* each row belongs to the row of the first sheet with the same index */
    bool joined;
    /* the end of the rows of each section, if there are several sections */
    struct section_rows *sections;
    size_t nsections, sections_capacity;
};

struct csy_analysis {
    struct sheet sheets[SHEETS_MAX];
    size_t nsheets;
    bool failed;      /* memory has run out; sheets_finish reports it */
    size_t nsections; /* number of sections; 0: the analysis is not divided into sections */
    /* for a screen with several tables: the text output shows only some rows of each */
    bool brief;
    const char **conditions; /* conditions of the figures besides those of the solution */
    size_t nconditions, conditions_capacity;
    csy_time_unit time_unit; /* unit of times; CSY_TIME_AUTO: ticks, as at the beginning */
    csy_weight weight;       /* weight of edges in the graph of calls */
    const char *window;      /* the window as the user wrote it; NULL: the whole trace */
    char **texts;            /* all texts that the sheets contain */
    size_t ntexts, texts_capacity;
    struct texts words;   /* texts that rows of several sections share */
    const char **by_word; /* by number of a text in `words`: its copy in `texts` */
    size_t by_word_capacity;
};

/*
 * Callers of the functions that add sheets, columns, rows, and texts need not check each call. If
 * memory runs out, `failed` is set. No more rows are added then, and sheets_finish frees the
 * analysis.
 */

/* Initializers of columns. */
#define TEXT_COLUMN(name)                                                                          \
    {                                                                                              \
        name, CSY_COLUMN_TEXT, false                                                               \
    }
#define COUNT_COLUMN(name, ranged)                                                                 \
    {                                                                                              \
        name, CSY_COLUMN_COUNT, ranged                                                             \
    }
#define TICKS_COLUMN(name, ranged)                                                                 \
    {                                                                                              \
        name, CSY_COLUMN_TICKS, ranged                                                             \
    }
#define MICRO_COLUMN(name, ranged)                                                                 \
    {                                                                                              \
        name, CSY_COLUMN_MICROTICKS, ranged                                                        \
    }
#define PPM_COLUMN(name, ranged)                                                                   \
    {                                                                                              \
        name, CSY_COLUMN_PPM, ranged                                                               \
    }

/* Add a sheet with n columns, or add a column to the last sheet before its first row. Names are
 * copied. */
void sheets_add(csy_analysis *analysis, const char *name, const csy_column *columns, size_t n);
void sheets_add_column(csy_analysis *analysis, csy_column column);

#define SHEETS_ADD(analysis, name, columns)                                                        \
    sheets_add(analysis, name, columns, sizeof(columns) / sizeof *(columns))

/* Finish an analysis. Without a failure, *out is set to it. If status is a failure, or if the
 * analysis has failed, it is freed. Returns the status. `made` is NULL if there was no memory for
 * the analysis. */
csy_status sheets_finish(csy_status status, csy_analysis *made, csy_analysis **out,
                         csy_error *error);

/* CSY_MEMORY if the analysis has failed. */
csy_status sheets_status(const csy_analysis *analysis, csy_error *error);

/* Declare that each row of the last sheet belongs to the row of the first sheet with the same
 * index. */
void sheets_join(csy_analysis *analysis);

/* Pack rows of the last sheet as soon as there are many. The public values of the sheet are then
 * NULL; read them with a sheet_reader. */
void sheets_pack(csy_analysis *analysis);

/* Add a row of empty values to the last sheet, or return its last row. NULL if the analysis has
 * failed. The result is valid until the next row is added. */
csy_value *sheets_add_row(csy_analysis *analysis);
csy_value *sheets_last_row(const csy_analysis *analysis);
csy_value *sheets_row(const csy_analysis *analysis, size_t index);

/* The same for any sheet of the analysis. */
csy_value *sheet_add_row(csy_analysis *analysis, struct sheet *sheet);

/* A function that changes the values of some rows. It is called until all rows are changed. `part`
 * has the columns and the number of these rows. After an error, only some rows are changed. */
typedef csy_status change_rows(const csy_sheet *part, csy_value *values, const void *user,
                               csy_error *error);
csy_status sheet_change(struct sheet *sheet, change_rows *change, const void *user,
                        csy_error *error);

/* Reads all rows of a sheet, some at a time. */
struct sheet_reader {
    const struct sheet *sheet;
    struct chosen_columns chosen; /* the columns to read; all, unless the caller changes them */
    size_t next;                  /* the next block; set it to 0 to begin again */
    size_t first;                 /* index of the first row of the part that was read last */
    csy_sheet part;
    csy_value *values;
};

/* Begin to read a sheet, which must belong to an analysis. The caller calls sheet_reader_fini even
 * after a failure. */
csy_status sheet_reader_init(struct sheet_reader *reader, const csy_sheet *sheet, csy_error *error);

/* Read the next rows, as a sheet that is valid until the next call. NULL after the last row. */
const csy_sheet *sheet_reader_next(struct sheet_reader *reader);
void sheet_reader_fini(struct sheet_reader *reader);

/* The summary of all values of all sheets. */
struct sheet_facts sheets_facts(const csy_analysis *analysis);

/* Set the window that an analysis shows; NULL: the whole trace. Does nothing if status is a
 * failure. Returns the status. If memory runs out, the analysis is freed. */
csy_status sheets_name_window(csy_status status, csy_analysis **analysis, const char *window,
                              csy_error *error);

/* Add a condition of the figures, besides the conditions of the solution. It is a sentence without
 * its full stop. */
void sheets_add_condition(csy_analysis *analysis, const char *text);

/* Sort the rows of a sheet as csy_analysis_sort does, together with the rows of joined sheets. Does
 * nothing if the sheet or the column does not exist. */
csy_status sheets_sort(csy_analysis *analysis, const char *name, const char *column,
                       csy_error *error);

/* The number of rows of a sheet that were removed when it was sorted. The sheet must belong to an
 * analysis. */
size_t sheets_cut(const csy_sheet *sheet);

/* sheets_drop removes a sheet if it exists. sheets_drop_empty removes all sheets without rows. */
void sheets_drop(csy_analysis *analysis, const char *name);
void sheets_drop_empty(csy_analysis *analysis);

/* Move all sheets of `more` to the end of the analysis. `more` is freed, even after a failure. */
csy_status sheets_move(csy_analysis *analysis, csy_analysis *more, csy_error *error);

void sheets_set_text(csy_analysis *analysis, csy_value *value, const char *text);
/* Set a value to a text that is never freed; the text is not copied. */
void sheets_set_constant(csy_value *value, const char *text);
/* Set a value to a text that many rows share; it is stored only once. */
void sheets_set_word(csy_analysis *analysis, csy_value *value, const char *text);
void sheets_set_bytes(csy_analysis *analysis, csy_value *value, const char *text, size_t size);
/* Set a value to one of several texts; NO_TEXT: to "-". */
void sheets_set_item(csy_analysis *analysis, csy_value *value, const struct texts *texts,
                     uint32_t index);
void sheets_set_number(csy_value *value, int64_t number);
void sheets_set_range(csy_value *value, const csy_range *range);
/* Set a value to a sum. The value is empty if the sum exceeds 64 bits or equals a number that means
 * "no limit". */
void sheets_set_sum(csy_value *value, int128 sum);

#endif
