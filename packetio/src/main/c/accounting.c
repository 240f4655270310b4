#include "accounting.h"

#include <errno.h>
#include <stdlib.h>

int accounting_make(struct accounting *accounting, uint64_t tag, int64_t packets,
                    int64_t warm_up_packets, struct capture *capture)
{
    *accounting = (struct accounting){
        .tag = tag, .packets = packets, .warm_up_packets = warm_up_packets, .capture = capture};
    accounting->seen = calloc((size_t)((packets + 63) / 64), sizeof *accounting->seen);
    return accounting->seen == NULL ? -ENOMEM : 0;
}

void accounting_free(struct accounting *accounting)
{
    free(accounting->seen);
    accounting->seen = NULL;
}
