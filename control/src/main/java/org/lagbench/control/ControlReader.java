package org.lagbench.control;

import java.io.IOException;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.BackgroundThread;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Patience;
import org.lagbench.core.timeseries.ReceivedInterval;

/**
 * Reads the receiver's messages from the handshake to {@link ControlMessage.Counted} on a separate thread, so that the
 * end of the receiver is detected at once, whatever the sending thread does. Keeps the first failure of the run and
 * runs the action that unblocks the sending thread. Replies about the clock and other messages go to two queues, each
 * for one waiting thread; intervals of a watched run go to a listener.
 */
public final class ControlReader implements AutoCloseable {
    private static final long LOOK_INTERVAL_MS = 100;

    /** The limit of unread messages. An honest receiver never has as many. */
    private static final int MAXIMUM_WAITING = 64;

    /** How long to wait for the cause of a broken packet connection, which arrives on the control connection. */
    private static final long EXPLANATION_TIMEOUT_S = 5;

    /** A message and when it arrived, CLOCK_REALTIME in ns. */
    public record Received(ControlMessage message, long atNs) {}

    private final ControlConnection connection;
    private final BlockingQueue<Received> messages = new LinkedBlockingQueue<>(MAXIMUM_WAITING);
    private final BlockingQueue<Received> clockReplies = new LinkedBlockingQueue<>(MAXIMUM_WAITING);
    private final CountDownLatch broken = new CountDownLatch(1);
    private final BackgroundThread thread = new BackgroundThread("control-reader", this::readAll);
    private volatile @Nullable LagbenchException failure;
    private volatile Runnable abort = () -> {};
    private volatile Consumer<ReceivedInterval> intervals = interval -> {};
    private volatile boolean closed;

    /** Starts to read. No other thread may read from the connection until {@link ControlMessage.Counted} arrived. */
    public ControlReader(ControlConnection connection) {
        this.connection = connection;
        thread.start();
    }

    /** Sets the action that unblocks the sending thread when the run fails. Runs it at once if the run has failed. */
    public void onFailure(Runnable action) {
        abort = action;
        if (failure != null) {
            action.run();
        }
    }

    /**
     * Sets the consumer of intervals, which runs on this reader's thread. Call it before sending
     * {@link ControlMessage.Watch}.
     */
    public void onInterval(Consumer<ReceivedInterval> listener) {
        intervals = listener;
    }

    /**
     * Waits for the receiver's next message that is not a reply about the clock.
     *
     * @throws LagbenchException if the run has failed, or no message arrives in time
     */
    public <T extends ControlMessage> T await(Class<T> type, Duration timeout) throws LagbenchException {
        return expect(await(messages, timeout).message(), type);
    }

    /** Sends a question about the clock and waits for its reply. */
    <T extends ControlMessage> T ask(ControlMessage question, Class<T> type, Duration timeout)
            throws IOException, LagbenchException {
        connection.write(question);
        return expect(awaitClockReply(timeout).message(), type);
    }

    /** Waits for the receiver's next reply about the clock. */
    Received awaitClockReply(Duration timeout) throws LagbenchException {
        return await(clockReplies, timeout);
    }

    <T extends ControlMessage> T expect(ControlMessage message, Class<T> type) throws LagbenchException {
        try {
            return ControlConnection.expect(message, type);
        } catch (RefusedException e) {
            throw e.asFailure();
        } catch (IOException e) {
            throw invalid(e);
        }
    }

    private Received await(BlockingQueue<Received> queue, Duration timeout) throws LagbenchException {
        long startNs = System.nanoTime();
        Duration limit = timeout;
        try {
            boolean last;
            do {
                long elapsedNs = System.nanoTime() - startNs;
                if (elapsedNs >= timeout.toNanos()) {
                    limit = Patience.of(timeout);
                }
                last = elapsedNs >= limit.toNanos();
                Received received = queue.poll(LOOK_INTERVAL_MS, TimeUnit.MILLISECONDS);
                if (received != null) {
                    return received;
                }
                LagbenchException known = failure;
                if (known != null && queue.isEmpty()) {
                    throw known;
                }
            } while (!last);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw ExitCode.BROKEN.failure(
                "The receiver at " + connection.peer() + " has sent nothing for " + limit.toSeconds() + " s.");
    }

    /**
     * Returns why the run failed: the failure on this connection if there is one within several seconds, else the given
     * one. The end of a receiver shows on several connections in any order, and only this one carries its cause.
     */
    public LagbenchException explain(IOException failed) {
        return explain(unexplained(failed));
    }

    /** Returns why the run failed, of a failure that the receiver cannot explain. */
    public LagbenchException unexplained(IOException failed) {
        return ExitCode.BROKEN.failure(
                "Sending to " + connection.peer() + " failed during the run: " + IoErrors.reason(failed), failed);
    }

    /**
     * Returns why the run failed: the failure on this connection if there is one within several seconds, else the given
     * one.
     */
    public LagbenchException explain(LagbenchException failed) {
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
        return failed;
    }

    /** Fails the run: keeps the first failure and unblocks the sending thread. For any thread. */
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
                Received received = new Received(message, connection.lastReadNs());
                if (message instanceof ControlMessage.Refused refused) {
                    messages.offer(received);
                    fail(new RefusedException(refused).asFailure());
                } else if (message instanceof ControlMessage.Pong
                        || message instanceof ControlMessage.ClockIs
                        || message instanceof ControlMessage.ReadingsAre
                        || message instanceof ControlMessage.LoadIs
                        || message instanceof ControlMessage.ObserverIs
                        || message instanceof ControlMessage.ExchangeOpened) {
                    add(clockReplies, received);
                } else if (message instanceof ControlMessage.Interval interval) {
                    intervals.accept(interval.received());
                } else if (!(message instanceof ControlMessage.Alive)) {
                    add(messages, received);
                }
            } while (!(message instanceof ControlMessage.Counted || message instanceof ControlMessage.Refused));
        } catch (ProtocolException e) {
            fail(invalid(e));
        } catch (IOException e) {
            if (!closed) {
                fail(ExitCode.BROKEN.failure(
                        "The receiver at " + connection.peer() + " ended during the run (" + IoErrors.reason(e) + ").",
                        e));
            }
        }
    }

    private static void add(BlockingQueue<Received> queue, Received received) throws ProtocolException {
        if (!queue.offer(received)) {
            throw new ProtocolException("more than " + MAXIMUM_WAITING + " messages that were not requested");
        }
    }

    private LagbenchException invalid(IOException reason) {
        return ExitCode.BROKEN.failure(
                "The receiver at " + connection.peer() + " sent " + IoErrors.reason(reason) + ".", reason);
    }

    /** Returns how many messages have arrived: it grows as long as the receiver works on the run. For any thread. */
    public long messagesRead() {
        return connection.messagesRead();
    }

    /** Declares that the end of the connection, which its owner closes, is no failure from now on. */
    @Override
    public void close() {
        closed = true;
    }
}
