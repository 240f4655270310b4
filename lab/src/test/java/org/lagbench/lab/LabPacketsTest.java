package org.lagbench.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.model.Network;
import org.lagbench.core.run.RunRecord.LabRecord.Station;

/** Sends packets through labs with real namespaces, and compares what arrives with what the network should do. */
@Tag("one-java")
class LabPacketsTest extends LabFixture {
    /**
     * Sends datagrams of three sizes over an idle link, 20 of each, and then 20 of 992 bytes at once. Prints the time
     * from a datagram's send call to the kernel's stamp at the receiver: the minimum of each size, then the time of the
     * last datagram.
     */
    private static final String TIMED =
            """
            import socket, subprocess, sys
            there, here, address = sys.argv[1:]
            receiver = '''
            import socket, struct, sys
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            s.setsockopt(socket.SOL_SOCKET, 35, 1)
            s.bind((sys.argv[1], 7))
            s.settimeout(60)
            print("ready", flush=True)
            def took():
                data, ancillary, _, _ = s.recvmsg(2048, 256)
                at = struct.unpack("qq", ancillary[0][2])
                return at[0] * 1000000000 + at[1] - int(data[:24])
            for phase in range(3):
                print(min(took() for _ in range(20)))
            print([took() for _ in range(20)][-1])
            '''
            to = subprocess.Popen(["ip", "netns", "exec", there, sys.executable, "-c", receiver, address],
                                  stdout=subprocess.PIPE, text=True)
            to.stdout.readline()
            sender = '''
            import socket, sys, time
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            s.connect((sys.argv[1], 7))
            for size in (24, 396, 992):
                for i in range(20):
                    time.sleep(0.003)
                    s.send(b"%024d" % time.time_ns() + bytes(size - 24))
            time.sleep(0.003)
            at = time.time_ns()
            for i in range(20):
                s.send(b"%024d" % at + bytes(968))
            '''
            subprocess.run(["ip", "netns", "exec", here, sys.executable, "-c", sender, address], check=True)
            print(to.communicate()[0], end="")
            """;

    @Test
    void countsLossDuplicatesAndReordering() throws Exception {
        Network network = network("delay: 2ms\nforward: {loss: 5%, duplication: 2%, reordering: 1%}\nbackend: relay");
        try (Lab lab = Lab.persistent(network, name("counts"))) {
            List<Integer> came = send(lab, 4_000, 100);
            Station relay = station(lab, "relay forward");

            long distinct = came.stream().distinct().count();
            int reordered = 0;
            int next = 0;
            List<Integer> seen = new ArrayList<>();
            for (int number : came) {
                if (!seen.contains(number) && number < next) {
                    reordered++;
                }
                next = Math.max(next, number + 1);
                seen.add(number);
            }
            long given = 4_000 - relay.counts().get("missed");
            long ends = relay.counts().get("received") - given; // the packets that mark the end
            assertThat(ends).isPositive();
            assertThat(relay.counts().get("lost")).isBetween(given - distinct, given - distinct + ends);
            assertThat(given - distinct).isBetween(given * 3 / 100, given * 7 / 100);
            assertThat(relay.counts().get("duplicated") - (came.size() - distinct))
                    .isBetween(0L, ends);
            assertThat(came.size() - distinct).isBetween(given / 100, given * 3 / 100);
            assertThat(relay.counts().get("reordered") - reordered).isBetween(0L, ends);
            assertThat((long) reordered).isBetween(given * 4 / 1000, given * 16 / 1000);
        }
    }

    @Test
    void delaysEveryPacket() throws Exception {
        Network network = network("forward: {delay: 30ms}\nreverse: {delay: 10ms}\nbackend: relay");
        try (Lab lab = Lab.persistent(network, name("delay"))) {
            String roundTrip = python(
                    lab,
                    "sender",
                    """
                    import socket, sys, threading, subprocess, time
                    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                    s.connect((sys.argv[1], 9))
                    s.settimeout(60)
                    least = None
                    for i in range(5):
                        began = time.monotonic_ns()
                        s.send(b"x")
                        try:
                            s.recv(10)
                        except ConnectionRefusedError:
                            pass
                        took = time.monotonic_ns() - began
                        least = took if least is None or took < least else least
                    print(least)
                    """,
                    "10.139.0.2");
            // No socket listens there, so the kernel answers at once: a round trip without a program.
            assertThat(Long.parseLong(roundTrip.strip())).isGreaterThanOrEqualTo(40_000_000L);
        }
    }

