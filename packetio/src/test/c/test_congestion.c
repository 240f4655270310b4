/* Setting a congestion control. Every Linux has "reno". */
#include "congestion.h"

#include <errno.h>

#include "check.h"
#include "loopback.h"

int main(void)
{
    struct pair pair = tcp_pair();
    char name[CONGESTION_NAME_BYTES];

    CHECK_EQUAL(congestion_set(pair.sender, "reno"), 0);
    CHECK_EQUAL(congestion_get(pair.sender, name), 0);
    CHECK_EQUAL(strcmp(name, "reno"), 0);
    CHECK_EQUAL(congestion_set(pair.sender, "nobody-has-this"), -ENOENT);
    CHECK_EQUAL(congestion_get(-1, name), -EBADF);
    close_pair(pair);
    return EXIT_SUCCESS;
}
