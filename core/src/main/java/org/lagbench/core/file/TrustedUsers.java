package org.lagbench.core.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The users whose files and connections this process trusts as its own: its own user, root, and with root's privileges
 * the user who called it by sudo.
 */
public final class TrustedUsers {
    private static final int ROOT = 0;
    private static final int GROUP_WRITES = 0020;
    private static final int OTHERS_WRITE = 0002;
    private static final int STICKY = 01000;
    private static final int GROUP = 0070;
    private static final int OTHERS = 0007;

    private TrustedUsers() {}

    /** Returns the numbers of these users. */
    public static Set<Integer> ids() throws IOException {
        int own = Owner.of(Path.of("/proc/self")).user;
        Set<Integer> ids = new HashSet<>(List.of(ROOT, own));
        String caller = System.getenv("SUDO_UID");
        if (own == ROOT && caller != null && caller.matches("\\d{1,9}")) {
            ids.add(Integer.valueOf(caller));
        }
        return ids;
    }

    /** Returns whether this process is root's, and the directory is neither root's nor that of the caller of sudo. */
    static boolean isRootInDirectoryOfOthers(Path directory) throws IOException {
        return Owner.of(Path.of("/proc/self")).user == ROOT && !ids().contains(Owner.of(directory.toRealPath()).user);
    }

    /**
     * Returns why others could read or replace a file, as the end of a sentence; null if none can.
     *
     * @throws IOException if it cannot be examined
     */
    public static @Nullable String exposure(Path file) throws IOException {
        Path real = file.toRealPath();
        Set<Integer> trusted = ids();
        Owner self = Owner.of(Path.of("/proc/self"));
        Owner ofFile = Owner.of(real);
        if (!trusted.contains(ofFile.user)) {
            return "belongs to another user; make a copy that is yours";
        }
        if (ofFile.isReadableByOthers(self)) {
            return "is accessible to other users; run: chmod 600 " + file;
        }
        Path parent = real.getParent();
        for (Path directory = parent; directory != null; directory = directory.getParent()) {
            Owner owner = Owner.of(directory);
            if (owner.isWritableByOthers(self) || (directory.equals(parent) && !trusted.contains(owner.user))) {
                return "is in " + directory
                        + ", in which other users can replace files; move it to a directory of yours";
            }
        }
        return null;
    }

    /** The owner, group and permissions of a file. */
    record Owner(int user, int group, int mode) {
        static Owner of(Path path) throws IOException {
            return new Owner(number(path, "uid"), number(path, "gid"), number(path, "mode"));
        }

        private static int number(Path path, String attribute) throws IOException {
            return (Integer) Files.getAttribute(path, "unix:" + attribute);
        }

        /**
         * Not for a file of root's, because root decides who else reads it. systemd makes a credential of root's that
         * an access control list (ACL) allows the user of the service to read. The bits of the group are then the mask
         * of the list.
         */
        boolean isReadableByOthers(Owner self) {
            boolean isCredential = user == ROOT && group == ROOT && self.user != ROOT && (mode & GROUP_WRITES) == 0;
            return (mode & (isCredential ? OTHERS : OTHERS | GROUP)) != 0;
        }

        /** The user's private group, which Debian creates for each user, does not count as others. */
        boolean isWritableByOthers(Owner self) {
            boolean byOthers = (mode & OTHERS_WRITE) != 0 || ((mode & GROUP_WRITES) != 0 && group != self.group);
            return byOthers && (mode & STICKY) == 0;
        }
    }
}
