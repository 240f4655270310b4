package org.lagbench.core.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;

/**
 * A file being written next to its target, which it replaces when complete. Closing it deletes it unless it was
 * published. Thread-safe.
 */
public final class AtomicFile implements AutoCloseable {
    private static final Set<Path> ALL = new HashSet<>();

    private static final ReentrantLock LOCK = new ReentrantLock();

    private final Path target;
    private final Path path;

    private AtomicFile(Path target, Path path) {
        this.target = target;
        this.path = path;
    }

    /** Returns a new file for a target, which it does not replace yet. */
    public static AtomicFile of(Path target) throws IOException {
        Path path = target.resolveSibling("." + target.getFileName() + ".partial");
        LOCK.lock();
        try {
            Files.deleteIfExists(path);
            ALL.add(path);
        } finally {
            LOCK.unlock();
        }
        return new AtomicFile(target, path);
    }

    /** Returns where to write. */
    public Path path() {
        return path;
    }

    /** Returns the file that it will replace. */
    public Path target() {
        return target;
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
                System.err.println("lagbench: " + path + " is incomplete and cannot be deleted: " + IoErrors.reason(e));
            }
        }
    }

    /**
     * Writes a text in UTF-8 like {@link #write(Path, byte[])}.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if the file cannot be written
     */
    public static void write(Path file, CharSequence text) throws LagbenchException {
        write(file, text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Writes or replaces a file.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if it cannot be written; the file is then unchanged, and no
     *     other file is left
     */
    public static void write(Path file, byte[] content) throws LagbenchException {
        try (AtomicFile partial = AtomicFile.of(file)) {
            Files.write(partial.path(), content);
            partial.publish();
        } catch (IOException e) {
            throw IoErrors.toException(file + " cannot be written", e);
        }
    }
}
