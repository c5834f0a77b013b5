/*
 * Templates: well-known patterns of who sends whom, and how well a pattern fits each.
 *
 * Ranks are numbered from 0; those of grids go along the first dimension first.  A template is a
 * set of ordered pairs of ranks, of which only the number is needed, and whether a pair is in it.
 */
#ifndef ANALYSIS_MESSAGES_TEMPLATES_H
#define ANALYSIS_MESSAGES_TEMPLATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TEMPLATE_NAME_MAX = 64, TEMPLATES_BEST = 5, TEMPLATE_DIMENSIONS = 3 };

/* A pair that there is; no pair is there twice. */
struct template_pair {
    uint32_t from, to;
    uint64_t weight; /* bytes, or messages */
};

struct template_fit {
    char name[TEMPLATE_NAME_MAX];
    uint64_t both, either; /* pairs: Jaccard's coefficient is the first over the second */
    uint64_t covered;      /* weight of both */
};

/* The templates that fit n pairs of so many ranks best, by Jaccard's coefficient, then by covered
 * weight; *nbest of them.  false on no memory.  O(pairs) for each template, of which there are as
 * many as ranks have ordered factorizations in two and three, and some. */
bool templates_find(const struct template_pair *pairs, size_t n, uint32_t ranks,
                    struct template_fit best[TEMPLATES_BEST], size_t *nbest);

#endif
