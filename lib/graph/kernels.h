/* Min-plus products of small tiles, with one kernel for each instruction set:
 *
 *   c[i][j] = min(c[i][j], min over k < depth of a[i][k] + b[k][j]),   c of rows x columns entries
 *
 * The operands are packed in the order in which the kernel reads them, a by columns and b by rows.
 * c stays in registers:
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
    size_t rows, columns; /* size of the tile c, at most KERNEL_TILE_MAX entries */
    /* the values that were fastest in measurements; multiples of rows and of columns: */
    size_t block; /* depth of the products */
    size_t leaf;  /* number of rows up to which plain loops close a matrix */
    /* Computes a product. Row i of the tile c begins at c + i * stride. c may overlap b. */
    void (*relax)(int64_t *c, size_t stride, const int64_t *a, const int64_t *b, size_t depth);
};

enum { KERNEL_TILE_MAX = 256 };

/* The kinds of kernels, from the slowest to the fastest. */
enum kernel_kind { KERNEL_PORTABLE, KERNEL_AVX2, KERNEL_AVX512, KERNEL_KINDS };

/* Returns NULL if this processor or build does not have the kernel. */
const struct kernel *kernel_of(enum kernel_kind kind);

const struct kernel *kernel_fastest(void);

#endif
