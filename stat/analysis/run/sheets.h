/* Sheets: the tables of an analysis while they are filled. */
#ifndef ANALYSIS_RUN_SHEETS_H
#define ANALYSIS_RUN_SHEETS_H

#include "base/number.h"
#include "base/texts.h"

#include <cellsync/analysis.h>

/* Packed rows take less memory than an array of csy_value. Blocks of rows are stored column by
 * column, as differences from the value above; a run of equal differences is stored once. */

struct packed_block {
    uint8_t *bytes;
    size_t end; /* number of rows up to the end of this block */
};

struct packed_rows {
    struct packed_block *blocks;
    size_t nblocks, capacity;
};

/* The columns to read: columns 0 to `names` - 1, and columns `begin` to `end` - 1. */
struct chosen_columns {
    size_t names, begin, end;
};

/* Add the rows of a sheet as a block. Texts are not copied. Returns false if out of memory. */
bool packed_rows_add(struct packed_rows *rows, const csy_sheet *sheet);

/* packed_rows_count returns the number of all rows, packed_rows_most the number of rows in the
 * largest block (packed_rows_add adds one block at a time). */
size_t packed_rows_count(const struct packed_rows *rows);
size_t packed_rows_most(const struct packed_rows *rows);

/* Read the chosen columns of a block into `values`, which must have room for all rows of the block.
 * `like` has the same columns. Returns the number of rows. Cost: O(values read + columns). */
size_t packed_rows_read(const struct packed_rows *rows, size_t block, const csy_sheet *like,
                        const struct chosen_columns *chosen, csy_value *values);

void packed_rows_fini(struct packed_rows *rows);

enum { SHEETS_MAX = 32 };

/* A section: number, from 1; index after its last row; how many of its rows were left out. */
struct section_rows {
    size_t section, end, ncut;
};

struct sheet_facts {
    unsigned kinds; /* bit 1 << kind is set for each kind of range that occurs */
    bool stamped;   /* true if some time comes from timestamps of one clock */
};

struct sheet {
    csy_sheet view; /* the sheet for callers of the library; view.values is NULL while rows are
                     * packed */
    csy_column *columns;
    csy_value *values; /* values of rows that are not packed */
    size_t columns_capacity, values_capacity;
    bool packs;                /* true if rows are packed when there are many */
    struct packed_rows packed; /* the first rows, in packed form */
    struct sheet_facts facts;  /* for the rows in `packed` */
    size_t ncut; /* number of rows that were left out because fewer rows were requested */
    bool joined; /* true if row i continues row i of the previous sheet with more columns */
    struct section_rows *sections;
    size_t nsections, sections_capacity;
};

struct csy_analysis {
    struct sheet sheets[SHEETS_MAX];
    size_t nsheets;
    bool failed;      /* true if memory ran out, which sheets_finish reports */
    size_t nsections; /* number of sections, or 0 if the sheets are not divided into sections */
    bool brief;       /* true if text output shows only some rows of each table */
    const char **conditions; /* texts that state when results are valid; conditions of the clock
                              * offsets are not included */
    size_t nconditions, conditions_capacity;
    csy_time_unit time_unit; /* unit of times; CSY_TIME_AUTO means ticks */
    csy_weight weight;       /* weight of edges in the call graph */
    const char *window;      /* analysed window as the user wrote it, or NULL for the whole trace */
    char **texts;            /* copies of all texts in the sheets */
    size_t ntexts, texts_capacity;
    struct texts words;   /* texts that are stored once for several rows */
    const char **by_word; /* for each text in `words`: its copy in `texts` */
    size_t by_word_capacity;
};

/* Functions that add something or copy a text need no check. If memory runs out, they set
 * `failed`, and sheets_finish returns the error. */

#define SHEET_COLUMN(name, kind, ranged)                                                           \
    {                                                                                              \
        name, CSY_COLUMN_##kind, ranged                                                            \
    }
#define TEXT_COLUMN(name) SHEET_COLUMN(name, TEXT, false)
#define COUNT_COLUMN(name, ranged) SHEET_COLUMN(name, COUNT, ranged)
#define TICKS_COLUMN(name, ranged) SHEET_COLUMN(name, TICKS, ranged)
#define MICRO_COLUMN(name, ranged) SHEET_COLUMN(name, MICROTICKS, ranged)
#define PPM_COLUMN(name, ranged) SHEET_COLUMN(name, PPM, ranged)

/* sheets_add adds a sheet with n columns, sheets_add_column a column to the last sheet, which must
 * have no rows yet. Names are copied. */
void sheets_add(csy_analysis *analysis, const char *name, const csy_column *columns, size_t n);
void sheets_add_column(csy_analysis *analysis, csy_column column);

#define SHEETS_ADD(analysis, name, columns)                                                        \
    sheets_add(analysis, name, columns, sizeof(columns) / sizeof *(columns))

/* Set *out to the analysis `made` or, after a failure, free it. Returns `status`, or CSY_MEMORY if
 * memory ran out, for example if `made` is NULL. */
