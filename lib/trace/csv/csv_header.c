/* Reads the header line of a CSV. See csv.h. */
#include "trace/csv/csv.h"

#include "base/ascii.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* Returns a file name for a shell command, or "FILE" if it has unusual characters. */
static const char *shell_name(const char *file, char buffer[ERROR_ESCAPED_MAX])
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

/* Returns a shell command that passes the file, uncompressed, to `program`. If `program` is "", the
 * command prints the file. For standard input, it names no file. */
static const char *csv_shell_input(const char *file, bool packed, const char *program,
                                   char buffer[CSV_SHELL_MAX])
{
    char name[ERROR_ESCAPED_MAX];
    bool piped = strcmp(file, "-") == 0;
    const char *first = packed ? "gzip -dc" : *program ? program : "cat";
    const char *from = piped ? "" : packed || *program ? " <" : " ";
    snprintf(buffer, CSV_SHELL_MAX, "%s%s%s%s%s", first, from, piped ? "" : shell_name(file, name),
             packed && *program ? " | " : "", packed ? program : "");
    return buffer;
}

csy_status csv_refuse(const char *file, uint64_t line, csy_error *error, const char *format, ...)
{
    char what[900];
    va_list args;
    va_start(args, format);
    /* va_start is above: NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return error_set(error, CSY_INPUT, "%s: line %" PRIu64 ": %s", file, line, what);
}

csy_status csv_refuse_field(const char *file, const struct csv_spot *spot, const char *want,
                            csy_error *error)
{
    char escaped[ERROR_ESCAPED_MAX];
    error_escape(escaped, spot->field->at, spot->field->size);
    return csv_refuse(file, spot->line, error, "%s \"%s\": %s", spot->called, escaped, want);
}

csy_status csv_header_check_text(const uint8_t *head, size_t size, const char *file, bool packed,
                                 csy_error *error)
{
    char program[64], shell[CSV_SHELL_MAX];
    const char *found = NULL;
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
    snprintf(program, sizeof program, "iconv -f %s -t UTF-8", found);
    return error_set(error, CSY_INPUT, "%s: line 1: expected UTF-8, found %s: %s | cellsync -",
                     file, found, csv_shell_input(file, packed, program, shell));
}

enum role {
    ROLE_THREAD,
    ROLE_TIME,
    ROLE_CLOCK,
    ROLE_CORE,
    ROLE_EVENT,
    ROLE_BEGIN,
    ROLE_DURATION,
    ROLE_ORDER,                                   /* first value of enum csv_order_column */
    ROLE_GLOBAL = ROLE_ORDER + CSV_ORDER_COLUMNS, /* first value of enum csv_global */
    ROLES = ROLE_GLOBAL + GLOBALS
};

/* A column name for a role. If a role has several columns, the column with the lowest rank is
 * used. */
struct known {
    const char *name;
    enum role role;
    int rank;
};

static const struct known known_names[] = {
    {"thread", ROLE_THREAD, 0}, {"tid", ROLE_THREAD, 1},     {"cpu", ROLE_THREAD, 1},
    {"host", ROLE_THREAD, 1},   {"process", ROLE_THREAD, 1}, {"rank", ROLE_THREAD, 1},
    {"time", ROLE_TIME, 0},     {"timestamp", ROLE_TIME, 1}, {"ts", ROLE_TIME, 2},
    {"clock", ROLE_CLOCK, 0},   {"core", ROLE_CORE, 0},      {"event", ROLE_EVENT, 0},
    {"name", ROLE_EVENT, 1},    {"begin", ROLE_BEGIN, 0},    {"duration", ROLE_DURATION, 0},
};
enum { KNOWN = sizeof known_names / sizeof *known_names };

static const char *const role_words[] = {"thread", "time",  "clock",   "core",
                                         "event",  "begin", "duration"};
