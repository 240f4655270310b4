package org.lagbench.core.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Exhausts the memory of other JVMs. */
class MemoryShortageTest {
    @ParameterizedTest
    @Tag("one-java")
    @CsvSource({
        "HEAP, -Xmx8m, MiB is full; increase it with -Xmx.",
        "METASPACE, -XX:MaxMetaspaceSize=12m, its metaspace is full; increase it with -XX:MaxMetaspaceSize.",
        "DIRECT, -XX:MaxDirectMemorySize=1m, its direct memory is full; increase it with -XX:MaxDirectMemorySize."
    })
    void namesExhaustedMemory(Memory memory, String option, String reason) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        option,
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-classpath",
                        System.getProperty("java.class.path"),
                        Exhaust.class.getName(),
                        memory.name())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader output = process.inputReader()) {
            assertThat(output.lines())
                    .singleElement()
                    .asString()
                    .startsWith("lagbench: " + Failures.MEMORY_SHORTAGE)
                    .endsWith(reason);
        }
        assertThat(process.waitFor()).isEqualTo(ExitCode.UNAVAILABLE.code());
    }

    /** A memory of the JVM, and how to exhaust it. */
    enum Memory {
        HEAP {
            @Override
            Object take() {
                return new byte[1 << 18];
            }
        },
        METASPACE {
            @Override
            Object take() {
                ClassLoader loader = new URLClassLoader(new URL[0]);
                return Proxy.newProxyInstance(loader, new Class<?>[] {Runnable.class}, (proxy, method, args) -> null);
            }
        },
        DIRECT {
            @Override
            Object take() {
                return ByteBuffer.allocateDirect(1 << 18);
            }
        };

        /** Allocates memory, which is in use until the result is released. */
        abstract Object take();
    }

    /** Allocates memory until none is left, and reports that as the programs do. */
    static final class Exhaust {
        static final List<Object> TAKEN = new ArrayList<>();

        private Exhaust() {}

        public static void main(String[] args) {
            Failures.prepare();
            Memory memory = Memory.valueOf(args[0]);
            int code;
            try {
                while (true) {
                    TAKEN.add(memory.take());
                }
            } catch (OutOfMemoryError e) {
                if (memory == Memory.HEAP) {
                    TAKEN.clear(); // as when the stack of a failed command is unwound
                }
                code = Failures.report(e);
            }
            System.exit(code);
        }
    }
}
