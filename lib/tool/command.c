/* See command.h. */
#include "tool/command.h"

#include "tool/usage.h"

#include <stdio.h>
#include <string.h>

enum { LONG_ONLY = 256, SHOWN_MAX = 64, HELP_COLUMN = 30, HELP_GAP = 2 };

/* Returns the value that getopt_long returns for the option of row i. */
static int answer_of(const struct option_table *table, size_t i)
{
    return table->rows[i].letter ? table->rows[i].letter : LONG_ONLY + (int)i;
}

static void *member(const struct command *command, const struct option_row *row)
{
    return (char *)command->options + row->at;
}

void option_store(const struct command *command, const struct option_row *row, uint64_t number)
{
    const bool flag = number != 0;
    const uint32_t narrow = (uint32_t)number;
    const void *from = row->size == sizeof flag     ? (const void *)&flag
                       : row->size == sizeof narrow ? (const void *)&narrow
                                                    : (const void *)&number;
    memcpy(member(command, row), from, row->size);
}

int option_choose(const struct command *command, const struct option_row *row, const char *text)
{
    char shown[SHOWN_MAX];
    (void)snprintf(shown, sizeof shown, "--%s", row->name);
    return usage_choose(command->table->program, shown, text, row->words);
}

static bool take(const struct command *command, const struct option_row *row, const char *text)
{
    int word = 0;
    if (row->take)
        return row->take(command, row, text);
    if (!option_takes_value(row))
        option_store(command, row, true);
    else if (!row->words)
        *(const char **)member(command, row) = text;
    else if ((word = option_choose(command, row, text)) >= 0)
        option_store(command, row,
                     row->values ? (uint64_t)row->values[word] : row->least + (uint64_t)word);
    return word >= 0;
}

enum command_action command_read(struct command *command, int argc, char **argv)
{
    const struct option_table *table = command->table;
    struct option options[OPTIONS_MAX + 1] = {{NULL, 0, NULL, 0}};
    char letters[2 * OPTIONS_MAX + 3] = "", *letter = letters;
    /* Make the tables for getopt_long. Each table ends with zeros. */
    if (table->leading)
        *letter++ = '+';
    *letter++ = ':';
    for (size_t i = 0; i < table->nrows; i++) {
        const struct option_row *row = &table->rows[i];
        int value = !option_takes_value(row) ? no_argument
                    : row->optional          ? optional_argument
                                             : required_argument;
        options[i] = (struct option){row->name, value, NULL, answer_of(table, i)};
        if (row->letter)
            *letter++ = row->letter;
        if (row->letter && option_takes_value(row))
            *letter++ = ':';
    }
    opterr = 0;
    for (int answer; (answer = getopt_long(argc, argv, letters, options, NULL)) != -1;) {
        size_t i = 0;
        while (i < table->nrows && answer_of(table, i) != answer)
            i++;
        if (i == table->nrows) {
            usage_refuse(table->program, options, answer, argv[optind - 1]);
            return COMMAND_USAGE;
        }
        const struct option_row *row = &table->rows[i];
        if (row->action)
            return row->action;
        /* A second file would replace the first. Options without files may be repeated. */
        if (row->files && !row->take && command->given[i]) {
            usage_complain(table->program, "%s is given twice, the second time with '%s'",
                           option_shown(row), usage_visible(optarg));
            return COMMAND_USAGE;
        }
        if (!take(command, row, optarg))
            return COMMAND_USAGE;
        command->given[i] = true;
    }
    command->operands = argv + optind;
    command->noperands = argc - optind;
    return COMMAND_RUN;
}

static const struct option_row *row_called(const struct option_table *table, const char *name)
{
    for (size_t i = 0; i < table->nrows; i++)
        if (strcmp(table->rows[i].name, name) == 0)
            return &table->rows[i];
    return NULL;
}

bool command_has(const struct command *command, const char *name)
{
    const struct option_row *row = row_called(command->table, name);
    return row && command->given[row - command->table->rows];
}

const struct option_row *command_first(const struct command *command, unsigned rules)
{
    for (size_t i = 0; i < command->table->nrows; i++)
        if (command->given[i] && command->table->rows[i].rules & rules)
            return &command->table->rows[i];
    return NULL;
}

const char *option_shown(const struct option_row *row)
{
    static char shown[SHOWN_MAX];
    if (row->letter)
        (void)snprintf(shown, sizeof shown, "-%c", row->letter);
    else
        (void)snprintf(shown, sizeof shown, "--%s", row->name);
    return shown;
}

bool command_fits(const struct command *command)
{
    const struct option_table *table = command->table;
    for (size_t i = 0; i < table->nrows; i++) {
        const struct option_row *row = &table->rows[i];
        if (!command->given[i])
            continue;
        if (row->excludes && command_has(command, row->excludes))
            return usage_complain(table->program, "--%s and --%s exclude each other", row->name,
                                  row->excludes);
        if (row->needs && !command_has(command, row->needs))
            return usage_complain(table->program, "--%s requires %s", row->name,
                                  option_shown(row_called(table, row->needs)));
    }
    return true;
}

static void print_row(const struct option_row *row)
{
    const char *line = row->help;
    int width = row->letter ? printf("  -%c, --%s", row->letter, row->name)
                            : printf("      --%s", row->name);
    if (row->value)
        width += printf(row->optional ? "[=%s]" : "=%s", row->value);
    for (size_t k = 0; !row->value && row->words && row->words[k]; k++)
        width += printf("%s%s", k ? "|" : "=", row->words[k]);
    if (width > HELP_COLUMN - HELP_GAP) {
        putchar('\n');
        width = 0;
    }
    for (size_t size; *line; line += size + (line[size] == '\n'), width = 0) {
        size = strcspn(line, "\n");
        printf("%*s%.*s\n", HELP_COLUMN - width, "", (int)size, line);
    }
}

void option_table_help(const struct option_table *table, const struct option_group *groups)
{
    for (size_t i = 0; !groups && i < table->nrows; i++)
        print_row(&table->rows[i]);
    for (; groups && groups->title; groups++) {
        printf("\n%s:\n", groups->title);
        for (size_t i = 0; groups->names[i]; i++)
            print_row(row_called(table, groups->names[i]));
    }
}
