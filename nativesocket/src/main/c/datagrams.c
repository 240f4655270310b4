#include "datagrams.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "stamped_receive.h"

enum { CONTROL_BYTES = 128 };

int datagrams_send(int fd, const char *packets, size_t packet_bytes, int count)
{
	struct mmsghdr messages[MOST_DATAGRAMS];
	struct iovec parts[MOST_DATAGRAMS];
	int sent;

	if (count == 1) {
		ssize_t taken;

		do
			taken = send(fd, packets, packet_bytes, MSG_NOSIGNAL);
		while (taken < 0 && errno == EINTR);
		return taken < 0 ? -errno : 1;
	}
	for (int i = 0; i < count; i++) {
		parts[i] = (struct iovec){(char *)packets + (size_t)i * packet_bytes, packet_bytes};
		messages[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &parts[i], .msg_iovlen = 1}};
	}
	do
		sent = sendmmsg(fd, messages, (unsigned)count, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent < 0 ? -errno : sent;
}

static int receive_one(int fd, char *packets, size_t stride, int flags, struct datagram *told)
{
	ssize_t got;

	do
		got = recv(fd, packets, stride, flags);
	while (got < 0 && errno == EINTR);
	told[0] = (struct datagram){.bytes = got};
	return got < 0 ? -errno : 1;
}

static int receive_several(int fd, char *packets, size_t stride, int count, bool stamped, int flags,
			   struct datagram *told)
{
	struct mmsghdr messages[MOST_DATAGRAMS];
	struct iovec parts[MOST_DATAGRAMS];
	_Alignas(struct cmsghdr) char controls[MOST_DATAGRAMS][CONTROL_BYTES];
	int got;

	for (int i = 0; i < count; i++) {
		parts[i] = (struct iovec){packets + (size_t)i * stride, stride};
		messages[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &parts[i], .msg_iovlen = 1}};
		if (stamped) {
			messages[i].msg_hdr.msg_control = controls[i];
			messages[i].msg_hdr.msg_controllen = CONTROL_BYTES;
		}
	}
	do
		got = recvmmsg(fd, messages, (unsigned)count, flags | MSG_WAITFORONE, NULL);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	for (int i = 0; i < got; i++)
		told[i] = (struct datagram){
			.bytes = messages[i].msg_len,
			.kernel_ns = stamped ? stamped_receive_stamp_ns(&messages[i].msg_hdr) : 0,
		};
	return got;
}

int datagrams_receive(int fd, char *packets, size_t stride, int count, bool stamped, bool wait, struct datagram *told)
{
	int flags = wait ? 0 : MSG_DONTWAIT;
	int got = count == 1 && !stamped ? receive_one(fd, packets, stride, flags, told)
					 : receive_several(fd, packets, stride, count, stamped, flags, told);

	return got == -EAGAIN || got == -EWOULDBLOCK ? 0 : got;
}

int datagrams_end_send(int fd)
{
	return shutdown(fd, SHUT_WR) < 0 ? -errno : 0;
}
