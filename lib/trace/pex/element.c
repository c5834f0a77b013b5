/* See element.h. */
#include "trace/pex/element.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

bool element_is(const struct element *element, const char *name)
{
    return element->text && strcmp(element->text, name) == 0;
}

const char *element_text(const struct element *element, const char *attribute)
{
    const char *at = element->text, *end = at ? at + element->size : NULL;
    for (at = at ? at + strlen(at) + 1 : NULL; at < end;) {
        const char *value = at + strlen(at) + 1;
        if (strcmp(at, attribute) == 0)
            return value;
        at = value + strlen(value) + 1;
    }
    return NULL;
}

bool element_number(const struct element *element, const char *attribute, uint64_t *out)
{
    const char *text = element_text(element, attribute);
    return text && number_parse(text, out);
}

bool element_ticks(const struct element *element, const char *attribute, int64_t *out)
{
    const char *text = element_text(element, attribute);
    uint64_t size = 0;
    bool negative = text && *text == '-';
    bool infinite = text && strcmp(text + negative, "inf") == 0;
    bool good =
        infinite || (text && number_parse(text + negative, &size) && size <= (uint64_t)INT64_MAX);
    if (infinite)
        *out = negative ? INT64_MIN : INT64_MAX;
    else if (good)
        *out = negative ? -(int64_t)size : (int64_t)size;
    return good;
}

bool element_fraction(const struct element *element, const char *attribute, csy_fraction *out)
{
    const char *text = element_text(element, attribute);
    return text && fraction_parse(text, INT64_MAX, out);
}

bool element_says(const struct element *element, const char *attribute, const char *text)
{
    const char *found = element_text(element, attribute);
    return found && strcmp(found, text) == 0;
}

bool element_keep(struct element *to, const struct element *element)
{
    char *text = malloc(element->size);
    if (!text)
        return false;
    memcpy(text, element->text, element->size);
    element_fini(to);
    *to = *element;
    to->text = text;
    return true;
}

void element_fini(struct element *element)
{
    free(element->text);
    *element = (struct element){.text = NULL};
}
