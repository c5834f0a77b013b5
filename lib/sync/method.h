/* The table of methods of synchronization is in sync/method.c; a method is a row. */
#ifndef SYNC_METHOD_H
#define SYNC_METHOD_H

#include <cellsync/cellsync.h>

struct method {
    const char *word;   /* its name in options */
    bool moves_threads; /* each thread has one offset; no event moves by itself */
};

/* Returns the row of a method, or NULL for a number that is no method. */
const struct method *method_of(csy_method method);

/* Find the method with this name. *out does not change if no method has the name. */
void method_find(const char *word, csy_method *out);

#endif
