/* Short text that is written again and again, and is copied in a few instructions. */
#ifndef OUTPUT_ENCODE_KEPT_H
#define OUTPUT_ENCODE_KEPT_H

#include <stdint.h>
#include <string.h>

/* size 0: there is none, since it would be longer, or has not been made. */
enum { KEPT_MAX = 47 };

struct kept {
    uint8_t size;
    char text[KEPT_MAX];
};

/* The caller sees to it that there is room for KEPT_MAX characters, which may all be
 * overwritten. */
static inline char *kept_put(char *at, const struct kept *kept)
{
    memcpy(at, kept->text, KEPT_MAX);
    return at + kept->size;
}

/* Keep a text with what comes before and after it, unless that is too long. */
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
