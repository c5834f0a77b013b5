/* What events of well-known names mean unless something else says it. */
#ifndef MEANING_VOCABULARY_H
#define MEANING_VOCABULARY_H

/* A document as csy_meaning_add_file reads it, line by line; NULL after the last. */
extern const char *const vocabulary[];

#endif
