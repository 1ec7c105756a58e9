/* Pictures through gnuplot. */
#define _POSIX_C_SOURCE 200809L
#include "kit/gnuplot.h"

#include "kit/fail.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXEC_FAILED = 127 };

/* Terminals by the end of the file's name, and the units of each in a point of the picture. */
static const struct terminal {
    const char *ending, *name, *look;
    double scale;
} terminals[] = {
    {".svg", "svg", "dynamic font 'Helvetica,Arial,sans-serif,13'", 1},
    {".png", "pngcairo", "font 'Sans,13' fontscale 1.5 linewidth 2 pointscale 2", 2},
    {".pdf", "pdfcairo", "font 'Sans,13' fontscale 0.75 linewidth 1.5", 1 / 96.0},
};

static const struct terminal *find_terminal(const char *file) {
    size_t length = strlen(file);
    for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++) {
        size_t ending = strlen(terminals[i].ending);
        if (length > ending && strcasecmp(file + length - ending, terminals[i].ending) == 0) return &terminals[i];
    }
    return NULL;
}

dpn_status gnuplot_check_name(const char *file, dpn_error *why) {
    if (find_terminal(file)) return DPN_OK;
    return refuse(why, DPN_EPARSE, "--plot: '%.80s' must end in .svg, .png or .pdf", file);
}

/* The new process: the script is its input, the picture its output. Personal settings are left out, and a locale cannot
 * change how numbers are read. */
static _Noreturn void become_gnuplot(int script, int picture, int complaints) {
    signal(SIGPIPE, SIG_DFL);
    setenv("LC_ALL", "C", 1);
    if (dup2(script, STDIN_FILENO) >= 0 && dup2(picture, STDOUT_FILENO) >= 0 && dup2(complaints, STDERR_FILENO) >= 0)
        execlp("gnuplot", "gnuplot", "--default-settings", "-", (char *)NULL);
    _exit(EXEC_FAILED);
}

static dpn_status start(struct gnuplot *gnuplot, dpn_error *why) {
    int ends[2] = {-1, -1};
    gnuplot->complaints = tmpfile();
    if (gnuplot->complaints && pipe(ends) == 0) {
        /* The script's end must not leak into gnuplot, or its input would never end. */
        fcntl(ends[1], F_SETFD, FD_CLOEXEC);
        gnuplot->script = fdopen(ends[1], "w");
        gnuplot->process = gnuplot->script ? fork() : -1;
        if (gnuplot->process == 0) become_gnuplot(ends[0], gnuplot->picture.descriptor, fileno(gnuplot->complaints));
        close(ends[0]);
        if (gnuplot->process > 0) return DPN_OK;
        if (gnuplot->script)
            fclose(gnuplot->script);
        else
            close(ends[1]);
    }
    dpn_status status = refuse(why, DPN_EIO, "--plot: gnuplot cannot be started: %s", strerror(errno));
    if (gnuplot->complaints) fclose(gnuplot->complaints);
    return status;
}

dpn_status gnuplot_open(struct gnuplot *out, const char *file, int width, int height, dpn_error *why) {
    struct gnuplot made = {0};
    dpn_status status = gnuplot_check_name(file, why);
    if (!status) status = draft_begin(&made.picture, "--plot", file, why);
    if (status) return status;
    status = start(&made, why);
    if (status) {
        draft_drop(&made.picture);
        return status;
    }
    /* If gnuplot ends early, writing to it must fail, not end us. */
    made.pipe_handler = signal(SIGPIPE, SIG_IGN);
    const struct terminal *terminal = find_terminal(file);
    fprintf(made.script, "set terminal %s size %g,%g enhanced rounded background '#ffffff' %s\n", terminal->name,
            width * terminal->scale, height * terminal->scale, terminal->look);
    *out = made;
    return DPN_OK;
}

/* The first line of gnuplot's complaints that says something: it starts with a word, not with the script it quotes. */
static void read_complaint(FILE *complaints, char *line, int size) {
    char text[160];
    line[0] = '\0';
    rewind(complaints);
    while (!line[0] && fgets(text, sizeof text, complaints)) {
        const char *s = text + strspn(text, " \t\n^");
        if (*s && strstr(text, "line ")) snprintf(line, (size_t)size, ": %.*s", (int)strcspn(s, "\n"), s);
    }
}

dpn_status gnuplot_close(struct gnuplot *gnuplot, dpn_error *why) {
    bool lost = ferror(gnuplot->script) != 0;
    if (fclose(gnuplot->script) != 0) lost = true;
    signal(SIGPIPE, gnuplot->pipe_handler);
    int ended = -1;
    while (waitpid(gnuplot->process, &ended, 0) < 0 && errno == EINTR) continue;

    dpn_status status;
    struct stat drawn;
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == EXEC_FAILED) {
        status = refuse(why, DPN_EIO, "--plot: gnuplot was not found; install it (on Debian: gnuplot-nox)");
    } else if (lost || ended != 0 || fstat(gnuplot->picture.descriptor, &drawn) != 0 || drawn.st_size == 0) {
        char complaint[120];
        read_complaint(gnuplot->complaints, complaint, sizeof complaint);
        status = refuse(why, DPN_EIO, "--plot: gnuplot failed%s", complaint);
    } else {
        fclose(gnuplot->complaints);
        return draft_publish(&gnuplot->picture, why);
    }
    fclose(gnuplot->complaints);
    draft_drop(&gnuplot->picture);
    return status;
}
