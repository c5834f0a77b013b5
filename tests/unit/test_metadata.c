/* The XML of a .pex: what is read of it, its defaults, and every reason to refuse it. */
#include "support.h"
#include "trace/pex/document.h"
#include "trace/pex/metadata.h"

#include <stdlib.h>
#include <string.h>

/* A document of the parts that are required, with more of them before and after. */
#define PEX(before, after)                                                                         \
    "<pdt_trace version=\"1\">" before "<machine timebase_hz=\"14318000\"/><trace_file/>" after    \
    "</pdt_trace>"

static csy_status parse(const char *xml, struct metadata *m, csy_error *error)
{
    return metadata_parse("a.pex", xml, strlen(xml), m, error);
}

static void parse_well(const char *xml, struct metadata *m)
{
    csy_error error;
    ck_ok(parse(xml, m, &error), error);
}

START_TEST(everything_is_read)
{
    struct metadata m;
    parse_well("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<!-- a comment -->\n"
               "<pdt_trace version=\"0x1\" application=\"fft16m\">\n"
               "  <machine name=\"QS&amp;20\" timebase_hz=\"0xda79b0\" ppes=\"2\"/>\n"
               "  <trace_file href=\"sub/fft..16m.trace\" compression=\"gzip\"/>\n"
               "  <clock kind=\"global\"/>\n"
               "  <order granularity=\"record\"/>\n"
               "  <switch_source kind=\"notifier\"/>\n"
               "  <unknown><machine timebase_hz=\"7\"/></unknown>\n"
               "</pdt_trace>\n",
               &m);
    ck_assert_str_eq(m.machine, "QS&20");
    ck_assert_uint_eq(m.timebase_hz, 14318000);
    ck_assert_str_eq(m.files[0].href, "sub/fft..16m.trace");
    ck_assert(m.files[0].gzip && m.global && m.notifier);
    ck_assert_uint_eq(m.types.count, 0);
    metadata_fini(&m);
}
END_TEST

START_TEST(defaults_stand_where_nothing_is_said)
{
    struct metadata m;
    parse_well(PEX("", ""), &m);
    ck_assert_str_eq(m.machine, "");
    ck_assert_ptr_null(m.files[0].href);
    ck_assert(!m.files[0].gzip && !m.global && !m.notifier);
    metadata_fini(&m);
    parse_well(PEX("<clock/><order/>", "<switch_source kind=\"switch_log\"/>"), &m);
    ck_assert(!m.files[0].gzip && !m.global && !m.notifier);
    metadata_fini(&m);
}
END_TEST

START_TEST(events_have_names)
{
    struct metadata m;
    parse_well(
        PEX("<pdtGroup id=\"0x03\"><subGroup>"
            "<recordType name=\"MUTEX_LOCK\" id=\"0x0503\"/>"
            "<recordType name=\"AGAIN\" id=\"1283\"/></subGroup></pdtGroup>",
            "<recordType name=\"OUTSIDE\" id=\"7\"/><recordType name=\"WIDE\" id=\"0x10007\"/>"
            "<recordType name=\"LAST\" id=\"0xffff\"/><recordType id=\"8\"/><recordType "
            "name=\"NONE\"/><recordType name=\"\" id=\"9\"/>"
            "<recordType name=\"START\" id=\"0x0300\"/>"
            "<recordType name=\"A&lt;B&#233;\" id=\"10\"/>"),
        &m);
    ck_assert_str_eq(types_event_name(&m.types, 0x0503, false), "MUTEX_LOCK");
    ck_assert_str_eq(types_event_name(&m.types, 7, false), "OUTSIDE");
    ck_assert_str_eq(types_event_name(&m.types, 0xffff, false), "LAST");
    ck_assert_str_eq(types_event_name(&m.types, 10, false), "A<B\xc3\xa9");
    ck_assert_str_eq(types_event_name(&m.types, 8, false), "");
    ck_assert_str_eq(types_event_name(&m.types, 0x0100, false), "SPE_SWITCH_IN");
    ck_assert_str_eq(types_event_name(&m.types, 0x0200, false), "SPE_SWITCH_OUT");
    ck_assert_str_eq(types_event_name(&m.types, 0x0300, false), "START");
    ck_assert_str_eq(types_event_name(&m.types, 0x0600, false), "SPE_THREAD_STOP");
    ck_assert_str_eq(types_event_name(&m.types, 0x0700, false), "");
    ck_assert_str_eq(types_event_name(&m.types, 0, false), "");
    ck_assert_str_eq(types_event_name(&m.types, 0x0101, false), "");
    ck_assert_str_eq(types_event_name(&m.types, 0x0300, true), "START");
    ck_assert_str_eq(types_event_name(&m.types, 0x0100, true), "");
    metadata_fini(&m);
}
END_TEST

