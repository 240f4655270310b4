package org.lagbench.core.control;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * Hears what the receiver says from the handshake to {@link ControlMessage.Counted}: one thread reads, so that the
 * receiver's end is noticed at once whatever the sending thread does. What breaks the run is kept, and the sending
 * thread is freed. Answers about the clock and the other messages are waited for apart, each kind by one thread.
 */
public final class ControlReader implements AutoCloseable {
    private static final long LOOK_INTERVAL_MS = 100;

    /** What broke a connection for packets is on its way over this one, or nothing is. */
    private static final long EXPLANATION_TIMEOUT_S = 5;

    /** A message and when it had come, CLOCK_REALTIME in ns. */
    public record Heard(ControlMessage message, long atNs) {}

    private final ControlConnection connection;
    private final BlockingQueue<Heard> messages = new LinkedBlockingQueue<>();
    private final BlockingQueue<Heard> clockAnswers = new LinkedBlockingQueue<>();
    private final CountDownLatch broken = new CountDownLatch(1);
    private final Thread reader = new Thread(this::readAll, "receiver-voice");
    private volatile @Nullable LagbenchException failure;
    private volatile Runnable abort = () -> {};
    private volatile boolean closed;

    private ControlReader(ControlConnection connection) {
        this.connection = connection;
        reader.setDaemon(true);
    }

    /**
     * Begins to listen; from now on nobody else reads from the connection until {@link ControlMessage.Counted} came.
     */
    public static ControlReader of(ControlConnection connection) {
        ControlReader voice = new ControlReader(connection);
        voice.reader.start();
        return voice;
    }

    /**
     * Says what frees the sending thread; it is called by another thread, and at once if the run has broken already.
     */
    public void onBreak(Runnable freeTheSender) {
        abort = freeTheSender;
        if (failure != null) {
            freeTheSender.run();
        }
    }

    /**
     * Waits for the receiver's next message that is no answer about the clock.
     *
     * @throws LagbenchException if the run has broken, or the receiver says nothing for so long
     */
    public <T extends ControlMessage> T await(Class<T> type, Duration timeout) throws LagbenchException {
        return expect(await(messages, timeout).message(), type);
    }

    /** Waits for the receiver's next answer about the clock. */
    public Heard awaitClockAnswer(Duration timeout) throws LagbenchException {
        return await(clockAnswers, timeout);
    }

    /** Casts a message to the type that must come now. */
    public <T extends ControlMessage> T expect(ControlMessage message, Class<T> type) throws LagbenchException {
        try {
            return ControlConnection.expect(message, type);
        } catch (ControlConnection.RefusedException e) {
            throw e.asFailure();
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.BROKEN, "The receiver at " + connection.peer() + " said " + e.getMessage() + ".", e);
        }
    }

    private Heard await(BlockingQueue<Heard> queue, Duration timeout) throws LagbenchException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        try {
            boolean last;
            do {
                last = System.nanoTime() - deadlineNs >= 0;
                Heard heard = queue.poll(LOOK_INTERVAL_MS, TimeUnit.MILLISECONDS);
                if (heard != null) {
                    return heard;
                }
                LagbenchException known = failure;
                if (known != null && queue.isEmpty()) {
                    throw known;
                }
            } while (!last);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new LagbenchException(
                ExitCode.BROKEN,
                "The receiver at " + connection.peer() + " has said nothing for " + timeout.toSeconds() + " s.");
    }

    /**
     * Why the run broke: what was heard if anything is within some seconds, else what the sending thread met. The end
     * of a receiver is noticed on several connections in any order, and only this one tells its cause.
     */
    public LagbenchException explain(IOException met) {
        return explain(new LagbenchException(
                ExitCode.BROKEN, "Sending to " + connection.peer() + " failed in mid-run: " + met.getMessage(), met));
    }

    /** The same for a failure that has its own words. */
    public LagbenchException explain(LagbenchException met) {
        try {
            if (broken.await(EXPLANATION_TIMEOUT_S, TimeUnit.SECONDS)) {
                LagbenchException known = failure;
                if (known != null) {
                    return known;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return met;
    }

    /** Breaks the run: keeps why, unless it has broken before, and frees the sending thread. From any thread. */
    public void fail(LagbenchException why) {
        synchronized (broken) {
            if (failure == null) {
                failure = why;
            }
        }
        broken.countDown();
        abort.run();
    }

    private void readAll() {
        try {
            ControlMessage message;
            do {
                message = connection.read();
                Heard heard = new Heard(message, connection.lastReadNs());
                if (message instanceof ControlMessage.Refused refused) {
                    messages.add(heard);
                    fail(new ControlConnection.RefusedException(refused).asFailure());
                } else if (message instanceof ControlMessage.Pong || message instanceof ControlMessage.ClockIs) {
                    clockAnswers.add(heard);
                } else {
                    messages.add(heard);
                }
            } while (!(message instanceof ControlMessage.Counted || message instanceof ControlMessage.Refused));
        } catch (IOException e) {
            if (!closed) {
                fail(new LagbenchException(
                        ExitCode.BROKEN,
                        "The receiver at " + connection.peer() + " has gone in mid-run (" + e.getMessage() + ").",
                        e));
            }
        }
    }

    /** From now on the end of the connection, which its owner closes, is no failure. */
    @Override
    public void close() {
        closed = true;
    }
}
