/*
 * boost_fw - the closure against floyd_warshall_all_pairs_shortest_paths of the Boost Graph Library.
 *
 * Usage: boost_fw [N [ROUNDS]]     a matrix of N rows, 2048; medians of 3 rounds
 *
 * Prints `name seconds`: boost and closure, each in one thread and of processor time, and how many
 * times faster the closure is.  Both have 64-bit weights.  Boost gets its own matrix of vectors, the
 * fastest of those it takes.  Fails where the two differ.
 */
extern "C" {
#include "graph/closure.h"
}
#include "matrix.h"

#include <algorithm>
#include <boost/graph/adjacency_matrix.hpp>
#include <boost/graph/floyd_warshall_shortest.hpp>
#include <cstdio>
#include <vector>

using weights = boost::property<boost::edge_weight_t, int64_t>;
using graph = boost::adjacency_matrix<boost::directedS, boost::no_property, weights>;
using distances = std::vector<std::vector<int64_t>>;

static double time_boost(const graph &g, distances &d)
{
    double begin = bench_now(CLOCK_PROCESS_CPUTIME_ID);
    boost::floyd_warshall_all_pairs_shortest_paths(g, d, boost::distance_inf(WALK_INF));
    return bench_now(CLOCK_PROCESS_CPUTIME_ID) - begin;
}

static double time_closure(std::vector<int64_t> &m, size_t n)
{
    csy_error error;
    double begin = bench_now(CLOCK_PROCESS_CPUTIME_ID);
    if (closure_make(m.data(), n, 1, NULL, &error)) {
        std::fprintf(stderr, "boost_fw: %s\n", error.text);
        std::exit(1);
    }
    return bench_now(CLOCK_PROCESS_CPUTIME_ID) - begin;
}

static bool same(const distances &d, const std::vector<int64_t> &m, size_t n)
{
    for (size_t s = 0; s < n; s++)
        if (!std::equal(d[s].begin(), d[s].end(), m.begin() + (ptrdiff_t)(s * n)))
            return false;
    return true;
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 2048;
    size_t rounds = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 3;
    if (argc > 3 || n < 1 || n > 1 << 15 || rounds < 1) {
        std::fprintf(stderr, "usage: boost_fw [N [ROUNDS]]\n");
        return 2;
    }
    std::vector<int64_t> matrix(n * n), closed;
    std::vector<double> boost_seconds, closure_seconds;
    distances d(n, std::vector<int64_t>(n));
    bench_fill(matrix.data(), n);
    graph g(n);
    for (size_t i = 0; i < n * n; i++)
        if (i / n != i % n)
            boost::add_edge(i / n, i % n, matrix[i], g);
    for (size_t i = 0; i < rounds; i++) {
        boost_seconds.push_back(time_boost(g, d));
        closed = matrix;
        closure_seconds.push_back(time_closure(closed, n));
    }
    double boost_median = bench_median(boost_seconds.data(), rounds);
    double closure_median = bench_median(closure_seconds.data(), rounds);
    std::printf("boost %.4f\nclosure %.4f\nboost/closure %.1f\n", boost_median, closure_median,
                boost_median / closure_median);
    if (!same(d, closed, n)) {
        std::fprintf(stderr, "boost_fw: the two differ\n");
        return 1;
    }
    return 0;
}
