/* What a method is: a row of the table in sync/method.c. */
#ifndef SYNC_METHOD_H
#define SYNC_METHOD_H

#include <cellsync/cellsync.h>

struct method {
    const char *word;   /* as users write it */
    bool moves_threads; /* by one offset each; else events are placed one by one */
};

/* NULL: there is no such method. */
const struct method *method_of(csy_method method);

/* The method of that word; *out stays where there is none. */
void method_find(const char *word, csy_method *out);

#endif
