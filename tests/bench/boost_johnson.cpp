/*
 * boost_johnson - all bounds by the sweep against johnson_all_pairs_shortest_paths of the Boost Graph
 * Library, on the same graph.
 *
 * Usage: boost_johnson TRACE [ROUNDS]     a .pex; median of 5 rounds of ours, Johnson once
 *
 * Prints `name value`: threads and edges of the constraints graph, then boost and sweep, seconds of
 * processor time, each in one thread, and how many times faster the sweep is.  Boost begins with the
 * graph, the sweep with the events that are the graph's source.  Both make the bounds of every ordered
 * pair: Boost in its matrix, whose pages have been touched before, the sweep in rows that take the place
 * of one another, as csy_sync_bounds gives them.  Fails where any two bounds differ.
 */
extern "C" {
#include "all_pairs.h"
#include "graph/minplus.h"
}
#include "matrix.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/johnson_all_pairs_shortest.hpp>
#include <cstdio>
#include <unordered_map>
#include <vector>

using weights =
    boost::property<boost::edge_weight_t, int64_t, boost::property<boost::edge_weight2_t, int64_t>>;
using graph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, weights>;
using distances = std::vector<std::vector<int64_t>>;

[[noreturn]] static void fail(const char *text)
{
    std::fprintf(stderr, "boost_johnson: %s\n", text);
    std::exit(1);
}

/* [BHH08] eq. (6): neighbouring events of different threads, the least difference of each pair. */
static graph make_graph(const pair_events &events)
{
    std::unordered_map<uint64_t, int64_t> least;
    for (size_t i = 1; i < events.count; i++) {
        const pair_event &before = events.items[i - 1], &after = events.items[i];
        if (before.thread == after.thread)
            continue;
        uint64_t edge = before.thread * uint64_t(events.nthreads) + after.thread;
        int64_t weight = after.x - before.x;
        auto known = least.emplace(edge, weight).first;
        known->second = std::min(known->second, weight);
    }
    graph g(events.nthreads);
    for (auto [edge, weight] : least)
        boost::add_edge(edge / events.nthreads, edge % events.nthreads, weight, g);
    return g;
}

static double time_boost(graph &g, distances &d)
{
    const int64_t infinity = WALK_INF;
    double begin = bench_now(CLOCK_PROCESS_CPUTIME_ID);
    bool feasible = boost::johnson_all_pairs_shortest_paths(
        g, d, get(boost::vertex_index, g), get(boost::edge_weight, g), std::less<int64_t>(),
        boost::closed_plus<int64_t>(infinity), infinity, int64_t(0));
    double seconds = bench_now(CLOCK_PROCESS_CPUTIME_ID) - begin;
    if (!feasible)
        fail("Boost finds a negative cycle");
    return seconds;
}

static void sweep(const pair_events &events, std::vector<int64_t> &rows, all_pairs_take take,
                  void *user)
{
    csy_error error;
    auto *aligned = reinterpret_cast<int64_t *>((uintptr_t(rows.data()) + 63) / 64 * 64);
    if (all_pairs_sweep(&events, aligned, take, user, &error))
        fail(error.text);
}

static double time_sweep(const pair_events &events, std::vector<int64_t> &rows)
{
    double begin = bench_now(CLOCK_PROCESS_CPUTIME_ID);
    sweep(events, rows, nullptr, nullptr);
    return bench_now(CLOCK_PROCESS_CPUTIME_ID) - begin;
}

/* Boost gives back an unreached thread as its infinity, moved by potentials. */
static void check(void *user, size_t first, const int64_t *rows)
{
    const distances &d = *static_cast<const distances *>(user);
    size_t n = d.size();
    for (size_t s = first; s < n && s < first + ALL_PAIRS_SOURCES; s++) {
        for (size_t t = 0; t < n; t++) {
            int64_t ours = rows[t * ALL_PAIRS_SOURCES + s - first];
            if (ours != d[s][t] && (ours < WALK_FAR || d[s][t] < WALK_FAR))
                fail("the two differ");
        }
    }
}

int main(int argc, char **argv)
{
    size_t rounds = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 5;
    if (argc < 2 || argc > 3 || rounds < 1) {
        std::fprintf(stderr, "usage: boost_johnson TRACE [ROUNDS]\n");
        return 2;
    }
    csy_error error;
    pair_events events;
    if (pair_events_read(argv[1], &events, &error))
        fail(error.text);
    size_t n = events.nthreads;
    std::vector<int64_t> rows(n * ALL_PAIRS_SOURCES + 8);
    std::vector<double> seconds;
    for (size_t i = 0; i < rounds; i++)
        seconds.push_back(time_sweep(events, rows));
    graph g = make_graph(events);
    distances d(n, std::vector<int64_t>(n, 1));
    double boost_seconds = time_boost(g, d);
    double sweep_seconds = bench_median(seconds.data(), rounds);
    std::printf("threads %zu\nedges %zu\nboost %.4f\nsweep %.4f\nboost/sweep %.1f\n", n,
                size_t(num_edges(g)), boost_seconds, sweep_seconds, boost_seconds / sweep_seconds);
    sweep(events, rows, check, &d);
    std::free(events.items);
    return 0;
}
