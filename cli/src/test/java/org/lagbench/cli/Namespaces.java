package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The network namespaces of labs, which only root can create. */
final class Namespaces {
    private static final Path DIRECTORY = Path.of("/run/netns");
    private static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));

    /** Prefix of the command line of a program that may not create namespaces. */
    static final List<String> WITHOUT_THE_RIGHT =
            IS_ROOT ? List.of("setpriv", "--bounding-set=-net_admin,-sys_admin") : List.of("env");

    private Namespaces() {}

    /** Skips the test, with a reason, if labs cannot be created. */
    static synchronized void assumeCreatable() throws IOException, InterruptedException {
        assumeTrue(IS_ROOT, "only root may make network namespaces");
        String probe = "lagbench-lab-probe-" + ProcessHandle.current().pid();
        assumeTrue(tryIp("add", probe) == 0, "this machine, maybe a container, lets root make no network namespaces");
        tryIp("delete", probe);
        assumeTrue(Files.exists(Path.of("/dev/net/tun")), "this machine has no /dev/net/tun");
    }

    private static int tryIp(String what, String namespace) throws IOException, InterruptedException {
        return new ProcessBuilder("ip", "netns", what, namespace)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    /** Runs ip, which must succeed. */
    static void ip(String... arguments) throws IOException {
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

    /** Waits until both ends of a cable run: a new carrier is reported later. */
    static void awaitRunning(String cable, String host, String other) {
        await().atMost(Duration.ofMinutes(2)).until(() -> isRunning(host, cable) && isRunning(other, cable));
    }

    private static boolean isRunning(String host, String cable) throws IOException {
        Process show = new ProcessBuilder("ip", "-n", host, "link", "show", "dev", cable, "up").start();
        return new String(show.getInputStream().readAllBytes(), StandardCharsets.UTF_8).contains("state UP");
    }

    /** Deletes those that exist. */
    static void delete(List<String> namespaces) throws IOException {
        for (String namespace : namespaces) {
            if (Files.exists(DIRECTORY.resolve(namespace))) {
                ip("netns", "delete", namespace);
            }
        }
    }

    /** Returns the existing namespaces of a lab. */
    static List<String> of(String lab) throws IOException {
        if (!Files.exists(DIRECTORY)) {
            return List.of();
        }
        try (Stream<Path> namespaces = Files.list(DIRECTORY)) {
            return namespaces
                    .map(namespace -> namespace.getFileName().toString())
                    .filter(name -> name.startsWith("lagbench-lab-" + lab + "-"))
                    .toList();
        }
    }
}
