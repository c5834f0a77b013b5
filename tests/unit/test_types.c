/* Types of events of the recorder, and what CELLTRACE says. */
#include "recorder/types.h"

#include "recorder/settings.h"

#include "support.h"

#include <stdio.h>
#include <string.h>

static struct ct_type *define(const char *name, enum ct_kind kind, const char *fields)
{
    bool added;
    return types_define("unit", name, kind, fields, &added);
}

START_TEST(one_name_is_one_type)
{
    bool added;
    uint64_t refused = types_refused();
    struct ct_type *a = types_define("unit", "a", CT_MARK, "x y", &added);
    ck_assert(a && added && a->nfields == 2 && a->id >> 8 == 1 && type_group(a) >= GROUP_FIRST_OWN);
    ck_assert(types_define("unit", "a", CT_MARK, "x y", &added) == a && !added);
    ck_assert_ptr_null(define("a", CT_MARK, "x"));
    ck_assert_ptr_null(define("a", CT_STATE, "x y"));
    struct ct_type *entry = define("b", CT_ENTRY, NULL), *leaving = define("b", CT_EXIT, "");
    ck_assert(entry && leaving && entry != leaving && entry->id != leaving->id);
    ck_assert_ptr_eq(types_find("unit", "b", CT_EXIT), leaving);
    ck_assert_ptr_null(types_find("unit", "c", CT_MARK));
    ck_assert_uint_eq(types_refused() - refused, 2);
}
END_TEST

START_TEST(bad_ones_are_refused)
{
    static const char *const fields[] = {"a:", "a/", "a/u8", "/u64", ":role", "a\tb", "a:b\x7f"};
    char name[200];
    memset(name, 'n', sizeof name);
    name[128] = 0;
    ck_assert_ptr_null(define(name, CT_MARK, NULL));
    name[127] = 0;
    ck_assert_ptr_nonnull(define(name, CT_MARK, NULL));
    ck_assert_ptr_null(define("", CT_MARK, NULL));
    ck_assert_ptr_null(define("line\nend", CT_MARK, NULL));
    bool added;
    ck_assert_ptr_null(types_define("MPI", "mine", CT_MARK, NULL, &added));
    ck_assert_ptr_null(types_define(NULL, "mine", CT_MARK, NULL, &added));
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        ck_assert_msg(!define("bad", CT_MARK, fields[i]), "%s", fields[i]);
    char many[2 * 256 + 1];
    for (size_t i = 0; i < 256; i++)
        memcpy(many + 2 * i, "a ", 2);
    many[2 * 255] = 0;
    const struct ct_type *type = define("many", CT_MARK, many);
    ck_assert(type && type->nfields == CT_VALUES_MAX);
    many[2 * 255] = 'a';
    many[2 * 256] = 0;
    ck_assert_ptr_null(define("more", CT_MARK, many));
}
END_TEST

START_TEST(fields_are_taken_apart)
{
    const char *at = "  item bytes:bytes  to/i64:partner";
    struct type_field f;
    ck_assert(type_field_next(&at, &f) && f.name_size == 4 && !f.type_size && !f.role_size);
    ck_assert(type_field_next(&at, &f) && f.name_size == 5 && f.role_size == 5 && !f.type_size);
    ck_assert(type_field_next(&at, &f) && f.name_size == 2 && f.type_size == 3 && f.role_size == 7);
    ck_assert(memcmp(f.role, "partner", 7) == 0 && memcmp(f.type, "i64", 3) == 0);
    ck_assert(!type_field_next(&at, &f));
}
END_TEST

START_TEST(groups_and_their_types_have_an_end)
{
    char name[32];
    bool added;
    int good = 0;
    for (int i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "type %d", i);
        good += types_define("full", name, CT_MARK, NULL, &added) != NULL;
    }
    ck_assert_int_eq(good, 255);
    ck_assert_ptr_nonnull(types_define("full", "type 7", CT_MARK, NULL, &added));
    for (good = 0; good < 300; good++) {
        snprintf(name, sizeof name, "group %d", good);
        if (!types_define(name, "only", CT_MARK, NULL, &added))
            break;
    }
    ck_assert_int_ge(good, 200);
    ck_assert_int_lt(good, 224);
}
END_TEST

START_TEST(settings_are_read)
{
    struct settings s;
    const char *fault;
    ck_assert(settings_read("run=/a;b=c", &s, &fault) && strcmp(s.run, "/a;b=c") == 0);
    ck_assert(s.page_bytes == PAGE_BYTES && s.full == FULL_WAIT && s.events & EVENTS_SYNC);
    ck_assert(
        settings_read("page=5123;full=drop;events=none;skew=7,3;buffer=1M;run=r", &s, &fault));
    ck_assert(s.page_bytes == 5120 && s.full == FULL_DROP && s.events == 0 && s.skew_ns == 7 &&
              s.skew_ppm == 3 && s.buffer_bytes == 1 << 20);
    static const char *const bad[] = {"",
                                      "page=1;run=r",
                                      "page=17M;run=r",
                                      "run=",
                                      "full=;run=r",
                                      "events=x;run=r",
                                      "skew=1,;run=r",
                                      "skew=,1;run=r",
                                      "page=4k",
                                      "other=1;run=r",
                                      "page=4kk;run=r",
                                      "page=;run=r",
                                      "skew=99999999999999999999;run=r"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!settings_read(bad[i], &s, &fault), "%s", bad[i]);
}
END_TEST

int main(void)
{
    TCase *c = unit_begin("types");
    tcase_add_test(c, one_name_is_one_type);
    tcase_add_test(c, bad_ones_are_refused);
    tcase_add_test(c, fields_are_taken_apart);
    tcase_add_test(c, groups_and_their_types_have_an_end);
    tcase_add_test(c, settings_are_read);
    return unit_run();
}
