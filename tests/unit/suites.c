/*
 * Several suites in a program, each from a file of its own, which calls it main (support.h).
 *
 *   unit SUITE...     runs them, one after another; exit status 1: a test has failed
 *   unit              says which there are
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUITE(name) int suite_##name(void);
#include "suites.h"
#undef SUITE

static const struct suite {
    const char *name;
    int (*run)(void);
} suites[] = {
#define SUITE(name) {#name, suite_##name},
#include "suites.h"
#undef SUITE
};

enum { SUITES = sizeof suites / sizeof *suites };

static const struct suite *find(const char *name)
{
    for (size_t i = 0; i < SUITES; i++)
        if (strcmp(suites[i].name, name) == 0)
            return &suites[i];
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        for (size_t i = 0; i < SUITES; i++)
            puts(suites[i].name);
    int code = EXIT_SUCCESS;
    for (int i = 1; i < argc; i++) {
        const struct suite *suite = find(argv[i]);
        if (!suite) {
            fprintf(stderr, "there is no suite %s\n", argv[i]);
            return 2;
        }
        if (suite->run() != EXIT_SUCCESS)
            code = EXIT_FAILURE;
    }
    return code;
}
