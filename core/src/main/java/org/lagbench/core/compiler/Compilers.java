package org.lagbench.core.compiler;

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

/**
 * What this JVM's compilers do. They compile beside the program what it has called often enough, one method after
 * another, so that code may be slow for long after the call that made it due: a run whose warm-up is over waits for
 * them.
 *
 * <p>Whether they are at work is known by Linux, whose name for their threads begins with the compiler's, such as
 * {@code C2 CompilerThre}: they sleep when nothing is left to compile. Thread-safe; allocates.
 */
final class Compilers {
    private static final Path THREADS = Path.of("/proc/self/task");
    private static final String NAME = "CompilerThre";
    private static final char SLEEPING = 'S';

    private static final long LOOK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(5);

    /** A compiler that waits for a lock looks as one that has nothing to do. */
    private static final int IDLE_LOOKS = 4;

    private static final @Nullable CompilationMXBean COMPILATION = compilation();

    private Compilers() {}

    /**
     * Waits until nothing is left to compile. Where the platform does not tell, it does not wait.
     *
     * @param atMost how long at the most
     * @return whether nothing was left
     */
    static boolean awaitIdle(Duration atMost) {
        long deadlineNs = System.nanoTime() + atMost.toNanos();
        while (!areIdle(threads())) {
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

    /**
     * How long they have worked since this JVM began, in ms, as they reckon it after each method; 0 if there are none.
     */
    static long workedMs() {
        return COMPILATION == null ? 0 : COMPILATION.getTotalCompilationTime();
    }

    /** Those of now: the JVM makes more when there is much to do. None where the platform does not tell. */
    private static List<Path> threads() {
        try (Stream<Path> threads = Files.list(THREADS)) {
            return threads.filter(thread -> text(thread.resolve("comm")).contains(NAME))
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** @param stat number, name in parentheses, state …; empty of a thread that has ended */
    static boolean sleepsOrHasEnded(String stat) {
        int afterName = stat.lastIndexOf(") ");
        return afterName < 0 || stat.charAt(afterName + 2) == SLEEPING;
    }

    /** Nothing of a thread that has ended. */
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
