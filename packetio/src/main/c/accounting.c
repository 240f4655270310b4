#include "accounting.h"

#include <errno.h>
#include <stdlib.h>

int accounting_make(struct accounting *accounting, uint64_t tag, int64_t packets,
                    int64_t warm_up_packets, int64_t lead_out_packets, struct capture *capture)
{
    *accounting = (struct accounting){.tag = tag,
                                      .packets = packets,
                                      .warm_up_packets = warm_up_packets,
                                      .least_sequence = -warm_up_packets - lead_out_packets,
                                      .next_place = -warm_up_packets,
                                      .awaited = INT64_MIN,
                                      .capture = capture};
    if (capture->capacity > packets)
        accounting->room_for_copies = capture->capacity - packets;
    accounting->seen = calloc((size_t)((packets + 63) / 64), sizeof *accounting->seen);
    return accounting->seen == NULL ? -ENOMEM : 0;
}

void accounting_free(struct accounting *accounting)
{
    free(accounting->seen);
    accounting->seen = NULL;
}
