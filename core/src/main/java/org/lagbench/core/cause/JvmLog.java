package org.lagbench.core.cause;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.core.clock.ClockReadings;
import org.lagbench.core.recorder.DiagnosticCommands;

/**
 * HotSpot's log of the times in which it stopped all Java threads or collected garbage concurrently. Switched on by the
 * diagnostic command {@code VM.log}. The file has no name, so that a killed JVM leaves none. For one thread at a time.
 */
final class JvmLog implements AutoCloseable {
    /** A log line that marks the end of a span: the reading of {@link System#nanoTime}, and what ended. */
    private static final Pattern LINE = Pattern.compile("\\[(?<ns>\\d+)ns\\] (?:Safepoint \"(?<operation>\\w+)\".*"
            + " Total: +(?<total>\\d+) ns.*|GC\\(.* Concurrent .* (?<ms>\\d+\\.\\d+)ms)");

    /** The operations of the collectors of Java 17 to 25. */
    private static final Pattern COLLECTION =
            Pattern.compile("(G1|Gen|Serial|Parallel|Shenandoah|X|Z).*|\\w*(Collect|GC)\\w*");

    private static final String ON = " output_options=filecount=0 what=safepoint,gc,gc+phases decorators=tn";
    private static final String OFF = " what=all=off";

    private static final double NS_PER_MS = 1e6;
    private static final int BUFFER_BYTES = 1 << 14;

    private final String file;
    private final FileChannel lines;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);

    private JvmLog(String file, FileChannel lines) {
        this.file = file;
        this.lines = lines;
    }

    /**
     * Switches the log on.
     *
     * @throws IOException if this JVM does not allow it
     */
    static JvmLog open() throws IOException {
        DiagnosticCommands.execute("VM.version"); // loads what it needs before the file exists
        Path path = Files.createTempFile("lagbench-", ".log");
        try {
            String file = "output=\"file=" + path + "\"";
            String refusal = DiagnosticCommands.execute("VM.log " + file + ON);
            if (!refusal.isBlank()) {
                throw new IOException(refusal.strip());
            }
            return new JvmLog(file, FileChannel.open(path, StandardOpenOption.READ));
        } finally {
            Files.delete(path);
        }
    }

    /** Adds to a log what ended since the last call. Allocates only if there is something. */
    void readTo(EventLog log) throws IOException {
        while (lines.read(buffer) > 0) {
            long realtimeMinusMonotonicNs = ClockReadings.take().differenceNs();
            int end = buffer.position();
            while (end > 0 && buffer.get(end - 1) != '\n') {
                end--;
            }
            new String(buffer.array(), 0, end, StandardCharsets.UTF_8)
                    .lines()
                    .map(LINE::matcher)
                    .filter(Matcher::matches)
                    .forEach(line -> add(line, realtimeMinusMonotonicNs, log));
            buffer.limit(buffer.position()).position(end);
            buffer.compact();
        }
    }

    private static void add(Matcher line, long realtimeMinusMonotonicNs, EventLog log) {
        long endNs = Long.parseLong(line.group("ns")) + realtimeMinusMonotonicNs;
        String operation = line.group("operation");
        if (operation == null) {
            long tookNs = Math.round(Double.parseDouble(line.group("ms")) * NS_PER_MS);
            log.add(Cause.CONCURRENT_COLLECTION, endNs - tookNs, endNs);
        } else {
            Cause cause = COLLECTION.matcher(operation).matches() ? Cause.GARBAGE_COLLECTION : Cause.SAFEPOINT;
            log.add(cause, endNs - Long.parseLong(line.group("total")), endNs);
        }
    }

    /** Switches the log off. May be called more than once. */
    @Override
    public void close() {
        if (!lines.isOpen()) {
            return; // switching off a log that is not on would create its file
        }
        try (lines) {
            DiagnosticCommands.execute("VM.log " + file + OFF);
        } catch (IOException e) {
            throw new UncheckedIOException("a log that was switched on cannot be switched off", e);
        }
    }
}
