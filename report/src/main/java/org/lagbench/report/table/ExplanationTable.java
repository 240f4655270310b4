package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.Budget;
import org.lagbench.analysis.cause.Budget.Part;
import org.lagbench.analysis.cause.SideCause;

/** The parts of the lags of single packets. */
public final class ExplanationTable {
    private static final String UNEXPLAINED = "Unexplained";

    /** A packet with the name of its run. */
    public record PacketBudget(String run, Budget budget) {}

    private ExplanationTable() {}

    /** Returns the slowest packets of each run, one row each, in all formats. */
    public static Result slowest(List<PacketBudget> packets) {
        return result(table(packets), packets);
    }

    /** Returns the timeline of one packet, in all formats. */
    public static Result timeline(PacketBudget packet) {
        return result(timelineTable(packet), List.of(packet));
    }

    /** Returns a table with the parts of packets. */
    private static Result result(Table table, List<PacketBudget> packets) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("format", "lagbench-explanation-1");
        members.put("parts", parts(packets));
        String note = "The parts add up to the lag minus the median of the run. A moment has at most one cause. Since:"
                + " at the sender since the packet departed, at the receiver since it was due by the median lag.";
        return Result.of(new Document(List.of(table), List.of(note)), members, "parts");
    }

    private static Table table(List<PacketBudget> packets) {
        return new TableColumns<PacketBudget>()
                .text("Run", PacketBudget::run)
                .text("Packet", row -> Numbers.grouped(row.budget().packet()))
                .text(
                        "Largest part",
                        row -> text(
                                row.budget().cause(),
                                cause -> cause.title() + ", " + cause.side().text(),
                                UNEXPLAINED))
                .us("Lag", row -> (double) row.budget().lagNs())
                .us("Excess", row -> (double) row.budget().excessNs())
                .us("Unexplained", row -> (double) row.budget().unexplainedNs())
                .table("The slowest packets of each run: lagbench explain DIR/runs/RUN PACKET shows one", packets);
    }

    private static Table timelineTable(PacketBudget packet) {
        Budget budget = packet.budget();
        return new TableColumns<Part>()
                .us("Since", part -> (double) part.sinceNs())
                .text("Part", part -> text(part.cause(), SideCause::title, UNEXPLAINED))
                .text("Side", part -> text(part.cause(), cause -> cause.side().text(), Numbers.NONE))
                .us("Took", part -> (double) part.ns())
                .percent("Share", part -> (double) part.ns() / (double) budget.excessNs())
                .table(
                        "Packet " + Numbers.grouped(budget.packet()) + " of " + packet.run() + ": lag "
                                + Numbers.duration((double) budget.lagNs()) + ", median "
                                + Numbers.duration((double) budget.medianNs()) + ", excess "
                                + Numbers.duration((double) budget.excessNs()),
                        budget.parts());
    }

    private static String text(@Nullable SideCause cause, Function<SideCause, String> text, String without) {
        return cause == null ? without : text.apply(cause);
    }

    private static List<Map<String, Object>> parts(List<PacketBudget> packets) {
        List<Map<String, Object>> parts = new ArrayList<>();
        for (PacketBudget packet : packets) {
            for (Part part : packet.budget().parts()) {
                Map<String, Object> cells = new LinkedHashMap<>();
                cells.put("run", packet.run());
                cells.put("packet", packet.budget().packet());
                cells.put("lagNs", packet.budget().lagNs());
                cells.put("medianNs", packet.budget().medianNs());
                cells.put("sinceNs", part.sinceNs());
                cells.put("ns", part.ns());
                cells.put("cause", text(part.cause(), SideCause::text, "unexplained"));
                parts.add(cells);
            }
        }
        return parts;
    }
}
