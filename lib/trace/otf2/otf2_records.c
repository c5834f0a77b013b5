/* See otf2_records.h. */
#include "trace/otf2/otf2_records.h"

#include "io/bytes.h"

#include <string.h>

enum {
    END_OF_CHUNK = 0,
    END_OF_FILE = 2,
    CHUNK_BEGIN = 3,
    TIMESTAMP = 5,
    ATTRIBUTES = 6,
    FIRST_DEFINITION = 5, /* lowest kind of a definition */
    FIRST_EVENT = 10,
    LITTLE = 'B',
    BIG = '#',
    CHUNK_HEAD_BYTES = 18,
    TIMESTAMP_BYTES = 9,
    LONG = 255, /* a length of 255 means that 8 bytes with the length follow */
    LONG_BYTES = 8,
    UNDEFINED = 255, /* a size of 255, without further bytes, means the greatest integer */
    KINDS = 256,
    /* Greatest number of attributes of an event, and of properties of an archive. libotf2 takes
     * quadratic time for attributes and properties. */
    ATTRIBUTES_MOST = 1024,
    PROPERTIES_MOST = 1024
};

/* The fields of a record, in order:
 *
 *   1  a byte                                 S  a text and a zero byte
 *   4  an integer of up to 4 bytes            V  a value, whose type is in the byte before
 *   8  an integer of up to 8 bytes            M  a table from local to global numbers
 *   F  8 bytes
 *   n, N  a count (n: type 1, N: type 4), and that many items of the next letter:
 *         4, 8, P (a property), Q (a metric), A (an attribute)
 *   ?  the record may end here: later versions of OTF2 have added the rest
 *   =  at the beginning: there is no length, and the integer follows the kind */
static const char *const definition_fields[KINDS] = {
    [10] = "4S",           /* String */
    [11] = "441?4",        /* Attribute */
    [12] = "4444",         /* SystemTreeNode */
    [13] = "4414?4",       /* LocationGroup */
    [14] = "84184",        /* Location */
    [15] = "4441444?4114", /* Region */
    [16] = "44444",        /* Callsite */
    [17] = "444",          /* Callpath */
    [18] = "441N8?114",    /* Group */
    [19] = "444111184",    /* MetricMember */
    [20] = "4n41?1",       /* MetricClass */
    [21] = "44818",        /* MetricInstance */
    [22] = "4444?4",       /* Comm */
    [23] = "441",          /* Parameter */
    [24] = "444?4",        /* RmaWin */
    [25] = "48",           /* MetricClassRecorder */
    [26] = "444?1V",       /* SystemTreeNodeProperty */
    [27] = "41",           /* SystemTreeNodeDomain */
    [28] = "444?1V",       /* LocationGroupProperty */
    [29] = "844?1V",       /* LocationProperty */
    [30] = "4441",         /* CartDimension */
    [31] = "444n4",        /* CartTopology */
    [32] = "44n4",         /* CartCoordinate */
    [33] = "444",          /* SourceCodeLocation */
    [34] = "4444",         /* CallingContext */
    [35] = "441V",         /* CallingContextProperty */
    [36] = "441188",       /* InterruptGenerator */
    [37] = "441V",         /* IoFileProperty */
    [38] = "444",          /* IoRegularFile */
    [39] = "444",          /* IoDirectory */
    [40] = "4441444",      /* IoHandle */
    [41] = "414",          /* IoPreCreatedHandleState */
    [42] = "441V",         /* CallpathParameter */
    [43] = "444444",       /* InterComm */
};

/* Fields of kinds below 10, which differ between global and local definitions. */
static const char *const global_fields[FIRST_EVENT] = {
    [5] = "888?8",   /* ClockProperties */
    [6] = "141",     /* Paradigm */
    [7] = "111V",    /* ParadigmProperty */
    [8] = "14414nP", /* IoParadigm */
};
static const char *const local_fields[FIRST_EVENT] = {
    [5] = "1M",  /* MappingTable */
    [6] = "F8F", /* ClockOffset */
};