/* Fields keep their order; a name that is missing, made, or there already is none. */
START_TEST(fields_have_names_of_their_own)
{
    static const char *const want[] = {"lock", NULL, "b",     NULL,     NULL,
                                       NULL,   "a",  "value", "value1x"};
    struct metadata m;
    parse_well(PEX("", "<recordType name=\"A\" id=\"1\"><field name=\"other\"/></recordType>"
                       "<recordType name=\"B\" id=\"2\"><field name=\"lock\"/><field/>"
                       "<field name=\"b\"/><other name=\"x\"/><field name=\"lock\"/>"
                       "<field name=\"\"/><field name=\"value7\"/><field name=\"a\"/>"
                       "<field name=\"value\"/><field name=\"value1x\"/></recordType>"
                       "<recordType name=\"C\" id=\"3\"/>"),
               &m);
    const struct record_type *b = types_of_id(&m.types, 2);
    ck_assert_str_eq(types_text(&m.types, b->name), "B");
    ck_assert_uint_eq(b->nfields, sizeof want / sizeof *want);
    for (size_t i = 0; i < b->nfields; i++)
        ck_assert_pstr_eq(types_field_name(&m.types, b, i), want[i]);
    ck_assert_uint_eq(types_of_id(&m.types, 1)->nfields, 1);
    ck_assert_uint_eq(types_of_id(&m.types, 3)->nfields, 0);
    ck_assert_ptr_null(types_of_id(&m.types, 4));
    metadata_fini(&m);
}
END_TEST

/* Many descriptions, some of one id: the first of them in the document stands. */
START_TEST(the_first_description_stands)
{
    struct random r = random_trial(0);
    struct buffer xml = {0};
    char first[64][16] = {{0}};
    char text[80];
    struct metadata m;
    csy_error error;
    buffer_text(&xml, "<pdt_trace version=\"1\"><machine timebase_hz=\"1\"/><trace_file/>");
    for (int i = 0; i < 200; i++) {
        int id = (int)random_between(&r, 1, 63);
        snprintf(text, sizeof text, "<recordType name=\"N%d\" id=\"%d\"/>", i, id);
        buffer_text(&xml, text);
        if (!first[id][0])
            snprintf(first[id], sizeof first[id], "N%d", i);
    }
    buffer_text(&xml, "</pdt_trace>");
    ck_ok(metadata_parse("a.pex", (char *)xml.bytes, xml.size, &m, &error), error);
    for (uint16_t id = 1; id < 64; id++) {
        const char *name = types_event_name(&m.types, id, false);
        ck_assert_str_eq(name ? name : "", first[id]);
    }
    metadata_fini(&m);
    buffer_free(&xml);
}
END_TEST

/* A clock is a child of the root; the rows of a table that is not the trace's own are not kept. */
START_TEST(other_clocks_say_nothing)
{
    struct metadata m;
    parse_well(PEX("<other><clock kind=\"global\"/></other>",
                   "<synchronization><ppe_thread first_record=\"0\" records=\"1\" offset=\"0\" "
                   "earliest=\"0\" latest=\"0\"/></synchronization>"),
               &m);
    ck_assert(!m.global);
    ck_assert_uint_eq(m.rows.count, 0);
    ck_assert_str_eq(m.table.text, "synchronization");
    metadata_fini(&m);
}
END_TEST

/* Whatever has to be escaped in them. */
START_TEST(names_of_namespaces)
{
    static const char *const texts[] = {"&amp;", "&lt;", "&#9;", "&#10;", "&#13;"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct metadata m;
        char xml[200];
        snprintf(xml, sizeof xml, PEX("", "<a xmlns:b=\"c%sd\"/>"), texts[i]);
        parse_well(xml, &m);
        metadata_fini(&m);
    }
}
END_TEST