const char *const csv_order_names[CSV_ORDER_COLUMNS] = {
    "location",    "buffer", "block",       "flush",      "send",  "recv",
    "latency",     "sync",   "enter",       "leave",      "id",    "after",
    "latency_max", "same",   "other_clock", "other_time", "within"};
const struct csv_global_column csv_globals[GLOBALS] = {
    [GLOBAL_TIME] = {"global_time", false, GLOBAL_IN_TICKS},
    [GLOBAL_TIME_S] = {"global_time_s", false, GLOBAL_IN_SECONDS},
    [GLOBAL_DATE] = {"global_date", false, GLOBAL_AS_DATE},
    [GLOBAL_BEGIN] = {"global_begin", true, GLOBAL_IN_TICKS},
    [GLOBAL_BEGIN_S] = {"global_begin_s", true, GLOBAL_IN_SECONDS},
    [GLOBAL_BEGIN_DATE] = {"global_begin_date", true, GLOBAL_AS_DATE},
    [GLOBAL_EARLIEST] = {"global_earliest", false, GLOBAL_LEAST_TICKS},
    [GLOBAL_LATEST] = {"global_latest", false, GLOBAL_GREATEST_TICKS},
    [GLOBAL_BEGIN_EARLIEST] = {"global_begin_earliest", true, GLOBAL_LEAST_TICKS},
    [GLOBAL_BEGIN_LATEST] = {"global_begin_latest", true, GLOBAL_GREATEST_TICKS},
    [GLOBAL_MARK] = {"global_mark", false, GLOBAL_MARKED},
};

static const char *role_name(enum role role)
{
    return role < ROLE_ORDER    ? role_words[role]
           : role < ROLE_GLOBAL ? csv_order_names[role - ROLE_ORDER]
                                : csv_globals[role - ROLE_GLOBAL].name;
}

struct choice {
    bool given;
    const char *name;
    size_t size; /* size of the name; 0 if no column has this role */
};

struct search {
    const struct csv_field *fields;
    size_t n;
    char separator;
    const char *file;
    uint64_t line;
    csy_error *error;
    const char *option; /* name of the option that chose the columns, for messages */
    csy_status wrong;   /* status of errors in the choice of columns */
    struct choice choices[ROLES];
    size_t found[ROLES]; /* for each role: index of its column */
    bool partial, packed;
};

bool csv_field_number(struct csv_field field, uint64_t *out)
{
    char digits[24];
    if (field.size >= sizeof digits || (field.size > 0 && memchr(field.at, 0, field.size)))
        return false;
    memcpy(digits, field.at, field.size);
    digits[field.size] = 0;
    return number_parse(digits, out);
}

/* Returns the name in a header field, without quotes and blanks. */
static struct csv_field name_of(struct csv_field field)
{
    bool quoted = field.quoted;
    field.quoted = false;
    field = csv_field_trim(field);
    field.quoted = quoted;
    return field;
}

static bool is_called(const struct csv_field *field, const char *name, size_t size)
{
    return field->size == size && ascii_same(field->at, name, size);
}

/* Read the unit after `size` bytes of a name: "_us", "(us)", "[us]". Returns false for others. */
static bool read_unit(const struct csv_field *name, size_t size, enum csv_unit *unit)
{
    static const enum csv_unit units[] = {CSV_S, CSV_MS, CSV_US, CSV_NS, CSV_TICKS};
    const char *at = name->at + size, *end = name->at + name->size;
    *unit = CSV_AUTO;
    if (at == end)
        return true;
    while (at < end && *at == ' ')
        at++;
    int open = at < end ? *at++ : 0, close = open == '(' ? ')' : open == '[' ? ']' : 0;
    if ((open != '_' && !close) || (close && (at == end || *--end != close)))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const char *word = csv_unit_word(units[i]);
        if ((size_t)(end - at) == strlen(word) && ascii_same(at, word, strlen(word))) {
            *unit = units[i];
            return true;
        }
    }
    return false;
}

