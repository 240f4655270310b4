package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.DroppedPacket;
import org.lagbench.analysis.cause.Ledger;
import org.lagbench.analysis.cause.LostPacket;
import org.lagbench.analysis.cause.Parts.Kind;
import org.lagbench.analysis.cause.Parts.Part;
import org.lagbench.analysis.cause.SideCause;
import org.lagbench.analysis.cause.SideCause.Role;
import org.lagbench.analysis.cause.TailEvent;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.run.RunRecord.LabRecord;

/** The parts of the lags of single packets. */
public final class ExplanationTable {
    private static final String FORMAT = "lagbench-explanation-2";

    /**
     * An event with the name of its run.
     *
     * @param hasWindows whether the run was observed in windows, after the packets asked for
     */
    public record RunEvent(String run, TailEvent event, boolean hasWindows) {
        Ledger ledger() {
            return event.slowest();
        }

        /** Returns what made the slowest packet slower than usual ones: "Run queue: ffmpeg, receiver". */
        String cause() {
            return text(
                    event.cause(), cause -> cause.title() + ", " + cause.side().text(), LedgerView.NOT_EXPLAINED);
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
        return result(
                table(events), events, " Cause is what made it slower than packets next to the median of the run.");
    }

    /** Returns the timeline of one packet, in all formats. */
    public static Result timeline(RunEvent packet) {
        return result(
                timelineTable(packet),
                List.of(packet),
                " Since is the time from the packet's departure. Stamps enclose a part, an event is recorded, or a"
                        + " bound is the most that the part can be. A part on the path has the error of both clocks"
                        + " (±).");
    }

    /** Returns when and why the receiving kernel dropped a packet, in all formats. */
    public static Result dropped(String run, DroppedPacket packet) {
        SideCause cause = new SideCause(Role.RECEIVER, Cause.KERNEL_DROP, packet.reason());
        Map<String, @Nullable Object> part = new LinkedHashMap<>();
        part.put("run", run);
        part.put("packet", packet.packet());
        part.put("clockBoundNs", packet.clockBoundNs());
        part.put("sinceNs", packet.sinceNs());
        part.put("cause", cause.text());
        part.put("kind", Kind.STAMP.text());
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("format", FORMAT);
        members.put("parts", List.of(part));
        Long boundNs = packet.clockBoundNs();
        Table table = new TableColumns<DroppedPacket>()
                .us("Since", row -> (double) row.sinceNs())
                .text("Part", row -> cause.title())
                .text("Side", row -> cause.side().text())
                .text("By", row -> Kind.STAMP.text())
                .table(
                        "Packet " + Numbers.grouped(packet.packet()) + " of " + run + ": lost"
                                + (boundNs == null ? "" : " ± " + Numbers.duration((double) (long) boundNs)),
                        List.of(packet));
        String note = "Since is the time from the packet's departure until the receiving kernel dropped it, with the"
                + " error of both clocks (±). The reason has the kernel's name (skb_drop_reason).";
        return Result.of(new Document(List.of(table), List.of(note)), members, "parts");
    }

    /** Returns what is known about where a packet was lost, as sentences. */
    public static String lost(String run, LostPacket packet) {
        LabRecord lab = packet.lab();
        String inLab = lab == null ? "" : TableNotes.dropped(List.of(lab));
        return run + ": packet " + packet.packet() + " did not arrive."
                + (packet.hasLeft() ? " It left the sender's host." : "")
                + (packet.areDropsKnown()
                        ? " The receiving kernel did not drop it."
                        : " Whether the receiving kernel dropped it was not recorded (observe: drops).")
                + (lab == null
                        ? " Only the devices of a network count what it loses (ip -s link, ethtool -S)."
                        : inLab.isEmpty()
                                ? " The emulated network lost no packet of the run."
                                : " The emulated network lost " + inLab
                                        + ", warm-up included; its counters do not name the packets.");
    }

    /** Returns a table with the parts of packets. */
    private static Result result(Table table, List<RunEvent> events, String meaning) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("format", FORMAT);
        members.put("parts", parts(events));
        List<String> notes =
                new ArrayList<>(List.of("The parts add up to the lag. An instant is in one part." + meaning));
        List<String> inWindows = events.stream()
                .filter(RunEvent::hasWindows)
                .map(RunEvent::run)
                .distinct()
                .toList();
        if (!inWindows.isEmpty()) {
            notes.add("Observed in windows: " + String.join(", ", inWindows) + ". These packets follow those asked for,"
                    + " which are the ones in the lag table.");
        }
        return Result.of(new Document(List.of(table), notes), members, "parts");
    }

    private static Table table(List<RunEvent> events) {
        return new TableColumns<RunEvent>()
                .text("Run", RunEvent::run)
                .text("Packet", row -> Numbers.grouped(row.ledger().packet()))
                .text("Cause", RunEvent::cause)
                .time("Lag", row -> (double) row.ledger().lagNs())
                .time("Not explained", row -> (double) row.ledger().parts().unexplainedNs())
                .text("Queue", RunEvent::packets)
                .table(
                        "The slowest packets of each run, one for each queue of packets: lagbench explain DIR/runs/RUN"
                                + " PACKET shows one",
                        events);
    }

    private static Table timelineTable(RunEvent packet) {
        Ledger ledger = packet.ledger();
        Long boundNs = ledger.clockBoundNs();
        return new TableColumns<Part>()
                .us("Since", part -> (double) part.sinceNs())
                .text("Part", part -> text(part.cause(), SideCause::title, LedgerView.NOT_EXPLAINED))
                .text(
                        "Side",
                        part -> part.side() == null ? Numbers.NONE : part.side().text())
                .us("Took", part -> (double) part.ns())
                .percent("Share", part -> (double) part.ns() / (double) ledger.lagNs())
                .text(
                        "By",
                        part -> part.cause() == null
                                ? Numbers.NONE
                                : part.kind().text())
                .table(
                        "Packet " + Numbers.grouped(ledger.packet()) + " of " + packet.run() + ": lag "
                                + Numbers.duration((double) ledger.lagNs())
                                + (boundNs == null ? "" : " ± " + Numbers.duration((double) (long) boundNs)),
                        ledger.parts().parts());
    }

    private static String text(@Nullable SideCause cause, Function<SideCause, String> text, String without) {
        return cause == null ? without : text.apply(cause);
    }

    private static List<Map<String, @Nullable Object>> parts(List<RunEvent> events) {
        List<Map<String, @Nullable Object>> parts = new ArrayList<>();
        for (RunEvent event : events) {
            for (Part part : event.ledger().parts().parts()) {
                Map<String, @Nullable Object> cells = new LinkedHashMap<>();
                cells.put("run", event.run());
                cells.put("packet", event.ledger().packet());
                cells.put("packets", event.event().packets());
                cells.put("firstPacket", event.event().first());
                cells.put("lastPacket", event.event().last());
                cells.put("lagNs", event.ledger().lagNs());
                cells.put("clockBoundNs", event.ledger().clockBoundNs());
                SideCause packetCause = event.event().cause();
                cells.put("packetCause", packetCause == null ? null : packetCause.text());
                cells.put("sinceNs", part.sinceNs());
                cells.put("ns", part.ns());
                cells.put("cause", text(part.cause(), SideCause::text, "not-explained"));
                cells.put("side", part.side() == null ? null : part.side().text());
                cells.put("kind", part.kind().text());
                parts.add(cells);
            }
        }
        return parts;
    }
}
