/* Sheets: the tables of an analysis while they are filled. */
#ifndef ANALYSIS_RUN_SHEETS_H
#define ANALYSIS_RUN_SHEETS_H

#include "base/number.h"
#include "base/texts.h"

#include <cellsync/analysis.h>

/* Packed rows are blocks of rows that store values column by column. A value is stored as its
 * difference from the value above, and a run of equal differences is stored once. So a column of
 * zeros, or of numbers that rise by 1, takes a few bytes a block, whereas a csy_value takes 48
 * bytes. Reading returns exactly the rows that were added. */

struct packed_block {
    uint8_t *bytes;
    size_t end; /* number of rows in all blocks up to this block */
};

struct packed_rows {
    struct packed_block *blocks;
    size_t nblocks, capacity;
};

/* The columns to read: the first `names` columns, and the columns `begin` to `end` - 1. */
struct chosen_columns {
    size_t names, begin, end;
};

/* Add the rows of a sheet as a block, without copying texts. If out of memory, the function returns
 * false and changes nothing. */
bool packed_rows_add(struct packed_rows *rows, const csy_sheet *sheet);

/* Return the number of all rows, and the number of rows of the largest block. */
size_t packed_rows_count(const struct packed_rows *rows);
size_t packed_rows_most(const struct packed_rows *rows);

/* Read the chosen columns of a block into `values`, which has room for all rows. `like` is a sheet
 * with the same columns. Other values are not changed. Returns the number of rows. O(values read +
 * columns). */
size_t packed_rows_read(const struct packed_rows *rows, size_t block, const csy_sheet *like,
                        const struct chosen_columns *chosen, csy_value *values);

void packed_rows_fini(struct packed_rows *rows);

enum { SHEETS_MAX = 32 };

/* The rows of a section: the section's number from 1, the index after the last row, and the number
 * of cut rows. */
struct section_rows {
    size_t section, end, ncut;
};

/* A summary of all values of a sheet that are not missing. */
struct sheet_facts {
    unsigned kinds; /* bit 1 << kind is set for each kind of range that occurs */
    bool stamped;   /* true if some time comes from timestamps of a single clock */
};

struct sheet {
    csy_sheet view; /* the public part of the sheet; view.values is NULL while rows are packed */
    csy_column *columns;
    csy_value *values; /* values of rows that are not packed */
    size_t columns_capacity, values_capacity;
    bool packs;                /* true after sheets_pack: many rows are packed */
    struct packed_rows packed; /* the first rows, in packed form */
    struct sheet_facts facts;  /* summary of the packed rows */
    /* number of rows that were cut because fewer rows were requested */
    size_t ncut;
    /* true if row i belongs to row i of the first sheet */
    bool joined;
    /* where the rows of each section end, if there are several sections */
    struct section_rows *sections;
    size_t nsections, sections_capacity;
};

struct csy_analysis {
    struct sheet sheets[SHEETS_MAX];
    size_t nsheets;
    bool failed;      /* true if memory ran out, which sheets_finish reports */
    size_t nsections; /* number of sections; 0: there is no division into sections */
    /* true for a screen: text output shows only some rows of each table */
    bool brief;
    const char **conditions; /* conditions of the figures that the solution does not have */
    size_t nconditions, conditions_capacity;
    csy_time_unit time_unit; /* unit of times; CSY_TIME_AUTO: still ticks */
    csy_weight weight;       /* weight of edges in the graph of calls */
    const char *window;      /* the window as the user wrote it; NULL: the whole trace */
    char **texts;            /* copies of all texts in the sheets */
    size_t ntexts, texts_capacity;
    struct texts words;   /* texts that rows of several sections share */
    const char **by_word; /* for each text in `words`: its copy in `texts` */
    size_t by_word_capacity;
};

/* Functions that add sheets, columns, rows, and texts need no check after each call. If memory runs
 * out, `failed` is set, no more rows are added, and sheets_finish frees the analysis. */

/* Macros that initialize a column of a sheet. */
#define SHEET_COLUMN(name, kind, ranged)                                                           \
    {                                                                                              \
        name, CSY_COLUMN_##kind, ranged                                                            \
    }
#define TEXT_COLUMN(name) SHEET_COLUMN(name, TEXT, false)
#define COUNT_COLUMN(name, ranged) SHEET_COLUMN(name, COUNT, ranged)
#define TICKS_COLUMN(name, ranged) SHEET_COLUMN(name, TICKS, ranged)
#define MICRO_COLUMN(name, ranged) SHEET_COLUMN(name, MICROTICKS, ranged)
#define PPM_COLUMN(name, ranged) SHEET_COLUMN(name, PPM, ranged)

/* sheets_add adds a sheet with n columns. sheets_add_column adds a column to the last sheet before
 * its first row. Names are copied. */
void sheets_add(csy_analysis *analysis, const char *name, const csy_column *columns, size_t n);
void sheets_add_column(csy_analysis *analysis, csy_column column);

