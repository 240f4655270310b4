/* Receiving with the kernel's stamp, and the end of a wait for it. */
#include "stamped_receive.c"

#include <pthread.h>

#include "check.h"
#include "loopback.h"

static int64_t now_ns(void)
{
	struct timespec now;

	must(clock_gettime(CLOCK_REALTIME, &now), "clock_gettime");
	return nanoseconds(&now);
}

static void what_comes_has_the_stamp_of_its_coming(struct pair pair)
{
	char bytes[16];
	int64_t begin, end, kernel_ns;

	CHECK_EQUAL(stamped_receive_enable(pair.receiver), 0);
	do { /* the kernel begins to stamp a moment after the first socket wants it to */
		begin = now_ns();
		must((int)send(pair.sender, "packet", 6, 0), "send");
		CHECK_EQUAL(stamped_receive(pair.receiver, bytes, sizeof bytes, &kernel_ns), 6);
		end = now_ns();
	} while (kernel_ns == 0);
	CHECK_EQUAL(memcmp(bytes, "packet", 6), 0);
	CHECK_EQUAL(begin <= kernel_ns && kernel_ns <= end, 1);
	close_pair(pair);
}

static void unless_enabled_there_is_no_stamp(void)
{
	struct pair pair = udp_pair();
	char bytes[16];
	int64_t kernel_ns = 1;

	must((int)send(pair.sender, "packet", 6, 0), "send");
	CHECK_EQUAL(stamped_receive(pair.receiver, bytes, sizeof bytes, &kernel_ns), 6);
	CHECK_EQUAL(kernel_ns, 0);
	close_pair(pair);
}

static void *receive_one(void *fd)
{
	char bytes[16];
	int64_t kernel_ns;

	CHECK_EQUAL(stamped_receive(*(int *)fd, bytes, sizeof bytes, &kernel_ns), 0);
	return NULL;
}

static void whoever_waits_can_be_woken(struct pair pair)
{
	pthread_t thread;

	CHECK_EQUAL(pthread_create(&thread, NULL, receive_one, &pair.receiver), 0);
	CHECK_EQUAL(stamped_receive_end(pair.receiver), 0);
	CHECK_EQUAL(pthread_join(thread, NULL), 0);
	close_pair(pair);
}

static void what_is_no_socket_is_refused(void)
{
	int64_t kernel_ns;
	char bytes[16];

	CHECK_EQUAL(stamped_receive_enable(-1), -EBADF);
	CHECK_EQUAL(stamped_receive(-1, bytes, sizeof bytes, &kernel_ns), -EBADF);
	CHECK_EQUAL(stamped_receive_end(-1), -EBADF);
}

int main(void)
{
	what_comes_has_the_stamp_of_its_coming(udp_pair());
	what_comes_has_the_stamp_of_its_coming(tcp_pair());
	unless_enabled_there_is_no_stamp();
	whoever_waits_can_be_woken(udp_pair());
	whoever_waits_can_be_woken(tcp_pair());
	what_is_no_socket_is_refused();
	return EXIT_SUCCESS;
}
