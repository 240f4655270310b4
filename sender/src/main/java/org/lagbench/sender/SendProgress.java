package org.lagbench.sender;

import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.lagbench.packetio.engine.SendEngine;

/**
 * Prints once a second how many of the recorded packets have been sent, and how many a second: "sent 8000/50000
 * 7999/s". Looks at the path from a thread of its own.
 */
final class SendProgress implements AutoCloseable {
    private static final long INTERVAL_S = 1;

    private final SendEngine path;
    private final long packets;
    private final PrintStream out;
    private final CountDownLatch closed = new CountDownLatch(1);

    private SendProgress(SendEngine path, long packets, PrintStream out) {
        this.path = path;
        this.packets = packets;
        this.out = out;
    }

    /** Begins to print, if that is wanted at all. */
    static SendProgress of(SendEngine path, long packets, PrintStream out, boolean wanted) {
        SendProgress progress = new SendProgress(path, packets, out);
        if (wanted) {
            Thread thread = new Thread(progress::tell, "sent-progress");
            thread.setDaemon(true);
            thread.start();
        }
        return progress;
    }

    private void tell() {
        long before = 0;
        long beforeNs = System.nanoTime();
        try {
            while (!closed.await(INTERVAL_S, TimeUnit.SECONDS)) {
                long sent = Math.max(0, path.lastSequence() + 1);
                long nowNs = System.nanoTime();
                if (sent > before) {
                    out.println(line(sent, Math.round((sent - before) * 1e9 / (nowNs - beforeNs))));
                    out.flush();
                }
                before = sent;
                beforeNs = nowNs;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Without the formatter, whose first use has classes loaded and compiled for tens of ms, beside the packets. */
    private String line(long sent, long perSecond) {
        return String.join(
                "", "sent ", Long.toString(sent), "/", Long.toString(packets), " ", Long.toString(perSecond), "/s");
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
