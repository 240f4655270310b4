package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lagbench.core.failure.ExitCode;

@Tag("one-java")
class ChecksTest {
    /** A CI server takes a report without tests, and exit code 0, as success. */
    @Test
    void nothingJudgedIsUndecided() {
        Checks checks = new Checks("results/empty", List.of());
        assertThat(checks.exitCode()).isEqualTo(ExitCode.UNDECIDED);
        assertThat(checks.failures()).containsExactly("results/empty: undecided (no value): nothing was judged");
        assertThat(checks.junit())
                .contains("tests=\"1\"")
                .contains("skipped=\"1\"")
                .contains("<skipped message=");
    }
}
