package org.lagbench.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Two network namespaces with a cable between them. Closing removes them. */
record TwoHosts(String here, String there) implements AutoCloseable {
    static final String HERE_ADDRESS = "10.139.77.1";
    static final String THERE_ADDRESS = "10.139.77.2";

    private static final String CABLE = "cable";

    /**
     * Creates them, or skips the test, with a reason, if that is not possible.
     *
     * @param name of the test
     */
    static TwoHosts create(String name) throws IOException, InterruptedException {
        Namespaces.assumeCreatable();
        String prefix = "lagbench-" + name + "-" + ProcessHandle.current().pid();
        TwoHosts hosts = new TwoHosts(prefix + "-a", prefix + "-b");
        Namespaces.ip("netns", "add", hosts.here);
        Namespaces.ip("netns", "add", hosts.there);
        Namespaces.ip(
                "link", "add", CABLE, "netns", hosts.here, "type", "veth", "peer", "name", CABLE, "netns", hosts.there);
        for (String host : List.of(hosts.here, hosts.there)) {
            String address = host.equals(hosts.here) ? HERE_ADDRESS : THERE_ADDRESS;
            Namespaces.ip("-n", host, "address", "add", address + "/24", "dev", CABLE);
            Namespaces.ip("-n", host, "link", "set", CABLE, "up");
            Namespaces.ip("-n", host, "link", "set", "lo", "up");
        }
        Namespaces.awaitRunning(CABLE, hosts.here, hosts.there);
        return hosts;
    }

    /** Returns the prefix of the command line of a program on a host, with variables such as {@code A=b}. */
    static List<String> on(String host, String... variables) {
        List<String> prefix = new ArrayList<>(List.of("ip", "netns", "exec", host, "env"));
        prefix.addAll(List.of(variables));
        return prefix;
    }

    /** Sets a host's end of the cable up or down. */
    static void setCable(String host, boolean isUp) throws IOException {
        Namespaces.ip("-n", host, "link", "set", CABLE, isUp ? "up" : "down");
    }

    @Override
    public void close() throws IOException {
        Namespaces.delete(List.of(here, there));
    }
}
