// The reference pipeline, a ceiling for every design of this kind: the caller renders the whole line, appends it to a shared segment, and one worker
// writes full segments of 64 KiB. Memory is bounded by the number of segments; callers wait when none is free.
#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>

#include "load.hpp"

namespace {

constexpr size_t segment_bytes = 64 << 10;
constexpr int most_segments = 256;
constexpr auto nap = std::chrono::milliseconds(1);

struct segment {
    size_t length = 0;
    char bytes[segment_bytes];
};

char* put(char* at, const char* text, size_t length) {
    memcpy(at, text, length);
    return at + length;
}

template <size_t N>
char* put(char* at, const char (&text)[N]) {
    return put(at, text, N - 1);
}

// yyyy-MM-dd HH:mm:ss.fff, the text up to the second kept per thread
char* put_time(char* at) {
    thread_local time_t known = 0;
    thread_local char text[32];
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (now.tv_sec != known) {
        tm parts;
        localtime_r(&now.tv_sec, &parts);
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S.", &parts);
        known = now.tv_sec;
    }
    at = put(at, text, 20);
    const int milliseconds = static_cast<int>(now.tv_nsec / 1000000);
    *at++ = static_cast<char>('0' + milliseconds / 100);
    *at++ = static_cast<char>('0' + milliseconds / 10 % 10);
    *at++ = static_cast<char>('0' + milliseconds % 10);
    return at;
}

size_t render(char* line, int order) {
    char* at = put_time(line);
    at = put(at, " [INFO] [bench] Order ");
    at = std::to_chars(at, at + 16, order).ptr;
    at = put(at, " for customer ");
    at = put(at, "ACME-Corp-EU");
    at = put(at, " took ");
    at = std::to_chars(at, at + 32, load::elapsed(order)).ptr;
    at = put(at, " ms with status ");
    at = put(at, "completed-ok");
    *at++ = '\n';
    return at - line;
}

class pipeline {
public:
    explicit pipeline(const std::string& file)
        : file_(open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0640)), current_(new segment), worker_([this] { work(); }) {}

    void log(int order) {
        char line[256];
        const size_t length = render(line, order);
        std::unique_lock<std::mutex> lock(gate_);
        while (current_->length + length > segment_bytes) hand_over(lock);
        memcpy(current_->bytes + current_->length, line, length);
        current_->length += length;
    }

    void close() {
        {
            std::lock_guard<std::mutex> lock(gate_);
            full_.push_back(std::move(current_));
            closed_ = true;
        }
        worker_.join();
        ::close(file_);
    }

private:
    // under the gate; leaves it while it waits for a free segment
    void hand_over(std::unique_lock<std::mutex>& lock) {
        if (free_.empty() && made_ == most_segments) {
            room_.wait(lock);
            return;
        }
        full_.push_back(std::move(current_));
        if (free_.empty()) {
            made_++;
            current_.reset(new segment);
        } else {
            current_ = std::move(free_.back());
            free_.pop_back();
        }
    }

    // naps instead of being woken: no call pays for a wake-up
    void work() {
        for (;;) {
            std::unique_lock<std::mutex> lock(gate_);
            if (full_.empty()) {
                if (closed_) return;
                lock.unlock();
                std::this_thread::sleep_for(nap);
                continue;
            }
            auto taken = std::move(full_.front());
            full_.pop_front();
            lock.unlock();
            for (size_t written = 0; written < taken->length;) {
                const ssize_t count = write(file_, taken->bytes + written, taken->length - written);
                if (count < 0) abort();
                written += count;
            }
            taken->length = 0;
            lock.lock();
            free_.push_back(std::move(taken));
            room_.notify_all();
        }
    }

    int file_;
    std::mutex gate_;
    std::condition_variable room_;
    std::unique_ptr<segment> current_;
    std::deque<std::unique_ptr<segment>> full_;
    std::vector<std::unique_ptr<segment>> free_;
    int made_ = 1;
    bool closed_ = false;
    std::thread worker_;
};

}  // namespace

int main(int argc, char** argv) {
    const auto options = load::parse(argc, argv);
    pipeline pipeline(options.file);
    load::run(options, [&](int order) { pipeline.log(order); }, [&] { pipeline.close(); });
}
