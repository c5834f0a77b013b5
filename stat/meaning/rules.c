/* Reads rules, which state the meanings of events, from the elements of a document. */
#include "meaning/rules.h"

#include "base/array.h"
#include "base/error.h"
#include "base/near.h"
#include "base/number.h"
#include "base/sort.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const role_words[ROLES + 1] = {
    "",         "none",  "mark",       "enter",     "exit",          "call",
    "wait",     "state", "counter",    "send",      "recv",          "collective",
    "transfer", "loop",  "loop-enter", "loop-exit", "acquire",       "release",
    "barrier",  "post",  "clear",      "create",    "start",         "stop",
    "delete",   "queue", "resume",     "suspend",   "profile-start", "profile-stop",
    NULL};

const char *const field_words[FIELD_ROLES + 1] = {
    "",         "routine", "caller",  "partner",   "bytes",       "count", "tag",
    "comm",     "root",    "object",  "task",      "value",       "state", "spe",
    "datatype", "thread",  "user_ns", "system_ns", "runnable_ns", "cpu",   NULL};

const char *const state_words[STATES + 1] = {"user",    "system", "overhead", "switch", "ready",
                                             "blocked", "idle",   "absent",   NULL};

size_t word_find(const char *const *words, const char *text)
{
    size_t i = 0;
    while (words[i] && !(text && strcmp(words[i], text) == 0))
        i++;
    return i;
}

size_t name_stem(const char *name, size_t size, bool *ends)
{
    static const char *const suffixes[] = {"_ENTRY", "_ENTER", "_BEGIN", "_EXIT", "_LEAVE", "_END"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t n = strlen(suffixes[i]);
        if (size <= n || memcmp(name + size - n, suffixes[i], n) != 0)
            continue;
        if (ends)
            *ends = i >= 3;
        return size - n;
    }
    return size;
}

/* Store the error of an attribute in *fault, unless an earlier error is stored there. */
static void refuse(struct rules_fault *fault, const struct element *element, const char *attribute,
                   const char *value, const char *const *words, const char *want)
{
    char escaped[ERROR_ESCAPED_MAX];
    if (fault->text[0])
        return;
    const char *nearest = words ? near_word(value, words) : NULL;
    error_escape(escaped, value, strlen(value));
    fault->line = element->line;
    if (nearest && nearest[0])
        snprintf(fault->text, sizeof fault->text, "%s %s=\"%s\": unknown value; did you mean '%s'?",
                 element->text, attribute, escaped, nearest);
    else
        snprintf(fault->text, sizeof fault->text, "%s %s=\"%s\": %s", element->text, attribute,
                 escaped, want);
}

/* Returns the index of an attribute's value in `words`, or the number of words. */
static size_t read_word(const struct element *element, const char *attribute,
                        const char *const *words, const char *want, struct rules_fault *fault)
{
    const char *text = element_text(element, attribute);
    size_t found = word_find(words, text && *text ? text : NULL);
    if (text && *text && !words[found])
        refuse(fault, element, attribute, text, words, want);
    return found;
}

static char *read_text(const struct element *element, const char *attribute,
                       struct rules_fault *fault)
{
    const char *text = element_text(element, attribute);
    char *copy = text && *text ? strdup(text) : NULL;
    fault->no_memory |= text && *text && !copy;
    return copy;
}

