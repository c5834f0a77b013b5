/* The table of synchronization methods is in sync/method.c. Each row is a method. */
#ifndef SYNC_METHOD_H
#define SYNC_METHOD_H

#include <cellsync/cellsync.h>

struct method {
    const char *word;   /* name of the method in options */
    bool moves_threads; /* true if each thread has one offset and no event moves by itself */
};

/* Returns the row of a method, or NULL for a number that is no method. */
const struct method *method_of(csy_method method);

/* Find the method with this name. *out is unchanged if no method has this name. */
void method_find(const char *word, csy_method *out);

#endif
