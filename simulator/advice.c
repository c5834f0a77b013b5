/* Reads a JSON report of cellsync(1), which recommends extra records (--advise). The report gives
 * their times as readings of the clocks in a run without extra records. */
#include "simulator/sim.h"

#include "base/array.h"
#include "base/error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 65536, NAME_MAX_BYTES = 64 };

/* A reader of JSON from a text that ends in a NUL. */
struct reader {
    const char *at;
    bool bad; /* true if the JSON is invalid or has unexpected contents */
};

static char next(struct reader *r)
{
    r->at += strspn(r->at, " \t\r\n");
    return *r->at;
}

/* Skip blanks, and then the character c if it comes next. Returns true if c was skipped. */
static bool pass(struct reader *r, char c)
{
    bool found = next(r) == c;
    r->at += found;
    return found;
}

static void want(struct reader *r, char c)
{
    r->bad |= !pass(r, c);
}

/* Read a string of at most NAME_MAX_BYTES - 1 bytes; the rest of a longer string is skipped.
 * Escapes only lose their backslash. */
static void read_string(struct reader *r, char text[NAME_MAX_BYTES])
{
    size_t n = 0;
    want(r, '"');
    while (!r->bad && *r->at && *r->at != '"') {
        r->at += *r->at == '\\' && r->at[1];
        if (n + 1 < NAME_MAX_BYTES)
            text[n++] = *r->at;
        r->at++;
    }
    text[n] = '\0';
    want(r, '"');
}

static void skip(struct reader *r)
{
    char text[NAME_MAX_BYTES];
    int depth = 0;
    do {
        char c = next(r);
        if (c == '"')
            read_string(r, text);
        else if (c == '{' || c == '[' || c == '}' || c == ']')
            depth += c == '{' || c == '[' ? 1 : -1;
        else if (depth == 0 || (c != ',' && c != ':')) {
            size_t length = strspn(r->at, "+-.0123456789Eaeflnrstu");
            r->bad |= length == 0;
            r->at += length;
        }
        r->at += c && strchr("{[]},:", c) != NULL && !r->bad;
    } while (depth > 0 && !r->bad);
    r->bad |= depth < 0;
}

/* Read the next key of an object. Its opening brace has been read. `first` is true for the first
 * key. Returns false after the last key. */
static bool next_key(struct reader *r, bool first, char key[NAME_MAX_BYTES])
{
    if (r->bad || pass(r, '}'))
        return false;
    if (!first)
        want(r, ',');
    read_string(r, key);
    want(r, ':');
    return !r->bad;
}

/* Read an integer. If the next value is not an integer, skip it and return false. */
static bool read_number(struct reader *r, int64_t *out)
{
    char *end;
    next(r);
    errno = 0;
    long long number = strtoll(r->at, &end, 10);
    if (end == r->at || errno) {
        skip(r);
        return false;
    }
    r->at = end;
    *out = number;
    return true;
}

/* Parse a number from 1 to `most`, and set *end to its end. Returns 0 if it is invalid. */
static uint32_t parse_number(const char *text, char **end, uint64_t most)
{
    *end = unconst(text);
    if (*text < '1' || *text > '9')
        return 0;
    unsigned long number = strtoul(text, end, 10);
    return number <= most ? (uint32_t)number : 0;
}

/* Parse the name of a live interval: spe3.1 is the first live interval of context 3. */
static bool parse_name(const char *name, size_t ncontexts, struct plan *plan)
{
    char *end;
    if (strncmp(name, "spe", 3) != 0)
        return false;
    plan->context = parse_number(name + 3, &end, ncontexts);
    if (!plan->context || *end != '.')
        return false;
    plan->ordinal = parse_number(end + 1, &end, UINT32_MAX);
    return plan->ordinal && !*end;
}

/* Limits of values in the report, in ticks: TIME_MAX for times, and STEP_MAX for times between
 * extra records. With them, the times of CSY_ADVISE_MAX records cannot overflow. */
#define TIME_MAX (INT64_C(1) << 60)
#define STEP_MAX (INT64_C(1) << 48)

