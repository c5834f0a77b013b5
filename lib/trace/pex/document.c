/* See document.h. */
#include "trace/pex/document.h"

#include "base/array.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/number.h"
#include "io/range.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Limits for the numbers of items for which libxml2 has no limit, but needs quadratic time. */
enum { ATTRIBUTES_MAX = 1000, NAMESPACES_MAX = 1000, NAMES_MAX = 100000 };

/* Greatest length of a namespace's name, which the parser compares at each element. */
enum { NAMESPACE_BYTES_MAX = 1000 };

/* Estimated memory of libxml2: PARSER_BYTES, plus BYTE_BYTES for each byte of the document. */
enum { PARSER_BYTES = 1024 * 1024, BYTE_BYTES = 2 };

enum { BLOCK_BYTES = 256 * 1024 };

/* --- Elements ------------------------------------------------------------------------------ */

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

/* --- The document -------------------------------------------------------------------------- */

static csy_status refuse_longer(const char *name, csy_error *error)
{
    return error_set(error, CSY_INPUT, "%s: offset %d: the XML is longer than %d bytes", name,
                     DOCUMENT_BYTES_MAX, DOCUMENT_BYTES_MAX);
}

csy_status document_load(int fd, const char *name, uint64_t start, char **xml, size_t *size,
                         bool *embedded, csy_error *error)
{
    struct range range = {.fd = fd, .name = name, .start = start, .next = start};
    uint8_t *block = malloc(BLOCK_BYTES);
    csy_status status = block ? CSY_OK : error_memory(error);
    *xml = NULL;
    *size = 0;
    *embedded = false;
    for (size_t got = 1; got > 0 && !*embedded && !status;) { /* a NUL ends the document */
        status = range_read(&range, block, BLOCK_BYTES, &got, error);
        const uint8_t *nul = status ? NULL : memchr(block, 0, got);
        *embedded = nul != NULL;
        *size += nul ? (size_t)(nul - block) : got;
        if (!status && *size > DOCUMENT_BYTES_MAX)
            status = refuse_longer(name, error);
    }
    free(block);
    if (!status)
        status =
            error_check_memory(PARSER_BYTES + (uint64_t)BYTE_BYTES * *size, name, "its XML", error);
    if (!status && !(*xml = malloc(*size + 1)))
        status = error_memory(error);
    range_rewind(&range);
    for (size_t have = 0, got; have < *size && !status; have += got) {
        status = range_read(&range, (uint8_t *)*xml + have, *size - have, &got, error);
        if (!status && got == 0)
            status = error_set(error, CSY_IO, "%s: the trace has changed while it was read", name);
    }
    return status;
}

csy_status document_refuse(const struct document_bytes *src, long line, const char *what)
{
    const char *at = src->xml, *end = src->xml + src->size, *newline;
    for (long i = 1; i < line && (newline = memchr(at, '\n', (size_t)(end - at))); i++)
        at = newline + 1;
    return error_set(src->error, CSY_INPUT, "%s: offset %zu (line %ld): %s", src->name,
                     (size_t)(at - src->xml), line, what);
}

struct parse {
    const struct document_bytes *src;
    size_t fed; /* number of bytes that libxml2 has received */
    document_begin *begin;
    document_end *end;
    void *user;
    struct document_layout *out;
    const char *refusal; /* reason why cellsync, not libxml2, refuses the document, or NULL */
    bool no_memory;      /* true if memory ran out in a callback */
    unsigned depth;
    char *namespace; /* namespace of the root, or NULL */
    char *text;      /* text of the current element */
    size_t size, capacity;
    /* The last error that libxml2 reports for the first line with an error. Errors in later lines
     * are only consequences. */
    bool fault;
    long fault_line;
    char fault_text[ERROR_ESCAPED_MAX];
    bool unconverted;     /* true if libxml2 stopped at bytes that are not valid in the document's
                           * encoding */
    bool no_input_memory; /* true if libxml2 lacked memory for its input */
};

static void stop(xmlParserCtxt *parser, const char *refusal)
{
    ((struct parse *)parser->_private)->refusal = refusal;
    xmlStopParser(parser);
}

/* SAX callback for a document type declaration. Parsing stops before its contents are read. */
static void refuse_dtd(void *context, const xmlChar *name, const xmlChar *external,
                       const xmlChar *system)
{
    (void)name, (void)external, (void)system;
    stop(context, "a document type declaration is refused");
}

