/*
 * An element of a document at its start tag: its name, and its attributes without a namespace.
 */
#ifndef TRACE_PEX_ELEMENT_H
#define TRACE_PEX_ELEMENT_H

#include <cellsync/cellsync.h>

/* All in UTF-8: the name, then each attribute's name and value, a NUL after each of them. */
struct element {
    char *text; /* NULL: there is no such element */
    size_t size;
    long line;
    size_t index;   /* among the document's elements, which begin in this order, from 0 */
    unsigned depth; /* 0: the root */
};

/* True if it has this local name; false for NULL. */
bool element_is(const struct element *element, const char *name);

/* The value of an attribute, or NULL.  O(size). */
const char *element_text(const struct element *element, const char *attribute);

/* An attribute that holds a number (decimal, or hexadecimal after 0x); false where it is missing or
 * holds something else. */
bool element_number(const struct element *element, const char *attribute, uint64_t *out);

/* An attribute that holds signed ticks, or -inf (INT64_MIN) or inf (INT64_MAX). */
bool element_ticks(const struct element *element, const char *attribute, int64_t *out);

/* An attribute that holds a fraction: "3" or "7/2". */
bool element_fraction(const struct element *element, const char *attribute, csy_fraction *out);

/* True if it has an attribute with this value. */
bool element_says(const struct element *element, const char *attribute, const char *text);

/* Make *to a copy, which lives until element_fini; false without memory. */
bool element_keep(struct element *to, const struct element *element);
void element_fini(struct element *element);

#endif
