package org.lagbench.core.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
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

    /** If the user has set it, the umask applies to files for others as well. */
    private static final String UMASK = "LAGBENCH_UMASK";

    private static final Set<PosixFilePermission> FILE_FOR_OTHERS = PosixFilePermissions.fromString("rw-r--r--");
    private static final Set<PosixFilePermission> DIRECTORY_FOR_OTHERS = PosixFilePermissions.fromString("rwxr-xr-x");

    private final Path target;
    private final Path path;
    private final boolean isForOthers;

    private AtomicFile(Path target, Path path, boolean isForOthers) {
        this.target = target;
        this.path = path;
        this.isForOthers = isForOthers;
    }

    /** Returns a new file for a target, which it does not replace yet. */
    public static AtomicFile of(Path target) throws IOException {
        return of(target, false);
    }

    /**
     * Returns a new file for a target that programs of other users read, such as a web server or a query engine: a
     * page, a table of a dataset, metrics for Prometheus. All users can read it, whatever the umask is, which is 077
     * for files with stamps and addresses. The directory decides who gets there.
     */
    public static AtomicFile forOthers(Path target) throws IOException {
        return of(target, true);
    }

    private static AtomicFile of(Path target, boolean isForOthers) throws IOException {
        Path path = target.resolveSibling("." + target.getFileName() + ".partial");
        LOCK.lock();
        try {
            Files.deleteIfExists(path);
            ALL.add(path);
        } finally {
            LOCK.unlock();
        }
        return new AtomicFile(target, path, isForOthers);
    }

    /** Creates a directory for {@linkplain #forOthers files for others}, and those above it that are missing. */
    public static void createDirectoriesForOthers(Path directory) throws IOException {
        Path absolute = directory.toAbsolutePath();
        if (Files.isDirectory(absolute)) {
            return;
        }
        Path parent = absolute.getParent();
        if (parent != null) {
            createDirectoriesForOthers(parent);
        }
        Files.createDirectories(absolute); // another export may have created it meanwhile
        allowOthers(absolute, DIRECTORY_FOR_OTHERS);
    }

    private static void allowOthers(Path path, Set<PosixFilePermission> permissions) throws IOException {
        if (System.getenv(UMASK) == null) {
            Files.setPosixFilePermissions(path, permissions);
        }
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
        if (isForOthers) {
            allowOthers(path, FILE_FOR_OTHERS);
        }
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
        write(file, content, false);
    }

    /** Writes a text in UTF-8 like {@link #write(Path, byte[])}, {@linkplain #forOthers for others}. */
    public static void writeForOthers(Path file, CharSequence text) throws LagbenchException {
        write(file, text.toString().getBytes(StandardCharsets.UTF_8), true);
    }

    private static void write(Path file, byte[] content, boolean isForOthers) throws LagbenchException {
        try (AtomicFile partial = AtomicFile.of(file, isForOthers)) {
            // in a directory of others, a new file cannot be a link of theirs
            Files.write(partial.path(), content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            partial.publish();
        } catch (IOException e) {
            throw IoErrors.toException(file + " cannot be written", e);
        }
    }
}
