// What the system itself takes to send datagrams: a loop of sendto, the same bytes each time.
// sendto --library sendto --port <port> --count <datagrams> --file <the datagram>
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

int main(int argc, char** argv) {
    int port = 0;
    long count = 0;
    const char* file = "";
    for (int n = 1; n + 1 < argc; n += 2) {
        if (!strcmp(argv[n], "--port")) port = atoi(argv[n + 1]);
        else if (!strcmp(argv[n], "--count")) count = atol(argv[n + 1]);
        else if (!strcmp(argv[n], "--file")) file = argv[n + 1];
    }
    char datagram[65536];
    FILE* input = fopen(file, "rb");
    if (!input) return perror(file), 1;
    const size_t length = fread(datagram, 1, sizeof datagram, input);
    fclose(input);

    struct sockaddr_in receiver = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int sender = socket(AF_INET, SOCK_DGRAM, 0);
    const double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    const double start = seconds(CLOCK_MONOTONIC);
    for (long n = 0; n < count; n++)
        if (sendto(sender, datagram, length, 0, (struct sockaddr*)&receiver, sizeof receiver) < 0) return perror("sendto"), 1;
    printf("records %ld\nseconds %.9f\ncpuSeconds %.9f\n", count, seconds(CLOCK_MONOTONIC) - start, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
    return 0;
}
