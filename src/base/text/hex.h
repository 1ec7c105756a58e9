/* Bytes in hexadecimal, with the letters a to f. */
#ifndef DPN_TEXT_HEX_H
#define DPN_TEXT_HEX_H

#include <stdbool.h>
#include <stddef.h>

/* Two digits a byte and a terminating zero: 2 count + 1 places. Returns out. */
char *dpn_hex_write(char *out, const unsigned char *bytes, size_t count);

/* Read back exactly count bytes. Returns whether it was that. */
bool dpn_hex_read(unsigned char *out, size_t count, const char *text, size_t length);

#endif