void rules_add_type(struct rules *rules, const struct element *type, uint32_t id,
                    struct rules_fault *fault)
{
    /* In documents for celltrace, these classes stand for roles. */
    static const struct {
        const char *class;
        enum role role;
    } kinds[] = {{"mark", ROLE_MARK},   {"entry", ROLE_ENTER},    {"exit", ROLE_EXIT},
                 {"send", ROLE_SEND},   {"recv", ROLE_RECV},      {"wait", ROLE_WAIT},
                 {"state", ROLE_STATE}, {"counter", ROLE_COUNTER}};
    uint64_t number;
    fault->no_memory |= !ARRAY_RESERVE(rules->items, rules->capacity, rules->count + 1);
    if (fault->no_memory)
        return;
    struct rule *rule = &rules->items[rules->count++];
    *rule = (struct rule){.id = id, .line = type->line};
    if (id == RULE_NO_ID) {
        const char *said = element_text(type, "id");
        if (said && element_number(type, "id", &number) && number <= UINT16_MAX)
            rule->id = (uint32_t)number;
        else if (said)
            refuse(fault, type, "id", said, NULL, "expected a number of at most 16 bits");
        else
            rule->name = read_text(type, "name", fault);
        rule->wild = rule->name && strpbrk(rule->name, "*?[\\");
        if (!said && !rule->name)
            refuse(fault, type, "name", "", NULL, "expected a name or an id");
        if (rule->wild && ++rules->npatterns == RULES_PATTERNS_MAX + 1)
            refuse(fault, type, "name", rule->name, NULL,
                   "a document can have at most 1000 names with *, ?, [, or \\");
    }
    size_t role =
        read_word(type, "role", role_words, "expected a role of cellsync-events(5)", fault);
    rule->role = role == ROLES ? ROLE_UNSAID : (enum role)role;
    rule->stall = element_says(type, "stall", "yes");
    rule->active = element_says(type, "stall", "no");
    rule->call = element_says(type, "call", "yes");
    rule->class = read_text(type, "class", fault);
    rule->state = read_text(type, "state", fault);
    rule->routine = read_text(type, "routine", fault);
    rule->block = read_text(type, "block", fault);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (rule->role == ROLE_UNSAID && rule->class && strcmp(rule->class, kinds[i].class) == 0) {
            rule->role = kinds[i].role;
            free(rule->class);
            rule->class = NULL;
        }
}

void rules_name_type(struct rules *rules, const char *name, struct rules_fault *fault)
{
    if (fault->no_memory)
        return;
    struct rule *rule = &rules->items[rules->count - 1];
    char *copy = strdup(name);
    fault->no_memory = !copy;
    if (!copy)
        return;
    free(rule->name);
    rule->name = copy;
    rule->wild = false;
    rule->id = RULE_NO_ID;
}

void rules_add_field(struct rules *rules, const struct element *field, uint32_t place,
                     struct rules_fault *fault)
{
    static const char *const ofs[] = {"ctx", "rank", "tid", NULL};
    uint64_t bytes;
    if (fault->no_memory)
        return;
    struct rule *rule = &rules->items[rules->count - 1];
    fault->no_memory |= !ARRAY_RESERVE(rule->fields, rule->fields_capacity, rule->nfields + 1);
    if (fault->no_memory)
        return;
    struct field_rule *out = &rule->fields[rule->nfields++];
    *out = (struct field_rule){.place = place};
    if (place == RULE_NO_PLACE) {
        out->name = read_text(field, "name", fault);
        if (!out->name)
            refuse(fault, field, "name", "", NULL, "expected the name of a field");
    }
    size_t role =
        read_word(field, "role", field_words, "expected a role of cellsync-events(5)", fault);
    out->role = role == FIELD_ROLES ? FIELD_UNSAID : (enum field_role)role;
    size_t of = read_word(field, "of", ofs, "expected ctx, rank, or tid", fault);
    out->of = ofs[of] ? (enum field_of)(OF_CONTEXT + of) : OF_UNSAID;
    const char *unit = element_text(field, "unit");
    if (unit && element_number(field, "unit", &bytes) && bytes > 0)
        out->unit = bytes;
    else if (unit)
        refuse(fault, field, "unit", unit, NULL, "expected a number of bytes above 0");
}

