/* Makes calls at known places: with a frame pointer that is only a number, in a loop, by functions
   that differ in nothing but where they call from, in code that is loaded later, in a child. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline))

static APART int one(const char *path) {
    int result = access(path, R_OK);
    return result + 1;
}

static APART int other(const char *path) {
    int result = access(path, W_OK);
    return result + 2;
}

/* The registers that callees keep are all in use, the frame pointer among them. */
static APART long numbers(const char *path, long rounds) {
    long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;
    for (long round = 0; round < rounds; round++) {
        a += b ^ round, b += c * 3, c ^= d + round, d += e, e ^= f + a, f += round;
        a += access(path, F_OK);
        a += access(path, X_OK);
    }
    return a + b + c + d + e + f;
}

static APART int deep(const char *path, int depth) {
    char room[200];
    memset(room, depth, sizeof room);
    int result = depth == 0 ? access(path, F_OK) : deep(path, depth - 1);
    return result + room[depth % 200];
}

int main(int count, char **words) {
    const char *path = words[2];
    long rounds = atol(words[3]);
    long sum = 0;
    switch (words[1][0]) {
    case 'p':
        for (long round = 0; round < rounds; round++) sum += one(path) + other(path);
        break;
    case 'n':
        sum = numbers(path, rounds);
        break;
    case 'd':
        for (long round = 0; round < rounds; round++) sum += deep(path, (int)round);
        break;
    case 'f':
        if (fork() == 0) return one(path) & 1;
        wait(NULL);
        sum = other(path);
        break;
    }
    return sum == 12345;
}
