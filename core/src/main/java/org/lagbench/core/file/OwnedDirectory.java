package org.lagbench.core.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.TrustedUsers.Owner;

/**
 * A directory of this process for the time of its life, such as one in shared memory. If the process is killed, the
 * next one with the same prefix deletes it. A lock (fcntl) shows that the owner lives, also in another PID namespace.
 */
public final class OwnedDirectory implements AutoCloseable {
    private static final String LOCKED = "owner";

    private final Path path;
    private final FileChannel lock;

    private OwnedDirectory(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /** Deletes the directories of killed processes of this user, and creates one that only this user can read. */
    public static OwnedDirectory create(Path parent, String prefix) throws IOException {
        deleteAbandoned(parent, prefix);
        while (true) {
            Path directory = Files.createTempDirectory(parent, ofProcess(prefix));
            Path locked = directory.resolve(LOCKED);
            try {
                FileChannel lock = FileChannel.open(locked, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                if (lock.tryLock() != null && Files.exists(locked)) {
                    return new OwnedDirectory(directory, lock);
                }
                lock.close();
            } catch (NoSuchFileException e) {
                // as above: another process took it for abandoned before it was locked
            }
        }
    }

    public Path path() {
        return path;
    }

    private static String ofProcess(String prefix) {
        return prefix + ProcessHandle.current().pid() + "-";
    }

    /**
     * Deletes the directories of killed processes of this user. Each process that is not this class locks a file named
     * {@code owner} in its directory as long as it lives.
     */
    public static void deleteAbandoned(Path parent, String prefix) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(parent, prefix + "*")) {
            for (Path directory : left) {
                boolean isOfProcess = String.valueOf(directory.getFileName()).startsWith(ofProcess(prefix));
                try {
                    // closing another descriptor of a file of this process would release its lock
                    if (!isOfProcess
                            && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                            && Owner.of(directory).user() == Owner.ofProcess().user()) {
                        deleteIfAbandoned(directory);
                    }
                } catch (IOException | LagbenchException e) {
                    // another process deletes it as well, or the next one does
                }
            }
        }
    }

    private static void deleteIfAbandoned(Path directory) throws IOException, LagbenchException {
        Path locked = directory.resolve(LOCKED);
        for (boolean isEmpty = true; ; isEmpty = false) {
            try (FileChannel lock = FileChannel.open(locked, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
                if (lock.tryLock() != null) {
                    FileTree.delete(directory);
                }
                return;
            } catch (OverlappingFileLockException e) {
                return; // of this process, in another PID namespace
            } catch (NoSuchFileException e) {
                if (!isEmpty) {
                    FileTree.delete(directory); // one killed while it deleted it
                    return;
                }
            }
            try {
                Files.delete(directory); // its owner was killed before it could lock it, or creates another one
                return;
            } catch (DirectoryNotEmptyException e) {
                // it is being locked, or was being deleted
            }
        }
    }

    /** Deletes the directory with everything in it. The process remains able to use what it mapped. */
    public void delete() throws LagbenchException {
        FileTree.delete(path);
    }

    /** Deletes the directory, if it still exists. */
    @Override
    public void close() throws LagbenchException {
        try (lock) {
            delete();
        } catch (IOException e) {
            throw IoErrors.toException(path + " cannot be closed", e);
        }
    }
}
