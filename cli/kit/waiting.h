/* A line on standard error for work that does not tell how far it is: what is done, and for how long. It appears after two seconds,
 * on a terminal only, and leaves no trace. Nothing may be printed before it has ended. */
#ifndef DPNOISE_CLI_KIT_WAITING_H
#define DPNOISE_CLI_KIT_WAITING_H

#include "kit/progress.h"

#include <pthread.h>

struct waiting {
    bool begun, over;
    struct progress progress;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t end;
};

/* Begin, with what is done, as "hull". Where there is no terminal or no thread, nothing happens. */
void waiting_start(struct waiting *waiting, const char *what);
void waiting_end(struct waiting *waiting);

#endif
