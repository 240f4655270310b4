package org.lagbench.core.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A file being written beside its target, whose place it takes once it is whole. Closing it deletes it unless it was
 * published. Thread-safe.
 */
public final class PartialFile implements AutoCloseable {
    private static final Set<Path> ALL = new HashSet<>();

    private static final ReentrantLock LOCK = new ReentrantLock();

    private final Path target;
    private final Path path;

    private PartialFile(Path target, Path path) {
        this.target = target;
        this.path = path;
    }

    /** Returns the partial file of a target, which does not exist yet. */
    public static PartialFile of(Path target) throws IOException {
        Path path = target.resolveSibling("." + target.getFileName() + ".partial");
        LOCK.lock();
        try {
            Files.deleteIfExists(path);
            ALL.add(path);
        } finally {
            LOCK.unlock();
        }
        return new PartialFile(target, path);
    }

    /** Returns where to write. */
    public Path path() {
        return path;
    }

    /** Replaces the target by this file. */
    public void publish() throws IOException {
        LOCK.lock();
        try {
            Files.move(path, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            ALL.remove(path);
        } finally {
            LOCK.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        LOCK.lock();
        try {
            if (ALL.remove(path)) {
                Files.deleteIfExists(path);
            }
        } finally {
            LOCK.unlock();
        }
    }

    /**
     * Deletes all partial files of a process that ends now. Threads that would create, publish or delete another wait
     * for that end.
     */
    @SuppressWarnings("LockNotBeforeTry") // never unlocked: the process ends
    public static void deleteAllAtEnd() {
        LOCK.lock();
        for (Path path : ALL) {
            try {
                Files.deleteIfExists(path);
            } catch (IOException e) {
                System.err.println("lagbench: " + path + " is incomplete and cannot be deleted: " + e.getMessage());
            }
        }
    }
}
