/* The file of the key. */
#define _DEFAULT_SOURCE /* getentropy, fchmod */
#include "ledger/key.h"

#include "base/error.h"
#include "base/text/buffer.h"
#include "base/text/hex.h"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_SIZE = 2 * DPN_KEY_SIZE + 1 };

static dpn_status check_mode(int file, const char *path, dpn_error *why) {
    struct stat stat;
    if (fstat(file, &stat) != 0 || !S_ISREG(stat.st_mode))
        return dpn_fail(why, DPN_EIO, "the key '%.80s' is not a regular file", path);
    if (stat.st_mode & (S_IRWXG | S_IRWXO))
        return dpn_fail(why, DPN_EIO, "the key '%.80s' is open to others than its owner; chmod 600 it, or make another",
                        path);
    if (stat.st_uid != geteuid() && stat.st_uid != 0 && geteuid() != 0)
        return dpn_fail(why, DPN_EIO, "the key '%.80s' belongs to somebody else", path);
    return DPN_OK;
}

static size_t read_some(int file, char *out, size_t size) {
    size_t length = 0;
    for (ssize_t got = 1; got > 0 && length<size; length += got> 0 ? (size_t)got : 0)
        got = read(file, out + length, size - length);
    return length;
}

dpn_status dpn_key_read(unsigned char key[DPN_KEY_SIZE], const char *path, dpn_error *why) {
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe of that name must not hold us */
    if (file < 0) return dpn_fail(why, DPN_EIO, "the key '%.80s' cannot be read", path);
    dpn_status status = check_mode(file, path, why);
    char text[FILE_SIZE + 1];
    if (!status) {
        size_t length = read_some(file, text, sizeof text);
        bool whole = length == FILE_SIZE && text[FILE_SIZE - 1] == '\n';
        if (!whole || !dpn_hex_read(key, DPN_KEY_SIZE, text, FILE_SIZE - 1)) {
            OPENSSL_cleanse(key, DPN_KEY_SIZE);
            status = dpn_fail(why, DPN_EIO, "'%.80s' is not the key of a ledger", path);
        }
        OPENSSL_cleanse(text, sizeof text);
    }
    close(file);
    return status;
}

bool dpn_sync_directory(const char *path) {
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    char *name = malloc(length + 2);
    if (!name) return false;
    memcpy(name, slash ? path : ".", slash ? length : 1);
    name[slash ? length : 1] = '\0';
    int directory = open(name, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    free(name);
    bool done = directory >= 0 && fsync(directory) == 0;
    if (directory >= 0) close(directory);
    return done;
}

/* A new file with a fresh key under a name that nobody knows, on the disk. */
static dpn_status write_draft(char *draft, const char *path, dpn_error *why) {
    unsigned char key[DPN_KEY_SIZE];
    if (getentropy(key, sizeof key) != 0)
        return dpn_fail(why, DPN_EENTROPY, "the kernel gives no random bits for the key");
    dpn_text text = {0};
    char hex[2 * sizeof key + 1];
    dpn_text_put(&text, dpn_hex_write(hex, key, sizeof key));
    OPENSSL_cleanse(hex, sizeof hex);
    dpn_text_put(&text, "\n");
    OPENSSL_cleanse(key, sizeof key);
    dpn_status status = text.failed ? dpn_fail(why, DPN_ENOMEM, "out of memory") : DPN_OK;
    int file = status ? -1 : mkstemp(draft);
    if (!status && file < 0) status = dpn_fail(why, DPN_EIO, "the key '%.80s' cannot be written", path);
    if (!status && (fchmod(file, S_IRUSR | S_IWUSR) != 0 || write(file, text.at, text.length) != (ssize_t)text.length ||
                    fsync(file) != 0)) {
        unlink(draft);
        status = dpn_fail(why, DPN_EIO, "the key '%.80s' cannot be written", path);
    }
    if (file >= 0) close(file);
    if (text.at) OPENSSL_cleanse(text.at, text.length);
    free(text.at);
    return status;
}

dpn_status dpn_key_make(const char *path, dpn_error *why) {
    struct stat stat;
    /* Somebody may have made it this very moment, and not got to make its name durable. */
    if (lstat(path, &stat) == 0)
        return dpn_sync_directory(path)
                   ? DPN_OK
                   : dpn_fail(why, DPN_EIO, "the directory of the key '%.80s' cannot be synchronised", path);
    static const char suffix[] = ".XXXXXX";
    char *draft = malloc(strlen(path) + sizeof suffix);
    if (!draft) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    memcpy(draft, path, strlen(path));
    memcpy(draft + strlen(path), suffix, sizeof suffix);
    dpn_status status = write_draft(draft, path, why);
    if (!status) {
        /* A link never replaces a file: of two processes that come here at once one wins, and both use its key. */
        bool linked = link(draft, path) == 0 || lstat(path, &stat) == 0;
        unlink(draft);
        if (!linked || !dpn_sync_directory(path))
            status = dpn_fail(why, DPN_EIO, "the key '%.80s' cannot be written", path);
    }
    free(draft);
    return status;
}
