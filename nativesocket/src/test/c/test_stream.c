/* Sending and receiving over a connection, and the end of a wait for room or for bytes. */
#include "stream.c"

#include <poll.h>
#include <pthread.h>

#include "check.h"
#include "datagrams.h"
#include "loopback.h"
#include "stamped_receive.h"

static void bytes_come_in_order_and_as_many_as_there_is_room_for(void)
{
	struct pair pair = tcp_pair();
	char bytes[16];

	CHECK_EQUAL(stream_send(pair.sender, "packet", 6), 6);
	CHECK_EQUAL(recv(pair.receiver, bytes, 6, MSG_PEEK | MSG_WAITALL), 6);
	CHECK_EQUAL(stream_receive(pair.receiver, bytes, 4), 4);
	CHECK_EQUAL(stream_receive(pair.receiver, bytes + 4, sizeof bytes - 4), 2);
	CHECK_EQUAL(memcmp(bytes, "packet", 6), 0);
	close_pair(pair);
}

static void the_end_of_a_stream_is_none(void)
{
	struct pair pair = tcp_pair();
	char bytes[16];

	CHECK_EQUAL(stream_send(pair.sender, "last", 4), 4);
	close(pair.sender);
	CHECK_EQUAL(stream_receive(pair.receiver, bytes, sizeof bytes), 4);
	CHECK_EQUAL(stream_receive(pair.receiver, bytes, sizeof bytes), 0);
	close(pair.receiver);
}

/* What was not read when the receiver went away makes the kernel reset the connection. */
static void a_receiver_that_is_gone_is_told_and_no_signal_ends_the_process(void)
{
	struct pair pair = tcp_pair();
	ssize_t sent;
	char bytes[1];

	CHECK_EQUAL(stream_send(pair.sender, "unread", 6), 6);
	CHECK_EQUAL(recv(pair.receiver, bytes, 1, MSG_PEEK), 1);
	close(pair.receiver);
	CHECK_EQUAL(stream_receive(pair.sender, bytes, 1), -ECONNRESET);
	do
		sent = stream_send(pair.sender, "packet", 6);
	while (sent > 0);
	CHECK_EQUAL(sent, -EPIPE);
	close(pair.sender);
}

static void *receive_in_thread(void *fd)
{
	char bytes[16];

	CHECK_EQUAL(stream_receive(*(int *)fd, bytes, sizeof bytes), 0);
	return NULL;
}

static void whoever_waits_for_bytes_can_be_woken(struct pair pair)
{
	pthread_t thread;

	CHECK_EQUAL(pthread_create(&thread, NULL, receive_in_thread, &pair.receiver), 0);
	CHECK_EQUAL(stamped_receive_end(pair.receiver), 0);
	CHECK_EQUAL(pthread_join(thread, NULL), 0);
	close_pair(pair);
}

static void *send_in_thread(void *fd)
{
	static const char bytes[1 << 20];
	ssize_t sent;

	do
		sent = stream_send(*(int *)fd, bytes, sizeof bytes);
	while (sent > 0);
	CHECK_EQUAL(sent, -EPIPE);
	return NULL;
}

static void whoever_waits_for_room_can_be_woken(void)
{
	struct pair pair = tcp_pair();
	struct pollfd room = {.fd = pair.sender, .events = POLLOUT};
	pthread_t thread;

	CHECK_EQUAL(pthread_create(&thread, NULL, send_in_thread, &pair.sender), 0);
	while (must(poll(&room, 1, 0), "poll") > 0)
		must(usleep(1000), "usleep");
	CHECK_EQUAL(datagrams_end_send(pair.sender), 0);
	CHECK_EQUAL(pthread_join(thread, NULL), 0);
	close_pair(pair);
}

static void what_is_no_socket_is_refused(void)
{
	char bytes[1] = {0};

	CHECK_EQUAL(stream_send(-1, bytes, sizeof bytes), -EBADF);
	CHECK_EQUAL(stream_receive(-1, bytes, sizeof bytes), -EBADF);
}

int main(void)
{
	bytes_come_in_order_and_as_many_as_there_is_room_for();
	the_end_of_a_stream_is_none();
	a_receiver_that_is_gone_is_told_and_no_signal_ends_the_process();
	whoever_waits_for_bytes_can_be_woken(udp_pair());
	whoever_waits_for_bytes_can_be_woken(tcp_pair());
	whoever_waits_for_room_can_be_woken();
	what_is_no_socket_is_refused();
	return EXIT_SUCCESS;
}