static const char *const event_fields[KINDS] = {
    [ATTRIBUTES] = "NA", /* attributes of an event */
    [12] = "=4",         /* Enter */
    [13] = "=4",         /* Leave */
    [14] = "4448",       /* MpiSend */
    [15] = "44488",      /* MpiIsend */
    [17] = "=8",         /* MpiIrecvRequest */
    [18] = "4448",       /* MpiRecv */
    [19] = "44488",      /* MpiIrecv */
    [21] = "=8",         /* MpiRequestCancelled */
    [22] = "",           /* MpiCollectiveBegin */
    [23] = "14488",      /* MpiCollectiveEnd */
    [85] = "8",          /* NonBlockingCollectiveRequest */
    [86] = "144888",     /* NonBlockingCollectiveComplete */
#define OTHER0(kind, fields, ...) [kind] = (fields),
#define OTHER1 OTHER0
#define OTHER2 OTHER0
#define OTHER3 OTHER0
#define OTHER4 OTHER0
#define OTHER5 OTHER0
#define OTHER6 OTHER0
#include "trace/otf2/others.h"
};

/* --- Fields --------------------------------------------------------------------------------- */

static const char beyond[] = "a field goes beyond the end of its record";
static const char wide[] = "an integer is wider than its field";

struct cursor {
    const uint8_t *at, *end;
    bool little;
    uint8_t byte;      /* value of the last field of one byte */
    const char *fault; /* reason why a field cannot be read, or NULL */
};

static bool skip(struct cursor *c, size_t n)
{
    if ((size_t)(c->end - c->at) < n)
        c->fault = beyond;
    else
        c->at += n;
    return !c->fault;
}

static bool take_byte(struct cursor *c)
{
    if (!skip(c, 1))
        return false;
    c->byte = c->at[-1];
    return true;
}

static bool skip_integer(struct cursor *c, unsigned most)
{
    if (!skip(c, 1))
        return false;
    unsigned size = c->at[-1];
    if (size == UNDEFINED)
        return true;
    if (size > most)
        c->fault = wide;
    return !c->fault && skip(c, size);
}

static bool take_integer(struct cursor *c, unsigned most, uint64_t *value)
{
    const uint8_t *at = c->at;
    if (!skip_integer(c, most))
        return false;
    *value = *at == UNDEFINED ? UINT64_MAX : bytes_number(at + 1, *at, c->little);
    return true;
}

static bool skip_text(struct cursor *c)
{
    const uint8_t *zero = c->at < c->end ? memchr(c->at, 0, (size_t)(c->end - c->at)) : NULL;
    if (zero)
        c->at = zero + 1;
    else
        c->fault = "a text goes beyond the end of its record";
    return zero;
}

/* Skip a field of the type '1', '4', '8', 'F', 'S', or 'V'. */
static bool skip_field(struct cursor *c, char field)
{
    switch (field) {
    case '1':
        return take_byte(c);
    case '4':
        return skip_integer(c, 4);
    case '8':
        return skip_integer(c, 8);
    case 'F':
        return skip(c, 8);
    case 'S':
        return skip_text(c);
    default: /* 'V', a value */
        break;
    }
    /* The type of the value is in c->byte. Values of the types STRING to LAST are ids of
     * definitions. */
    enum { UINT8 = 1, UINT16, UINT32, UINT64, INT8, INT16, INT32, INT64, FLOAT, DOUBLE };
    enum { STRING = 11, LOCATION = 13, LAST = 25 };
    switch (c->byte) {
    case UINT8:
    case INT8:
        return skip(c, 1);
    case UINT16:
    case INT16:
        return skip(c, 2);
    case FLOAT:
        return skip(c, 4);
    case DOUBLE:
        return skip(c, 8);
    case UINT64:
    case INT64:
    case LOCATION:
        return skip_integer(c, 8);
    case UINT32:
    case INT32:
        return skip_integer(c, 4);
    default:
        return skip_integer(c, c->byte >= STRING && c->byte <= LAST ? 4 : 8);
    }
}

/* Skip n items of a field type. An item has at least one byte, so the loop ends with the record. */
static bool skip_items(struct cursor *c, uint64_t n, char item)
{
    const char alone[] = {item, 0};
    const char *fields = item == 'P' ? "11V" : item == 'Q' ? "18" : item == 'A' ? "41V" : alone;
    if (item == 'A' && n > ATTRIBUTES_MOST)
        c->fault = "an event has more than 1024 attributes";
    for (; n > 0 && !c->fault; n--)
        for (const char *field = fields; *field && !c->fault; field++)
            skip_field(c, *field);
    return !c->fault;
}

