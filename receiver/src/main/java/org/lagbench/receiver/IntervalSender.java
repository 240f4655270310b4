package org.lagbench.receiver;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ControlMessage;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.timeseries.IntervalMonitor;
import org.lagbench.core.timeseries.ReceivedInterval;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the metrics of each second to the sender, on a separate thread that only reads the capture. */
record IntervalSender(ControlSession control) implements IntervalMonitor.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(IntervalSender.class);

    /** Maximum number of stamps sent each second: about 10 KB, which a link with 10 Mbit/s carries in 8 ms. */
    private static final int MAXIMUM_STAMPS = 1_000;

    /** Starts to send, if the sender has requested the metrics; otherwise returns null. */
    static @Nullable IntervalMonitor start(ControlSession control, Path runDirectory) {
        return control.isWatched()
                ? new IntervalMonitor(runDirectory, MAXIMUM_STAMPS, new IntervalSender(control))
                : null;
    }

    @Override
    public void interval(ReceivedInterval interval) {
        try {
            control.write(new ControlMessage.Interval(interval));
        } catch (IOException e) {
            LOG.debug("the sender has closed the control connection: {}", e.toString());
        }
    }

    @Override
    public void failed(LagbenchException reason) {
        LOG.warn("the metrics of each second end: {}", reason.sentence());
    }
}
