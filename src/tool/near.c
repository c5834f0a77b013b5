/* The distance of words, after Damerau: letters replaced, left out, added or swapped. */
#include "tool/near.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { LETTERS_MAX = 31, LETTERS_MIN = 2 };

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* d[i][j] is the distance of the first i letters of a and the first j of b; neither is longer than
 * LETTERS_MAX. */
static unsigned distance(const char *a, const char *b)
{
    unsigned d[LETTERS_MAX + 1][LETTERS_MAX + 1];
    size_t n = strlen(a), m = strlen(b);
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            d[i][j] = (unsigned)(i + j);
            if (i == 0 || j == 0)
                continue;
            d[i][j] = d[i - 1][j - 1] + !same(a[i - 1], b[j - 1]);
            d[i][j] = least(d[i][j], least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[n][m];
}

const char *near_word(const char *text, const char *const *words)
{
    const char *nearest = NULL;
    size_t n = strlen(text);
    unsigned far = n < 6 ? 1 : (unsigned)n / 3;
    if (n < LETTERS_MIN || n > LETTERS_MAX)
        return NULL;
    for (unsigned best = far + 1; *words; words++) {
        if (strlen(*words) > LETTERS_MAX)
            continue;
        unsigned apart = strncasecmp(*words, text, n) == 0 ? 0 : distance(text, *words);
        if (apart < best) {
            best = apart;
            nearest = *words;
        }
    }
    return nearest;
}