/* Types within types, of which each has its own fields, and more fields than a record can have. */
START_TEST(types_within_types)
{
    struct metadata m;
    struct buffer xml = {0};
    csy_error error;
    parse_well(PEX("", "<recordType name='A' id='1'><field name='a'/><recordType name='B' id='2'>"
                       "<field name='b'/><g><field name='no'/></g><field name='c'/></recordType>"
                       "<recordType name='again' id='1'><field name='no'/></recordType>"
                       "<field name='b'/><field name='a'/></recordType>"),
               &m);
    const struct record_type *a = types_of_id(&m.types, 1), *b = types_of_id(&m.types, 2);
    ck_assert(a->nfields == 3 && b->nfields == 2);
    ck_assert_str_eq(types_field_name(&m.types, a, 0), "a");
    ck_assert_str_eq(types_field_name(&m.types, a, 1), "b");
    ck_assert_ptr_null(types_field_name(&m.types, a, 2));
    ck_assert_ptr_null(types_field_name(&m.types, a, 3));
    ck_assert_str_eq(types_field_name(&m.types, b, 0), "b");
    ck_assert_str_eq(types_field_name(&m.types, b, 1), "c");
    metadata_fini(&m);
    buffer_text(&xml, "<pdt_trace version='1'><machine timebase_hz='1'/><trace_file/>"
                      "<recordType name='A' id='1'>");
    for (int i = 0; i < 9000; i++) {
        char text[40];
        snprintf(text, sizeof text, "<field name='f%d'/>", i);
        buffer_text(&xml, text);
    }
    buffer_text(&xml, "</recordType></pdt_trace>");
    ck_ok(metadata_parse("a.pex", (char *)xml.bytes, xml.size, &m, &error), error);
    a = types_of_id(&m.types, 1);
    ck_assert_uint_eq(a->nfields, 9000);
    ck_assert_str_eq(types_field_name(&m.types, a, 8186), "f8186");
    metadata_fini(&m);
    buffer_free(&xml);
}
END_TEST

/* The last threads element names threads. */
START_TEST(threads_are_listed)
{
    struct metadata m;
    parse_well(PEX("<threads><ppe tid='1' name='no'/></threads>",
                   "<threads><ppe tid='0x10' name='a&amp;b'/><ppe tid='2'/><ppe tid='x'/><spe/>"
                   "<ppe tid='4294967296'/><g><ppe tid='3'/></g><ppe tid='4' name=''/></threads>"),
               &m);
    ck_assert_uint_eq(m.nlisted, 3);
    ck_assert_uint_eq(m.listed[0].tid, 16);
    ck_assert_str_eq(types_text(&m.types, m.listed[0].name), "a&b");
    ck_assert_uint_eq(m.listed[1].tid, 2);
    ck_assert_ptr_null(types_text(&m.types, m.listed[1].name));
    ck_assert_str_eq(types_text(&m.types, m.listed[2].name), "");
    metadata_fini(&m);
}
END_TEST

static void ck_tag(const char *xml, struct tag tag, const char *want)
{
    ck_assert_uint_eq(tag.end - tag.begin, strlen(want));
    ck_assert_mem_eq(xml + tag.begin, want, strlen(want));
}

/* Whatever looks like them elsewhere. */
START_TEST(places_are_found)
{
    static const char decoys[] =
        "<!-- <clock/> > -\" ]]> --><?a <clock/> ' > ?><![CDATA[<clock/>]] ]>' ]]><g a='>\"'\n"
        "b=\"'/>\"></g ><x:clock xmlns:x='urn:x'/><g><clock a='1'/></g>";
    static const char xml[] =
        "\xef\xbb\xbf<?xml version='1.0'?><!--<clock/>--><p:pdt_trace version='1' a='/>' "
        "xmlns:p='>'>%s<p:machine timebase_hz='1'/>%s<p:clock b='>' \n/>%s"
        "<p:trace_file compression = \"none\">%s</p:trace_file>%s<p:clock/></p:pdt_trace "
        "><!--</p>-->"
        "<?a </p>?>";
    char text[sizeof xml + 5 * sizeof decoys];
    struct metadata m;
    for (int n = 0; n < 2; n++) {
        const char *d = n ? "" : decoys;
        snprintf(text, sizeof text, xml, d, d, d, d, d);
        parse_well(text, &m);
        ck_tag(text, m.places.clock, "<p:clock b='>' \n/>");
        ck_tag(text, m.files[0].place, "<p:trace_file compression = \"none\">");
        ck_tag(text, m.places.root_end, "</p:pdt_trace >");
        ck_assert_str_eq(m.places.prefix, "p:");
        ck_assert_uint_eq(m.places.size, strlen(text));
        metadata_fini(&m);
    }
}
END_TEST