csy_status sheets_finish(csy_status status, csy_analysis *made, csy_analysis **out,
                         csy_error *error);

/* Returns CSY_MEMORY if the analysis has run out of memory. */
csy_status sheets_status(const csy_analysis *analysis, csy_error *error);

/* If the last sheet has many rows, pack them. Then only a sheet_reader can read them. */
void sheets_pack(csy_analysis *analysis);

/* sheets_add_row adds a row of empty values to the last sheet. sheets_row returns one of its rows.
 * A row is valid until the next one is added; NULL means a failure. */
csy_value *sheets_add_row(csy_analysis *analysis);
csy_value *sheets_row(const csy_analysis *analysis, size_t index);

/* Add a row of empty values to any sheet. Returns the row, or NULL if the analysis has failed. */
csy_value *sheet_add_row(csy_analysis *analysis, struct sheet *sheet);

struct sheet_reader {
    const struct sheet *sheet;
    struct chosen_columns chosen; /* columns to read; by default, all columns */
    size_t next;                  /* index of the next block; 0 begins again */
    size_t first;                 /* index of the first of the rows returned last */
    csy_sheet part;
    csy_value *values;
};

/* Begin to read a sheet. Call sheet_reader_fini even after a failure. */
csy_status sheet_reader_init(struct sheet_reader *reader, const csy_sheet *sheet, csy_error *error);

/* Returns the next rows, which are valid until the next call, or NULL after the last row. */
const csy_sheet *sheet_reader_next(struct sheet_reader *reader);
void sheet_reader_fini(struct sheet_reader *reader);

struct sheet_facts sheets_facts(const csy_analysis *analysis);

/* Store the text of the analysed window (NULL: the whole trace), unless `status` is an error. If
 * memory runs out, the analysis is freed. Returns the new status. */
csy_status sheets_name_window(csy_status status, csy_analysis **analysis, const char *window,
                              csy_error *error);

/* Add a condition under which results are valid. `text` is a sentence without a full stop. */
void sheets_add_condition(csy_analysis *analysis, const char *text);

/* If a sheet and its column exist, sort the sheet, including the sheets that continue its rows. */
csy_status sheets_sort(csy_analysis *analysis, const char *name, const char *column,
                       csy_error *error);

/* Returns the number of rows that sorting has left out of a sheet of an analysis. */
size_t sheets_cut(const csy_sheet *sheet);

/* sheets_drop removes a sheet if it exists, sheets_drop_empty all sheets without rows. */
void sheets_drop(csy_analysis *analysis, const char *name);
void sheets_drop_empty(csy_analysis *analysis);

/* Move all sheets of `more` to the end of the analysis. `more` is freed, even after a failure. */
csy_status sheets_move(csy_analysis *analysis, csy_analysis *more, csy_error *error);

/* Values of rows. The text of sheets_constant must never be freed; other texts are copied.
 * sheets_word stores a text of many rows once. sheets_item copies texts[index], or "-" if `index`
 * is NO_TEXT. A sum that exceeds 64 bits, or is INT64_MAX (no limit), is an empty value. */
csy_value sheets_text(csy_analysis *analysis, const char *text);
csy_value sheets_bytes(csy_analysis *analysis, const char *text, size_t size);
csy_value sheets_word(csy_analysis *analysis, const char *text);
csy_value sheets_item(csy_analysis *analysis, const struct texts *texts, uint32_t index);
csy_value sheets_sum(int128 sum);

#define SHEETS_NONE ((csy_value){.none = true})

static inline csy_value sheets_constant(const char *text)
{
    return (csy_value){.text = text};
}

static inline csy_value sheets_range(csy_range range)
{
    return (csy_value){.range = range};
}

static inline csy_value sheets_number(int64_t number)
{
    return sheets_range((csy_range){number, number, number, CSY_RANGE_CLOCK});
}

/* Add a row that begins with the given values; its other values are empty. Returns the row. */
csy_value *sheets_put_row(csy_analysis *analysis, const csy_value *values, size_t n);

#define SHEETS_ROW(analysis, ...)                                                                  \
    sheets_put_row(analysis, (const csy_value[]){__VA_ARGS__},                                     \
                   sizeof((const csy_value[]){__VA_ARGS__}) / sizeof(csy_value))

/* Separates tables with the rows of all sections into the tables of each section. */

struct section_view {
    struct sheet_reader reader;
    size_t row, next; /* indices of the next row, and of the next item of sheet.sections */
};

struct section_views {
    const csy_analysis *all;
    size_t section; /* 0 before the first section */
    struct section_view sheets[SHEETS_MAX];
};

/* Prepare to return sections one by one. Call section_views_fini even after a failure. */
csy_status section_views_init(struct section_views *views, const csy_analysis *all,
                              csy_error *error);

/* Returns the tables of the next section, or NULL if out of memory. May be called all->nsections
 * times. The tables use texts of `all`, which must outlive them. */
csy_analysis *section_views_next(struct section_views *views);
void section_views_fini(struct section_views *views);

#endif
