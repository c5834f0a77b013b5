/* Finds the meanings of the events of a trace (meaning/event_kinds.h). */
#include "meaning/event_kinds.h"

#include "base/array.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/near.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --- Where fields are in events ------------------------------------------------------------- */

/* Add the fields of a rule, unless they are known. Unnamed words of an event are matched with
 * fields by their order. Adjacent fields with the same role are alternative names of one word. */
static void fields_add(struct fields *fields, const struct rule *rule, csy_events *events,
                       const csy_decoded *event)
{
    uint32_t position = 0;
    for (size_t i = 0; i < rule->nfields; i++) {
        const struct field_rule *field = &rule->fields[i];
        bool same = i > 0 && field->role != FIELD_UNSAID && field->role == rule->fields[i - 1].role;
        position += i > 0 && !same;
        if (field->role == FIELD_UNSAID)
            continue;
        struct field_at *at = &fields->at[field->role];
        at->of = at->of == OF_UNSAID ? field->of : at->of;
        at->unit = at->unit == 0 ? field->unit : at->unit;
        if (at->where == AT_VALUE || at->where == AT_COLUMN)
            continue;
        enum field_where where = event->values ? AT_VALUE : event->texts ? AT_COLUMN : AT_WORD;
        uint32_t place = field->place;
        for (uint32_t k = 0; place == RULE_NO_PLACE && field->name && k < event->nfields; k++) {
            const char *name = csy_events_field_name(events, event->id, k);
            place = name && strcmp(name, field->name) == 0 ? k : place;
        }
        if (place != RULE_NO_PLACE) {
            at->where = where;
            at->place = place;
        } else if (where != AT_VALUE && !at->names[1]) {
            at->place = at->where == AT_NOWHERE ? position : at->place;
            at->where = AT_WORD;
            at->names[at->names[0] ? 1 : 0] = field->name;
        }
    }
}

/* Find the word NAME=VALUE with a name of the field, or an unnamed word at the field's place. */
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
    if (at->where == AT_COLUMN) {
        if (!event->texts || at->place >= event->nfields || event->texts[at->place].size == 0)
            return false;
        *out = event->texts[at->place];
        return true;
    }
    if (at->where != AT_WORD)
        return false;
    if (!event->texts)
        return event->bytes && find_word(at, (const char *)event->bytes, event->size, out);
    return columns->values < event->nfields && find_word(at, event->texts[columns->values].bytes,
                                                         event->texts[columns->values].size, out);
}

