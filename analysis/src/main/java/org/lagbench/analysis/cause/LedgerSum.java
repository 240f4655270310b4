package org.lagbench.analysis.cause;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.LedgerTotal.PartTotal;
import org.lagbench.analysis.cause.Parts.Part;
import org.lagbench.analysis.cause.SideCause.Role;
import org.lagbench.core.cause.Cause;

/** Adds ledgers up. A packet allocates nothing unless it is the first with a part. Not thread-safe. */
final class LedgerSum {
    /** The sum of one part. */
    private static final class PartSum {
        private long ns;
        private double excessNs;
        private long packets;

        PartTotal total() {
            return new PartTotal(ns, excessNs, packets);
        }
    }

    /** The sums of the parts without a program. */
    private final Map<Role, Map<Cause, PartSum>> sums = new EnumMap<>(Role.class);

    private final Map<SideCause, PartSum> ofPrograms = new HashMap<>();
    private final PartSum notExplained = new PartSum();

    /** What is not explained on each side. */
    private final Map<Role, PartSum> notExplainedAt = new EnumMap<>(Role.class);

    private long packets;

    /** Adds the ledger of a packet. */
    void add(Ledger ledger) {
        packets++;
        for (Part part : ledger.parts().parts()) {
            add(part.cause(), part.side(), part.ns());
        }
    }

    /** Adds the ledger of a packet, whose lag is divided. */
    void add(Division lag) {
        packets++;
        for (int part = 0; part < lag.size(); part++) {
            add(lag.cause(part), lag.side(part), lag.ns(part));
        }
    }

    private void add(@Nullable SideCause cause, @Nullable Role side, long ns) {
        sum(cause).ns += ns;
        if (cause == null && side != null) {
            notExplainedAt.computeIfAbsent(side, key -> new PartSum()).ns += ns;
        }
    }

    /** Adds what made a slow packet slow. The packet counts for its main cause. */
    void add(Excess excess) {
        excess.byCause().forEach((cause, ns) -> sum(cause).excessNs += ns);
        notExplained.excessNs += excess.unexplainedNs();
        sum(excess.cause()).packets++;
    }

    private PartSum sum(@Nullable SideCause cause) {
        if (cause == null) {
            return notExplained;
        }
        if (cause.program() != null) {
            return ofPrograms.computeIfAbsent(cause, key -> new PartSum());
        }
        return sums.computeIfAbsent(cause.side(), side -> new EnumMap<>(Cause.class))
                .computeIfAbsent(cause.cause(), key -> new PartSum());
    }

    LedgerTotal total() {
        Map<SideCause, PartTotal> parts = new TreeMap<>();
        ofPrograms.forEach((cause, sum) -> parts.put(cause, sum.total()));
        sums.forEach((side, causes) ->
                causes.forEach((cause, sum) -> parts.put(SideCause.of(side, cause, null), sum.total())));
        Map<Role, Long> sidesNs = new EnumMap<>(Role.class);
        notExplainedAt.forEach((side, sum) -> sidesNs.put(side, sum.ns));
        return new LedgerTotal(packets, parts, notExplained.total(), sidesNs);
    }
}
