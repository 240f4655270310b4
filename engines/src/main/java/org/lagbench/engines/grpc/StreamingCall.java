package org.lagbench.engines.grpc;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.IoErrors;

/**
 * A call with many packets and at most one reply. gRPC copies each packet into its own buffer, which an event loop
 * sends. One thread sends; it waits while gRPC holds more than 32 KiB that it has not sent.
 */
final class StreamingCall {
    /** The value of {@link #finish} without a reply: the call's result is empty. */
    static final long NOT_ANSWERED = -1;

    private final Object changed = new Object();
    private final ClientCall<byte[], byte[]> call;
    private volatile @Nullable Status end;
    private volatile long answeredNs = NOT_ANSWERED;

    /** Begins a call with a listener. */
    @FunctionalInterface
    interface Beginning {
        ClientCall<byte[], byte[]> begin(ClientCall.Listener<byte[]> listener) throws IOException;
    }

    StreamingCall(Beginning beginning) throws IOException {
        call = beginning.begin(new Observer());
    }

    /** Sends a message even if gRPC queues it. */
    void sendAtOnce(byte[] packet) {
        call.sendMessage(packet);
    }

    /** Returns the reason for which a call ended. */
    static IOException failure(Status status) {
        Throwable cause = status.getCause();
        String reason = cause == null ? status.getDescription() : IoErrors.reason(IoErrors.rootOf(cause));
        return new IOException("the call ended: " + (reason == null ? status.getCode() : reason), cause);
    }

    /** Wakes the sending thread when the call accepts more messages or ends. */
    private final class Observer extends ClientCall.Listener<byte[]> {
        @Override
        public void onReady() {
            synchronized (changed) {
                changed.notifyAll();
            }
        }

        @Override
        public void onMessage(byte[] reply) {
            answeredNs = reply.length == 0 ? NOT_ANSWERED : RealtimeClock.nowNs();
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            synchronized (changed) {
                end = status;
                changed.notifyAll();
            }
        }
    }

    void send(byte[] packet) throws IOException {
        awaitReady();
        sendAtOnce(packet);
    }

    /** Waits until gRPC accepts a message without queueing it ({@link ClientCall#isReady}). */
    void awaitReady() throws IOException {
        if (!call.isReady() || end != null) {
            await(true);
            Status status = end;
            if (status != null) {
                throw failure(status);
            }
        }
    }

    /**
     * Ends the packets and waits for the end of the call.
     *
     * @return when the reply was received, CLOCK_REALTIME in ns; {@link #NOT_ANSWERED} if the call had none
     */
    long finish() throws IOException {
        call.halfClose();
        await(false);
        Status status = end;
        if (status != null && !status.isOk()) {
            throw failure(status);
        }
        return answeredNs;
    }

    /** Waits for the end of the call, or until it accepts messages. */
    private void await(boolean orReady) throws InterruptedIOException {
        try {
            synchronized (changed) {
                while (end == null && !(orReady && call.isReady())) {
                    changed.wait();
                }
            }
        } catch (InterruptedException e) {
            throw new InterruptedIOException("the run was stopped");
        }
    }
}