/* Returns true if an encoding is permitted. The table has begins of names. In these encodings, the
 * bytes of = and quotes are never a part of another character: document_parse counts them. */
static bool find_encoding(const char *encoding, enum letters *letters)
{
    static const struct {
        const char *name;
        enum letters letters;
    } encodings[] = {{"UTF-8", LETTERS_UTF8},          {"ASCII", LETTERS_OTHER},
                     {"US-ASCII", LETTERS_OTHER},      {"ISO-8859-", LETTERS_OTHER},
                     {"WINDOWS-125", LETTERS_OTHER},   {"CP125", LETTERS_OTHER},
                     {"KOI8-", LETTERS_OTHER},         {"EUC-", LETTERS_OTHER},
                     {"SHIFT_JIS", LETTERS_SHIFT_JIS}, {"GB2312", LETTERS_OTHER},
                     {"GBK", LETTERS_PAIRS},           {"GB18030", LETTERS_PAIRS},
                     {"BIG5", LETTERS_PAIRS}};
    for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++)
        if (ascii_same(encoding, encodings[i].name, strlen(encodings[i].name))) {
            *letters = encodings[i].letters;
            return true;
        }
    return false;
}

#define OTHER_ENCODING "expected the encoding UTF-8 or another one that pex(5) names"

/* Returns true if the XML declaration names a refused encoding. To be called before libxml2 loads a
 * converter. start_document checks declarations that are not in ASCII, and thus not found here. */
static bool names_other_encoding(const struct document_bytes *src)
{
    enum { DECLARATION_MAX = 1000 };
    char text[DECLARATION_MAX + 1], name[64];
    enum letters unused;
    size_t n = src->size < DECLARATION_MAX ? src->size : DECLARATION_MAX, blanks;
    memcpy(text, src->xml, n);
    text[n] = '\0';
    char *at = text + (strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0), *end;
    if (strncmp(at, "<?xml", 5) != 0 || !(end = strstr(at, "?>")))
        return false;
    *end = '\0';
    if (!(at = strstr(at, "encoding")))
        return false;
    at += strlen("encoding");
    blanks = strspn(at, " \t\r\n=");
    if (!strchr("\"'", at[blanks]) || at[blanks] == '\0')
        return false;
    at += blanks + 1;
    n = strcspn(at, "\"'");
    n = n < sizeof name ? n : sizeof name - 1;
    memcpy(name, at, n);
    name[n] = '\0';
    return !find_encoding(name, &unused);
}

/* SAX callback at the start of the document, after the XML declaration if there is one. */
static void start_document(void *context)
{
    xmlParserCtxt *parser = context;
    struct parse *parse = parser->_private;
    const xmlParserInputBuffer *buffer = parser->input ? parser->input->buf : NULL;
    const char *encoding = buffer && buffer->encoder ? buffer->encoder->name : "UTF-8";
    if (!find_encoding(encoding, &parse->out->letters))
        stop(parser, OTHER_ENCODING); /* do not use `encoding` after the call */
}

/* Stop parsing if the document has too many names. Returns true if parsing stopped. */
static bool is_crowded(xmlParserCtxt *parser)
{
    bool crowded = xmlDictSize(parser->dict) > NAMES_MAX;
    if (crowded)
        stop(parser, "more than 100000 different names");
    return crowded;
}

/* Stop parsing if the document has too many names, or after a fault. Returns true if it stopped. */
static bool is_over(xmlParserCtxt *parser)
{
    if (is_crowded(parser))
        return true;
    if (!parser->wellFormed)
        xmlStopParser(parser);
    return !parser->wellFormed;
}

static void instruct(void *context, const xmlChar *target, const xmlChar *data)
{
    (void)target, (void)data;
    (void)is_over(context);
}

/* SAX callback for a comment. libxml2 reports faults in comments only if a callback exists. */
static void ignore_comment(void *context, const xmlChar *text)
{
    (void)context, (void)text;
}

/* SAX callback for a reference to an entity. No entity exists, because declarations are refused. */
static xmlEntity *find_entity(void *context, const xmlChar *name)
{
    (void)name;
    (void)is_crowded(context);
    return NULL;
}