void rules_add_state(struct rules *rules, const struct element *state, struct rules_fault *fault)
{
    static const char *const kinds[] = {"active", "ready", "blocked", "idle", "absent", NULL};
    static const enum state states[] = {STATE_USER, STATE_READY,  STATE_BLOCKED,
                                        STATE_IDLE, STATE_ABSENT, STATE_USER};
    static const char *const parts[] = {"user", "system", "overhead", NULL};
    size_t kind =
        read_word(state, "kind", kinds, "expected active, ready, blocked, idle, or absent", fault);
    size_t part = read_word(state, "part", parts, "expected user, system, or overhead", fault);
    fault->no_memory |= !ARRAY_RESERVE(rules->states, rules->states_capacity, rules->nstates + 1);
    if (fault->no_memory)
        return;
    struct named_state *out = &rules->states[rules->nstates];
    *out = (struct named_state){read_text(state, "name", fault), states[kind]};
    if (!out->name) {
        refuse(fault, state, "name", "", NULL, "expected a name");
        return;
    }
    if (rules->nstates == RULES_STATES_MAX) {
        refuse(fault, state, "name", out->name, NULL,
               "a document can have at most 1000 names of states");
        free(out->name);
        return;
    }
    if (states[kind] == STATE_USER && parts[part])
        out->state = (enum state)(STATE_USER + part);
    rules->nstates++;
}

void rules_add_symbol(struct rules *rules, const struct element *symbol, struct rules_fault *fault)
{
    const char *line = element_text(symbol, "line"), *name = element_text(symbol, "name");
    uint64_t at = 0, size = 0, number = 0;
    if (!element_number(symbol, "at", &at))
        refuse(fault, symbol, "at", "", NULL, "expected an address");
    else if (element_text(symbol, "size") && !element_number(symbol, "size", &size))
        refuse(fault, symbol, "size", element_text(symbol, "size"), NULL,
               "expected a number of bytes");
    else if (line && (!element_number(symbol, "line", &number) || number > UINT32_MAX))
        refuse(fault, symbol, "line", line, NULL, "expected a number of at most 32 bits");
    else if (!name || !*name)
        refuse(fault, symbol, "name", "", NULL, "expected a name");
    else
        fault->no_memory |= !symbols_add(&rules->symbols, at, size, name,
                                         element_text(symbol, "file"), (uint32_t)number);
}

/* Returns the number in an attribute, or NO_NUMBER if the attribute is missing or invalid. */
static uint64_t read_number(const struct element *element, const char *attribute,
                            struct rules_fault *fault)
{
    uint64_t number;
    const char *text = element_text(element, attribute);
    if (!text)
        return NO_NUMBER;
    if (element_number(element, attribute, &number) && number < UINT32_MAX)
        return number;
    refuse(fault, element, attribute, text, NULL, "expected a number below 2^32 - 1");
    return NO_NUMBER;
}

void rules_add_place(struct rules *rules, const struct element *place, struct rules_fault *fault)
{
    fault->no_memory |= !ARRAY_RESERVE(rules->places, rules->places_capacity, rules->nplaces + 1);
    if (fault->no_memory)
        return;
    struct said_place *out = &rules->places[rules->nplaces];
    *out = (struct said_place){
        .context = read_number(place, "ctx", fault),
        .rank = read_number(place, "rank", fault),
        .tid = read_number(place, "tid", fault),
        .node = read_number(place, "node", fault),
        .cell = read_number(place, "cell", fault),
        .spe = read_number(place, "spe", fault),
    };
    if (out->context == NO_NUMBER && out->rank == NO_NUMBER && out->tid == NO_NUMBER)
        refuse(fault, place, "ctx", "", NULL, "expected a ctx, a rank, or a tid");
    else
        rules->nplaces++;
}

void rules_add_topology(struct rules *rules, const struct element *topology,
                        struct rules_fault *fault)
{
    static const char *const names[] = {"spes_per_cell", "cells_per_node"};
    uint64_t *const numbers[] = {&rules->topology.spes, &rules->topology.cells};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint64_t number = read_number(topology, names[i], fault);
        if (number == 0)
            refuse(fault, topology, names[i], "0", NULL, "expected a number above 0");
        else if (number != NO_NUMBER)
            *numbers[i] = number;
    }
}

