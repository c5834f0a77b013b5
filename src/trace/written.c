/* Formats that are written only, by how their files begin. */
#include "trace/written.h"

#include "base/ascii.h"
#include "base/error.h"

#include <string.h>

/* What is left of a head. */
struct rest {
    const uint8_t *at, *end;
};

static bool begins(struct rest rest, const char *text)
{
    size_t size = strlen(text);
    return (size_t)(rest.end - rest.at) >= size && ascii_same((const char *)rest.at, text, size);
}

static void skip_blanks(struct rest *rest)
{
    /* Bytes, no string: NOLINTNEXTLINE(bugprone-not-null-terminated-result) */
    while (rest->at < rest->end && memchr(" \t\r\n", *rest->at, 4))
        rest->at++;
}

/* An object with a member, or an array of objects: no header of a CSV has that. */
static bool is_json(struct rest rest)
{
    skip_blanks(&rest);
    if (rest.at == rest.end || (*rest.at != '{' && *rest.at != '['))
        return false;
    uint8_t next = *rest.at++ == '{' ? '"' : '{';
    skip_blanks(&rest);
    return rest.at < rest.end && *rest.at == next;
}

/* A field 1 with its length, within which there are bytes that no text has, and after it another
 * one: a line break is that field's tag, too. */
static bool is_perfetto(struct rest rest)
{
    size_t size = 0;
    bool more = true, binary = false;
    if (!begins(rest, "\n"))
        return false;
    rest.at++;
    for (unsigned shift = 0; more && rest.at < rest.end && shift < 28; shift += 7) {
        size |= (size_t)(*rest.at & 0x7f) << shift;
        more = *rest.at++ >> 7;
    }
    for (; !more && size > 0 && rest.at < rest.end; size--) {
        binary |= *rest.at < '\t';
        rest.at++;
    }
    return !more && binary && (rest.at == rest.end || *rest.at == '\n');
}

static bool is_text_report(struct rest rest)
{
    const uint8_t *line;
    if (!begins(rest, "trace       "))
        return false;
    line = memchr(rest.at, '\n', (size_t)(rest.end - rest.at));
    return line && begins((struct rest){line, rest.end}, "\nrecords ");
}

static bool is_table(struct rest rest)
{
    if (!begins(rest, "%"))
        return false;
    rest.at++;
    return begins(rest, " error bounds in ") || begins(rest, " event errors in ");
}

static const char json[] = "JSON";

static const char *find(struct rest rest)
{
    return is_json(rest)                                                ? json
           : is_perfetto(rest)                                          ? "a Perfetto trace"
           : begins(rest, "<!doctype html") || begins(rest, "<html")    ? "an HTML page"
           : begins(rest, "digraph ") || begins(rest, "graph bounds {") ? "a graph for dot"
           : is_table(rest)                                             ? "a table for TeX"
           : is_text_report(rest)                                       ? "a text report"
                                                                        : NULL;
}

csy_status written_refuse(const struct head *head, csy_error *error)
{
    const char *what = find((struct rest){head->bytes, head->bytes + head->size});
    if (what && strcmp(what, json) == 0) /* which other programs write, too */
        return error_set(error, CSY_INPUT,
                         "%s: this is JSON, which cannot be read; convert it to CSV, see pex(5)",
                         head->name);
    return what ? error_set(error, CSY_INPUT,
                            "%s: this is %s, which is written only and not read: give the trace "
                            "that it was made of",
                            head->name, what)
                : CSY_OK;
}
