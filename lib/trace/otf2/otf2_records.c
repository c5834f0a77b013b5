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
    USUAL_ROOM = 512, /* take_usual is used if at least this many bytes are left, so it need not
                       * check for the end */
    LAST_EVENT = 88,  /* greatest kind of an event that has a name */
    LITTLE = 'B',
    BIG = '#',
    CHUNK_HEAD_BYTES = 18,
    TIMESTAMP_BYTES = 9,
    LONG = 255, /* this byte in place of a length means that the length follows in 8 bytes */
    LONG_BYTES = 8,
    UNDEFINED = 255, /* a size of 255, without further bytes, means the greatest integer */
    KINDS = 256,
    /* Greatest number of attributes of an event, and of properties of an archive. libotf2 takes
     * quadratic time for attributes and properties. */
    ATTRIBUTES_MOST = 1024,
    PROPERTIES_MOST = 1024
};

/* For each kind of record: a text with a letter for each field, in order:
 *
 *   1  a byte                                 S  a text and a zero byte
 *   4  an integer of up to 4 bytes            V  a value; its type is in the byte before
 *   8  an integer of up to 8 bytes            M  a table from local to global numbers
 *   F  8 bytes
 *   n, N  a count (n: as 1, N: as 4), and as many items. The next letter is their type:
 *         4, 8, P (a property), Q (a metric), or A (an attribute)
 *   ?  no field: the record may end here, because later versions of OTF2 added the rest
 *   =  no field: the record has no length, so an integer follows the kind */
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

/* Fields of the record kinds that are different in global and local definitions. */
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

