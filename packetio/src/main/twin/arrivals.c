#include "arrivals.h"

#include <errno.h>
#include <stdlib.h>

int arrivals_make(struct arrivals *arrivals, uint64_t tag, int64_t packets, int64_t warm_up_packets,
                  struct capture *capture)
{
    *arrivals = (struct arrivals){
        .tag = tag, .packets = packets, .warm_up_packets = warm_up_packets, .capture = capture};
    arrivals->seen = calloc((size_t)((packets + 63) / 64), sizeof *arrivals->seen);
    return arrivals->seen == NULL ? -ENOMEM : 0;
}

void arrivals_free(struct arrivals *arrivals)
{
    free(arrivals->seen);
    arrivals->seen = NULL;
}
