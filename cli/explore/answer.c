/* The tool asks itself, in a process of its own: it can be stopped, and what it does wrong stays there. */
#define _GNU_SOURCE /* posix_spawn, pipe2 */
#include "explore/explore.h"

#include "kit/fail.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1 << 22, CHUNK = 1 << 14 };

struct text {
    char *at;
    size_t length;
};

static dpn_status start(pid_t *out, int output, int errors, const struct asked_words *question, dpn_error *why) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    char *argv[QUESTION_WORDS + 4], *environment[] = {(char[]){"LC_ALL=C"}, NULL};
    size_t words = 0;
    argv[words++] = (char[]){"dpnoise"};
    for (size_t i = 0; i < question->words; i++) argv[words++] = (char *)(uintptr_t)question->word[i];
    argv[words] = NULL;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed) return refuse(why, DPN_ENOMEM, "out of memory");
    failed = posix_spawnattr_init(&attributes);
    if (failed) {
        posix_spawn_file_actions_destroy(&actions);
        return refuse(why, DPN_ENOMEM, "out of memory");
    }
    sigemptyset(&none); /* the server waits for the signals that end it, and blocks them */
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    failed = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    if (!failed) failed = posix_spawn(out, "/proc/self/exe", &actions, &attributes, argv, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failed ? refuse(why, DPN_EIO, "the tool cannot be started: %s", strerror(failed)) : DPN_OK;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Read until the end. Errors: too long, too late. */
static dpn_status read_all(struct text *text, int from, int asker, dpn_error *why) {
    double last = seconds() + ANSWER_SECONDS;
    for (;;) {
        struct pollfd ready[] = {{.fd = from, .events = POLLIN}, {.fd = asker, .events = POLLRDHUP}};
        double left = last - seconds();
        if (left <= 0 || text->length > MOST)
            return refuse(why, DPN_EIO, "the answer takes longer than %d seconds", ANSWER_SECONDS);
        if (poll(ready, 2, (int)(1000 * left) + 1) <= 0) continue;
        if (ready[1].revents) return refuse(why, DPN_EIO, "whoever asked has gone");
        char *more = realloc(text->at, text->length + CHUNK + 1);
        if (!more) return refuse(why, DPN_ENOMEM, "out of memory");
        text->at = more;
        ssize_t count = read(from, text->at + text->length, CHUNK);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        text->length += (size_t)count;
    }
    text->at[text->length] = '\0';
    return DPN_OK;
}

static dpn_status collect(struct text *text, int from, int asker, pid_t child, int *code, dpn_error *why) {
    int result;
    dpn_status status = read_all(text, from, asker, why);
    if (status) kill(child, SIGKILL);
    while (waitpid(child, &result, 0) < 0 && errno == EINTR) continue;
    *code = WIFEXITED(result) ? WEXITSTATUS(result) : -1;
    return status;
}

/* The tool prints one object, of its answer or of why there is none, and ends the line. */
static dpn_status check_object(struct text *text, int code, dpn_error *why) {
    if (!text->length || text->at[0] != '{')
        return refuse(why, DPN_EIO, "the tool ended with code %d and no answer", code);
    while (text->length && text->at[text->length - 1] == '\n') text->at[--text->length] = '\0';
    return DPN_OK;
}

dpn_status answer_run(char **out, size_t *length, const struct asked_words *question, int asker, dpn_error *why) {
    struct text text = {0};
    int ends[2], code = -1;
    pid_t child;
    if (pipe2(ends, O_CLOEXEC) != 0) return refuse(why, DPN_EIO, "no pipe: %s", strerror(errno));
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dpn_status status = nothing < 0 ? refuse(why, DPN_EIO, "/dev/null: %s", strerror(errno)) : DPN_OK;
    if (!status) status = start(&child, ends[1], nothing, question, why);
    if (nothing >= 0) close(nothing);
    close(ends[1]);
    if (!status) status = collect(&text, ends[0], asker, child, &code, why);
    close(ends[0]);
    if (!status) status = check_object(&text, code, why);
    if (status) {
        free(text.at);
        return status;
    }
    *out = text.at;
    *length = text.length;
    return DPN_OK;
}