    /** A datagram takes 66 bytes more on the wire: preamble, headers, check sequence and gap. */
    @ParameterizedTest
    @CsvSource({
        "{rate: 10mbit}, 72000, 369600, 846400, 846400",
        "{rate: 100mbit}, 7200, 36960, 84640, 84640",
        "{rate: 10mbit; delay: 4ms}, 4072000, 4369600, 4846400, 846400",
        "{like: dumbbell; rate: 10mbit; edge-rate: 100mbit}, 86400, 443520, 1015680, 846400"
    })
    void takesTimeOfEachPacketOnTheWire(String yaml, long smallNs, long mediumNs, long largeNs, long slowestNs)
            throws Exception {
        try (Lab lab = Lab.persistent(network(yaml.replace(';', ',')), name("wire"))) {
            long restNs = 700_000; // for the sender's kernel and the relay's wake-ups, in one idle moment
            List<Long> shortestNs = List.of(smallNs, mediumNs, largeNs);
            List<Long> tookNs;
            long tries = 0;
            do {
                tookNs = tookNs(lab);
                tries++;
                for (int size = 0; size < shortestNs.size(); size++) {
                    assertThat(tookNs.get(size)).isGreaterThanOrEqualTo(shortestNs.get(size));
                }
                assertThat(tookNs.get(3)).isGreaterThanOrEqualTo(largeNs + 19 * slowestNs);
            } while (isLater(tookNs, shortestNs, restNs) && tries < 50);
            assertThat(isLater(tookNs, shortestNs, restNs)).as("%s", tookNs).isFalse();
            assertThat(station(lab, "relay forward").counts().get("forwarded")).isEqualTo(80 * tries);
        }
    }

    /** Returns the least time of a packet of each size, and that of the last packet of a flood. */
    private List<Long> tookNs(Lab lab) throws Exception {
        return run(List.of(
                        "python3",
                        script(TIMED).toString(),
                        lab.namespaces().get("receiver"),
                        lab.namespaces().get("sender"),
                        lab.addresses().get("receiver")))
                .lines()
                .map(Long::valueOf)
                .toList();
    }

    /** Returns whether a packet of any size took longer than the shortest time and a rest. */
    private static boolean isLater(List<Long> tookNs, List<Long> shortestNs, long restNs) {
        return IntStream.range(0, shortestNs.size()).anyMatch(size -> tookNs.get(size) > shortestNs.get(size) + restNs);
    }

    @Test
    void dropsPacketsBeyondQueueLimit() throws Exception {
        Network network = network("rate: 80kbit\nqueue: 10 packets");
        try (Lab lab = Lab.persistent(network, name("queue"))) {
            python(
                    lab,
                    "sender",
                    """
                    import socket, sys
                    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                    for i in range(100):
                        s.sendto(bytes(958), (sys.argv[1], 9))
                    """,
                    "10.139.0.2");
            // A packet needs 102 ms on the wire. The bucket lets one pass at once.
            assertThat(station(lab, "queue of sender to receiver").counts().get("drops"))
                    .isBetween(70L, 89L);
        }
    }

    @Test
    void keepsOrderOfPacketsOnFastCable() throws Exception {
        try (Lab lab = Lab.persistent(network("rate: 2gbit"), name("order"))) {
            for (String host : List.of("sender", "receiver")) {
                List<String> command = new ArrayList<>(lab.commandOn(host));
                command.addAll(List.of(
                        "sh", "-c", "f=/sys/class/net/path1/queues/rx-0/rps_cpus; [ -w $f ] && cat $f || echo none"));
                String cpus = run(command).strip();
                assumeTrue(!"none".equals(cpus), "which CPU takes packets cannot be set here");
                assertThat(cpus).as(host).matches("(0+,)*0*1");
            }
            assertThat(send(lab, 2_000, 50, 20)).isSorted();
        }
    }

    @Test
    void keepsOrderOfPacketsOnWire() throws Exception {
        try (Lab lab = Lab.persistent(network("rate: 100mbit"), name("wire-order"))) {
            assertThat(send(lab, 2_000, 50, 20)).isSorted();
        }
    }
}
