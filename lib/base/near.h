/* Suggests the known word most similar to an unknown one ("did you mean"). The similarity is the
 * Damerau distance: how many letters are replaced, missing, added, or swapped. */
#ifndef BASE_NEAR_H
#define BASE_NEAR_H

#include "base/ascii.h"

#include <string.h>

/* Only words of NEAR_LETTERS_MIN to NEAR_LETTERS_MAX bytes get suggestions. */
enum { NEAR_LETTERS_MAX = 31, NEAR_LETTERS_MIN = 2 };

/* State of a search: the unknown word (text, size), and the most similar known word so far. */
struct near {
    const char *text;
    size_t size;
    const char *nearest; /* most similar known word so far, or NULL if none was near */
    unsigned best;       /* a known word replaces `nearest` only below this distance */
};

/* Returns the Damerau distance of two words of at most NEAR_LETTERS_MAX letters. d[i][j] is the
 * distance between the first i letters of `a` and the first j letters of `b`. */
static inline unsigned near_distance(const char *a, size_t n, const char *b, size_t m)
{
    unsigned d[NEAR_LETTERS_MAX + 1][NEAR_LETTERS_MAX + 1];
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            d[i][j] = (unsigned)(i + j);
            if (i == 0 || j == 0)
                continue;
            unsigned other = d[i - 1][j - 1] + (ascii_lower(a[i - 1]) != ascii_lower(b[j - 1]));
            unsigned gap = (d[i - 1][j] < d[i][j - 1] ? d[i - 1][j] : d[i][j - 1]) + 1;
            d[i][j] = other < gap ? other : gap;
            if (i > 1 && j > 1 && ascii_lower(a[i - 1]) == ascii_lower(b[j - 2]) &&
                ascii_lower(a[i - 2]) == ascii_lower(b[j - 1]) && d[i - 2][j - 2] + 1 < d[i][j])
                d[i][j] = d[i - 2][j - 2] + 1;
        }
    return d[n][m];
}

/* Begin a search for an unknown word. The text must remain valid during the search. */
static inline struct near near_begin(const char *text, size_t size)
{
    bool short_enough = size >= NEAR_LETTERS_MIN && size <= NEAR_LETTERS_MAX;
    unsigned far = size < 6 ? 1 : (unsigned)size / 3;
    return (struct near){text, size, NULL, short_enough ? far + 1 : 0};
}

/* Keep a word if it is the nearest so far. A word is near, ignoring case, if it begins with the
 * text, or if at most one letter in three (one in a short word) is wrong, missing, added, or
 * swapped. */
static inline void near_try(struct near *near, const char *word)
{
    size_t size = strlen(word);
    if (near->best == 0 || size > NEAR_LETTERS_MAX)
        return;
    bool begins = size >= near->size && ascii_same(word, near->text, near->size);
    unsigned apart = begins ? 0 : near_distance(near->text, near->size, word, size);
    if (apart < near->best) {
        near->best = apart;
        near->nearest = word;
    }
}

/* Returns the word nearest to the text, or NULL if no word is near. `words` ends in NULL. */
static inline const char *near_word(const char *text, const char *const *words)
{
    struct near near = near_begin(text, strlen(text));
    for (; *words; words++)
        near_try(&near, *words);
    return near.nearest;
}

#endif
