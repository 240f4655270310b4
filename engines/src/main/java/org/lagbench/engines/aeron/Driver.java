package org.lagbench.engines.aeron;

import io.aeron.Aeron;
import io.aeron.ChannelUriStringBuilder;
import io.aeron.CommonContext;
import io.aeron.Subscription;
import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.exceptions.AeronException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Patience;
import org.lagbench.core.file.OwnedDirectory;
import org.lagbench.core.run.PacketError;
import org.lagbench.core.text.Endpoint;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.Sockets;
import org.lagbench.packetio.transport.PacketErrorCounts;
import org.lagbench.packetio.transport.SideConfig;

/**
 * A media driver with one thread and a client of it, for one side of a run. They share memory by files in a directory
 * that only this user can read. After {@link #unlink} no file is left even if the process is killed; before, the next
 * driver deletes it.
 */
final class Driver implements AutoCloseable {
    /**
     * The key of the sender's port for replies in its announcement. They go to the sender's host only. A channel with
     * dynamic destinations would send them to anyone who requests them.
     */
    static final String REPLIES_PORT = "replies-port";

    /**
     * The key of the sender's address for replies, for a receiver that does not know it from the control connection.
     */
    static final String REPLIES_HOST = "replies-host";

    private static final int OPEN_TIMEOUT_MS = 10_000;

    private static final int TERM_BYTES = 1 << 22;

    /**
     * How long a receiver may be unreachable until its publication refuses packets. The run ends earlier if the control
     * connection does, or if nothing can be sent for its stall timeout.
     */
    private static final long CONNECTION_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final OwnedDirectory directory;
    private final MediaDriver driver;
    private final Aeron client;
    private final AtomicLong errors = new AtomicLong();
    private final PacketErrorCounts failedSends = new PacketErrorCounts();

    /** Starts a driver. */
    Driver(SideConfig run) throws IOException {
        this(run, driver -> {});
    }

    /**
     * Starts a driver.
     *
     * @param connected called when a subscription has the memory of a publication on another host
     */
    Driver(SideConfig run, Consumer<Driver> connected) throws IOException {
        Path memory =
                Path.of(CommonContext.generateRandomDirName()).toAbsolutePath().resolveSibling("");
        directory = OwnedDirectory.create(memory, "lagbench-aeron-");
        try {
            driver = MediaDriver.launch(new MediaDriver.Context()
                    .aeronDirectoryName(directory.path().resolve("driver").toString())
                    .dirDeleteOnShutdown(true)
                    .threadingMode(ThreadingMode.SHARED)
                    .publicationTermBufferLength(TERM_BYTES)
                    .publicationConnectionTimeoutNs(CONNECTION_TIMEOUT_NS)
                    .receiveChannelEndpointSupplier((channel, dispatcher, status, context) ->
                            new ReceivingSocket(channel, dispatcher, status, context, run))
                    .errorHandler(this::count));
        } catch (RuntimeException e) { // thrown by Aeron, or by Agrona for a failed file operation
            closeDirectory();
            throw new IOException("Aeron's media driver does not start: " + e.getMessage(), e);
        }
        try {
            client = Aeron.connect(new Aeron.Context()
                    .aeronDirectoryName(driver.aeronDirectoryName())
                    .availableImageHandler(image -> connected.accept(this))
                    .errorHandler(error -> errors.incrementAndGet()));
        } catch (AeronException e) {
            driver.close();
            closeDirectory();
            throw new IOException("Aeron's media driver does not answer: " + e.getMessage(), e);
        }
    }

    /** A socket that other hosts than the sender's do not reach. Those that send connect it instead. */
    private static final class ReceivingSocket extends ReceiveChannelEndpoint {
        private final SideConfig run;

        ReceivingSocket(
                UdpChannel channel,
                DataPacketDispatcher dispatcher,
                AtomicCounter status,
                MediaDriver.Context context,
                SideConfig run) {
            super(channel, dispatcher, status, context);
            this.run = run;
        }

        /** Drops what has arrived since Aeron bound the socket. */
        @Override
        public void openDatagramChannel(AtomicCounter status) {
            super.openDatagramChannel(status);
            try {
                Sockets.admit(receiveDatagramChannel, run);
                ByteBuffer early = ByteBuffer.allocate(1);
                while (receiveDatagramChannel.receive(early) != null) {
                    early.clear(); // not from the sender, which does not know the port yet
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (LagbenchException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Counts an error of the driver's thread, and the datagram that a socket refused. */
    private void count(Throwable error) {
        errors.incrementAndGet();
        PacketError ofDatagram = failedSend(error);
        if (ofDatagram != null) {
            failedSends.countFailed(ofDatagram, 1);
        }
    }

    /** Returns the error of a call that did not send a datagram; null for other errors. The event has only its text. */
    static @Nullable PacketError failedSend(Throwable error) {
        String text = String.valueOf(error.getMessage());
        return text.contains("failed to send datagram") ? PacketError.of(new IOException(text)) : null;
    }

    Aeron client() {
        return client;
    }

    /** Returns the URI of Aeron's channel for a run at an address. */
    static String channel(SideConfig run, InetSocketAddress address) {
        return channel(run, new ChannelUriStringBuilder().endpoint(DataPort.text(address)));
    }

    /** Returns the URI of a subscription at a free port of the family of an address. */
    static String anyPort(SideConfig run, InetSocketAddress address) {
        boolean isV6 = address.getAddress() instanceof Inet6Address;
        return channel(run, new ChannelUriStringBuilder().endpoint(isV6 ? "[::]:0" : "0.0.0.0:0"));
    }

    /** Returns the port that a subscription receives at. */
    static int port(Subscription subscription) throws IOException {
        await(
                () -> !subscription.localSocketAddresses().isEmpty(),
                Patience.ofMs(OPEN_TIMEOUT_MS),
                "Aeron's media driver opens no port");
        return Endpoint.parse(subscription.localSocketAddresses().get(0)).port();
    }

    private static String channel(SideConfig run, ChannelUriStringBuilder channel) {
        channel.media(CommonContext.UDP_MEDIA);
        SocketBuffer.SEND.request(run.settings(), channel::socketSndbufLength);
        SocketBuffer.RECEIVE.request(run.settings(), channel::socketRcvbufLength);
        return channel.build();
    }

    /** Returns the identifier of a run's stream: a hash of the run's tag. */
    static int stream(SideConfig run) {
        return Long.hashCode(run.tag());
    }

    /**
     * Waits for a condition.
     *
     * @throws IOException if it does not hold in time
     */
    static void await(BooleanSupplier condition, int timeoutMs, String failure) throws IOException {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - endNs > 0) {
                throw new IOException(failure);
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    /**
     * Deletes the files of the shared memory, which driver and client keep mapped. They can map no others afterwards.
     */
    void unlink() {
        try {
            directory.delete();
        } catch (LagbenchException e) {
            errors.incrementAndGet();
        }
    }

    private void closeDirectory() {
        try {
            directory.close();
        } catch (LagbenchException e) {
            errors.incrementAndGet();
        }
    }

    /**
     * Adds the errors of the driver.
     *
     * @param sendsPackets whether it sends packets or replies; otherwise its datagrams only acknowledge others
     */
    void putMetadata(Map<String, Object> into, boolean sendsPackets) {
        into.put("driverErrors", errors.get());
        if (sendsPackets) {
            failedSends.putMetadata(into);
        }
    }

    @Override
    public void close() {
        CloseHelper.closeAll(client, driver);
        closeDirectory();
    }
}
