package org.lagbench.analysis.media;

import java.util.List;
import org.lagbench.analysis.summary.MetricGroup;

/** The groups of multimedia metrics. */
public final class MediaGroups implements MetricGroup.Source {
    /** The multimedia metrics. */
    public static final MetricGroup<MediaMetrics> MEDIA = MetricGroup.onRequest(
            "media",
            180,
            MediaMetrics.METRICS,
            runs -> MediaMetrics.of(
                    runs.joined(), runs.point().paceIntervalNs(), runs.point().paceBurst()));

    /** The playout budget. */
    public static final MetricGroup<PlayoutBudget> PLAYOUT =
            MetricGroup.onRequest("playout", 200, PlayoutBudget.METRICS, runs -> PlayoutBudget.of(runs.joined()));

    @Override
    public List<MetricGroup<?>> groups() {
        return List.of(MEDIA, PLAYOUT);
    }
}
