package org.lagbench.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Identifies a process, also after its PID was reused.
 *
 * @param startTicks when it started, in clock ticks since boot: field 22 of /proc/PID/stat, see proc(5)
 */
record ProcessId(long pid, long startTicks) {
    private static final int STATE = 0; // index among the fields after the program's name
    private static final int START = 19;

    /** Returns the identity of this process. */
    static ProcessId own() {
        return of(ProcessHandle.current().pid());
    }

    /** Returns the identity of the process that has this PID now. */
    static ProcessId of(long pid) {
        List<String> fields = fields(pid);
        return new ProcessId(pid, fields.isEmpty() ? -1 : Long.parseLong(fields.get(START)));
    }

    /** Returns whether the process still runs. A zombie does not. */
    boolean isRunning() {
        List<String> fields = fields(pid);
        return !fields.isEmpty()
                && Long.parseLong(fields.get(START)) == startTicks
                && !List.of("Z", "X").contains(fields.get(STATE));
    }

    /**
     * Returns the fields after the program's name, which may contain spaces and parentheses; empty without a process.
     */
    private static List<String> fields(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return List.of(stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1));
        } catch (IOException e) {
            return List.of();
        }
    }
}
