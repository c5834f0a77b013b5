/* The table of synchronization methods, with a row for each method. */
#ifndef SYNC_METHOD_H
#define SYNC_METHOD_H

#include <cellsync/cellsync.h>

struct method {
    const char *word;   /* name of the method in options */
    bool moves_threads; /* true if each thread gets one offset; false if single events are moved */
};

/* Returns the row of a method, or NULL for a number that is no method. */
const struct method *method_of(csy_method method);

/* Set *out to the method with the name `word`. *out is unchanged if no method has this name. */
void method_find(const char *word, csy_method *out);

#endif
