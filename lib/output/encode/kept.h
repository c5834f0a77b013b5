/* Short text that is written often, and is copied in a few instructions. */
#ifndef OUTPUT_ENCODE_KEPT_H
#define OUTPUT_ENCODE_KEPT_H

#include <stdint.h>
#include <string.h>

/* size 0: the text is too long, or not made yet. */
enum { KEPT_MAX = 47 };

struct kept {
    uint8_t size;
    char text[KEPT_MAX];
};

/* The caller provides room for KEPT_MAX characters, all of which may be overwritten. */
static inline char *kept_put(char *at, const struct kept *kept)
{
    memcpy(at, kept->text, KEPT_MAX);
    return at + kept->size;
}

/* Store a text with a prefix and a suffix, unless that is too long. */
static inline void kept_make(struct kept *kept, const char *front, const char *text,
                             const char *end)
{
    size_t nfront = strlen(front), ntext = strlen(text), nend = strlen(end);
    *kept = (struct kept){0};
    if (ntext > KEPT_MAX || nfront + ntext + nend > KEPT_MAX)
        return;
    memcpy(kept->text, front, nfront);
    memcpy(kept->text + nfront, text, ntext);
    memcpy(kept->text + nfront + ntext, end, nend);
    kept->size = (uint8_t)(nfront + ntext + nend);
}

#endif
