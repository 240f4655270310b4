package org.lagbench.cli;

import java.util.List;
import java.util.Locale;

/** By which clocks lags are told. */
enum ClockView {
    /** As stamped. */
    RAW,
    /** As stamped, and beside that less the estimated offset of the clocks. */
    CORRECTED;

    /** By the name on the command line. */
    static final class Names extends Choice<ClockView> {
        Names() {
            super("way to tell lags", List.of(values()), view -> view.name().toLowerCase(Locale.ROOT));
        }
    }
}
