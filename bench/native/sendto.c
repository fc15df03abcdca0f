// What the system itself takes to send datagrams, the same bytes each time: a loop of sendto, of send over a connected socket, or of sendmmsg over one
// with 32 datagrams a call.
// sendto --library sendto|sendto-connected|sendto-sendmmsg --port <port> --count <datagrams> --file <the datagram>
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define BATCH 32

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

int main(int argc, char** argv) {
    int port = 0;
    long count = 0;
    const char* file = "";
    const char* library = "";
    for (int n = 1; n + 1 < argc; n += 2) {
        if (!strcmp(argv[n], "--port")) port = atoi(argv[n + 1]);
        else if (!strcmp(argv[n], "--count")) count = atol(argv[n + 1]);
        else if (!strcmp(argv[n], "--file")) file = argv[n + 1];
        else if (!strcmp(argv[n], "--library")) library = argv[n + 1];
    }
    char datagram[65536];
    FILE* input = fopen(file, "rb");
    if (!input) return perror(file), 1;
    const size_t length = fread(datagram, 1, sizeof datagram, input);
    fclose(input);

    struct sockaddr_in receiver = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int sender = socket(AF_INET, SOCK_DGRAM, 0);
    const int isConnected = strcmp(library, "sendto") != 0;
    if (isConnected && connect(sender, (struct sockaddr*)&receiver, sizeof receiver) < 0) return perror("connect"), 1;
    const int batch = strcmp(library, "sendto-sendmmsg") ? 1 : BATCH;
    struct iovec part = {.iov_base = datagram, .iov_len = length};
    struct mmsghdr messages[BATCH] = {0};
    for (int n = 0; n < BATCH; n++) messages[n].msg_hdr = (struct msghdr){.msg_iov = &part, .msg_iovlen = 1};

    const double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    const double start = seconds(CLOCK_MONOTONIC);
    for (long n = 0; n < count;) {
        const long sent = batch > 1 ? sendmmsg(sender, messages, count - n < batch ? count - n : batch, 0)
            : (isConnected ? send(sender, datagram, length, 0) : sendto(sender, datagram, length, 0, (struct sockaddr*)&receiver, sizeof receiver)) < 0 ? -1 : 1;
        if (sent < 0) return perror(library), 1;
        n += sent;
    }
    printf("records %ld\nseconds %.9f\ncpuSeconds %.9f\n", count, seconds(CLOCK_MONOTONIC) - start, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
    return 0;
}
