package org.lagbench.compression.codec;

import java.io.IOException;
import java.nio.file.Path;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.OwnedDirectory;

/**
 * A native library that unpacks itself, and deletes the file only if the JVM ends in an orderly way. Here it is in a
 * directory that is deleted as soon as the library is loaded; if the process is killed before, by the next one.
 * Thread-safe.
 */
final class NativeLibrary {
    private final String directoryProperty;
    private final Runnable load;
    private boolean isLoaded;

    /**
     * Describes a library.
     *
     * @param directoryProperty the system property with the directory to which it unpacks itself
     * @param load loads it
     */
    NativeLibrary(String directoryProperty, Runnable load) {
        this.directoryProperty = directoryProperty;
        this.load = load;
    }

    /**
     * Loads the library if it is not loaded.
     *
     * @throws LinkageError if it cannot be loaded
     */
    synchronized void load() {
        if (isLoaded) {
            return;
        }
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        try (OwnedDirectory directory = OwnedDirectory.create(temporary, "lagbench-codec-")) {
            System.setProperty(directoryProperty, directory.path().toString());
            load.run();
            isLoaded = true;
        } catch (IOException e) {
            throw notLoaded(IoErrors.reason(e), e);
        } catch (LagbenchException e) {
            throw notLoaded(e.sentence(), e);
        }
    }

    private static LinkageError notLoaded(String reason, Exception cause) {
        return new LinkageError(reason, cause);
    }
}
