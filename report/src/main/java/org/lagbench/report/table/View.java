package org.lagbench.report.table;

import java.util.Locale;

/** The tables of a summary to show. */
public enum View {
    /** The lag table and the packet counts. */
    LAG(new LagView()),
    /** The sizes of the socket buffers. */
    BUFFERS(new BufferView()),
    /** The multimedia metrics, each by its RFC. */
    MEDIA(new MediaView()),
    /** The delay that a receiver needs for playout. */
    PLAYOUT(new PlayoutView()),
    /** The causes of the tail of the lag and of losses. */
    CAUSES(new CausesView()),
    /** The time that packets spent in each stage, and the fill level of the buffers. */
    STAGES(new StageView()),
    /** The effects of concurrent streams on each other. */
    STREAMS(new StreamView());

    @SuppressWarnings("ImmutableEnumChecker") // stateless
    private final ViewContent content;

    View(ViewContent content) {
        this.content = content;
    }

    ViewContent content() {
        return content;
    }

    /** Returns the name on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
