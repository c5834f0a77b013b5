/* The table of synchronization methods. */
#include "sync/method.h"

#include <string.h>

static const struct method methods[] = {
    [CSY_METHOD_BHH] = {"bhh", true},
    [CSY_METHOD_LAMPORT] = {"lamport", false},
    [CSY_METHOD_LAMPORT_CLOCK] = {"lamport-clock", false},
    [CSY_METHOD_LSQ] = {"lsq", true},
    [CSY_METHOD_NTP] = {"ntp", true},
    [CSY_METHOD_ENDS] = {"ends", true},
};

enum { METHODS = sizeof methods / sizeof *methods };

const struct method *method_of(csy_method method)
{
    return (unsigned)method < METHODS ? &methods[method] : NULL;
}

void method_find(const char *word, csy_method *out)
{
    for (size_t i = 0; i < METHODS; i++)
        if (strcmp(word, methods[i].word) == 0)
            *out = (csy_method)i;
}
