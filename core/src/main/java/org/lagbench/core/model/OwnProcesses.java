package org.lagbench.core.model;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** The processes of the lagbench program that this process belongs to, such as the sender and receiver of a sweep. */
final class OwnProcesses {
    private static final String PROGRAM = "\0org.lagbench.";

    private OwnProcesses() {}

    /** Returns the outermost ancestor of a process that is a program of lagbench; the process itself if none is. */
    static ProcessHandle outermost(ProcessHandle process) {
        ProcessHandle outermost = process;
        for (ProcessHandle each = process; each != null; each = each.parent().orElse(null)) {
            outermost = isProgram(each.pid()) ? each : outermost;
        }
        return outermost;
    }

    private static boolean isProgram(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1)
                    .contains(PROGRAM);
        } catch (IOException e) {
            return false; // it has ended, or this user must not read it
        }
    }

    /** Returns the CPU time of a process and all its descendants that still run. */
    static Duration cpuTime(ProcessHandle program) {
        return Stream.concat(Stream.of(program), program.descendants())
                .map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }
}
