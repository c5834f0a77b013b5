/* Sheets: the tables of an analysis, as they are filled in. */
#ifndef ANALYSIS_RUN_SHEETS_H
#define ANALYSIS_RUN_SHEETS_H

#include "base/number.h"
#include "base/texts.h"

#include <cellsync/analysis.h>

/*
 * Packed rows: rows of a table in blocks, each of which is held a column at a time.
 *
 * A value is held as its difference from the value above it, and a run of equal differences is held
 * once.  A column of zeros, or of numbers that rise by 1, takes a few bytes a block, while
 * csy_value takes 48 bytes a value.  Reading gives exactly the rows that were added.
 */

struct packed_block {
    uint8_t *bytes;
    size_t end; /* how many rows there are up to the end of the block */
};

struct packed_rows {
    struct packed_block *blocks;
    size_t nblocks, capacity;
};

/* The columns to read: before `names`, and from `begin` to before `end`; names is at most begin. */
struct chosen_columns {
    size_t names, begin, end;
};

/* Add the rows of a sheet as one block.  Texts are not copied.  False on no memory, when nothing
 * has changed. */
bool packed_rows_add(struct packed_rows *rows, const csy_sheet *sheet);

/* How many rows there are, and how many the greatest block has. */
size_t packed_rows_count(const struct packed_rows *rows);
size_t packed_rows_most(const struct packed_rows *rows);

/* Read a block into values, which has room for its rows; `like` has the columns, and values of
 * columns that are not chosen are left as they are.  Returns the number of rows.  O(values read +
 * columns). */
size_t packed_rows_read(const struct packed_rows *rows, size_t block, const csy_sheet *like,
                        const struct chosen_columns *chosen, csy_value *values);

void packed_rows_fini(struct packed_rows *rows);

enum { SHEETS_MAX = 32 };

/* The end of the rows of a section, from 1. */
struct section_rows {
    size_t section, end, ncut;
};

/* A summary of values, without those that are none. */
struct sheet_facts {
    unsigned kinds; /* 1 << kind for each kind of range that a ranged column has */
    bool stamped;   /* some time comes from timestamps of one clock alone */
};

struct sheet {
    csy_sheet view; /* its values are NULL while rows are packed */
    csy_column *columns;
    csy_value *values; /* of the rows that are not packed */
    size_t columns_capacity, values_capacity;
    bool packs;                    /* see sheets_pack */
    struct packed_rows packed;     /* its first rows */
    struct sheet_facts facts;      /* of these */
    size_t ncut;                   /* rows beyond those that were asked for, which are gone */
    bool joined;                   /* its rows belong to the rows of the first sheet */
    struct section_rows *sections; /* the sections of its rows, if there are several */
    size_t nsections, sections_capacity;
};

struct csy_analysis {
    struct sheet sheets[SHEETS_MAX];
    size_t nsheets;
    bool failed;             /* memory has run out; sheets_finish reports it */
    size_t nsections;        /* number of sections, in their order; 0: none */
    bool brief;              /* a screen of several: text shows some rows of each */
    const char **conditions; /* of its own */
    size_t nconditions, conditions_capacity;
    csy_time_unit time_unit; /* of times; CSY_TIME_AUTO: ticks, as they were made */
    csy_weight weight;       /* of edges, for calls */
    const char *window;      /* the window as it was asked for; NULL: all the time */
    char **texts;            /* all that the sheets show */
    size_t ntexts, texts_capacity;
    struct texts words;   /* texts that rows of several sections share */
    const char **by_word; /* their copies in texts */
    size_t by_word_capacity;
};

/*
 * Functions that add sheets, columns, rows, and texts need no check by their callers.  If memory
 * runs out, the analysis has failed: it gets no more rows, and sheets_finish frees it.
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

/* Add a sheet with n columns, or a column to the last sheet, before its first row.  Names are
 * copied. */
void sheets_add(csy_analysis *analysis, const char *name, const csy_column *columns, size_t n);
void sheets_add_column(csy_analysis *analysis, csy_column column);

#define SHEETS_ADD(analysis, name, columns)                                                        \
    sheets_add(analysis, name, columns, sizeof(columns) / sizeof *(columns))

