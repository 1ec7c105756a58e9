/* A server for one page, on this machine alone. Whoever asks must name the address that it listens at (another site that a browser
 * shows cannot, even if its name leads here) and know the token (other users of the machine do not). */
#define _GNU_SOURCE
#include "explore/explore.h"

#include "kit/fail.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <dpnoise/random.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMEOUT = 30, MEMORY = 1 << 15 };

/* ---- libmicrohttpd, loaded when it is needed: it brings a library of ciphers along, which no other command wants ---- */

static struct {
    __typeof__(&MHD_start_daemon) start;
    __typeof__(&MHD_stop_daemon) stop;
    __typeof__(&MHD_get_daemon_info) info;
    __typeof__(&MHD_get_connection_info) asker;
    __typeof__(&MHD_get_connection_values) values;
    __typeof__(&MHD_lookup_connection_value) value;
    __typeof__(&MHD_create_response_from_buffer) response;
    __typeof__(&MHD_add_response_header) header;
    __typeof__(&MHD_queue_response) queue;
    __typeof__(&MHD_destroy_response) destroy;
} mhd;

static dpn_status load(dpn_error *why) {
    static const struct {
        const char *name;
        void *place;
    } functions[] = {{"MHD_start_daemon", &mhd.start},
                     {"MHD_stop_daemon", &mhd.stop},
                     {"MHD_get_daemon_info", &mhd.info},
                     {"MHD_get_connection_info", &mhd.asker},
                     {"MHD_get_connection_values", &mhd.values},
                     {"MHD_lookup_connection_value", &mhd.value},
                     {"MHD_create_response_from_buffer", &mhd.response},
                     {"MHD_add_response_header", &mhd.header},
                     {"MHD_queue_response", &mhd.queue},
                     {"MHD_destroy_response", &mhd.destroy}};
    void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW);
    if (!library)
        return refuse(why, DPN_EUNSUPPORTED,
                      "libmicrohttpd is missing: apt-get install libmicrohttpd12, then try again");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        if (!function)
            return refuse(why, DPN_EUNSUPPORTED, "libmicrohttpd has no %s: another version is needed",
                          functions[i].name);
        memcpy(functions[i].place, &function, sizeof function);
    }
    return DPN_OK;
}

/* ---- Answers ---- */

struct server {
    struct MHD_Daemon *daemon;
    uint16_t port;
    char token[TOKEN_SIZE];
    struct guests guests;
};

