/* See usage.h. */
#include "tool/usage.h"

#include "base/near.h"

#include <cellsync/cellsync.h>
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

enum { WRITTEN_MAX = 64, VISIBLE_MAX = 128, COMPLAINT_MAX = 1024 };

char *(*usage_show)(char *text, FILE *stream);

const char *usage_visible(const char *text)
{
    static char shown[VISIBLE_MAX];
    csy_escape(shown, sizeof shown, text);
    return shown;
}

bool usage_complain(const char *program, const char *format, ...)
{
    char text[COMPLAINT_MAX];
    va_list args;
    va_start(args, format);
    /* va_start is above: NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (usage_show)
        usage_show(text, stderr);
    fprintf(stderr, "%s: %s\n%s: try '%s --help'\n", program, text, program, program);
    return false;
}

int usage_choose(const char *program, const char *what, const char *text, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    fprintf(stderr, "%s: %s: '%s': expected one of", program, what, usage_visible(text));
    for (int i = 0; words[i]; i++)
        fprintf(stderr, "%s %s", i ? "," : "", words[i]);
    const char *near = near_word(text, words);
    if (near)
        fprintf(stderr, "; did you mean %s?", near);
    fprintf(stderr, "\n%s: try '%s --help'\n", program, program);
    return -1;
}

static const struct option *known_option(const struct option *options, int value)
{
    for (const struct option *option = options; option->name; option++)
        if (option->val == value)
            return option;
    return NULL;
}

void usage_refuse(const char *program, const struct option *options, int answer,
                  const char *written)
{
    const struct option *known = optopt ? known_option(options, optopt) : NULL;
    char shown[WRITTEN_MAX], name[WRITTEN_MAX] = "";
    if (answer == ':' && known) {
        usage_complain(program, "--%s requires a value", known->name);
    } else if (known) {
        usage_complain(program, "--%s takes no value", known->name);
    } else if (optopt == 0) { /* the option is unknown, or its name is the begin of several names */
        const char *all[OPTIONS_MAX + 1] = {NULL}, *begun[OPTIONS_MAX + 1] = {NULL};
        size_t nbegun = 0, dashes = strspn(written, "-"), length = strcspn(written + dashes, "=");
        strncat(name, written + dashes, length < WRITTEN_MAX ? length : WRITTEN_MAX - 1);
        csy_escape(shown, sizeof shown, name);
        for (size_t i = 0; i < OPTIONS_MAX && options[i].name; i++) {
            all[i] = options[i].name;
            if (strncmp(all[i], name, strlen(name)) == 0)
                begun[nbegun++] = all[i];
        }
        const char *near = near_word(name, all);
        if (nbegun > 1 && *name) {
            fprintf(stderr, "%s: --%s may be", program, shown);
            for (size_t i = 0; begun[i]; i++)
                fprintf(stderr, "%s --%s", i == 0 ? "" : begun[i + 1] ? "," : " or", begun[i]);
            fprintf(stderr, "\n%s: try '%s --help'\n", program, program);
        } else if (near)
            usage_complain(program, "unknown option --%s; did you mean --%s?", shown, near);
        else
            usage_complain(program, "unknown option --%s", shown);
    } else {
        int other = isupper(optopt) ? tolower(optopt) : toupper(optopt);
        const struct option *near = known_option(options, other);
        name[0] = (char)optopt;
        csy_escape(shown, sizeof shown, name);
        if (near)
            usage_complain(program, "unknown option -%s; did you mean -%c?", shown, near->val);
        else
            usage_complain(program, "unknown option -%s", shown);
    }
}
