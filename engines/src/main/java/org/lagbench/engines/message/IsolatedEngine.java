package org.lagbench.engines.message;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.NativeFiles;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.transport.SideConfig;

/**
 * An engine whose interface needs libraries that are not on the class path. What opens its sides runs in another
 * instance, whose class is loaded with them. Methods of the class may use other classes of its package, but no type of
 * the libraries: the class also loads without them.
 */
public abstract class IsolatedEngine extends MessageEngine {
    private final String directory;
    private @Nullable IsolatedEngine loaded;

    /**
     * Describes an engine.
     *
     * @param transportSettings names of the settings of transports that the interface supports
     */
    protected IsolatedEngine(String name, int order, Set<String> transportSettings) {
        this(name, order, transportSettings, name);
    }

    /**
     * Describes an engine that shares its libraries with another one.
     *
     * @param directory the name of the directory of the libraries
     */
    protected IsolatedEngine(String name, int order, Set<String> transportSettings, String directory) {
        super(name, order, transportSettings);
        this.directory = directory;
    }

    /** Returns the instance that is loaded with the libraries, once. */
    private synchronized IsolatedEngine load() throws LagbenchException {
        IsolatedEngine engine = loaded;
        if (engine == null) {
            engine = getClass().getClassLoader() instanceof Libraries ? this : Libraries.load(this, directory);
            loaded = engine;
        }
        return engine;
    }

    /**
     * Checks that this machine supports the settings of a run. Called with the libraries loaded.
     *
     * @throws LagbenchException if it does not; the message states the reason and the remedy
     */
    protected void checkMachine(Settings settings) throws LagbenchException {}

    @Override
    public final @Nullable LagbenchException unavailableReason(Transport transport) {
        try {
            load();
            return null;
        } catch (LagbenchException e) {
            return e;
        }
    }

    @Override
    public final void checkMachine(Transport transport, Settings settings) throws LagbenchException {
        load().checkMachine(settings);
    }

    @Override
    public final SendEngine openSender(SideConfig config, SenderCapture capture) throws LagbenchException {
        IsolatedEngine engine = load();
        engine.checkMachine(config.settings());
        return engine == this ? super.openSender(config, capture) : engine.openSender(config, capture);
    }

    @Override
    public final ReceiveEngine openReceiver(SideConfig config, ReceiverCapture capture, Consumer<String> onFailure)
            throws LagbenchException {
        IsolatedEngine engine = load();
        engine.checkMachine(config.settings());
        return engine == this
                ? super.openReceiver(config, capture, onFailure)
                : engine.openReceiver(config, capture, onFailure);
    }

    /**
     * Loads the libraries of an engine, and the classes of the engine's package that use them. The libraries are not on
     * the class path, so that only programs that use the engine open and search them. They are in a directory with the
     * name of the engine, or of another one, next to the native libraries that they load. Its parent is
     * {@code libraries} next to the module's classes or jar, or the directory that the system property
     * {@value #PROPERTY} names.
     */
    private static final class Libraries extends URLClassLoader {
        static final String PROPERTY = "lagbench.engines";

        static {
            registerAsParallelCapable();
        }

        private static final Map<String, Libraries> ALL = new HashMap<>();

        private final Path libraries;
        private final String prefix;

        private Libraries(Path libraries, Class<?> engine) throws IOException {
            super(urls(libraries, engine), engine.getClassLoader());
            this.libraries = libraries;
            this.prefix = engine.getPackageName() + ".";
        }

        /**
         * Returns an engine of the same class, loaded with the libraries.
         *
         * @param directory the name of their directory
         * @throws LagbenchException if the libraries are missing
         */
        @SuppressWarnings("resource") // the loaded classes need it as long as this process runs
        static IsolatedEngine load(IsolatedEngine engine, String directory) throws LagbenchException {
            String name = engine.name();
            Class<?> type = engine.getClass();
            Path libraries = NativeFiles.directory(PROPERTY, type, "libraries").resolve(directory);
            if (!Files.isDirectory(libraries)) {
                throw unavailable(name, "its libraries are missing: there is no " + libraries, null);
            }
            try {
                return (IsolatedEngine) of(libraries, type)
                        .loadClass(type.getName())
                        .getConstructor()
                        .newInstance();
            } catch (IOException e) {
                throw unavailable(name, "its libraries in " + libraries + " cannot be read: " + IoErrors.reason(e), e);
            } catch (ReflectiveOperationException | LinkageError e) {
                throw unavailable(name, "its classes do not load: " + e, e);
            }
        }

        /** Returns the one of a package: a JVM loads the file of a native library only once. */
        private static synchronized Libraries of(Path libraries, Class<?> engine) throws IOException {
            String key = libraries + " " + engine.getPackageName();
            Libraries known = ALL.get(key);
            if (known == null) {
                known = new Libraries(libraries, engine);
                ALL.put(key, known);
            }
            return known;
        }

        private static URL[] urls(Path libraries, Class<?> engine) throws IOException {
            List<URL> urls = new ArrayList<>();
            try (Stream<Path> files = Files.list(libraries)) {
                for (Path file : files.filter(each -> each.toString().endsWith(".jar"))
                        .sorted()
                        .toList()) {
                    urls.add(file.toUri().toURL());
                }
            }
            urls.add(engine.getProtectionDomain().getCodeSource().getLocation());
            return urls.toArray(URL[]::new);
        }

        private static LagbenchException unavailable(String name, String reason, @Nullable Throwable cause) {
            return ExitCode.UNAVAILABLE.failure(
                    "engine: " + name + " is not available: " + reason
                            + ". Build it with: mvn -pl engines -am -DskipTests package",
                    cause);
        }

        /** Returns a native library that the build has unpacked: nothing is unpacked to /tmp when it is loaded. */
        @Override
        protected @Nullable String findLibrary(String library) {
            Path file = libraries.resolve(System.mapLibraryName(library));
            return Files.isRegularFile(file) ? file.toString() : null;
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
