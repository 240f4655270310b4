#include "receiver.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "acceptor.h"
#include "address.h"
#include "arrivals.h"
#include "clocks.h"
#include "conversation.h"
#include "spin.h"
#include "worker.h"

enum { LEAST_READ_BYTES = 1 << 16, BACKLOG = 64, LOOK_INTERVAL_MS = 1 };

/* Longer than this between two looks, this process was stopped or had no CPU: that time does not count as quiet. */
#define LONGEST_LOOK_NS (5 * (int64_t)LOOK_INTERVAL_MS * NS_PER_MS)

struct receiver {
	const struct options *options;
	int listening; /* TCP's; of UDP, -1 */
	_Atomic int fd; /* what packets come from; -1 while TCP's sender has not connected */
	struct capture capture;
	struct arrivals arrivals;
	struct worker worker;
	char *buffer;
	size_t stride; /* of UDP, what a packet takes of the buffer */
	_Atomic int64_t cpu_before_ns;
	_Atomic int64_t cpu_now_ns; /* when packets were last seen to have come */
	struct mmsghdr messages[MAXIMUM_BATCH];
	struct iovec parts[MAXIMUM_BATCH];
};

static bool is_stopped(const struct receiver *receiver)
{
	return atomic_load_explicit(&receiver->worker.stopped, memory_order_relaxed);
}

/* How the next packets are waited for: they are looked for without sleeping for a while, then by sleeping. */
struct waiting {
	int64_t busy_poll_ns;
	int flags; /* for the call that receives */
	int64_t since_ns; /* when the first look found nothing; 0 before */
};

static struct waiting begin_to_wait(const struct receiver *receiver)
{
	int64_t busy_poll_ns = receiver->options->busy_poll_ns;

	return (struct waiting){.busy_poll_ns = busy_poll_ns, .flags = busy_poll_ns > 0 ? MSG_DONTWAIT : 0};
}

/* Whether the call that failed is to be made again: a signal came that was not to stop, or nothing is there yet. */
static bool is_to_repeat(const struct receiver *receiver, struct waiting *waiting)
{
	int error = errno;

	if (is_stopped(receiver))
		return false;
	if (error == EAGAIN && waiting->flags == MSG_DONTWAIT) {
		int64_t now_ns = monotonic_ns();

		if (waiting->since_ns == 0)
			waiting->since_ns = now_ns;
		if (now_ns - waiting->since_ns >= waiting->busy_poll_ns)
			waiting->flags = 0;
		else
			spin_wait();
		return true;
	}
	return error == EINTR;
}

/* Takes the CPU time when the first recorded packet has come. */
static void note_recording(struct receiver *receiver, bool *recording)
{
	if (!*recording && arrivals_read(&receiver->arrivals.received) > 0) {
		*recording = true;
		atomic_store(&receiver->cpu_before_ns, thread_cpu_ns());
	}
}

static void take_datagram(struct receiver *receiver, const char *bytes, size_t count, int64_t received_ns)
{
	if (count == receiver->options->packet_bytes)
		arrivals_packet(&receiver->arrivals, bytes, received_ns);
	else
		arrivals_count_foreign(&receiver->arrivals);
}

/* Returns 0 or -errno. */
static int take_one(struct receiver *receiver, int flags)
{
	ssize_t got = recv(receiver->fd, receiver->buffer, receiver->stride, flags);
	int64_t received_ns = realtime_ns();

	if (got < 0)
		return -errno;
	take_datagram(receiver, receiver->buffer, (size_t)got, received_ns);
	return 0;
}

/* Waits for one datagram, and takes what others are there by the same call. Returns 0 or -errno. */
static int take_several(struct receiver *receiver, int flags)
{
	int got = recvmmsg(receiver->fd, receiver->messages, (unsigned)receiver->options->batch, flags | MSG_WAITFORONE,
			   NULL);
	int64_t received_ns = realtime_ns();

	if (got < 0)
		return -errno;
	for (int i = 0; i < got; i++)
		take_datagram(receiver, receiver->parts[i].iov_base, receiver->messages[i].msg_len, received_ns);
	return 0;
}

static int receive_datagrams(struct receiver *receiver)
{
	struct waiting waiting = begin_to_wait(receiver);
	bool recording = false;

	for (int i = 0; i < receiver->options->batch; i++) {
		receiver->parts[i] = (struct iovec){receiver->buffer + (size_t)i * receiver->stride, receiver->stride};
		receiver->messages[i].msg_hdr = (struct msghdr){.msg_iov = &receiver->parts[i], .msg_iovlen = 1};
	}
	while (!is_stopped(receiver)) {
		int error = receiver->options->batch == 1 ? take_one(receiver, waiting.flags)
							  : take_several(receiver, waiting.flags);

		if (error == 0)
			waiting = begin_to_wait(receiver);
		else if (!is_to_repeat(receiver, &waiting))
			return error;
		note_recording(receiver, &recording);
	}
	return -EINTR;
}

