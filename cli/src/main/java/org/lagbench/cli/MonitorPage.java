package org.lagbench.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.BackgroundThread;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.series.SeriesIndex;
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

    /**
     * The live page of a session that another process records, such as a monitor in a lab's network namespace, which no
     * browser reaches. The page starts when the session has its series. If the page fails, the recording continues.
     */
    static final class Followed implements AutoCloseable {
        private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
        private static final long REFRESH_NS = TimeUnit.SECONDS.toNanos(1);

        private final LiveArguments live;
        private final Path session;
        private final PrintWriter out;
        private final PrintWriter err;
        private final BackgroundThread thread = new BackgroundThread("followed-page", this::serve);

        /**
         * Starts to wait for the series.
         *
         * @param out receives the address of the page
         * @param err receives the message if the page cannot be served
         */
        Followed(LiveArguments live, Path session, PrintWriter out, PrintWriter err) {
            this.live = live;
            this.session = session;
            this.out = out;
            this.err = err;
            thread.start();
        }

        private void serve() {
            try {
                while (!SeriesIndex.isIn(session)) {
                    if (thread.isClosedWithin(INTERVAL_NS)) {
                        return;
                    }
                }
                try (MonitorPage page = MonitorPage.start(
                        live, session, SeriesIndex.read(session).series(), this::report)) {
                    if (page != null) {
                        out.println("Live page: " + page.server().address());
                        out.flush();
                        while (!thread.isClosedWithin(REFRESH_NS)) {
                            page.monitor().refresh();
                        }
                    }
                }
            } catch (LagbenchException e) {
                report(e);
            }
        }

        private void report(LagbenchException failure) {
            err.println("lagbench: live page: " + failure.sentence());
            err.flush();
        }

        @Override
        public void close() {
            thread.close();
        }
    }
}
