package org.lagbench.core.clock;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Finds the programs among this host's processes that keep a clock. */
final class TimeDaemons {
    static final String CHRONYD = "chronyd";

    /** By the name the kernel keeps, of which it cuts off what exceeds 15 characters. */
    private static final Map<String, String> NAMES = Map.of(
            CHRONYD,
            CHRONYD,
            "ntpd",
            "ntpd",
            "openntpd",
            "openntpd",
            "systemd-timesyn",
            "systemd-timesyncd",
            "ptp4l",
            "ptp4l",
            "phc2sys",
            "phc2sys",
            "timemaster",
            "timemaster",
            "ptpd",
            "ptpd",
            "sfptpd",
            "sfptpd");

    /** A process that keeps a clock. */
    record TimeDaemon(String name, long pid) {
        @Override
        public String toString() {
            return name + " (process " + pid + ")";
        }
    }

    private TimeDaemons() {}

    /** Those that run, in order of their process numbers; none where /proc is hidden. */
    static List<TimeDaemon> running(Path proc) {
        List<TimeDaemon> found = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[1-9]*")) {
            for (Path process : processes) {
                String name = NAMES.get(livingProcess(process));
                if (name != null) {
                    found.add(new TimeDaemon(
                            name, Long.parseLong(process.getFileName().toString())));
                }
            }
        } catch (IOException e) {
            return List.of(); // no /proc: nothing can be seen
        }
        found.sort(Comparator.comparingLong(TimeDaemon::pid));
        return found;
    }

    /** The name of a process, or an empty one if it has ended: "1234 (name) S …", see proc(5). */
    private static String livingProcess(Path process) {
        try {
            String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
            int open = stat.indexOf('(');
            int close = stat.lastIndexOf(')');
            boolean ended = close < 0 || stat.startsWith(" Z", close + 1) || stat.startsWith(" X", close + 1);
            return ended || open < 0 ? "" : stat.substring(open + 1, close);
        } catch (IOException e) {
            return ""; // it ended just now
        }
    }
}
