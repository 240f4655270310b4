package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
        ip("netns", "add", hosts.here);
        ip("netns", "add", hosts.there);
        ip("link", "add", CABLE, "netns", hosts.here, "type", "veth", "peer", "name", CABLE, "netns", hosts.there);
        for (String host : List.of(hosts.here, hosts.there)) {
            String address = host.equals(hosts.here) ? HERE_ADDRESS : THERE_ADDRESS;
            ip("-n", host, "address", "add", address + "/24", "dev", CABLE);
            ip("-n", host, "link", "set", CABLE, "up");
            ip("-n", host, "link", "set", "lo", "up");
        }
        await().until(() -> isRunning(hosts.here) && isRunning(hosts.there)); // a new carrier is reported later
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
        ip("-n", host, "link", "set", CABLE, isUp ? "up" : "down");
    }

    private static boolean isRunning(String host) throws IOException {
        Process show = new ProcessBuilder("ip", "-n", host, "link", "show", "dev", CABLE, "up").start();
        return new String(show.getInputStream().readAllBytes(), StandardCharsets.UTF_8).contains("state UP");
    }

    private static void ip(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        assertThat(new ProcessBuilder(command)
                        .inheritIO()
                        .start()
                        .onExit()
                        .join()
                        .exitValue())
                .as(String.join(" ", command))
                .isZero();
    }

    @Override
    public void close() throws IOException {
        for (String host : List.of(here, there)) {
            if (Files.exists(Path.of("/run/netns", host))) {
                ip("netns", "delete", host);
            }
        }
    }
}