/* Takes all whole packets out of the buffer. Returns how many bytes remain, or -EBADMSG. */
static ssize_t frame(struct receiver *receiver, size_t count, int64_t received_ns)
{
	size_t size = receiver->options->packet_bytes;
	size_t at = 0;

	for (; count - at >= size; at += size) {
		const char *packet = receiver->buffer + at;

		if (packet_tag(packet) != receiver->options->tag) {
			arrivals_count_foreign(&receiver->arrivals);
			return -EBADMSG;
		}
		arrivals_packet(&receiver->arrivals, packet, received_ns);
	}
	if (at > 0)
		memmove(receiver->buffer, receiver->buffer + at, count - at);
	return (ssize_t)(count - at);
}

static int receive_stream(struct receiver *receiver)
{
	struct waiting waiting = begin_to_wait(receiver);
	size_t room = receiver->stride;
	ssize_t count = PACKET_TAG_BYTES; /* the acceptor has read these bytes of the first packet */
	bool recording = false;

	packet_put(receiver->buffer, 0, receiver->options->tag);
	while (!is_stopped(receiver)) {
		ssize_t got = recv(receiver->fd, receiver->buffer + count, room - (size_t)count, waiting.flags);
		int64_t received_ns = realtime_ns();

		if (got == 0)
			return 0;
		if (got < 0 && !is_to_repeat(receiver, &waiting))
			return -errno;
		if (got > 0) {
			waiting = begin_to_wait(receiver);
			count = frame(receiver, (size_t)(count + got), received_ns);
		}
		if (count < 0)
			return (int)count;
		note_recording(receiver, &recording);
	}
	return -EINTR;
}

static int accept_and_receive(struct receiver *receiver)
{
	int fd = acceptor_accept(receiver->listening, &receiver->arrivals, &receiver->worker.stopped);

	if (fd < 0)
		return fd;
	atomic_store(&receiver->fd, fd);
	return receive_stream(receiver);
}

static void receive_all(void *of)
{
	struct receiver *receiver = of;
	const struct options *options = receiver->options;
	int error = options->is_stream ? accept_and_receive(receiver) : receive_datagrams(receiver);

	if (error == -EBADMSG)
		say("failed Receiving over TCP on %s failed: The TCP stream from the sender is corrupt: after %" PRId64
		    " packets of %zu bytes the next does not begin with the run's tag.",
		    options->host,
		    arrivals_read(&receiver->arrivals.received) + arrivals_read(&receiver->arrivals.warm_up_received),
		    options->packet_bytes);
	else if (error != 0 && error != -EINTR)
		say("failed Receiving %s on %s failed: %s", options->is_stream ? "over TCP" : "UDP", options->host,
		    strerror(-error));
}

static void say_counts(const struct arrivals *arrivals)
{
	say("counts %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64,
	    arrivals_read(&arrivals->received), arrivals_read(&arrivals->distinct),
	    arrivals_read(&arrivals->duplicated), arrivals_read(&arrivals->reordered),
	    arrivals_read(&arrivals->foreign), arrivals_read(&arrivals->unrecorded),
	    arrivals_read(&arrivals->warm_up_received));
}

static int say_facts(const struct receiver *receiver)
{
	int connected = atomic_load(&receiver->fd);
	int fd = connected < 0 ? receiver->listening : connected;
	int granted = buffer_granted(fd, SO_RCVBUF);
	int error = granted < 0 ? granted : say_address("localAddress", fd, false);

	if (error == 0)
		say("fact receiveBufferBytes %d", granted);
	if (error == 0 && receiver->options->is_stream && connected >= 0)
		(void)say_address("remoteAddress", fd, true); /* a sender that is gone has none */
	return error;
}

/* The worker's thread is there as long as this is. */
static void look_at_cpu(struct receiver *receiver)
{
	clockid_t clock;

	if (pthread_getcpuclockid(receiver->worker.thread, &clock) == 0)
		atomic_store(&receiver->cpu_now_ns, clock_ns(clock));
}

static void drain(struct receiver *receiver, int64_t quiet_ms)
{
	const struct arrivals *arrivals = &receiver->arrivals;
	int64_t before = -1;
	int64_t quiet_ns = 0;
	int64_t last_ns = monotonic_ns();

	while (!arrivals_complete(arrivals) && worker_is_working(&receiver->worker)) {
		int64_t now_ns = monotonic_ns();
		int64_t passed_ns = now_ns - last_ns;
		int64_t received = arrivals_read(&arrivals->received);

		quiet_ns += passed_ns < LONGEST_LOOK_NS ? passed_ns : LONGEST_LOOK_NS;
		last_ns = now_ns;
		if (received != before) {
			before = received;
			quiet_ns = 0;
			look_at_cpu(receiver);
		} else if (quiet_ns >= quiet_ms * NS_PER_MS) {
			break;
		}
		if (hears_within_ms(LOOK_INTERVAL_MS))
			return; /* the end: nobody has another order before this one is carried out */
	}
	if (arrivals_complete(arrivals))
		look_at_cpu(receiver);
	if (arrivals_read(&arrivals->received) > 0)
		say("fact packetThreadCpuNs %" PRId64,
		    atomic_load(&receiver->cpu_now_ns) - atomic_load(&receiver->cpu_before_ns));
	(void)say_facts(receiver); /* what was said before stays */
	say("drained");
}