/* Finish an analysis: *out, or freed if status is a failure or the analysis has failed.  Returns
 * the status.  made: NULL if there was no memory for it. */
csy_status sheets_finish(csy_status status, csy_analysis *made, csy_analysis **out,
                         csy_error *error);

/* CSY_MEMORY if the analysis has failed. */
csy_status sheets_status(const csy_analysis *analysis, csy_error *error);

/* Let the rows of the last sheet belong to the rows of the first, one each. */
void sheets_join(csy_analysis *analysis);

/* Pack rows of the last sheet once there are many.  Read them by sheet_reader; its values are
 * NULL. */
void sheets_pack(csy_analysis *analysis);

/* Add a row with no values to the last sheet; NULL if the analysis has failed.  Valid until the
 * next row. */
csy_value *sheets_add_row(csy_analysis *analysis);
csy_value *sheets_last_row(const csy_analysis *analysis);
csy_value *sheets_row(const csy_analysis *analysis, size_t index);

/* The same for any sheet of it. */
csy_value *sheet_add_row(csy_analysis *analysis, struct sheet *sheet);

/* Change the values of all rows, some rows at a time: part has the columns and the number of rows.
 * On an error some rows are changed. */
typedef csy_status change_rows(const csy_sheet *part, csy_value *values, const void *user,
                               csy_error *error);
csy_status sheet_change(struct sheet *sheet, change_rows *change, const void *user,
                        csy_error *error);

/* All rows of a sheet, some at a time. */
struct sheet_reader {
    const struct sheet *sheet;
    struct chosen_columns chosen; /* at first all */
    size_t next;                  /* block; 0: begin again */
    size_t first;                 /* the row of the sheet that the part begins with */
    csy_sheet part;
    csy_value *values;
};

/* The sheet is one of an analysis.  The caller calls sheet_reader_fini even after a failure. */
csy_status sheet_reader_init(struct sheet_reader *reader, const csy_sheet *sheet, csy_error *error);

/* The next rows, as a sheet that holds until the next call; NULL after the last. */
const csy_sheet *sheet_reader_next(struct sheet_reader *reader);
void sheet_reader_fini(struct sheet_reader *reader);

/* The summary of all values of all sheets. */
struct sheet_facts sheets_facts(const csy_analysis *analysis);

/* Name the window of an analysis; NULL: all the time.  If status is a failure, nothing is done.
 * Returns the status; if memory runs out, the analysis is freed. */
csy_status sheets_name_window(csy_status status, csy_analysis **analysis, const char *window,
                              csy_error *error);

/* Add a condition that the figures need besides the solution's own: a sentence without its full
 * stop. */
void sheets_add_condition(csy_analysis *analysis, const char *text);

/* Sort the rows of a sheet, and those that go with them, as csy_analysis_sort does; nothing is done
 * where there is no such sheet or column. */
csy_status sheets_sort(csy_analysis *analysis, const char *name, const char *column,
                       csy_error *error);

/* How many rows of a sheet, which is one of an analysis, sorting has cut. */
size_t sheets_cut(const csy_sheet *sheet);

/* Take a sheet away, if it is there; or all that have no rows. */
void sheets_drop(csy_analysis *analysis, const char *name);
void sheets_drop_empty(csy_analysis *analysis);

/* Move all of another one to the end, and free it, whatever comes of it. */
csy_status sheets_move(csy_analysis *analysis, csy_analysis *more, csy_error *error);

void sheets_set_text(csy_analysis *analysis, csy_value *value, const char *text);
/* A text that is never freed, so it is not copied. */
void sheets_set_constant(csy_value *value, const char *text);
/* A text that many rows share: it is kept once. */
void sheets_set_word(csy_analysis *analysis, csy_value *value, const char *text);
void sheets_set_bytes(csy_analysis *analysis, csy_value *value, const char *text, size_t size);
/* One of several texts; NO_TEXT: "-". */
void sheets_set_item(csy_analysis *analysis, csy_value *value, const struct texts *texts,
                     uint32_t index);
void sheets_set_number(csy_value *value, int64_t number);
void sheets_set_range(csy_value *value, const csy_range *range);
/* A sum, or none if it leaves 64 bits or is a number that stands for no limit. */
void sheets_set_sum(csy_value *value, int128 sum);

#endif