/* Append bytes, and then the byte `last`, to parse->text. Returns false if memory runs out. */
static bool add_bytes(struct parse *parse, const xmlChar *bytes, size_t size, char last)
{
    if (!ARRAY_RESERVE(parse->text, parse->capacity, parse->size + size + 1))
        return false;
    memcpy(parse->text + parse->size, bytes, size);
    parse->size += size;
    parse->text[parse->size++] = last;
    return true;
}

static bool add_string(struct parse *parse, const xmlChar *text, char last)
{
    return add_bytes(parse, text, strlen((const char *)text), last);
}

/* Returns true if `uri` is the namespace of the root element. */
static bool is_ours(const struct parse *parse, const xmlChar *uri)
{
    return parse->namespace ? uri && strcmp(parse->namespace, (const char *)uri) == 0 : !uri;
}

static void start_element(void *context, const xmlChar *name, const xmlChar *prefix,
                          const xmlChar *uri, int nnamespaces, const xmlChar **namespaces,
                          int nattributes, int ndefaulted, const xmlChar **attributes)
{
    xmlParserCtxt *parser = context;
    struct parse *parse = parser->_private;
    bool is_long = false;
    (void)ndefaulted;
    for (int i = 0; i < nnamespaces; i++)
        is_long |= namespaces[2 * i + 1] &&
                   strlen((const char *)namespaces[2 * i + 1]) > NAMESPACE_BYTES_MAX;
    if (parser->nsNr > 2 * NAMESPACES_MAX)
        stop(parser, "more than 1000 declarations of namespaces are active");
    else if (is_long)
        stop(parser, "the name of a namespace is longer than 1000 bytes");
    else if (!is_over(parser)) {
        struct element element = {
            .line = parser->input->line, .index = parse->out->nelements++, .depth = parse->depth++};
        bool first = element.depth == 0 && uri;
        bool good = !first || (parse->namespace = strdup((const char *)uri));
        if (good && is_ours(parse, uri)) {
            /* A prefix that is not declared is a part of the element's name. */
            parse->size = 0;
            good =
                (uri || !prefix || add_string(parse, prefix, ':')) && add_string(parse, name, '\0');
            for (int i = 0; i < nattributes && good; i++) {
                const xmlChar **at = attributes + (ptrdiff_t)5 * i;
                good = at[1] || (add_string(parse, at[0], '\0') &&
                                 add_bytes(parse, at[3], (size_t)(at[4] - at[3]), '\0'));
            }
            element.text = parse->text;
            element.size = parse->size;
            good = good && parse->begin(parse->user, &element);
        }
        if (!good) {
            parse->no_memory = true;
            xmlStopParser(parser);
        }
    }
}

