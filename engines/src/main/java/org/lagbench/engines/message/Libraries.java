package org.lagbench.engines.message;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.NativeFiles;

/**
 * Loads the libraries of an engine, and the classes of the engine's package that use them. The libraries are not on the
 * class path, so that only programs that use the engine open and search them. They are in a directory with the name of
 * the engine, or of another one. Its parent is {@code libraries} next to the module's classes or jar, or the directory
 * that the system property {@value #PROPERTY} names.
 */
final class Libraries extends URLClassLoader {
    static final String PROPERTY = "lagbench.engines";

    static {
        registerAsParallelCapable();
    }

    private final String prefix;

    private Libraries(URL[] urls, Class<?> engine) {
        super(urls, engine.getClassLoader());
        this.prefix = engine.getPackageName() + ".";
    }

    /**
     * Returns an engine of the same class, loaded with the libraries.
     *
     * @param directory the name of their directory
     * @throws LagbenchException if the libraries are missing
     */
    @SuppressWarnings("resource") // the loaded classes need it as long as this process runs
    static LibraryEngine load(LibraryEngine engine, String directory) throws LagbenchException {
        String name = engine.name();
        Class<?> type = engine.getClass();
        Path libraries = NativeFiles.directory(PROPERTY, type, "libraries").resolve(directory);
        if (!Files.isDirectory(libraries)) {
            throw unavailable(name, "its libraries are missing: there is no " + libraries, null);
        }
        List<URL> urls = new ArrayList<>();
        try (Stream<Path> files = Files.list(libraries)) {
            for (Path file : files.sorted().toList()) {
                urls.add(file.toUri().toURL());
            }
            urls.add(type.getProtectionDomain().getCodeSource().getLocation());
        } catch (IOException e) {
            throw unavailable(name, "its libraries in " + libraries + " cannot be read: " + IoErrors.reason(e), e);
        }
        try {
            return (LibraryEngine) new Libraries(urls.toArray(URL[]::new), type)
                    .loadClass(type.getName())
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | LinkageError e) {
            throw unavailable(name, "its classes do not load: " + e, e);
        }
    }

    private static LagbenchException unavailable(String name, String reason, @Nullable Throwable cause) {
        return ExitCode.UNAVAILABLE.failure(
                "engine: " + name + " is not available: " + reason + ". Build it with: mvn -pl engines -am package",
                cause);
    }

    @Override
    protected Class<?> loadClass(String className, boolean resolve) throws ClassNotFoundException {
        if (!className.startsWith(prefix)) {
            return super.loadClass(className, resolve);
        }
        synchronized (getClassLoadingLock(className)) {
            Class<?> loaded = findLoadedClass(className);
            return loaded == null ? findClass(className) : loaded;
        }
    }
}
