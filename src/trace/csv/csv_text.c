/* Whether a file is text of one byte a letter, and what else a shell is told of it. */
#include "trace/csv/csv_header.h"

#include "base/ascii.h"
#include "base/error.h"

#include <string.h>

const char *csv_shell_name(const char *file, char buffer[ERROR_ESCAPED_MAX])
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

csy_status csv_header_check_text(const uint8_t *head, size_t size, const char *file,
                                 csy_error *error)
{
    char shell[ERROR_ESCAPED_MAX];
    const char *found = NULL;
    bool piped = strcmp(file, "-") == 0;
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
    return error_set(
        error, CSY_INPUT, "%s: line 1: want UTF-8, found %s: iconv -f %s -t UTF-8%s%s | cellsync -",
        file, found, found, piped ? "" : " ", piped ? "" : csv_shell_name(file, shell));
}
