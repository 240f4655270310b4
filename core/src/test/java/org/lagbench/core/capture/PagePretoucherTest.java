package org.lagbench.core.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PagePretoucherTest {
    private static final long AT_ONCE = 1;

    @Test
    void touchesPagesOfTheNextFourIntervals() throws Exception {
        BlockingQueue<List<Long>> touched = new LinkedBlockingQueue<>();
        AtomicLong written = new AtomicLong(1_000);
        List<List<Long>> looks = new ArrayList<>();
        try (PagePretoucher ahead = new PagePretoucher(
                (first, end) -> touched.add(List.of(first, end)), () -> written.getAndAdd(10), AT_ONCE)) {
            assertThat(ahead).isNotNull();
            for (int i = 0; i < 3; i++) {
                looks.add(touched.take());
            }
        }
        assertThat(looks).containsExactly(List.of(1_010L, 1_050L), List.of(1_020L, 1_060L), List.of(1_030L, 1_070L));
    }

    @Test
    void touchesNothingWhileNothingIsRecorded() throws Exception {
        BlockingQueue<List<Long>> touched = new LinkedBlockingQueue<>();
        try (PagePretoucher ahead =
                new PagePretoucher((first, end) -> touched.add(List.of(first, end)), () -> 1_000, AT_ONCE)) {
            assertThat(ahead).isNotNull();
            for (int i = 0; i < 3; i++) {
                assertThat(touched.take()).containsExactly(1_000L, 1_000L);
            }
        }
    }

    /** A fault in an atomic operation of code that is not optimized would end the JVM of this test. */
    @Test
    void endsAloneWhenFileIsTruncated(@TempDir Path directory) throws Exception {
        Path path = directory.resolve("receiver.npy");
        CaptureFile file = CaptureFile.create(path, List.of("seq", "received_ns"), 1_000_000);
        try (FileChannel other = FileChannel.open(path, StandardOpenOption.WRITE)) {
            other.truncate(256);
        }
        AtomicLong looks = new AtomicLong();
        try (PagePretoucher ahead = new PagePretoucher(file::touch, () -> 10_000 * looks.getAndIncrement(), AT_ONCE)) {
            assertThat(ahead).isNotNull();
            await().atMost(Duration.ofMinutes(2)).until(() -> looks.get() > 1);
        }
        assertThatThrownBy(() -> file.touch(0, 10_000))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("truncated");
        assertThatThrownBy(() -> file.close(0)).hasMessageContaining("truncated");
    }

    /** A capture unmaps and truncates its file once the pretoucher is closed. */
    @Test
    void closingWaitsForTheCurrentTouch() throws Exception {
        CountDownLatch touching = new CountDownLatch(1);
        CountDownLatch advance = new CountDownLatch(1);
        AtomicLong touches = new AtomicLong();
        PagePretoucher ahead = new PagePretoucher(
                (first, end) -> {
                    touching.countDown();
                    awaitUninterrupted(advance);
                    touches.incrementAndGet();
                },
                () -> 0,
                AT_ONCE);
        touching.await();
        Thread closing = new Thread(ahead::close);
        closing.start();
        await().atMost(60, TimeUnit.SECONDS).until(() -> closing.getState() == Thread.State.WAITING);
        assertThat(touches).hasValue(0);
        advance.countDown();
        closing.join();
        assertThat(touches).hasValue(1);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
