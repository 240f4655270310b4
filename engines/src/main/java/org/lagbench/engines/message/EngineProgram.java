package org.lagbench.engines.message;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.NativeFiles;

/**
 * The program in C of an engine, which is built if its library is there.
 *
 * @param name of the file
 * @param engine the engine's name
 * @param library the library's name
 * @param packages the Debian packages that its build needs
 */
public record EngineProgram(String name, String engine, String library, String packages) {
    /** The system property that names the directory of the programs. */
    public static final String DIRECTORY_PROPERTY = "lagbench.engines.native";

    private static final String BUILD = "mvn -pl engines -am -DskipTests package";

    /**
     * Returns the path.
     *
     * @throws LagbenchException with {@link ExitCode#UNAVAILABLE} if there is none; the message states the remedy
     */
    public Path path() throws LagbenchException {
        NativeFiles files = new NativeFiles(DIRECTORY_PROPERTY, EngineProgram.class, BUILD, "engine: " + engine);
        Path directory = files.directory();
        if (Files.isDirectory(directory) && !Files.exists(directory.resolve(name))) {
            throw ExitCode.UNAVAILABLE.failure("engine: " + engine + " is not available: it was built without "
                    + library
                    + reason(directory.resolve(name + ".missing")) + ". Install it with: apt-get install " + packages
                    + "; then build with: " + BUILD);
        }
        return files.file(name);
    }

    /** Returns what pkg-config reported at the build, in parentheses; empty if that is unknown. */
    private static String reason(Path file) {
        try {
            return " (" + Files.readString(file).strip() + ")";
        } catch (IOException e) {
            return "";
        }
    }
}
