"""libcellsync as ctypes sees it: its functions by their prototypes, its structures, and the library itself.

Nothing here is for users of the module.  tests/system/python/headers.py compiles the prototypes beside the headers, and holds
structures to them, so that they cannot differ.
"""
from __future__ import annotations

import ctypes
import os
import pathlib
import re

from ctypes import (POINTER, Structure, c_bool, c_char, c_char_p, c_int, c_int64, c_size_t, c_uint16, c_uint32,
                    c_uint64, c_uint, c_void_p)

SONAME = "libcellsync.so.0.2"
OK, INPUT, IO, MEMORY, USAGE, INFEASIBLE, CHECK = range(7)
INT64_MIN, INT64_MAX = -(1 << 63), (1 << 63) - 1


class csy_error(Structure):
    _fields_ = [("status", c_int), ("text", c_char * 1024)]


class csy_fraction(Structure):
    _fields_ = [("num", c_int64), ("den", c_int64)]


class csy_thread(Structure):
    _fields_ = [("name", c_char_p), ("kind", c_int), ("context", c_int64), ("spe", c_uint64),
                ("first_record", c_uint64), ("records", c_uint64), ("decr_first", c_uint32),
                ("offset_ticks", c_int64), ("earliest_ticks", c_int64), ("latest_ticks", c_int64),
                ("members", POINTER(c_char_p)), ("nmembers", c_size_t)]


class csy_track(Structure):
    _fields_ = [("name", c_char_p), ("thread", c_size_t)]


class csy_mean(Structure):
    _fields_ = [("pairs", c_uint64), ("ticks", c_int64), ("rest", c_uint64)]


class csy_group(Structure):
    _fields_ = [("pairs", c_uint64), ("max_error_ticks", c_int64), ("mean", csy_mean),
                ("max_event_error_ticks", c_int64), ("event_mean", csy_mean)]


class csy_summary(Structure):
    _fields_ = [("pairs", c_uint64), ("uncomputed_steps", c_uint64), ("bounded", c_uint64),
                ("max_error_ticks", c_int64), ("max_error_spe_ticks", c_int64), ("error_ppe", csy_mean),
                ("error_spe", csy_mean), ("live", csy_group), ("successive", csy_group), ("met", csy_group),
                ("met_uncomputed", c_bool), ("unbounded_threads", c_size_t), ("quadratic", c_bool),
                ("max_event_error_ticks", c_int64), ("max_event_error_spe_ticks", c_int64),
                ("event_error_ppe", csy_mean), ("event_error_spe", csy_mean)]


class csy_caveat(Structure):
    _fields_ = [("key", c_char_p), ("condition", c_bool), ("text", c_char * 400)]


class csy_imprecision(Structure):
    _fields_ = [("relax", c_int), ("delta", csy_fraction), ("added_ticks", c_int64), ("inversions", c_uint64),
                ("largest_inversion_ticks", c_int64), ("adjacent_steps_back", c_uint64),
                ("beyond_unwrapping", c_bool), ("conditional", c_bool)]


class csy_fine(Structure):
    _fields_ = [("ticks", c_int64), ("billionths", c_uint32)]


class csy_drift_moment(Structure):
    _fields_ = [("local_ticks", c_int64), ("offset", csy_fine), ("earliest", csy_fine), ("latest", csy_fine)]


class csy_drift_clock(Structure):
    _fields_ = [("bounded", c_bool), ("least_ppb", c_int64), ("greatest_ppb", c_int64),
                ("least_mean_ppb", c_int64), ("greatest_mean_ppb", c_int64), ("knots", c_size_t),
                ("first", csy_drift_moment), ("last", csy_drift_moment), ("max_error", csy_fine),
                ("mean_error", csy_fine), ("max_record", c_uint64), ("max_place", c_uint64),
                ("max_local_ticks", c_int64)]


