/* SipHash-2-4 of libcrypto, for tests: slow, and not ours. */
#ifndef TESTS_UNIT_RELEASE_SIPHASH_H
#define TESTS_UNIT_RELEASE_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t siphash(const uint64_t key[2], const void *bytes, size_t length);

#endif
