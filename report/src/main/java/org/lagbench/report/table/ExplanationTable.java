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
import org.lagbench.analysis.cause.TailEvent;

/** The parts of the lags of single packets. */
public final class ExplanationTable {
    private static final String UNEXPLAINED = "Unexplained";

    /** An event with the name of its run. */
    public record RunEvent(String run, TailEvent event) {
        Budget budget() {
            return event.slowest();
        }

        /** Returns the numbers of its packets: "4,711", "4,711–4,715 (5)". */
        String packets() {
            return event.packets() == 1
                    ? Numbers.grouped(event.first())
                    : Numbers.grouped(event.first()) + "–" + Numbers.grouped(event.last()) + " ("
                            + Numbers.grouped(event.packets()) + ")";
        }
    }

    private ExplanationTable() {}

    /** Returns the events with the slowest packets of each run, one row each, in all formats. */
    public static Result slowest(List<RunEvent> events) {
        return result(table(events), events, "");
    }

    /** Returns the timeline of one packet, in all formats. */
    public static Result timeline(RunEvent packet) {
        return result(
                timelineTable(packet),
                List.of(packet),
                " Since is the time from the packet's departure for parts at the sender, and from when it was due with"
                        + " the median lag for parts at the receiver.");
    }

    /** Returns a table with the parts of packets. */
    private static Result result(Table table, List<RunEvent> events, String meaning) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("format", "lagbench-explanation-1");
        members.put("parts", parts(events));
        String note =
                "The parts add up to the lag minus the median of the run. A moment has at most one cause." + meaning;
        return Result.of(new Document(List.of(table), List.of(note)), members, "parts");
    }

    private static Table table(List<RunEvent> events) {
        return new TableColumns<RunEvent>()
                .text("Run", RunEvent::run)
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
                .text("Queue", RunEvent::packets)
                .table(
                        "The slowest packets of each run, one for each queue of packets: lagbench explain DIR/runs/RUN"
                                + " PACKET shows one",
                        events);
    }

    private static Table timelineTable(RunEvent packet) {
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

    private static List<Map<String, Object>> parts(List<RunEvent> events) {
        List<Map<String, Object>> parts = new ArrayList<>();
        for (RunEvent event : events) {
            for (Part part : event.budget().parts()) {
                Map<String, Object> cells = new LinkedHashMap<>();
                cells.put("run", event.run());
                cells.put("packet", event.budget().packet());
                cells.put("packets", event.event().packets());
                cells.put("firstPacket", event.event().first());
                cells.put("lastPacket", event.event().last());
                cells.put("lagNs", event.budget().lagNs());
                cells.put("medianNs", event.budget().medianNs());
                cells.put("sinceNs", part.sinceNs());
                cells.put("ns", part.ns());
                cells.put("cause", text(part.cause(), SideCause::text, "unexplained"));
                parts.add(cells);
            }
        }
        return parts;
    }
}