class csy_drift(Structure):
    _fields_ = [("rate_ppb", c_int64), ("wander_ppb", c_int64), ("nclocks", c_size_t),
                ("clocks", POINTER(csy_drift_clock)), ("records", c_uint64), ("max_error", csy_fine),
                ("mean_error", csy_fine), ("max_clock", c_size_t), ("max_event_error", csy_fine),
                ("mean_event_error", csy_fine)]


class csy_drift_pair(Structure):
    _fields_ = [("bounded", c_bool), ("by_walks", c_bool), ("best", csy_fine), ("median", csy_fine), ("worst", csy_fine),
                ("worst_event", csy_fine), ("worst_moment_ticks", c_int64)]


class csy_diagnosed_clock(Structure):
    _fields_ = [("thread", c_size_t), ("rate_ppb", c_int64)]


class csy_fit(Structure):
    _fields_ = [("drift_ppb", c_int64), ("wander_ppb", c_int64), ("delta", csy_fraction), ("plausible", c_bool),
                ("at_least", c_bool), ("options", c_char_p), ("example_clock", c_size_t), ("example_ppb", c_int64)]


class csy_diagnosis(Structure):
    _fields_ = [("kind", c_int), ("text", c_char_p), ("nclocks", c_size_t), ("clocks", POINTER(csy_diagnosed_clock)),
                ("against", c_size_t), ("delta", csy_fraction), ("left_delta", csy_fraction),
                ("clocks_looked_at", c_size_t), ("windows", c_size_t), ("contradicting", c_size_t),
                ("record_before", c_uint64), ("record_after", c_uint64), ("step_least_ticks", c_int64),
                ("step_most_ticks", c_int64), ("early_records", c_uint64), ("early_median_ticks", c_int64),
                ("early_90_ticks", c_int64), ("early_max_ticks", c_int64), ("enough_drift_ppb", c_int64),
                ("nfits", c_size_t), ("fits", POINTER(csy_fit)), ("fits_untried", c_bool)]


class csy_order_step(Structure):
    pass


class csy_witness_edge(Structure):
    _fields_ = [("s", c_size_t), ("t", c_size_t), ("record_s", c_uint64), ("record_t", c_uint64),
                ("place_s", c_uint64), ("place_t", c_uint64), ("time_s", c_int64), ("time_t", c_int64),
                ("weight_ticks", c_int64), ("latency_ticks", c_int64), ("steps", POINTER(csy_order_step)),
                ("nsteps", c_size_t)]


class csy_witness(Structure):
    _fields_ = [("length", c_size_t), ("edges", POINTER(csy_witness_edge)), ("weight_ticks", c_int64),
                ("least_delta", csy_fraction), ("least_drift_ppb", c_int64)]


class csy_text(Structure):
    _fields_ = [("bytes", c_void_p), ("size", c_size_t)]


csy_order_step._fields_ = [("kind", c_int), ("key", csy_text), ("latency_ticks", c_int64)]


class csy_new_event(Structure):
    _fields_ = [("thread", c_size_t), ("time_ticks", c_int64), ("interval", c_bool), ("begin_ticks", c_int64),
                ("name", c_char_p)]


class csy_decoded(Structure):
    _fields_ = [("record", c_uint64), ("local_ticks", c_int64), ("global_ticks", c_int64),
                ("local_begin_ticks", c_int64), ("global_begin_ticks", c_int64), ("values", c_void_p),
                ("texts", c_void_p), ("name", c_void_p), ("routine", c_void_p), ("about", c_void_p),
                ("bytes", c_void_p),
                ("size", c_uint32), ("name_size", c_uint32), ("routine_size", c_uint32), ("about_size", c_uint32), ("nfields", c_uint32), ("thread", c_uint32), ("track", c_uint32),
                ("tid", c_uint32), ("core", c_int), ("id", c_uint16), ("interval", c_bool)]