bool fields_number(const struct field_at *at, const struct columns *columns,
                   const csy_decoded *event, uint64_t *out)
{
    csy_text text;
    if (at->where == AT_VALUE && event->values && at->place < event->nfields)
        *out = event->values[at->place];
    if (at->where == AT_VALUE)
        return event->values && at->place < event->nfields;
    if (!fields_text(at, columns, event, &text))
        return false;
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

/* Routines are remembered for at most this number of addresses. */
enum { ADDRESSES_MAX = 1 << 20 };

static const char other[] = "other";

bool routines_name(struct routines *routines, const char *name, size_t size, uint32_t *out)
{
    bool added;
    if (routines->keys.count + 1 >= ROUTINES_MAX && !texts_look(&routines->keys, name, size, out)) {
        name = other;
        size = sizeof other - 1;
    }
    return texts_find(&routines->keys, name, size, out, &added) &&
           ARRAY_EXTEND_ZERO(routines->items, routines->count, routines->capacity,
                             routines->keys.count);
}

static bool routines_address(struct routines *routines, uint64_t address,
                             const struct symbol *symbol, csy_text text, uint32_t *out)
{
    char *key = NULL; /* name of the symbol, and its source file if known */
    if (symbol) {
        size_t name = strlen(symbol->name), file = symbol->file ? strlen(symbol->file) + 1 : 0;
        key = malloc(name + file + 1);
        if (!key)
            return false;
        memcpy(key, symbol->name, name + 1);
        if (file > 0)
            memcpy(key + name + 1, symbol->file, file - 1);
        text = (csy_text){key, name + file};
    }
    uint32_t index;
    bool added, good = routines_name(routines, text.bytes, text.size, out);
    free(key);
    struct routine *routine = good ? &routines->items[*out] : NULL;
    if (good && symbol && routines->keys.items[*out].size == text.size && !routine->name)
        *routine = (struct routine){symbol->name, symbol->file, symbol->line};
    if (!good || routines->addresses.count >= ADDRESSES_MAX)
        return good;
    if (!keys_find(&routines->addresses, address, &index, &added) ||
        !ARRAY_RESERVE(routines->of_addresses, routines->addresses_capacity,
                       routines->addresses.count))
        return false;
    routines->of_addresses[index] = *out;
    return true;
}

const char *routines_text(const struct routines *routines, uint32_t routine, size_t *size)
{
    const struct text_item *key = &routines->keys.items[routine];
    const char *name = routines->items[routine].name;
    *size = name ? strlen(name) : key->size;
    return name ? name : routines->keys.bytes + key->at;
}

enum {
    NAME_MAX_BYTES = 256,
    LEAF_BYTES = 512,
    LEAF_VALUES = 4,
    LEAVES_MAX = 65536,
    STATE_NAMES_MAX = 256
};

_Static_assert(NAME_MAX_BYTES + LEAF_VALUES * (VALUE_TEXT_MAX + 1) < LEAF_BYTES,
               "a leaf has room for values");

static void warn(struct csy_trace *trace, const struct rules_fault *fault)
{
    if (fault->text[0] && trace->nwarnings < TRACE_WARNINGS_MAX)
        snprintf(trace->warnings[trace->nwarnings++], CSV_WARNING_MAX, "line %ld: %.200s",
                 fault->line, fault->text);
}

const struct rules *event_kinds_document(const struct event_kinds *event_kinds, size_t i)
{
    size_t files = event_kinds->meaning->count - 1;
    return i < files        ? &event_kinds->meaning->documents[files - i]
           : i == files     ? &event_kinds->own
           : i == files + 1 ? &event_kinds->meaning->documents[0]
                            : NULL;
}

/* Returns the state with this name, or STATE_UNSAID if there is none. Letter case is ignored. */
static enum state find_state(const struct event_kinds *event_kinds, const char *name, size_t size)
{
    const struct rules *rules;
    for (size_t d = 0; (rules = event_kinds_document(event_kinds, d)) != NULL; d++)
        for (size_t i = 0; i < rules->nstates; i++)
            if (strlen(rules->states[i].name) == size &&
                ascii_same(name, rules->states[i].name, size))
                return rules->states[i].state;
    for (unsigned i = 0; i < STATES; i++)
        if (strlen(state_words[i]) == size && ascii_same(name, state_words[i], size))
            return (enum state)i;
    return STATE_UNSAID;
}

/* Check that named states are defined: an error in a document, but a warning in the trace. */
static csy_status check_states(const struct event_kinds *event_kinds, csy_error *error)
{
    const struct rules *rules;
    for (size_t d = 0; (rules = event_kinds_document(event_kinds, d)) != NULL; d++)
        for (size_t i = 0; i < rules->count; i++) {
            const char *state = rules->items[i].state;
            struct rules_fault fault = {.line = rules->items[i].line};
            char name[ERROR_ESCAPED_MAX];
            if (!state || find_state(event_kinds, state, strlen(state)) != STATE_UNSAID)
                continue;
            const char *words[STATE_NAMES_MAX + 1] = {NULL};
            size_t n = 0;
            for (size_t e = 0; event_kinds_document(event_kinds, e); e++) {
                const struct rules *named = event_kinds_document(event_kinds, e);
                for (size_t k = 0; k < named->nstates && n < STATE_NAMES_MAX; k++)
                    words[n++] = named->states[k].name;
            }
            for (size_t k = 0; k < STATES && n < STATE_NAMES_MAX; k++)
                words[n++] = state_words[k];
            const char *nearest = near_word(state, words);
            snprintf(fault.text, sizeof fault.text,
                     "recordType state=\"%.100s\": no state has that name%s%.100s%s",
                     error_escape(name, state, strlen(state)), nearest ? ", did you mean '" : "",
                     nearest ? nearest : "", nearest ? "'?" : "");
            if (rules->name)
                return error_set(error, CSY_INPUT, "%s: line %ld: %s", rules->name, fault.line,
                                 fault.text);
            warn(event_kinds->trace, &fault);
        }
    return CSY_OK;
}

csy_status event_kinds_init(struct event_kinds *event_kinds, struct csy_trace *trace,
                            const struct csy_meaning *meaning, csy_events *events, csy_error *error)
{
    *event_kinds = (struct event_kinds){.trace = trace, .meaning = meaning};
    event_kinds->by_id = calloc(2 * (size_t)EVENT_KINDS_IDS, sizeof *event_kinds->by_id);
    if (!event_kinds->by_id)
        return error_memory(error);
    const char *name;
    struct columns *columns = &event_kinds->columns;
    columns->state = columns->values = columns->node = columns->cell = NO_COLUMN;
    for (size_t role = 0; role < FIELD_ROLES; role++)
        columns->of_roles[role] = NO_COLUMN;
    /* For UINT_MAX, which is no type's id, the names of all CSV columns are returned. */
    for (uint32_t i = 0; (name = csy_events_field_name(events, UINT_MAX, i)) != NULL; i++) {
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
    const struct said_meanings *said = event_kinds->trace->meanings;
    struct rules_fault fault = {0};
    uint32_t last = RULE_NO_ID;
    for (size_t i = 0; i < said->count; i++) {
        const struct said_meaning *item = &said->items[i];
        struct element none = {.text = unconst("recordType"), .size = sizeof "recordType"};
        if (item->field == SAID_STATE) {
            rules_add_state(&event_kinds->own, &item->element, &fault);
            continue;
        }
        if (item->field == SAID_PLACE || item->field == SAID_TOPOLOGY) {
            (item->field == SAID_PLACE ? rules_add_place : rules_add_topology)(
                &event_kinds->own, &item->element, &fault);
            continue;
        }
        const char *before = i > 0 ? item[-1].type : NULL;
        bool same_type =
            item->type && before ? strcmp(item->type, before) == 0 : item->type == before;
        bool same = i > 0 && item->id == last && same_type;
        if (item->field != SAID_TYPE && !same)
            rules_add_type(&event_kinds->own, &none, item->id, &fault);
        last = item->id;
        if (item->field == SAID_TYPE)
            rules_add_type(&event_kinds->own, &item->element, item->id, &fault);
        if (item->type && (item->field == SAID_TYPE || !same))
            rules_name_type(&event_kinds->own, item->type, &fault);
        if (item->field != SAID_TYPE)
            rules_add_field(&event_kinds->own, &item->element, item->field, &fault);
    }
    warn(event_kinds->trace, &fault);
    if (fault.no_memory || !rules_seal(&event_kinds->own))
        return error_memory(error);
    csy_status status =
        symbol_files_read(&event_kinds->files, event_kinds->trace, event_kinds->trace->name,
                          event_kinds->trace->symbols, &event_kinds->addresses, error);
    return status ? status : check_states(event_kinds, error);
}

void event_kinds_fini(struct event_kinds *event_kinds)
{
    rules_fini(&event_kinds->own);
    texts_fini(&event_kinds->classes);
    texts_fini(&event_kinds->loops);
    texts_fini(&event_kinds->names);
    texts_fini(&event_kinds->routines.keys);
    keys_fini(&event_kinds->routines.addresses);
    texts_fini(&event_kinds->leaves);
    addresses_fini(&event_kinds->addresses);
    symbol_files_fini(&event_kinds->files);
    FREE_ALL(event_kinds->items, event_kinds->fields, event_kinds->by_id,
             event_kinds->routines.items, event_kinds->routines.of_addresses);
}

static bool may_wait(enum role role)
{
    return role == ROLE_WAIT || role == ROLE_SEND || role == ROLE_RECV || role == ROLE_COLLECTIVE ||
           role == ROLE_TRANSFER || role == ROLE_ACQUIRE || role == ROLE_BARRIER;
}

/* Find the routine of events that do not name it: the event's name without a suffix such as _ENTRY
 * or _EXIT. If the name is only EXIT, it is the innermost routine. */
static bool name_block(struct event_kinds *event_kinds, const char *name, const char *routine,
                       const char *block, struct event_kind *out)
{
    name = block ? block : name;
    size_t whole = strlen(name), size = block ? whole : name_stem(name, whole, NULL);
    bool joins = block || size < whole;
    if (!joins && routine) {
        name = routine;
        size = strlen(name);
    } else if (!joins && out->role == ROLE_EXIT) {
        return true;
    }
    if (!routines_name(&event_kinds->routines, name, size, &out->routine))
        return false;
    if (routine && !event_kinds->routines.items[out->routine].name)
        event_kinds->routines.items[out->routine].name = routine;
    return true;
}

/* Mark events of this kind as waits. `class` is the name of the kind of waiting; NULL means
 * "other". */
static bool add_class(struct event_kinds *event_kinds, const char *class, struct event_kind *out)
{
    bool added;
    if (out->state == STATE_UNSAID)
        out->state = STATE_BLOCKED;
    class = class ? class : "other";
    return texts_find(&event_kinds->classes, class, strlen(class), &out->class, &added);
}

static bool look_up(struct event_kinds *event_kinds, csy_events *events, const csy_decoded *event,
                    const char *name, struct event_kind *out, struct fields *fields)
{
    const struct rules *rules;
    const char *class = NULL, *state = NULL, *routine = NULL, *block = NULL;
    bool stall = false, active = false, calls = false, added;
    *out = (struct event_kind){.role = ROLE_UNSAID,
                               .state = STATE_UNSAID,
                               .class = NO_TEXT,
                               .task = EVENT_KIND_NO_FIELD,
                               .loop = NO_TEXT,
                               .routine = NO_TEXT,
                               .kind = (uint32_t)event_kinds->count};
    *fields = (struct fields){0};
    for (size_t d = 0; (rules = event_kinds_document(event_kinds, d)) != NULL; d++) {
        uint32_t id = event->values ? event->id : RULE_NO_ID;
        const struct rule *rule;
        for (struct rules_found found = rules_find(rules, id, name);
             (rule = rules_next(&found)) != NULL;) {
            /* the role "call" in an earlier rule takes precedence over rule->stall */
            stall |= rule->stall && out->role != ROLE_CALL;
            active |= rule->active;
            calls |= rule->call;
            if (out->role == ROLE_UNSAID)
                out->role = rule->role;
            class = class ? class : rule->class;
            state = state ? state : rule->state;
            routine = routine ? routine : rule->routine;
            block = block ? block : rule->block;
            fields_add(fields, rule, events, event);
        }
    }
    /* a CSV column that is named like a role of fields takes precedence over words in a text */
    for (size_t role = 0; role < FIELD_ROLES; role++) {
        uint32_t column = event_kinds->columns.of_roles[role];
        if (column != NO_COLUMN && fields->at[role].where != AT_COLUMN) {
            fields->at[role].where = AT_COLUMN;
            fields->at[role].place = column;
        }
    }
    if (fields->at[FIELD_TASK].where == AT_VALUE)
        out->task = fields->at[FIELD_TASK].place;
    out->timed = fields->at[FIELD_USER_NS].where != AT_NOWHERE &&
                 fields->at[FIELD_SYSTEM_NS].where != AT_NOWHERE;
    if (out->role == ROLE_UNSAID)
        out->role = event->interval && event_kinds->trace->source->calls ? ROLE_CALL
                    : stall                                              ? ROLE_WAIT
                                                                         : ROLE_MARK;
    if (state)
        out->state = find_state(event_kinds, state, strlen(state));
    if (out->role == ROLE_CALL && stall && !add_class(event_kinds, class, out))
        return false;
    bool brackets = out->role == ROLE_ENTER || out->role == ROLE_EXIT;
    out->calls = out->role == ROLE_CALL || (calls && !brackets);
    if (out->calls || brackets) {
        bool good = name_block(event_kinds, name, routine, block, out);
        if (!good || brackets || out->role == ROLE_CALL)
            return good;
    }
    if (out->role == ROLE_LOOP || out->role == ROLE_LOOP_ENTER || out->role == ROLE_LOOP_EXIT) {
        class = class ? class : "other";
        return texts_find(&event_kinds->loops, class, strlen(class), &out->loop, &added);
    }
    return !may_wait(out->role) || active || add_class(event_kinds, class, out);
}

static bool add_kind(struct event_kinds *event_kinds, csy_events *events, const csy_decoded *event,
                     uint32_t *index)
{
    char name[NAME_MAX_BYTES]; /* possibly truncated */
    snprintf(name, sizeof name, "%.*s",
             (int)(event->name_size < NAME_MAX_BYTES ? event->name_size : NAME_MAX_BYTES - 1),
             event->name);
    if (!ARRAY_RESERVE(event_kinds->items, event_kinds->capacity, event_kinds->count + 1) ||
        !ARRAY_RESERVE(event_kinds->fields, event_kinds->fields_capacity, event_kinds->count + 1))
        return false;
    struct event_kind *event_kind = &event_kinds->items[event_kinds->count];
    if (!look_up(event_kinds, events, event, name, event_kind,
                 &event_kinds->fields[event_kinds->count]))
        return false;
    bool switches =
        event->core == CSY_CORE_PPE && (event->id == ID_SWITCH_IN || event->id == ID_SWITCH_OUT);
    event_kind->plain = event->values && !switches && !event_kind->timed &&
                        event_kind->role != ROLE_START && event_kind->role != ROLE_STOP &&
                        event_kind->role != ROLE_CREATE && event_kind->role != ROLE_SUSPEND &&
                        event_kind->role != ROLE_RESUME;
    *index = (uint32_t)event_kinds->count++;
    return true;
}

bool event_kinds_find(struct event_kinds *event_kinds, csy_events *events, const csy_decoded *event,
                      struct event_kind *out)
{
    uint32_t index, *known = NULL;
    bool added = false;
    if (event->values) {
        known =
            &event_kinds->by_id[(event->core == CSY_CORE_SPE ? EVENT_KINDS_IDS : 0) + event->id];
        added = *known == 0;
        index = *known - 1;
    } else if (!texts_find(&event_kinds->names, event->name_size > 0 ? event->name : "",
                           event->name_size, &index, &added)) {
        return false;
    }
    if (added && !add_kind(event_kinds, events, event, &index))
        return false;
    if (known)
        *known = index + 1;
    *out = event_kinds->items[index];
    if (event_kinds->columns.state < event->nfields && event->texts) {
        csy_text text = event->texts[event_kinds->columns.state];
        enum state said = find_state(event_kinds, text.bytes, text.size);
        if (said != STATE_UNSAID) {
            out->state = said;
            out->role = ROLE_STATE;
        }
    }
    return true;
}

/* Returns true if a text is a hexadecimal address, such as the address of a routine in a CSV. */
static bool is_address(const char *text, size_t size, uint64_t *out)
{
    char number[32];
    if (size < 3 || size >= sizeof number || text[0] != '0' || text[1] != 'x')
        return false;
    memcpy(number, text, size);
    number[size] = 0;
    return number_parse(number, out);
}

/* Returns the symbol from --symbols at the address that a text contains, or NULL. */
static const struct symbol *find_given(const struct event_kinds *event_kinds, csy_text text,
                                       uint64_t *address)
{
    const struct symbols *given = &event_kinds->meaning->symbols;
    return given->count > 0 && is_address(text.bytes, text.size, address)
               ? symbols_find(given, *address)
               : NULL;
}

/* The name comes from the first document that has a symbol at the address. */
static bool name_address(struct event_kinds *event_kinds, uint64_t address, uint32_t *out)
{
    char room[ADDRESS_ROOM];
    const struct rules *rules;
    const struct symbol *symbol = NULL;
    uint64_t in_file;
    *out = routines_known(&event_kinds->routines, address);
    if (*out != NO_TEXT)
        return true;
    for (size_t d = 0; !symbol && (rules = event_kinds_document(event_kinds, d)) != NULL; d++)
        symbol = rules == &event_kinds->own ? addresses_find(&event_kinds->addresses, NULL, address)
                                            : symbols_find(&rules->symbols, address);
    csy_text text = addresses_name(&event_kinds->addresses, NULL, address, room, NULL);
    symbol = symbol ? symbol : find_given(event_kinds, text, &in_file);
    return routines_address(&event_kinds->routines, address, symbol, text, out);
}

static enum value_kind kind_of_value(const struct event_kinds *event_kinds,
                                     const csy_decoded *event, size_t place)
{
    const struct event_types *types = event_kinds->trace->types;
    return types_value_kind(types, types_typed(types, event->id), place);
}

char *event_kinds_put_number(const struct event_kinds *event_kinds,
                             const struct event_kind *event_kind, const csy_decoded *event,
                             enum field_role role, uint64_t value, char *at)
{
    const struct field_at *field = event_kinds_field(event_kinds, event_kind, role);
    enum value_kind kind = VALUE_UNSIGNED;
    uint64_t address;
    csy_text text;
    if (field->where == AT_VALUE)
        kind = kind_of_value(event_kinds, event, field->place);
    else if (fields_text(field, &event_kinds->columns, event, &text) &&
             is_address(text.bytes, text.size, &address))
        kind = VALUE_ADDRESS;
    return value_put(at, kind, value);
}

bool event_kinds_routine(struct event_kinds *event_kinds, const csy_decoded *event,
                         const struct event_kind *event_kind, uint32_t *out)
{
    uint64_t address;
    csy_text text;
    *out = event_kind->routine;
    if (event->routine_size > 0) {
        const csy_text name = {event->routine, event->routine_size};
        const struct symbol *symbol = find_given(event_kinds, name, &address);
        return symbol ? routines_address(&event_kinds->routines, address, symbol, name, out)
                      : routines_name(&event_kinds->routines, name.bytes, name.size, out);
    }
    enum field_where where = event_kinds_field(event_kinds, event_kind, FIELD_ROUTINE)->where;
    if (where == AT_VALUE)
        return !event_kinds_number(event_kinds, event_kind, event, FIELD_ROUTINE, &address) ||
               name_address(event_kinds, address, out);
    if (!event_kinds_text(event_kinds, event_kind, event, FIELD_ROUTINE, &text) || text.size == 0)
        return true;
    bool by_address = where == AT_WORD ? event_kinds_number(event_kinds, event_kind, event,
                                                            FIELD_ROUTINE, &address)
                                       : is_address(text.bytes, text.size, &address);
    return by_address ? name_address(event_kinds, address, out)
                      : routines_name(&event_kinds->routines, text.bytes, text.size, out);
}

uint64_t event_kinds_bytes(const struct event_kinds *event_kinds,
                           const struct event_kind *event_kind, const csy_decoded *event)
{
    uint64_t bytes, count;
    if (event_kinds_number(event_kinds, event_kind, event, FIELD_BYTES, &bytes))
        return bytes;
    if (!event_kinds_number(event_kinds, event_kind, event, FIELD_COUNT, &count))
        return EVENT_KINDS_NO_BYTES;
    uint64_t unit = event_kinds_field(event_kinds, event_kind, FIELD_COUNT)->unit;
    bool known = unit > 0 && !__builtin_mul_overflow(count, unit, &bytes);
    return known ? bytes : EVENT_KINDS_NO_BYTES;
}

bool event_kinds_leaf(struct event_kinds *event_kinds, const csy_decoded *event,
                      const struct event_kind *event_kind, const char *self, uint32_t *out,
                      uint64_t *bytes)
{
    char text[LEAF_BYTES];
    bool added, sends = event_kind->role == ROLE_SEND;
    bool message = sends || event_kind->role == ROLE_RECV;
    bool leaf = may_wait(event_kind->role) || event_kind->role == ROLE_POST ||
                event_kind->role == ROLE_RELEASE;
    bool moves =
        message || event_kind->role == ROLE_TRANSFER || event_kind->role == ROLE_COLLECTIVE;
    int size = (int)(event->name_size < NAME_MAX_BYTES ? event->name_size : NAME_MAX_BYTES);
    size_t at = (size_t)snprintf(text, sizeof text, "%.*s", size, event->name);
    *out = NO_TEXT;
    uint64_t partner;
    if (!leaf)
        return true;
    *bytes = event_kinds_bytes(event_kinds, event_kind, event);
    if (*bytes == EVENT_KINDS_NO_BYTES && !moves)
        *bytes = EVENT_KINDS_BYTELESS;
    if (message && event_kinds_number(event_kinds, event_kind, event, FIELD_PARTNER, &partner)) {
        char size_text[32] = "-";
        if (*bytes != EVENT_KINDS_NO_BYTES)
            snprintf(size_text, sizeof size_text, "%" PRIu64, *bytes);
        if (sends)
            at += (size_t)snprintf(text + at, sizeof text - at, "(%s,%" PRIu64 ",%s)", self,
                                   partner, size_text);
        else
            at += (size_t)snprintf(text + at, sizeof text - at, "(%" PRIu64 ",%s,%s)", partner,
                                   self, size_text);
    } else if (event->values && event_kinds->leaves.count < LEAVES_MAX) {
        for (uint32_t i = 0; i < event->nfields && i < LEAF_VALUES; i++) {
            text[at++] = i ? ',' : '(';
            const enum value_kind kind = kind_of_value(event_kinds, event, i);
            at = (size_t)(value_put(text + at, kind, event->values[i]) - text);
        }
        if (event->nfields > 0)
            text[at++] = ')';
    }
    return texts_find(&event_kinds->leaves, text, at, out, &added);
}
