package org.lagbench.engines.message;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
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

/**
 * The libraries of an interface. They are not on the class path, so that only programs that use the interface open and
 * search them. They are in a directory with the name of the engine, or of another one. Its parent is {@code libraries}
 * beside the module's classes or jar, or the directory that the system property {@value #PROPERTY} names.
 */
public final class Libraries {
    static final String PROPERTY = "lagbench.engines";

    private final Class<? extends InterfaceEngine> engine;
    private final String name;
    private final String directory;
    private final String implementation;
    private @Nullable Sides sides;

    /**
     * Describes the libraries of an engine.
     *
     * @param name the engine's name
     * @param directory the name of their directory
     * @param implementation the simple name of the {@link Sides} in the engine's package
     */
    public Libraries(Class<? extends InterfaceEngine> engine, String name, String directory, String implementation) {
        this.engine = engine;
        this.name = name;
        this.directory = directory;
        this.implementation = engine.getPackageName() + "." + implementation;
    }

    /**
     * Returns the implementation, which is loaded once.
     *
     * @throws LagbenchException if the libraries are missing
     */
    public synchronized Sides load() throws LagbenchException {
        Sides loaded = sides;
        if (loaded == null) {
            try {
                loaded = (Sides)
                        loader().loadClass(implementation).getConstructor().newInstance();
            } catch (ReflectiveOperationException | LinkageError e) {
                throw unavailable("its classes do not load: " + e, e);
            }
            sides = loaded;
        }
        return loaded;
    }

    private ClassLoader loader() throws LagbenchException {
        Path libraries = parent().resolve(directory);
        if (!Files.isDirectory(libraries)) {
            throw unavailable("its libraries are missing: there is no " + libraries, null);
        }
        List<URL> urls = new ArrayList<>();
        try (Stream<Path> files = Files.list(libraries)) {
            for (Path file : files.sorted().toList()) {
                urls.add(url(file));
            }
            urls.add(engine.getProtectionDomain().getCodeSource().getLocation());
        } catch (IOException e) {
            throw unavailable("its libraries in " + libraries + " cannot be read: " + IoErrors.reason(e), e);
        }
        return new Loader(urls.toArray(URL[]::new), engine);
    }

    private static URL url(Path file) throws MalformedURLException {
        return file.toUri().toURL();
    }

    private Path parent() {
        @Nullable String given = System.getProperty(PROPERTY);
        if (given != null) {
            return Path.of(given).toAbsolutePath();
        }
        try {
            return Path.of(engine.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .resolveSibling("libraries")
                    .toAbsolutePath();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the location of lagbench's classes is not a path", e);
        }
    }

    private LagbenchException unavailable(String reason, @Nullable Throwable cause) {
        return new LagbenchException(
                ExitCode.UNAVAILABLE,
                "engine: " + name + " is not available: " + reason + ". Build it with: mvn -pl engines -am package",
                cause);
    }

    /** Loads the libraries, and the classes of the engine's package that use them. */
    private static final class Loader extends URLClassLoader {
        static {
            registerAsParallelCapable();
        }

        private final String prefix;

        Loader(URL[] urls, Class<?> engine) {
            super(urls, engine.getClassLoader());
            this.prefix = engine.getPackageName() + ".";
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
}
