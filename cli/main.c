/* dpnoise: the command line. */
#define _POSIX_C_SOURCE 200809L
#include "kit/command.h"
#include "kit/fail.h"
#include "kit/help.h"
#include "kit/nearest.h"

#include <dpnoise/version.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const struct command *const commands[] = {
#define COMMAND(name) &name##_command,
#include "kit/commands.def"
#undef COMMAND
    NULL,
};

static const struct command *find(const char *name) {
    for (const struct command *const *c = commands; *c; c++)
        if (strcmp((*c)->name, name) == 0) return *c;
    return NULL;
}

static dpn_status unknown_command(const char *name, dpn_error *why) {
    struct nearest search = nearest_to(name, strlen(name));
    for (const struct command *const *c = commands; *c; c++) nearest_try(&search, (*c)->name);
    if (search.name) return refuse(why, DPN_EPARSE, "there is no command '%.40s'; did you mean %s?", name, search.name);
    return refuse(why, DPN_EPARSE, "there is no command '%.40s'; dpnoise --help lists them", name);
}

/* Whether failures are told in JSON too. The options are not read yet when the first failure may happen. */
static bool wants_json(int argc, char **argv) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0) return true;
    return false;
}

static dpn_status run_command(const struct command *command, int argc, char **argv, dpn_error *why) {
    struct arguments arguments;
    dpn_status status = arguments_read(&arguments, command->options, argc, argv, why);
    if (status) return status;
    if (arguments_have(&arguments, "--help"))
        help_command(stdout, command);
    else
        status = command->run(&arguments, why);
    arguments_free(&arguments);
    return status;
}

/* dpnoise help [COMMAND] */
static dpn_status run_help(int argc, char **argv, dpn_error *why) {
    if (argc == 0) {
        help_tool(stdout, commands);
        return DPN_OK;
    }
    if (argc > 1) return refuse(why, DPN_EPARSE, "help takes one command, not also '%.40s'", argv[1]);
    const struct command *command = find(argv[0]);
    if (!command) return unknown_command(argv[0], why);
    help_command(stdout, command);
    return DPN_OK;
}

static dpn_status dispatch(int argc, char **argv, const char **name, dpn_error *why) {
    const char *first = argv[1];
    const struct command *command = find(first);
    if (command) {
        *name = command->name;
        return run_command(command, argc - 2, argv + 2, why);
    }
    if (strcmp(first, "help") == 0) return run_help(argc - 2, argv + 2, why);
    if (first[0] != '-') return unknown_command(first, why);
    if (strcmp(first, "--help") != 0 && strcmp(first, "--version") != 0)
        return refuse(why, DPN_EPARSE, "unknown option %.40s; a command comes first, see dpnoise --help", first);
    if (argc > 2) return refuse(why, DPN_EPARSE, "%s takes nothing after it, but there is '%.40s'", first, argv[2]);
    if (strcmp(first, "--help") == 0)
        help_tool(stdout, commands);
    else
        printf("dpnoise %s\n", dpn_version());
    return DPN_OK;
}

/* If the tool is started with a standard stream closed, the first file it opens would take that number and receive what
 * is printed. Opened for reading, the number is taken and writing to it still fails. */
static void keep_standard_streams(void) {
    int number;
    do number = open("/dev/null", O_RDONLY);
    while (number >= 0 && number <= STDERR_FILENO);
    if (number > STDERR_FILENO) close(number);
}

static bool is_limited(int resource) {
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/* OpenBLAS starts threads when it is loaded, and waits for them at exit: for ever if a limit of memory kept them from
 * starting. Nothing of ours is left to do then but to write what standard error may hold. */
static int leave(int code) {
    if (!is_limited(RLIMIT_AS) && !is_limited(RLIMIT_DATA)) return code;
    fflush(stderr);
    _exit(code);
}

int main(int argc, char **argv) {
    keep_standard_streams();
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error as others are, with the exit code of these */
    if (argc < 2) {
        help_start(stderr);
        return leave(2);
    }
    const char *name = NULL;
    dpn_error why = {DPN_OK, ""};
    bool json = wants_json(argc, argv);
    dpn_status status = dispatch(argc, argv, &name, &why);
    bool answered = status && !why.status; /* kit/command.h: the object on standard output is the answer */
    why.status = status;
    int code = status ? fail(name, json && !answered, &why) : 0;

    /* A full disk shows here at the latest: what was not written must not look done. */
    bool lost = ferror(stdout) != 0;
    errno = 0;
    if (fflush(stdout) != 0 || lost) {
        const char *reason = errno ? strerror(errno) : "error";
        refuse(&why, DPN_EIO, "standard output could not be written: %s", reason);
        return leave(fail(name, false, &why));
    }
    return leave(code);
}
