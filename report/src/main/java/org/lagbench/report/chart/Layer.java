package org.lagbench.report.chart;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A part of a panel's data. Later layers cover earlier ones. */
@FunctionalInterface
public interface Layer {
    /** Paints this layer; the canvas clips it to the panel. */
    void paint(Canvas canvas, Frame frame);

    /** Returns the data from which the script of a page draws this layer; null if a layer is for files only. */
    default @Nullable LayerData data() {
        return null;
    }

    /** Returns a layer that the script of a page draws too. */
    static Layer of(Supplier<LayerData> data, Layer painted) {
        return new Layer() {
            @Override
            public void paint(Canvas canvas, Frame frame) {
                painted.paint(canvas, frame);
            }

            @Override
            public LayerData data() {
                return data.get();
            }
        };
    }

    /** Returns this layer with another member in its data. */
    default Layer with(String member, Object value) {
        return of(() -> Objects.requireNonNull(data()).with(member, value), this);
    }
}
