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
    JSON_DEPTH_MAX = 1000,    /* depth of nested objects and arrays */
    JSON_TEXT_MAX = 16 << 20, /* bytes of a string or a number */
    JSON_WHAT_NONE = 0        /* `what` of a key without a meaning of its own */
};

enum json_kind {
    JSON_STRING,
    JSON_NUMBER,
    JSON_BOOL, /* its text is "true" or "false" */
    JSON_NULL,
    JSON_OBJECT, /* an object begins */
    JSON_OBJECT_END,
    JSON_ARRAY, /* an array begins */
    JSON_ARRAY_END,
    JSON_KEY /* the key of a field that has no name in the tree; the value of the key follows */
};

struct json_object;

/* A key that the format needs. */
struct json_field {
    /* NULL: any key; this must then be the only field of the object */
    const char *name;
    unsigned what; /* a number that is passed on with the value */
    /* the keys of the value, if it is an object or an array of objects; NULL: its contents are
     * skipped */
    const struct json_object *inside;
};

struct json_object {
    const struct json_field *fields;
    size_t nfields;
};

#define JSON_OBJECT_OF(fields)                                                                     \
    {                                                                                              \
        (fields), sizeof(fields) / sizeof *(fields)                                                \
    }

/* A value that is passed on. The text is valid during the call, is UTF-8, and contains no NUL. */
struct json_value {
    enum json_kind kind;
    unsigned what;
    const char *text;
    size_t size;
    unsigned depth; /* number of objects and arrays that contain the value */
};

struct json_reader;

struct json_reading {
    const char *name; /* name of the file for messages */
    /* the keys of a document, or of the objects in a document that is an array */
    const struct json_object *root;
    unsigned root_what; /* `what` of the document, or of these objects */
    /* Called for each value with a needed key. If the result is not CSY_OK, reading ends. */
    csy_status (*take)(void *user, const struct json_value *value, csy_error *error);
    /* Called for the next bytes, before values in them are passed on. NULL: not needed. */
    csy_status (*bytes)(void *user, const uint8_t *bytes, size_t size, csy_error *error);
    void *user;
    struct json_reader *reader; /* set by json_read */
    /* an array at the top level may lack its end, as in files of Chrome */
    bool open_ended;
    bool ended_open; /* set by json_read: this end was missing */
    bool stop;       /* set by `take` if the rest of the stream is not needed */
};

/* Read all documents of a stream.  CSY_INPUT if it is not JSON: the message names the file and the
 * offset.  O(bytes); memory: the longest string. */
csy_status json_read(struct bytes *bytes, struct json_reading *reading, csy_error *error);

/* The offset of the end of the value for which `take` was called. */
uint64_t json_end(const struct json_reading *reading);

/* Convert a number, or a string that contains a number, to ticks of 10^-decimals: "1.5e3" with 3
 * decimals becomes 1500000. The result is rounded down; *exact is false if it was rounded. Returns
 * false if the text is not a decimal number, or if the result exceeds 64 bits. */
bool json_ticks(const char *text, size_t size, unsigned decimals, int64_t *ticks, bool *exact);

#endif