/* Skip a table that maps local numbers to global numbers. The table is an array or a list of pairs.
 * Unsorted pairs are refused, because libotf2 takes quadratic time for them. */
static bool skip_table(struct cursor *c)
{
    uint64_t n, local, before = 0;
    if (!take_integer(c, 8, &n) || !take_byte(c))
        return false;
    if (c->byte == 0)
        return skip_items(c, n, '8');
    for (uint64_t i = 0; i < n; i++) {
        if (!take_integer(c, 8, &local) || !skip_integer(c, 8))
            return false;
        if (i > 0 && local <= before) {
            c->fault = "a table of numbers is not in order";
            return false;
        }
        before = local;
    }
    return true;
}

static bool skip_fields(struct cursor *c, const char *fields)
{
    uint64_t n;
    /* Skip the integers at the begin of a record, up to an invalid integer or another field. This
     * loop is fast, because most events consist of integers. */
    const uint8_t *at = c->at;
    for (; *fields == '4' || *fields == '8'; fields++) {
        unsigned size = at < c->end && *at != UNDEFINED ? *at : 0;
        if (at == c->end || size > (unsigned)(*fields - '0') || size >= (size_t)(c->end - at))
            break;
        at += 1 + size;
    }
    c->at = at;
    for (; *fields && !c->fault; fields++)
        switch (*fields) {
        case '?':
            if (c->at == c->end)
                return true;
            break;
        case 'M':
            skip_table(c);
            break;
        case 'n':
            if (take_byte(c))
                skip_items(c, c->byte, fields[1]);
            fields++;
            break;
        case 'N':
            if (take_integer(c, 4, &n))
                skip_items(c, n, fields[1]);
            fields++;
            break;
        default:
            skip_field(c, *fields);
        }
    return !c->fault;
}

/* --- Records -------------------------------------------------------------------------------- */

/* A chunk of a file; `at` is the position of the next record. */
struct chunk {
    const uint8_t *bytes, *at, *end;
    bool last, little;
};

/* Set a fault at the current position of a chunk. Returns false. */
static bool refuse(struct otf2_records *r, const struct chunk *chunk, const char *fault)
{
    r->fault = fault;
    r->offset += (uint64_t)(chunk->at - chunk->bytes);
    return false;
}

/* Refuse a chunk that ends within a record or without an end mark. Returns false. */
static bool refuse_end(struct otf2_records *r, const struct chunk *chunk)
{
    r->cut = chunk->last;
    return refuse(r, chunk,
                  r->cut ? "the file was cut off" : "a record goes beyond the end of its chunk");
}

/* Check and skip a record. At least one byte must follow the record. */
static bool pass_record(struct otf2_records *r, struct chunk *chunk)
{
    uint8_t kind = chunk->at[0];
    struct cursor c = {.at = chunk->at + 1, .end = chunk->end - 1, .little = chunk->little};
    if (!(r->part == OTF2_EVENTS ? kind >= FIRST_EVENT || kind == ATTRIBUTES
                                 : kind >= FIRST_DEFINITION))
        return refuse(r, chunk, "unknown kind of record");
    if (chunk->end - c.at < 1)
        return refuse_end(r, chunk);
    /* If `fields` is NULL, only the length of this kind of record is checked. */
    const char *fields = r->part == OTF2_EVENTS ? event_fields[kind]
                         /* cppcheck-suppress arrayIndexOutOfBoundsCond */
                         : kind >= FIRST_EVENT                ? definition_fields[kind]
                         : r->part == OTF2_GLOBAL_DEFINITIONS ? global_fields[kind]
                                                              : local_fields[kind];
    bool single = fields && *fields == '=';
    if (!single) { /* find the end of the record by its length */
        uint64_t length = *c.at++;
        size_t left = (size_t)(chunk->end - c.at);
        if (length == LONG) {
            if (left < LONG_BYTES)
                return refuse_end(r, chunk);
            length = bytes_number(c.at, LONG_BYTES, c.little);
            c.at += LONG_BYTES;
            left -= LONG_BYTES;
        }
        if (length >= left)
            return refuse_end(r, chunk);
        c.end = c.at + length;
    }
    if (fields && !skip_fields(&c, fields + single))
        return single && c.fault == beyond ? refuse_end(r, chunk) : refuse(r, chunk, c.fault);
    chunk->at = single ? c.at : c.end;
    return true;
}

