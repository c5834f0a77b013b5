/* Products of small matrix blocks (tiles), with minimum and plus in the roles of plus and times.
 * There is one function ("kernel") for each instruction set.
 *
 *   c[i][j] = min(c[i][j], min over k < depth of a[i][k] + b[k][j]),   c of rows x columns entries
 *
 * The operands are copied beforehand (packed) in the order that the kernel needs, a by columns and
 * b by rows. The tile c stays in registers:
 *
 *   a:  a00 a10 a20 .. | a01 a11 a21 .. | ..       b:  b00 b01 b02 .. | b10 b11 b12 .. | ..
 *
 * Sums must fit in 64 bits. */
#ifndef GRAPH_KERNELS_H
#define GRAPH_KERNELS_H

#include <stddef.h>
#include <stdint.h>

struct kernel {
    const char *name;
    size_t rows, columns; /* size of the tile c; rows * columns is at most KERNEL_TILE_MAX */
    /* These values were the fastest in measurements; they are multiples of `rows` and `columns`. */
    size_t block; /* number of rows that the Floyd-Warshall algorithm processes at once */
    size_t leaf;  /* matrices with up to this many rows are processed in plain loops */
    /* Lowers tile c to the product of a and b. Rows of c are `stride` apart; c may overlap b. */
    void (*relax)(int64_t *c, size_t stride, const int64_t *a, const int64_t *b, size_t depth);
};

enum { KERNEL_TILE_MAX = 256 };

/* Kinds of kernels, from the slowest to the fastest. */
enum kernel_kind { KERNEL_PORTABLE, KERNEL_AVX2, KERNEL_AVX512, KERNEL_KINDS };

/* Returns a kernel, or NULL if this processor or build does not have it. */
const struct kernel *kernel_of(enum kernel_kind kind);

const struct kernel *kernel_fastest(void);

#endif
