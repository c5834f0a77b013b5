/* A program's options as a table, a row an option, from which all that is known of it follows: how
 * it is read, --help, complaints, near misses and the completions of bash and zsh. */
#ifndef TOOL_COMMAND_H
#define TOOL_COMMAND_H

#include "tool/usage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum command_action { COMMAND_RUN, COMMAND_HELP, COMMAND_VERSION, COMMAND_USAGE };

struct command;
struct option_row;

/* Takes a value (NULL: an optional one that is missing) into command->options; false after a
 * complaint. */
typedef bool option_take(const struct command *command, const struct option_row *row,
                         const char *text);

struct option_row {
    const char *name; /* without dashes */
    char letter;      /* 0: none */
    bool optional;    /* its value may be missing */
    /* What --help calls its value, as FILE; NULL: there is none, or it is what is in words. */
    const char *value;
    /* What the value is one of, NULL-terminated; NULL: it is free. */
    const char *const *words;
    const int *values; /* theirs, where they do not count from least */
    /* What completions offer where it is free: words, NULL-terminated, or one after another, NULL
     * at last. */
    const char *const *suggested;
    const char *(*suggest)(size_t i);
    /* Files for completions: "" for any, "*.x" for those, "/" for folders; NULL: it names none. */
    const char *files;
    /* Its member of the program's options.  A flag is a bool; free text a const char *; words are
     * stored as option_store does, by values or counted from least. */
    size_t at, size;
    uint64_t least, most; /* of a number */
    option_take *take;    /* NULL: as its kind is */
    /* Reading ends here with this, for --help and --version; 0: it goes on. */
    enum command_action action;
    unsigned rules;       /* bits of the program's own, for command_first */
    const char *needs;    /* another option, by its name */
    const char *excludes; /* so */
    const char *help;     /* of --help, lines separated by \n */
    /* What zsh says: of the option (NULL: help), of its value (NULL: as value, in small letters, or
     * the name).  No quotes, brackets or colons. */
    const char *hint, *value_hint;
};

#define OPTION_AT(type, member) .at = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define OPTION_VALUES(...) ((const int[]){__VA_ARGS__})
#define OPTION_WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

struct option_table {
    const char *program;
    const struct option_row *rows; /* in the order of --help */
    size_t nrows;                  /* at most OPTIONS_MAX */
    bool leading;                  /* options end at the first word that is none */
    const char *(*verb)(size_t i); /* what the first operand is one of, and NULL; or NULL */
};

/* A command line that is being read, or has been. */
struct command {
    const struct option_table *table;
    void *options; /* the program's, which rows name members of */
    bool given[OPTIONS_MAX];
    int noperands;
    char **operands; /* all words but options and their values */
};

/* Read argv into command, of which table and options are set and the rest is 0.  COMMAND_USAGE: the
 * reason has been written to stderr. */
enum command_action command_read(struct command *command, int argc, char **argv);

/* Whether the option of that name, which the table has, was given. */
bool command_has(const struct command *command, const char *name);

/* The first row, in the order of the table, of those that were given and have one of these rules;
 * NULL: there is none. */
const struct option_row *command_first(const struct command *command, unsigned rules);

/* Whether all that was given has what it needs and nothing that it excludes; false after a
 * complaint. */
bool command_fits(const struct command *command);

/* The index of text among the row's words, or -1 after a complaint. */
int option_choose(const struct command *command, const struct option_row *row, const char *text);

/* Into the row's member, an integer, enum or bool, which has it. */
void option_store(const struct command *command, const struct option_row *row, uint64_t number);

/* As complaints call it, "-o" or "--graph": a static text. */
const char *option_shown(const struct option_row *row);

/* The lines of --help, on standard output. */
void option_table_help(const struct option_table *table);

#endif
