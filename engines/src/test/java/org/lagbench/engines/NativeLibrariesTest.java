package org.lagbench.engines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibrariesTest {
    /** A process that is killed while it unpacks a library to /tmp would leave it there. */
    @Test
    void areLoadedFromInstallation(@TempDir Path directory) throws Exception {
        // As in an installation, the jars of the engines' libraries are not on the class path.
        String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !Path.of(entry).getFileName().toString().matches("(grpc-)?netty-.*\\.jar"))
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", classPath, Engines.class.getName(), directory.toString()));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(child.getInputStream().readAllBytes(), UTF_8);

        assertThat(child.waitFor()).as(printed).isZero();
        assertThat(printed).contains("all libraries");
    }

    /** Opens the engines that have native libraries, and looks where these are. */
    static final class Engines {
        private static final List<List<String>> CASES = List.of(
                List.of("quic", "udp", "", "libnetty_quiche"),
                List.of("netty", "udp", "epoll", "libnetty_transport_native_epoll"),
                List.of("grpc", "tcp", "", "libio_grpc_netty_shaded_netty_transport_native_epoll"));

        private Engines() {}

        public static void main(String[] arguments) throws Exception {
            int number = 0;
            for (List<String> each : CASES) {
                Path directory = Files.createDirectory(Path.of(arguments[0], "" + number++));
                Map<String, String> settings = each.get(2).isEmpty() ? Map.of() : Map.of("io", each.get(2));
                InterfaceRun.open(directory, each.get(0), each.get(1), settings, 100, 10, 2, 5)
                        .close();
                try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
                    assertThat(maps.filter(line -> line.contains(each.get(3))))
                            .isNotEmpty()
                            .allMatch(line -> Files.isRegularFile(Path.of(line.substring(line.indexOf('/')))));
                }
            }
            System.out.println("all libraries");
            System.exit(0); // gRPC's threads
        }
    }
}
