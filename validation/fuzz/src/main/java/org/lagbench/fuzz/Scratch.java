package org.lagbench.fuzz;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** A directory in memory for the inputs that lagbench reads from files; deleted when the JVM ends. One per process. */
final class Scratch {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final Path DIRECTORY = create();

    private Scratch() {}

    private static Path create() {
        try {
            Path directory = Files.isWritable(MEMORY)
                    ? Files.createTempDirectory(MEMORY, "lagbench-fuzz-")
                    : Files.createTempDirectory("lagbench-fuzz-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
            return directory;
        } catch (IOException e) {
            throw new IllegalStateException("cannot create a temporary directory", e);
        }
    }

    /** Returns the path of a name, whose file need not exist. */
    static Path path(String name) {
        return DIRECTORY.resolve(name);
    }

    /** Writes a file, and returns its path. */
    static Path write(String name, byte[] content) throws IOException {
        Path file = path(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, content);
    }

    private static void delete(Path directory) {
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, IOException failure) throws IOException {
                    Files.delete(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            System.err.println(directory + " could not be deleted: " + e.getMessage());
        }
    }
}
