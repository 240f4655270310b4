package org.lagbench.compression.chunk;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lagbench.core.model.Codec;
import org.lagbench.core.model.Codecs;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.TransferSender;

/** Tests the queue between the compressing thread and the sending thread. */
class CompressionThreadTest {
    private static final int CHUNK_BYTES = 1 << 12;
    private static final int QUEUE_CHUNKS = 8;
    private static final int CHUNKS = 100;

    /** The compressing thread waits while this is false. */
    private volatile boolean isOpen = true;

    private final AtomicLong compressed = new AtomicLong();
    private volatile boolean isWorthThread = true;
    private ChunkCompressor compressor;
    private CompressionThread thread;
    private volatile long failingChunk = Long.MAX_VALUE;
    private volatile long brokenChunk = Long.MAX_VALUE;
    private long sent = -1;

    /** Chooses gzip, and counts the chunks. */
    private final class CountingChooser implements ChunkChooser {
        private final List<Codec.Choice> codecs = Codecs.load().choices(List.of("gzip-1"));

        @Override
        public List<Codec.Choice> codecs() {
            return codecs;
        }

        @Override
        public int choose(ByteBuffer chunk) {
            if (!isOpen) {
                await().atMost(60, SECONDS).until(() -> isOpen);
            }
            if (compressed.incrementAndGet() == brokenChunk) {
                throw new IllegalStateException("the third chunk");
            }
            return 0;
        }

        @Override
        public boolean isWorthThread() {
            return isWorthThread;
        }
    }

    private final TransferSender connection = (TransferSender) Proxy.newProxyInstance(
            TransferSender.class.getClassLoader(),
            new Class<?>[] {TransferSender.class},
            (proxy, method, arguments) -> {
                if (method.getName().equals("sendPiece")) {
                    ByteBuffer frame = (ByteBuffer) arguments[0];
                    sent = PacketLayout.sequence(frame, 0);
                    return null;
                } else if (compressed.get() == failingChunk) {
                    throw new IOException("the connection is broken");
                }
                return false;
            });

    /** The common pool may have a single thread. */
    private static final Executor NEW_THREAD = task -> new Thread(task).start();

    @BeforeEach
    void open() throws Exception {
        ChunkData data = ChunkData.of(new CompressionSpec("gzip-1", "text"), CHUNKS, CHUNK_BYTES);
        compressor = new ChunkCompressor(1, CHUNK_BYTES, data, new CountingChooser());
        thread = new CompressionThread(compressor, CHUNK_BYTES);
    }

    @AfterEach
    void close() throws IOException {
        thread.close();
        compressor.close();
    }

    private void take(long sequence) throws IOException {
        Objects.requireNonNull(thread.take(sequence)).send(connection, 0);
        assertThat(sent).isEqualTo(sequence);
        thread.release(sequence);
    }

    @Test
    void returnsEachChunkOfTheRangeInOrder() throws Exception {
        for (long first = 0; first < 3 * CHUNKS; first += CHUNKS) {
            thread.begin(first, first + CHUNKS, connection);
            for (long sequence = first; sequence < first + CHUNKS; sequence++) {
                take(sequence);
            }
            assertThat(thread.take(first + CHUNKS)).isNull();
            assertThat(compressed).hasValue(first + CHUNKS);
        }
    }

    @Test
    void compressesNoMoreThanTheQueueHolds() throws Exception {
        thread.begin(0, CHUNKS, connection);
        await().atMost(60, SECONDS).until(() -> compressed.get() == QUEUE_CHUNKS);
        take(0);
        await().atMost(60, SECONDS).until(() -> compressed.get() == QUEUE_CHUNKS + 1);
        thread.cancel();
        assertThat(compressed).hasValue(QUEUE_CHUNKS + 1L);
    }

    @Test
    void endsRangeIfThreadIsNotWorthwhile() throws Exception {
        isWorthThread = false;
        thread.begin(0, CHUNKS, connection);
        List<Long> taken = new ArrayList<>();
        for (long sequence = 0; thread.take(sequence) != null; sequence++) {
            take(sequence);
            taken.add(sequence);
        }
        assertThat(taken).hasSize(16);
        isWorthThread = true;
        thread.begin(taken.size(), CHUNKS, connection);
        take(taken.size());
    }

    @Test
    void dropsTheQueueWhenCancelled() throws Exception {
        thread.begin(0, CHUNKS, connection);
        take(0);
        thread.cancel();
        assertThat(thread.take(1)).isNull();
        long before = compressed.get();
        thread.begin(CHUNKS, 2 * CHUNKS, connection);
        take(CHUNKS);
        assertThat(before).isLessThanOrEqualTo(QUEUE_CHUNKS + 1L);
    }

    @Test
    void leavesChunkToSendingThreadIfConnectionFails() throws Exception {
        failingChunk = 2;
        thread.begin(0, CHUNKS, connection);
        take(0);
        take(1);
        assertThat(thread.take(2)).isNull();
        assertThatThrownBy(() -> compressor.compress(2, connection, 0, compressor.newChunk()))
                .isInstanceOf(IOException.class)
                .hasMessage("the connection is broken");
        failingChunk = Long.MAX_VALUE;
        thread.begin(2, CHUNKS, connection);
        take(2);
    }

    @Test
    void passesUnexpectedFailureToSendingThread() throws Exception {
        brokenChunk = 3;
        thread.begin(0, CHUNKS, connection);
        take(0);
        take(1);
        assertThatThrownBy(() -> {
                    for (long sequence = 2; sequence < 4; sequence++) {
                        take(sequence);
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("Compressing a chunk failed: ")
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void wakesTheSendingThreadWhenInterrupted() throws Exception {
        isOpen = false;
        thread.begin(0, CHUNKS, connection);
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread sending = new Thread(() -> thrown.complete(catchThrowable(() -> thread.take(0))));
        sending.start();
        sending.interrupt();
        assertThat(thrown.get()).isInstanceOf(InterruptedIOException.class);
        isOpen = true;
        take(0);
    }

    @Test
    void wakesTheSendingThreadWhenClosed() throws Exception {
        isOpen = false;
        thread.begin(0, CHUNKS, connection);
        CompletableFuture<Throwable> thrown =
                CompletableFuture.supplyAsync(() -> catchThrowable(() -> thread.take(0)), NEW_THREAD);
        CompletableFuture<Void> closed = CompletableFuture.runAsync(thread::close, NEW_THREAD);
        assertThat(thrown.get()).isInstanceOf(InterruptedIOException.class);
        isOpen = true;
        closed.get();
        assertThatThrownBy(() -> thread.take(CHUNKS + 1)).isInstanceOf(InterruptedIOException.class);
    }
}
