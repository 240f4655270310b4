package org.lagbench.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;

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

    private static final String FAR = "far";

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

    /** Drops, without a report, the UDP packets from the other host. */
    void dropUdpFromThere() throws IOException {
        Namespaces.ip("-n", router, "rule", "add", "pref", "1", "iif", FAR, "ipproto", UDP, "type", "blackhole");
    }

    /** Drops, without a report, the UDP packets to the other host. */
    void dropUdpFromHere() throws IOException {
        Namespaces.ip("-n", router, "rule", "add", "pref", "1", "iif", NEAR, "ipproto", UDP, "type", "blackhole");
    }

    /**
     * Hides this host behind the router's address, and lets in only packets that reply to its own, or skips the test.
     */
    void translateAddresses() throws IOException, InterruptedException {
        String rules =
                """
                table ip nat {
                    chain post { type nat hook postrouting priority 100; oifname far masquerade; }
                }
                table ip filter {
                    chain pass { type filter hook forward priority 0; iifname far ct state new drop; }
                }
                """;
        Process nft = new ProcessBuilder("ip", "netns", "exec", router, "nft", rules)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assumeTrue(nft.waitFor() == 0, "there is no nft, or it cannot translate addresses on this machine");
    }

    /** Makes this host forget the MTU of the path. */
    void forgetMtu() throws IOException {
        Namespaces.ip("-n", here, "route", "flush", "cache");
    }

    /** Limits the packets of this host, not those that pass the others. */
    void limitMtu(int bytes) throws IOException {
        Namespaces.ip(
                "-n", here, "route", "change", "default", "via", NEAR_ROUTER_ADDRESS, "mtu", Integer.toString(bytes));
    }

    @Override
    public void close() throws IOException {
        Namespaces.delete(all());
    }
}
