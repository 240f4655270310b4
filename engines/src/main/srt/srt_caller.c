#include "srt_caller.h"

#include <stdbool.h>

#include "address.h"
#include "protocol.h"
#include "srt_connection.h"

/* The passphrase identifies an encrypted connection. */
static bool set_tag(SRTSOCKET socket, const struct options *options)
{
    char tag[OPTIONS_TAG_CHARACTERS + 1];

    options_tag_text(options, tag);
    return srt_connection_is_encrypted() ||
           srt_setsockflag(socket, SRTO_STREAMID, tag, OPTIONS_TAG_CHARACTERS) != SRT_ERROR;
}

static const char *refusal(SRTSOCKET socket)
{
    return srt_getlasterror(NULL) == SRT_ECONNREJ
               ? srt_rejectreason_str(srt_getrejectreason(socket))
               : srt_getlasterror_str();
}

SRTSOCKET srt_caller_connect(const struct options *options, const char *whose, const char *host,
                             const char *port)
{
    struct address address;
    char text[ADDRESS_TEXT_BYTES];
    SRTSOCKET socket = srt_connection_open(options);

    if (socket == SRT_INVALID_SOCK || !set_tag(socket, options)) {
        print_status("failed Cannot open an SRT socket: %s.", srt_getlasterror_str());
        return SRT_INVALID_SOCK;
    }
    if (address_read(&address, host, port) != 0) {
        print_status("failed %s is not a numeric address.", host);
        return SRT_INVALID_SOCK;
    }
    if (srt_connect(socket, (const struct sockaddr *)&address.bytes, (int)address.length) !=
        SRT_ERROR)
        return socket;
    address_format(text, host, port);
    print_status("failed Cannot connect to the %s's SRT port %s: %s. Does a firewall block UDP to "
                 "it?",
                 whose, text, refusal(socket));
    return SRT_INVALID_SOCK;
}
