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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.OwnedDirectory;

/**
 * A virtual bus for processes of a machine without IEEE-1394: a private directory, and the environment that makes
 * libraw1394 in child processes use it. The first process that uses the bus starts its daemon, which ends with the
 * last. Thread-safe.
 */
public final class VirtualBus implements AutoCloseable {
    /** The library to preload, in the directory of {@link Raw1394#FILES}. */
    private static final String SHIM = "liblagbench_bus_shim.so";

    /** The bus daemon, in the directory of {@link Raw1394#FILES}. */
    static final String DAEMON = "lagbench-busd";

    /** The environment variable of the bus's directory. */
    public static final String DIRECTORY_VARIABLE = "LAGBENCH_BUS_DIR";

    /** The environment variable of the daemon's program file. */
    public static final String DAEMON_VARIABLE = "LAGBENCH_BUSD";

    private static final String PRELOAD_VARIABLE = "LD_PRELOAD";

    /** How the names of temporary directories of buses begin. */
    private static final String PREFIX = "lagbench-bus-";

    /** The path of a Unix socket has at most 107 bytes, and the bus's socket is below the directory. */
    private static final int MAXIMUM_PARENT_LENGTH = 50;

    private static final long END_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long POLL_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(2);

    private final Path directory;
    private final boolean ownDirectory;
    private final Path daemon;
    private final Map<String, String> environment;

    private VirtualBus(Path directory, boolean ownDirectory) throws LagbenchException {
        this.directory = directory;
        this.ownDirectory = ownDirectory;
        this.daemon = Raw1394.FILES.file(DAEMON);
        String shim = requirePreloadable(Raw1394.FILES.file(SHIM));
        String preloaded = System.getenv().getOrDefault(PRELOAD_VARIABLE, "");
        this.environment = new TreeMap<>(Map.of(
                PRELOAD_VARIABLE, preloaded.isEmpty() ? shim : shim + ":" + preloaded,
                DIRECTORY_VARIABLE, directory.toString(),
                DAEMON_VARIABLE, daemon.toString()));
    }

    /**
     * Returns the path of a library for LD_PRELOAD, whose names ld.so(8) separates by spaces and colons.
     *
     * @throws LagbenchException if the path contains one
     */
    static String requirePreloadable(Path library) throws LagbenchException {
        String path = library.toString();
        if (path.indexOf(' ') >= 0 || path.indexOf(':') >= 0) {
            throw ExitCode.UNAVAILABLE.failure("The virtual bus cannot be preloaded from " + library.getParent()
                    + ", which contains a space or a colon; move lagbench to another folder.");
        }
        return path;
    }

    /** Returns whether this machine has no IEEE-1394 port, so that a process needs a virtual bus. */
    public static boolean isNeeded() {
        return Port.deviceFiles().isEmpty();
    }

    /** Returns whether this process and its child processes are on a virtual bus. */
    public static boolean isInherited() {
        return !isNeeded() && System.getenv(DIRECTORY_VARIABLE) != null;
    }

    /** Returns the files of the virtual bus that are missing because it was not built. */
    public static List<Path> missingFiles() {
        return Stream.of(SHIM, DAEMON)
                .map(Raw1394.FILES.directory()::resolve)
                .filter(file -> !Files.isRegularFile(file))
                .toList();
    }

    /**
     * Creates a bus in a new temporary directory. The daemon creates the directory when it starts and removes it when
     * it ends, even if this process is killed. Deletes those of killed daemons.
     *
     * @throws LagbenchException if the virtual bus was not built
     */
    public static VirtualBus create() throws LagbenchException {
        Path parent = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
        if (parent.toString().length() > MAXIMUM_PARENT_LENGTH) {
            parent = Path.of("/tmp");
        }
        Path temporary = parent;
        IoErrors.explained(parent + " cannot be cleaned up", () -> {
            OwnedDirectory.deleteAbandoned(temporary, PREFIX);
            return temporary;
        });
        String random = HexFormat.of().toHexDigits(new SecureRandom().nextLong());
        return new VirtualBus(parent.resolve(PREFIX + random), true);
    }

    /**
     * Returns the bus in a directory that the caller keeps; the daemon creates it if necessary.
     *
     * @throws LagbenchException if the virtual bus was not built
     */
    public static VirtualBus in(Path directory) throws LagbenchException {
        return new VirtualBus(directory.toAbsolutePath().normalize(), false);
    }

    /** Returns the directory of the bus, which only this user may enter. */
    public Path directory() {
        return directory;
    }

    /** Returns the daemon's program file. */
    public Path daemon() {
        return daemon;
    }

    /** Returns the environment variables that put a child process on the bus. Keeps this process's LD_PRELOAD. */
    public Map<String, String> environment() {
        return environment;
    }

    /**
     * Ends the daemon of a bus that {@link #create} returned, and removes the bus's directory. The processes on the bus
     * must have ended.
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
            return; // the daemon has already removed the directory
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove the virtual bus's directory " + directory, e);
        }
    }

    /** Returns whether a process is the daemon of this bus. Any process on the bus may have started it. */
    private boolean isDaemon(ProcessHandle process) {
        ProcessHandle.Info info = process.info();
        return info.command().map(command -> command.contains(DAEMON)).orElse(false)
                && Arrays.asList(info.arguments().orElse(new String[0])).contains(directory.toString());
    }

    /** Ends the daemon. A zombie has no program or arguments and counts as ended. */
    private void endDaemon() {
        List<ProcessHandle> daemons =
                ProcessHandle.allProcesses().filter(this::isDaemon).toList();
        daemons.forEach(ProcessHandle::destroy);
        long sinceNs = System.nanoTime();
        while (daemons.stream().anyMatch(this::isDaemon)) {
            if (System.nanoTime() - sinceNs > END_TIMEOUT_NS) {
                daemons.forEach(ProcessHandle::destroyForcibly);
                return;
            }
            LockSupport.parkNanos(POLL_INTERVAL_NS);
        }
    }
}
