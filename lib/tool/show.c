/* See show.h. */
#include "tool/show.h"

#include <cellsync/cellsync.h>

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#ifdef __APPLE__
#include <xlocale.h>
#endif

/* Returns true if the environment's locale uses UTF-8. The program's locale does not change. */
static bool find_utf8(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (!locale) {
        static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
        for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
            const char *value = getenv(variables[i]);
            if (!value || !*value)
                continue;
            const char *dot = strchr(value, '.');
            return dot && (strncasecmp(dot, ".utf-8", 6) == 0 || strncasecmp(dot, ".utf8", 5) == 0);
        }
        return false;
    }
    bool utf8 = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    freelocale(locale);
    return utf8;
}

bool show_is_utf8(void)
{
    static int known = -1;
    if (known < 0)
        known = find_utf8();
    return known;
}

char *show_name(char *text, FILE *stream)
{
    return isatty(fileno(stream)) && show_is_utf8() ? csy_unescape(text) : text;
}
