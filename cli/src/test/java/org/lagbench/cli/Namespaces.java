package org.lagbench.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    static void assumeCreatable() throws IOException, InterruptedException {
        assumeTrue(IS_ROOT, "only root may make network namespaces");
        String probe = "lagbench-lab-probe-" + ProcessHandle.current().pid();
        assumeTrue(ip("add", probe) == 0, "this machine, maybe a container, lets root make no network namespaces");
        ip("delete", probe);
        assumeTrue(Files.exists(Path.of("/dev/net/tun")), "this machine has no /dev/net/tun");
    }

    private static int ip(String what, String namespace) throws IOException, InterruptedException {
        return new ProcessBuilder("ip", "netns", what, namespace)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
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
