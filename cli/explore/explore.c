/* dpnoise explore: a page on this machine to choose noise with. */
#define _POSIX_C_SOURCE 200809L
#include "explore/explore.h"

#include "kit/command.h"
#include "kit/fail.h"

#include <signal.h>
#include <stdio.h>

static dpn_status read_port(uint16_t *out, const struct arguments *arguments, dpn_error *why) {
    uint64_t port = 0;
    *out = 0;
    dpn_status status = arguments_have(arguments, "--port") ? arguments_count(&port, arguments, "--port", why) : DPN_OK;
    if (status) return status;
    if (port > UINT16_MAX) return refuse(why, DPN_EDOMAIN, "--port is at most %d", UINT16_MAX);
    *out = (uint16_t)port;
    return DPN_OK;
}

static void print_address(const struct server *server, bool json) {
    if (json)
        printf("{\"address\": \"http://127.0.0.1:%u/%s/\"}\n", server_port(server), server_token(server));
    else
        printf("open this address in a browser; Ctrl-C ends it\n\n  http://127.0.0.1:%u/%s/\n\n"
               "the page asks this tool alone: it has no data, no ledger, and nothing leaves this machine\n",
               server_port(server), server_token(server));
    fflush(stdout);
}

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    struct server *server;
    uint16_t port;
    sigset_t ends;
    int got;
    if (arguments->operands)
        return refuse(why, DPN_EPARSE, "explore takes no data, but there is '%.40s'", arguments->operand[0]);
    dpn_status status = read_port(&port, arguments, why);
    if (status) return status;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    sigprocmask(SIG_BLOCK, &ends, NULL); /* before there are threads, which inherit it */
    status = server_start(&server, port, why);
    if (status) return status;
    print_address(server, arguments_have(arguments, "--json"));
    while (sigwait(&ends, &got) != 0) continue;
    server_stop(server);
    return DPN_OK;
}

static const struct option options[] = {
    {"--port", "N", false, "listen at this port of 127.0.0.1 (one that is free)"},
    {NULL, NULL, false, NULL},
};

const struct command explore_command = {
    .name = "explore",
    .summary = "a page to choose noise with, in the browser",
    .synopsis = "[--port N] [--json]",
    .description = "Serve a page on this machine, for this machine alone, until Ctrl-C: sliders for epsilon, delta and "
                   "the answers,\n"
                   "the error of every mechanism, densities and privacy profiles, compositions and private training, "
                   "and the command\n"
                   "that gives the same in a terminal. The page has no data and no ledger: it spends nothing.\n",
    .example = "  dpnoise explore --port 8421\n",
    .options = options,
    .run = run,
};
