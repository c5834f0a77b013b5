/* The options of a program, as a table with a row for each option. The table is used for parsing,
 * --help, error messages, suggestions, and shell completions. */
#ifndef TOOL_COMMAND_H
#define TOOL_COMMAND_H

#include "tool/usage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum command_action { COMMAND_RUN, COMMAND_HELP, COMMAND_HELP_ALL, COMMAND_VERSION, COMMAND_USAGE };

struct command;
struct option_row;

/* Parses the value of an option, and stores it in command->options. `text` is NULL if an optional
 * value is missing. Returns false after printing an error. */
typedef bool option_take(const struct command *command, const struct option_row *row,
                         const char *text);

struct option_row {
    const char *name; /* name of the option without dashes */
    char letter;      /* short name of the option, or 0 */
    bool optional;    /* true if the value of the option may be missing */
    /* name of the value in --help, such as FILE; NULL if `words` lists the values, or for a flag */
    const char *value;
    /* All permitted values, in a list that ends in NULL. NULL if any value is permitted. */
    const char *const *words;
    const int *values; /* numbers that the words stand for; NULL: word i stands for i plus
                        * `least` */
    /* Suggestions for completions if any value is permitted: a list that ends in NULL, or a
     * function that returns NULL after the last suggestion. */
    const char *const *suggested;
    const char *(*suggest)(size_t i);
    /* files to complete: "" all files, "*.x" a pattern, "/" folders, NULL no files */
    const char *files;
    /* Offset and size in bytes of the member that stores the value: a bool for a flag, a const char
     * * for free text, or a number. Words are stored as numbers. */
    size_t at, size;
    uint64_t least, most; /* range of a numeric value */
    option_take *take;    /* function that stores the value; NULL for the kind's default */
    /* If not 0, this option ends the parsing, and command_read returns the action. */
    enum command_action action;
    unsigned rules;       /* bit set that the program defines; command_first searches for bits */
    const char *needs;    /* name of another option that must also be given, or NULL */
    const char *excludes; /* name of another option that must not be given, or NULL */
    const char *help;     /* text of the option in --help; \n separates lines */
    /* Texts for completions, without quotes, brackets, and colons. `hint` describes the option in
     * zsh and fish; NULL means `help`. `value_hint` describes the value in zsh; NULL means `value`
     * in lower case, or the option's name. */
    const char *hint, *value_hint;
};

static inline bool option_takes_value(const struct option_row *row)
{
    return row->value || row->words;
}

#define OPTION_AT(type, member) .at = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define OPTION_VALUES(...) ((const int[]){__VA_ARGS__})
#define OPTION_WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

struct option_table {
    const char *program;
    const struct option_row *rows; /* the options, in the order of --help */
    size_t nrows;                  /* number of options, at most OPTIONS_MAX */
    bool leading;                  /* true if options end at the first word that is no option */
    /* NULL, or returns the i-th permitted first operand, and NULL after the last one */
    const char *(*verb)(size_t i);
};

/* The options and operands of a command line. */
struct command {
    const struct option_table *table;
    void *options; /* the program's options; rows contain offsets of its members */
    bool given[OPTIONS_MAX];
    int noperands;
    char **operands; /* words that are neither options nor values of options */
};

/* Parse argv. The caller sets `table` and `options`, and clears all other members. Returns
 * COMMAND_USAGE after printing an error. */
enum command_action command_read(struct command *command, int argc, char **argv);

/* Returns true if the option was given. The table must contain the option. */
bool command_has(const struct command *command, const char *name);

/* Returns the first option in the table that was given and has a bit of `rules`, or NULL. */
const struct option_row *command_first(const struct command *command, unsigned rules);

/* Check `needs` and `excludes` of the given options. Returns false after printing an error. */
bool command_fits(const struct command *command);

/* Returns the index of `text` among the words of an option, or -1 after printing an error. */
int option_choose(const struct command *command, const struct option_row *row, const char *text);

/* Store a number in the member for the row: an integer, an enum, or a bool that can hold it. */
void option_store(const struct command *command, const struct option_row *row, uint64_t number);

/* Returns the name of the option in messages, such as "-o" or "--graph", as a static text. */
const char *option_shown(const struct option_row *row);

/* A group of options with a title in --help. */
struct option_group {
    const char *title;        /* title of the group; NULL ends a list of groups */
    const char *const *names; /* names of options, in a list that ends in NULL */
};

/* Print the options in the groups to standard output. If groups is NULL, print all options. */
void option_table_help(const struct option_table *table, const struct option_group *groups);

#endif
