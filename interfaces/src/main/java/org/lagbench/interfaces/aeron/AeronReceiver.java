package org.lagbench.interfaces.aeron;

import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.time.RealtimeClock;
import org.lagbench.interfaces.message.MessageReceiver;
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.TransportRun;

/**
 * Polls a subscription, whose packets the media driver receives in its own thread. A packet is stamped when Aeron
 * passes it on; messages of another size are foreign.
 */
final class AeronReceiver extends MessageReceiver {
    private static final int FRAGMENTS_PER_POLL = 16;
    private static final int OPEN_TIMEOUT_MS = 10_000;

    private final Driver driver;
    private final Subscription subscription;
    private final InetSocketAddress local;
    private final FragmentAssembler assembler =
            new FragmentAssembler((buffer, offset, length, header) -> accept(buffer, offset, length));
    private final IdleStrategy idle = new BackoffIdleStrategy();
    private final ByteBuffer packet;

    /** The lock of each poll and of closing, which unmaps the memory that a poll reads. */
    private final Object polling = new Object();

    private @Nullable PacketAccounting counting;

    private AeronReceiver(TransportRun run, Driver driver, InetSocketAddress any) throws IOException {
        super(run);
        this.driver = driver;
        this.packet = ByteBuffer.allocate(run.packetBytes());
        try {
            subscription = driver.client().addSubscription(Driver.channel(run, any), Driver.stream(run));
        } catch (AeronException e) {
            throw new IOException(e.getMessage(), e);
        }
        Driver.await(
                () -> !subscription.localSocketAddresses().isEmpty(),
                OPEN_TIMEOUT_MS,
                "Aeron's media driver opens no port");
        int port = Endpoint.parse(subscription.localSocketAddresses().get(0)).port();
        local = new InetSocketAddress(any.getAddress(), port);
    }

    static AeronReceiver open(TransportRun run) throws LagbenchException {
        InetSocketAddress any = DataPort.ephemeral(run.host()).address();
        Driver driver = null;
        try {
            driver = new Driver();
            return new AeronReceiver(run, driver, any);
        } catch (IOException e) {
            if (driver != null) {
                driver.close();
            }
            throw cannotListen(run, e);
        }
    }

    /** Returns false: the media driver's thread receives from the socket. */
    @Override
    public boolean usesCallersThread() {
        return false;
    }

    @Override
    public int receive(PacketAccounting accounting) {
        int fragments;
        synchronized (polling) {
            if (isClosed()) {
                return END;
            }
            counting = accounting;
            fragments = subscription.poll(assembler, FRAGMENTS_PER_POLL);
        }
        idle.idle(fragments);
        return fragments;
    }

    private void accept(DirectBuffer buffer, int offset, int length) {
        long receivedNs = RealtimeClock.nowNs();
        PacketAccounting accounting = Objects.requireNonNull(counting);
        if (length == run.packetBytes()) {
            buffer.getBytes(offset, packet, 0, length);
            accounting.packet(packet, 0, receivedNs, PacketAccounting.NO_STAMP);
        } else {
            accounting.countForeign();
        }
    }

    @Override
    protected InetSocketAddress local() {
        return local;
    }

    @Override
    protected void putMetadata(Map<String, Object> into) {
        SocketBuffer.RECEIVE.putRequest(run.settings(), into);
        into.put("sharedStamps", false);
        driver.putMetadata(into);
    }

    @Override
    protected void release() {
        synchronized (polling) {
            driver.close();
        }
    }
}
