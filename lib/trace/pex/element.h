/* The start tag of an element: its name, and its attributes that have no namespace. */
#ifndef TRACE_PEX_ELEMENT_H
#define TRACE_PEX_ELEMENT_H

#include <cellsync/cellsync.h>

/* An element. `text` contains its name, and then the names and values of its attributes, as UTF-8
 * texts that end with NUL. */
struct element {
    char *text; /* NULL if there is no such element */
    size_t size;
    long line;
    size_t index;   /* number of the element, from 0, in the order of start tags */
    unsigned depth; /* number of enclosing elements; 0 for the root */
};

/* Returns true if the element exists and has the local name `name`. */
bool element_is(const struct element *element, const char *name);

/* Returns the value of an attribute in O(size), or NULL if the attribute is missing. */
const char *element_text(const struct element *element, const char *attribute);

/* Read an attribute as a number, decimal or hexadecimal (0x). Returns false for other texts. */
bool element_number(const struct element *element, const char *attribute, uint64_t *out);

/* Read an attribute as signed ticks, or as -inf (INT64_MIN) or inf (INT64_MAX). Returns false for
 * other texts. */
bool element_ticks(const struct element *element, const char *attribute, int64_t *out);

/* Read an attribute as a fraction, such as "3" or "7/2". Returns false for other texts. */
bool element_fraction(const struct element *element, const char *attribute, csy_fraction *out);

bool element_says(const struct element *element, const char *attribute, const char *text);

/* Copy an element to *to, which the caller must free by element_fini. Returns false if memory runs
 * out. */
bool element_keep(struct element *to, const struct element *element);
void element_fini(struct element *element);

#endif
