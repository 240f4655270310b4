package org.lagbench.core.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.lagbench.core.file.TrustedUsers.Owner;

/**
 * Reads files that only {@link TrustedUsers} can read and replace: keys. Goes from the root to the file without
 * following links by the kernel. Once all directories up to a name belong to trusted users and nobody else may write to
 * them, nobody else can change what that name means, so the file that was examined is the file that is read.
 */
public final class PrivateFile {
    /** As the kernel's limit. */
    private static final int MAXIMUM_LINKS = 40;

    private static final Path ROOT = Path.of("/");

    private PrivateFile() {}

    /** Others can read or replace the file, or it is no plain file of a fitting size. Its message ends a sentence. */
    public static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1;

        RefusedException(String message) {
            super(message);
        }
    }

    /**
     * Returns the content of a file.
     *
     * @throws IOException if it does not exist or cannot be read
     */
    public static byte[] read(Path file, int maximumBytes) throws IOException, RefusedException {
        Path examined = examine(file);
        try (InputStream in = Files.newInputStream(examined, LinkOption.NOFOLLOW_LINKS)) {
            byte[] content = in.readNBytes(maximumBytes + 1);
            if (content.length > maximumBytes) {
                throw new RefusedException("is longer than " + maximumBytes + " bytes");
            }
            return content;
        }
    }

    /** Returns the path of the file without links. */
    private static Path examine(Path file) throws IOException, RefusedException {
        Owner self = Owner.ofProcess();
        Set<Integer> trusted = TrustedUsers.ids();
        Deque<Path> names = new ArrayDeque<>();
        prepend(file.toAbsolutePath(), names);
        Path reached = ROOT;
        examineDirectory(ROOT, Owner.of(ROOT), self, trusted);
        for (int links = 0; !names.isEmpty(); ) {
            Path name = names.pop();
            if (name.toString().equals("..")) {
                Path parent = reached.getParent();
                reached = parent == null ? ROOT : parent;
                continue;
            }
            Path next = reached.resolve(name).normalize();
            Owner owner = Owner.of(next);
            if (Files.isSymbolicLink(next)) {
                if (!trusted.contains(owner.user())) {
                    throw new RefusedException(
                            "is behind the link " + next + " of another user; name the file without the link");
                }
                if (++links > MAXIMUM_LINKS) {
                    throw new FileSystemLoopException(file.toString());
                }
                Path target = Files.readSymbolicLink(next);
                prepend(target, names);
                reached = target.isAbsolute() ? ROOT : reached;
            } else if (Files.isDirectory(next, LinkOption.NOFOLLOW_LINKS)) {
                examineDirectory(next, owner, self, trusted);
                reached = next;
            } else if (names.isEmpty()) {
                examineFile(next, file, owner, self, trusted);
                return next;
            } else {
                throw new NotDirectoryException(next.toString());
            }
        }
        throw new RefusedException("is not a regular file");
    }

    private static void prepend(Path path, Deque<Path> names) {
        List<Path> all = new ArrayList<>();
        path.forEach(all::add);
        for (int i = all.size() - 1; i >= 0; i--) {
            names.push(all.get(i));
        }
    }

    private static void examineDirectory(Path directory, Owner owner, Owner self, Set<Integer> trusted)
            throws RefusedException {
        if (!trusted.contains(owner.user()) || owner.isWritableByOthers(self)) {
            throw new RefusedException(
                    "is in " + directory + ", in which other users can replace files; move it to a directory of yours");
        }
    }

    private static void examineFile(Path examined, Path named, Owner owner, Owner self, Set<Integer> trusted)
            throws RefusedException {
        if (!Files.isRegularFile(examined, LinkOption.NOFOLLOW_LINKS)) {
            throw new RefusedException("is not a regular file");
        }
        if (!trusted.contains(owner.user())) {
            throw new RefusedException("belongs to another user; make a copy that is yours");
        }
        if (owner.isReadableByOthers(self)) {
            throw new RefusedException("is accessible to other users; run: chmod 600 " + named);
        }
    }
}
