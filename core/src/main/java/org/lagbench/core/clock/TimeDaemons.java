package org.lagbench.core.clock;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds this host's processes that synchronize a clock. */
final class TimeDaemons {
    static final String CHRONYD = "chronyd";

    private static final List<String> NAMES = List.of(
            CHRONYD, "ntpd", "openntpd", "systemd-timesyncd", "ptp4l", "phc2sys", "timemaster", "ptpd", "sfptpd");

    /** The kernel truncates a process's name to this number of characters. */
    private static final int KERNEL_NAME_CHARACTERS = 15;

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
        List<TimeDaemon> found = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[1-9]*")) {
            for (Path process : processes) {
                String kernelName = livingProcess(process);
                long pid = Long.parseLong(process.getFileName().toString());
                NAMES.stream()
                        .filter(name -> name.substring(0, Math.min(KERNEL_NAME_CHARACTERS, name.length()))
                                .equals(kernelName))
                        .forEach(name -> found.add(new TimeDaemon(name, pid)));
            }
        } catch (IOException e) {
            return List.of(); // there is no /proc
        }
        found.sort(Comparator.comparingLong(TimeDaemon::pid));
        return found;
    }

    /** Returns the name of a process, empty if it has ended. The file holds "1234 (name) S …", see proc(5). */
    private static String livingProcess(Path process) {
        try {
            String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
            int open = stat.indexOf('(');
            int close = stat.lastIndexOf(')');
            boolean ended = close < 0 || stat.startsWith(" Z", close + 1) || stat.startsWith(" X", close + 1);
            return ended || open < 0 ? "" : stat.substring(open + 1, close);
        } catch (IOException e) {
            return ""; // the process has just ended
        }
    }
}
