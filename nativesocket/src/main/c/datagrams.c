#include "datagrams.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "clocks.h"
#include "packet_layout.h"
#include "spin.h"
#include "stamped_receive.h"

enum { CONTROL_BYTES = 128 };

/* Returns 0 or -errno. */
static int send_one(int fd, char *packet, size_t packet_bytes, struct send_stamps *stamps)
{
	ssize_t sent;

	do {
		stamps->sent_ns = realtime_ns();
		packet_put_sent_ns(packet, stamps->sent_ns);
		sent = send(fd, packet, packet_bytes, MSG_NOSIGNAL);
	} while (sent < 0 && errno == EINTR);
	if (sent < 0)
		return -errno;
	stamps->returned_ns = realtime_ns();
	return 0;
}

int datagrams_send_each(int fd, char *packets, size_t packet_bytes, int count, struct send_stamps *stamps, int *failure)
{
	for (int sent = 0; sent < count; sent++) {
		*failure = send_one(fd, packets + (size_t)sent * packet_bytes, packet_bytes, &stamps[sent]);
		if (*failure != 0)
			return sent;
	}
	*failure = 0;
	return count;
}

int datagrams_send_together(int fd, char *packets, size_t packet_bytes, int count, struct send_stamps *stamps)
{
	struct mmsghdr messages[MOST_DATAGRAMS];
	struct iovec parts[MOST_DATAGRAMS];
	int sent;

	for (int i = 0; i < count; i++) {
		parts[i] = (struct iovec){packets + (size_t)i * packet_bytes, packet_bytes};
		messages[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &parts[i], .msg_iovlen = 1}};
	}
	do {
		stamps->sent_ns = realtime_ns();
		for (int i = 0; i < count; i++)
			packet_put_sent_ns(packets + (size_t)i * packet_bytes, stamps->sent_ns);
		sent = sendmmsg(fd, messages, (unsigned)count, MSG_NOSIGNAL);
	} while (sent < 0 && errno == EINTR);
	if (sent < 0)
		return -errno;
	stamps->returned_ns = realtime_ns();
	return sent;
}

/* Returns 1 or -errno. */
static int receive_one(int fd, char *packets, size_t stride, int flags, struct datagrams *told)
{
	ssize_t got = recv(fd, packets, stride, flags);

	if (got < 0)
		return -errno;
	told->received_ns = realtime_ns();
	told->each[0] = (struct datagram){.bytes = got};
	return 1;
}

/* Returns how many or -errno. */
static int receive_several(int fd, char *packets, size_t stride, int count, bool stamped, int flags,
			   struct datagrams *told)
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
	got = recvmmsg(fd, messages, (unsigned)count, flags | MSG_WAITFORONE, NULL);
	if (got < 0)
		return -errno;
	told->received_ns = realtime_ns();
	for (int i = 0; i < got; i++)
		told->each[i] = (struct datagram){
			.bytes = messages[i].msg_len,
			.kernel_ns = stamped ? stamped_receive_stamp_ns(&messages[i].msg_hdr) : 0,
		};
	return got;
}

static int receive_some(int fd, char *packets, size_t stride, int count, bool stamped, int flags,
			struct datagrams *told)
{
	int got;

	do
		got = count == 1 && !stamped ? receive_one(fd, packets, stride, flags, told)
					     : receive_several(fd, packets, stride, count, stamped, flags, told);
	while (got == -EINTR);
	return got;
}

int datagrams_receive(const struct descriptor *descriptor, char *packets, size_t stride, int count, bool stamped,
		      int64_t busy_poll_ns, struct datagrams *told)
{
	int64_t begin_ns = 0;
	int got;

	if (busy_poll_ns == 0)
		return receive_some(descriptor->fd, packets, stride, count, stamped, 0, told);
	for (;;) {
		got = receive_some(descriptor->fd, packets, stride, count, stamped, MSG_DONTWAIT, told);
		if (got != -EAGAIN || descriptor_is_ended(descriptor))
			return got;
		if (begin_ns == 0)
			begin_ns = monotonic_ns();
		else if (monotonic_ns() - begin_ns >= busy_poll_ns)
			return receive_some(descriptor->fd, packets, stride, count, stamped, 0, told);
		spin_wait();
	}
}
