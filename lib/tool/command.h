/* The options of a program, as a table with one row for each option. The table is used for parsing,
 * --help, error messages, suggestions, and the completions of shells. */
#ifndef TOOL_COMMAND_H
#define TOOL_COMMAND_H

#include "tool/usage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum command_action { COMMAND_RUN, COMMAND_HELP, COMMAND_HELP_ALL, COMMAND_VERSION, COMMAND_USAGE };

struct command;
struct option_row;

/* A function that parses the value of an option and stores it in command->options. text is NULL if
 * the value is optional and missing. Returns false after it printed an error. */
typedef bool option_take(const struct command *command, const struct option_row *row,
                         const char *text);

struct option_row {
    const char *name; /* name of the option without dashes */
    char letter;      /* short name; 0: none */
    bool optional;    /* the value of the option may be missing */
    /* The name of the value in --help, such as FILE. NULL: the option has no value, or its value is
     * one of `words`. */
    const char *value;
    /* The possible values, NULL-terminated. NULL: any value is possible. */
    const char *const *words;
    const int *values; /* the numbers that `words` stand for; NULL: the numbers from `least` on */
    /* Values that completions suggest if any value is possible: either a NULL-terminated list, or a
     * function that returns NULL after the last value. */
    const char *const *suggested;
    const char *(*suggest)(size_t i);
    /* The files that completions suggest: "" for all files, "*.x" for a pattern, "/" for folders.
     * NULL: no files. */
    const char *files;
    /* The offset and the size of the member of the program's options where the value is stored. A
     * flag is stored as a bool, and free text as a const char *. A word is stored by option_store,
     * as its number. */
    size_t at, size;
    uint64_t least, most; /* range of the value if it is a number */
    option_take *take;    /* NULL: the default function for this kind of option */
    /* If this is not 0, parsing stops at the option and returns this action, as for --help and
     * --version. */
    enum command_action action;
    unsigned rules;       /* bits with a meaning that the program defines, for command_first */
    const char *needs;    /* name of an option that must also be given */
    const char *excludes; /* name of an option that must not be given */
    const char *help;     /* description in --help; \n separates lines */
    /* Descriptions for completions, without quotes, brackets, and colons. hint is the description
     * of the option for zsh and fish (NULL: `help`). value_hint is the description of the value for
     * zsh (NULL: `value` in lower case, or the name of the option). */
    const char *hint, *value_hint;
};

#define OPTION_AT(type, member) .at = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define OPTION_VALUES(...) ((const int[]){__VA_ARGS__})
#define OPTION_WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

struct option_table {
    const char *program;
    const struct option_row *rows; /* in the order of --help */
    size_t nrows;                  /* at most OPTIONS_MAX */
    bool leading;                  /* options end at the first word that is not an option */
    /* a function that returns the possible first operands, and then NULL; or NULL */
    const char *(*verb)(size_t i);
};

/* A command line. */
struct command {
    const struct option_table *table;
    void *options; /* the program's options; rows refer to its members */
    bool given[OPTIONS_MAX];
    int noperands;
    char **operands; /* all words that are neither options nor their values */
};

/* Parse argv into *command. The caller sets table and options, and all other members to 0. Returns
 * COMMAND_USAGE after an error was printed. */
enum command_action command_read(struct command *command, int argc, char **argv);

/* True if the option was given. The table must have an option with this name. */
bool command_has(const struct command *command, const char *name);

/* The first option, in the order of the table, that was given and has one of these rules. NULL if
 * there is none. */
const struct option_row *command_first(const struct command *command, unsigned rules);

/* Check the options that were given: each option that they need must also be given, and no option
 * that they exclude. Returns false after an error was printed. */
bool command_fits(const struct command *command);

/* The index of text among the words of an option, or -1 after an error was printed. */
int option_choose(const struct command *command, const struct option_row *row, const char *text);

/* Store a number in the member of an option. The member is an integer, an enum, or a bool that can
 * represent the number. */
void option_store(const struct command *command, const struct option_row *row, uint64_t number);

/* The option as messages name it, "-o" or "--graph"; a static text. */
const char *option_shown(const struct option_row *row);

/* A group of options in --help, with its title. --help-all shows all options instead. */
struct option_group {
    const char *title;        /* NULL: the end of a list of groups */
    const char *const *names; /* NULL-terminated */
};

/* Print the descriptions of the options in these groups to standard output. If groups is NULL,
 * print all options. */
void option_table_help(const struct option_table *table, const struct option_group *groups);

#endif