/* ] is the second byte of a character there. */
START_TEST(places_after_two_bytes)
{
    static const struct {
        const char *encoding, *text;
    } cases[] = {{"Shift_JIS", "\x83]"},
                 {"Shift_JIS", "\xb1\x83]"},
                 {"Big5", "\xa4]"},
                 {"GBK", "\x81]"},
                 {"GB18030", "\x81\x30\x81\x30\x81]"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char xml[400];
        struct metadata m;
        snprintf(xml, sizeof xml,
                 "<?xml version='1.0' encoding='%s'?><pdt_trace version='1'><machine "
                 "timebase_hz='1'/><trace_file/><g><![CDATA[%s]><clock/> ]]></g><clock a='%s'/>"
                 "</pdt_trace>",
                 cases[i].encoding, cases[i].text, cases[i].text);
        parse_well(xml, &m);
        ck_assert_mem_eq(xml + m.places.clock.begin, "<clock a='", 10);
        metadata_fini(&m);
    }
}
END_TEST

START_TEST(long_names_of_namespaces)
{
    for (int size = 1000; size <= 1001; size++) {
        struct metadata m;
        csy_error error;
        char name[1002], xml[2000];
        memset(name, 'n', sizeof name);
        name[size] = 0;
        snprintf(xml, sizeof xml, PEX("", "<a xmlns:b=\"%s\"/>"), name);
        if (size == 1000)
            ck_ok(parse(xml, &m, &error), error);
        else
            ck_refused(parse(xml, &m, &error), CSY_INPUT, error,
                       "a.pex: offset 0 (line 1): the name of a namespace is longer than 1000 "
                       "bytes");
        metadata_fini(&m);
    }
}
END_TEST

/* Elements of another namespace than the root's are others', and so are attributes of any. */
START_TEST(other_namespaces)
{
    struct metadata m;
    csy_error error;
    ck_ok(parse("<pdt_trace version='1' xmlns:x='urn:x' x:version='2'>"
                "<x:machine timebase_hz='7'/><x:clock kind='weird'/><order x:granularity='?'/>"
                "<machine x:timebase_hz='8' timebase_hz='9' x:name='no'/>"
                "<x:trace_file href='/'/><trace_file x:href='/' href='a.trace'/>"
                "<x:recordType id='1' name='no'/><recordType id='2' x:name='no'/>"
                "<x:g><recordType id='3' name='yes' x:id='4'><x:field name='no'/>"
                "<field x:name='no' name='yes'/></recordType></x:g></pdt_trace>",
                &m, &error),
          error);
    ck_assert_uint_eq(m.timebase_hz, 9);
    ck_assert_str_eq(m.machine, "");
    ck_assert_str_eq(m.files[0].href, "a.trace");
    ck_assert_uint_eq(m.types.count, 1);
    ck_assert_str_eq(types_text(&m.types, m.types.items[0].name), "yes");
    ck_assert_uint_eq(m.types.items[0].nfields, 1);
    ck_assert_str_eq(types_field_name(&m.types, &m.types.items[0], 0), "yes");
    metadata_fini(&m);
    /* The root may have a namespace itself. */
    ck_ok(parse("<p:pdt_trace version='1' xmlns:p='urn:p' xmlns='urn:x'>"
                "<machine timebase_hz='7'/><machine xmlns='urn:p' timebase_hz='9'/>"
                "<p:trace_file/></p:pdt_trace>",
                &m, &error),
          error);
    ck_assert_uint_eq(m.timebase_hz, 9);
    metadata_fini(&m);
    ck_refused(parse("<p:pdt_trace version='1' xmlns:p='urn:p'><machine timebase_hz='7'/>"
                     "</p:pdt_trace>",
                     &m, &error),
               CSY_INPUT, error,
               "a.pex: offset 0 (line 1): pdt_trace: the element machine is missing");
    metadata_fini(&m);
}
END_TEST

#define FILE_ELEMENT(attributes)                                                                   \
    "<pdt_trace version=\"1\"><machine timebase_hz=\"1\"/><trace_file " attributes "/></"          \
    "pdt_trace>"

START_TEST(faults_are_refused)
{
    static const struct {
        const char *xml, *text;
    } faults[] = {
        {"<other/>", "a.pex: offset 0 (line 1): other: the root element is not pdt_trace"},
        {"<!--\n-->\n<pdt_trace/>",
         "a.pex: offset 9 (line 3): pdt_trace: version is missing or not a number"},
        {"<pdt_trace version='x'/>",
         "a.pex: offset 0 (line 1): pdt_trace: version is missing or not a number"},
        {"<pdt_trace version='3'/>",
         "a.pex: offset 0 (line 1): pdt_trace: unknown version, expected 1 or 2"},
        {"<pdt_trace version='1'/>",
         "a.pex: offset 0 (line 1): pdt_trace: the element machine is missing"},
        {"<pdt_trace version='1'>\n<machine/>\n</pdt_trace>\n",
         "a.pex: offset 24 (line 2): machine: timebase_hz is missing"},
        {"<pdt_trace version='1'>\n<machine timebase_hz='0'/></pdt_trace>",
         "a.pex: offset 24 (line 2): machine: timebase_hz=\"0\": expected a whole number above 0"},
        {"<pdt_trace version='1'><machine timebase_hz='1 MHz\t'/></pdt_trace>",
         "a.pex: offset 0 (line 1): machine: timebase_hz=\"1 MHz \": expected a whole number above "
         "0"},
        {"<pdt_trace version='1'><machine timebase_hz='18446744073709551616'/></pdt_trace>",
         "a.pex: offset 0 (line 1): machine: timebase_hz=\"18446744073709551616\": expected a "
         "whole "
         "number above 0"},
        {"<pdt_trace version='1'><machine timebase_hz='1'/></pdt_trace>",
         "a.pex: offset 0 (line 1): pdt_trace: the element trace_file is missing"},
        {FILE_ELEMENT("href='' "),
         "a.pex: offset 0 (line 1): trace_file: href=\"\": the attribute is empty"},
        {FILE_ELEMENT("href='/etc/passwd'"),
         "a.pex: offset 0 (line 1): trace_file: href=\"/etc/passwd\": an absolute path is refused"},
        {FILE_ELEMENT("href='http://a/b'"),
         "a.pex: offset 0 (line 1): trace_file: href=\"http://a/b\": a URL is refused"},
        {FILE_ELEMENT("href='X+1.-:b'"),
         "a.pex: offset 0 (line 1): trace_file: href=\"X+1.-:b\": a URL is refused"},
        {FILE_ELEMENT("href='..'"),
         "a.pex: offset 0 (line 1): trace_file: href=\"..\": a path with .. is refused"},
        {FILE_ELEMENT("href='a/../b'"),
         "a.pex: offset 0 (line 1): trace_file: href=\"a/../b\": a path with .. is refused"},
        {FILE_ELEMENT("href='a//..'"),
         "a.pex: offset 0 (line 1): trace_file: href=\"a//..\": a path with .. is refused"},
        {FILE_ELEMENT("compression='bzip2'"),
         "a.pex: offset 0 (line 1): trace_file: compression=\"bzip2\": expected none or gzip"},
        {PEX("<clock kind='lunar'/>", ""),
         "a.pex: offset 0 (line 1): clock: kind=\"lunar\": expected local or global"},
        {PEX("", "<order granularity='page'/>"),
         "a.pex: offset 0 (line 1): order: granularity=\"page\": expected record"},
        {PEX("", "<switch_source kind='&#xe9;'/>"),
         "a.pex: offset 0 (line 1): switch_source: kind=\"\\xc3\\xa9\": expected switch_log or "
         "notifier"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct metadata m;
        csy_error error;
        ck_refused(parse(faults[i].xml, &m, &error), CSY_INPUT, error, faults[i].text);
        metadata_fini(&m);
    }
}
END_TEST

START_TEST(hrefs_that_only_look_bad)
{
    static const char *const hrefs[] = {"a..b",   "..a/b..", "./a:b", "a/b:c", "...",
                                        "9a:b/c", "-x",      "a b",   "a/./b"};
    for (size_t i = 0; i < sizeof hrefs / sizeof *hrefs; i++) {
        char xml[200];
        struct metadata m;
        snprintf(xml, sizeof xml, FILE_ELEMENT("href='%s'"), hrefs[i]);
        parse_well(xml, &m);
        ck_assert_str_eq(m.files[0].href, hrefs[i]);
        metadata_fini(&m);
    }
}
END_TEST

/* Refused whatever the parser calls it; nothing of it is ever fetched or expanded. */
START_TEST(documents_that_are_no_xml)
{
    static const struct {
        const char *xml, *part;
    } faults[] = {
        {"", "not well-formed XML: "},
        {"\n\n", "not well-formed XML: "},
        {"<pdt_trace", "not well-formed XML: "},
        {"<pdt_trace version='1'>", "not well-formed XML: "},
        {PEX("", "") "<again/>", "not well-formed XML: "},
        {PEX("<a></b>", ""), "not well-formed XML: "},
        {PEX("<c d=1/><a></b>", ""), "not well-formed XML: attributes construct error"},
        {PEX("&unknown;", ""), "not well-formed XML: "},
        {PEX("\xff", ""), "not well-formed XML: "},
        {"<!DOCTYPE pdt_trace>" PEX("", ""), "a document type declaration is refused"},
        {"<!DOCTYPE a SYSTEM \"http://x.invalid/a.dtd\">" PEX("", ""),
         "a document type declaration is refused"},
        {"<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>" PEX("&e;", ""),
         "a document type declaration is refused"},
        {"<!DOCTYPE a [<!ENTITY e \"eeeeeeeeeeee\"><!ENTITY f \"&e;&e;&e;\">]>" PEX("&f;", ""),
         "a document type declaration is refused"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct metadata m;
        csy_error error;
        ck_assert_int_eq(parse(faults[i].xml, &m, &error), CSY_INPUT);
        ck_assert_msg(strstr(error.text, faults[i].part), "%zu: %s", i, error.text);
        ck_assert_mem_eq(error.text, "a.pex: offset ", 14);
        metadata_fini(&m);
    }
}
END_TEST

START_TEST(faults_are_found_in_their_line)
{
    struct metadata m;
    csy_error error;
    static const char xml[] = "<pdt_trace version='1'>\n<!-- 24 -->\n<a>\n  <b>\n</a></pdt_trace>";
    ck_assert_int_eq(parse(xml, &m, &error), CSY_INPUT);
    ck_assert_msg(strstr(error.text, "a.pex: offset 46 (line 5): "), "%s", error.text);
    metadata_fini(&m);
}
END_TEST

/* A document whose elements are nested this deep, the root included. */
static csy_status parse_nested(size_t depth, csy_error *error)
{
    struct buffer xml = {0};
    struct metadata m;
    buffer_text(&xml, "<pdt_trace version='1'><machine timebase_hz='1'/><trace_file/>");
    for (size_t i = 1; i < depth; i++)
        buffer_text(&xml, "<a>");
    for (size_t i = 1; i < depth; i++)
        buffer_text(&xml, "</a>");
    buffer_text(&xml, "</pdt_trace>");
    csy_status status = metadata_parse("a.pex", (char *)xml.bytes, xml.size, &m, error);
    metadata_fini(&m);
    buffer_free(&xml);
    return status;
}

START_TEST(elements_nest_256_deep)
{
    csy_error error;
    ck_ok(parse_nested(256, &error), error);
    ck_assert_int_eq(parse_nested(1000, &error), CSY_INPUT);
}
END_TEST

START_TEST(documents_have_256_mib)
{
    static const char head[] = "<pdt_trace version='1'><machine timebase_hz='1'/><trace_file/>";
    static const char tail[] = "</pdt_trace>\n";
    const size_t size = DOCUMENT_BYTES_MAX;
    struct metadata m;
    csy_error error;
    char *xml = malloc(size + 1);
    ck_assert_ptr_nonnull(xml);
    memset(xml, 'x', size + 1);
    memcpy(xml, head, strlen(head));
    memcpy(xml + size - strlen(tail), tail, strlen(tail));
    ck_ok(metadata_parse("a.pex", xml, size, &m, &error), error);
    metadata_fini(&m);
    ck_refused(metadata_parse("a.pex", xml, size + 1, &m, &error), CSY_INPUT, error,
               "a.pex: offset 268435456: the XML is longer than 268435456 bytes");
    metadata_fini(&m);
    free(xml);
}
END_TEST

/* What comes at the end of a long document may be longer than what libxml2 looks ahead. */
START_TEST(long_documents_end_in_anything)
{
    static const char head[] = "<pdt_trace version='1'><machine timebase_hz='1'/><trace_file/>";
    static const char filler[] = "<fill/>\n";
    enum { SIZE = 12000000 };
    char *xml = malloc(SIZE + sizeof head + 2000);
    ck_assert_ptr_nonnull(xml);
    for (size_t i = 0; i < 2; i++) {
        struct metadata m;
        csy_error error;
        size_t size = (size_t)sprintf(xml, "%s", head);
        for (; size < SIZE; size += strlen(filler))
            memcpy(xml + size, filler, strlen(filler));
        size += (size_t)(i == 0 ? sprintf(xml + size, "<a b='%01000d'/></pdt_trace>", 0)
                                : sprintf(xml + size, "</pdt_trace>%1000s", ""));
        ck_ok(metadata_parse("a.pex", xml, size, &m, &error), error);
        metadata_fini(&m);
    }
    free(xml);
}
END_TEST

/* A document with something as often as said, each time with another number in it. */
static csy_status parse_numbered(const char *const around[2], unsigned times, struct metadata *m,
                                 csy_error *error)
{
    static const char head[] = "<pdt_trace version='1'><machine timebase_hz='1'/><trace_file/>";
    size_t size = sizeof head + 100 + 32 * (size_t)times;
    char *xml = malloc(size);
    ck_assert_ptr_nonnull(xml);
    size_t n = (size_t)snprintf(xml, size, "%s", head);
    for (unsigned i = 0; i < times; i++)
        n += (size_t)snprintf(xml + n, size - n, "%sn%u%s", around[0], i, around[1]);
    n += (size_t)snprintf(xml + n, size - n, "</pdt_trace>");
    csy_status status = metadata_parse("a.pex", xml, n, m, error);
    free(xml);
    return status;
}

START_TEST(names_are_limited)
{
    static const char *const named[][2] = {{"<", "/>"}, {"<?", "?>"}, {"<a ", "=''/>"}, {"&", ";"}};
    static const char *const identified[] = {"<a xml:id='", "'/>"};
    struct metadata m;
    csy_error error;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        csy_status some = parse_numbered(named[i], 99900, &m, &error);
        ck_assert_int_eq(some, *named[i][0] == '&' ? CSY_INPUT : CSY_OK);
        metadata_fini(&m);
        ck_refused(parse_numbered(named[i], 100100, &m, &error), CSY_INPUT, error,
                   "a.pex: offset 0 (line 1): more than 100000 different names");
        metadata_fini(&m);
    }
    ck_ok(parse_numbered(identified, 200000, &m, &error), error);
    metadata_fini(&m);
}
END_TEST

/* So many attributes of one element; others do not count. */
START_TEST(attributes_are_limited)
{
    static const char *const around[] = {"n", "='' "};
    for (unsigned n = 1000; n <= 1001; n++) {
        struct metadata m;
        csy_error error;
        struct buffer xml = {0};
        buffer_text(&xml, "<pdt_trace version='1'><machine timebase_hz='1'/><trace_file/><a ");
        for (unsigned i = 0; i < n; i++) {
            char number[16];
            snprintf(number, sizeof number, "%u", i);
            buffer_text(&xml, around[0]);
            buffer_text(&xml, number);
            buffer_text(&xml, around[1]);
        }
        buffer_text(&xml, "/><b c=''/></pdt_trace>");
        csy_status status = metadata_parse("a.pex", (char *)xml.bytes, xml.size, &m, &error);
        ck_assert_int_eq(status, n > 1000 ? CSY_INPUT : CSY_OK);
        if (status)
            ck_assert_ptr_nonnull(strstr(error.text, "an element has more than 1000 attributes"));
        metadata_fini(&m);
        buffer_free(&xml);
    }
}
END_TEST

static csy_status parse_encoded(const char *encoding, const char *name, struct metadata *m,
                                csy_error *error)
{
    char xml[256];
    snprintf(xml, sizeof xml,
             "<?xml version='1.0' encoding='%s'?>"
             "<pdt_trace version='1'><machine timebase_hz='1' name='%s'/><trace_file/></pdt_trace>",
             encoding, name);
    return parse(xml, m, error);
}

START_TEST(encodings_are_read)
{
    static const struct {
        const char *encoding, *name, *utf8;
    } cases[] = {{"utf-8", "\xc3\xa9", "\xc3\xa9"},       {"US-ASCII", "e", "e"},
                 {"ISO-8859-15", "\xa4", "\xe2\x82\xac"}, {"windows-1252", "\x80", "\xe2\x82\xac"},
                 {"CP1251", "\xe0", "\xd0\xb0"},          {"KOI8-R", "\xc1", "\xd0\xb0"},
                 {"EUC-JP", "\xa4\xa2", "\xe3\x81\x82"},  {"Shift_JIS", "\x82\xa0", "\xe3\x81\x82"},
                 {"Big5", "\xa4\xa4", "\xe4\xb8\xad"},    {"GB2312", "\xd6\xd0", "\xe4\xb8\xad"},
                 {"GBK", "\xd6\xd0", "\xe4\xb8\xad"},     {"GB18030", "\xd6\xd0", "\xe4\xb8\xad"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct metadata m;
        csy_error error;
        ck_ok(parse_encoded(cases[i].encoding, cases[i].name, &m, &error), error);
        ck_assert_str_eq(m.machine, cases[i].utf8);
        metadata_fini(&m);
    }
}
END_TEST

/* Where = and " may be written otherwise, or their bytes be something else. */
START_TEST(encodings_are_refused)
{
    static const char *const encodings[] = {"UTF-7", "HZ", "ISO-2022-JP", "ISO-2022-KR"};
    for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++) {
        struct metadata m;
        csy_error error;
        ck_refused(
            parse_encoded(encodings[i], "e", &m, &error), CSY_INPUT, error,
            "a.pex: offset 0 (line 1): expected the encoding UTF-8 or another one that pex(5) "
            "names");
        metadata_fini(&m);
    }
}
END_TEST

START_TEST(attributes_are_read)
{
    struct metadata m;
    parse_well(PEX("<synchronization n='1'/><g><synchronization n='3'/></g>",
                   "<synchronization hex='0x1f' bad='1x' low='-inf' high='inf' t='-12' f='14/4' "
                   "wide='9223372036854775808' g='1/x' empty='' x:t='7' xmlns:x='urn:x'/>"),
               &m);
    uint64_t n;
    int64_t ticks;
    csy_fraction f;
    const struct element *u = &m.table, none = {.text = NULL};
    ck_assert(element_is(u, "synchronization") && !element_is(u, "clock"));
    ck_assert(!element_is(&none, "") && !element_text(&none, "n"));
    ck_assert(element_number(u, "hex", &n) && n == 31);
    ck_assert(!element_number(u, "bad", &n) && !element_number(u, "n", &n));
    ck_assert(!element_number(u, "empty", &n) && n == 31);
    ck_assert(element_ticks(u, "low", &ticks) && ticks == INT64_MIN);
    ck_assert(element_ticks(u, "high", &ticks) && ticks == INT64_MAX);
    ck_assert(element_ticks(u, "t", &ticks) && ticks == -12);
    ck_assert(!element_ticks(u, "wide", &ticks) && !element_ticks(u, "missing", &ticks));
    ck_assert(!element_ticks(u, "empty", &ticks) && ticks == -12);
    ck_assert(element_fraction(u, "f", &f) && f.num == 7 && f.den == 2);
    ck_assert(!element_fraction(u, "g", &f) && !element_fraction(u, "missing", &f));
    ck_assert(element_says(u, "low", "-inf") && element_says(u, "empty", ""));
    ck_assert(!element_says(u, "low", "-in") && !element_says(u, "missing", ""));
    metadata_fini(&m);
}
END_TEST

START_TEST(values_have_kinds)
{
    struct metadata m;
    parse_well(PEX("", "<pdtGroup><recordType name=\"A\" id=\"0x0105\"><field name=\"a\"/>"
                       "<field name=\"b\" type=\"i64\"/><field type=\"f64\"/>"
                       "<field type=\"u99\"/><field type=\"address\"/></recordType>"
                       "<recordType name=\"B\" id=\"0x0205\"><field type=\"u64\"/></recordType>"
                       "</pdtGroup>"),
               &m);
    static const enum value_kind kinds[] = {VALUE_UNSIGNED, VALUE_SIGNED,  VALUE_REAL,
                                            VALUE_UNSIGNED, VALUE_ADDRESS, VALUE_UNSIGNED};
    const struct record_type *type = types_typed(&m.types, 0x0105);
    ck_assert_ptr_nonnull(type);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        ck_assert_int_eq(types_value_kind(&m.types, type, i), kinds[i]);
    ck_assert_ptr_null(types_typed(&m.types, 0x0205));
    ck_assert_ptr_null(types_typed(&m.types, 0x0305));
    ck_assert_int_eq(types_value_kind(&m.types, NULL, 1), VALUE_UNSIGNED);
    metadata_fini(&m);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("metadata");
    tcase_add_test(tests, everything_is_read);
    tcase_add_test(tests, defaults_stand_where_nothing_is_said);
    tcase_add_test(tests, events_have_names);
    tcase_add_test(tests, fields_have_names_of_their_own);
    tcase_add_test(tests, values_have_kinds);
    tcase_add_test(tests, the_first_description_stands);
    tcase_add_test(tests, faults_are_refused);
    tcase_add_test(tests, hrefs_that_only_look_bad);
    tcase_add_test(tests, documents_that_are_no_xml);
    tcase_add_test(tests, faults_are_found_in_their_line);
    tcase_add_test(tests, elements_nest_256_deep);
    tcase_add_test(tests, documents_have_256_mib);
    tcase_add_test(tests, long_documents_end_in_anything);
    tcase_add_test(tests, other_clocks_say_nothing);
    tcase_add_test(tests, names_of_namespaces);
    tcase_add_test(tests, long_names_of_namespaces);
    tcase_add_test(tests, other_namespaces);
    tcase_add_test(tests, names_are_limited);
    tcase_add_test(tests, attributes_are_limited);
    tcase_add_test(tests, encodings_are_read);
    tcase_add_test(tests, encodings_are_refused);
    tcase_add_test(tests, attributes_are_read);
    tcase_add_test(tests, types_within_types);
    tcase_add_test(tests, threads_are_listed);
    tcase_add_test(tests, places_are_found);
    tcase_add_test(tests, places_after_two_bytes);
    return unit_run();
}
