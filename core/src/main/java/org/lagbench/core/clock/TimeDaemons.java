package org.lagbench.core.clock;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Finds this host's processes that synchronize a clock. */
final class TimeDaemons {
    static final String CHRONYD = "chronyd";

    private static final List<String> NAMES = List.of(
            CHRONYD, "ntpd", "openntpd", "systemd-timesyncd", "ptp4l", "phc2sys", "timemaster", "ptpd", "sfptpd");

    /** The kernel truncates a process's name to this number of characters. */
    private static final int KERNEL_NAME_CHARACTERS = 15;

    /** Longer than the number, the name and the state of a process with one of the names. */
    private static final int STAT_BYTES = 64;

    private static final Map<String, String> BY_KERNEL_NAME = NAMES.stream()
            .collect(Collectors.toUnmodifiableMap(
                    name -> name.substring(0, Math.min(KERNEL_NAME_CHARACTERS, name.length())), Function.identity()));

    /** A process that synchronizes a clock. */
    record TimeDaemon(String name, long pid) {
        @Override
        public String toString() {
            return name + " (process " + pid + ")";
        }
    }

    private TimeDaemons() {}

    /** Returns the running daemons in order of their process numbers; none if /proc is hidden. */
    static List<TimeDaemon> running(Path proc) {
        String[] entries = proc.toFile().list();
        List<TimeDaemon> found = new ArrayList<>();
        for (String entry : entries == null ? new String[0] : entries) {
            String name = Character.isDigit(entry.charAt(0)) ? BY_KERNEL_NAME.get(livingProcess(proc, entry)) : null;
            if (name != null) {
                found.add(new TimeDaemon(name, Long.parseLong(entry)));
            }
        }
        found.sort(Comparator.comparingLong(TimeDaemon::pid));
        return found;
    }

    /** Returns the name of a process, empty if it has ended. The file holds "1234 (name) S …", see proc(5). */
    private static String livingProcess(Path proc, String process) {
        // not a channel, which takes more CPU time: a host can have thousands of processes
        try (FileInputStream file = new FileInputStream(proc + "/" + process + "/stat")) {
            String stat = new String(file.readNBytes(STAT_BYTES), StandardCharsets.ISO_8859_1);
            int open = stat.indexOf('(');
            int close = stat.lastIndexOf(')');
            boolean ended = close < 0 || stat.startsWith(" Z", close + 1) || stat.startsWith(" X", close + 1);
            return ended || open < 0 ? "" : stat.substring(open + 1, close);
        } catch (IOException e) {
            return ""; // the process has just ended
        }
    }
}