/* Find the role and the unit of a column by its name. Returns false for an unknown name. */
static bool know(const struct csv_field *name, enum csv_unit *unit, struct known *out)
{
    *unit = CSV_AUTO;
    for (enum csv_global i = 0; i < GLOBALS; i++) {
        *out = (struct known){csv_globals[i].name, ROLE_GLOBAL + i, 0};
        if (is_called(name, out->name, strlen(out->name)))
            return true;
    }
    for (size_t i = 0; i < KNOWN; i++) {
        *out = known_names[i];
        size_t size = strlen(out->name);
        if (name->size < size || !ascii_same(name->at, out->name, size))
            continue;
        if (name->size == size || (out->role == ROLE_TIME && read_unit(name, size, unit)))
            return true;
    }
    return false;
}

char csv_header_separator(const char *line, size_t size)
{
    static const char separators[] = {',', ';', '\t'};
    char best = ',';
    size_t most = 0, most_known = 0;
    for (size_t s = 0; s < sizeof separators; s++) {
        size_t n = 0, nknown = 0, start = 0;
        bool quoted = false;
        for (size_t i = 0; i <= size; i++) {
            enum csv_unit unit;
            struct known known;
            quoted ^= i < size && line[i] == '"';
            if (i < size && (quoted || line[i] != separators[s]))
                continue;
            struct csv_field name = {line + start, i - start, false};
            if (name.size >= 2 && *name.at == '"')
                name = (struct csv_field){name.at + 1, name.size - 2, true};
            name = name_of(name);
            nknown += know(&name, &unit, &known);
            n++;
            start = i + 1;
        }
        if (nknown > most_known || (nknown == most_known && n > most)) {
            best = separators[s];
            most = n;
            most_known = nknown;
        }
    }
    return best;
}

/* Returns the role that a text such as "time=when" begins with. Returns ROLES for other texts. */
static enum role role_at(const char *text)
{
    for (enum role role = 0; role < ROLE_GLOBAL; role++) {
        size_t size = strlen(role_name(role));
        if (strncmp(text, role_name(role), size) == 0 && text[size] == '=')
            return role;
    }
    return ROLES;
}

/* Refuse a malformed choice of columns. The message names the option, or the file and line. */
static csy_status refuse_choice(const struct search *l, const char *what)
{
    if (l->wrong == CSY_INPUT)
        return error_set(l->error, l->wrong, "%s: line %" PRIu64 ": %s: %s", l->file, l->line,
                         l->option, what);
    return error_set(l->error, l->wrong, "%s: %s", l->option, what);
}

/* Read choices such as "thread=NAME,time=NAME" of columns. NAME ends at a comma before a role. */
static csy_status read_choices(struct search *l, const char *text)
{
    char escaped[ERROR_ESCAPED_MAX], what[ERROR_ESCAPED_MAX + 256];
    while (text && *text) {
        enum role role = role_at(text);
        if (role == ROLES) {
            snprintf(what, sizeof what,
                     "'%s': expected KEY=NAME with the name of a column; KEY is thread, time, "
                     "clock, core, event, begin, or duration, or, for a partial order, location, "
                     "buffer, block, flush, send, recv, latency, sync, enter, leave, id, after, "
                     "latency_max, same, other_clock, other_time, or within",
                     error_escape(escaped, text, strlen(text)));
            return refuse_choice(l, what);
        }
        const char *name = strchr(text, '=') + 1, *end = name + strlen(name);
        for (const char *comma = strchr(name, ','); comma; comma = strchr(comma + 1, ','))
            if (role_at(comma + 1) != ROLES) {
                end = comma;
                break;
            }
        if (l->choices[role].given) {
            snprintf(what, sizeof what, "two columns are given for \"%s\"", role_name(role));
            return refuse_choice(l, what);
        }
        if (role >= ROLE_ORDER && !l->partial) {
            snprintf(what, sizeof what,
                     "the column \"%s\" requires a partial order; add the line # order=partial "
                     "above the header",
                     role_name(role));
            return refuse_choice(l, what);
        }
        l->choices[role] = (struct choice){true, name, (size_t)(end - name)};
        text = *end ? end + 1 : end;
    }
    return CSY_OK;
}

