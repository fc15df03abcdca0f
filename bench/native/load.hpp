// The loads and the clocks of the modes saturate and caller, shared by the C++ programs. With a rate it is caller: one thread, calls at that pace.
#pragma once
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

namespace load {

struct options {
    std::string library;
    std::string file;
    int threads = 1;
    long count = 1000;
    long rate = 0;
    long group = 10;
};

inline options parse(int argc, char** argv) {
    options parsed;
    for (int n = 1; n + 1 < argc; n += 2) {
        if (!strcmp(argv[n], "--library")) parsed.library = argv[n + 1];
        else if (!strcmp(argv[n], "--file")) parsed.file = argv[n + 1];
        else if (!strcmp(argv[n], "--threads")) parsed.threads = atoi(argv[n + 1]);
        else if (!strcmp(argv[n], "--count")) parsed.count = atol(argv[n + 1]);
        else if (!strcmp(argv[n], "--rate")) parsed.rate = atol(argv[n + 1]);
        else if (!strcmp(argv[n], "--group")) parsed.group = atol(argv[n + 1]);
    }
    return parsed;
}

// As in OrderNumbers.cs: six digits in every record.
inline int order(long n) { return 100000 + static_cast<int>(n % 900000); }

// As in OrderLog.cs: an odd number of thousandths has three decimals.
inline double elapsed(int order) { return (order | 1) / 1000.0; }

inline double seconds(clockid_t clock) {
    timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

inline long sum_of(long records) {
    long sum = 0;
    for (long n = 0; n < records; n++) sum += order(n);
    return sum;
}

// Seconds in the calls alone, a few between two looks at the clock.
template <typename Log>
double paced(const options& options, long first, Log& log) {
    double spent = 0;
    const double start = seconds(CLOCK_MONOTONIC);
    for (long done = 0; done < options.count; done += options.group) {
        double now;
        while ((now = seconds(CLOCK_MONOTONIC)) - start < static_cast<double>(done) / options.rate) {
        }
        for (long n = done; n < done + options.group; n++) log(order(first + n));
        spent += seconds(CLOCK_MONOTONIC) - now;
    }
    return spent;
}

template <typename Log, typename Close>
void run_caller(const options& options, Log log, Close close) {
    const long calls = (options.count + options.group - 1) / options.group * options.group;
    paced(options, 0, log);
    const double spent = paced(options, calls, log);
    close();
    printf("lines %ld\nsum %ld\nnanoseconds %.3f\n", 2 * calls, sum_of(2 * calls), spent * 1e9 / calls);
}

// Logs from all threads, closes, and prints what the harness reads.
template <typename Log, typename Close>
void run_saturate(const options& options, Log log, Close close) {
    const long share = options.count / options.threads;
    const double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    const double start = seconds(CLOCK_MONOTONIC);
    std::vector<std::thread> producers;
    for (int thread = 0; thread < options.threads; thread++)
        producers.emplace_back([=, &log] {
            for (long n = thread * share; n < (thread + 1) * share; n++) log(order(n));
        });
    for (auto& producer : producers) producer.join();
    const double produced = seconds(CLOCK_MONOTONIC) - start;
    close();
    const double elapsed = seconds(CLOCK_MONOTONIC) - start;
    const double used = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    const long records = share * options.threads;
    printf("records %ld\nlines %ld\nsum %ld\nseconds %.9f\nproducerSeconds %.9f\ncpuSeconds %.9f\n", records, records, sum_of(records), elapsed, produced, used);
}

template <typename Log, typename Close>
void run(const options& options, Log log, Close close) {
    if (options.rate > 0) run_caller(options, log, close);
    else run_saturate(options, log, close);
}

}  // namespace load
