/* A program's options as a table with one row for each option. Parsing, --help, error messages,
 * suggestions, and the completions of shells all follow from it. */
#ifndef TOOL_COMMAND_H
#define TOOL_COMMAND_H

#include "tool/usage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum command_action { COMMAND_RUN, COMMAND_HELP, COMMAND_HELP_ALL, COMMAND_VERSION, COMMAND_USAGE };

struct command;
struct option_row;

/* Store a value in command->options; text is NULL for an optional value that is missing. False
 * after a complaint. */
typedef bool option_take(const struct command *command, const struct option_row *row,
                         const char *text);

struct option_row {
    const char *name; /* without dashes */
    char letter;      /* 0: none */
    bool optional;    /* its value may be missing */
    /* The name of its value in --help, such as FILE. NULL: it has no value, or the value is one of
     * `words`. */
    const char *value;
    /* The possible values, NULL-terminated; NULL: any. */
    const char *const *words;
    const int *values; /* the numbers of `words`; NULL: they count from `least` */
    /* Suggestions of completions if any value is possible: a NULL-terminated list, or a function
     * that returns NULL after the last one. */
    const char *const *suggested;
    const char *(*suggest)(size_t i);
    /* The files that completions suggest: "" for all, "*.x" for a pattern, "/" for folders; NULL:
     * none. */
    const char *files;
    /* The offset and size of its member in the program's options. A flag is a bool, and free text a
     * const char *. Words are stored as by option_store, with numbers from `values`, or counted
     * from `least`. */
    size_t at, size;
    uint64_t least, most; /* of a number */
    option_take *take;    /* NULL: the default for its kind */
    /* The result of parsing that this option causes at once, for --help and --version; 0: parsing
     * continues. */
    enum command_action action;
    unsigned rules;       /* bits that the program defines, for command_first */
    const char *needs;    /* the name of another option */
    const char *excludes; /* the name of another option */
    const char *help;     /* for --help; lines are separated by \n */
    /* The texts for zsh and fish: of the option (NULL: help); for zsh: of its value (NULL: `value`
     * in lower case, or the name). Without quotes, brackets, and colons. */
    const char *hint, *value_hint;
};

#define OPTION_AT(type, member) .at = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define OPTION_VALUES(...) ((const int[]){__VA_ARGS__})
#define OPTION_WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

struct option_table {
    const char *program;
    const struct option_row *rows; /* in the order of --help */
    size_t nrows;                  /* at most OPTIONS_MAX */
    bool leading;                  /* options end at the first other word */
    const char *(*verb)(size_t i); /* the possible first operands, then NULL; or no function */
};

/* A command line. */
struct command {
    const struct option_table *table;
    void *options; /* the program's options; rows refer to its members */
    bool given[OPTIONS_MAX];
    int noperands;
    char **operands; /* all words except options and their values */
};

/* Read argv into *command; table and options must be set, the rest 0. COMMAND_USAGE after a
 * complaint. */
enum command_action command_read(struct command *command, int argc, char **argv);

/* True if the option was given; the table must have it. */
bool command_has(const struct command *command, const char *name);

/* The first given option, in the order of the table, with one of these rules; NULL if there is
 * none. */
const struct option_row *command_first(const struct command *command, unsigned rules);

/* True if all given options have the options that they need, and none that they exclude; false
 * after a complaint. */
bool command_fits(const struct command *command);

/* The index of text among the row's words, or -1 after a complaint. */
int option_choose(const struct command *command, const struct option_row *row, const char *text);

/* Store a number in the row's member, an integer, enum, or bool that can hold it. */
void option_store(const struct command *command, const struct option_row *row, uint64_t number);

/* The option as messages name it, "-o" or "--graph"; a static text. */
const char *option_shown(const struct option_row *row);

/* The options that --help shows under a title; --help-all shows all. */
struct option_group {
    const char *title;        /* NULL: the end of a list of groups */
    const char *const *names; /* NULL-terminated */
};

/* Print the lines of these groups to standard output; NULL: of all options. */
void option_table_help(const struct option_table *table, const struct option_group *groups);

#endif
