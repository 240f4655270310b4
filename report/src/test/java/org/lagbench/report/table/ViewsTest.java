package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.cause.CauseGroups;
import org.lagbench.analysis.media.MediaGroups;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.transfer.TransferGroups;

class ViewsTest {
    @Test
    void hasTheOrderThatViewsDeclare() {
        assertThat(Views.load().names())
                .containsExactly(
                        "lag",
                        "round-trip",
                        "paper",
                        "buffers",
                        "media",
                        "recovery",
                        "playout",
                        "ledger",
                        "streams",
                        "transfer",
                        "compression",
                        "compare",
                        "equivalence");
        assertThat(new Views(List.of(new PaperView(), new LagView())).names()).containsExactly("lag", "paper");
    }

    @Test
    void refusesTwoViewsOfOneName() {
        assertThatThrownBy(() -> new Views(List.of(new LagView(), new MediaView(), new LagView())))
                .hasMessageStartingWith("The view \"lag\" is registered twice: " + LagView.class.getName());
    }

    @Test
    void computesWhatDecidesOnTheDefaultView() {
        assertThat(Views.load().needsOfDefault())
                .contains(MetricGroup.SERIES, TransferGroups.TRANSFERS)
                .doesNotContain(MediaGroups.MEDIA, CauseGroups.LEDGER);
        assertThat(Views.load().options(View::isComparison)).isEqualTo("--view compare or --view equivalence");
    }
}
