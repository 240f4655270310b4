package org.lagbench.runner.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChildJvmTest {
    private static final Path COMMON_SCRIPT = Path.of("..", "scripts", "lib", "common.sh");

    /** An option that only sweeps pass to their JVMs, whose standard output they parse. */
    private static final String OF_SWEEPS = "-XX:+DisplayVMOutputToStderr";

    @Test
    void usesJvmOptionsOfScripts() throws Exception {
        String script = Files.readString(COMMON_SCRIPT);
        List<String> byHand = Stream.of("common_jvm_options", "packet_jvm_options")
                .flatMap(array -> elements(script, array))
                .toList();
        List<String> bySweeps = ChildJvm.options().stream()
                .filter(option -> !option.startsWith("-D"))
                .toList();

        assertThat(bySweeps)
                .containsOnlyOnce(OF_SWEEPS)
                .filteredOn(option -> !option.equals(OF_SWEEPS))
                .containsExactlyInAnyOrderElementsOf(byHand);
    }

    /** Returns the options of a Bash array, without properties and the class path. */
    private static Stream<String> elements(String script, String array) {
        Matcher found = Pattern.compile("^readonly " + array + "=\\(\\n(.*?)^\\)", Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(script);
        assertThat(found.find()).as(array).isTrue();
        return found.group(1)
                .lines()
                .map(line -> line.strip().replace("\"", ""))
                .filter(line -> !line.startsWith("-D") && !line.startsWith("-classpath "))
                .flatMap(line -> Stream.of(line.split(" ", -1)));
    }
}
