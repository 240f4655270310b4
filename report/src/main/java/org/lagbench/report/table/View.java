package org.lagbench.report.table;

import java.util.Locale;

/** Which tables of a summary people are shown. A new one is a class and its line here. */
public enum View {
    /** The lag summary table and the counts of packets. */
    LAG,
    /** What the kernels granted of the sockets' buffers. */
    BUFFERS,
    /** The multimedia metrics, each by its RFC. */
    MEDIA,
    /** How long a receiver must hold packets back. */
    PLAYOUT,
    /** What made the tail of the lag, and what lost packets. */
    CAUSES,
    /** Where the packets' time went, and how full the buffers were. */
    STAGES,
    /** What streams that were sent at the same time did to each other. */
    STREAMS;

    ViewContent content() {
        return switch (this) {
            case LAG -> new LagView();
            case BUFFERS -> new BufferView();
            case MEDIA -> new MediaView();
            case PLAYOUT -> new PlayoutView();
            case CAUSES -> new CausesView();
            case STAGES -> new StageView();
            case STREAMS -> new StreamView();
        };
    }

    /** The name on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