#define SHEETS_ADD(analysis, name, columns)                                                        \
    sheets_add(analysis, name, columns, sizeof(columns) / sizeof *(columns))

/* Finish the analysis `made`, or NULL if out of memory. After a failure, the analysis is freed;
 * otherwise, *out is set to the analysis. Returns the status. */
csy_status sheets_finish(csy_status status, csy_analysis *made, csy_analysis **out,
                         csy_error *error);

/* Returns CSY_MEMORY if the analysis has run out of memory. */
csy_status sheets_status(const csy_analysis *analysis, csy_error *error);

/* Declare that row i of the last sheet belongs to row i of the first sheet. */
void sheets_join(csy_analysis *analysis);

/* Pack rows of the last sheet once the sheet has many rows. The public values of a packed sheet are
 * NULL, so callers read the sheet with a sheet_reader. */
void sheets_pack(csy_analysis *analysis);

/* sheets_add_row adds a row of empty values to the last sheet. sheets_last_row and sheets_row
 * return the last row, or any row, of this sheet. The row is NULL if the analysis has failed, and
 * valid until the next row is added. */
csy_value *sheets_add_row(csy_analysis *analysis);
csy_value *sheets_last_row(const csy_analysis *analysis);
csy_value *sheets_row(const csy_analysis *analysis, size_t index);

/* Add a row of empty values to any sheet of the analysis. */
csy_value *sheet_add_row(csy_analysis *analysis, struct sheet *sheet);

/* Changes the values of some rows. `part` has the columns and the number of these rows.
 * sheet_change calls the function for all rows. After an error, only some rows are changed. */
typedef csy_status change_rows(const csy_sheet *part, csy_value *values, const void *user,
                               csy_error *error);
csy_status sheet_change(struct sheet *sheet, change_rows *change, const void *user,
                        csy_error *error);

/* A reader of all rows of a sheet, some rows at a time. */
struct sheet_reader {
    const struct sheet *sheet;
    struct chosen_columns chosen; /* columns to read; by default, all columns */
    size_t next;                  /* index of the next block; set it to 0 to begin again */
    size_t first;                 /* index of the first row of the last part that was read */
    csy_sheet part;
    csy_value *values;
};

/* Begin to read a sheet of an analysis. The caller calls sheet_reader_fini even after a failure. */
csy_status sheet_reader_init(struct sheet_reader *reader, const csy_sheet *sheet, csy_error *error);

/* Return the next rows as a sheet, valid until the next call, or NULL after the last row. */
const csy_sheet *sheet_reader_next(struct sheet_reader *reader);
void sheet_reader_fini(struct sheet_reader *reader);

/* Return a summary of all values of all sheets. */
struct sheet_facts sheets_facts(const csy_analysis *analysis);

/* Set the window that an analysis shows; NULL means the whole trace. If `status` is a failure,
 * nothing is done. If memory runs out, the analysis is freed. Returns the status. */
csy_status sheets_name_window(csy_status status, csy_analysis **analysis, const char *window,
                              csy_error *error);

/* Add a condition of the figures that the solution does not have: a sentence without full stop. */
void sheets_add_condition(csy_analysis *analysis, const char *text);

/* Sort the rows of a sheet and its joined sheets by a column, as csy_analysis_sort does. Without
 * such a sheet or column, nothing is done. */
csy_status sheets_sort(csy_analysis *analysis, const char *name, const char *column,
                       csy_error *error);

/* Return the number of rows that sorting cut from a sheet, which must belong to an analysis. */
size_t sheets_cut(const csy_sheet *sheet);

/* sheets_drop removes a sheet, if it exists. sheets_drop_empty removes all sheets without rows. */
void sheets_drop(csy_analysis *analysis, const char *name);
void sheets_drop_empty(csy_analysis *analysis);

/* Move all sheets of `more` to the end of the analysis. `more` is freed, even after a failure. */
csy_status sheets_move(csy_analysis *analysis, csy_analysis *more, csy_error *error);

void sheets_set_text(csy_analysis *analysis, csy_value *value, const char *text);
/* Set a value to a text that is never freed. The text is not copied. */
void sheets_set_constant(csy_value *value, const char *text);
/* Set a value to a text that many rows share. The text is stored once. */
void sheets_set_word(csy_analysis *analysis, csy_value *value, const char *text);
void sheets_set_bytes(csy_analysis *analysis, csy_value *value, const char *text, size_t size);
/* Set a value to the text `index` of `texts`, or to "-" if `index` is NO_TEXT. */
void sheets_set_item(csy_analysis *analysis, csy_value *value, const struct texts *texts,
                     uint32_t index);
void sheets_set_number(csy_value *value, int64_t number);
void sheets_set_range(csy_value *value, const csy_range *range);
/* Set a value to a sum. The value is empty if the sum exceeds 64 bits or means "no limit". */
void sheets_set_sum(csy_value *value, int128 sum);

#endif
