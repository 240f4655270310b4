/* Several datagrams a call, and the end of a wait for room or for one. */
#include "datagrams.c"

#include <pthread.h>
#include <time.h>

#include "check.h"
#include "loopback.h"
#include "nanoseconds.h"

enum { STRIDE = 16 };

static int64_t now_ns(void)
{
	struct timespec now;

	must(clock_gettime(CLOCK_REALTIME, &now), "clock_gettime");
	return nanoseconds(&now);
}

static void as_many_come_as_were_sent_each_in_its_place(int batch)
{
	static const char packets[] = "onetwosixten";
	struct pair pair = udp_pair();
	struct datagram told[MOST_DATAGRAMS];
	char bytes[4 * STRIDE] = {0};

	CHECK_EQUAL(datagrams_send(pair.sender, packets, 3, 4), 4);
	for (int got = 0; got < 4;) {
		int count = datagrams_receive(pair.receiver, bytes + got * STRIDE, STRIDE,
					      batch < 4 - got ? batch : 4 - got, false, true, told + got);

		CHECK_EQUAL(count >= 1 && count <= batch, 1);
		got += count;
	}
	for (int i = 0; i < 4; i++) {
		CHECK_EQUAL(told[i].bytes, 3);
		CHECK_EQUAL(told[i].kernel_ns, 0);
		CHECK_EQUAL(memcmp(bytes + i * STRIDE, packets + i * 3, 3), 0);
	}
	CHECK_EQUAL(datagrams_receive(pair.receiver, bytes, STRIDE, batch, false, false, told), 0);
	close_pair(pair);
}

static void a_longer_one_is_cut_off_and_an_empty_one_is_one(int batch)
{
	struct pair pair = udp_pair();
	struct datagram told[MOST_DATAGRAMS];
	char bytes[4 * STRIDE];

	must((int)send(pair.sender, "more than there is room for", 27, 0), "send");
	must((int)send(pair.sender, "", 0, 0), "send");
	for (int got = 0; got < 2;)
		got += datagrams_receive(pair.receiver, bytes, STRIDE, batch, false, true, told + got);
	CHECK_EQUAL(told[0].bytes, STRIDE);
	CHECK_EQUAL(told[1].bytes, 0);
	close_pair(pair);
}

/* The second is sent after the first has come, so that the stamp of the one would not do for the other. */
static void each_has_the_stamp_of_its_own_coming(void)
{
	struct pair pair = udp_pair();
	struct datagram told[MOST_DATAGRAMS] = {0};
	char bytes[2 * STRIDE];
	int64_t begin, between, end;

	CHECK_EQUAL(stamped_receive_enable(pair.receiver), 0);
	do { /* the kernel begins to stamp a moment after the first socket wants it to */
		begin = now_ns();
		CHECK_EQUAL(datagrams_send(pair.sender, "one", 3, 1), 1);
		must((int)recv(pair.receiver, bytes, 1, MSG_PEEK), "recv");
		between = now_ns();
		CHECK_EQUAL(datagrams_send(pair.sender, "two", 3, 1), 1);
		for (int got = 0; got < 2;)
			got += datagrams_receive(pair.receiver, bytes, STRIDE, 2 - got, true, true, told + got);
		end = now_ns();
	} while (told[0].kernel_ns == 0 || told[1].kernel_ns == 0);
	CHECK_EQUAL(begin <= told[0].kernel_ns && told[0].kernel_ns <= between, 1);
	CHECK_EQUAL(between <= told[1].kernel_ns && told[1].kernel_ns <= end, 1);
	close_pair(pair);
}

/* Linux forgets the refusal of a datagram that is not the first of its call, so that it is told of the next that is. */
static void that_nobody_receives_is_told(int count)
{
	struct pair pair = udp_pair();
	int result = 1;

	close(pair.receiver);
	for (int left = count; result > 0; left = left > result ? left - result : count)
		result = datagrams_send(pair.sender, "onetwosixten", 3, left);
	CHECK_EQUAL(result, -ECONNREFUSED);
	close(pair.sender);
}

static void *receive_in_thread(void *fd)
{
	struct datagram told[MOST_DATAGRAMS];
	char bytes[4 * STRIDE];

	CHECK_EQUAL(datagrams_receive(*(int *)fd, bytes, STRIDE, 4, false, true, told), 1);
	CHECK_EQUAL(told[0].bytes, 0);
	return NULL;
}

static void whoever_waits_can_be_woken(void)
{
	struct pair pair = udp_pair();
	pthread_t thread;

	CHECK_EQUAL(pthread_create(&thread, NULL, receive_in_thread, &pair.receiver), 0);
	CHECK_EQUAL(stamped_receive_end(pair.receiver), 0);
	CHECK_EQUAL(pthread_join(thread, NULL), 0);
	close_pair(pair);
}

static void nothing_is_sent_after_the_end(void)
{
	struct pair pair = udp_pair();

	CHECK_EQUAL(datagrams_end_send(pair.sender), 0);
	CHECK_EQUAL(datagrams_send(pair.sender, "one", 3, 1), -EPIPE);
	CHECK_EQUAL(datagrams_send(pair.sender, "onetwo", 3, 2), -EPIPE);
	close_pair(pair);
}

static void what_is_no_socket_is_refused(void)
{
	struct datagram told[MOST_DATAGRAMS];
	char bytes[2 * STRIDE] = {0};

	for (int count = 1; count <= 2; count++) {
		CHECK_EQUAL(datagrams_send(-1, bytes, STRIDE, count), -EBADF);
		CHECK_EQUAL(datagrams_receive(-1, bytes, STRIDE, count, false, true, told), -EBADF);
	}
	CHECK_EQUAL(datagrams_end_send(-1), -EBADF);
}

int main(void)
{
	for (int batch = 1; batch <= 4; batch++) {
		as_many_come_as_were_sent_each_in_its_place(batch);
		a_longer_one_is_cut_off_and_an_empty_one_is_one(batch);
	}
	each_has_the_stamp_of_its_own_coming();
	that_nobody_receives_is_told(1);
	that_nobody_receives_is_told(4);
	whoever_waits_can_be_woken();
	nothing_is_sent_after_the_end();
	what_is_no_socket_is_refused();
	return EXIT_SUCCESS;
}
