package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that Java 17 can load each class of the distribution, on whatever JDK the tests run. */
class BytecodeLevelTest {
    private static final int JAVA_17 = 61;

    /** Classes for newer versions of Java, which Java 17 ignores. */
    private static final String VERSIONS = "META-INF/versions/";

    @Test
    void needsNoNewerJavaThan17() throws IOException {
        List<String> newer = new ArrayList<>();
        int classes = 0;
        for (Path jar : jars()) {
            try (JarFile file = new JarFile(jar.toFile())) {
                for (JarEntry entry : file.stream().toList()) {
                    String name = entry.getName();
                    if (name.endsWith(".class") && !name.startsWith(VERSIONS) && !name.equals("module-info.class")) {
                        classes++;
                        int level = level(file, entry);
                        if (level > JAVA_17) {
                            newer.add(jar.getFileName() + ": " + name + " has level " + level);
                        }
                    }
                }
            }
        }
        assertThat(classes).isGreaterThan(10_000);
        assertThat(newer).isEmpty();
    }

    private static List<Path> jars() throws IOException {
        List<Path> jars = new ArrayList<>();
        for (Path directory : List.of(Path.of("target/lagbench/lib"), Path.of("../engines/target/libraries"))) {
            try (Stream<Path> files = Files.walk(directory)) {
                files.filter(file -> file.toString().endsWith(".jar")).forEach(jars::add);
            }
        }
        assertThat(jars).anyMatch(jar -> jar.toString().contains("lagbench-cli"));
        return jars;
    }

    /** Returns the major version of a class file. */
    private static int level(JarFile file, JarEntry entry) throws IOException {
        try (DataInputStream input = new DataInputStream(file.getInputStream(entry))) {
            input.skipNBytes(6);
            return input.readUnsignedShort();
        }
    }
}
