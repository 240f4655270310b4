package org.lagbench.engines.message;

import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
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
public abstract class LibraryEngine extends InterfaceEngine {
    private final String directory;
    private @Nullable LibraryEngine loaded;

    /**
     * Describes an engine.
     *
     * @param transportSettings names of the settings of transports that the interface supports
     */
    protected LibraryEngine(String name, int tableOrder, Set<String> transportSettings) {
        this(name, tableOrder, transportSettings, name);
    }

    /**
     * Describes an engine that shares its libraries with another one.
     *
     * @param directory the name of the directory of the libraries
     */
    protected LibraryEngine(String name, int tableOrder, Set<String> transportSettings, String directory) {
        super(name, tableOrder, transportSettings);
        this.directory = directory;
    }

    /** Returns the instance that is loaded with the libraries, once. */
    private synchronized LibraryEngine load() throws LagbenchException {
        LibraryEngine engine = loaded;
        if (engine == null) {
            engine = getClass().getClassLoader() instanceof Libraries ? this : Libraries.load(this, directory);
            loaded = engine;
        }
        return engine;
    }

    /**
     * Checks that this machine supports the settings of a run. Called with the libraries loaded.
     *
     * @throws LagbenchException if it does not; the message says why, and what to do about it
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
        LibraryEngine engine = load();
        engine.checkMachine(config.settings());
        return engine == this ? super.openSender(config, capture) : engine.openSender(config, capture);
    }

    @Override
    public final ReceiveEngine openReceiver(SideConfig config, ReceiverCapture capture, Consumer<String> onFailure)
            throws LagbenchException {
        LibraryEngine engine = load();
        engine.checkMachine(config.settings());
        return engine == this
                ? super.openReceiver(config, capture, onFailure)
                : engine.openReceiver(config, capture, onFailure);
    }
}