static void end_element(void *context, const xmlChar *name, const xmlChar *prefix,
                        const xmlChar *uri)
{
    xmlParserCtxt *parser = context;
    struct parse *parse = parser->_private;
    (void)name, (void)prefix;
    parse->depth--;
    if (is_ours(parse, uri) && parser->wellFormed && !parse->end(parse->user, parse->depth)) {
        parse->no_memory = true;
        xmlStopParser(parser);
    }
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void note_fault(void *user, const xmlError *fault)
{
    struct parse *parse = user;
    bool converting = fault->domain == XML_FROM_I18N || fault->domain == XML_FROM_IO;
    parse->unconverted |= converting;
    parse->no_input_memory |= fault->code == XML_ERR_NO_MEMORY;
    long line = fault->line > 0 ? fault->line : 1;
    bool counts = !converting && fault->message && fault->level >= XML_ERR_ERROR;
    if (counts && (!parse->fault || line == parse->fault_line)) {
        parse->fault = true;
        parse->fault_line = line;
        error_escape(parse->fault_text, fault->message, strcspn(fault->message, "\n"));
    }
}

static int feed(void *user, char *to, int size)
{
    struct parse *parse = user;
    size_t left = parse->src->size - parse->fed;
    size_t n = left < (size_t)size ? left : (size_t)size;
    memcpy(to, parse->src->xml + parse->fed, n);
    parse->fed += n;
    return (int)n;
}

static csy_status judge(const struct parse *parse, const xmlParserCtxt *parser)
{
    const struct document_bytes *src = parse->src;
    const xmlError *fault = &parser->lastError;
    long line = parser->input ? parser->input->line : 1;
    char text[256];
    if (parse->no_memory)
        return error_memory(src->error);
    if (parse->refusal)
        return document_refuse(src, line, parse->refusal);
    if (parse->unconverted)
        return document_refuse(
            src, line,
            "not well-formed XML: the document contains bytes that are invalid in its encoding");
    if (parser->wellFormed)
        return parse->no_input_memory ? error_memory(src->error) : CSY_OK;
    bool huge = fault->message && strstr(fault->message, "huge");
    if (!fault->message || !parse->fault || (fault->code == XML_ERR_NO_MEMORY && !huge))
        return error_memory(src->error); /* libxml2 may have lacked memory for its message */
    snprintf(text, sizeof text, "not well-formed XML: %s", parse->fault_text);
    return document_refuse(src, parse->fault_line, text);
}

csy_status document_parse(const struct document_bytes *src, document_begin *begin,
                          document_end *end, void *user, struct document_layout *out)
{
    *out = (struct document_layout){.nelements = 0};
    if (src->size > DOCUMENT_BYTES_MAX)
        return refuse_longer(src->name, src->error);
    unsigned attributes = 0;
    char last = 0;
    for (size_t i = 0; i < src->size; i++) {
        /* Count each quote after =, even in comments: after an error, libxml2 may take the contents
         * of a comment for tags. */
        char c = src->xml[i];
        bool quoted = last == '=' && (c == '"' || c == '\'');
        attributes = c == '<' ? 0 : attributes + quoted;
        if (attributes > ATTRIBUTES_MAX)
            return error_set(src->error, CSY_INPUT,
                             "%s: offset %zu: an element has more than %d attributes", src->name, i,
                             ATTRIBUTES_MAX);
        if (!is_blank(c))
            last = c;
    }
    if (names_other_encoding(src))
        return document_refuse(src, 1, OTHER_ENCODING);
    /* Initialize libxml2 for each document, because the program may have called xmlCleanupParser.
     * The lock is necessary, because xmlInitParser is not safe in several threads. */
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    xmlInitParser();
    pthread_mutex_unlock(&lock);
    struct parse parse = {.src = src, .begin = begin, .end = end, .user = user, .out = out};
    xmlStructuredErrorFunc handler = xmlStructuredError; /* each thread has its own */
    void *context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(&parse, (xmlStructuredErrorFunc)note_fault);
    xmlParserCtxt *parser = xmlNewParserCtxt();
    if (parser) {
        const xmlSAXHandler handlers = {.initialized = XML_SAX2_MAGIC,
                                        .startDocument = start_document,
                                        .internalSubset = refuse_dtd,
                                        .processingInstruction = instruct,
                                        .comment = ignore_comment,
                                        .getEntity = find_entity,
                                        .startElementNs = start_element,
                                        .endElementNs = end_element};
        parser->_private = &parse;
        *parser->sax = handlers;
        xmlFreeDoc(xmlCtxtReadIO(parser, feed, NULL, &parse, NULL, NULL,
                                 XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_RECOVER |
                                     XML_PARSE_BIG_LINES | XML_PARSE_NOERROR |
                                     XML_PARSE_NOWARNING));
        const xmlParserInput *input = parser->input; /* NULL for some encodings, such as ASCII */
        bool rest = parse.fed < src->size ||
                    (input && (input->cur < input->end ||
                               (input->buf && input->buf->raw && xmlBufUse(input->buf->raw) > 0)));
        parse.unconverted |= parser->wellFormed && rest;
    }
    csy_status status = parser ? judge(&parse, parser) : error_memory(src->error);
    xmlFreeParserCtxt(parser);
    xmlSetStructuredErrorFunc(context, handler);
    FREE_ALL(parse.namespace, parse.text);
    return status;
}

csy_status document_refuse_element(const struct document_bytes *src, const struct element *element,
                                   const char *what)
{
    char escaped[ERROR_ESCAPED_MAX];
    char text[512];
    const char *name = element->text;
    snprintf(text, sizeof text, "%s: %s", error_escape(escaped, name, strlen(name)), what);
    return document_refuse(src, element->line, text);
}

csy_status document_refuse_value(const struct document_bytes *src, const struct element *element,
                                 const char *attribute, const char *value, const char *want)
{
    char escaped[ERROR_ESCAPED_MAX];
    char text[256];
    error_escape(escaped, value, strlen(value));
    snprintf(text, sizeof text, "%s=\"%s\": %s", attribute, escaped, want);
    return document_refuse_element(src, element, text);
}

/* --- Tags ---------------------------------------------------------------------------------- */

static bool begins(const char *xml, size_t size, size_t at, const char *with)
{
    size_t n = strlen(with);
    return size - at >= n && memcmp(xml + at, with, n) == 0;
}

/* Returns the offset after the next occurrence of `with`, or the end of the document. */
static size_t skip_past(const char *xml, size_t size, size_t at, const char *with)
{
    const char *found;
    while ((found = memchr(xml + at, with[0], size - at))) {
        at = (size_t)(found - xml);
        if (begins(xml, size, at, with))
            return at + strlen(with);
        at++;
    }
    return size;
}

/* Returns the offset after the ]]> of a CDATA section. A byte ] may be a part of a character. */
static size_t skip_cdata(const char *xml, size_t size, size_t at, enum letters letters)
{
    if (letters < LETTERS_PAIRS)
        return skip_past(xml, size, at, "]]>");
    while (at < size && !begins(xml, size, at, "]]>")) {
        unsigned char byte = (unsigned char)xml[at];
        bool leads =
            letters == LETTERS_PAIRS ? byte > 0x80 : byte >= 0xe0 || (byte > 0x80 && byte < 0xa0);
        at += leads ? 2 : 1;
    }
    return at < size ? at + 3 : size;
}

/* Returns the offset after the > of the tag at `at`, or the end of the document. */
static size_t skip_tag(const char *xml, size_t size, size_t at)
{
    char quote = 0;
    for (; at < size; at++) {
        char c = xml[at];
        if (quote) {
            const char *close = memchr(xml + at, quote, size - at);
            if (!close)
                return size;
            at = (size_t)(close - xml);
            quote = 0;
        } else if (c == '>') {
            return at + 1;
        } else if (c == '"' || c == '\'') {
            quote = c;
        }
    }
    return size;
}

bool tag_next(const char *xml, size_t size, enum letters letters, struct tag *tag)
{
    const char *found;
    size_t at = tag->end;
    while (at < size && (found = memchr(xml + at, '<', size - at))) {
        at = (size_t)(found - xml);
        if (begins(xml, size, at, "<!--")) {
            at = skip_past(xml, size, at + 4, "-->");
        } else if (begins(xml, size, at, "<![CDATA[")) {
            at = skip_cdata(xml, size, at + 9, letters);
        } else if (begins(xml, size, at, "<?")) {
            at = skip_past(xml, size, at + 2, "?>");
        } else {
            size_t end = skip_tag(xml, size, at);
            bool closes = begins(xml, size, at, "</");
            *tag = (struct tag){at, end, !closes, closes || (end > at + 2 && xml[end - 2] == '/')};
            return true;
        }
    }
    return false;
}

/* Returns the offset after the blanks at `at`. */
static size_t skip_blanks(const char *tag, size_t size, size_t at)
{
    while (at < size && is_blank(tag[at]))
        at++;
    return at;
}

size_t tag_name_bytes(const char *tag, size_t size)
{
    size_t at = 1;
    while (at < size && !is_blank(tag[at]) && tag[at] != '/' && tag[at] != '>')
        at++;
    return at - 1;
}

bool tag_is(const char *tag, size_t size, const char *local)
{
    size_t n = tag_name_bytes(tag, size), wanted = strlen(local);
    return n >= wanted && memcmp(tag + 1 + n - wanted, local, wanted) == 0 &&
           (n == wanted || tag[n - wanted] == ':');
}

bool tag_attribute(const char *tag, size_t size, size_t at, struct tag_attribute *out)
{
    out->begin = at;
    out->name = at = skip_blanks(tag, size, at);
    while (at < size && !is_blank(tag[at]) && tag[at] != '=' && tag[at] != '/' && tag[at] != '>')
        at++;
    out->name_size = at - out->name;
    at = skip_blanks(tag, size, at);
    if (out->name_size == 0 || at >= size || tag[at] != '=')
        return false;
    at = skip_blanks(tag, size, at + 1);
    if (at >= size || (tag[at] != '"' && tag[at] != '\''))
        return false;
    const char *close = memchr(tag + at + 1, tag[at], size - at - 1);
    if (!close)
        return false;
    out->value = at + 1;
    out->value_size = (size_t)(close - tag) - out->value;
    out->end = (size_t)(close - tag) + 1;
    return true;
}

bool tag_attribute_is(const char *tag, const struct tag_attribute *attribute, const char *name)
{
    return attribute->name_size == strlen(name) &&
           memcmp(tag + attribute->name, name, attribute->name_size) == 0;
}
