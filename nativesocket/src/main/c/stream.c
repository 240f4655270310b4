#include "stream.h"

#include <errno.h>
#include <sys/socket.h>

ssize_t stream_send(int fd, const char *bytes, size_t count)
{
	ssize_t taken;

	do
		taken = send(fd, bytes, count, MSG_NOSIGNAL);
	while (taken < 0 && errno == EINTR);
	return taken < 0 ? -errno : taken;
}

ssize_t stream_receive(int fd, char *bytes, size_t room)
{
	ssize_t got;

	do
		got = recv(fd, bytes, room, 0);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}