static void listen_to_orders(struct receiver *receiver)
{
	char order[LONGEST_ORDER];
	int64_t quiet_ms;

	while (hear(order)) {
		if (strcmp(order, "counts") == 0)
			say_counts(&receiver->arrivals);
		else if (sscanf(order, "drain %" SCNd64, &quiet_ms) == 1)
			drain(receiver, quiet_ms);
		else
			say("failed The order \"%s\" is none.", order);
	}
}

/* Returns 0 or -errno. */
static int open_socket(struct receiver *receiver)
{
	struct address address;
	int error = address_read(&address, receiver->options);
	int fd;

	if (error != 0)
		return error;
	fd = address_socket(&address, receiver->options);
	if (fd < 0)
		return fd;
	error = buffer_request(fd, SO_RCVBUF, receiver->options->receive_buffer);
	if (error == 0 && bind(fd, (const struct sockaddr *)&address.bytes, address.length) < 0)
		error = -errno;
	if (error == 0 && receiver->options->is_stream && listen(fd, BACKLOG) < 0)
		error = -errno;
	receiver->listening = receiver->options->is_stream ? fd : -1;
	atomic_store(&receiver->fd, receiver->options->is_stream ? -1 : fd);
	if (error != 0)
		(void)close(fd);
	return error;
}

static void close_sockets(struct receiver *receiver)
{
	if (receiver->listening >= 0)
		(void)close(receiver->listening);
	if (atomic_load(&receiver->fd) >= 0)
		(void)close(receiver->fd);
}

static int serve(struct receiver *receiver)
{
	int error = worker_make(&receiver->worker, receive_all, receiver);

	if (error != 0) {
		say("failed No thread can be made to receive: %s.", strerror(-error));
		return EXIT_FAILURE;
	}
	error = say_facts(receiver);
	if (error == 0)
		error = say_port(receiver->options->is_stream ? receiver->listening : receiver->fd);
	if (error != 0) {
		say("failed The kernel does not tell of the socket: %s.", strerror(-error));
	} else {
		worker_begin(&receiver->worker);
		say("ready %d", receiver->worker.tid);
		listen_to_orders(receiver);
	}
	worker_end(&receiver->worker);
	return error == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int with_socket(struct receiver *receiver)
{
	int result;
	int error = open_socket(receiver);

	if (error != 0) {
		if (receiver->options->is_stream)
			say("failed Cannot listen for TCP connections on %s: %s. Is it an address of this machine?",
			    receiver->options->host, strerror(-error));
		else
			say("failed Cannot receive UDP on %s: %s. Is it an address of this machine?",
			    receiver->options->host, strerror(-error));
		return EXIT_FAILURE;
	}
	result = serve(receiver);
	close_sockets(receiver);
	return result;
}

/* A datagram's room is one byte longer than a packet, so that a longer one does not look like one. */
static size_t stride(const struct options *options)
{
	size_t bytes = options->packet_bytes;

	if (options->is_stream)
		return bytes > LEAST_READ_BYTES ? bytes : LEAST_READ_BYTES;
	return (bytes + 1 + 63) / 64 * 64;
}

static int with_memory(struct receiver *receiver)
{
	const struct options *options = receiver->options;
	int result = EXIT_FAILURE;
	int error;

	receiver->stride = stride(options);
	receiver->buffer = calloc((size_t)(options->is_stream ? 1 : options->batch), receiver->stride);
	error = arrivals_make(&receiver->arrivals, options->tag, options->packets, options->warm_up_packets,
			      &receiver->capture);
	if (receiver->buffer == NULL || error != 0)
		say("failed There is no memory to count %" PRId64 " packets.", options->packets);
	else
		result = with_socket(receiver);
	arrivals_free(&receiver->arrivals);
	free(receiver->buffer);
	return result;
}

int receiver_main(const struct options *options)
{
	static struct receiver receiver; /* large, and there is one */
	int result;
	int error = capture_open(&receiver.capture, options->capture, RECEIVER_FIELDS);

	if (error != 0) {
		say("failed The capture %s cannot be written: %s.", options->capture, strerror(-error));
		return EXIT_FAILURE;
	}
	receiver.options = options;
	result = with_memory(&receiver);
	capture_close(&receiver.capture);
	return result;
}
