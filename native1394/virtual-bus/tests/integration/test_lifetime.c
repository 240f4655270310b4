/* Start and end of the bus and its clients, orderly and by signals. */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "bus_wire.h"
#include "check.h"
#include "stage.h"

#define NOBODY 65534

TEST(a_killed_process_leaves_no_reservation)
{
    struct stage_process *holder = stage_start("%s take 0 20 4000 hold", stage_reserve);
    CHECK(stage_await(holder, "done"));
    CHECK(stage_run("refused", "%s take 1 20 4000", stage_reserve));
    stage_kill(holder);
    CHECK(stage_run("done", "%s take 1 20 4915", stage_reserve));
}

/* As on a real bus, another program can release a reservation that an ended program left. */
TEST(an_orderly_end_keeps_the_reservation)
{
    struct stage_process *keeper = stage_start("%s take 0 21 1 hold", stage_reserve);
    CHECK(stage_await(keeper, "done"));
    CHECK(stage_run("done", "%s take 0 20 4000", stage_reserve));
    CHECK(stage_run("refused", "%s take 1 20 4000", stage_reserve));
    CHECK(stage_run("done", "%s free 1 20 4000", stage_reserve));
    CHECK(stage_run("done", "%s take 1 20 4000", stage_reserve));
    stage_kill(keeper);
}

TEST(a_killed_talker_frees_its_context)
{
    struct stage_process *listener = stage_start("%s receive 1 7 992 4000 50", stage_stream);
    CHECK(stage_await(listener, "listening"));
    struct stage_process *talker = stage_start("%s send 0 7 992 10000000 50", stage_stream);
    CHECK(stage_finish(listener) == 0);
    stage_kill(talker);
    struct stage_process *second = stage_start("%s receive 1 7 992 4000 50", stage_stream);
    CHECK(stage_await(second, "listening"));
    CHECK(stage_run("", "%s send 0 7 992 4000 50", stage_stream));
    CHECK(stage_finish(second) == 0);
    CHECK(strstr(second->output, "received 4000 ") != NULL);
}

TEST(a_killed_daemon_is_replaced)
{
    struct stage_process *holder = stage_start("%s take 0 20 4000 hold", stage_reserve);
    CHECK(stage_await(holder, "done"));
    pid_t daemon = stage_find_daemon();
    CHECK(daemon > 0);
    if (daemon > 0)
        kill(daemon, SIGKILL);
    CHECK(stage_run("done", "%s take 1 20 4000", stage_reserve));
    CHECK(stage_find_daemon() > 0);
    stage_kill(holder);
}

TEST(after_a_killed_daemon_nothing_is_queued)
{
    struct stage_process *talker = stage_start("%s", stage_queue);
    CHECK(stage_await(talker, "queueing"));
    kill(stage_find_daemon(), SIGKILL);
    CHECK_EQUAL(stage_finish(talker), 0);
    CHECK(strstr(talker->output, "No such device") != NULL);
    /* The program starts another daemon, which removes the bus's directory when it ends. */
    CHECK(stage_run("done", "%s take 0 1 1", stage_reserve));
}

static int connect_to_daemon(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%.80s/%s", stage_bus, BUS_SOCKET_NAME);
    int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    CHECK_EQUAL(connect(connection, (struct sockaddr *)&address, sizeof address), 0);
    return connection;
}

static void say_hello(int connection, enum bus_hello_kind kind, int fd)
{
    struct bus_hello hello = {.magic = BUS_WIRE_MAGIC, .version = BUS_WIRE_VERSION, .kind = kind};
    struct iovec part = {.iov_base = &hello, .iov_len = sizeof hello};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof fd)];
    } control = {.header = {.cmsg_level = SOL_SOCKET,
                            .cmsg_type = SCM_RIGHTS,
                            .cmsg_len = CMSG_LEN(sizeof fd)}};
    memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = fd >= 0 ? &control : NULL,
                             .msg_controllen = fd >= 0 ? sizeof control : 0};
    CHECK_EQUAL(sendmsg(connection, &message, MSG_NOSIGNAL), sizeof hello);
}

/* stage_end checks that the daemon ends, which a kept descriptor would prevent. */
TEST(descriptors_of_an_invalid_client_are_closed)
{
    CHECK(stage_run("done", "%s take 0 1 1", stage_reserve));
    pid_t daemon = stage_find_daemon();
    CHECK(daemon > 0);
    kill(daemon, SIGSTOP); /* so that all messages have arrived before it reads the first */
    int connections[6];
    for (int i = 0; i < 6; i++)
        connections[i] = connect_to_daemon();
    int pair[2]; /* a pipe that stays open until after the daemon's end */
    CHECK_EQUAL(pipe2(pair, O_CLOEXEC), 0);
    say_hello(connections[0], BUS_HELLO_OPEN, connections[0]);
    say_hello(connections[1], BUS_HELLO_ATTACH, connections[1]);
    say_hello(connections[2], BUS_HELLO_OPEN, pair[0]);
    say_hello(connections[3], BUS_HELLO_OPEN, eventfd(0, EFD_CLOEXEC));
    /* Two sockets that refer to each other in unread messages. */
    say_hello(connections[4], BUS_HELLO_OPEN, -1);
    say_hello(connections[4], BUS_HELLO_OPEN, connections[5]);
    say_hello(connections[5], BUS_HELLO_OPEN, -1);
    say_hello(connections[5], BUS_HELLO_OPEN, connections[4]);
    kill(daemon, SIGCONT);
    for (int i = 0; i < 6; i++)
        close(connections[i]);
}