class csy_proof(Structure):
    _fields_ = [("format", c_int), ("columns", c_bool), ("records", c_uint64), ("threads", c_size_t),
                ("tracks", c_size_t), ("inversions", c_uint64), ("largest_inversion_ticks", c_int64),
                ("allowed_inversion_ticks", c_int64), ("dropped", c_uint64), ("center", c_int),
                ("neighbours_only", c_bool), ("original_crc32", c_uint32), ("beside", c_bool),
                ("assumed", c_uint64), ("dropped_in_place", c_uint64), ("sorted", c_int), ("unbounded", c_size_t),
                ("unplaced", c_size_t), ("drift_ppb", c_int64), ("wander_ppb", c_int64), ("bounds_found", c_bool),
                ("error_records", c_uint64), ("max_error", csy_fine), ("mean_error", csy_fine), ("ordered", c_bool)]


class csy_column(Structure):
    _fields_ = [("name", c_char_p), ("kind", c_int), ("ranged", c_bool)]


class csy_range(Structure):
    _fields_ = [("estimate", c_int64), ("lo", c_int64), ("hi", c_int64), ("kind", c_int)]


class csy_value(Structure):
    _fields_ = [("none", c_bool), ("open", c_bool), ("text", c_char_p), ("range", csy_range)]


class csy_sheet(Structure):
    _fields_ = [("name", c_char_p), ("ncolumns", c_size_t), ("columns", POINTER(csy_column)), ("nrows", c_size_t),
                ("values", POINTER(csy_value))]


class csy_states(Structure):
    _fields_ = [("pairs", c_bool), ("levels", c_bool), ("joint", c_bool), ("window", c_char_p),
                ("actors", c_char_p), ("units", c_int)]


class csy_section(Structure):
    _fields_ = [("window", c_char * 64), ("begin_ticks", c_int64), ("end_ticks", c_int64)]


class csy_concurrency(Structure):
    _fields_ = [("units", c_int), ("actors", c_char_p), ("window", c_char_p), ("bins", c_size_t),
                ("section", c_char_p), ("first", c_uint64), ("last", c_uint64), ("with_idle", c_bool),
                ("speedup", c_uint64), ("serial_ticks", c_int64), ("sample_ticks", c_int64),
                ("attained", c_bool), ("per", c_int)]


class csy_profile_options(Structure):
    _fields_ = [("per", c_int), ("actors", c_char_p), ("follow", c_int), ("sample_ticks", c_int64),
                ("window", c_char_p)]


class csy_calls_options(Structure):
    _fields_ = [("actors", c_char_p), ("weight", c_int), ("leaves", c_size_t), ("at", c_int), ("at_value", c_int64),
                ("window", c_char_p)]


class csy_comm_options(Structure):
    _fields_ = [("group", c_int), ("by", c_int), ("heavy", csy_fraction), ("templates", c_bool), ("window", c_char_p),
                ("actors", c_char_p)]


class csy_instant(Structure):
    _fields_ = [("thread", c_size_t), ("local_ticks", c_int64), ("record", c_uint64)]


class csy_arrow_column(Structure):
    pass


csy_arrow_column._fields_ = [("name", c_char_p), ("format", c_char_p), ("valid", c_char_p), ("nulls", c_int64),
                             ("values", c_char_p), ("values_bytes", c_size_t), ("text", c_char_p), ("text_bytes", c_size_t),
                             ("dictionary", POINTER(csy_arrow_column)), ("dictionary_rows", c_int64)]


STRUCTURES = [value for value in list(globals().values())
              if isinstance(value, type) and issubclass(value, Structure) and value is not Structure]

