import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An agent that makes its JVM collect garbage by System.gc() again and again, keeps enough objects alive that a
 * collection takes its time, and writes begin and end of each: two numbers a line, CLOCK_REALTIME in ns.
 */
public final class ForcedCollections {
    private static final int LIVE_OBJECTS = 400_000;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(800);

    private static Object[] live;

    private ForcedCollections() {}

    /** Starts the agent; the argument is the file to write to. */
    public static void premain(String file) throws IOException {
        live = new Object[LIVE_OBJECTS];
        for (int i = 0; i < live.length; i++) {
            live[i] = new Object[] {i == 0 ? null : live[i - 1]};
        }
        PrintStream out = new PrintStream(Files.newOutputStream(Path.of(file)), true);
        Thread thread = new Thread(() -> collect(out), "forced-collections");
        thread.setDaemon(true);
        thread.start();
    }

    private static void collect(PrintStream out) {
        while (true) {
            LockSupport.parkNanos(PAUSE_NS);
            long beginNs = nowNs();
            System.gc();
            out.println(beginNs + " " + nowNs());
        }
    }

    private static long nowNs() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }
}
