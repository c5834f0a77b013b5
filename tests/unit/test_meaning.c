/* What events mean: documents, their faults, and which of them goes first. */
#include "meaning/event_kinds.h"
#include "support.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static struct folder folder;

static csy_status read_text(csy_meaning *meaning, const char *name, const char *text,
                            csy_error *error)
{
    const char *path = folder_file(&folder, name);
    file_write(path, text, strlen(text));
    return csy_meaning_add_file(meaning, path, error);
}

/* What follows the path in the message. */
static void refused(const char *text, const char *want)
{
    csy_error error;
    csy_meaning *meaning;
    ck_ok(csy_meaning_new(&meaning, &error), error);
    ck_assert_int_eq(read_text(meaning, "bad.xml", text, &error), CSY_INPUT);
    const char *found = strstr(error.text, "bad.xml");
    ck_assert_ptr_nonnull(found);
    ck_assert_str_eq(found, want);
    csy_meaning_free(meaning);
}

START_TEST(faults)
{
    refused("<pdt_trace version=\"1\"/>",
            "bad.xml: line 1: expected the root element events version=\"1\"");
    refused("<events version=\"1\">\n<recordTyp name=\"A\"/></events>",
            "bad.xml: line 2: unknown element 'recordTyp', did you mean 'recordType'?");
    refused("<events version=\"1\">\n\n<recordType name=\"A\" rol=\"wait\"/></events>",
            "bad.xml: line 3: unknown attribute 'rol', did you mean 'role'?");
    refused("<events version=\"1\"><recordType name=\"A\" role=\"wiat\"/></events>",
            "bad.xml: line 1: recordType role=\"wiat\": unknown value; did you mean 'wait'?");
    refused("<events version=\"1\"><recordType name=\"A\" role=\"zzzzzz\"/></events>",
            "bad.xml: line 1: recordType role=\"zzzzzz\": expected a role of cellsync-events(5)");
    refused("<events version=\"1\"><recordType id=\"0x10000\"/></events>",
            "bad.xml: line 1: recordType id=\"0x10000\": expected a number of at most 16 bits");
    refused("<events version=\"1\"><recordType role=\"wait\"/></events>",
            "bad.xml: line 1: recordType name=\"\": expected a name or an id");
    refused(
        "<events version=\"1\"><state name=\"x\" kind=\"asleep\"/></events>",
        "bad.xml: line 1: state kind=\"asleep\": expected active, ready, blocked, idle, or absent");
    refused("<events version=\"1\"><recordType name=\"A\"><field name=\"b\" role=\"byte\"/>"
            "</recordType></events>",
            "bad.xml: line 1: field role=\"byte\": unknown value; did you mean 'bytes'?");
    refused("<events version=\"1\"><recordType name=\"A\"><field name=\"b\" unit=\"0\"/>"
            "</recordType></events>",
            "bad.xml: line 1: field unit=\"0\": expected a number of bytes above 0");
}
END_TEST

/* A document of n elements of that kind, each with a name that ends in its number. */
static const char *many(const char *element, const char *name, int n)
{
    static char text[100000];
    int size = snprintf(text, sizeof text, "<events version=\"1\">\n");
    for (int i = 1; i <= n; i++)
        size += snprintf(text + size, sizeof text - (size_t)size, "<%s name=\"%s%d\"/>\n", element,
                         name, i);
    snprintf(text + size, sizeof text - (size_t)size, "</events>");
    return text;
}

START_TEST(limits)
{
    csy_error error;
    csy_meaning *meaning;
    refused(many("recordType", "*", 1001),
            "bad.xml: line 1002: recordType name=\"*1001\": a document can have at most 1000 names "
            "with *, ?, [, or \\");
    refused(many("state", "s", 1001), "bad.xml: line 1002: state name=\"s1001\": a document can "
                                      "have at most 1000 names of states");
    ck_ok(csy_meaning_new(&meaning, &error), error);
    ck_ok(read_text(meaning, "patterns.xml", many("recordType", "?", 1000), &error), error);
    ck_ok(read_text(meaning, "names.xml", many("recordType", "n", 2000), &error), error);
    ck_ok(read_text(meaning, "states.xml", many("state", "s", 1000), &error), error);
    ck_ok(read_text(meaning, "key.xml",
                    "<events version=\"1\"><recordType name=\"A\"><field name=\"b\" role=\"key\"/>"
                    "</recordType></events>",
                    &error),
          error);
    csy_meaning_free(meaning);
}
END_TEST