# As the headers have them.
PROTOTYPES = """
const char *csy_version(void);
void csy_features(char *buffer, size_t size);
void csy_set_max_memory(uint64_t bytes);
char *csy_unescape(char *text);
bool csy_time_parse(const char *text, uint64_t timebase_hz, csy_fraction *ticks);
csy_status csy_options_new(csy_options **out, csy_error *error);
void csy_options_free(csy_options *options);
csy_status csy_options_set_reference(csy_options *options, const char *name, csy_error *error);
csy_status csy_options_set_alpha(csy_options *options, csy_fraction alpha, csy_error *error);
csy_status csy_options_set_relax(csy_options *options, csy_relax relax, csy_error *error);
csy_status csy_options_set_engine(csy_options *options, csy_engine engine, csy_error *error);
csy_status csy_options_set_delta(csy_options *options, csy_fraction delta, csy_error *error);
csy_status csy_options_set_unwrap(csy_options *options, csy_unwrap unwrap, csy_error *error);
csy_status csy_options_set_max_imprecision(csy_options *options, int64_t ticks, csy_error *error);
csy_status csy_options_set_method(csy_options *options, csy_method method, csy_error *error);
csy_status csy_options_set_monotonic(csy_options *options, bool monotonic, csy_error *error);
csy_status csy_options_set_max_adjust(csy_options *options, int64_t ticks, csy_error *error);
csy_status csy_options_set_center(csy_options *options, csy_center center, csy_error *error);
csy_status csy_options_set_statistics(csy_options *options, csy_statistics statistics, csy_error *error);
csy_status csy_options_set_measure(csy_options *options, bool measure, csy_error *error);
csy_status csy_options_set_drop(csy_options *options, uint64_t records, csy_error *error);
csy_status csy_options_set_steps(csy_options *options, uint64_t steps, csy_error *error);
csy_status csy_options_set_latency(csy_options *options, int64_t ticks, csy_error *error);
csy_status csy_options_set_max_latency(csy_options *options, int64_t ticks, csy_error *error);
csy_status csy_options_set_advise(csy_options *options, uint64_t records, csy_error *error);
csy_status csy_options_set_premises(csy_options *options, csy_premises premises, csy_error *error);
csy_status csy_options_set_drift(csy_options *options, int64_t rate_ppb, int64_t wander_ppb, csy_error *error);
csy_status csy_input_new(csy_input **out, csy_error *error);
void csy_input_free(csy_input *input);
csy_status csy_input_set_format(csy_input *input, csy_format format, csy_error *error);
csy_status csy_input_set_time_unit(csy_input *input, csy_time_unit unit, csy_error *error);
csy_status csy_input_set_counter_bits(csy_input *input, unsigned bits, csy_error *error);
csy_status csy_input_set_offsets(csy_input *input, const char *path, csy_error *error);
csy_status csy_input_set_columns(csy_input *input, const char *columns, csy_error *error);
csy_status csy_input_set_clock_per(csy_input *input, csy_clock_per per, csy_error *error);
csy_status csy_input_set_spans(csy_input *input, csy_spans spans, csy_error *error);
csy_status csy_trace_open(const char *path, const csy_input *input, csy_trace **out, csy_error *error);
csy_status csy_input_set_join(csy_input *input, csy_join join, csy_error *error);
csy_status csy_trace_open_files(const char *const *operands, size_t n, const csy_input *input, csy_trace **out, csy_error *error);
size_t csy_trace_nfiles(const csy_trace *trace);
const char *csy_trace_file(const csy_trace *trace, size_t index);
csy_status csy_trace_new(const char *name, uint64_t timebase_hz, csy_trace **out, csy_error *error);
csy_status csy_trace_add_thread(csy_trace *trace, const char *name, const char *clock, size_t *out, csy_error *error);
csy_status csy_trace_add(csy_trace *trace, const csy_new_event *events, size_t n, csy_error *error);
void csy_trace_free(csy_trace *trace);
const char *csy_trace_name(const csy_trace *trace);
const char *csy_trace_machine(const csy_trace *trace);
const char *csy_trace_place_name(const csy_trace *trace);
uint64_t csy_trace_timebase_hz(const csy_trace *trace);
bool csy_trace_is_synchronized(const csy_trace *trace);
bool csy_trace_has_solution(const csy_trace *trace);
const char *csy_trace_warning(const csy_trace *trace, size_t index);
void csy_trace_set_workers(csy_trace *trace, unsigned workers);
void csy_trace_set_salvage(csy_trace *trace, bool salvage);
csy_status csy_trace_synchronize(csy_trace *trace, const csy_options *options, csy_sync **out, csy_error *error);
csy_status csy_trace_read_solution(csy_trace *trace, csy_sync **out, csy_error *error);
void csy_sync_free(csy_sync *sync);
uint64_t csy_sync_records(const csy_sync *sync);
size_t csy_sync_nthreads(const csy_sync *sync);
const csy_thread *csy_sync_thread(const csy_sync *sync, size_t index);
size_t csy_sync_ntracks(const csy_sync *sync);
const csy_track *csy_sync_track(const csy_sync *sync, size_t index);
csy_status csy_sync_find_thread(const csy_sync *sync, const char *name, size_t size, size_t *out, csy_error *error);
size_t csy_sync_reference(const csy_sync *sync);
const csy_imprecision *csy_sync_imprecision(const csy_sync *sync);
const csy_drift *csy_sync_drift(const csy_sync *sync);
csy_status csy_sync_drift_pair(csy_sync *sync, size_t s, size_t t, bool walks, csy_drift_pair *out, csy_error *error);
csy_status csy_sync_diagnose(csy_sync *sync, const csy_diagnosis **out, csy_error *error);
const csy_summary *csy_sync_summary(const csy_sync *sync);
const csy_witness *csy_sync_witness(const csy_sync *sync);
csy_status csy_sync_bounds(csy_sync *sync, size_t s, size_t t, int64_t *lower_ticks, int64_t *upper_ticks,
                           int64_t *error_ticks, csy_error *error);
int64_t csy_sync_event_error(const csy_sync *sync, int64_t error_ticks);
const char *csy_sync_delta_warning(const csy_sync *sync, char text[400]);
const char *csy_sync_assumed_warning(const csy_sync *sync, char text[400]);
const char *csy_sync_dropped_warning(const csy_sync *sync, char text[400]);
const char *csy_sync_order_warning(const csy_sync *sync, char text[400]);
const char *csy_sync_unbounded_warning(const csy_sync *sync, char text[400]);
const char *csy_sync_messages_warning(const csy_sync *sync, char text[400]);
const char *csy_sync_channels_warning(const csy_sync *sync, char text[400]);
const char *csy_sync_coarse_warning(const csy_sync *sync, char text[400]);
const char *csy_sync_rates_warning(const csy_sync *sync, char text[400]);
const char *csy_sync_premise(const csy_sync *sync, char text[400]);
csy_fraction csy_sync_delta_floor(const csy_sync *sync);
const char *csy_sync_condition(const csy_sync *sync, char text[400]);
const char *csy_sync_condition_at(const csy_sync *sync, size_t index, char text[400]);
bool csy_sync_next_caveat(const csy_sync *sync, size_t *next, csy_caveat *caveat);
const char *csy_steps_text(const csy_witness_edge *edge, char text[960]);
csy_status csy_events_open(const csy_sync *sync, csy_events **out, csy_error *error);
csy_status csy_events_seek(csy_events *events, uint64_t record, csy_error *error);
csy_status csy_events_read(csy_events *events, csy_decoded *out, size_t n, size_t *got, csy_error *error);
const char *csy_events_field_name(csy_events *events, unsigned id, size_t index);
void csy_events_free(csy_events *events);
csy_status csy_output_new(csy_output **out, csy_error *error);
void csy_output_free(csy_output *output);
csy_status csy_output_set_format(csy_output *output, csy_format format, csy_error *error);
csy_status csy_output_set_embed(csy_output *output, bool embed, csy_error *error);
csy_status csy_output_set_link(csy_output *output, bool linked, csy_error *error);
csy_status csy_output_set_csv_header(csy_output *output, csy_csv_header header, csy_error *error);
csy_status csy_output_set_csv_time(csy_output *output, csy_csv_time time, csy_error *error);
csy_status csy_output_set_ranges(csy_output *output, bool ranges, csy_error *error);
csy_status csy_output_set_json_args(csy_output *output, csy_json_args args, csy_error *error);
csy_status csy_output_set_compress_level(csy_output *output, int level, csy_error *error);
csy_status csy_output_set_window(csy_output *output, const char *window, csy_error *error);
csy_status csy_output_set_only(csy_output *output, const char *pattern, csy_error *error);
csy_status csy_trace_check_outputs(const csy_trace *trace, const csy_options *options, const char *path,
                                   const csy_output *output, const char *report, csy_error *error);
csy_status csy_sync_write_trace(const csy_sync *sync, const char *path, const csy_output *output, csy_error *error);
csy_status csy_sync_write_clocks(const csy_sync *sync, const char *path, csy_error *error);
csy_status csy_report_format_of(const char *path, csy_report_format *out, csy_error *error);
csy_status csy_sync_write_report(csy_sync *sync, const char *path, csy_report_format format, csy_pairs pairs,
                                 csy_error *error);
csy_status csy_check_files(const char *path, const char *const *originals, size_t n, const csy_input *input,
                           csy_progress progress, void *user, csy_proof **out, csy_error *error);
void csy_proof_free(csy_proof *proof);
csy_status csy_meaning_new(csy_meaning **out, csy_error *error);
csy_status csy_meaning_add_file(csy_meaning *meaning, const char *path, csy_error *error);
csy_status csy_meaning_set_symbols(csy_meaning *meaning, const char *path, csy_error *error);
csy_status csy_meaning_set_topology(csy_meaning *meaning, uint64_t spes_per_cell, uint64_t cells_per_node, csy_error *error);
void csy_meaning_free(csy_meaning *meaning);
size_t csy_analysis_nsheets(const csy_analysis *analysis);
const csy_sheet *csy_analysis_sheet(const csy_analysis *analysis, size_t index);
void csy_analysis_free(csy_analysis *analysis);
const char *csy_analysis_condition(const csy_analysis *analysis, const csy_sync *sync, size_t index, char text[400]);
csy_range_kind csy_analysis_kind(const csy_analysis *analysis);
csy_status csy_analysis_sort(csy_analysis *analysis, const char *column, size_t top, csy_error *error);
void csy_sync_set_ranges(csy_sync *sync, csy_ranges ranges);
csy_status csy_sync_before(csy_sync *sync, const csy_instant *a, const csy_instant *b, csy_verdict *verdict,
                           csy_range *distance, csy_error *error);
csy_status csy_sync_states(csy_sync *sync, const csy_meaning *meaning, const csy_states *asked, csy_analysis **out,
                           csy_error *error);
csy_status csy_sync_sections(csy_sync *sync, const csy_meaning *meaning, const char *name, uint64_t first, uint64_t last,
                             csy_section **out, size_t *n, csy_error *error);
csy_status csy_sync_states_of_sections(csy_sync *sync, const csy_meaning *meaning, const csy_states *asked,
                                       const csy_section *sections, size_t n, csy_analysis **out, csy_error *error);
void csy_sections_free(csy_section *sections);
csy_status csy_sync_concurrency(csy_sync *sync, const csy_meaning *meaning, const csy_concurrency *asked,
                                csy_analysis **out, csy_error *error);
csy_status csy_sync_profile(csy_sync *sync, const csy_meaning *meaning, const csy_profile_options *options,
                            csy_analysis **out, csy_error *error);
csy_status csy_sync_calls(csy_sync *sync, const csy_meaning *meaning, const csy_calls_options *options,
                          csy_analysis **out, csy_error *error);
csy_status csy_sync_timeline(csy_sync *sync, const csy_meaning *meaning, csy_units units, size_t bins,
                             const char *actors, const char *window, csy_analysis **out, csy_error *error);
csy_status csy_sync_overview(csy_sync *sync, const csy_meaning *meaning, csy_units units, size_t bins,
                             const char *actors, const char *window, csy_analysis **out, csy_error *error);
csy_status csy_sync_comm(csy_sync *sync, const csy_meaning *meaning, const csy_comm_options *options,
                         csy_analysis **out, csy_error *error);
csy_status csy_sync_each_latency(csy_sync *sync, const csy_meaning *meaning, const char *actors, const char *window,
                                 csy_analysis **out, csy_error *error);
csy_status csy_sync_latency(csy_sync *sync, const csy_meaning *meaning, const char *actors, const char *window,
                            csy_analysis **out, csy_error *error);
csy_status csy_sync_waits(csy_sync *sync, const csy_meaning *meaning, const char *actors, const char *window,
                          csy_analysis **out, csy_error *error);
csy_status csy_sync_order_table(csy_sync *sync, const char *const names[2], const csy_instant moments[2],
                                csy_analysis **out, csy_error *error);
csy_status csy_arrow_stream(const csy_arrow_column *columns, size_t ncolumns, int64_t rows,
                            struct ArrowArrayStream *out, csy_error *error);
"""

