package org.lagbench.core.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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
        int own = Owner.ofProcess().user;
        Set<Integer> ids = new HashSet<>(List.of(ROOT, own));
        String caller = System.getenv("SUDO_UID");
        if (own == ROOT && caller != null && caller.matches("\\d{1,9}")) {
            ids.add(Integer.valueOf(caller));
        }
        return ids;
    }

    /** Returns whether this process is root's, and the directory is neither root's nor that of the caller of sudo. */
    static boolean isRootInDirectoryOfOthers(Path directory) throws IOException {
        return Owner.ofProcess().user == ROOT && !ids().contains(Owner.of(directory.toRealPath()).user);
    }

    /** The owner, group and permissions of a file, which may be a link. */
    record Owner(int user, int group, int mode) {
        static Owner of(Path path) throws IOException {
            return new Owner(number(path, "uid"), number(path, "gid"), number(path, "mode"));
        }

        /** Returns the user and group of this process. */
        static Owner ofProcess() throws IOException {
            return of(Path.of("/proc/self").toRealPath());
        }

        private static int number(Path path, String attribute) throws IOException {
            return (Integer) Files.getAttribute(path, "unix:" + attribute, LinkOption.NOFOLLOW_LINKS);
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
