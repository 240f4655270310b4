package org.lagbench.native1394;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

@EnabledIf(value = StreamRun.IS_POSSIBLE, disabledReason = StreamRun.NO_LIBRARY)
class VirtualBusTest {
    @Test
    void streamsInAChildProcessUnderJniChecks() throws Exception {
        try (VirtualBus bus = VirtualBus.create()) {
            Process child = ChildJvm.start(bus.environment(), List.of("-Xcheck:jni"), "flood");
            String output = output(child);

            assertThat(output).contains("received 500").doesNotContain("WARNING", "FATAL");
            assertThat(child.waitFor()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/home/a user/lib.so", "/srv/a:b/lib.so"})
    void namesFolderThatCannotBePreloadedFrom(String library) {
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> VirtualBus.requirePreloadable(Path.of(library)))
                .withMessageContaining(
                        "cannot be preloaded from " + Path.of(library).getParent())
                .extracting(LagbenchException::exitCode)
                .isEqualTo(ExitCode.UNAVAILABLE);
    }

    @Test
    void usesAPrivateDirectoryAndRemovesIt() throws Exception {
        VirtualBus bus = VirtualBus.create();
        assertThat(bus.directory()).doesNotExist();
        Process holder = ChildJvm.start(bus.environment(), List.of(), "hold", "9");
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).isEqualTo("holding 9");
            assertThat(Files.getPosixFilePermissions(bus.directory()))
                    .isEqualTo(PosixFilePermissions.fromString("rwx------"));
            assertThat(processesStartedFor(bus.directory())).hasSize(1);
        } finally {
            holder.destroyForcibly();
        }
        assertThat(holder.waitFor(60, TimeUnit.SECONDS)).isTrue();

        bus.close();
        bus.close();
        assertThat(bus.directory()).doesNotExist();
        assertThat(processesStartedFor(bus.directory())).isEmpty();
    }

    @Test
    void deletesDirectoryOfKilledDaemonAtNextStart() throws Exception {
        VirtualBus bus = VirtualBus.create();
        Process holder = ChildJvm.start(bus.environment(), List.of(), "hold", "9");
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).isEqualTo("holding 9");
            VirtualBus.create().close();
            assertThat(bus.directory()).isDirectory(); // its daemon lives

            for (ProcessHandle daemon : processesStartedFor(bus.directory())) {
                daemon.destroyForcibly();
                daemon.onExit().get(60, TimeUnit.SECONDS);
            }
        } finally {
            holder.destroyForcibly();
        }
        assertThat(bus.directory()).isDirectory();
        VirtualBus.create().close();
        assertThat(bus.directory()).doesNotExist();
    }

    @Test
    void givesAdviceWithoutBus() throws Exception {
        Process child = ChildJvm.start(Map.of(), List.of(), "open", "400");
        String output = output(child);

        // On a machine with a real bus, the child opens the real bus.
        if (!output.startsWith("opened")) {
            assertThat(output).contains("no IEEE-1394 port").contains("lagbench bus");
            assertThat(child.waitFor()).isEqualTo(ExitCode.UNAVAILABLE.code());
        }
    }

    @Test
    void rejectsASpeedAboveThePorts() throws Exception {
        try (VirtualBus bus = VirtualBus.create()) {
            Map<String, String> slow = new HashMap<>(bus.environment());
            slow.put("LAGBENCH_BUS_SPEED", "S400");
            Process child = ChildJvm.start(slow, List.of(), "open", "800");

            assertThat(output(child)).contains("port 0").contains("slower than the requested speed");
            assertThat(child.waitFor()).isEqualTo(ExitCode.UNAVAILABLE.code());
        }
    }

    @Test
    void releasesTheReservationOfAKilledSender() throws Exception {
        Port before = Port.list().get(0);
        Process holder = ChildJvm.start(thisBus(), List.of(), "hold", "9");
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).isEqualTo("holding 9");
            assertThat(Port.list().get(0).channels()).isEqualTo(before.channels() & ~(1L << 9));
            holder.destroyForcibly();
            assertThat(holder.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
        await().atMost(60, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(Port.list().get(0)).isEqualTo(before));
    }

    private static List<ProcessHandle> processesStartedFor(Path directory) {
        return ProcessHandle.allProcesses()
                .filter(process -> List.of(process.info().arguments().orElse(new String[0]))
                        .contains(directory.toString()))
                .toList();
    }

    /** Returns the environment variables that put this JVM itself on a bus. */
    private static Map<String, String> thisBus() {
        return Map.of(
                "LD_PRELOAD",
                System.getenv("LD_PRELOAD"),
                VirtualBus.DIRECTORY_VARIABLE,
                System.getenv(VirtualBus.DIRECTORY_VARIABLE),
                VirtualBus.DAEMON_VARIABLE,
                System.getenv(VirtualBus.DAEMON_VARIABLE));
    }

    private static String output(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
