/* Short texts that are written often. Copying always KEPT_MAX bytes is faster than a loop. */
#ifndef OUTPUT_ENCODE_KEPT_H
#define OUTPUT_ENCODE_KEPT_H

#include <stdint.h>
#include <string.h>

/* Maximum size of a kept text, in bytes. The size 0 means that a text is missing or too long. */
enum { KEPT_MAX = 47 };

struct kept {
    uint8_t size;
    char text[KEPT_MAX];
};

/* Append a kept text at `at`, where KEPT_MAX bytes may be overwritten. Returns its end. */
static inline char *kept_put(char *at, const struct kept *kept)
{
    memcpy(at, kept->text, KEPT_MAX);
    return at + kept->size;
}

/* Store front, text, and end as one kept text. If the result is too long, kept->size becomes 0. */
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