_NUMBERS = {"bool": c_bool, "int": c_int, "unsigned": c_uint, "size_t": c_size_t, "int64_t": c_int64,
            "uint64_t": c_uint64, "csy_progress": c_void_p}
_KNOWN = {structure.__name__: structure for structure in STRUCTURES}


def _ctype(text: str):
    """The ctypes type of a C type, as prototypes write it."""
    base = text.replace("const ", "").replace("*", "").strip()
    stars = text.count("*")
    if base == "void" and not stars:
        return None
    if base == "char" and stars:
        plain, stars = c_char_p, stars - 1
    elif base in _KNOWN:
        plain = _KNOWN[base]
    elif base in _NUMBERS:
        plain = _NUMBERS[base]
    elif stars:  # an opaque object, or memory
        plain, stars = c_void_p, stars - 1
    else:
        plain = c_int  # an enumeration
    for _ in range(stars):
        plain = POINTER(plain)
    return plain


def prototypes() -> dict[str, tuple[str, list[str]]]:
    """name -> (type of its result, types of its parameters), in C."""
    found = {}
    for result, name, parameters in re.findall(r"([^;()]*?)\b(csy_\w+)\(([^)]*)\);", PROTOTYPES):
        pointers = re.sub(r"(\w+)\[\d+\]", r"*\1", parameters)
        types = [re.sub(r"\w+$", "", p.strip()).strip() for p in pointers.split(",") if p.strip() != "void"]
        found[name] = (" ".join(result.split()), types)
    return found


def _candidates() -> list[str]:
    named = os.environ.get("CELLSYNC_LIBRARY")
    if named:
        return [named]
    beside = pathlib.Path(__file__).with_name(SONAME)
    return [str(beside)] if beside.exists() else [SONAME]


def _load() -> ctypes.CDLL:
    """The library that CELLSYNC_LIBRARY names, else that which was installed with the module, else the system's."""
    (path,) = _candidates()
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"cellsync: its library does not load: {error}; install libcellsync, or set CELLSYNC_LIBRARY "
                          f"to the path of {SONAME}") from None
    for name, (result, parameters) in prototypes().items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(f"cellsync: {path} is another version: it has no {name}") from None
        function.restype = _ctype(result)
        function.argtypes = [_ctype(parameter) for parameter in parameters]
    version = library.csy_version().decode()
    if version.split(".")[:2] != SONAME.rsplit(".so.", 1)[1].split("."):
        raise ImportError(f"cellsync: {path} is version {version}, want {SONAME.rsplit('.so.', 1)[1]}")
    return library


lib = _load()