/* Fields and names of events. If `name` is NULL, the region or operation of the event names it. */
static const struct {
    const char *fields, *name;
} events[KINDS] = {
    [ATTRIBUTES] = {"NA", NULL},
    [10] = {"F", "BUFFER_FLUSH"},
    [11] = {"1", "MEASUREMENT_ON_OFF"},
    [12] = {"=4", NULL}, /* Enter */
    [13] = {"=4", NULL}, /* Leave */
    [14] = {"4448", "MPI_SEND"},
    [15] = {"44488", "MPI_ISEND"},
    [16] = {"=8", "MPI_ISEND_COMPLETE"},
    [17] = {"=8", "MPI_IRECV_REQUEST"},
    [18] = {"4448", "MPI_RECV"},
    [19] = {"44488", "MPI_IRECV"},
    [20] = {"=8", "MPI_REQUEST_TEST"},
    [21] = {"=8", "MPI_REQUEST_CANCELLED"},
    [22] = {"", NULL},      /* MpiCollectiveBegin */
    [23] = {"14488", NULL}, /* MpiCollectiveEnd */
    [24] = {"=4", "OMP_FORK"},
    [25] = {"", "OMP_JOIN"},
    [26] = {"44", "OMP_ACQUIRE_LOCK"},
    [27] = {"44", "OMP_RELEASE_LOCK"},
    [28] = {"=8", "OMP_TASK_CREATE"},
    [29] = {"=8", "OMP_TASK_SWITCH"},
    [30] = {"=8", "OMP_TASK_COMPLETE"},
    [31] = {"4nQ", "METRIC"},
    [32] = {"44", "PARAMETER_STRING"},
    [33] = {"48", "PARAMETER_INT"},
    [34] = {"48", "PARAMETER_UNSIGNED_INT"},
    [35] = {"4", "RMA_WIN_CREATE"},
    [36] = {"4", "RMA_WIN_DESTROY"},
    [37] = {"", "RMA_COLLECTIVE_BEGIN"},
    [38] = {"144488", "RMA_COLLECTIVE_END"},
    [39] = {"444", "RMA_GROUP_SYNC"},
    [40] = {"4481", "RMA_REQUEST_LOCK"},
    [41] = {"4481", "RMA_ACQUIRE_LOCK"},
    [42] = {"4481", "RMA_TRY_LOCK"},
    [43] = {"448", "RMA_RELEASE_LOCK"},
    [44] = {"441", "RMA_SYNC"},
    [45] = {"4", "RMA_WAIT_CHANGE"},
    [46] = {"4488", "RMA_PUT"},
    [47] = {"4488", "RMA_GET"},
    [48] = {"441888", "RMA_ATOMIC"},
    [49] = {"48", "RMA_OP_COMPLETE_BLOCKING"},
    [50] = {"48", "RMA_OP_COMPLETE_NON_BLOCKING"},
    [51] = {"48", "RMA_OP_TEST"},
    [52] = {"48", "RMA_OP_COMPLETE_REMOTE"},
    [53] = {"14", "THREAD_FORK"},
    [54] = {"1", "THREAD_JOIN"},
    [55] = {"4", "THREAD_TEAM_BEGIN"},
    [56] = {"4", "THREAD_TEAM_END"},
    [57] = {"144", "THREAD_ACQUIRE_LOCK"},
    [58] = {"144", "THREAD_RELEASE_LOCK"},
    [59] = {"444", "THREAD_TASK_CREATE"},
    [60] = {"444", "THREAD_TASK_SWITCH"},
    [61] = {"444", "THREAD_TASK_COMPLETE"},
    [62] = {"48", "THREAD_CREATE"},
    [63] = {"48", "THREAD_BEGIN"},
    [64] = {"48", "THREAD_WAIT"},
    [65] = {"48", "THREAD_END"},
    [66] = {"44", "CALLING_CONTEXT_ENTER"},
    [67] = {"4", "CALLING_CONTEXT_LEAVE"},
    [68] = {"444", "CALLING_CONTEXT_SAMPLE"},
    [69] = {"4144", "IO_CREATE_HANDLE"},
    [70] = {"4", "IO_DESTROY_HANDLE"},
    [71] = {"444", "IO_DUPLICATE_HANDLE"},
    [72] = {"4818", "IO_SEEK"},
    [73] = {"44", "IO_CHANGE_STATUS_FLAGS"},
    [74] = {"14", "IO_DELETE_FILE"},
    [75] = {"41488", "IO_OPERATION_BEGIN"},
    [76] = {"48", "IO_OPERATION_TEST"},
    [77] = {"48", "IO_OPERATION_ISSUED"},
    [78] = {"488", "IO_OPERATION_COMPLETE"},
    [79] = {"48", "IO_OPERATION_CANCELLED"},
    [80] = {"41", "IO_ACQUIRE_LOCK"},
    [81] = {"41", "IO_RELEASE_LOCK"},
    [82] = {"41", "IO_TRY_LOCK"},
    [83] = {"4N4", "PROGRAM_BEGIN"},
    [84] = {"8", "PROGRAM_END"},
    [85] = {"8", "NON_BLOCKING_COLLECTIVE_REQUEST"},
    [86] = {"144888", NULL}, /* NonBlockingCollectiveComplete */
    [87] = {"4", "COMM_CREATE"},
    [88] = {"4", "COMM_DESTROY"},
};

/* --- Fields --------------------------------------------------------------------------------- */

static const char beyond[] = "a field goes beyond the end of its record";
static const char wide[] = "an integer is wider than its field";

