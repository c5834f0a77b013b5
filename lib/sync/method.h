/* A method is a row of the table in sync/method.c. */
#ifndef SYNC_METHOD_H
#define SYNC_METHOD_H

#include <cellsync/cellsync.h>

struct method {
    const char *word;   /* its name in options */
    bool moves_threads; /* each thread has one offset; otherwise events are placed one by one */
};

/* NULL if there is no such method. */
const struct method *method_of(csy_method method);

/* Find the method with this name; otherwise *out is not changed. */
void method_find(const char *word, csy_method *out);

#endif
