/* Starts a command on several ranks at once, as whole processes. */
#define _GNU_SOURCE
#include "driver.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* By these a program would take itself for the rank, and join or hinder the others. */
static const char *const OF_RANKS[] = {"OMPI_", "PMIX_", "PMI_", "PRTE_", "MPI_LOCALRANKID=", "MPI_LOCALNRANKS=",
                                       "HYDI_", "HYDRA_", "FATHOM_RANK=", "FATHOM_PADDING="};
static char own_number[32];
static pid_t command;

/* The environment as the launcher found it by and large, and the rank's number. */
static char **environment(void) {
    static char **kept;
    if (kept) return kept;
    size_t count = 0, used = 0;
    while (environ[count]) count++;
    kept = calloc(count + 2, sizeof *kept);
    if (!kept) return environ;
    for (size_t i = 0; i < count; i++) {
        bool is_theirs = false;
        for (size_t k = 0; k < sizeof OF_RANKS / sizeof *OF_RANKS; k++)
            is_theirs |= strncmp(environ[i], OF_RANKS[k], strlen(OF_RANKS[k])) == 0;
        if (!is_theirs) kept[used++] = environ[i];
    }
    snprintf(own_number, sizeof own_number, "FATHOM_RANK=%d", own_rank);
    kept[used] = own_number;
    return kept;
}

/* A launcher that ends a rank in order ends the rank's command and what that has started. */
static void end_command(int signal_number) {
    if (command > 0) kill(-command, SIGKILL);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static int digit(char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; }

/* Words in hexadecimal, in place. Returns NULL where they are none. */
static char **words_of(char *text) {
    size_t count = 1, used = 0;
    for (const char *c = text; *c; c++) count += *c == ' ';
    char **words = calloc(count + 1, sizeof *words);
    if (!words) return NULL;
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        size_t length = strlen(word);
        if (length % 2 || strspn(word, "0123456789abcdef") != length) {
            free(words);
            return NULL;
        }
        for (size_t i = 0; i < length; i += 2) word[i / 2] = (char)(digit(word[i]) * 16 + digit(word[i + 1]));
        word[length / 2] = 0;
        words[used++] = word;
    }
    return words;
}

static void start(char **words, struct result *result) {
    char **variables = environment();
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    signal(SIGTERM, end_command);
    start_together();
    volatile int failed = 0; /* the child shares memory until it executes */
    pid_t own = getpid();
    result->start_ns = now_ns();
    pid_t child = vfork();
    if (child == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != own || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0) failed = errno ? errno : EIO;
        else {
            signal(SIGTERM, SIG_DFL);
            execvpe(words[0], words, variables);
            failed = errno;
        }
        _exit(127);
    }
    if (child < 0) failed = errno;
    else {
        struct rusage spent;
        command = child;
        while (wait4(child, &result->status, 0, &spent) < 0 && errno == EINTR) {
        }
        result->end_ns = now_ns();
        command = 0;
        result->cpu_ns = (uint64_t)(spent.ru_utime.tv_sec + spent.ru_stime.tv_sec) * 1000000000u +
                         (uint64_t)(spent.ru_utime.tv_usec + spent.ru_stime.tv_usec) * 1000u;
        result->system_ns = (uint64_t)spent.ru_stime.tv_sec * 1000000000u + (uint64_t)spent.ru_stime.tv_usec * 1000u;
        result->minflt = (uint64_t)spent.ru_minflt, result->majflt = (uint64_t)spent.ru_majflt;
        result->nvcsw = (uint64_t)spent.ru_nvcsw, result->nivcsw = (uint64_t)spent.ru_nivcsw;
        result->peak_bytes = (uint64_t)spent.ru_maxrss * 1024u;
        result->left = kill(-child, 0) == 0;
    }
    if (null >= 0) close(null);
    if (!failed) return;
    result->failure.error = failed;
    snprintf(result->failure.call, sizeof result->failure.call, "%s", child < 0 ? "vfork" : "execve");
    snprintf(result->failure.path, sizeof result->failure.path, "%s", words[0]);
}

/* The ranks below the first number of the line start the command that follows it. */
bool run_start(char *line, int *starts, struct result *result) {
    char *rest;
    memset(result, 0, sizeof *result);
    long count = strtol(line, &rest, 10);
    if (count < 1 || count > rank_count || *rest != ' ') return false;
    char **words = words_of(rest + 1);
    if (!words || !words[0]) {
        free(words);
        return false;
    }
    *starts = (int)count;
    if (own_rank < count) start(words, result);
    else start_together();
    free(words);
    return true;
}
