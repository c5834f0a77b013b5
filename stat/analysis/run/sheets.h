/* Sheets: the tables of an analysis, while they are filled. */
#ifndef ANALYSIS_RUN_SHEETS_H
#define ANALYSIS_RUN_SHEETS_H

#include "base/number.h"
#include "base/texts.h"

#include <cellsync/analysis.h>

/* Packed rows: blocks of rows that store values column by column.
 *
 * A value is stored as its difference from the value above, and several equal differences are
 * stored once. So a column of zeros, or of numbers that rise by 1, takes a few bytes for each
 * block, whereas a csy_value takes 48 bytes. Reading returns exactly the rows that were added. */

struct packed_block {
    uint8_t *bytes;
    size_t end; /* number of rows up to the end of this block */
};

struct packed_rows {
    struct packed_block *blocks;
    size_t nblocks, capacity;
};

/* The columns to read: those before `names`, and from `begin` to `end` - 1. names <= begin. */
struct chosen_columns {
    size_t names, begin, end;
};

/* Add the rows of a sheet as a block. Texts are not copied. If out of memory, returns false and
 * changes nothing. */
bool packed_rows_add(struct packed_rows *rows, const csy_sheet *sheet);

/* The number of all rows, and the number of rows of the largest block. */
size_t packed_rows_count(const struct packed_rows *rows);
size_t packed_rows_most(const struct packed_rows *rows);

/* Read a block into `values`, with room for all its rows. `like` is a sheet with the same columns.
 * Values in other columns are not changed. Returns the number of rows. O(values read + columns). */
size_t packed_rows_read(const struct packed_rows *rows, size_t block, const csy_sheet *like,
                        const struct chosen_columns *chosen, csy_value *values);

void packed_rows_fini(struct packed_rows *rows);

enum { SHEETS_MAX = 32 };

/* The rows of a section: its number, from 1; the index after its last row; and how many rows were
 * cut. */
struct section_rows {
    size_t section, end, ncut;
};

/* A summary of the values of a sheet, except missing ones. */
struct sheet_facts {
    unsigned kinds; /* bit 1 << kind for each kind of range */
    bool stamped;   /* some time is from timestamps of a single clock */
};

struct sheet {
    csy_sheet view; /* public view; its values are NULL while rows are packed */
    csy_column *columns;
    csy_value *values; /* values of rows that are not packed */
    size_t columns_capacity, values_capacity;
    bool packs;                /* see sheets_pack */
    struct packed_rows packed; /* first rows, if packed */
    struct sheet_facts facts;  /* facts of packed rows */
    /* number of rows that were cut because fewer were requested */
    size_t ncut;
    /* each row belongs to the first sheet's row with the same index */
    bool joined;
    /* where the rows of each section end, if there are several */
    struct section_rows *sections;
    size_t nsections, sections_capacity;
};

struct csy_analysis {
    struct sheet sheets[SHEETS_MAX];
    size_t nsheets;
    bool failed;      /* out of memory; sheets_finish reports it */
    size_t nsections; /* 0: not divided into sections */
    /* for a screen: text output shows only some rows of each table */
    bool brief;
    const char **conditions; /* conditions of the figures besides the solution's */
    size_t nconditions, conditions_capacity;
    csy_time_unit time_unit; /* CSY_TIME_AUTO: ticks, as at first */
    csy_weight weight;       /* weight of edges in the graph of calls */
    const char *window;      /* window as the user wrote it; NULL: the whole trace */
    char **texts;            /* all texts of the sheets */
    size_t ntexts, texts_capacity;
    struct texts words;   /* texts that rows of several sections share */
    const char **by_word; /* for each text in `words`, its copy in `texts` */
    size_t by_word_capacity;
};

/* Functions that add sheets, columns, rows, and texts need no check of each call. If memory runs
 * out, `failed` is set, no more rows are added, and sheets_finish frees the analysis. */

/* Initializers of columns. */
#define SHEET_COLUMN(name, kind, ranged)                                                           \
    {                                                                                              \
        name, CSY_COLUMN_##kind, ranged                                                            \
    }
#define TEXT_COLUMN(name) SHEET_COLUMN(name, TEXT, false)
#define COUNT_COLUMN(name, ranged) SHEET_COLUMN(name, COUNT, ranged)
#define TICKS_COLUMN(name, ranged) SHEET_COLUMN(name, TICKS, ranged)
#define MICRO_COLUMN(name, ranged) SHEET_COLUMN(name, MICROTICKS, ranged)
#define PPM_COLUMN(name, ranged) SHEET_COLUMN(name, PPM, ranged)

/* Add a sheet with n columns; add a column to the last sheet before its first row. Names are
 * copied. */
void sheets_add(csy_analysis *analysis, const char *name, const csy_column *columns, size_t n);
void sheets_add_column(csy_analysis *analysis, csy_column column);

