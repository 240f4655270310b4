#include "packet_error.h"

#include <errno.h>

static const struct {
    int error;
    int is_reported;
    const char *name;
} ERRORS[] = {
#define ERROR(name, is_reported) {name, is_reported, #name},
    PACKET_ERRORS(ERROR)
#undef ERROR
};

int packet_error_index(int error)
{
    for (int i = 0; i < PACKET_ERROR_COUNT; i++)
        if (ERRORS[i].error == error)
            return i;
    return -1;
}

int packet_error_is_reported(int index)
{
    return ERRORS[index].is_reported;
}

const char *packet_error_name(int index)
{
    return ERRORS[index].name;
}
