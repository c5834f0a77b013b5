/* Computes min-plus products of small tiles (graph/kernels.h). A tile is an array of vectors, which
 * stay in registers because a pragma unrolls the loops over the tile. */
#include "graph/kernels.h"

#if defined __x86_64__ && defined __GNUC__
#define KERNEL_AVX 1
#include <immintrin.h>
#else
#define KERNEL_AVX 0
#endif

#if defined __GNUC__
#define UNROLL _Pragma("GCC unroll 32")
#else
#define UNROLL
#endif

enum { PORTABLE_ROWS = 2, PORTABLE_COLUMNS = 4, PORTABLE_TILE = PORTABLE_ROWS * PORTABLE_COLUMNS };

static void relax_portable(int64_t *c, size_t stride, const int64_t *a, const int64_t *b,
                           size_t depth)
{
    int64_t least[PORTABLE_TILE];
    UNROLL
    for (size_t v = 0; v < PORTABLE_TILE; v++)
        least[v] = c[v / PORTABLE_COLUMNS * stride + v % PORTABLE_COLUMNS];
    for (size_t k = 0; k < depth; k++, a += PORTABLE_ROWS, b += PORTABLE_COLUMNS) {
        UNROLL
        for (size_t v = 0; v < PORTABLE_TILE; v++) {
            int64_t walk = a[v / PORTABLE_COLUMNS] + b[v % PORTABLE_COLUMNS];
            least[v] = walk < least[v] ? walk : least[v];
        }
    }
    UNROLL
    for (size_t v = 0; v < PORTABLE_TILE; v++)
        c[v / PORTABLE_COLUMNS * stride + v % PORTABLE_COLUMNS] = least[v];
}

static const struct kernel portable = {"portable", PORTABLE_ROWS, PORTABLE_COLUMNS, 128,
                                       16,         relax_portable};

#if KERNEL_AVX

#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f")))

/* A row of a tile is 4 vectors of 4 entries. Tile (8 vectors) and operands fill 16 registers. */
enum {
    AVX2_ROWS = 2,
    AVX2_WIDTH = 4,
    AVX2_TILE = AVX2_ROWS * AVX2_WIDTH,
    AVX2_COLUMNS = 4 * AVX2_WIDTH
};

AVX2 static inline __m256i load_4(const int64_t *from)
{
    return _mm256_loadu_si256((const void *)from);
}

AVX2 static inline __m256i min_4(__m256i x, __m256i y)
{
    return _mm256_blendv_epi8(x, y, _mm256_cmpgt_epi64(x, y));
}

AVX2 static void relax_avx2(int64_t *c, size_t stride, const int64_t *a, const int64_t *b,
                            size_t depth)
{
    __m256i least[AVX2_TILE];
    UNROLL
    for (size_t v = 0; v < AVX2_TILE; v++)
        least[v] = load_4(c + v / AVX2_WIDTH * stride + 4 * (v % AVX2_WIDTH));
    for (size_t k = 0; k < depth; k++, a += AVX2_ROWS, b += AVX2_COLUMNS) {
        UNROLL
        for (size_t v = 0; v < AVX2_TILE; v++) {
            __m256i first = _mm256_set1_epi64x(a[v / AVX2_WIDTH]);
            __m256i walk = _mm256_add_epi64(first, load_4(b + 4 * (v % AVX2_WIDTH)));
            least[v] = min_4(least[v], walk);
        }
    }
    UNROLL
    for (size_t v = 0; v < AVX2_TILE; v++) {
        int64_t *to = c + v / AVX2_WIDTH * stride + 4 * (v % AVX2_WIDTH);
        _mm256_storeu_si256((void *)to, least[v]);
    }
}

static const struct kernel avx2 = {"avx2", AVX2_ROWS, AVX2_COLUMNS, 128, 16, relax_avx2};

/* A row of a tile is 3 vectors of 8 entries. Tile (24 vectors) and operands fit in 32 registers. */
enum {
    AVX512_ROWS = 8,
    AVX512_WIDTH = 3,
    AVX512_TILE = AVX512_ROWS * AVX512_WIDTH,
    AVX512_COLUMNS = 8 * AVX512_WIDTH
};

/* Prefetch a row of the tile c; the row need not begin at a cache line. */
AVX512 static inline void fetch_row(const int64_t *c)
{
    for (size_t v = 0; v < AVX512_WIDTH; v++)
        _mm_prefetch((const char *)(c + 8 * v), _MM_HINT_T0);
    _mm_prefetch((const char *)(c + AVX512_COLUMNS - 1), _MM_HINT_T0);
}

/* Compute the product in registers, meanwhile prefetch the tile c, and combine both at the end. */
AVX512 static void relax_avx512(int64_t *c, size_t stride, const int64_t *a, const int64_t *b,
                                size_t depth)
{
    __m512i least[AVX512_TILE];
    UNROLL
    for (size_t v = 0; v < AVX512_TILE; v++)
        least[v] = _mm512_set1_epi64(INT64_MAX);
    for (size_t k = 0, row = 0; row <= AVX512_ROWS; row++) {
        size_t end = row < AVX512_ROWS ? depth * (row + 1) / (AVX512_ROWS + 4) : depth;
        if (row < AVX512_ROWS)
            fetch_row(c + row * stride);
        for (; k < end; k++, a += AVX512_ROWS, b += AVX512_COLUMNS) {
            UNROLL
            for (size_t v = 0; v < AVX512_TILE; v++) {
                __m512i first = _mm512_set1_epi64(a[v / AVX512_WIDTH]);
                __m512i through = _mm512_loadu_si512(b + 8 * (v % AVX512_WIDTH));
                least[v] = _mm512_min_epi64(least[v], _mm512_add_epi64(first, through));
            }
        }
    }
    UNROLL
    for (size_t v = 0; v < AVX512_TILE; v++) {
        int64_t *to = c + v / AVX512_WIDTH * stride + 8 * (v % AVX512_WIDTH);
        _mm512_storeu_si512(to, _mm512_min_epi64(least[v], _mm512_loadu_si512(to)));
    }
}

static const struct kernel avx512 = {"avx512", AVX512_ROWS, AVX512_COLUMNS, 192, 24, relax_avx512};

#endif

const struct kernel *kernel_of(enum kernel_kind kind)
{
    switch (kind) {
    case KERNEL_PORTABLE:
        return &portable;
#if KERNEL_AVX
    case KERNEL_AVX2:
        return __builtin_cpu_supports("avx2") ? &avx2 : NULL;
    case KERNEL_AVX512:
        return __builtin_cpu_supports("avx512f") ? &avx512 : NULL;
#endif
    default:
        return NULL;
    }
}

const struct kernel *kernel_fastest(void)
{
    const struct kernel *fastest = NULL;
    for (int kind = KERNEL_KINDS - 1; !fastest; kind--)
        fastest = kernel_of((enum kernel_kind)kind);
    return fastest;
}
