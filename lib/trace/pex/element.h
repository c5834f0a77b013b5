/*
 * An element of a document at its start tag: its name, and its attributes without a namespace.
 */
#ifndef TRACE_PEX_ELEMENT_H
#define TRACE_PEX_ELEMENT_H

#include <cellsync/cellsync.h>

/* The texts are UTF-8: the name of the element, then the name and the value of each attribute. A
 * NUL follows each text. */
struct element {
    char *text; /* NULL: there is no such element */
    size_t size;
    long line;
    size_t index;   /* number of the element in the document, in the order of start tags, from 0 */
    unsigned depth; /* number of elements that contain it; the root has 0 */
};

/* True if the element has this local name. False if element is NULL. */
bool element_is(const struct element *element, const char *name);

/* The value of an attribute, or NULL.  O(size). */
const char *element_text(const struct element *element, const char *attribute);

/* Read an attribute as a number, which is decimal, or hexadecimal after 0x. Returns false if the
 * attribute is missing or is not a number. */
bool element_number(const struct element *element, const char *attribute, uint64_t *out);

/* Read an attribute as a signed number of ticks, or as -inf (INT64_MIN) or inf (INT64_MAX). */
bool element_ticks(const struct element *element, const char *attribute, int64_t *out);

/* Read an attribute as a fraction, such as "3" or "7/2". */
bool element_fraction(const struct element *element, const char *attribute, csy_fraction *out);

/* True if the element has this attribute with this value. */
bool element_says(const struct element *element, const char *attribute, const char *text);

/* Make *to a copy of an element, which is valid until element_fini. Returns false if memory runs
 * out. */
bool element_keep(struct element *to, const struct element *element);
void element_fini(struct element *element);

#endif
