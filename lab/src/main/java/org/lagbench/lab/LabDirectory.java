package org.lagbench.lab;

import java.io.IOException;
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
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The directory with a file for each lab of this machine. It belongs to root. */
final class LabDirectory {
    private static final Path DIRECTORY = Path.of("/run/lagbench");
    private static final String SUFFIX = ".json";
    private static final JsonMapper JSON = new JsonMapper();

    private LabDirectory() {}

    /** Runs an action that lists, adds or removes labs, one thread and process at a time. */
    static synchronized <T> T locked(IoErrors.Work<T> action) throws LagbenchException {
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
        WholeFile.write(file(lab.name(), SUFFIX), JSON.writeValueAsString(lab));
    }

    /** Deletes all files of a lab, its description last. */
    static void delete(String lab) throws LagbenchException {
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

    private static LagbenchException failure(IOException e) {
        return IoErrors.toException("The list of labs in " + DIRECTORY + " cannot be read or written", e);
    }
}
