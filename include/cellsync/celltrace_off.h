/* celltrace.h with CELLTRACE_OFF: calls only evaluate their arguments. */
#ifndef CELLSYNC_CELLTRACE_OFF_H
#define CELLSYNC_CELLTRACE_OFF_H

#define ct_define(group, name, kind, fields)                                                       \
    ((void)(group), (void)(name), (void)(fields), (ct_type)0)
#define ct_now() ((uint64_t)0)
#define ct_mark0(type) ((void)(type))
#define ct_mark1(type, a) ((void)(type), (void)(a))
#define ct_mark2(type, a, b) ((void)(type), (void)(a), (void)(b))
#define ct_mark3(type, a, b, c) ((void)(type), (void)(a), (void)(b), (void)(c))
#define ct_mark4(type, a, b, c, d) ((void)(type), (void)(a), (void)(b), (void)(c), (void)(d))
#define ct_interval0(type, begin) ((void)(type), (void)(begin))
#define ct_interval1(type, begin, a) ((void)(type), (void)(begin), (void)(a))
#define ct_interval2(type, begin, a, b) ((void)(type), (void)(begin), (void)(a), (void)(b))
#define ct_interval3(type, begin, a, b, c)                                                         \
    ((void)(type), (void)(begin), (void)(a), (void)(b), (void)(c))
#define ct_interval4(type, begin, a, b, c, d)                                                      \
    ((void)(type), (void)(begin), (void)(a), (void)(b), (void)(c), (void)(d))
#define ct_interval5(type, begin, a, b, c, d, e)                                                   \
    ((void)(type), (void)(begin), (void)(a), (void)(b), (void)(c), (void)(d), (void)(e))
#define ct_interval6(type, begin, a, b, c, d, e, f)                                                \
    ((void)(type), (void)(begin), (void)(a), (void)(b), (void)(c), (void)(d), (void)(e), (void)(f))
#define ct_values(type, begin, values, n) ((void)(type), (void)(begin), (void)(values), (void)(n))
#undef CT_BLOCK
#define CT_BLOCK(name) ((void)(name))
#define ct_name_thread(name) ((void)(name))
#define ct_flush() ((void)0)
#define ct_recording() false
#define ct_start() ((void)0)
#define ct_stop() ((void)0)
#define ct_times(out) ((void)(*(out) = (struct ct_times){0, 0, 0, 0, 0}))
#define ct_sample(name) ((void)(name))

#endif
