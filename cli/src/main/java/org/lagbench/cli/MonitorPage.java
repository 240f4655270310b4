package org.lagbench.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.series.SeriesInfo;
import org.lagbench.web.LiveMonitor;
import org.lagbench.web.LivePage;
import org.lagbench.web.LiveServer;

/** The live page and the metrics of a monitor. */
record MonitorPage(LiveMonitor monitor, LiveServer server) implements AutoCloseable {
    /**
     * Starts to serve the page.
     *
     * @param session its series are read
     * @param failures receives the failure if they cannot be read later
     * @return null if no page is requested
     */
    static @Nullable MonitorPage start(
            LiveArguments live, Path session, List<SeriesInfo> series, Consumer<LagbenchException> failures)
            throws LagbenchException {
        if (!live.isGiven()) {
            return null;
        }
        LiveMonitor monitor = LiveMonitor.open(session, series, failures);
        try {
            return new MonitorPage(monitor, live.start(LivePage.MONITOR, monitor.sources(), monitor.events()));
        } catch (LagbenchException | RuntimeException e) {
            monitor.close();
            throw e;
        }
    }

    @Override
    public void close() {
        server.close();
        monitor.close();
    }
}
