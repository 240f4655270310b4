package org.lagbench.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files of one benchmark, in a separate directory. */
final class BenchmarkFiles {
    private static final String PREFIX = "lagbench-benchmark-";
    private static final Path MEMORY = Path.of("/dev/shm");

    private final Path directory;
    private final List<Path> files = new ArrayList<>();

    private BenchmarkFiles(Path directory) {
        this.directory = directory;
    }

    /** Returns files in the temporary directory. */
    static BenchmarkFiles onDisk() throws IOException {
        return new BenchmarkFiles(Files.createTempDirectory(PREFIX));
    }

    /** Returns files in memory if the machine has a directory there, so that no disk is measured. */
    static BenchmarkFiles inMemory() throws IOException {
        return Files.isWritable(MEMORY) ? new BenchmarkFiles(Files.createTempDirectory(MEMORY, PREFIX)) : onDisk();
    }

    /** Returns the path of a file, which {@link #delete} will delete. */
    Path of(String name) {
        Path file = directory.resolve(name);
        files.add(file);
        return file;
    }

    Path directory() {
        return directory;
    }

    void delete() throws IOException {
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
        Files.delete(directory);
    }
}
