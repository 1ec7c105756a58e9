/* A thread that shows how long the others have worked. */
#define _POSIX_C_SOURCE 200809L
#include "kit/waiting.h"

#include <signal.h>
#include <time.h>

static struct timespec soon(void) {
    enum { TENTH = 100000000, SECOND = 1000000000 };
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += TENTH;
    if (time.tv_nsec >= SECOND) time.tv_sec++, time.tv_nsec -= SECOND;
    return time;
}

static void *watch(void *context) {
    struct waiting *waiting = context;
    pthread_mutex_lock(&waiting->mutex);
    while (!waiting->over) {
        struct timespec time = soon();
        pthread_cond_timedwait(&waiting->end, &waiting->mutex, &time);
        if (!waiting->over) progress_seconds(&waiting->progress);
    }
    pthread_mutex_unlock(&waiting->mutex);
    return NULL;
}

void waiting_start(struct waiting *waiting, const char *what) {
    *waiting = (struct waiting){.progress = progress_start(what, 1)};
    if (!waiting->progress.terminal) return;
    pthread_mutex_init(&waiting->mutex, NULL);
    pthread_cond_init(&waiting->end, NULL);
    sigset_t all, before; /* signals are for the thread that works */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    waiting->begun = pthread_create(&waiting->thread, NULL, watch, waiting) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void waiting_end(struct waiting *waiting) {
    if (!waiting->begun) return;
    pthread_mutex_lock(&waiting->mutex);
    waiting->over = true;
    pthread_cond_signal(&waiting->end);
    pthread_mutex_unlock(&waiting->mutex);
    pthread_join(waiting->thread, NULL);
    pthread_cond_destroy(&waiting->end);
    pthread_mutex_destroy(&waiting->mutex);
    waiting->begun = false;
    progress_end(&waiting->progress);
}
