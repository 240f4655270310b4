package org.lagbench.sender;

import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.lagbench.packetio.engine.SendEngine;

/**
 * Prints once a second, on its own thread, how many of the recorded packets have been sent, and the rate: "sent
 * 8000/50000 7999/s".
 */
final class SendProgress implements AutoCloseable {
    private static final long INTERVAL_S = 1;

    private final SendEngine sender;
    private final long packets;
    private final PrintStream out;
    private final CountDownLatch closed = new CountDownLatch(1);

    private SendProgress(SendEngine sender, long packets, PrintStream out) {
        this.sender = sender;
        this.packets = packets;
        this.out = out;
    }

    /** Starts to print, if enabled. */
    static SendProgress start(SendEngine sender, long packets, PrintStream out, boolean enabled) {
        SendProgress progress = new SendProgress(sender, packets, out);
        if (enabled) {
            Thread thread = new Thread(progress::printUntilClosed, "send-progress");
            thread.setDaemon(true);
            thread.start();
        }
        return progress;
    }

    private void printUntilClosed() {
        long before = 0;
        long beforeNs = System.nanoTime();
        try {
            while (!closed.await(INTERVAL_S, TimeUnit.SECONDS)) {
                long sent = Math.max(0, sender.lastSequence() + 1);
                long nowNs = System.nanoTime();
                if (sent > before) {
                    long perSecond = Math.round((sent - before) * 1e9 / (nowNs - beforeNs));
                    // Formatter's first use loads and compiles classes for tens of ms, while packets are sent.
                    out.println(String.join(
                            "",
                            "sent ",
                            Long.toString(sent),
                            "/",
                            Long.toString(packets),
                            " ",
                            Long.toString(perSecond),
                            "/s"));
                    out.flush();
                }
                before = sent;
                beforeNs = nowNs;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
