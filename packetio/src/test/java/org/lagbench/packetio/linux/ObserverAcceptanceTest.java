package org.lagbench.packetio.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lagbench.core.cause.SchedulerRecord;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.linux.LinuxPacketRecord.Kind;

/**
 * Kernels with all that a program of the observer needs accept it. Where one does not, other tests are only skipped.
 */
class ObserverAcceptanceTest {
    private static final Pattern SINCE = Pattern.compile("refuses its observer.*Use Linux (\\d+)\\.(\\d+) or later");
    private static final Pattern RUNNING = Pattern.compile("(\\d+)\\.(\\d+)");

    @ParameterizedTest
    @EnumSource(Kind.class)
    void acceptsProgramsOfPackets(Kind kind) {
        LagbenchException reason = LinuxPacketRecord.unavailableReason(kind);
        assertIsOlderThanNeeded(reason == null ? null : reason.sentence());
    }

    @Test
    void acceptsProgramsOfWaits() throws Exception {
        long process = ProcessHandle.current().pid(); // also the number of its first thread
        try (SchedulerRecord record = new LinuxSchedulerRecord.Provider().open(process, 0)) {
            assertIsOlderThanNeeded(record.withoutPrograms());
        }
    }

    private static void assertIsOlderThanNeeded(@Nullable String refusal) {
        if (refusal != null) {
            Matcher since = SINCE.matcher(refusal);
            assumeTrue(since.find(), refusal);
            Matcher running = RUNNING.matcher(System.getProperty("os.version"));
            assertThat(running.find()).isTrue();
            assertThat(version(running)).as(refusal).isLessThan(version(since));
        }
    }

    private static int version(Matcher version) {
        return Integer.parseInt(version.group(1)) * 1_000 + Integer.parseInt(version.group(2));
    }
}
