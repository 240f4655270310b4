package org.lagbench.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A process, told from a later one that was given the same number.
 *
 * @param pid its number
 * @param startTicks when it started, in clock ticks since the machine did: field 22 of /proc/PID/stat, see proc(5)
 */
record ProcessId(long pid, long startTicks) {
    private static final int STATE = 0; // of the fields after the name
    private static final int START = 19;

    /** This process. */
    static ProcessId own() {
        return of(ProcessHandle.current().pid());
    }

    /** The process that has this number now. */
    static ProcessId of(long pid) {
        List<String> fields = fields(pid);
        return new ProcessId(pid, fields.isEmpty() ? -1 : Long.parseLong(fields.get(START)));
    }

    /** Whether it still runs; one that is dead and not yet waited for does not. */
    boolean isRunning() {
        List<String> fields = fields(pid);
        return !fields.isEmpty()
                && Long.parseLong(fields.get(START)) == startTicks
                && !List.of("Z", "X").contains(fields.get(STATE));
    }

    /** The fields after the program's name, which may have blanks and parentheses; none if there is no such process. */
    private static List<String> fields(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return List.of(stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1));
        } catch (IOException e) {
            return List.of();
        }
    }
}
