/* Data of files and blocks, its digests, and the first failure of a batch. */
#define _GNU_SOURCE
#include "work.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct failure *noted;

void note_into(struct failure *failure) { noted = failure; }

void note(const char *call, const char *path, int error) {
    if (noted->error) return;
    noted->error = error ? error : EIO;
    snprintf(noted->call, sizeof noted->call, "%s", call);
    snprintf(noted->path, sizeof noted->path, "%s", path);
}

bool has_failed(void) { return noted->error != 0; }

const char *errno_name(int error) {
    const char *name = strerrorname_np(error);
    return name ? name : "EIO";
}

uint64_t splitmix64(uint64_t x) {
    uint64_t z = x + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

uint64_t digest(const unsigned char *data, uint64_t bytes) {
    uint64_t sum = 0;
    for (uint64_t at = 0; at < bytes; at += PAGE) sum += data[at];
    return sum;
}

uint32_t crc32_of(const unsigned char *data, uint64_t bytes) {
    uint32_t crc = ~0u;
    for (uint64_t i = 0; i < bytes; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

uint64_t offset_of(uint64_t k) {
    uint64_t r = splitmix64(plan->seed + k), size = plan->size, block = plan->block;
    if (plan->random_access) return plan->aligned ? r % (size / block) * block : r % (size - block + 1);
    return plan->aligned ? k % (size / block) * block : k % ((size - 1) / block) * block + 1;
}

uint64_t pool_offset(uint64_t k) {
    uint64_t blocks = POOL_BYTES / plan->block;
    return k % (blocks ? blocks : 1) * plan->block;
}

unsigned char *touched(uint64_t bytes) {
    unsigned char *data = NULL;
    size_t room = (size_t)(bytes ? bytes : 1);
    if (posix_memalign((void **)&data, PAGE, room) != 0) {
        note("malloc", "", ENOMEM);
        return NULL;
    }
    memset(data, 0, room);
    return data;
}

void fill_pattern(unsigned char *data, uint64_t bytes) {
    for (uint64_t i = 0; i < bytes; i++) data[i] = (unsigned char)"fathom pattern.\n"[i % 16];
}

bool write_all(int fd, const unsigned char *data, uint64_t bytes, const char *path) {
    while (bytes > 0) {
        ssize_t wrote = write(fd, data, bytes);
        if (wrote <= 0) {
            note("write", path, wrote ? errno : ENOSPC);
            return false;
        }
        data += wrote, bytes -= (uint64_t)wrote;
    }
    return true;
}

/* Reads until `bytes` are there or the file ends. */
bool read_all(int fd, unsigned char *data, uint64_t bytes, const char *path) {
    while (bytes > 0) {
        ssize_t got = read(fd, data, bytes);
        if (got <= 0) {
            note("read", path, got ? errno : EIO);
            return false;
        }
        data += got, bytes -= (uint64_t)got;
    }
    return true;
}

