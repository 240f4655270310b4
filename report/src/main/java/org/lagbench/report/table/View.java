package org.lagbench.report.table;

import java.util.Locale;

/** Which tables of a summary people are shown. A new one is a class and its line here. */
public enum View {
    /** The lag summary table and the counts of packets. */
    LAG(new LagView()),
    /** What the kernels granted of the sockets' buffers. */
    BUFFERS(new BufferView()),
    /** The multimedia metrics, each by its RFC. */
    MEDIA(new MediaView()),
    /** How long a receiver must hold packets back. */
    PLAYOUT(new PlayoutView()),
    /** What made the tail of the lag, and what lost packets. */
    CAUSES(new CausesView()),
    /** Where the packets' time went, and how full the buffers were. */
    STAGES(new StageView()),
    /** What streams that were sent at the same time did to each other. */
    STREAMS(new StreamView());

    private final ViewContent content;

    View(ViewContent content) {
        this.content = content;
    }

    ViewContent content() {
        return content;
    }

    /** The name on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
