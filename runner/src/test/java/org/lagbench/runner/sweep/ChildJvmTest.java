package org.lagbench.runner.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChildJvmTest {
    private static final String EXCLUDE = "-XX:CompileCommand=exclude,";

    @Test
    void namesMethodsThatExist() throws Exception {
        List<String> methods = ChildJvm.options().stream()
                .filter(option -> option.startsWith(EXCLUDE))
                .map(option -> option.substring(EXCLUDE.length()))
                .toList();
        assertThat(methods).hasSize(2);
        for (String method : methods) {
            String[] parts = method.split("::", -1);
            assertThat(Arrays.stream(Class.forName(parts[0]).getDeclaredMethods()))
                    .as(method)
                    .anyMatch(declared -> declared.getName().equals(parts[1]));
        }
    }

    @Test
    void readsEachOptionOfOptionFiles() {
        assertThat(ChildJvm.options())
                .containsSequence("--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED")
                .containsOnlyOnce("-XX:+DisplayVMOutputToStderr")
                .allMatch(option -> option.startsWith("-") || option.matches("[a-z.]+/.+=ALL-UNNAMED"));
    }
}