static bool within(int64_t value, int64_t limit)
{
    return value > -limit && value < limit;
}

/* Read the times when one thread shall write extra records. *room is false if the report has no
 * times for it. */
static void read_plan(struct reader *r, size_t ncontexts, struct plan *plan, bool *room)
{
    const struct {
        const char *key;
        int64_t *to;
    } members[] = {{"thread_ticks", &plan->thread_ticks},
                   {"fine_ticks", &plan->fine_ticks},
                   {"reference_ticks", &plan->reference_ticks},
                   {"coarse_ticks", &plan->coarse_ticks}};
    enum { MEMBERS = sizeof members / sizeof *members };
    char key[NAME_MAX_BYTES], name[NAME_MAX_BYTES] = "";
    size_t found = 0;
    want(r, '{');
    for (bool first = true; next_key(r, first, key); first = false) {
        size_t i = 0;
        while (i < MEMBERS && strcmp(members[i].key, key) != 0)
            i++;
        if (i < MEMBERS)
            found += read_number(r, members[i].to);
        else if (strcmp(key, "name") == 0)
            read_string(r, name);
        else
            skip(r);
    }
    *room = found == MEMBERS;
    r->bad |=
        *room && (!parse_name(name, ncontexts, plan) || !within(plan->thread_ticks, TIME_MAX) ||
                  !within(plan->reference_ticks, TIME_MAX) || plan->fine_ticks < 0 ||
                  !within(plan->fine_ticks, STEP_MAX) || plan->coarse_ticks < 0 ||
                  !within(plan->coarse_ticks, STEP_MAX));
}

/* Read the times when threads shall write extra records. advice->plans gets an element for each
 * thread with such times in the report. */
static csy_status read_advice(struct reader *r, size_t ncontexts, struct advice *advice,
                              csy_error *error)
{
    char key[NAME_MAX_BYTES];
    size_t capacity = 0;
    csy_status status = CSY_OK;
    want(r, '{');
    for (bool first = true; !status && next_key(r, first, key); first = false) {
        if (strcmp(key, "records") == 0)
            r->bad |= !read_number(r, &advice->records) || advice->records < 1 ||
                      advice->records > CSY_ADVISE_MAX;
        else if (strcmp(key, "threads") != 0 || advice->plans)
            skip(r);
        else {
            want(r, '[');
            while (!r->bad && !status && next(r) != ']') {
                struct plan plan = {0};
                bool room;
                read_plan(r, ncontexts, &plan, &room);
                if (room && !ARRAY_RESERVE(advice->plans, capacity, advice->count + 1))
                    status = error_memory(error);
                else if (room)
                    advice->plans[advice->count++] = plan;
                r->bad |= !pass(r, ',') && next(r) != ']';
            }
            want(r, ']');
        }
    }
    return status;
}

csy_status advice_read(const char *path, size_t ncontexts, struct advice *out, csy_error *error)
{
    char *text = NULL, key[NAME_MAX_BYTES];
    size_t used = 0, capacity = 0, got = 1;
    csy_status status = CSY_OK;
    *out = (struct advice){0};
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_io(error, path, NULL);
    while (got > 0 && !status) {
        if (!ARRAY_RESERVE(text, capacity, used + BLOCK_BYTES + 1)) {
            status = error_memory(error);
            break;
        }
        got = fread(text + used, 1, BLOCK_BYTES, file);
        used += got;
        text[used] = '\0';
    }
    if (!status && ferror(file))
        status = error_io(error, path, NULL);
    (void)fclose(file);
    struct reader r = {text ? text : "", false};
    want(&r, '{');
    for (bool first = true; !status && next_key(&r, first, key); first = false)
        if (strcmp(key, "advice") == 0)
            status = read_advice(&r, ncontexts, out, error);
        else
            skip(&r);
    if (!status && (r.bad || out->records == 0))
        status = error_set(error, CSY_INPUT,
                           "%s: expected the JSON report of this run by cellsync --advise", path);
    free(text);
    if (status)
        advice_fini(out);
    return status;
}

void advice_fini(struct advice *advice)
{
    free(advice->plans);
    *advice = (struct advice){0};
}
