package org.lagbench.engines.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.CallFacts;
import org.lagbench.core.text.Endpoint;
import org.lagbench.engines.message.MessageSender;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.PortReceiver;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.Arrival;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.SideConfig;

/** Offers each packet to the media driver, which sends it from its own thread. Aeron copies it into its log buffer. */
final class AeronSender extends MessageSender {
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[0]);

    /** The lock of each call of Aeron and of closing, which unmaps the memory that a call uses. */
    private final Object calling = new Object();

    private @Nullable Driver driver;
    private @Nullable ExclusivePublication publication;
    private @Nullable AeronPoll replies;
    private @Nullable Subscription subscription;
    private Map<String, String> announcement = Map.of();

    private AeronSender(SideConfig run) {
        super(run);
    }

    /** Opens a sender; that of an answered run receives the replies from now on. */
    static AeronSender open(SideConfig run) throws LagbenchException {
        AeronSender sender = new AeronSender(run);
        if (run.isAnswered()) {
            try {
                sender.openReplies();
            } catch (IOException | AeronException e) {
                sender.release();
                throw PortReceiver.cannotOpen("Cannot receive replies through Aeron", run, e);
            }
        }
        return sender;
    }

    private void openReplies() throws IOException, LagbenchException {
        InetSocketAddress receiver = DataPort.ephemeral(run.host()).address();
        Driver started = new Driver(run);
        driver = started;
        Subscription opened = started.client().addSubscription(Driver.anyPort(run, receiver), Driver.stream(run));
        subscription = opened;
        replies = new AeronPoll(opened, run.packetBytes(), Arrival.ofReplies(run.packetBytes()));
        announcement = Map.of(
                Driver.REPLIES_PORT, Integer.toString(Driver.port(opened)),
                Driver.REPLIES_HOST, Endpoint.format(DataPort.localAddressTo(receiver)));
    }

    @Override
    public Map<String, String> announce() {
        return announcement;
    }

    @Override
    protected void open(DataPort port, Map<String, String> announced) throws IOException, LagbenchException {
        ExclusivePublication opened;
        synchronized (calling) {
            Driver started = driver == null ? new Driver(run) : driver;
            driver = started;
            try {
                opened = started.client()
                        .addExclusivePublication(Driver.channel(run, port.address()), Driver.stream(run));
            } catch (AeronException e) {
                throw new IOException(e.getMessage(), e);
            }
            publication = opened;
        }
        Driver.await(opened::isConnected, connectTimeoutMs(), "no Aeron subscriber answers");
        Subscription ofReplies = subscription;
        if (ofReplies != null) {
            Driver.await(ofReplies::isConnected, connectTimeoutMs(), "the stream of replies did not connect");
        }
        synchronized (calling) {
            if (driver != null) {
                driver.unlink();
            }
        }
    }

    @Override
    protected void transmit(byte[] packet) throws IOException {
        buffer.wrap(packet);
        while (!isTaken(packet.length)) {
            Thread.onSpinWait();
        }
    }

    private boolean isTaken(int packetBytes) throws IOException {
        synchronized (calling) {
            ExclusivePublication open = publication;
            if (open == null) {
                throw new ClosedChannelException();
            }
            long position = open.offer(buffer, 0, packetBytes);
            if (position > 0) {
                return true;
            }
            if (position == Publication.BACK_PRESSURED || position == Publication.ADMIN_ACTION) {
                return false;
            }
            throw new IOException(
                    position == Publication.NOT_CONNECTED
                            ? "the Aeron subscriber has disconnected"
                            : "Aeron refuses the packet: " + Publication.errorString(position));
        }
    }

    @Override
    public PacketReceiver openReplies(long timeoutNs) throws ClosedChannelException {
        synchronized (calling) {
            if (replies == null) {
                throw new ClosedChannelException();
            }
            return replies;
        }
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        super.putMetadata(into);
        CallFacts.ofHandingOver().putInto(into);
        SocketBuffer.SEND.putRequest(run.settings(), into);
        Driver open = driver;
        if (open != null) {
            open.putMetadata(into, true);
        }
    }

    @Override
    protected void release() {
        synchronized (calling) {
            publication = null;
            if (replies != null) {
                replies.close();
            }
            if (driver != null) {
                driver.close();
                driver = null;
            }
        }
    }
}