static const char *list_names(const struct search *l, char *buffer, size_t size)
{
    char escaped[ERROR_ESCAPED_MAX];
    size_t used = 0;
    *buffer = 0;
    for (size_t i = 0; i < l->n; i++) {
        struct csv_field name = name_of(l->fields[i]);
        error_escape(escaped, name.at, name.size < 40 ? name.size : 40);
        const char *between = i ? ", " : "", *quote = name.size ? "" : "\"\"";
        if (used + strlen(escaped) + 8 >= size) {
            snprintf(buffer + used, size - used, ", ...");
            break;
        }
        used += (size_t)snprintf(buffer + used, size - used, "%s%s%s", between, escaped, quote);
    }
    return buffer;
}

/* Find the column with the chosen name. The case of letters matters only if several names match. */
static csy_status find_chosen(struct search *l, enum role role)
{
    const struct choice *choice = &l->choices[role];
    char wanted[ERROR_ESCAPED_MAX], names[320];
    for (int exact = 1; exact >= 0; exact--)
        for (size_t i = 0; i < l->n; i++) {
            struct csv_field name = name_of(l->fields[i]);
            if (is_called(&name, choice->name, choice->size) &&
                (!exact || memcmp(name.at, choice->name, name.size) == 0)) {
                l->found[role] = i;
                return CSY_OK;
            }
        }
    return error_set(l->error, l->wrong,
                     "%s: line %" PRIu64 ": %s: no column has the name \"%s\"; found: %s", l->file,
                     l->line, l->option, error_escape(wanted, choice->name, choice->size),
                     list_names(l, names, sizeof names));
}

static csy_status refuse_several(const struct search *l, enum role role, int rank)
{
    char options[400] = "", escaped[ERROR_ESCAPED_MAX];
    size_t used = 0, several = 0, same = 0;
    struct csv_field first = {NULL, 0, false};
    for (size_t i = 0; i < l->n && used + ERROR_ESCAPED_MAX + 32 < sizeof options; i++) {
        enum csv_unit unit;
        struct csv_field name = name_of(l->fields[i]);
        struct known known;
        if (!know(&name, &unit, &known) || known.role != role || known.rank != rank)
            continue;
        first = several == 0 ? name : first;
        same += several > 0 && is_called(&name, first.at, first.size);
        used += (size_t)snprintf(options + used, sizeof options - used, "%s--columns=%s=%s",
                                 several++ ? " or " : "", role_name(role),
                                 error_escape(escaped, name.at, name.size));
    }
    if (same > 0)
        return csv_refuse(l->file, l->line, l->error, "two columns have the name \"%s\"",
                          error_escape(escaped, first.at, first.size));
    return csv_refuse(
        l->file, l->line, l->error, "several columns could be the column \"%s\"; choose one: %s%s",
        role_name(role), options,
        role == ROLE_THREAD ? " (each value is a separate clock, unless a column \"clock\" exists)"
                            : "");
}

/* Returns the first column with the name, from the column `at` on, or CSV_NO_COLUMN. */
static size_t find_column(const struct search *l, const char *called, size_t at)
{
    for (; at < l->n; at++) {
        struct csv_field name = name_of(l->fields[at]);
        if (is_called(&name, called, strlen(called)))
            return at;
    }
    return CSV_NO_COLUMN;
}

static bool has_column(const struct search *l, const char *called)
{
    return find_column(l, called, 0) < l->n;
}

