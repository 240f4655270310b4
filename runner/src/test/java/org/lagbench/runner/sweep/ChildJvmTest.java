package org.lagbench.runner.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChildJvmTest {
    private static final String EXCLUDE = "-XX:CompileCommand=exclude,";

    @Test
    void namesMethodsThatExist() throws Exception {
        List<String> methods = ChildJvm.options().stream()
                .filter(option -> option.startsWith(EXCLUDE))
                .map(option -> option.substring(EXCLUDE.length()))
                .toList();
        assertThat(methods).hasSize(3);
        for (String method : methods) {
            String[] parts = method.split("::", -1);
            assertThat(Arrays.stream(Class.forName(parts[0]).getDeclaredMethods()))
                    .as(method)
                    .anyMatch(declared -> declared.getName().equals(parts[1]));
        }
    }

    /** The parent parses the standard output of a child, and users that of a command. */
    @ParameterizedTest
    @CsvSource({"-XX:+UseLargePages, 0, UseLargePages", "-Xms9m -Xmx8m, 1, Error occurred during initialization of VM"})
    void printsMessagesOfJvmToErrorOutput(String wrong, int exitCode, String message) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ChildJvm.options());
        command.addAll(List.of(wrong.split(" ", -1)));
        command.add("-version");
        Process jvm = new ProcessBuilder(command).start();
        String printed = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String errors = new String(jvm.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(jvm.waitFor()).as(errors).isEqualTo(exitCode);
        assertThat(printed).isEmpty();
        assertThat(errors).contains(message);
    }

    @Test
    void advisesToFixOptionsOnlyIfTheyAreWrong() {
        assertThat(ChildJvm.refusal(List.of(
                        "Unrecognized VM option 'UseNoGC'",
                        "Error: Could not create the Java Virtual Machine.",
                        "Error: A fatal exception has occurred. Program will exit.")))
                .isEqualTo("Unrecognized VM option 'UseNoGC'. Fix the key jvm of the experiment.");
        assertThat(ChildJvm.refusal(List.of(
                        "Error occurred during initialization of VM",
                        "The Java thread stack size specified is too small. Specify at least 136k")))
                .endsWith("Fix the key jvm of the experiment.");
        assertThat(ChildJvm.refusal(List.of(
                        "Error occurred during initialization of VM",
                        "Cannot create worker GC thread. Out of system resources.")))
                .isEqualTo("Cannot create worker GC thread. Out of system resources. Allow this user more processes and"
                        + " threads: ulimit -u, or pids.max of the cgroup.");
        assertThat(ChildJvm.refusal(List.of("lagbench: stopped"))).isNull();
    }

    @Test
    void readsEachOptionOfOptionFiles() {
        assertThat(ChildJvm.options())
                .containsSequence("--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED")
                .containsOnlyOnce("-XX:+DisplayVMOutputToStderr")
                .allMatch(option -> option.startsWith("-") || option.matches("[a-z.]+/.+=ALL-UNNAMED"));
    }
}
