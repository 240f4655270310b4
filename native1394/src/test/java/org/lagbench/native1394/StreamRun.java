package org.lagbench.native1394;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.CaptureFormat;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.Phases;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SideConfig.SocketApi;

/**
 * A flood from one port to the other, through the transport as the programs use it.
 *
 * @param sent records of the sender's capture: seq, scheduled_ns, sent_ns, returned_ns, bus_cycle
 * @param received records of the receiver's capture: seq, received_ns, bus_cycle
 * @param batches number of packets that each receive call returned, without zeros
 */
record StreamRun(
        List<long[]> sent,
        List<long[]> received,
        List<Integer> batches,
        long foreign,
        Map<String, Object> senderMetadata,
        Map<String, Object> receiverMetadata) {
    static final String IS_POSSIBLE = "org.lagbench.native1394.StreamRun#isPossible";
    static final String NO_LIBRARY = "IEEE-1394 was not built: libraw1394-dev is missing";
    static final long TAG = 0x1394_0123_4567_89abL;
    private static final long TIMEOUT_S = 60;

    static boolean isPossible() {
        return Files.isRegularFile(Raw1394.FILES.directory().resolve("liblagbench1394.so"));
    }

    static SideConfig run(int packetBytes, Map<String, String> settings) {
        return oneWay(packetBytes, settings, Map.of());
    }

    /** Returns the configuration of the receiver of a sender's packets. */
    static SideConfig receiver(int packetBytes, Map<String, String> settings, PacketSender sender) {
        return oneWay(packetBytes, settings, sender.announce());
    }

    private static SideConfig oneWay(int packetBytes, Map<String, String> settings, Map<String, String> announced) {
        return side(
                packetBytes,
                settings,
                TrafficSpec.ONE_WAY,
                new Phases(0, 1, 0),
                Path.of("no-capture"),
                null,
                announced);
    }

    /** Returns the configuration of a side of a run; {@code replies} is null except for the sender of round trips. */
    static SideConfig side(
            int packetBytes,
            Map<String, String> given,
            TrafficSpec traffic,
            Phases phases,
            Path captureFile,
            @Nullable ReceiverCapture replies,
            Map<String, String> announced) {
        Ieee1394Transport transport = new Ieee1394Transport();
        Settings settings = Settings.of(transport.settings(), given);
        Point point = new Point(
                transport.name(),
                packetBytes,
                phases.recorded(),
                phases.warmUp(),
                Pace.flood(),
                traffic,
                settings,
                new EngineSpec("java", JvmOptions.NONE),
                Set.of(),
                RunConditions.DEFAULT);
        return new SideConfig(
                point,
                transport,
                settings,
                TAG,
                phases.leadOut(),
                SocketApi.SYSTEM_CALLS,
                "127.0.0.1",
                null,
                LocalEnd.ANY,
                captureFile,
                replies,
                null,
                announced,
                null,
                Set.of());
    }

    static StreamRun flood(Path directory, int packetBytes, int packets, Map<String, String> settings)
            throws LagbenchException, IOException, InterruptedException, ExecutionException, TimeoutException {
        return flood(directory, packetBytes, packets, 0, settings);
    }

    static StreamRun flood(Path directory, int packetBytes, int packets, long leadOut, Map<String, String> settings)
            throws LagbenchException, IOException, InterruptedException, ExecutionException, TimeoutException {
        Ieee1394Transport transport = new Ieee1394Transport();
        SideConfig run = run(packetBytes, settings);
        Files.createDirectories(directory);
        Path senderFile = directory.resolve(SenderCapture.FILE_NAME);
        Path receiverFile = directory.resolve(ReceiverCapture.FILE_NAME);
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Integer> batches = new ArrayList<>();
        Map<String, Object> senderMetadata = new HashMap<>();
        Map<String, Object> receiverMetadata = new HashMap<>();
        PacketAccounting accounting;
        try (ReceiverCapture receiverCapture = ReceiverCapture.create(receiverFile, packets, true);
                SenderCapture senderCapture = SenderCapture.create(senderFile, packets, true);
                PacketSender sender = transport.openSender(run);
                PacketReceiver receiver = transport.openReceiver(receiver(packetBytes, settings, sender))) {
            accounting = new PacketAccounting(TAG, new Phases(0, packets, leadOut), receiverCapture);
            sender.connect(receiver.announce());
            Future<?> receiving = threads.submit(() -> receive(receiver, accounting, batches));
            for (int sequence = 0; sequence < packets; sequence++) {
                sender.send(sequence, SenderCapture.UNSCHEDULED, senderCapture);
            }
            for (long sequence = -leadOut; sequence < 0; sequence++) {
                sender.send(sequence, SenderCapture.UNSCHEDULED, senderCapture);
            }
            sender.flush();
            receiving.get(TIMEOUT_S, TimeUnit.SECONDS);
            senderMetadata.putAll(sender.metadata());
            receiverMetadata.putAll(receiver.metadata());
        } finally {
            threads.shutdownNow();
        }
        return new StreamRun(
                records(senderFile),
                records(receiverFile),
                batches,
                accounting.counts().foreign(),
                senderMetadata,
                receiverMetadata);
    }

    private static Void receive(PacketReceiver receiver, PacketAccounting accounting, List<Integer> batches)
            throws IOException {
        while (!accounting.isComplete()) {
            int count = receiver.receive(accounting);
            if (count == PacketReceiver.END) {
                throw new IOException("the receiver ended early");
            }
            if (count > 0) {
                batches.add(count);
            }
        }
        return null;
    }

    static List<long[]> records(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int fields = CaptureFormat.parse(bytes).fields().size();
        List<long[]> records = new ArrayList<>();
        bytes.position(CaptureFormat.HEADER_BYTES);
        while (bytes.hasRemaining()) {
            long[] record = new long[fields];
            for (int i = 0; i < fields; i++) {
                record[i] = bytes.getLong();
            }
            records.add(record);
        }
        return records;
    }

    List<Long> sentCycles() {
        return sent.stream().map(record -> record[4]).toList();
    }

    List<Long> receivedCycles() {
        return received.stream().map(record -> record[2]).toList();
    }
}