/* Find a column that orders events, which has only one possible name. */
static csy_status find_order(struct search *l, enum role role)
{
    const char *called = role_name(role);
    size_t at = l->found[role] = l->partial ? find_column(l, called, 0) : CSV_NO_COLUMN;
    return at < l->n && find_column(l, called, at + 1) < l->n
               ? csv_refuse(l->file, l->line, l->error, "two columns have the name \"%s\"", called)
               : CSY_OK;
}

static csy_status find_known(struct search *l, enum role role)
{
    int best = INT32_MAX;
    size_t several = 0;
    for (size_t i = 0; i < l->n; i++) {
        enum csv_unit unit;
        struct csv_field name = name_of(l->fields[i]);
        struct known known;
        if (!know(&name, &unit, &known) || known.role != role || known.rank > best)
            continue;
        several = known.rank == best ? several + 1 : 1;
        if (several == 1)
            l->found[role] = i;
        best = known.rank;
    }
    /* if several columns name the event, use the first one, because the name is only shown */
    return several > 1 && role != ROLE_EVENT ? refuse_several(l, role, best) : CSY_OK;
}

/* Returns true if a field looks like a value, not a name. *broken is true if it has decimals. */
static bool is_value(const struct csv_field *field, bool *broken)
{
    struct csv_scale scale;
    int64_t ticks;
    uint64_t least_hz;
    struct csv_field value = csv_field_trim(*field);
    csv_scale_init(&scale, CSV_AUTO, 1, ',');
    enum csv_fault fault = csv_time_parse(&scale, value.at, value.size, &ticks, &least_hz);
    *broken = fault == CSV_UNITLESS;
    return value.size > 0 && (fault != CSV_MALFORMED || csv_time_is_stamp(value.at, value.size));
}

/* Refuse a file that begins with a row, and suggest a header. The suggestion is a guess: the most
 * likely time, and the first other column as the thread. */
static csy_status refuse_headless(const struct search *l)
{
    char shell[CSV_SHELL_MAX], program[256], names[320], header[200] = "";
    size_t time = l->n, thread = l->n, used = 0, most = 0;
    bool broken = false, is_broken;
    for (size_t i = 0; i < l->n; i++) {
        /* The most likely time is a fraction or a date, and otherwise the longest number. */
        struct csv_field value = csv_field_trim(l->fields[i]);
        size_t rate = 0;
        if (is_value(&l->fields[i], &is_broken))
            rate = is_broken || csv_time_is_stamp(value.at, value.size) ? SIZE_MAX : value.size;
        if (rate > most) {
            time = i;
            most = rate;
            broken = is_broken;
        }
    }
    if (l->n > 1)
        thread = time == 0;
    for (size_t i = 0; i < l->n && used + 40 < sizeof header; i++) {
        char other[24];
        snprintf(other, sizeof other, "x%zu", i + 1);
        used += (size_t)snprintf(header + used, sizeof header - used, "%s%s",
                                 i == 0                 ? ""
                                 : l->separator == '\t' ? "\\t"
                                 : l->separator == ';'  ? ";"
                                                        : ",",
                                 i == time     ? broken ? "time_s" : "time"
                                 : i == thread ? "thread"
                                               : other);
    }
    if (thread == l->n)
        return csv_refuse(l->file, l->line, l->error,
                          "the header line is missing, and the file has only one column: %s",
                          list_names(l, names, sizeof names));
    const char *found = list_names(l, names, sizeof names);
    /* If comments precede the row, insert the header between them and the row. */
    if (l->line > 1)
        snprintf(program, sizeof program, "awk 'NR==%" PRIu64 " {print \"%s\"} 1'", l->line,
                 header);
    csv_shell_input(l->file, l->packed, l->line > 1 ? program : "", shell);
    return csv_refuse(
        l->file, l->line, l->error,
        "the header line is missing; found a row: %s; to add a header: %s%s%s%s%s | cellsync -",
        found, l->line > 1 ? "" : "(printf '", l->line > 1 ? "" : header,
        l->line > 1 ? "" : "\\n'; ", shell, l->line > 1 ? "" : ")");
}

