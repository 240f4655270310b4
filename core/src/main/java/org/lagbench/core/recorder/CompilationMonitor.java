package org.lagbench.core.recorder;

import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.CompilationFacts;

/**
 * Waits for this JVM's compilers before the recorded packets of a run, and measures compilation while they are sent or
 * received. They compile methods in the background, so that code may stay slow long after the call that made its
 * compilation due.
 *
 * <p>Linux shows whether they work: their threads, whose names contain {@code CompilerThre}, sleep when nothing is left
 * to compile. Used by one thread, except the methods without a run, which are thread-safe; allocates.
 */
public final class CompilationMonitor implements Recorder {
    /** The longest time that a run waits for the compilers, the sum of all its waits. */
    public static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private static final Path THREADS = Path.of("/proc/self/task");
    private static final String NAME = "CompilerThre";
    private static final char SLEEPING = 'S';

    private static final long LOOK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(5);

    /**
     * The number of successive checks that must find all compilers idle; a compiler that waits for a lock looks idle.
     */
    private static final int IDLE_LOOKS = 4;

    private static final @Nullable CompilationMXBean COMPILATION = compilation();

    private Duration left = LONGEST_WAIT;
    private @Nullable Boolean isIdle;
    private long beganMs;
    private @Nullable Long tookMs;

    /** Waits, after the warm-up packets, until the compilers are idle. */
    public void awaitIdle() {
        long beganNs = System.nanoTime();
        isIdle = awaitIdle(left);
        left = left.minusNanos(System.nanoTime() - beganNs);
    }

    @Override
    public String name() {
        return "compilationMs";
    }

    @Override
    public void begin() {
        beganMs = workedMs();
    }

    @Override
    public void end() {
        tookMs = workedMs() - beganMs;
    }

    @Override
    public List<CompilationFacts> metadata() {
        return List.of(new CompilationFacts(tookMs, isIdle));
    }

    /**
     * Waits until nothing is left to compile. Does not wait if the platform does not show the compilers' threads.
     *
     * @param atMost the longest wait
     * @return whether nothing was left
     */
    static boolean awaitIdle(Duration atMost) {
        long deadlineNs = System.nanoTime() + atMost.toNanos();
        List<Path> threads = threads(); // each JVM of lagbench starts all its compilers at once
        while (!areIdle(threads)) {
            if (System.nanoTime() - deadlineNs >= 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean areIdle(List<Path> threads) {
        long workedMs = workedMs();
        for (int look = 0; look < IDLE_LOOKS; look++) {
            LockSupport.parkNanos(LOOK_INTERVAL_NS);
            for (Path thread : threads) {
                if (!sleepsOrHasEnded(text(thread.resolve("stat")))) {
                    return false;
                }
            }
        }
        return workedMs() == workedMs;
    }

    /** Returns the compilation time since this JVM started, in ms, updated after each method; 0 without a compiler. */
    public static long workedMs() {
        return COMPILATION == null ? 0 : COMPILATION.getTotalCompilationTime();
    }

    /** Returns the threads that exist now; none if the platform does not show them. */
    private static List<Path> threads() {
        try (Stream<Path> threads = Files.list(THREADS)) {
            return threads.filter(thread -> text(thread.resolve("comm")).contains(NAME))
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** @param stat number, name in parentheses, state …; empty if the thread has ended */
    static boolean sleepsOrHasEnded(String stat) {
        int afterName = stat.lastIndexOf(") ");
        return afterName < 0 || stat.charAt(afterName + 2) == SLEEPING;
    }

    /** Returns the text of a file; empty if the thread has ended. */
    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    private static @Nullable CompilationMXBean compilation() {
        CompilationMXBean compilation = ManagementFactory.getCompilationMXBean();
        return compilation != null && compilation.isCompilationTimeMonitoringSupported() ? compilation : null;
    }
}