static bool pass_timestamp(struct otf2_records *r, struct chunk *chunk)
{
    if (chunk->end - chunk->at <= TIMESTAMP_BYTES)
        return refuse_end(r, chunk);
    chunk->at += TIMESTAMP_BYTES;
    return true;
}

bool otf2_records_check(struct otf2_records *r, const uint8_t *bytes, size_t size, bool last)
{
    struct chunk chunk = {.bytes = bytes, .at = bytes, .end = bytes + size, .last = last};
    uint64_t before = r->records;
    if (size <= CHUNK_HEAD_BYTES)
        return refuse_end(r, &chunk);
    if (bytes[0] != CHUNK_BEGIN)
        return refuse(r, &chunk, "this is not a chunk header");
    if (bytes[1] != LITTLE && bytes[1] != BIG)
        return refuse(r, &chunk, "a chunk has no byte order");
    chunk.little = bytes[1] == LITTLE;
    chunk.at += CHUNK_HEAD_BYTES;
    for (;;) {
        if (r->part == OTF2_EVENTS && *chunk.at == TIMESTAMP && !pass_timestamp(r, &chunk))
            return false;
        if (*chunk.at == END_OF_CHUNK)
            break;
        if (*chunk.at == END_OF_FILE) {
            r->ended = true;
            return r->part == OTF2_EVENTS && chunk.end - chunk.at == 1 && refuse_end(r, &chunk);
        }
        if (r->part == OTF2_EVENTS && *chunk.at == ATTRIBUTES) {
            if (!pass_record(r, &chunk) || (*chunk.at == TIMESTAMP && !pass_timestamp(r, &chunk)))
                return false;
            if (*chunk.at < FIRST_EVENT)
                return refuse(r, &chunk, "no event follows its attributes");
        }
        if (!pass_record(r, &chunk))
            return false;
        r->records++;
    }
    /* Refuse successive chunks without records, because libotf2 recurses for each such chunk. */
    bool empty = r->records == before;
    if (empty && r->empty)
        return refuse(r, &chunk, "two chunks have no records");
    if (last)
        return refuse_end(r, &chunk);
    r->empty = empty;
    r->offset += size;
    return true;
}

/* --- The anchor file ------------------------------------------------------------------------ */

const char *otf2_anchor_fault(const uint8_t *bytes, size_t size)
{
    enum {
        HEAD_BYTES = 7,
        FORMAT = 7,
        SUBSTRATE_AT = 28,
        COMPRESSION_AT,
        TEXTS_AT = 46,
        TEXTS = 3
    };
    enum { WITH_PROPERTIES = 2, POSIX = 1, NO_COMPRESSION = 1, COUNT_BYTES = 4 };
    static const char cut[] = "the file was cut off";
    if (size < HEAD_BYTES || bytes[0] != CHUNK_BEGIN || memcmp(bytes + 2, "OTF2", 5) != 0)
        return "this is not an anchor file";
    if (bytes[1] != LITTLE && bytes[1] != BIG)
        return "the anchor file has no byte order";
    if (size <= TEXTS_AT)
        return cut;
    if (bytes[SUBSTRATE_AT] != POSIX)
        return "the events of the archive are not in plain files";
    if (bytes[COMPRESSION_AT] != NO_COMPRESSION)
        return "the files of the archive are compressed";
    struct cursor c = {.at = bytes + TEXTS_AT, .end = bytes + size};
    for (int i = 0; i < TEXTS; i++)
        if (!skip_text(&c))
            return cut;
    if (bytes[FORMAT] < WITH_PROPERTIES)
        return NULL;
    if (!skip(&c, COUNT_BYTES))
        return cut;
    uint64_t n = bytes_number(c.at - COUNT_BYTES, COUNT_BYTES, bytes[1] == LITTLE);
    if (n > PROPERTIES_MOST)
        return "the archive has more than 1024 properties";
    for (uint64_t i = 0; i < 2 * n; i++)
        if (!skip_text(&c))
            return cut;
    return NULL;
}
