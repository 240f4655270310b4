package org.lagbench.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
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
    static final class Followed {
        private static final long INTERVAL_MS = 100;
        private static final long REFRESH_MS = 1_000;

        private final LiveArguments live;
        private final Path session;
        private final PrintWriter out;
        private final PrintWriter err;
        private final CountDownLatch closed = new CountDownLatch(1);
        private final Thread thread = new Thread(this::serve, "followed-page");

        private Followed(LiveArguments live, Path session, PrintWriter out, PrintWriter err) {
            this.live = live;
            this.session = session;
            this.out = out;
            this.err = err;
        }

        /**
         * Starts to wait for the series.
         *
         * @param out receives the address of the page
         * @param err receives the message if the page cannot be served
         */
        static Followed start(LiveArguments live, Path session, PrintWriter out, PrintWriter err) {
            Followed page = new Followed(live, session, out, err);
            page.thread.setDaemon(true);
            page.thread.start();
            return page;
        }

        private void serve() {
            try {
                while (!SeriesIndex.isIn(session)) {
                    if (closed.await(INTERVAL_MS, TimeUnit.MILLISECONDS)) {
                        return;
                    }
                }
                try (MonitorPage page = MonitorPage.start(
                        live, session, SeriesIndex.read(session).series(), this::report)) {
                    if (page != null) {
                        out.println("Live page: " + page.server().address());
                        out.flush();
                        while (!closed.await(REFRESH_MS, TimeUnit.MILLISECONDS)) {
                            page.monitor().refresh();
                        }
                    }
                }
            } catch (LagbenchException e) {
                report(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // never happens: only this class uses the thread
            }
        }

        private void report(LagbenchException failure) {
            err.println("lagbench: live page: " + failure.sentence());
            err.flush();
        }

        void close() {
            closed.countDown();
            Uninterruptibly.join(thread);
        }
    }
}
