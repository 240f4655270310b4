package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Two network namespaces with a router in a third one between them. Closing removes them. */
record RoutedHosts(String here, String router, String there) implements AutoCloseable {
    static final String THERE_ADDRESS = "10.139.79.2";

    /** This host's end of the cable to the router. */
    static final String NEAR = "near";

    static final String HERE_ADDRESS = "10.139.78.1";
    private static final String NEAR_ROUTER_ADDRESS = "10.139.78.2";
    private static final String FAR_ROUTER_ADDRESS = "10.139.79.1";
    /** The number of UDP: a bare machine has no /etc/protocols. */
    private static final String UDP = "17";

    /** The other host's end of the cable to the router. */
    static final String FAR = "far";

    /** Rules on UDP packets of a run: they come at a rate that handshakes do not reach. */
    private static final String FAST =
            """
            table inet fast {
                chain out { type %s hook output priority 0;
                    meta l4proto udp limit rate over 200/second burst 100 packets %s; }
            }
            """;

    /** So many datagrams in one interval of the observation are packets of a run. */
    private static final long FLOWING = 20;

    /**
     * Creates them, or skips the test, with a reason, if that is not possible.
     *
     * @param name of the test
     * @param farMtuBytes the MTU of the cable between the router and the other host
     */
    static RoutedHosts create(String name, int farMtuBytes) throws IOException, InterruptedException {
        Namespaces.assumeCreatable();
        String prefix = "lagbench-" + name + "-" + ProcessHandle.current().pid();
        RoutedHosts hosts = new RoutedHosts(prefix + "-a", prefix + "-r", prefix + "-b");
        for (String host : hosts.all()) {
            Namespaces.ip("netns", "add", host);
            Namespaces.ip("-n", host, "link", "set", "lo", "up");
        }
        hosts.connect(NEAR, hosts.here, HERE_ADDRESS, hosts.router, NEAR_ROUTER_ADDRESS, 1500);
        hosts.connect(FAR, hosts.router, FAR_ROUTER_ADDRESS, hosts.there, THERE_ADDRESS, farMtuBytes);
        Namespaces.ip("-n", hosts.here, "route", "add", "default", "via", NEAR_ROUTER_ADDRESS);
        Namespaces.ip("-n", hosts.there, "route", "add", "default", "via", FAR_ROUTER_ADDRESS);
        Namespaces.ip("netns", "exec", hosts.router, "sysctl", "-qw", "net.ipv4.ip_forward=1");
        return hosts;
    }

    private List<String> all() {
        return List.of(here, router, there);
    }

    private void connect(String cable, String host, String address, String other, String otherAddress, int mtuBytes)
            throws IOException {
        Namespaces.ip("link", "add", cable, "netns", host, "type", "veth", "peer", "name", cable, "netns", other);
        for (String end : List.of(host, other)) {
            Namespaces.ip(
                    "-n", end, "address", "add", (end.equals(host) ? address : otherAddress) + "/24", "dev", cable);
            Namespaces.ip("-n", end, "link", "set", cable, "mtu", Integer.toString(mtuBytes), "up");
        }
        Namespaces.awaitRunning(cable, host, other);
    }

    /**
     * Returns a command that makes the router drop, without a report, the UDP packets of a cable.
     *
     * @param action {@code add} or, to let them pass again, {@code delete}
     */
    String dropUdpOf(String cable, String action) {
        return LagbenchBatch.program(
                "ip", "-n", router, "rule", action, "pref", "1", "iif", cable, "ipproto", UDP, "type", "blackhole");
    }

    /**
     * Hides this host behind the router's address, and lets in only packets that reply to its own, or skips the test.
     */
    Fault translateAddresses() throws IOException, InterruptedException {
        String rules =
                """
                table ip nat {
                    chain post { type nat hook postrouting priority 100; oifname far masquerade; }
                }
                table ip filter {
                    chain pass { type filter hook forward priority 0; iifname far ct state new drop; }
                }
                """;
        filter(router, rules);
        return () -> unfilter(router);
    }

    /** A property of the network, most often a reason for losses, which closing removes. */
    @FunctionalInterface
    interface Fault extends AutoCloseable {
        @Override
        void close() throws IOException;
    }

    /** Lets a filter of this host refuse UDP packets of runs. */
    Fault filterFast() throws IOException, InterruptedException {
        filter(here, FAST.formatted("filter", "drop"));
        return () -> unfilter(here);
    }

    /** Lets a route of this host prohibit UDP packets of runs. */
    Fault prohibitFast() throws IOException, InterruptedException {
        return routeFast("prohibit default");
    }

    /** Routes UDP packets of runs to a next hop that does not exist. */
    Fault misrouteFast() throws IOException, InterruptedException {
        return routeFast("default via 10.139.78.3");
    }

    private Fault routeFast(String route) throws IOException, InterruptedException {
        filter(here, FAST.formatted("route", "meta mark set 7"));
        Namespaces.ip(("-n " + here + " route add table 7 " + route).split(" ", -1));
        Namespaces.ip("-n", here, "rule", "add", "fwmark", "7", "lookup", "7");
        return () -> {
            Namespaces.ip("-n", here, "rule", "delete", "fwmark", "7");
            Namespaces.ip("-n", here, "route", "flush", "table", "7");
            unfilter(here);
        };
    }

