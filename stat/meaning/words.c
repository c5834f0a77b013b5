/* The words that describe the meaning of events. */
#include "meaning/words.h"

#include <string.h>

const char *const role_words[ROLES + 1] = {
    "",         "none",  "mark",       "enter",     "exit",          "call",
    "wait",     "state", "counter",    "send",      "recv",          "collective",
    "transfer", "loop",  "loop-enter", "loop-exit", "acquire",       "release",
    "barrier",  "post",  "clear",      "create",    "start",         "stop",
    "delete",   "queue", "resume",     "suspend",   "profile-start", "profile-stop",
    NULL};

const char *const field_words[FIELD_ROLES + 1] = {
    "",         "routine", "caller",  "partner",   "bytes",       "count", "tag",
    "comm",     "root",    "object",  "task",      "value",       "state", "spe",
    "datatype", "thread",  "user_ns", "system_ns", "runnable_ns", "cpu",   NULL};

const char *const state_words[STATES + 1] = {"user",    "system", "overhead", "switch", "ready",
                                             "blocked", "idle",   "absent",   NULL};

size_t word_find(const char *const *words, const char *text)
{
    size_t i = 0;
    while (words[i] && strcmp(words[i], text) != 0)
        i++;
    return i;
}
