package org.lagbench.core.cause;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A thread as {@code /proc} knows it, by which another can look up how long it waited for a CPU. */
public final class PacketThread {
    private final Path directory;

    private PacketThread(Path directory) {
        this.directory = directory;
    }

    /** The calling thread; null if the platform has no {@code /proc/thread-self}. */
    public static @Nullable PacketThread current() {
        try {
            return new PacketThread(Path.of("/proc/thread-self").toRealPath());
        } catch (IOException e) {
            return null;
        }
    }

    /** A thread of any process of this machine, by the numbers that this process sees; null without {@code /proc}. */
    public static @Nullable PacketThread of(long process, long thread) {
        Path directory = Path.of("/proc", Long.toString(process), "task", Long.toString(thread));
        return Files.isDirectory(directory) ? new PacketThread(directory) : null;
    }

    /** Whether it is over with it. */
    boolean hasEnded() {
        return !Files.isDirectory(directory);
    }

    /** {@code /proc/PID/task/TID}. */
    Path directory() {
        return directory;
    }
}
