package org.lagbench.analysis.summary;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.Metric;

/**
 * The lost packets of one run or of several.
 *
 * @param all in the sense of the traffic: of round trips, packets without a reply in time
 * @param forward packets of which no copy arrived at the receiver; null if packets are not answered
 * @param back packets that arrived there, of which no reply arrived; null if packets are not answered
 */
record Losses(PacketLoss all, @Nullable PacketLoss forward, @Nullable PacketLoss back) {
    static final List<Metric<Losses>> METRICS = List.of(
            share("loss", "Loss").within(Losses::all),
            share("loss.forward", "Loss forward").within(Losses::forward),
            share("loss.back", "Loss of replies").within(Losses::back));

    private static Metric<PacketLoss> share(String id, String title) {
        return Metric.share(id, title, "Share", PacketLoss::lost, PacketLoss::sent);
    }

    static Losses of(Metrics metrics) {
        PacketLoss back = metrics.lossBack();
        return new Losses(metrics.loss(), back == null ? null : metrics.lossForward(), back);
    }
}