    /**
     * Overwrites a byte of UDP packets of runs.
     *
     * @param isNoticed whether the checksum then is wrong: this host computes it before, because packets of 1,000 bytes
     *     leave in fragments. Otherwise the interface would compute it
     * @param bit where in the datagram, from the UDP header on
     */
    Fault damageFast(boolean isNoticed, int bit) throws IOException, InterruptedException {
        Namespaces.ip("-n", here, "link", "set", NEAR, "mtu", isNoticed ? "600" : "1500");
        filter(here, FAST.formatted("filter", "@th," + bit + ",8 set 0x5a"));
        return () -> {
            unfilter(here);
            Namespaces.ip("-n", here, "link", "set", NEAR, "mtu", "1500");
        };
    }

    /** Sets this host's interface down for a quarter of a second whenever packets of a run have begun to flow. */
    Fault interruptLink() {
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        AtomicLong sent = new AtomicLong(Long.MAX_VALUE);
        Future<?> interrupting = timer.scheduleWithFixedDelay(
                () -> {
                    long now = datagramsSent();
                    if (now - sent.getAndSet(now) > FLOWING) {
                        setLink("down");
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(250));
                        setLink("up");
                        sent.set(Long.MAX_VALUE);
                    }
                },
                0,
                100,
                TimeUnit.MILLISECONDS);
        return () -> {
            interrupting.cancel(false);
            timer.shutdown();
            await().atMost(Duration.ofMinutes(2)).until(timer::isTerminated);
        };
    }

    private long datagramsSent() {
        try {
            Process read = new ProcessBuilder("ip", "netns", "exec", here, "cat", "/proc/net/snmp").start();
            return new String(read.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.matches("Udp: \\d.*"))
                    .mapToLong(line -> Long.parseLong(line.split(" ", -1)[4]))
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void setLink(String state) {
        try {
            Namespaces.ip("-n", here, "link", "set", NEAR, state);
            if (state.equals("up")) {
                Namespaces.ip("-n", here, "route", "replace", "default", "via", NEAR_ROUTER_ADDRESS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets UDP packets wait in a slow queue of this host that has room for three. */
    Fault shortenQueue() throws IOException, InterruptedException {
        return slow(here, NEAR, "1mbit", 3);
    }

    /** Lets UDP packets wait in a slow queue of the router that has room for all, after it has dropped one in ten. */
    Fault lengthenQueue() throws IOException, InterruptedException {
        Fault slow = slow(router, FAR, "6mbit", 10_000);
        filter(
                router,
                """
                table inet some {
                    chain pass { type filter hook forward priority 0; meta length > 900 numgen random mod 10 0 drop; }
                }
                """);
        return slow;
    }

    private static Fault slow(String host, String device, String rate, int packets)
            throws IOException, InterruptedException {
        String parent = " dev " + device + " parent 1: ";
        assumeTrue(
                tc(host, "qdisc add dev " + device + " root handle 1: htb default 10") == 0, "the kernel has no htb");
        for (String command : List.of(
                "class add" + parent + "classid 1:10 htb rate 1gbit quantum 20000",
                "class add" + parent + "classid 1:30 htb rate " + rate,
                "qdisc add dev " + device + " parent 1:30 pfifo limit " + packets)) {
            assertThat(tc(host, command)).as(command).isZero();
        }
        filter(
                host,
                """
                table inet slow {
                    chain out { type filter hook postrouting priority 0; meta l4proto udp meta priority set 0x10030; }
                }
                """);
        return () -> {
            unfilter(host);
            Namespaces.ip("netns", "exec", host, "tc", "qdisc", "delete", "dev", device, "root");
        };
    }

    private static int tc(String host, String command) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("ip", "netns", "exec", host, "tc"));
        line.addAll(List.of(command.split(" ")));
        return run(line);
    }

    /** Lets the router drop large UDP packets without a report. */
    Fault dropLarge(int bytes) throws IOException, InterruptedException {
        filter(
                router,
                """
                table inet hole {
                    chain pass { type filter hook forward priority 0; meta l4proto udp meta length > %d drop; }
                }
                """
                        .formatted(bytes));
        return () -> unfilter(router);
    }

    private static void filter(String host, String rules) throws IOException, InterruptedException {
        assumeTrue(nft(host, "add table inet tried") == 0, "there is no nft, or it cannot filter on this machine");
        assertThat(nft(host, rules)).as(rules).isZero();
    }

    private static int nft(String host, String commands) throws IOException, InterruptedException {
        return run(List.of("ip", "netns", "exec", host, "nft", commands));
    }

    private static void unfilter(String host) throws IOException {
        Namespaces.ip("netns", "exec", host, "nft", "flush", "ruleset");
    }

    private static int run(List<String> command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    /** Returns a command that makes this host forget the MTU of the path. */
    String forgetMtu() {
        return LagbenchBatch.program("ip", "-n", here, "route", "flush", "cache");
    }

    /** Returns a command that limits the packets of this host, not those that pass the others. */
    String limitMtu(int bytes) {
        return LagbenchBatch.program(
                "ip",
                "-n",
                here,
                "route",
                "change",
                "default",
                "via",
                NEAR_ROUTER_ADDRESS,
                "mtu",
                Integer.toString(bytes));
    }

    @Override
    public void close() throws IOException {
        Namespaces.delete(all());
    }
}
