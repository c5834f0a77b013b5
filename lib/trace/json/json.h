/* Reads JSON as a stream of values, with yajl. Only json.c includes yajl.
 *
 * A format describes its documents by a tree of `struct json_object`: the keys that it needs, and
 * their contents. The reader skips other keys with their contents. Each element of an array counts
 * as a value of the array's key.
 *
 * Numbers are passed on as text, so times stay exact. A file may contain several documents. */
#ifndef TRACE_JSON_JSON_H
#define TRACE_JSON_JSON_H

#include "io/bytes.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    JSON_DEPTH_MAX = 1000,    /* greatest depth of nested objects and arrays */
    JSON_TEXT_MAX = 16 << 20, /* greatest size of a string or number */
    JSON_WHAT_NONE = 0        /* `what` of a key without a meaning */
};

enum json_kind {
    JSON_STRING,
    JSON_NUMBER,
    JSON_BOOL, /* the text is "true" or "false" */
    JSON_NULL,
    JSON_OBJECT, /* an object begins */
    JSON_OBJECT_END,
    JSON_ARRAY, /* an array begins */
    JSON_ARRAY_END,
    JSON_KEY /* a key that the format does not need */
};

struct json_object;

/* A key that the format needs. */
struct json_field {
    /* the key; NULL stands for any key, and the object then has only this field */
    const char *name;
    unsigned what; /* tells values with different meanings apart; each format has its own numbers */
    /* needed keys of objects in the value; NULL if the contents are skipped */
    const struct json_object *inside;
};

struct json_object {
    const struct json_field *fields;
    size_t nfields;
};

/* Defines a variable `name`: an object with the given fields. Use it outside of functions. */
#define JSON_OBJECT(name, ...)                                                                     \
    const struct json_object name = {(const struct json_field[]){__VA_ARGS__},                     \
                                     sizeof((const struct json_field[]){__VA_ARGS__}) /            \
                                         sizeof(struct json_field)}

/* A value for `take`. The text is UTF-8 without NUL, and is valid only during the call. */
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
    /* needed keys of the document; for an array, of each object in the array */
    const struct json_object *root;
    unsigned root_what; /* json_field.what of a document, or of each object in an array */
    /* Called for each value of a needed key. If the result is not CSY_OK, reading ends. */
    csy_status (*take)(void *user, const struct json_value *value, csy_error *error);
    /* Called for each piece of the file before `take` gets its values. May be NULL. */
    csy_status (*bytes)(void *user, const uint8_t *bytes, size_t size, csy_error *error);
    void *user;
    struct json_reader *reader; /* the parser, which json_read sets */
    /* true if an array at the top level may lack its end, as in files of Chrome */
    bool open_ended;
    bool ended_open; /* set by json_read; true if the array lacks its end */
    uint64_t
        foreign; /* set by json_read: number of documents with keys, but without a needed key */
    bool stop;   /* `take` sets this to end reading early */
};

/* Read all documents of a stream. Returns CSY_INPUT, with file and offset, if the stream is not
 * JSON. The time is linear. Memory holds the longest string. */
csy_status json_read(struct bytes *bytes, struct json_reading *reading, csy_error *error);

/* Returns the byte offset in the file after the value that `take` has just got. */
uint64_t json_end(const struct json_reading *reading);

/* Convert a value to ticks by json_ticks. *has is false for null. Returns CSY_INPUT, with the name
 * of the field, if any other value is not a time within 64 bits. `unit` is "microseconds" or
 * "nanoseconds", for the message. */
csy_status json_take_time(const struct json_value *value, const char *field, const char *unit,
                          unsigned decimals, bool *has, int64_t *ticks, csy_error *error);

/* Set the error that a field does not have a value as `want` describes, and return CSY_INPUT. */
csy_status json_refuse(const struct json_value *value, const char *field, const char *want,
                       csy_error *error);

/* Convert a text with a number to ticks of 10^-decimals: "1.5e3" with 3 decimals becomes 1500000.
 * The result is rounded down; *exact is false if rounding changed the value. Returns false if the
 * text is not a decimal number, or if the result exceeds 64 bits. */
bool json_ticks(const char *text, size_t size, unsigned decimals, int64_t *ticks, bool *exact);

#endif
