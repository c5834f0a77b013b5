/* The start tag of an element: the element's name, and the attributes that have no namespace. */
#ifndef TRACE_PEX_ELEMENT_H
#define TRACE_PEX_ELEMENT_H

#include <cellsync/cellsync.h>

/* An element. `text` contains UTF-8 texts, each with a NUL: the element's name, and the names and
 * values of attributes. */
struct element {
    char *text; /* NULL: there is no such element */
    size_t size;
    long line;
    size_t index;   /* number of the element, from 0, in the order of start tags */
    unsigned depth; /* number of elements around it; 0 for the root */
};

/* Returns true if the element has the local name `name`. A missing element has no name. */
bool element_is(const struct element *element, const char *name);

/* Returns the value of an attribute, or NULL. O(size). */
const char *element_text(const struct element *element, const char *attribute);

/* Read an attribute as a number, decimal or hexadecimal (0x). Returns false for other texts. */
bool element_number(const struct element *element, const char *attribute, uint64_t *out);

/* Read an attribute as signed ticks, or as -inf (INT64_MIN) or inf (INT64_MAX). */
bool element_ticks(const struct element *element, const char *attribute, int64_t *out);

/* Read an attribute as a fraction, such as "3" or "7/2". */
bool element_fraction(const struct element *element, const char *attribute, csy_fraction *out);

bool element_says(const struct element *element, const char *attribute, const char *text);

/* Copy an element. *to is valid until element_fini. Returns false if memory runs out. */
bool element_keep(struct element *to, const struct element *element);
void element_fini(struct element *element);

#endif
