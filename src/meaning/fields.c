/* Where events have what their fields hold. */
#include "meaning/fields.h"

#include <string.h>

void columns_init(struct columns *columns, csy_events *events, enum carried carried)
{
    const char *name;
    columns->carried = carried;
    columns->state = columns->values = columns->node = columns->cell = NO_COLUMN;
    for (size_t role = 0; role < FIELD_ROLES; role++)
        columns->of_roles[role] = NO_COLUMN;
    if (carried != CARRIED_ROWS)
        return;
    for (uint32_t i = 0; (name = csy_events_field_name(events, 0, i)) != NULL; i++) {
        size_t role = word_find(field_words, name);
        if (strcmp(name, "values") == 0)
            columns->values = i;
        else if (strcmp(name, "node") == 0)
            columns->node = i;
        else if (strcmp(name, "cell") == 0)
            columns->cell = i;
        else if (role == FIELD_STATE)
            columns->state = i;
        else if (role != FIELD_UNSAID && role < FIELD_ROLES)
            columns->of_roles[role] = i;
    }
}

/* A value or column of that name, or NO_COLUMN. */
static uint32_t find_name(csy_events *events, const csy_decoded *event, const char *name)
{
    for (uint32_t i = 0; name && i < event->nfields; i++) {
        const char *found = csy_events_field_name(events, event->id, i);
        if (found && strcmp(found, name) == 0)
            return i;
    }
    return NO_COLUMN;
}

static void add_one(struct field_at *at, const struct columns *columns,
                    const struct field_rule *rule, uint32_t position, csy_events *events,
                    const csy_decoded *event)
{
    at->of = at->of == OF_UNSAID ? rule->of : at->of;
    at->unit = at->unit == 0 ? rule->unit : at->unit;
    if (at->where == AT_VALUE || at->where == AT_COLUMN)
        return;
    uint32_t place = rule->place;
    if (place == RULE_NO_PLACE && columns->carried != CARRIED_NOTHING)
        place = find_name(events, event, rule->name);
    if (place != NO_COLUMN && columns->carried == CARRIED_NOTHING) {
        at->where = AT_WORD;
        at->place = place;
    } else if (place != NO_COLUMN) {
        at->where = columns->carried == CARRIED_RECORDS ? AT_VALUE : AT_COLUMN;
        at->place = place;
    } else if (columns->carried != CARRIED_RECORDS && !at->names[1]) {
        at->place = at->where == AT_NOWHERE ? position : at->place;
        at->where = AT_WORD;
        at->names[at->names[0] ? 1 : 0] = rule->name;
    }
}

/* Words without names are in the order of a rule's fields, of which several may be names of one. */
void fields_add(struct fields *fields, const struct columns *columns, const struct rule *rule,
                csy_events *events, const csy_decoded *event)
{
    uint32_t position = 0;
    for (size_t i = 0; i < rule->nfields; i++) {
        const struct field_rule *field = &rule->fields[i];
        bool same = i > 0 && field->role != FIELD_UNSAID && field->role == rule->fields[i - 1].role;
        position += i > 0 && !same;
        if (field->role != FIELD_UNSAID)
            add_one(&fields->at[field->role], columns, field, position, events, event);
    }
}

void fields_finish(struct fields *fields, const struct columns *columns)
{
    for (size_t role = 0; role < FIELD_ROLES; role++)
        if (columns->of_roles[role] != NO_COLUMN && fields->at[role].where != AT_COLUMN) {
            fields->at[role].where = AT_COLUMN;
            fields->at[role].place = columns->of_roles[role];
        }
}

/* The word of a field: NAME=VALUE, or the one in its place where words have no names. */
static bool find_word(const struct field_at *at, const char *text, size_t size, csy_text *out)
{
    uint32_t position = 0;
    for (size_t i = 0, end; i < size; i = end, position++) {
        while (i < size && text[i] == ' ')
            i++;
        for (end = i; end < size && text[end] != ' ';)
            end++;
        const char *named = memchr(text + i, '=', end - i);
        size_t name = named ? (size_t)(named - text) - i : 0;
        for (size_t k = 0; named && k < 2 && at->names[k]; k++)
            if (strlen(at->names[k]) == name && memcmp(text + i, at->names[k], name) == 0) {
                *out = (csy_text){named + 1, end - i - name - 1};
                return true;
            }
        if (!named && position == at->place && end > i) {
            *out = (csy_text){text + i, end - i};
            return true;
        }
    }
    return false;
}

bool fields_text(const struct field_at *at, const struct columns *columns, const csy_decoded *event,
                 csy_text *out)
{
    bool rows = columns->carried == CARRIED_ROWS;
    if (at->where == AT_COLUMN) {
        if (!event->texts || at->place >= event->nfields || event->texts[at->place].size == 0)
            return false;
        *out = event->texts[at->place];
        return true;
    }
    if (at->where != AT_WORD)
        return false;
    if (!rows)
        return event->bytes && find_word(at, (const char *)event->bytes, event->size, out);
    return event->texts && columns->values < event->nfields &&
           find_word(at, event->texts[columns->values].bytes, event->texts[columns->values].size,
                     out);
}

static bool read_number(csy_text text, uint64_t *out)
{
    bool below = text.size > 0 && text.bytes[0] == '-';
    size_t i = below ? 1 : 0;
    bool hex = text.size >= i + 3 && text.bytes[i] == '0' && text.bytes[i + 1] == 'x';
    uint64_t value = 0, base = hex ? 16 : 10;
    i += hex ? 2 : 0;
    if (i == text.size)
        return false;
    for (; i < text.size; i++) {
        char c = text.bytes[i];
        uint64_t digit = c >= '0' && c <= '9'          ? (uint64_t)(c - '0')
                         : hex && c >= 'a' && c <= 'f' ? (uint64_t)(c - 'a') + 10
                         : hex && c >= 'A' && c <= 'F' ? (uint64_t)(c - 'A') + 10
                                                       : base;
        if (digit == base || __builtin_mul_overflow(value, base, &value) ||
            __builtin_add_overflow(value, digit, &value))
            return false;
    }
    *out = below ? -value : value;
    return true;
}

bool fields_number(const struct field_at *at, const struct columns *columns,
                   const csy_decoded *event, uint64_t *out)
{
    csy_text text;
    if (at->where != AT_VALUE)
        return fields_text(at, columns, event, &text) && read_number(text, out);
    if (!event->values || at->place >= event->nfields)
        return false;
    *out = event->values[at->place];
    return true;
}
