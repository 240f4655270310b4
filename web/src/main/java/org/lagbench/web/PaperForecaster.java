package org.lagbench.web;

import org.lagbench.analysis.forecast.Selection;
import org.lagbench.analysis.forecast.SeriesForecaster;

/** The forecaster that Krintz and Wolski (2000) select, with conformal intervals. */
public final class PaperForecaster implements ValueForecaster {
    private final SeriesForecaster forecaster = new SeriesForecaster(Selection.PAPER, 1);

    @Override
    public void learn(double value) {
        forecaster.learn(value);
    }

    @Override
    public double next() {
        return forecaster.next();
    }

    @Override
    public double halfWidth() {
        return forecaster.conformalHalfWidth();
    }

    @Override
    public String selected() {
        return forecaster.selected();
    }
}