#define SHEETS_ADD(analysis, name, columns)                                                        \
    sheets_add(analysis, name, columns, sizeof(columns) / sizeof *(columns))

/* Finish an analysis. Without a failure, *out is set to it. If status is a failure, or the analysis
 * has failed, it is freed. Returns the status. `made` is NULL if there was no memory for it. */
csy_status sheets_finish(csy_status status, csy_analysis *made, csy_analysis **out,
                         csy_error *error);

/* CSY_MEMORY if the analysis has failed. */
csy_status sheets_status(const csy_analysis *analysis, csy_error *error);

/* Declare that each row of the last sheet belongs to the first sheet's row with the same index. */
void sheets_join(csy_analysis *analysis);

/* Pack rows of the last sheet as soon as the sheet has many rows. Public values of a packed sheet
 * are NULL; use a sheet_reader. */
void sheets_pack(csy_analysis *analysis);

/* Add a row of empty values to the last sheet; or return its last row, or any row. NULL if the
 * analysis has failed. Valid until the next row is added. */
csy_value *sheets_add_row(csy_analysis *analysis);
csy_value *sheets_last_row(const csy_analysis *analysis);
csy_value *sheets_row(const csy_analysis *analysis, size_t index);

/* Add a row to any sheet of the analysis. */
csy_value *sheet_add_row(csy_analysis *analysis, struct sheet *sheet);

/* Changes values of some rows. sheet_change calls the function until all rows are changed. `part`
 * has the columns and the number of these rows. After an error, only some rows are changed. */
typedef csy_status change_rows(const csy_sheet *part, csy_value *values, const void *user,
                               csy_error *error);
csy_status sheet_change(struct sheet *sheet, change_rows *change, const void *user,
                        csy_error *error);

/* Reads all rows of a sheet, some at a time. */
struct sheet_reader {
    const struct sheet *sheet;
    struct chosen_columns chosen; /* columns to read; all by default */
    size_t next;                  /* next block; set it to 0 to begin again */
    size_t first;                 /* index of the first row of the last part */
    csy_sheet part;
    csy_value *values;
};

/* Begin to read a sheet of an analysis. The caller calls sheet_reader_fini even after a failure. */
csy_status sheet_reader_init(struct sheet_reader *reader, const csy_sheet *sheet, csy_error *error);

/* Read the next rows as a sheet, which is valid until the next call. NULL after the last row. */
const csy_sheet *sheet_reader_next(struct sheet_reader *reader);
void sheet_reader_fini(struct sheet_reader *reader);

/* Summarize all values of all sheets. */
struct sheet_facts sheets_facts(const csy_analysis *analysis);

/* Set the window that an analysis shows; NULL: the whole trace. Does nothing if status is a
 * failure. Returns the status. If memory runs out, the analysis is freed. */
csy_status sheets_name_window(csy_status status, csy_analysis **analysis, const char *window,
                              csy_error *error);

/* Add a condition of the figures besides the solution's: a sentence without its full stop. */
void sheets_add_condition(csy_analysis *analysis, const char *text);

/* Sort the rows of a sheet and its joined sheets as csy_analysis_sort does. Does nothing if there
 * is no such sheet or column. */
csy_status sheets_sort(csy_analysis *analysis, const char *name, const char *column,
                       csy_error *error);

/* The number of rows of a sheet that were cut when the sheet was sorted. The sheet must belong to
 * an analysis. */
size_t sheets_cut(const csy_sheet *sheet);

/* Remove a sheet, if it exists; or remove all sheets without rows. */
void sheets_drop(csy_analysis *analysis, const char *name);
void sheets_drop_empty(csy_analysis *analysis);

/* Move all sheets of `more` to the end of the analysis, and free `more`, even after a failure. */
csy_status sheets_move(csy_analysis *analysis, csy_analysis *more, csy_error *error);

void sheets_set_text(csy_analysis *analysis, csy_value *value, const char *text);
/* Set a value to a text that is never freed, without a copy. */
void sheets_set_constant(csy_value *value, const char *text);
/* Set a value to a text that many rows share, and that is stored once. */
void sheets_set_word(csy_analysis *analysis, csy_value *value, const char *text);
void sheets_set_bytes(csy_analysis *analysis, csy_value *value, const char *text, size_t size);
/* Set a value to one of several texts, or for NO_TEXT to "-". */
void sheets_set_item(csy_analysis *analysis, csy_value *value, const struct texts *texts,
                     uint32_t index);
void sheets_set_number(csy_value *value, int64_t number);
void sheets_set_range(csy_value *value, const csy_range *range);
/* Set a value to a sum. The value is empty if the sum exceeds 64 bits or equals a number that means
 * "no limit". */
void sheets_set_sum(csy_value *value, int128 sum);

#endif
