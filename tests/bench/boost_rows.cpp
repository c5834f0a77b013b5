/*
 * boost_rows - rows of bounds of a trace in partial order, by elimination, against those of Johnson's
 * algorithm in the Boost Graph Library: Dijkstra's, between potentials.
 *
 * Usage: boost_rows TRACE [ROUNDS]     a CSV; median of 5 rounds
 *
 * Prints `name value`: clocks and pairs of the graph; seconds of processor time of eliminating (tau: with
 * both rows of the reference), of a row by itself (single), of one of 16 made together (row), and of one
 * of Boost's, and how many times faster rows are than that.  Potentials are given to both.  Fails where
 * any two bounds of these rows differ.
 */
extern "C" {
#include "graph/minplus.h"
#include "partial_rows.h"
}
#include "matrix.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <cstdio>
#include <vector>

using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, int64_t>>;

[[noreturn]] static void fail(const char *text)
{
    std::fprintf(stderr, "boost_rows: %s\n", text);
    std::exit(1);
}

static graph make_graph(const partial_rows &rows)
{
    graph g(rows.nvertices);
    for (size_t i = 0; i < rows.npairs; i++) {
        partial_pair pair = partial_rows_pair(&rows, i);
        boost::add_edge(pair.s, pair.t, pair.weight, g);
    }
    return g;
}

template <class Work> static double median_of(size_t rounds, Work work)
{
    std::vector<double> seconds;
    for (size_t i = 0; i < rounds; i++) {
        double begin = bench_now(CLOCK_PROCESS_CPUTIME_ID);
        work(i);
        seconds.push_back(bench_now(CLOCK_PROCESS_CPUTIME_ID) - begin);
    }
    return bench_median(seconds.data(), rounds);
}

static bool same(int64_t ours, int64_t theirs)
{
    return ours == theirs || (ours >= WALK_FAR && theirs >= WALK_FAR);
}

int main(int argc, char **argv)
{
    size_t rounds = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 5;
    if (argc < 2 || argc > 3 || rounds < 1) {
        std::fprintf(stderr, "usage: boost_rows TRACE [ROUNDS]\n");
        return 2;
    }
    csy_error error;
    partial_rows rows;
    if (partial_rows_open(argv[1], &rows, &error))
        fail(error.text);
    size_t n = rows.nvertices, step = n / (rounds + 1) + 1;
    std::vector<int64_t> from(n), to(n), room(n * PARTIAL_ROWS_LANES + 8), boost_row(n);
    auto *block = reinterpret_cast<int64_t *>((uintptr_t(room.data()) + 63) / 64 * 64);
    double tau = median_of(rounds, [&](size_t) {
        if (partial_rows_eliminate(&rows, &error))
            fail(error.text);
        partial_rows_from(&rows, rows.reference, from.data());
        partial_rows_to(&rows, rows.reference, to.data());
    });
    graph g = make_graph(rows);
    double boost_seconds = median_of(rounds, [&](size_t i) {
        boost::dijkstra_shortest_paths(
            g, i * step,
            boost::distance_map(boost_row.data()).distance_inf(WALK_INF));
    });
    double single = median_of(rounds, [&](size_t i) { partial_rows_from(&rows, i * step, from.data()); });
    double lanes = median_of(rounds, [&](size_t i) { partial_rows_block(&rows, i * step, block); });
    double row = lanes / PARTIAL_ROWS_LANES;
    for (size_t t = 0; t < n; t++) /* of the last round */
        if (!same(from[t], boost_row[t]) || !same(block[t * PARTIAL_ROWS_LANES], boost_row[t]))
            fail("the two differ");
    std::printf("clocks %zu\npairs %zu\ntau %.4f\nsingle %.5f\nrow %.5f\nboost %.5f\n"
                "boost/row %.2f\nboost/single %.2f\n",
                rows.nclocks, rows.npairs, tau, single, row, boost_seconds, boost_seconds / row,
                boost_seconds / single);
    partial_rows_close(&rows);
    return 0;
}
