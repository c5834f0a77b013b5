/* See settings.h. */
#include "recorder/settings.h"

#include <string.h>

static bool take_digits(const char **at, const char *end, uint64_t most, uint64_t *out)
{
    const char *begin = *at;
    uint64_t value = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at) {
        uint64_t digit = (uint64_t)(**at - '0');
        if (value > (most - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return *at > begin;
}

bool settings_bytes(const char *text, size_t size, uint64_t least, uint64_t most, uint64_t *out)
{
    static const char letters[] = "kMGKmg";
    const char *at = text, *end = text + size;
    uint64_t value;
    unsigned shift = 0;
    if (!take_digits(&at, end, most, &value))
        return false;
    const char *letter = at < end ? memchr(letters, *at, sizeof letters - 1) : NULL;
    if (letter) {
        shift = ((unsigned)(letter - letters) % 3 + 1) * 10;
        at++;
    }
    if (at != end || value > most >> shift || value << shift < least)
        return false;
    *out = value << shift;
    return true;
}

bool settings_skew(const char *text, size_t size, uint64_t *ns, uint64_t *ppm)
{
    const char *at = text, *end = text + size;
    *ppm = 0;
    if (!take_digits(&at, end, SKEW_NS_MAX, ns))
        return false;
    if (at < end && *at == ',') {
        at++;
        if (!take_digits(&at, end, SKEW_PPM_MAX, ppm))
            return false;
    }
    return at == end;
}

static bool is_word(const char *text, size_t size, const char *word)
{
    return strlen(word) == size && memcmp(text, word, size) == 0;
}

bool settings_events(const char *text, size_t size, unsigned *out)
{
    static const struct {
        const char *word;
        unsigned bit;
    } words[] = {{"mpi", EVENTS_MPI},           {"functions", EVENTS_FUNCTIONS},
                 {"threads", EVENTS_THREADS},   {"sync", EVENTS_SYNC},
                 {"loops", EVENTS_LOOPS},       {"blocks", EVENTS_BLOCKS},
                 {"switches", EVENTS_SWITCHES}, {"none", 0}};
    const char *end = text + size;
    *out = 0;
    for (;;) {
        const char *comma = memchr(text, ',', (size_t)(end - text));
        size_t length = (size_t)((comma ? comma : end) - text), i = 0,
               n = sizeof words / sizeof *words;
        while (i < n && !is_word(text, length, words[i].word))
            i++;
        if (i == n)
            return false;
        *out |= words[i].bit;
        if (!comma)
            return true;
        text = comma + 1;
    }
}

/* Parse the value of a setting other than `run`. */
static bool take_setting(const char *name, size_t name_size, const char *value, size_t size,
                         struct settings *out)
{
    uint64_t bytes = 0;
    if (is_word(name, name_size, "events"))
        return settings_events(value, size, &out->events);
    if (is_word(name, name_size, "buffer"))
        return settings_bytes(value, size, PAGE_BYTES_MIN, UINT64_C(1) << 40, &out->buffer_bytes);
    if (is_word(name, name_size, "skew"))
        return settings_skew(value, size, &out->skew_ns, &out->skew_ppm);
    if (is_word(name, name_size, "full")) {
        out->full = is_word(value, size, "drop") ? FULL_DROP : FULL_WAIT;
        return out->full == FULL_DROP || is_word(value, size, "wait");
    }
    if (is_word(name, name_size, "order")) {
        out->order = is_word(value, size, "buffer") ? ORDER_BUFFER : ORDER_BLOCK;
        return out->order == ORDER_BUFFER || is_word(value, size, "block");
    }
    if (!is_word(name, name_size, "page") ||
        !settings_bytes(value, size, PAGE_BYTES_MIN, PAGE_BYTES_MAX, &bytes))
        return false;
    out->page_bytes = (uint32_t)(bytes & ~UINT64_C(7));
    return true;
}

bool settings_read(const char *text, struct settings *out, const char **fault)
{
    *out = (struct settings){.events = EVENTS_MPI | EVENTS_THREADS | EVENTS_FUNCTIONS | EVENTS_SYNC,
                             .page_bytes = PAGE_BYTES,
                             .buffer_bytes = BUFFER_BYTES};
    for (;;) {
        const char *equals = strchr(text, '=');
        if (!equals) {
            *fault = "expected NAME=VALUE settings, with run=FOLDER as the last one";
            return false;
        }
        const char *value = equals + 1;
        if (is_word(text, (size_t)(equals - text), "run")) {
            *fault = "the name of the folder is empty or too long";
            size_t size = strlen(value);
            if (size == 0 || size >= sizeof out->run)
                return false;
            memcpy(out->run, value, size + 1);
            if (out->events & EVENTS_SWITCHES) /* records of switches name threads */
                out->events |= EVENTS_THREADS;
            *fault = "switches require order=block";
            return !(out->events & EVENTS_SWITCHES) || out->order == ORDER_BLOCK;
        }
        size_t size = strcspn(value, ";");
        if (!take_setting(text, (size_t)(equals - text), value, size, out)) {
            *fault = "a setting is unknown, or its value is invalid";
            return false;
        }
        text = value + size + (value[size] == ';');
    }
}