static csy_status refuse_missing(const struct search *l)
{
    static const char thread[] = "\"thread\" (or tid, cpu, host, process, rank)";
    static const char time[] = "\"time\" (or timestamp, ts; time_s, _ms, _us, _ns)";
    char names[320], shell[CSV_SHELL_MAX];
    bool no_thread = l->found[ROLE_THREAD] == CSV_NO_COLUMN;
    bool no_time = l->found[ROLE_TIME] == CSV_NO_COLUMN, both = no_thread && no_time;
    bool broken, any_value = false;
    for (size_t i = 0; i < l->n; i++)
        if (memchr(l->fields[i].at, '\r', l->fields[i].size))
            return csv_refuse(
                l->file, l->line, l->error,
                "lines end with carriage returns only; to convert them: %s | cellsync -",
                csv_shell_input(l->file, l->packed, "tr '\\r' '\\n'", shell));
    for (size_t i = 0; i < l->n; i++)
        any_value = any_value || is_value(&l->fields[i], &broken);
    if (any_value && both)
        return refuse_headless(l);
    return csv_refuse(l->file, l->line, l->error, "the header has no column %s%s%s; found: %s; %s",
                      no_thread ? thread : time, both ? " and no column " : "", both ? time : "",
                      list_names(l, names, sizeof names),
                      l->n == 1   ? "columns must be separated by commas, semicolons, or tabs"
                      : both      ? "pass their names with --columns=thread=NAME,time=NAME"
                      : no_thread ? "pass its name with --columns=thread=NAME"
                                  : "pass its name with --columns=time=NAME");
}

/* Find the unit in the name of the column. Returns CSY_USAGE if --time-unit contradicts it. */
static csy_status find_unit(const struct search *l, enum csv_unit asked, enum csv_unit *out)
{
    char escaped[ERROR_ESCAPED_MAX];
    struct csv_field name = name_of(l->fields[l->found[ROLE_TIME]]);
    struct known known;
    bool is_known = know(&name, out, &known);
    for (size_t i = name.size; !is_known && i-- > 1;) /* a name from --columns, such as "x_us" */
        if (name.at[i] == '_' || name.at[i] == '(' || name.at[i] == '[') {
            (void)read_unit(&name, i, out);
            break;
        }
    if (*out != CSV_AUTO && asked != CSV_AUTO && *out != asked)
        return error_set(
            l->error, CSY_USAGE,
            "%s: line %" PRIu64 ": --time-unit=%s contradicts the name of the column \"%s\"",
            l->file, l->line, csv_unit_word(asked), error_escape(escaped, name.at, name.size));
    *out = *out == CSV_AUTO ? asked : *out;
    return CSY_OK;
}

/* Refuse a column if --columns gives it two incompatible roles, such as send and recv. */
static csy_status check_apart(const struct search *l)
{
    static const int apart[][2] = {
        {ROLE_ORDER + CSV_SEND, ROLE_ORDER + CSV_RECV},
        {ROLE_TIME, ROLE_BEGIN},
        {ROLE_TIME, ROLE_DURATION},
    };
    char escaped[ERROR_ESCAPED_MAX];
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
        int a = apart[i][0], b = apart[i][1];
        bool chosen = l->choices[a].size > 0 && l->choices[b].size > 0;
        if (l->found[a] == CSV_NO_COLUMN || l->found[a] != l->found[b] ||
            (a == ROLE_TIME && !chosen))
            continue;
        struct csv_field name = name_of(l->fields[l->found[a]]);
        return error_set(l->error, l->wrong,
                         "%s: line %" PRIu64
                         ": %s: one column, \"%s\", cannot be both \"%s\" and \"%s\"",
                         l->file, l->line, l->option, error_escape(escaped, name.at, name.size),
                         role_name((enum role)a), role_name((enum role)b));
    }
    return CSY_OK;
}

