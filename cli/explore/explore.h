/* The parts of `dpnoise explore`: a page on this machine that asks the tool itself. It has no data and no ledger. */
#ifndef DPNOISE_CLI_EXPLORE_EXPLORE_H
#define DPNOISE_CLI_EXPLORE_EXPLORE_H

#include <dpnoise/status.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Questions (question.c) ---- */

enum { QUESTION_WORDS = 64 };

/* A command line of the tool that a page may ask: one of a few commands, and of their options those that read and write no file. */
struct asked_words {
    const char *word[QUESTION_WORDS + 3]; /* the command, its words, --json and NULL */
    size_t words;
};

/* Begin with a command; add a word: --name=value or an operand.
 * Errors   DPN_EPARSE for what a page may not ask. */
dpn_status question_begin(struct asked_words *out, const char *command, dpn_error *why);
dpn_status question_add(struct asked_words *question, const char *word, dpn_error *why);

/* ---- Answers (answer.c) ---- */

/* Run the tool with these words in a process of its own, for at most ANSWER_SECONDS and while whoever asks, at the socket `asker`, is there. *out is the JSON that it prints, or
 * {"error": sentence}; free it.
 * Errors   DPN_EIO if it cannot be started or takes too long, DPN_ENOMEM. */
enum { ANSWER_SECONDS = 20 };
dpn_status answer_run(char **out, size_t *length, const struct asked_words *question, int asker, dpn_error *why);

/* ---- Guests (guests.c) ---- */

enum { GUESTS = 512, GUESTS_STAYING = 24 };

/* The connections of a server, each known by its socket. While GUESTS_STAYING are there, whoever comes takes the place of the one that has been idle for
 * longest: connected, but with no request that is being answered. Those that were sent away take a moment to leave, and need places until then. */
struct guests {
    pthread_mutex_t lock;
    struct guest {
        int socket;
        uint64_t since; /* when it came or asked last, counted by clock */
        bool asking, sent_away;
    } guest[GUESTS];
    size_t count;
    uint64_t clock;
};
void guest_comes(struct guests *guests, int socket);
void guest_asks(struct guests *guests, int socket, bool asking); /* its request is complete; it has its answer */
void guest_leaves(struct guests *guests, int socket);

/* ---- The server (server.c) ---- */

enum { TOKEN_SIZE = 33 };

struct server; /* answers GET on 127.0.0.1 */

/* Start at a port, 0: one that is free. Its port and its token, which every address begins with.
 * Errors   DPN_EUNSUPPORTED where libmicrohttpd is missing, DPN_EIO, DPN_EENTROPY, DPN_ENOMEM. */
dpn_status server_start(struct server **out, uint16_t port, dpn_error *why);
uint16_t server_port(const struct server *server);
const char *server_token(const struct server *server);
void server_stop(struct server *server);

/* What the page is made of (the build makes these of page.html, page.css and page.js). */
extern const char explore_html[], explore_css[], explore_js[];

#endif
