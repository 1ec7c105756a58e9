/* Who is connected. A guest who has not asked yet makes room for the next one, so that half a request, however many times it is sent, keeps nobody out. */
#define _POSIX_C_SOURCE 200809L
#include "explore/explore.h"

#include <sys/socket.h>

/* The oldest guest that is not being answered, NULL if all are. */
static struct guest *oldest_idle(struct guests *guests) {
    struct guest *found = NULL;
    for (size_t i = 0; i < guests->count; i++) {
        struct guest *guest = &guests->guest[i];
        if (!guest->asking && !guest->sent_away && (!found || guest->since < found->since)) found = guest;
    }
    return found;
}

static size_t staying(const struct guests *guests) {
    size_t count = 0;
    for (size_t i = 0; i < guests->count; i++) count += !guests->guest[i].sent_away;
    return count;
}

static struct guest *find(struct guests *guests, int socket) {
    for (size_t i = 0; i < guests->count; i++)
        if (guests->guest[i].socket == socket) return &guests->guest[i];
    return NULL;
}

void guest_comes(struct guests *guests, int socket) {
    pthread_mutex_lock(&guests->lock);
    if (staying(guests) >= GUESTS_STAYING) {
        struct guest *oldest = oldest_idle(guests);
        if (oldest) {
            oldest->sent_away = true;
            shutdown(oldest->socket, SHUT_RDWR); /* its thread then sees the end of the request, and closes */
        }
    }
    if (guests->count < GUESTS)
        guests->guest[guests->count++] = (struct guest){.socket = socket, .since = ++guests->clock};
    pthread_mutex_unlock(&guests->lock);
}

void guest_asks(struct guests *guests, int socket, bool asking) {
    pthread_mutex_lock(&guests->lock);
    struct guest *guest = find(guests, socket);
    if (guest) {
        guest->asking = asking;
        guest->since = ++guests->clock;
    }
    pthread_mutex_unlock(&guests->lock);
}

void guest_leaves(struct guests *guests, int socket) {
    pthread_mutex_lock(&guests->lock);
    struct guest *guest = find(guests, socket);
    if (guest) *guest = guests->guest[--guests->count];
    pthread_mutex_unlock(&guests->lock);
}
