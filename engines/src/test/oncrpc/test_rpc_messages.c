/* Numbers of the program, and packets as opaque data of RFC 4506, section 4.10. */
#include "rpc_messages.h"

#include <string.h>

#include "check.h"

static char encoded[32];

static u_int encode(struct rpc_packet packet)
{
    XDR xdr;

    memset(encoded, 0x55, sizeof encoded);
    xdrmem_create(&xdr, encoded, sizeof encoded, XDR_ENCODE);
    CHECK(rpc_xdr_packet(&xdr, &packet));
    return xdr_getpos(&xdr);
}

TEST(numbers_are_of_the_range_for_users)
{
    CHECK_EQUAL(rpc_program(UINT64_C(0xffffffff12345678)), 0x3fffffff);
    CHECK_EQUAL(rpc_version(UINT64_C(0xffffffff12345678)), 0x12345678);
    CHECK_EQUAL(rpc_program(UINT64_C(0x00000001fedcba98)), 0x20000001);
    CHECK_EQUAL(rpc_version(UINT64_C(0x00000001fedcba98)), 0xfedcba98);
}

TEST(packet_has_its_count_and_is_padded)
{
    static const char expected[] = {0, 0, 0, 5, 'h', 'e', 'l', 'l', 'o', 0, 0, 0};

    CHECK_EQUAL(encode((struct rpc_packet){"hello", 5, 5}), sizeof expected);
    CHECK_EQUAL(memcmp(encoded, expected, sizeof expected), 0);
}

TEST(decodes_into_the_buffer)
{
    char bytes[8] = "";
    struct rpc_packet packet = {bytes, 0, sizeof bytes};
    XDR xdr;

    (void)encode((struct rpc_packet){"hello", 5, 5});
    xdrmem_create(&xdr, encoded, sizeof encoded, XDR_DECODE);
    CHECK(rpc_xdr_packet(&xdr, &packet));
    CHECK_EQUAL(packet.count, 5);
    CHECK(packet.bytes == bytes);
    CHECK_EQUAL(memcmp(bytes, "hello", 5), 0);
}

TEST(refuses_more_bytes_than_the_maximum)
{
    char bytes[4];
    struct rpc_packet packet = {bytes, 0, sizeof bytes};
    XDR xdr;

    (void)encode((struct rpc_packet){"hello", 5, 5});
    xdrmem_create(&xdr, encoded, sizeof encoded, XDR_DECODE);
    CHECK(!rpc_xdr_packet(&xdr, &packet));
}

TEST_MAIN
