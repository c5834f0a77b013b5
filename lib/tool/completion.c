/* See completion.h. */
#include "tool/completion.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { LINE_MAX_BYTES = 1024, COLUMNS = 100 };

/* Returns the i-th suggestion for the value of an option, or NULL after the last suggestion. */
static const char *offered(const struct option_row *row, size_t i)
{
    const char *const *words = row->words ? row->words : row->suggested;
    return row->suggest ? row->suggest(i) : words ? words[i] : NULL;
}

static void print_pattern(FILE *out, const struct option_row *row)
{
    if (row->letter)
        fprintf(out, "-%c | ", row->letter);
    fprintf(out, "--%s", row->name);
}

static void print_values(FILE *out, const struct option_table *table, int indent)
{
    bool any = false;
    for (const struct option_row *row = table->rows; row < table->rows + table->nrows; row++) {
        if (!offered(row, 0) && !row->files)
            continue;
        fprintf(out, "%*s", indent, "");
        print_pattern(out, row);
        fprintf(out, ") _%s_%s \"$cur\"", table->program, row->files ? "files" : "words");
        for (size_t i = 0; offered(row, i); i++)
            fprintf(out, " %s", offered(row, i));
        fputs(row->files && *row->files == '/' ? " /$ ;;\n" : " ;;\n", out);
    }
    for (const struct option_row *row = table->rows; row < table->rows + table->nrows; row++) {
        if (!option_takes_value(row) || offered(row, 0) || row->files)
            continue;
        if (any)
            fputs(" | ", out);
        else
            fprintf(out, "%*s", indent, "");
        print_pattern(out, row);
        any = true;
    }
    if (any)
        fputs(") ;;\n", out);
}

/* Print a bash command that suggests all options, in lines of at most COLUMNS characters. */
static void print_options(FILE *out, const struct option_table *table, int indent)
{
    int column = fprintf(out, "%*s_%s_words \"$cur\"", indent, "", table->program);
    for (size_t i = 0; i < table->nrows; i++) {
        const struct option_row *row = &table->rows[i];
        const char *equals = option_takes_value(row) && !row->optional ? "=" : "";
        if (column + (int)strlen(row->name) > COLUMNS - (int)sizeof " --= \\") {
            fputs(" \\\n", out);
            column = fprintf(out, "%*s", indent + 3, "");
        }
        column += fprintf(out, " --%s%s", row->name, equals);
    }
    putc('\n', out);
}

static void print_arguments(FILE *out, const struct option_table *table, int indent)
{
    for (const struct option_row *row = table->rows; row < table->rows + table->nrows; row++) {
        const char *equals = !option_takes_value(row) ? "" : row->optional ? "=-" : "=";
        fprintf(out, "%*s'", indent, "");
        /* List the options that cannot be given together with this one. */
        const char *before = "(";
        if (row->letter && !row->action) {
            fprintf(out, "(-%c --%s", row->letter, row->name);
            before = " ";
        }
        for (size_t i = 0; i < table->nrows && !row->action; i++) {
            const struct option_row *other = &table->rows[i];
            if ((!row->excludes || strcmp(row->excludes, other->name) != 0) &&
                (!other->excludes || strcmp(other->excludes, row->name) != 0))
                continue;
            fputs(before, out);
            before = " ";
            if (other->letter)
                fprintf(out, "-%c ", other->letter);
            fprintf(out, "--%s", other->name);
        }
        fputs(row->action ? "(- *)" : *before == ' ' ? ")" : "", out);
        if (row->letter)
            fprintf(out, "'{-%c%s,--%s%s}'", row->letter, *equals ? "+" : "", row->name, equals);
        else
            fprintf(out, "--%s%s", row->name, equals);
        fprintf(out, "[%s]", row->hint ? row->hint : row->help);
        if (*equals) {
            fputs(row->optional ? "::" : ":", out);
            if (row->value_hint)
                fputs(row->value_hint, out);
            else
                for (const char *c = row->value ? row->value : row->name; *c; c++)
                    putc(*c >= 'A' && *c <= 'Z' ? *c | 0x20 : *c, out);
            putc(':', out);
            for (size_t i = 0; offered(row, i); i++)
                fprintf(out, "%s%s", i ? " " : "(", offered(row, i));
            if (offered(row, 0))
                putc(')', out);
            else if (!row->files)
                putc(' ', out);
            else if (*row->files == '/')
                fputs("_directories", out);
            else if (*row->files)
                fprintf(out, "_files -g \"%s(-.)\"", row->files);
            else
                fputs("_files", out);
        }
        fputs("'\n", out);
    }
}

/* Print fish commands that suggest the options and the possible first operands. */
static void print_complete(FILE *out, const struct option_table *table, int indent)
{
    if (table->verb)
        fprintf(out, "%*scomplete -c %s -f -n 'test (count (commandline -opc)) -eq 1' -a '", indent,
                "", table->program);
    for (size_t i = 0; table->verb && table->verb(i); i++)
        fprintf(out, "%s%s", table->verb(i), table->verb(i + 1) ? " " : "'\n");
    for (const struct option_row *row = table->rows; row < table->rows + table->nrows; row++) {
        fprintf(out, "%*scomplete -c %s", indent, "", table->program);
        if (row->letter)
            fprintf(out, " -s %c", row->letter);
        fprintf(out, " -l %s", row->name);
        if (option_takes_value(row) && !row->optional)
            fputs(row->files && *row->files != '/' ? " -r -F" : " -x", out);
        for (size_t i = 0; offered(row, i); i++)
            fprintf(out, "%s%s", i ? " " : " -a '", offered(row, i));
        if (offered(row, 0))
            putc('\'', out);
        else if (row->files && *row->files == '/')
            fputs(" -a '(__fish_complete_directories)'", out);
        fprintf(out, " -d '%s'\n", row->hint ? row->hint : row->help);
    }
}

/* Print the possible first operands as an array, for bash and zsh. */
static void print_verbs(FILE *out, const struct option_table *table, int indent)
{
    fprintf(out, "%*sverbs=(", indent, "");
    for (size_t i = 0; table->verb && table->verb(i); i++)
        fprintf(out, "%s%s", i ? " " : "", table->verb(i));
    fputs(")\n", out);
}

int completion_main(int argc, char **argv, const struct option_table *table)
{
    FILE *in = argc == 3 ? fopen(argv[1], "r") : NULL;
    FILE *out = in ? fopen(argv[2], "w") : NULL;
    if (out) {
        static const struct {
            const char *mark;
            void (*print)(FILE *out, const struct option_table *table, int indent);
        } marks[] = {
            {"@VALUES@\n", print_values},       {"@OPTIONS@\n", print_options},
            {"@ARGUMENTS@\n", print_arguments}, {"@COMPLETE@\n", print_complete},
            {"@VERBS@\n", print_verbs},
        };
        char line[LINE_MAX_BYTES];
        while (fgets(line, sizeof line, in)) {
            size_t i = 0, nmarks = sizeof marks / sizeof *marks, indent = strspn(line, " ");
            while (i < nmarks && strcmp(line + indent, marks[i].mark) != 0)
                i++;
            if (i < nmarks)
                marks[i].print(out, table, (int)indent);
            else
                fputs(line, out);
        }
    }
    bool good = in && out && !ferror(in);
    if (out)
        good = fclose(out) == 0 && good;
    if (in)
        (void)fclose(in);
    if (!good)
        fprintf(stderr, "%s's completion: %s\n", table->program,
                argc == 3 ? strerror(errno) : "expected a template and a file to write");
    return !good;
}
