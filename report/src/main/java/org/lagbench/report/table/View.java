package org.lagbench.report.table;

import java.util.Locale;

/** Which tables of a summary people are shown. A new one is a class and its line here: the files then hold it too. */
public enum View {
    /** The lag summary table and the counts of packets. */
    LAG {
        @Override
        ViewContent content() {
            return new LagView();
        }
    },
    /** What the kernels granted of the sockets' buffers. */
    BUFFERS {
        @Override
        ViewContent content() {
            return new BufferView();
        }
    },
    /** The multimedia metrics, each by its RFC. */
    MEDIA {
        @Override
        ViewContent content() {
            return new MediaView();
        }
    },
    /** How long a receiver must hold packets back. */
    PLAYOUT {
        @Override
        ViewContent content() {
            return new PlayoutView();
        }
    },
    /** What made the tail of the lag, and what lost packets. */
    CAUSES {
        @Override
        ViewContent content() {
            return new CausesView();
        }
    },
    /** Where the packets' time went, and how full the buffers were. */
    STAGES {
        @Override
        ViewContent content() {
            return new StageView();
        }
    },
    /** What streams that were sent at the same time did to each other. */
    STREAMS {
        @Override
        ViewContent content() {
            return new StreamView();
        }
    };

    abstract ViewContent content();

    /** The name on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