/* --- Rules for a kind of events --------------------------------------------------------------- */

enum { BY_ID, BY_NAME, BY_PATTERN, WAYS };

static int by_id(const void *a, const void *b)
{
    const struct rule *x = *(const struct rule *const *)a, *y = *(const struct rule *const *)b;
    return 2 * COMPARE(x->id, y->id) + COMPARE(x, y);
}

static int by_name(const void *a, const void *b)
{
    const struct rule *x = *(const struct rule *const *)a, *y = *(const struct rule *const *)b;
    int names = strcmp(x->name, y->name);
    return names != 0 ? names : COMPARE(x, y);
}

bool rules_seal(struct rules *rules)
{
    size_t n[WAYS + 1] = {0}, at = 0;
    const size_t size = sizeof(const struct rule *);
    rules->sorted = malloc((rules->count + 1) * size);
    if (!rules->sorted)
        return false;
    for (int way = 0; way < WAYS; way++)
        for (size_t i = 0; i < rules->count; i++) {
            const struct rule *rule = &rules->items[i];
            int own = rule->id != RULE_NO_ID ? BY_ID
                      : !rule->name          ? WAYS
                      : rule->wild           ? BY_PATTERN
                                             : BY_NAME;
            if (own == way) {
                rules->sorted[at++] = rule;
                n[way]++;
            }
        }
    rules->nids = n[BY_ID];
    rules->nnames = n[BY_NAME];
    rules->npatterns = n[BY_PATTERN];
    qsort(rules->sorted, rules->nids, size, by_id);
    qsort(rules->sorted + rules->nids, rules->nnames, size, by_name);
    return true;
}

/* Returns 0 if a rule applies, or how it is sorted relative to the rules that apply. */
static int compare(const struct rules_found *found, int way, const struct rule *rule)
{
    return way == BY_ID     ? COMPARE(rule->id, found->id)
           : way == BY_NAME ? strcmp(rule->name, found->name)
                            : fnmatch(rule->name, found->name, 0) != 0;
}

struct rules_found rules_find(const struct rules *rules, uint32_t id, const char *name)
{
    struct rules_found found = {.id = id, .name = name};
    const size_t sizes[WAYS] = {rules->nids, rules->nnames, rules->npatterns};
    const struct rule *const *at = rules->sorted;
    for (int way = 0; way < WAYS; way++) {
        size_t low = 0, high = way == BY_PATTERN ? 0 : sizes[way];
        BISECT(low, high, middle, compare(&found, way, at[middle]) < 0);
        found.at[way] = at + low;
        found.end[way] = at + sizes[way];
        at += sizes[way];
    }
    return found;
}

const struct rule *rules_next(struct rules_found *found)
{
    int next = WAYS;
    for (int way = 0; way < WAYS; way++) {
        while (way == BY_PATTERN && found->at[way] < found->end[way] &&
               compare(found, way, *found->at[way]) != 0)
            found->at[way]++;
        if (found->at[way] < found->end[way] && compare(found, way, *found->at[way]) == 0 &&
            (next == WAYS || *found->at[way] < *found->at[next]))
            next = way;
    }
    return next == WAYS ? NULL : *found->at[next]++;
}

void rules_fini(struct rules *rules)
{
    for (size_t i = 0; i < rules->count; i++) {
        struct rule *rule = &rules->items[i];
        for (size_t j = 0; j < rule->nfields; j++)
            free(rule->fields[j].name);
        free(rule->fields);
        free(rule->name);
        free(rule->class);
        free(rule->state);
        free(rule->routine);
        free(rule->block);
    }
    for (size_t i = 0; i < rules->nstates; i++)
        free(rules->states[i].name);
    free(rules->items);
    free(rules->sorted);
    free(rules->states);
    symbols_fini(&rules->symbols);
    free(rules->name);
    free(rules->places);
    *rules = (struct rules){0};
}
