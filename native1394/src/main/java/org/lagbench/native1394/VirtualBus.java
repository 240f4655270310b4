package org.lagbench.native1394;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.lagbench.core.failure.LagbenchException;

/**
 * A bus for processes of a machine that has none: a private directory, and the environment that makes libraw1394 in a
 * child process find the virtual bus there. The bus itself is a daemon that starts with the first process that uses it
 * and ends with the last. Thread-safe.
 */
public final class VirtualBus implements AutoCloseable {
    /** The library to preload, in the directory of {@link NativeLibrary#FILES}. */
    public static final String SHIM = "liblagbench_bus_shim.so";

    /** The bus daemon, in the directory of {@link NativeLibrary#FILES}. */
    public static final String DAEMON = "lagbench-busd";

    /** Environment: the directory of the bus. */
    public static final String DIRECTORY_VARIABLE = "LAGBENCH_BUS_DIR";

    /** Environment: the daemon's program file. */
    public static final String DAEMON_VARIABLE = "LAGBENCH_BUSD";

    private static final String PRELOAD_VARIABLE = "LD_PRELOAD";

    /** A Unix socket's path has 107 bytes at the most, and the bus makes its own below the directory. */
    private static final int LONGEST_PARENT = 50;

    private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long LOOK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(2);

    private final Path directory;
    private final boolean ownDirectory;
    private final Path daemon;
    private final Map<String, String> environment;

    private VirtualBus(Path directory, boolean ownDirectory) throws LagbenchException {
        this.directory = directory;
        this.ownDirectory = ownDirectory;
        this.daemon = NativeLibrary.FILES.file(DAEMON);
        this.environment = environment(directory, NativeLibrary.FILES.file(SHIM), daemon, System.getenv());
    }

    /** Whether this machine has no IEEE-1394 port of its own, so that a process needs a virtual bus. */
    public static boolean isNeeded() {
        return DeviceFiles.list().isEmpty();
    }

    /** Whether this process is on a virtual bus itself, as those that it starts are then. */
    public static boolean isInherited() {
        return !isNeeded() && System.getenv(DIRECTORY_VARIABLE) != null;
    }

    /**
     * A new bus, in a directory for temporary files. Nothing is made or started yet: the daemon makes the directory,
     * and removes it when it ends, so that nothing is left even if this process is killed.
     *
     * @throws LagbenchException if the virtual bus was not built
     */
    public static VirtualBus create() throws LagbenchException {
        Path parent = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
        if (parent.toString().length() > LONGEST_PARENT) {
            parent = Path.of("/tmp");
        }
        String random = HexFormat.of().toHexDigits(new SecureRandom().nextLong());
        return new VirtualBus(parent.resolve("lagbench-bus-" + random), true);
    }

    /**
     * The bus in a directory that somebody else keeps; the daemon makes it if it is not there.
     *
     * @throws LagbenchException if the virtual bus was not built
     */
    public static VirtualBus in(Path directory) throws LagbenchException {
        return new VirtualBus(directory.toAbsolutePath().normalize(), false);
    }

    /**
     * The environment for a process on the bus in a directory.
     *
     * @param inherited the environment it is put into, whose own preloaded libraries are kept
     */
    private static Map<String, String> environment(
            Path directory, Path shim, Path daemon, Map<String, String> inherited) {
        String preloaded = inherited.getOrDefault(PRELOAD_VARIABLE, "");
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put(PRELOAD_VARIABLE, preloaded.isEmpty() ? shim.toString() : shim + ":" + preloaded);
        environment.put(DIRECTORY_VARIABLE, directory.toString());
        environment.put(DAEMON_VARIABLE, daemon.toString());
        return environment;
    }

    /** Where the bus is: a directory that only this user may enter. */
    public Path directory() {
        return directory;
    }

    /** The daemon's program file, for those who start it by hand. */
    public Path daemon() {
        return daemon;
    }

    /** What a child process needs in its environment to be on the bus. */
    public Map<String, String> environment() {
        return environment;
    }

    /**
     * Ends the daemon of a bus of {@link #create} at once, though it would end by itself a moment later, and removes
     * the bus's directory. When it returns, nothing of the bus is left. The processes on the bus must have ended.
     */
    @Override
    public void close() {
        if (!ownDirectory) {
            return;
        }
        endDaemon();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(directory);
        } catch (NoSuchFileException e) {
            return; // the daemon was faster
        } catch (IOException e) {
            throw new UncheckedIOException("the virtual bus's directory " + directory + " cannot be removed", e);
        }
    }

    /**
     * Whether a process is the daemon of this bus: it is started, by whichever program came first, for this directory.
     */
    private boolean isDaemon(ProcessHandle process) {
        ProcessHandle.Info info = process.info();
        return info.command().map(command -> command.contains(DAEMON)).orElse(false)
                && Arrays.asList(info.arguments().orElse(new String[0])).contains(directory.toString());
    }

    /** A daemon that nobody has reaped yet has neither program nor arguments any more, and counts as ended. */
    private void endDaemon() {
        List<ProcessHandle> daemons =
                ProcessHandle.allProcesses().filter(this::isDaemon).toList();
        daemons.forEach(ProcessHandle::destroy);
        long sinceNs = System.nanoTime();
        while (daemons.stream().anyMatch(this::isDaemon)) {
            if (System.nanoTime() - sinceNs > GRACE_NS) {
                daemons.forEach(ProcessHandle::destroyForcibly);
                return;
            }
            LockSupport.parkNanos(LOOK_INTERVAL_NS);
        }
    }
}
