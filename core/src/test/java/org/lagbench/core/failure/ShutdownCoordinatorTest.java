package org.lagbench.core.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ShutdownCoordinatorTest {
    private static final int PROGRAMS_CODE = 6;

    @Test
    void keepsExitCodeWhenInputEndsDuringExit() throws Exception {
        assertThat(codeOf(EndsBeforeItsExit.class)).isEqualTo(PROGRAMS_CODE);
    }

    @Test
    void keepsExitCodeAfterEndOfInput() throws Exception {
        assertThat(codeOf(WaitsToBeStopped.class)).isEqualTo(PROGRAMS_CODE);
    }

    /** Runs a program, closes its input when the program prints a line, and returns its exit code. */
    private static int codeOf(Class<?> program) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-classpath",
                        System.getProperty("java.class.path"),
                        program.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(output.readLine()).isEqualTo("now");
            process.getOutputStream().close();
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e); // never happens: no thread interrupts this one
        }
    }

    /**
     * A program whose main thread waits, after its work and before its exit, until the end of the input has begun to
     * end the process.
     */
    static final class EndsBeforeItsExit {
        public static void main(String[] arguments) {
            Thread main = Thread.currentThread();
            ShutdownCoordinator.run(interruption -> {
                CountDownLatch held = new CountDownLatch(1);
                new Thread(() -> {
                            synchronized (interruption) {
                                held.countDown();
                                awaitBlocked(main);
                                interruption.endWithStandardInput();
                                System.out.println("now");
                                awaitBlocked(awaitThread("shutdown"));
                            }
                        })
                        .start();
                await(held);
                return PROGRAMS_CODE;
            });
        }

        private static void awaitBlocked(Thread thread) {
            while (thread.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
        }

        private static Thread awaitThread(String name) {
            while (true) {
                for (Thread thread : Thread.getAllStackTraces().keySet()) {
                    if (thread.getName().equals(name)) {
                        return thread;
                    }
                }
            }
        }
    }

    /** A program that works until it is stopped. */
    static final class WaitsToBeStopped {
        public static void main(String[] arguments) {
            ShutdownCoordinator.run(interruption -> {
                CountDownLatch stopped = new CountDownLatch(1);
                interruption.onInterrupt(stopped::countDown);
                interruption.endWithStandardInput();
                System.out.println("now");
                await(stopped);
                return PROGRAMS_CODE;
            });
        }
    }
}