struct cursor {
    const uint8_t *at, *end;
    bool little;
    uint8_t byte;      /* value of the last one-byte field that was read */
    const char *fault; /* reason why a field cannot be read, or NULL */
    uint64_t *values;  /* receives the bytes and integers at the begin of the record; or NULL */
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

/* Read the fields at the begin of a record that are bytes or integers. Stop at a field that is
 * invalid or of another type. Returns the remaining fields. */
static const char *take_integers(struct cursor *c, const char *fields)
{
    const uint8_t *at = c->at;
    for (size_t n = 0; n < OTF2_VALUES_MOST && at < c->end; fields++, n++) {
        uint64_t value = UINT64_MAX;
        bool byte = *fields == '1';
        unsigned size = byte || *at == UNDEFINED ? 0 : *at;
        if ((!byte && *fields != '4' && *fields != '8') || size > (unsigned)(*fields - '0') ||
            size >= (size_t)(c->end - at))
            break;
        if (byte)
            value = c->byte = *at;
        else if (*at != UNDEFINED)
            value = bytes_number(at + 1, size, c->little);
        if (c->values)
            c->values[n] = value;
        at += 1 + size;
    }
    c->at = at;
    return fields;
}

static bool skip_fields(struct cursor *c, const char *fields)
{
    uint64_t n = 0;
    const uint8_t *from;
    fields = take_integers(c, fields);
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
            from = c->at;
            if (take_integer(c, 4, &n) && fields[1] == 'A' && n <= ATTRIBUTES_MOST &&
                (uint64_t)(c->end - from) > 15 * n + 5)
                c->fault = "a list of attributes is shorter than its record";
            else if (!c->fault)
                skip_items(c, n, fields[1]);
            fields++;
            break;
        default:
            skip_field(c, *fields);
        }
    return !c->fault;
}

/* --- Records -------------------------------------------------------------------------------- */

/* Set a fault at the current position of the chunk. Returns false. */
static bool refuse(struct otf2_records *r, const char *fault)
{
    r->fault = fault;
    r->offset += (uint64_t)(r->at - r->bytes);
    r->at = NULL;
    return false;
}

/* Refuse a chunk that ends within a record or without an end mark. Returns false. */
static bool refuse_end(struct otf2_records *r)
{
    r->cut = r->last;
    return refuse(r, r->cut ? "the file was cut off" : "a record goes beyond the end of its chunk");
}

/* Check and skip a record. At least one byte must follow the record. `values` receives the
 * integers at its begin, unless NULL: NOLINTNEXTLINE(readability-non-const-parameter) */
static bool pass_record(struct otf2_records *r, uint64_t *values)
{
    uint8_t kind = r->at[0];
    struct cursor c = {.at = r->at + 1, .end = r->end - 1, .little = r->little, .values = values};
    if (!(r->part == OTF2_EVENTS ? kind >= FIRST_EVENT || kind == ATTRIBUTES
                                 : kind >= FIRST_DEFINITION))
        return refuse(r, "unknown kind of record");
    if (r->end - c.at < 1)
        return refuse_end(r);
    /* If `fields` is NULL, the kind is unknown, and only the length of the record is checked. */
    const char *fields = r->part == OTF2_EVENTS ? events[kind].fields
                         /* cppcheck-suppress arrayIndexOutOfBoundsCond */
                         : kind >= FIRST_EVENT                ? definition_fields[kind]
                         : r->part == OTF2_GLOBAL_DEFINITIONS ? global_fields[kind]
                                                              : local_fields[kind];
    bool single = fields && *fields == '=';
    if (!single) { /* find the end of the record by its length */
        uint64_t length = *c.at++;
        size_t left = (size_t)(r->end - c.at);
        if (length == LONG) {
            if (left < LONG_BYTES)
                return refuse_end(r);
            length = bytes_number(c.at, LONG_BYTES, c.little);
            c.at += LONG_BYTES;
            left -= LONG_BYTES;
        }
        if (length >= left)
            return refuse_end(r);
        c.end = c.at + length;
    }
    if (fields && !skip_fields(&c, fields + single))
        return single && c.fault == beyond ? refuse_end(r) : refuse(r, c.fault);
    r->at = single ? c.at : c.end;
    return true;
}

