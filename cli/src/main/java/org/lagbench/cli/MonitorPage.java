package org.lagbench.cli;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.series.SeriesSource;
import org.lagbench.web.LiveMonitor;
import org.lagbench.web.LivePage;
import org.lagbench.web.LiveServer;
import org.lagbench.web.LiveSource;
import org.lagbench.web.OpenMetrics;
import org.lagbench.web.PaperForecaster;

/** The live page and the metrics of a monitor. */
record MonitorPage(LiveMonitor monitor, LiveServer server) implements AutoCloseable {
    /**
     * Starts to serve the page.
     *
     * @param directory for temporary files
     * @return null if no page is requested
     */
    static @Nullable MonitorPage start(LiveArguments live, SeriesSource series, Path directory)
            throws LagbenchException, InterruptedException {
        if (!live.isGiven()) {
            return null;
        }
        LiveMonitor monitor = LiveMonitor.open(series, directory, PaperForecaster::new);
        try {
            Map<String, LiveSource> sources = new HashMap<>(monitor.sources());
            sources.put(OpenMetrics.PATH, new OpenMetrics(monitor::snapshots, RealtimeClock::nowNs));
            LiveServer server = live.start(LivePage.MONITOR, sources, monitor.events());
            return new MonitorPage(monitor, server);
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
