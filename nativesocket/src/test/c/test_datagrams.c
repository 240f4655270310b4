/* Several datagrams a call, or one, with their stamps. */
#include "datagrams.c"

#include <pthread.h>

#include "check.h"
#include "interruption.h"
#include "loopback.h"

enum { STRIDE = 64, PACKET_BYTES = 25, SECOND_NS = 1000000000 };

/* What is told of as many as a test receives by one call. */
struct told {
	struct datagrams all;
	struct datagram each[MOST_DATAGRAMS];
};

static void make_packets(char *packets, int count)
{
	for (int i = 0; i < count; i++) {
		memset(packets + i * PACKET_BYTES, 0, PACKET_BYTES);
		packet_put_identity(packets + i * PACKET_BYTES, 7, i);
		packets[i * PACKET_BYTES + PACKET_HEADER_BYTES] = (char)('a' + i);
	}
}

/* With 4 stamps: by one call, its own four times. */
static void send_four(int fd, char *packets, bool together, struct send_stamps *stamps)
{
	int failure;

	if (together) {
		CHECK_EQUAL(datagrams_send_together(fd, packets, PACKET_BYTES, 4, stamps), 4);
		stamps[1] = stamps[2] = stamps[3] = stamps[0];
	} else {
		CHECK_EQUAL(datagrams_send_each(fd, packets, PACKET_BYTES, 4, stamps, &failure), 4);
		CHECK_EQUAL(failure, 0);
		for (int i = 1; i < 4; i++)
			CHECK_EQUAL(stamps[i - 1].returned_ns <= stamps[i].sent_ns, 1);
	}
}

static void as_many_come_as_were_sent_each_in_its_place(bool together, int batch, int64_t busy_poll_ns)
{
	struct pair pair = udp_pair();
	struct descriptor receiver = {.fd = pair.receiver};
	struct told told = {0};
	struct send_stamps stamps[4];
	char packets[4 * PACKET_BYTES];
	char bytes[4 * STRIDE];
	int64_t begin = realtime_ns(), returned;
	int sequence = 0;

	make_packets(packets, 4);
	send_four(pair.sender, packets, together, stamps);
	returned = realtime_ns();
	for (int i = 0; i < 4; i++)
		CHECK_EQUAL(begin <= stamps[i].sent_ns && stamps[i].sent_ns <= stamps[i].returned_ns &&
				    stamps[i].returned_ns <= returned,
			    1);
	while (sequence < 4) {
		int room = batch < 4 - sequence ? batch : 4 - sequence;
		int count = datagrams_receive(&receiver, bytes, STRIDE, room, false, busy_poll_ns, &told.all);

		CHECK_EQUAL(count >= 1 && count <= room, 1);
		CHECK_EQUAL(returned <= told.all.received_ns && told.all.received_ns <= realtime_ns(), 1);
		for (int i = 0; i < count; i++, sequence++) {
			const char *packet = bytes + i * STRIDE;

			CHECK_EQUAL(told.all.each[i].bytes, PACKET_BYTES);
			CHECK_EQUAL(told.all.each[i].kernel_ns, 0);
			CHECK_EQUAL(packet_tag(packet), 7);
			CHECK_EQUAL(packet_sequence(packet), sequence);
			CHECK_EQUAL(packet_sent_ns(packet), stamps[sequence].sent_ns);
			CHECK_EQUAL(packet[PACKET_HEADER_BYTES], 'a' + sequence);
		}
	}
	close_pair(pair);
}

static void a_longer_one_is_cut_off_and_an_empty_one_is_one(int batch)
{
	struct pair pair = udp_pair();
	struct descriptor receiver = {.fd = pair.receiver};
	struct told told;
	char bytes[4 * STRIDE];
	int64_t sizes[2];

	must((int)send(pair.sender, (char[STRIDE + 1]){0}, STRIDE + 1, 0), "send");
	must((int)send(pair.sender, "", 0, 0), "send");
	for (int got = 0; got < 2;) {
		int count = datagrams_receive(&receiver, bytes, STRIDE, batch, false, 0, &told.all);

		for (int i = 0; i < count; i++)
			sizes[got++] = told.all.each[i].bytes;
	}
	CHECK_EQUAL(sizes[0], STRIDE);
	CHECK_EQUAL(sizes[1], 0);
	close_pair(pair);
}

static void send_alone(int fd, char *packet, struct send_stamps *stamps)
{
	int failure;

	CHECK_EQUAL(datagrams_send_each(fd, packet, PACKET_BYTES, 1, stamps, &failure), 1);
	CHECK_EQUAL(failure, 0);
}

/* The second is sent after the first has come, so that the stamp of the one would not do for the other. */
static void each_has_the_stamp_of_its_own_coming(void)
{
	struct pair pair = udp_pair();
	struct descriptor receiver = {.fd = pair.receiver};
	struct told told = {0};
	struct send_stamps stamps[2];
	char packet[PACKET_BYTES] = {0}, bytes[2 * STRIDE];
	int64_t kernel_ns[2];

	CHECK_EQUAL(stamped_receive_enable(pair.receiver), 0);
	do { /* the kernel begins to stamp a moment after the first socket wants it to */
		send_alone(pair.sender, packet, &stamps[0]);
		must((int)recv(pair.receiver, bytes, 1, MSG_PEEK), "recv");
		send_alone(pair.sender, packet, &stamps[1]);
		for (int got = 0; got < 2;) {
			int count = datagrams_receive(&receiver, bytes, STRIDE, 2 - got, true, 0, &told.all);

			for (int i = 0; i < count; i++)
				kernel_ns[got++] = told.all.each[i].kernel_ns;
		}
	} while (kernel_ns[0] == 0 || kernel_ns[1] == 0);
	CHECK_EQUAL(stamps[0].sent_ns <= kernel_ns[0] && kernel_ns[0] <= stamps[1].sent_ns, 1);
	CHECK_EQUAL(stamps[1].sent_ns <= kernel_ns[1] && kernel_ns[1] <= told.all.received_ns, 1);
	close_pair(pair);
}