static inline uint64_t little64(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

/* Read a timestamp, if one follows. Returns false, with a fault, if it is cut off. */
static bool pass_timestamp(struct otf2_records *r)
{
    if (*r->at != TIMESTAMP)
        return true;
    if (r->end - r->at <= TIMESTAMP_BYTES)
        return refuse_end(r);
    r->time = r->little ? little64(r->at + 1) : bytes_number(r->at + 1, 8, false);
    r->at += TIMESTAMP_BYTES;
    return true;
}

bool otf2_records_begin(struct otf2_records *r, const uint8_t *bytes, size_t size, bool last)
{
    r->bytes = r->at = bytes;
    r->end = bytes + size;
    r->last = last;
    r->more = false;
    r->before = r->records;
    if (size <= CHUNK_HEAD_BYTES)
        return refuse_end(r);
    if (bytes[0] != CHUNK_BEGIN)
        return refuse(r, "this is not a chunk header");
    if (bytes[1] != LITTLE && bytes[1] != BIG)
        return refuse(r, "a chunk has no byte order");
    r->little = bytes[1] == LITTLE;
    r->at += CHUNK_HEAD_BYTES;
    return true;
}

/* Check the end of a chunk. Returns false. */
static bool end_chunk(struct otf2_records *r)
{
    /* Refuse successive chunks without records, because libotf2 recurses for each such chunk. */
    bool empty = r->records == r->before;
    if (empty && r->empty)
        return refuse(r, "two chunks have no records");
    if (r->last)
        return refuse_end(r);
    r->empty = empty;
    r->offset += (uint64_t)(r->end - r->bytes);
    r->at = NULL;
    r->more = true;
    return false;
}

/* Read an event of integers only, as most events are, that is far from the end of its chunk.
 * Otherwise, returns false and changes only *event. Several times faster than pass_record. */
static inline bool take_usual(struct otf2_records *r, struct otf2_record *event)
{
    static const uint64_t masks[] = {0,          0xff,         0xffff,         0xffffff,
                                     0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff,
                                     UINT64_MAX};
    const uint8_t *at = r->at;
    if (r->end - at < USUAL_ROOM || !r->little)
        return false;
    event->time = r->time;
    if (*at == TIMESTAMP) {
        event->time = little64(at + 1);
        at += TIMESTAMP_BYTES;
    }
    event->kind = *at++;
    const char *fields = events[event->kind].fields;
    bool single = fields && *fields == '=';
    const uint8_t *end = at + 1 + *at; /* end of the record; not used if `single` is true */
    if (!fields || (!single && *at++ == LONG))
        return false;
    fields += single;
    for (uint64_t *value = event->values; *fields; fields++) {
        unsigned size = *at++;
        if ((*fields != '4' && *fields != '8') || size > (unsigned)(*fields - '0'))
            return false;
        *value++ = little64(at) & masks[size];
        at += size;
    }
    if (!single && at > end)
        return false;
    r->time = event->time;
    r->at = single ? at : end;
    return true;
}

bool otf2_records_next(struct otf2_records *r, struct otf2_record *event)
{
    bool timed = r->part == OTF2_EVENTS;
    if (!r->at)
        return false;
    if (event && take_usual(r, event)) {
        r->records++;
        return true;
    }
    if (timed && !pass_timestamp(r))
        return false;
    if (*r->at == END_OF_CHUNK)
        return end_chunk(r);
    if (*r->at == END_OF_FILE) {
        r->ended = true;
        if (timed && r->end - r->at == 1)
            return refuse_end(r);
        r->at = NULL;
        return false;
    }
    if (timed && *r->at == ATTRIBUTES) {
        if (!pass_record(r, NULL) || !pass_timestamp(r))
            return false;
        if (*r->at < FIRST_EVENT)
            return refuse(r, "no event follows its attributes");
    }
    uint8_t kind = *r->at;
    if (!pass_record(r, event ? event->values : NULL))
        return false;
    if (event) {
        event->kind = kind;
        event->time = r->time;
    }
    r->records++;
    return true;
}

const char *otf2_event_name(uint8_t kind)
{
    return kind > LAST_EVENT ? "UNKNOWN" : events[kind].name;
}

bool otf2_records_check(struct otf2_records *r, const uint8_t *bytes, size_t size, bool last)
{
    if (!otf2_records_begin(r, bytes, size, last))
        return false;
    while (otf2_records_next(r, NULL))
        ;
    return r->more;
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
