/*
 * Packed rows: rows of a table in blocks, each of which is held a column at a time.
 *
 * Each value is held as its difference from the value above it, and equal differences in a row are
 * held once.  A column of zeros, or of numbers that rise by 1, is thus a few bytes a block, where
 * csy_value takes 48 bytes a value.  What is read is what was added, to the bit.
 */
#ifndef ANALYSIS_RUN_PACKED_ROWS_H
#define ANALYSIS_RUN_PACKED_ROWS_H

#include <cellsync/analysis.h>

struct packed_block {
    uint8_t *bytes;
    size_t end; /* how many rows there are up to the end of the block */
};

struct packed_rows {
    struct packed_block *blocks;
    size_t nblocks, capacity;
};

/* Which columns are read: those before names, and those from begin to before end; names is at most
 * begin. */
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

#endif
