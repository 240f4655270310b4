package org.lagbench.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.lagbench.compression.chunk.ChunkFramer;
import org.lagbench.compression.chunk.ChunkLayout;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.model.Codec;
import org.lagbench.core.model.Codecs;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.Phases;

/** A connection whose receiver cuts the input into chunks. All connections of a process belong to one run. */
final class ChunkInput {
    static final int RAW_BYTES = 512;

    /** The tag of the run's packets, which an attacker without the key does not know, and a fuzzer does. */
    static final long TAG = 0x6c61676265_6e6368L;

    private static final int CHUNKS = 16;
    private static final ChunkInput RUN = new ChunkInput();

    private final ChunkFramer framer;
    private final PacketAccounting accounting;
    private final ByteBuffer buffer;

    private ChunkInput() {
        try {
            accounting = new PacketAccounting(
                    TAG,
                    new Phases(0, CHUNKS, 0),
                    ReceiverCapture.create(Scratch.path(ReceiverCapture.FILE_NAME), CHUNKS, false));
            framer = new ChunkFramer(
                    RAW_BYTES,
                    CHUNKS,
                    ReceiverCapture.ofBytes(Scratch.path(ReceiverCapture.BYTES_FILE_NAME), CHUNKS, RAW_BYTES),
                    ChunkCapture.ofReceiver(Scratch.path(ChunkCapture.RECEIVER_FILE_NAME), CHUNKS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        buffer = framer.buffer();
    }

    /** Returns an input with a correct chunk for each codec. */
    static List<byte[]> frames() throws IOException {
        List<byte[]> frames = new ArrayList<>();
        ByteBuffer raw = ByteBuffer.allocateDirect(RAW_BYTES);
        CRC32C checksum = new CRC32C();
        checksum.update(raw.duplicate());
        for (Codec.Choice choice : Codecs.load().choices(List.of("none", "gzip-6", "zstd-3", "lz4", "snappy"))) {
            ByteBuffer to = ByteBuffer.allocateDirect(choice.codec().maximumBytes(RAW_BYTES));
            try (Codec.Encoder encoder = choice.codec().openEncoder(choice.level())) {
                int encoded = encoder.encode(raw.clear(), to);
                ByteBuffer frame = ByteBuffer.allocate(1 + ChunkLayout.HEADER_BYTES + encoded);
                PacketLayout.putIdentity(frame, 1, TAG, frames.size());
                PacketLayout.putSentNs(frame, 1, 1);
                ChunkLayout.put(
                        frame, 1, choice.codec().id(), choice.level(), RAW_BYTES, encoded, (int) checksum.getValue());
                frame.put(0, (byte) 63).put(1 + ChunkLayout.HEADER_BYTES, to, 0, encoded);
                frames.add(frame.array());
            }
        }
        return frames;
    }

    /** Frames a stream that arrives in calls of the length that its first byte says. */
    static void frame(byte[] input) throws IOException {
        if (input.length > 0) {
            RUN.frameAll(input);
        }
    }

    private void frameAll(byte[] input) throws IOException {
        int callBytes = 1 + Byte.toUnsignedInt(input[0]);
        buffer.clear();
        framer.begin();
        for (int at = 1; at < input.length; ) {
            int count = Math.min(Math.min(callBytes, buffer.remaining()), input.length - at);
            if (count == 0) {
                throw new AssertionError("no room in the buffer at byte " + at);
            }
            buffer.put(input, at, count);
            at += count;
            framer.frame(accounting, at);
        }
    }
}
