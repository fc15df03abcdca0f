// spdlog, synchronous (spdlog-sync) or asynchronous with one pool thread (spdlog-<queue size>), blocking when full. Its level names are lower case:
// the one difference to the line of the others, of the same length.
#include <spdlog/async.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>

#include "load.hpp"

int main(int argc, char** argv) {
    const auto options = load::parse(argc, argv);
    const std::string kind = options.library.substr(options.library.find('-') + 1);
    auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(options.file);
    std::shared_ptr<spdlog::details::thread_pool> pool;
    std::shared_ptr<spdlog::logger> logger;
    if (kind == "sync") {
        logger = std::make_shared<spdlog::logger>("bench", sink);
    } else {
        pool = std::make_shared<spdlog::details::thread_pool>(std::stoul(kind), 1);
        logger = std::make_shared<spdlog::async_logger>("bench", sink, pool, spdlog::async_overflow_policy::block);
    }
    logger->set_pattern("%Y-%m-%d %H:%M:%S.%e [%l] [%n] %v");
    const char* customer = "ACME-Corp-EU";
    const char* status = "completed-ok";
    load::run(
        options,
        [&](int order) { logger->info("Order {} for customer {} took {} ms with status {}", order, customer, load::elapsed(order), status); },
        [&] {
            // everything is written when the last of the three is gone
            logger.reset();
            pool.reset();
            sink.reset();
        });
}
