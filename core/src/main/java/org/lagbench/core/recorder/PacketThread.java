package org.lagbench.core.recorder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A thread in {@code /proc}, where another thread can read how long it waited for a CPU.
 *
 * @param directory {@code /proc/PID/task/TID}
 */
public record PacketThread(Path directory) {
    /** Returns the calling thread; null if the platform has no {@code /proc/thread-self}. */
    public static @Nullable PacketThread current() {
        try {
            return new PacketThread(Path.of("/proc/thread-self").toRealPath());
        } catch (IOException e) {
            return null;
        }
    }

    /** Returns a thread of any process of this machine, by the ids of process and thread; null if it does not exist. */
    public static @Nullable PacketThread of(long process, long thread) {
        Path directory = Path.of("/proc", Long.toString(process), "task", Long.toString(thread));
        return Files.isDirectory(directory) ? new PacketThread(directory) : null;
    }

    /** Returns its number in {@code /proc}. */
    public long number() {
        return Long.parseLong(String.valueOf(directory.getFileName()));
    }

    /** Returns whether it is a thread of this process. */
    public boolean isOfThisProcess() {
        return directory.startsWith("/proc/" + ProcessHandle.current().pid());
    }

    /** Returns whether it has ended. */
    public boolean hasEnded() {
        return !Files.isDirectory(directory);
    }
}
