/* Whether a file is text of one byte a letter, and what else a shell is told of it. */
#include "trace/csv/csv_header.h"

#include "base/ascii.h"
#include "base/error.h"

#include <string.h>

static const char *shell_name(const char *file, char buffer[ERROR_ESCAPED_MAX])
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";
    if (*file == '-' || strlen(file) > ERROR_ESCAPED_MAX - 8)
        return "FILE";
    if (file[strspn(file, plain)] == 0)
        return file;
    for (const char *p = file; *p; p++)
        if (!ascii_is_print(*p) || *p == '\'')
            return "FILE";
    snprintf(buffer, ERROR_ESCAPED_MAX, "'%s'", file);
    return buffer;
}

const char *csv_shell_input(const char *file, bool packed, const char *program,
                            char buffer[CSV_SHELL_MAX])
{
    char name[ERROR_ESCAPED_MAX];
    bool piped = strcmp(file, "-") == 0;
    const char *from = piped ? "" : " <", *shown = piped ? "" : shell_name(file, name);
    if (packed && !*program)
        snprintf(buffer, CSV_SHELL_MAX, "gzip -dc%s%s", from, shown);
    else if (packed)
        snprintf(buffer, CSV_SHELL_MAX, "gzip -dc%s%s | %s", from, shown, program);
    else if (*program)
        snprintf(buffer, CSV_SHELL_MAX, "%s%s%s", program, from, shown);
    else
        snprintf(buffer, CSV_SHELL_MAX, "cat%s%s", piped ? "" : " ", shown);
    return buffer;
}

csy_status csv_header_check_text(const uint8_t *head, size_t size, const char *file, bool packed,
                                 csy_error *error)
{
    char program[64], shell[CSV_SHELL_MAX];
    const char *found = NULL;
    if (size >= 4 && (memcmp(head, "\xff\xfe\0", 4) == 0 || memcmp(head, "\0\0\xfe\xff", 4) == 0))
        found = "UTF-32";
    else if (size >= 2 && (memcmp(head, "\xff\xfe", 2) == 0 || memcmp(head, "\xfe\xff", 2) == 0))
        found = "UTF-16";
    else if (size >= 4 && head[0] && !head[1] && head[2] && !head[3])
        found = "UTF-16LE";
    else if (size >= 4 && !head[0] && head[1] && !head[2] && head[3])
        found = "UTF-16BE";
    if (!found)
        return CSY_OK;
    snprintf(program, sizeof program, "iconv -f %s -t UTF-8", found);
    return error_set(error, CSY_INPUT, "%s: line 1: want UTF-8, found %s: %s | cellsync -", file,
                     found, csv_shell_input(file, packed, program, shell));
}
