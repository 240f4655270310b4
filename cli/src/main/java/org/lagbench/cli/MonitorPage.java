package org.lagbench.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.BackgroundThread;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.timeseries.SeriesIndex;
import org.lagbench.web.LiveMonitor;
import org.lagbench.web.LivePage;
import org.lagbench.web.LiveServer;

/**
 * The live page and the metrics of a monitor. This process records the session, or another one, such as a monitor in a
 * lab's network namespace, which no browser reaches.
 */
final class MonitorPage implements AutoCloseable {
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long REFRESH_NS = TimeUnit.SECONDS.toNanos(1);

    private final LiveArguments live;
    private final Path session;
    private final String target;
    private final PrintWriter out;
    private final PrintWriter err;
    private final BackgroundThread thread = new BackgroundThread("monitor-page", this::serve);
    private @Nullable LiveMonitor monitor;
    private @Nullable LiveServer server;

    /**
     * Creates a page that is not served yet.
     *
     * @param session its series are read
     * @param target what is monitored, for its title
     * @param out receives the address of the page
     * @param err receives the message if the series cannot be read later
     */
    MonitorPage(LiveArguments live, Path session, String target, PrintWriter out, PrintWriter err) {
        this.live = live;
        this.session = session;
        this.target = target;
        this.out = out;
        this.err = err;
    }

    /** Starts to serve the page of a session that has its series. */
    void start() throws LagbenchException {
        open();
        thread.start();
    }

    /** Starts to serve the page when the session has its series. If the page fails, the recording continues. */
    void follow() {
        thread.start();
    }

    private LiveMonitor open() throws LagbenchException {
        LiveMonitor opened =
                new LiveMonitor(session, target, SeriesIndex.read(session).series(), this::report);
        monitor = opened;
        LiveServer started = live.start(LivePage.MONITOR, opened.sources(), opened.events());
        server = started;
        out.println("Live page: " + started.address());
        out.flush();
        return opened;
    }

    private void serve() {
        try {
            LiveMonitor opened = monitor;
            while (opened == null) {
                if (thread.isClosedWithin(INTERVAL_NS)) {
                    return;
                }
                opened = SeriesIndex.isIn(session) ? open() : null;
            }
            do {
                opened.refresh(thread::isClosing);
            } while (!thread.isClosedWithin(REFRESH_NS));
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
        if (server != null) {
            server.close();
        }
    }
}
