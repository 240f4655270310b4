package org.lagbench.packetio.socket;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.Phases;
import org.lagbench.packetio.transport.SideBuilder;
import org.lagbench.packetio.transport.SideConfig.SocketApi;

/** A sender and a receiver of this process, joined by a real socket. */
public final class LoopbackRun implements AutoCloseable {
    public static final long TAG = 0x7A6B_5C4D_3E2F_1001L;

    public final PacketReceiver receiver;
    public final PacketSender sender;
    public final PacketAccounting accounting;
    public final Path senderPath;
    public final Path receiverPath;
    private final SenderCapture senderCapture;
    private final ReceiverCapture receiverCapture;
    private @Nullable CompletableFuture<@Nullable Void> receiving;

    public LoopbackRun(
            Path directory,
            String transport,
            String host,
            int packetBytes,
            int packets,
            int warmUpPackets,
            Map<String, String> settings,
            SocketApi socketApi)
            throws IOException, LagbenchException {
        this(directory, transport, host, packetBytes, packets, warmUpPackets, settings, socketApi, false);
    }

    private LoopbackRun(
            Path directory,
            String transport,
            String host,
            int packetBytes,
            int packets,
            int warmUpPackets,
            Map<String, String> settings,
            SocketApi socketApi,
            boolean receiverConnects)
            throws IOException, LagbenchException {
        SideBuilder side = new SideBuilder(transport, TAG, packetBytes, settings)
                .host(host)
                .socketApi(socketApi);
        PacketTransport opened = PacketTransport.of(side.build().transport());
        Path files = Files.createTempDirectory(directory, transport);
        senderPath = files.resolve(SenderCapture.FILE_NAME);
        receiverPath = files.resolve(ReceiverCapture.FILE_NAME);
        senderCapture = SenderCapture.create(senderPath, packets, false);
        receiverCapture = ReceiverCapture.create(receiverPath, packets + 100L, false);
        accounting = new PacketAccounting(TAG, new Phases(warmUpPackets, packets, 0), receiverCapture);
        sender =
                opened.openSender(side.listensAt(receiverConnects ? host : null).build());
        receiver = opened.openReceiver(
                side.listensAt(null).announced(sender.announce()).build());
    }

    /** Returns a run over TCP whose receiver has connected to the sender. */
    static LoopbackRun toWaitingSender(Path directory, int packetBytes, int packets, SocketApi socketApi)
            throws IOException, LagbenchException {
        return new LoopbackRun(directory, "tcp", "127.0.0.1", packetBytes, packets, 0, Map.of(), socketApi, true);
    }

    public static LoopbackRun of(Path directory, String transport, int packetBytes, int packets, SocketApi socketApi)
            throws IOException, LagbenchException {
        return new LoopbackRun(directory, transport, "127.0.0.1", packetBytes, packets, 0, Map.of(), socketApi);
    }

    public int port() {
        return Integer.parseInt(String.valueOf(receiver.announce().get("port")));
    }

    public LoopbackRun connect() throws LagbenchException {
        sender.connect(receiver.announce());
        return this;
    }

    /** Receives on a separate thread until the receiver ends or every packet has arrived. */
    public LoopbackRun startReceiving() {
        CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
        receiving = ended;
        Thread thread = new Thread(
                () -> {
                    try {
                        while (!accounting.isComplete()) {
                            if (receiver.receive(accounting) == PacketReceiver.END) {
                                break;
                            }
                        }
                        ended.complete(null);
                    } catch (IOException | RuntimeException | Error e) {
                        ended.completeExceptionally(e);
                    }
                },
                "receiving");
        thread.setDaemon(true);
        thread.start();
        return this;
    }

    public void send(long first, long end) throws IOException {
        for (long sequence = first; sequence < end; sequence++) {
            sender.send(sequence, SenderCapture.UNSCHEDULED, senderCapture);
            sender.push();
        }
        sender.flush();
    }

    /** Waits until {@link #startReceiving} has ended, and passes on its failure. */
    public void awaitReceived() throws IOException, InterruptedException, TimeoutException {
        if (receiving == null) {
            throw new IllegalStateException("not receiving");
        }
        try {
            receiving.get(60, SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IllegalStateException(e);
        }
    }

    public boolean isReceiving() {
        return receiving != null && !receiving.isDone();
    }

    /** Closes both ends; the captures are complete then. */
    @Override
    public void close() throws IOException {
        sender.close();
        receiver.close();
        if (receiving != null) {
            try {
                awaitReceived();
            } catch (IOException | InterruptedException | TimeoutException e) {
                // ignored: a test that needs the failure calls awaitReceived itself
            }
        }
        senderCapture.close();
        receiverCapture.close();
    }
}