csy_status csv_header_read(struct csv_header *header, const struct csv_asked *asked,
                           const struct csv_field *fields, size_t n, char separator,
                           const char *file, uint64_t line, csy_error *error)
{
    /* columns without effect in a CSV, although users may expect them to order events */
    static const char *const foreign[] = {"spawn", "join", "acquire", "release"};
    struct search l = {.fields = fields,
                       .n = n,
                       .separator = separator,
                       .file = file,
                       .line = line,
                       .error = error,
                       .option = asked->measured   ? "--offsets"
                                 : asked->recorded ? "the line # cellsync: columns"
                                                   : "--columns",
                       .wrong = asked->recorded || asked->measured ? CSY_INPUT : CSY_USAGE,
                       .partial = asked->partial,
                       .packed = asked->packed};
    *header = (struct csv_header){.unit = CSV_AUTO};
    csy_status status = read_choices(&l, asked->columns);
    for (enum role role = 0; !status && role < ROLES; role++) {
        l.found[role] = CSV_NO_COLUMN;
        if (!l.choices[role].given)
            status = role >= ROLE_ORDER && role < ROLE_GLOBAL ? find_order(&l, role)
                                                              : find_known(&l, role);
        else if (l.choices[role].size > 0)
            status = find_chosen(&l, role);
    }
    if (!status)
        status = check_apart(&l);
    if (!status && (l.found[ROLE_THREAD] == CSV_NO_COLUMN || l.found[ROLE_TIME] == CSV_NO_COLUMN))
        status = refuse_missing(&l);
    if (!status)
        status = find_unit(&l, asked->unit, &header->unit);
    /* `begin` and `duration` are never both used. If --columns gives one, it is used. */
    if (!status && l.found[ROLE_BEGIN] != CSV_NO_COLUMN &&
        l.found[ROLE_DURATION] != CSV_NO_COLUMN) {
        bool begin = l.choices[ROLE_BEGIN].given;
        if (begin == l.choices[ROLE_DURATION].given)
            status =
                error_set(error, begin ? CSY_USAGE : CSY_INPUT,
                          "%s: line %" PRIu64
                          ": the header has the columns \"begin\" and \"duration\", but an "
                          "interval has one begin; to ignore \"begin\", pass --columns=begin=; "
                          "to ignore \"duration\", pass --columns=duration=",
                          file, line);
        l.found[begin ? ROLE_DURATION : ROLE_BEGIN] = CSV_NO_COLUMN;
    }
    header->thread = l.found[ROLE_THREAD];
    header->time = l.found[ROLE_TIME];
    header->clock = l.found[ROLE_CLOCK];
    header->core = l.found[ROLE_CORE];
    header->event = l.found[ROLE_EVENT];
    header->begin = l.found[ROLE_BEGIN];
    header->duration = l.found[ROLE_DURATION];
    memcpy(header->order, l.found + ROLE_ORDER, sizeof header->order);
    header->pair = has_column(&l, "send") && has_column(&l, "recv")     ? "send and recv"
                   : has_column(&l, "enter") && has_column(&l, "leave") ? "enter and leave"
                                                                        : NULL;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign && !header->foreign; i++)
        header->foreign = has_column(&l, foreign[i]) ? foreign[i] : NULL;
    header->begins_are_stamps = has_column(&l, "begin_stamp");
    const size_t *found = l.found + ROLE_GLOBAL;
    bool ends = header->begin != CSV_NO_COLUMN || header->duration != CSV_NO_COLUMN;
    for (size_t i = 0; i < GLOBALS; i++)
        ends |= !csv_globals[i].of_begin && found[i] != CSV_NO_COLUMN;
    bool begins = ends && !header->begins_are_stamps;
    for (size_t i = 0; i < GLOBALS; i++)
        header->global[i] = begins || !csv_globals[i].of_begin ? found[i] : CSV_NO_COLUMN;
    return status;
}
