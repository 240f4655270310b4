package org.lagbench.lab;

import java.io.IOException;
import java.nio.channels.FileChannel;
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

/** The directory where the labs of this machine are listed, a file each; root's, as labs are. */
final class LabDirectory {
    private static final Path DIRECTORY = Path.of("/run/lagbench");
    private static final String SUFFIX = ".json";
    private static final JsonMapper JSON = new JsonMapper();

    private LabDirectory() {}

    /**
     * Held while labs are listed, made known or removed: one process at a time. Closing gives it back; so does the end
     * of the process.
     */
    static FileChannel lock() throws LagbenchException {
        try {
            Files.createDirectories(
                    DIRECTORY, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            FileChannel lock =
                    FileChannel.open(DIRECTORY.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            lock.lock();
            return lock;
        } catch (IOException e) {
            throw trouble(DIRECTORY, e);
        }
    }

    /** A file that belongs to a lab and is removed with it. */
    static Path file(String lab, String suffix) {
        return DIRECTORY.resolve(lab + suffix);
    }

    /** All labs, by name. */
    static List<LabState> all() throws LagbenchException {
        List<LabState> labs = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(DIRECTORY, "*" + SUFFIX)) {
            for (Path file : files) {
                labs.add(JSON.readValue(Files.readString(file), LabState.class));
            }
        } catch (NoSuchFileException e) {
            return labs; // there was never one
        } catch (JacksonException e) {
            throw new LagbenchException(
                    ExitCode.FILES,
                    "A file in " + DIRECTORY + " is not of this version of lagbench; delete it when no lab is in use: "
                            + e.getOriginalMessage(),
                    e);
        } catch (IOException e) {
            throw trouble(DIRECTORY, e);
        }
        labs.sort(Comparator.comparing(LabState::name));
        return labs;
    }

    /** The lab of that name. */
    static Optional<LabState> named(String name) throws LagbenchException {
        return all().stream().filter(lab -> lab.name().equals(name)).findFirst();
    }

    /** Makes a lab known, or what has changed of it. */
    static void write(LabState lab) throws LagbenchException {
        WholeFile.write(file(lab.name(), SUFFIX), JSON.writeValueAsString(lab));
    }

    /** Removes all files of a lab, its description last. */
    static void forget(String lab) throws LagbenchException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(
                DIRECTORY, file -> Objects.toString(file.getFileName(), "").startsWith(lab + "."))) {
            for (Path file : files) {
                if (!file.endsWith(lab + SUFFIX)) {
                    Files.deleteIfExists(file);
                }
            }
            Files.deleteIfExists(file(lab, SUFFIX));
        } catch (IOException e) {
            throw trouble(DIRECTORY, e);
        }
    }

    private static LagbenchException trouble(Path path, IOException e) {
        return new LagbenchException(
                ExitCode.FILES, "Labs are listed in " + path + ", which fails: " + IoErrors.reason(e) + ".", e);
    }
}
