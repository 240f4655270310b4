#include "bandwidth.h"

#define HEADER_AND_CRC_QUADLETS 3
#define UNITS_PER_QUADLET_AT_S100 16

unsigned int bandwidth_units(unsigned int payload_bytes, unsigned int speed)
{
    unsigned int quadlets = HEADER_AND_CRC_QUADLETS + (payload_bytes + 3) / 4;
    unsigned int divisor = 1U << speed;
    return BANDWIDTH_OVERHEAD_UNITS +
           (quadlets * UNITS_PER_QUADLET_AT_S100 + divisor - 1) / divisor;
}
