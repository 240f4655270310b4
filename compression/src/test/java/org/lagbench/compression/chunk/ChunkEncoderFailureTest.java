package org.lagbench.compression.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.reflect.Proxy;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.compression.chunk.ChunkCompression.ChunkSender;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.packetio.transport.TransferSender;

class ChunkEncoderFailureTest {
    private static final int CHUNKS = 1_000;

    /** The data of a transfer: generating more takes seconds. */
    private static final int CHUNKS_OF_TRANSFER = 4;

    /** Large enough that zstd-19 takes about 100 ms, and the close of the test comes in this time. */
    private static final int CHUNK_BYTES = 1 << 18;

    @TempDir
    private Path directory;

    /** Counted down just before a chunk is compressed, when the encoder reads the state. */
    private final CountDownLatch compressing = new CountDownLatch(3);

    /** A connection that takes all bytes, and does not report its state. */
    private final TransferSender connection = (TransferSender) Proxy.newProxyInstance(
            TransferSender.class.getClassLoader(),
            new Class<?>[] {TransferSender.class},
            (proxy, method, arguments) -> {
                if (method.getName().equals("readState")) {
                    compressing.countDown();
                    return false;
                }
                return null;
            });

    private ChunkEncoder open(String codec) throws LagbenchException {
        CompressionSpec compression = new CompressionSpec(codec, "text");
        TransferSpec transfers = new TransferSpec(
                (long) CHUNKS_OF_TRANSFER * CHUNK_BYTES, CHUNKS / CHUNKS_OF_TRANSFER, false, compression);
        return ChunkEncoder.open(
                ChunkSides.of(
                        1,
                        CHUNK_BYTES,
                        transfers,
                        0,
                        "127.0.0.1",
                        directory.resolve(SenderCapture.FILE_NAME),
                        null,
                        Map.of()),
                compression);
    }

    @Test
    void closesAfterTheChunkThatIsBeingCompressed() throws Exception {
        ChunkEncoder encoder = open("zstd-19");
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Runnable sending = () -> ended.complete(catchThrowable(() -> {
            encoder.begin(0);
            for (int sequence = 0; sequence < CHUNKS; sequence++) {
                encoder.send(sequence, connection, 0, new long[2]);
            }
        }));
        new Thread(sending).start();
        compressing.await();
        assertThatCode(encoder::close).doesNotThrowAnyException();
        assertThat(ended.get()).isInstanceOf(ClosedChannelException.class);
        assertThatCode(encoder::close).doesNotThrowAnyException();
    }

    @Test
    void refusesPolicyIfStateOfConnectionIsUnknown() throws Exception {
        try (ChunkEncoder encoder = open("adaptive")) {
            LagbenchException thrown = assertThatExceptionOfType(LagbenchException.class)
                    .isThrownBy(() -> new ChunkSender(connection, encoder, true).connect(Map.of()))
                    .actual();
            assertThat(thrown.exitCode()).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(thrown.sentence()).startsWith("codec: adaptive needs the state of the TCP connection.");
        }
    }

    @Test
    void acceptsCodecIfStateOfConnectionIsUnknown() throws Exception {
        try (ChunkEncoder encoder = open("lz4")) {
            assertThatCode(() -> new ChunkSender(connection, encoder, true).connect(Map.of()))
                    .doesNotThrowAnyException();
        }
    }
}