static int socket_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = mhd.asker(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static void come_or_leave(void *of, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode code) {
    struct server *server = of;
    (void)context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
        guest_comes(&server->guests, socket_of(connection));
    else
        guest_leaves(&server->guests, socket_of(connection));
}

static void have_answer(void *of, struct MHD_Connection *connection, void **state,
                        enum MHD_RequestTerminationCode code) {
    struct server *server = of;
    (void)state, (void)code;
    guest_asks(&server->guests, socket_of(connection), false);
}

static enum MHD_Result reply(struct MHD_Connection *connection, unsigned code, const char *type, const char *text,
                             size_t length, enum MHD_ResponseMemoryMode mode) {
    struct MHD_Response *response = mhd.response(length, (void *)(uintptr_t)text, mode);
    if (!response) {
        if (mode == MHD_RESPMEM_MUST_FREE) free((void *)(uintptr_t)text);
        return MHD_NO;
    }
    mhd.header(response, "Content-Type", type);
    mhd.header(response, "Content-Security-Policy",
               "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; "
               "form-action 'none'; "
               "frame-ancestors 'none'");
    mhd.header(response, "X-Content-Type-Options", "nosniff");
    mhd.header(response, "Referrer-Policy", "no-referrer");
    mhd.header(response, "Cross-Origin-Resource-Policy", "same-origin");
    mhd.header(response, "Cache-Control", "no-store");
    enum MHD_Result result = mhd.queue(connection, code, response);
    mhd.destroy(response);
    return result;
}

static enum MHD_Result reply_words(struct MHD_Connection *connection, unsigned code, const char *words) {
    return reply(connection, code, "text/plain; charset=utf-8", words, strlen(words), MHD_RESPMEM_PERSISTENT);
}

/* The address that the browser believes to talk to. */
static bool is_own_host(const struct server *server, const char *host) {
    char own[2][40];
    snprintf(own[0], sizeof own[0], "127.0.0.1:%u", server->port);
    snprintf(own[1], sizeof own[1], "localhost:%u", server->port);
    return host && (strcmp(host, own[0]) == 0 || strcmp(host, own[1]) == 0);
}

/* What follows "/TOKEN" in the address, NULL without it. Every letter is compared: the time tells nothing. */
static const char *after_token(const struct server *server, const char *path) {
    unsigned char differs = path[0] != '/';
    for (size_t i = 0; i + 1 < TOKEN_SIZE; i++) {
        if (!path[i] || !path[i + 1]) return NULL;
        differs |= (unsigned char)(path[i + 1] ^ server->token[i]);
    }
    return differs ? NULL : path + TOKEN_SIZE;
}

struct asked {
    struct asked_words question;
    dpn_error why;
    dpn_status status;
};

static enum MHD_Result take_word(void *to, enum MHD_ValueKind kind, const char *key, const char *value) {
    struct asked *asked = to;
    (void)kind;
    if (strcmp(key, "word") == 0 && !asked->status)
        asked->status = question_add(&asked->question, value ? value : "", &asked->why);
    return MHD_YES;
}

static enum MHD_Result reply_answer(struct MHD_Connection *connection) {
    struct asked asked = {.status = DPN_OK};
    const char *command = mhd.value(connection, MHD_GET_ARGUMENT_KIND, "command");
    char *text;
    size_t length;
    asked.status = question_begin(&asked.question, command ? command : "", &asked.why);
    if (!asked.status) mhd.values(connection, MHD_GET_ARGUMENT_KIND, take_word, &asked);
    if (asked.status) return reply_words(connection, MHD_HTTP_BAD_REQUEST, "not a question that this page can ask\n");
    if (answer_run(&text, &length, &asked.question, socket_of(connection), &asked.why))
        return reply_words(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "the tool did not answer in time\n");
    return reply(connection, MHD_HTTP_OK, "application/json", text, length, MHD_RESPMEM_MUST_FREE);
}

static enum MHD_Result handle(void *of, struct MHD_Connection *connection, const char *path, const char *method,
                              const char *version, const char *upload, size_t *upload_size, void **state) {
    struct server *server = of;
    (void)version, (void)upload, (void)state;
    guest_asks(&server->guests, socket_of(connection), true);
    if (strcmp(method, "GET") != 0) return reply_words(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "GET alone\n");
    if (*upload_size) return MHD_NO;
    if (!is_own_host(server, mhd.value(connection, MHD_HEADER_KIND, "Host")))
        return reply_words(connection, MHD_HTTP_FORBIDDEN, "another host was meant\n");
    const char *rest = after_token(server, path);
    if (!rest)
        return reply_words(connection, MHD_HTTP_FORBIDDEN, "the address that dpnoise explore printed has a token\n");
    if (strcmp(rest, "/") == 0)
        return reply(connection, MHD_HTTP_OK, "text/html; charset=utf-8", explore_html, strlen(explore_html),
                     MHD_RESPMEM_PERSISTENT);
    if (strcmp(rest, "/page.css") == 0)
        return reply(connection, MHD_HTTP_OK, "text/css; charset=utf-8", explore_css, strlen(explore_css),
                     MHD_RESPMEM_PERSISTENT);
    if (strcmp(rest, "/page.js") == 0)
        return reply(connection, MHD_HTTP_OK, "text/javascript; charset=utf-8", explore_js, strlen(explore_js),
                     MHD_RESPMEM_PERSISTENT);
    if (strcmp(rest, "/ask") == 0) return reply_answer(connection);
    return reply_words(connection, MHD_HTTP_NOT_FOUND, "there is no such page\n");
}

/* ---- Start and stop ---- */

static dpn_status make_token(char token[TOKEN_SIZE], dpn_error *why) {
    uint64_t word[2];
    dpn_rng *rng;
    dpn_status status = dpn_rng_new(&rng, why);
    if (status) return status;
    status = dpn_rng_words(word, rng, 2, why);
    dpn_rng_free(rng);
    if (!status)
        snprintf(token, TOKEN_SIZE, "%016llx%016llx", (unsigned long long)word[0], (unsigned long long)word[1]);
    return status;
}

dpn_status server_start(struct server **out, uint16_t port, dpn_error *why) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct server *server = NULL;
    dpn_status status = load(why);
    if (status) return status;
    server = calloc(1, sizeof *server);
    if (!server) return refuse(why, DPN_ENOMEM, "out of memory");
    pthread_mutex_init(&server->guests.lock, NULL);
    status = make_token(server->token, why);
    if (!status) {
        server->daemon =
            mhd.start(MHD_USE_AUTO_INTERNAL_THREAD | MHD_USE_THREAD_PER_CONNECTION, port, NULL, NULL, handle, server,
                      MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_LIMIT, (unsigned)GUESTS,
                      MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)TIMEOUT, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                      (size_t)MEMORY, MHD_OPTION_NOTIFY_CONNECTION, come_or_leave, server, MHD_OPTION_NOTIFY_COMPLETED,
                      have_answer, server, MHD_OPTION_END);
        if (!server->daemon)
            status = refuse(why, DPN_EIO, "port %u of this machine cannot be listened at: another program may have it",
                            port);
    }
    if (status) {
        free(server);
        return status;
    }
    const union MHD_DaemonInfo *bound = mhd.info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    server->port = bound ? bound->port : port;
    *out = server;
    return DPN_OK;
}

uint16_t server_port(const struct server *server) {
    return server->port;
}

const char *server_token(const struct server *server) {
    return server->token;
}

void server_stop(struct server *server) {
    if (!server) return;
    mhd.stop(server->daemon);
    free(server);
}
