package org.lagbench.engines.grpc;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.engines.message.ReplyQueue;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.SideConfig;

/**
 * Sends each packet by a unary call, whose result is the reply. Does not wait for the result, unless
 * {@value #MAXIMUM_CALLS} calls have none. A reply is stamped when gRPC passes it on, in its event loop.
 */
final class GrpcCaller extends GrpcSender {
    private static final int MAXIMUM_CALLS = 256;

    private final Semaphore calls = new Semaphore(MAXIMUM_CALLS);
    private final ReplyQueue replies;
    private volatile @Nullable IOException failure;

    GrpcCaller(SideConfig run) {
        super(run);
        this.replies = new ReplyQueue(run);
    }

    /** Receives the reply of a call. */
    private final class Result extends ClientCall.Listener<byte[]> {
        @Override
        public void onMessage(byte[] reply) {
            replies.add(reply, RealtimeClock.nowNs());
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            if (!status.isOk()) {
                fail(StreamingCall.failure(status));
            }
            calls.release();
        }
    }

    private synchronized void fail(IOException reason) {
        if (failure == null) {
            failure = reason;
            replies.fail(new IOException(
                    "The receiver " + run.host() + " sends no more replies: " + IoErrors.reason(reason), reason));
        }
    }

    @Override
    protected void transmit(byte[] packet) throws IOException {
        try {
            calls.acquire();
        } catch (InterruptedException e) {
            throw new InterruptedIOException("the run was stopped");
        }
        IOException reason = failure;
        if (reason != null) {
            throw new IOException(IoErrors.reason(reason), reason);
        }
        ClientCall<byte[], byte[]> call = begin(methods.answer(), new Result());
        call.sendMessage(packet);
        call.halfClose();
    }

    @Override
    public PacketReceiver openReplies(long timeoutNs) {
        return replies;
    }

    @Override
    protected void release() {
        replies.close();
        super.release();
    }
}
