package org.lagbench.lab;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The directory with a file for each lab of this machine, and their removal. It belongs to root. */
final class LabDirectory {
    private static final Path DIRECTORY = Path.of("/run/lagbench");
    private static final Path NAMESPACES = Path.of("/run/netns");
    private static final String INODE = "unix:ino";
    private static final String SUFFIX = ".json";
    private static final JsonMapper JSON = new JsonMapper();

    private static final int CAP_NET_ADMIN = 12;
    private static final int CAP_SYS_ADMIN = 21;
    private static final String EFFECTIVE_CAPABILITIES = "CapEff:";
    private static final long GRACE_S = 5;

    private LabDirectory() {}

    /**
     * Runs an action that lists, adds or removes labs, one thread and process at a time.
     *
     * @throws LagbenchException also if this process may not create labs
     */
    static synchronized <T> T locked(IoErrors.Work<T> action) throws LagbenchException {
        requirePrivileges();
        try {
            Files.createDirectories(
                    DIRECTORY, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            try (FileChannel file = FileChannel.open(
                            DIRECTORY.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = file.lock()) {
                Objects.requireNonNull(lock);
                return action.get();
            }
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** Returns the path of a file that belongs to a lab and is deleted with it. */
    static Path file(String lab, String suffix) {
        return DIRECTORY.resolve(lab + suffix);
    }

    /** Returns all labs, sorted by name. */
    static List<LabState> all() throws LagbenchException {
        List<LabState> labs = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(DIRECTORY, "*" + SUFFIX)) {
            for (Path file : files) {
                labs.add(JSON.readValue(Files.readString(file), LabState.class));
            }
        } catch (NoSuchFileException e) {
            return labs; // no lab has been created since boot
        } catch (JacksonException e) {
            throw ExitCode.FILES.failure(
                    "A file in " + DIRECTORY + " was written by another version of lagbench; stop all labs, then delete"
                            + " it: "
                            + e.getOriginalMessage(),
                    e);
        } catch (IOException e) {
            throw failure(e);
        }
        labs.sort(Comparator.comparing(LabState::name));
        return labs;
    }

    /** Returns the lab with this name, if it exists. */
    static Optional<LabState> named(String name) throws LagbenchException {
        return all().stream().filter(lab -> lab.name().equals(name)).findFirst();
    }

    /** Adds or replaces a lab. */
    static void write(LabState lab) throws LagbenchException {
        AtomicFile.write(file(lab.name(), SUFFIX), JSON.writeValueAsString(lab));
    }

    /** Returns the name of the namespace of a lab in which this process runs; null if it runs in none. */
    static @Nullable String namespaceOfThisProcess() throws LagbenchException {
        if (!Files.exists(NAMESPACES)) {
            return null;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(NAMESPACES, LabState.NAMESPACE_PREFIX + "*")) {
            Object here = Files.getAttribute(Path.of("/proc/self/ns/net"), INODE);
            for (Path file : files) {
                if (here.equals(inode(file))) {
                    return file.getFileName().toString();
                }
            }
            return null;
        } catch (IOException e) {
            throw IoErrors.toException("The network namespaces in " + NAMESPACES + " cannot be read", e);
        }
    }

    /** Returns the inode of a namespace; null if it was removed meanwhile. */
    private static @Nullable Object inode(Path namespace) throws IOException {
        try {
            return Files.getAttribute(namespace, INODE);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Removes the labs whose owner has ended. The directory must be locked. */
    static void removeAbandoned() throws LagbenchException {
        for (LabState lab : all()) {
            if (lab.isAbandoned()) {
                remove(lab);
            }
        }
    }

    /** Ends the processes in a lab and removes it. Ignores what no longer exists. */
    static void remove(LabState lab) throws LagbenchException {
        List<ProcessHandle> processes = new ArrayList<>();
        for (LabState.ProcessId process : lab.relays()) {
            if (process.isRunning()) {
                ProcessHandle.of(process.pid()).ifPresent(processes::add);
            }
        }
        for (String namespace : lab.namespaces().values()) {
            if (Files.exists(NAMESPACES.resolve(namespace))) {
                NetworkTools.attempt(List.of("ip", "netns", "pids", namespace), "")
                        .output()
                        .lines()
                        .forEach(pid ->
                                ProcessHandle.of(Long.parseLong(pid.strip())).ifPresent(processes::add));
            }
        }
        processes.forEach(ProcessHandle::destroy);
        for (ProcessHandle process : processes) {
            process.onExit()
                    .completeOnTimeout(process, GRACE_S, TimeUnit.SECONDS)
                    .thenAccept(late -> late.destroyForcibly())
                    .join();
        }
        for (String namespace : lab.namespaces().values()) {
            if (Files.exists(NAMESPACES.resolve(namespace))) {
                NetworkTools.run("ip netns delete " + namespace);
            }
        }
        delete(lab.name());
    }

    /** Deletes all files of a lab, its description last. */
    private static void delete(String lab) throws LagbenchException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(
                DIRECTORY, file -> Objects.toString(file.getFileName(), "").startsWith(lab + "."))) {
            for (Path file : files) {
                if (!file.endsWith(lab + SUFFIX)) {
                    Files.deleteIfExists(file);
                }
            }
            Files.deleteIfExists(file(lab, SUFFIX));
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** Throws an exception if this process may not create or list labs, which takes capabilities for namespaces. */
    static void requirePrivileges() throws LagbenchException {
        if (!hasPrivileges()) {
            throw ExitCode.UNAVAILABLE.failure(
                    "A lab consists of network namespaces, which need root (CAP_NET_ADMIN and CAP_SYS_ADMIN): use sudo."
                            + " Without root, lab: none measures over this machine's loopback.");
        }
    }

    private static boolean hasPrivileges() throws LagbenchException {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith(EFFECTIVE_CAPABILITIES))
                    .map(line -> new BigInteger(
                            line.substring(EFFECTIVE_CAPABILITIES.length()).strip(), 16))
                    .anyMatch(held -> held.testBit(CAP_NET_ADMIN) && held.testBit(CAP_SYS_ADMIN));
        } catch (IOException e) {
            throw ExitCode.UNAVAILABLE.failure("A lab needs Linux with /proc: " + IoErrors.reason(e) + ".", e);
        }
    }

    private static LagbenchException failure(IOException e) {
        return IoErrors.toException("The list of labs in " + DIRECTORY + " cannot be read or written", e);
    }
}
