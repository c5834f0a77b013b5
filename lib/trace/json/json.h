/*
 * JSON as a stream of values, read with yajl.  Only json.c includes yajl.
 *
 * A format describes its documents by a tree of `struct json_object`: the keys that it needs, and
 * their contents.  The reader skips every other key with all its contents.  Each element of an
 * array counts as a value of the array's key.
 *
 * Numbers are passed on as text, so times stay exact.  A file may contain several documents, such
 * as JSON lines.
 */
#ifndef TRACE_JSON_JSON_H
#define TRACE_JSON_JSON_H

#include "io/bytes.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    JSON_DEPTH_MAX = 1000,    /* objects and arrays inside each other */
    JSON_TEXT_MAX = 16 << 20, /* bytes of a string or a number */
    JSON_WHAT_NONE = 0        /* of a key without a meaning of its own */
};

enum json_kind {
    JSON_STRING,
    JSON_NUMBER,
    JSON_BOOL, /* the text is "true" or "false" */
    JSON_NULL,
    JSON_OBJECT, /* begins */
    JSON_OBJECT_END,
    JSON_ARRAY, /* begins */
    JSON_ARRAY_END,
    JSON_KEY /* of a field without a name; its value follows */
};

struct json_object;

/* A key that is needed. */
struct json_field {
    const char *name;                 /* NULL: any key; it must be the only field */
    unsigned what;                    /* passed on with the value */
    const struct json_object *inside; /* of objects, or objects in arrays; NULL: they are skipped */
};

struct json_object {
    const struct json_field *fields;
    size_t nfields;
};

#define JSON_OBJECT_OF(fields)                                                                     \
    {                                                                                              \
        (fields), sizeof(fields) / sizeof *(fields)                                                \
    }

/* A value.  Text is valid during the call, has no NUL, and is UTF-8. */
struct json_value {
    enum json_kind kind;
    unsigned what;
    const char *text;
    size_t size;
    unsigned depth; /* of the objects and arrays around it */
};

struct json_reader;

struct json_reading {
    const char *name;               /* of the file, for messages */
    const struct json_object *root; /* keys of a document, or of the objects in its arrays */
    unsigned root_what;             /* `what` of the document, and of these objects */
    /* A value with a key that is needed.  Any status but CSY_OK ends the reading. */
    csy_status (*take)(void *user, const struct json_value *value, csy_error *error);
    /* The next bytes, before their values are read.  NULL: not needed. */
    csy_status (*bytes)(void *user, const uint8_t *bytes, size_t size, csy_error *error);
    void *user;
    struct json_reader *reader; /* set by json_read */
    bool open_ended;            /* an array at the top may lack its end, as Chrome's may */
    bool ended_open;            /* set by json_read: that end was missing */
    bool stop;                  /* set by `take` if the rest of the stream is not needed */
};

/* Read all documents of a stream.  CSY_INPUT if it is not JSON: the message names the file and the
 * offset.  O(bytes); memory: the longest string. */
csy_status json_read(struct bytes *bytes, struct json_reading *reading, csy_error *error);

/* The offset of the end of the value that `take` was called for. */
uint64_t json_end(const struct json_reading *reading);

/* Convert a number, or a string with one, to ticks of 10^-decimals: "1.5e3" with 3 decimals is
 * 1500000.  The rest below a tick is rounded down; *exact is false if there is a rest.  False if it
 * is no decimal number, or exceeds 64 bits. */
bool json_ticks(const char *text, size_t size, unsigned decimals, int64_t *ticks, bool *exact);

#endif