TEST(processes_that_start_together_share_one_bus)
{
    struct stage_process *processes[12];
    for (int i = 0; i < 12; i++)
        processes[i] = stage_start("%s take %d %d 300", stage_reserve, i % 2, i);
    int done = 0;
    for (int i = 0; i < 12; i++) {
        CHECK_EQUAL(stage_finish(processes[i]), 0);
        done += strstr(processes[i]->output, "done") != NULL;
    }
    /* 12 times 300 units are less than 4915, so one bus must accept all. */
    CHECK_EQUAL(done, 12);
    CHECK(stage_run("refused", "%s take 0 5 1", stage_reserve));
}

TEST(threads_and_children_start_and_end)
{
    CHECK(stage_run("no failure", "%s 3", stage_stress));
}

TEST(a_daemon_started_manually_runs_until_a_signal)
{
    struct stage_process *daemon =
        stage_start_plain("%s --foreground --directory %s --nodes 3", stage_daemon, stage_bus);
    CHECK(stage_await(daemon, "3 nodes in "));
    CHECK(stage_run("fw8", "ls /dev"));
    struct stat status;
    CHECK_EQUAL(stat(stage_bus, &status), 0);
    CHECK_EQUAL(status.st_mode & 0777, 0700);
    struct stage_process *second =
        stage_start_plain("%s --foreground --directory %s", stage_daemon, stage_bus);
    CHECK_EQUAL(stage_finish(second), 3);
    kill(daemon->pid, SIGTERM);
    CHECK_EQUAL(stage_finish(daemon), 0);
}

TEST(a_nice_value_is_not_changed)
{
    struct stage_process *daemon =
        stage_start_plain("nice -n 5 %s --foreground --directory %s", stage_daemon, stage_bus);
    CHECK(stage_await(daemon, "inherited scheduling"));
    int nice = getpriority(PRIO_PROCESS, 0) + 5;
    CHECK_EQUAL(getpriority(PRIO_PROCESS, (id_t)daemon->pid), nice < 19 ? nice : 19);
    CHECK_EQUAL(sched_getscheduler(daemon->pid), SCHED_OTHER);
    kill(daemon->pid, SIGTERM);
    CHECK_EQUAL(stage_finish(daemon), 0);
}

TEST(wrong_usage_is_status_2)
{
    static const char *const wrong[] = {"",
                                        "--directory",
                                        "--nodes 1 --directory /nowhere",
                                        "--nodes 17 --directory /nowhere",
                                        "--speed S50 --directory /nowhere",
                                        "--bogus",
                                        "extra"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct stage_process *daemon = stage_start_plain("%s %s", stage_daemon, wrong[i]);
        CHECK_EQUAL(stage_finish(daemon), 2);
    }
    struct stage_process *help = stage_start_plain("%s --help", stage_daemon);
    CHECK_EQUAL(stage_finish(help), 0);
    CHECK(strstr(help->output, "--directory DIR") != NULL);
}

TEST(a_directory_open_to_others_is_rejected)
{
    CHECK_EQUAL(mkdir(stage_bus, 0755), 0);
    CHECK_EQUAL(chmod(stage_bus, 0755), 0);
    struct stage_process *daemon =
        stage_start_plain("%s --foreground --directory %s", stage_daemon, stage_bus);
    CHECK_EQUAL(stage_finish(daemon), 1);
    CHECK(strstr(daemon->output, "chmod 700") != NULL);
    CHECK_EQUAL(rmdir(stage_bus), 0);
}

/* Only root can be another user here. */
TEST(a_bus_of_another_user_is_refused)
{
    if (geteuid() != 0)
        return;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%.80s/%s", stage_bus, BUS_SOCKET_NAME);
    int listening = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    CHECK_EQUAL(mkdir(stage_bus, 0700), 0);
    CHECK_EQUAL(bind(listening, (struct sockaddr *)&address, sizeof address), 0);
    CHECK_EQUAL(seteuid(NOBODY), 0);
    CHECK_EQUAL(listen(listening, 9), 0);
    CHECK_EQUAL(seteuid(0), 0);
    struct stage_process *program = stage_start("%s take 0 1 1", stage_reserve);
    CHECK(stage_await(program, "another user runs the bus in"));
    int connection = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    char bytes[64];
    CHECK_EQUAL(recv(connection, bytes, sizeof bytes, 0), 0);
    close(connection);
    close(listening);
    CHECK(stage_finish(program) != 0);
    CHECK_EQUAL(unlink(address.sun_path), 0);
    CHECK_EQUAL(rmdir(stage_bus), 0);
}

TEST(without_a_directory_the_library_does_nothing)
{
    unsetenv("LAGBENCH_BUS_DIR");
    struct stage_process *list = stage_start("ls /dev/fw0");
    CHECK(stage_finish(list) != 0 || access("/dev/fw0", F_OK) == 0);
    CHECK_EQUAL(access(stage_bus, F_OK), -1);
    setenv("LAGBENCH_BUS_DIR", stage_bus, 1);
}

TEST(a_long_directory_name_works)
{
    char longer[256];
    snprintf(longer, sizeof longer, "%.100s-%0100d", stage_bus, 0);
    setenv("LAGBENCH_BUS_DIR", longer, 1);
    CHECK(stage_run("done", "%s take 0 1 1", stage_reserve));
    for (int i = 0; i < 500 && access(longer, F_OK) == 0; i++)
        usleep(20000);
    CHECK_EQUAL(access(longer, F_OK), -1);
}

int main(int argc, char **argv)
{
    stage_open(argc, argv);
    return run_tests_between(stage_begin, stage_end);
}