/* The rules of a document that speak of a kind are found in its order, by whatever they are. */
START_TEST(rules_in_order)
{
    static const char *const kinds[] = {"name=\"A\"",  "name=\"B\"", "name=\"A*\"", "name=\"?\"",
                                        "name=\"*B\"", "id=\"1\"",   "id=\"2\""};
    static const char *const names[] = {"A", "B", "AB", "C"};
    enum { KINDS = sizeof kinds / sizeof *kinds, NAMES = sizeof names / sizeof *names, RULES = 40 };
    unsigned seed = 7;
    char text[RULES * 40 + 64];
    csy_error error;
    csy_meaning *meaning;
    for (int turn = 0; turn < 20; turn++) {
        int size = snprintf(text, sizeof text, "<events version=\"1\">");
        for (int i = 0; i < RULES; i++) {
            seed = seed * 1103515245 + 12345;
            size += snprintf(text + size, sizeof text - (size_t)size, "<recordType %s/>",
                             kinds[seed / 65536 % KINDS]);
        }
        snprintf(text + size, sizeof text - (size_t)size, "</events>");
        ck_ok(csy_meaning_new(&meaning, &error), error);
        ck_ok(read_text(meaning, "rules.xml", text, &error), error);
        const struct rules *rules = &meaning->documents[1];
        ck_assert_uint_eq(rules->count, RULES);
        for (int i = 0; i < 3 * NAMES; i++) {
            uint32_t id = i % 3 == 0 ? RULE_NO_ID : (uint32_t)(i % 3);
            const char *name = names[i / 3];
            struct rules_found found = rules_find(rules, id, name);
            for (size_t j = 0; j < RULES; j++) {
                const struct rule *rule = &rules->items[j];
                if (rule->id != RULE_NO_ID ? rule->id == id : fnmatch(rule->name, name, 0) == 0)
                    ck_assert_ptr_eq(rules_next(&found), rule);
            }
            ck_assert_ptr_null(rules_next(&found));
        }
        csy_meaning_free(meaning);
    }
}
END_TEST

/* The event kind of one event by that name. */
static struct event_kind event_kind_of(const csy_meaning *meaning, const char *name, char *class)
{
    csy_error error;
    csy_trace *trace;
    csy_sync *sync;
    csy_options *options;
    csy_events *events;
    csy_decoded event;
    struct event_kinds event_kinds;
    struct event_kind event_kind;
    size_t thread, n;
    const csy_new_event new_event = {.name = name};
    ck_ok(csy_trace_new("t", 1, &trace, &error), error);
    ck_ok(csy_trace_add_thread(trace, "ppe", NULL, &thread, &error), error);
    ck_ok(csy_trace_add(trace, &new_event, 1, &error), error);
    ck_ok(csy_options_new(&options, &error), error);
    ck_ok(csy_trace_synchronize(trace, options, &sync, &error), error);
    ck_ok(csy_events_open(sync, &events, &error), error);
    ck_ok(event_kinds_init(&event_kinds, trace, meaning, events, &error), error);
    ck_ok(csy_events_read(events, &event, 1, &n, &error), error);
    ck_assert_uint_eq(n, 1);
    ck_assert(event_kinds_find(&event_kinds, events, &event, &event_kind));
    *class = 0;
    if (event_kind.class != NO_TEXT) {
        const struct text_item *item = &event_kinds.classes.items[event_kind.class];
        memcpy(class, event_kinds.classes.bytes + item->at, item->size);
        class[item->size] = 0;
    }
    event_kinds_fini(&event_kinds);
    csy_events_free(events);
    csy_options_free(options);
    csy_sync_free(sync);
    csy_trace_free(trace);
    return event_kind;
}

static void means(const csy_meaning *meaning, const char *name, enum role role, enum state state,
                  const char *want)
{
    char class[64];
    struct event_kind event_kind = event_kind_of(meaning, name, class);
    ck_assert_int_eq(event_kind.role, role);
    ck_assert_int_eq(event_kind.state, state);
    ck_assert_str_eq(class, want);
}

START_TEST(order_of_documents)
{
    csy_error error;
    csy_meaning *meaning;
    ck_ok(csy_meaning_new(&meaning, &error), error);
    means(meaning, "MUTEX_LOCK", ROLE_ACQUIRE, STATE_BLOCKED, "mutex");
    means(meaning, "SPU_READ_IN_MBOX", ROLE_WAIT, STATE_IDLE, "mailbox");
    means(meaning, "PHASE_ENTRY", ROLE_ENTER, STATE_UNSAID, "");
    means(meaning, "whatever", ROLE_MARK, STATE_UNSAID, "");
    ck_ok(read_text(meaning, "1.xml",
                    "<events version=\"1\"><recordType name=\"MUTEX_*\" class=\"lock\"/>"
                    "<recordType name=\"what?ver\" role=\"wait\" state=\"Asleep\"/>"
                    "<state name=\"asleep\" kind=\"ready\"/></events>",
                    &error),
          error);
    means(meaning, "MUTEX_LOCK", ROLE_ACQUIRE, STATE_BLOCKED, "lock");
    means(meaning, "whatever", ROLE_WAIT, STATE_READY, "other");
    ck_ok(read_text(meaning, "2.xml",
                    "<events version=\"1\"><recordType name=\"MUTEX_LOCK\" role=\"mark\"/>"
                    "<state name=\"asleep\" kind=\"active\" part=\"system\"/></events>",
                    &error),
          error);
    means(meaning, "MUTEX_LOCK", ROLE_MARK, STATE_UNSAID, "");
    means(meaning, "whatever", ROLE_WAIT, STATE_SYSTEM, "other");
    /* A file that is refused adds nothing. */
    ck_assert_int_eq(read_text(meaning, "3.xml",
                               "<events version=\"1\"><recordType name=\"whatever\" "
                               "role=\"mark\"/><x/></events>",
                               &error),
                     CSY_INPUT);
    means(meaning, "whatever", ROLE_WAIT, STATE_SYSTEM, "other");
    csy_meaning_free(meaning);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("meaning");
    unit_in_folder(tests, &folder);
    tcase_add_test(tests, faults);
    tcase_add_test(tests, limits);
    tcase_add_test(tests, rules_in_order);
    tcase_add_test(tests, order_of_documents);
    return unit_run();
}
