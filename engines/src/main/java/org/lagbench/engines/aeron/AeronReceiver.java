package org.lagbench.engines.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.CallFacts;
import org.lagbench.core.text.Endpoint;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.PortReceiver;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.SideConfig;

/** Receives packets from a subscription, and answers them by a publication to which the sender subscribes. */
final class AeronReceiver extends PortReceiver {
    private static final long CONNECT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    private final Driver driver;
    private final AeronPoll poll;
    private final InetSocketAddress local;
    private final UnsafeBuffer reply = new UnsafeBuffer(new byte[0]);

    /** The replies; null if packets are not answered. */
    private final @Nullable ExclusivePublication publication;

    private AeronReceiver(SideConfig run, Driver driver, InetSocketAddress any) throws IOException, LagbenchException {
        super(run);
        this.driver = driver;
        Subscription subscription;
        try {
            subscription = driver.client().addSubscription(Driver.channel(run, any), Driver.stream(run));
            publication = run.isAnswered()
                    ? driver.client().addExclusivePublication(repliesChannel(run), Driver.stream(run))
                    : null;
        } catch (AeronException e) {
            throw new IOException(e.getMessage(), e);
        }
        local = new InetSocketAddress(any.getAddress(), Driver.port(subscription));
        poll = new AeronPoll(subscription, run.packetBytes(), this::arrived);
    }

    private static String repliesChannel(SideConfig run) throws LagbenchException {
        InetAddress known = run.replyTo();
        String host = known == null ? run.announced().getOrDefault(Driver.REPLIES_HOST, "") : Endpoint.format(known);
        return Driver.channel(
                run,
                DataPort.numeric(host, run.announced().getOrDefault(Driver.REPLIES_PORT, "none"))
                        .address());
    }

    static AeronReceiver open(SideConfig run) throws IOException, LagbenchException {
        InetSocketAddress any = DataPort.listening(run).address();
        Driver driver = new Driver(run, Driver::unlink); // the sender is the only publication
        try {
            return new AeronReceiver(run, driver, any);
        } catch (IOException | LagbenchException e) {
            driver.close();
            throw e;
        }
    }

    /** Returns false: the media driver's thread receives from the socket. */
    @Override
    public boolean usesCallersThread() {
        return false;
    }

    @Override
    public int receive(PacketAccounting accounting) throws IOException {
        return poll.receive(accounting);
    }

    private long arrived(ByteBuffer packet, int offset, long mediumStamp) throws IOException {
        ExclusivePublication replies = publication;
        if (replies == null) {
            return mediumStamp;
        }
        long repliedNs = PacketLayout.stamp(packet, offset, run.packetBytes());
        reply.wrap(packet);
        answer(replies);
        return repliedNs;
    }

    /**
     * Offers the reply until Aeron accepts it. The sender's subscription may connect after its first packets arrive.
     */
    private void answer(ExclusivePublication replies) throws IOException {
        long beginNs = System.nanoTime();
        long position = replies.offer(reply);
        while (position < 0 && !isClosed()) {
            boolean isConnecting =
                    position == Publication.NOT_CONNECTED && System.nanoTime() - beginNs < CONNECT_TIMEOUT_NS;
            if (!isConnecting && position != Publication.BACK_PRESSURED && position != Publication.ADMIN_ACTION) {
                throw new IOException("Answering through Aeron on " + run.host() + " failed: "
                        + (position == Publication.NOT_CONNECTED
                                ? "the sender accepts no replies."
                                : "Aeron refuses the packet: " + Publication.errorString(position) + "."));
            }
            Thread.onSpinWait();
            position = replies.offer(reply);
        }
    }

    @Override
    protected InetSocketAddress local() {
        return local;
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        super.putMetadata(into);
        SocketBuffer.RECEIVE.putRequest(run.settings(), into);
        CallFacts.ofStamps(false).putInto(into);
        driver.putMetadata(into, run.isAnswered());
    }

    @Override
    protected void release() {
        poll.close();
        driver.close();
    }
}