/* Linux forgets the refusal of a datagram that is not the first of its call, so that it is told of the next that is. */
static void that_nobody_receives_is_told_of_several_together(void)
{
	struct pair pair = udp_pair();
	struct send_stamps stamps;
	char packets[4 * PACKET_BYTES];
	int result = 1;

	make_packets(packets, 4);
	close(pair.receiver);
	for (int left = 4; result > 0; left = left > result ? left - result : 4)
		result = datagrams_send_together(pair.sender, packets, PACKET_BYTES, left, &stamps);
	CHECK_EQUAL(result, -ECONNREFUSED);
	close(pair.sender);
}

/* Linux tells a refusal once, to the call that comes next: the second, as the first one's packet is refused while it is sent. */
static void a_failure_after_others_were_sent_is_told_with_them(void)
{
	struct pair pair = udp_pair();
	struct send_stamps stamps[4];
	char packets[4 * PACKET_BYTES];
	int failure = 0, sent;

	make_packets(packets, 4);
	close(pair.receiver);
	do
		sent = datagrams_send_each(pair.sender, packets, PACKET_BYTES, 4, stamps, &failure);
	while (failure == 0);
	CHECK_EQUAL(failure, -ECONNREFUSED);
	CHECK_EQUAL(sent >= 0 && sent < 4, 1);
	CHECK_EQUAL(sent == 0 || stamps[sent - 1].returned_ns >= stamps[0].sent_ns, 1);
	close(pair.sender);
}

struct waiting {
	int fd;
	int batch;
	int64_t busy_poll_ns;
	_Atomic int is_done;
};

static void *receive_in_thread(void *argument)
{
	struct waiting *waiting = argument;
	struct descriptor receiver = {.fd = waiting->fd};
	struct told told = {0};
	char bytes[4 * STRIDE];

	CHECK_EQUAL(datagrams_receive(&receiver, bytes, STRIDE, waiting->batch, false, waiting->busy_poll_ns, &told.all), 1);
	CHECK_EQUAL(told.all.each[0].bytes, PACKET_BYTES);
	CHECK_EQUAL(told.all.received_ns >= packet_sent_ns(bytes), 1);
	waiting->is_done = 1;
	return NULL;
}

/* Interrupted as often as is looked whether it sleeps; of a busy poll, when it has changed to sleeping. */
static void a_signal_does_not_end_a_wait(int batch, int64_t busy_poll_ns)
{
	struct pair pair = udp_pair();
	struct waiting waiting = {.fd = pair.receiver, .batch = batch, .busy_poll_ns = busy_poll_ns};
	struct send_stamps stamps;
	char packet[PACKET_BYTES] = {0};
	pthread_t thread;

	CHECK_EQUAL(pthread_create(&thread, NULL, receive_in_thread, &waiting), 0);
	interrupt_until_seen(thread, 3);
	CHECK_EQUAL(waiting.is_done, 0);
	send_alone(pair.sender, packet, &stamps);
	CHECK_EQUAL(pthread_join(thread, NULL), 0);
	close_pair(pair);
}

static void what_is_no_socket_is_refused(void)
{
	struct descriptor none = {.fd = -1};
	struct told told;
	struct send_stamps stamps;
	char bytes[2 * STRIDE] = {0};
	int failure;

	CHECK_EQUAL(datagrams_send_each(-1, bytes, STRIDE, 2, &stamps, &failure), 0);
	CHECK_EQUAL(failure, -EBADF);
	CHECK_EQUAL(datagrams_send_together(-1, bytes, STRIDE, 2, &stamps), -EBADF);
	for (int count = 1; count <= 2; count++) {
		CHECK_EQUAL(datagrams_receive(&none, bytes, STRIDE, count, false, 0, &told.all), -EBADF);
		CHECK_EQUAL(datagrams_receive(&none, bytes, STRIDE, count, false, SECOND_NS, &told.all), -EBADF);
	}
}

int main(void)
{
	interruption_prepare();
	for (int batch = 1; batch <= 4; batch++) {
		for (int together = 0; together <= 1; together++) {
			as_many_come_as_were_sent_each_in_its_place(together, batch, 0);
			as_many_come_as_were_sent_each_in_its_place(together, batch, SECOND_NS);
		}
		a_longer_one_is_cut_off_and_an_empty_one_is_one(batch);
	}
	each_has_the_stamp_of_its_own_coming();
	that_nobody_receives_is_told_of_several_together();
	a_failure_after_others_were_sent_is_told_with_them();
	a_signal_does_not_end_a_wait(1, 0);
	a_signal_does_not_end_a_wait(4, 0);
	a_signal_does_not_end_a_wait(1, 1000);
	what_is_no_socket_is_refused();
	return EXIT_SUCCESS;
}
