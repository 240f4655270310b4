package org.lagbench.core.model;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.model.LinkDirection.Queue;
import org.lagbench.core.model.Network.CompetingFlow;
import org.lagbench.core.model.Network.SiteLink;

/** The parameters of an emulated network, and the texts of their values. */
public final class NetworkParameters {
    private static final Pattern PACKETS_TEXT = Pattern.compile("(\\d{1,9})(?:\\s*packets?)?");
    private static final Pattern BYTES_TEXT = Pattern.compile("(\\d{1,10})\\s*(B|kB|KiB|MB|MiB)");

    public static final Parameter<Long> RATE = Parameter.of(
                    "rate",
                    "a rate from 8kbit to 100gbit, or " + Quantities.UNLIMITED,
                    text -> text.equals(Quantities.UNLIMITED) ? 0 : Quantities.parseRate(text),
                    Quantities::formatRate)
            .byDefault(0L)
            .described("Rate of the link, framing included.");
    public static final Parameter<Long> PACKET_TIME = Parameter.time("packet-time", 0, LinkDirection.MAXIMUM_PACKET_NS)
            .byDefault(0L)
            .described("The minimum time that a packet occupies the link");
    public static final Parameter<Queue> QUEUE = Parameter.of(
                    "queue",
                    "a number of packets up to " + Queue.MAXIMUM_PACKETS + " (100 packets), of bytes from "
                            + Queue.MINIMUM_BYTES + " to " + Queue.MAXIMUM_BYTES
                            + " (64KiB, 64kB), or a length of time (50ms)",
                    NetworkParameters::parseQueue,
                    NetworkParameters::formatQueue)
            .byDefault(new Queue(Queue.Unit.PACKETS, 1_000));
    public static final Parameter<Long> DELAY =
            Parameter.time("delay", 0, Network.MAXIMUM_DELAY_NS).byDefault(0L);
    public static final Parameter<Long> JITTER =
            Parameter.time("jitter", 0, Network.MAXIMUM_DELAY_NS).byDefault(0L);
    public static final Parameter<Integer> LOSS = share("loss").byDefault(0);

    private static final Parameter<Long> BURST_EVERY = Parameter.time("every", 1_000_000, Outage.MAXIMUM_NS);
    private static final Parameter<Long> BURST_FOR = Parameter.time("for", 1_000, Outage.MAXIMUM_NS);
    public static final Parameter<Optional<Bursts>> BURSTS = Parameter.section(
                    "bursts",
                    Section.of(
                                    Bursts.class,
                                    BURST_EVERY,
                                    BURST_FOR,
                                    Parameter.word("lengths", Bursts.Lengths.class)
                                            .byDefault(Bursts.Lengths.EXPONENTIAL))
                            .checked((bursts, keys) -> {
                                if (bursts.forNs() >= bursts.everyNs()) {
                                    keys.add(BURST_FOR, "a burst must be shorter than the time between two starts.");
                                }
                            }))
            .accepting("a mapping with every, for and lengths")
            .or(Parameter.NONE);

    private static final Parameter<Long> OUTAGE_STOP = Parameter.time("stop", 0, Outage.MAXIMUM_NS);
    public static final Parameter<List<Outage>> OUTAGES = Parameter.section(
                    "outages",
                    Section.of(Outage.class, Parameter.time("start", 0, Outage.MAXIMUM_NS), OUTAGE_STOP)
                            .checked((outage, keys) -> {
                                if (outage.stopNs() <= outage.startNs()) {
                                    keys.add(OUTAGE_STOP, "the outage must stop after it starts.");
                                }
                            }))
            .list()
            .accepting("a list of outages")
            .byDefault(List.of());

    /** The values of both directions. The values of one direction replace these before the check. */
    public static final Section<LinkDirection> BOTH_WAYS = Section.of(
            LinkDirection.class,
            RATE,
            PACKET_TIME,
            QUEUE,
            DELAY,
            JITTER,
            LOSS,
            share("duplication").byDefault(0),
            share("reordering").byDefault(0),
            Parameter.time("reordering-delay", 0, Network.MAXIMUM_DELAY_NS).byDefault(0L),
            share("damage").byDefault(0),
            BURSTS,
            OUTAGES);

    public static final Section<LinkDirection> DIRECTION = BOTH_WAYS.checked(NetworkParameters::check);

    private static final Parameter<Long> FLOW_STOP = Parameter.time("stop", 0, CompetingFlow.MAXIMUM_NS)
            .optional()
            .map(
                    stop -> stop.orElse(CompetingFlow.RUN_END),
                    stop -> stop == CompetingFlow.RUN_END ? Optional.empty() : Optional.of(stop));

    public static final Parameter<List<CompetingFlow>> FLOWS = Parameter.section(
                    "flows",
                    Section.of(
                                    CompetingFlow.class,
                                    Parameter.of(
                                            "rate",
                                            "a rate from 8kbit to 100gbit",
                                            Quantities::parseRate,
                                            Quantities::formatRate),
                                    Parameter.integer("packet-bytes", 1, CompetingFlow.MAXIMUM_PACKET_BYTES)
                                            .byDefault(1_000),
                                    Parameter.time("start", 0, CompetingFlow.MAXIMUM_NS)
                                            .byDefault(0L),
                                    FLOW_STOP,
                                    Parameter.word("direction", CompetingFlow.Direction.class)
                                            .byDefault(CompetingFlow.Direction.FORWARD))
                            .checked((flow, keys) -> {
                                if (flow.stopNs() <= flow.startNs()) {
                                    keys.add(FLOW_STOP, "the flow must stop after it starts.");
                                }
                            }))
            .list()
            .accepting("a list of flows")
            .byDefault(List.of());

    public static final Parameter<String> SITE_NAME = Parameter.text(
            "name", Pattern.compile("[a-z0-9][a-z0-9-]{0,19}"), "up to 20 small letters, digits and hyphens");

    public static final Parameter<List<SiteLink>> SITES = Parameter.section(
                    "sites",
                    Section.of(
                            SiteLink.class,
                            SITE_NAME,
                            Parameter.word("router", SiteLink.Router.class).byDefault(SiteLink.Router.LEFT),
                            Parameter.section("", DIRECTION)))
            .list()
            .accepting("a list of sites")
            .byDefault(List.of());

    private static final String OF_DIRECTION = "any of " + String.join(", ", DIRECTION.names());

    public static final Parameter<Optional<Long>> EDGE_RATE =
            RATE.named("edge-rate").optional();

    public static final Parameter<String> NAME = Parameter.text(
                    "name",
                    Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}"),
                    "up to 100 letters, digits, dots, hyphens and underscores")
            .byDefault("own");
    public static final Parameter<LinkDirection> FORWARD =
            Parameter.section("forward", DIRECTION).accepting(OF_DIRECTION);
    public static final Parameter<LinkDirection> REVERSE =
            Parameter.section("reverse", DIRECTION).accepting(OF_DIRECTION);

    public static final Parameter<Network.ImpairmentBackend> BACKEND =
            Parameter.word("backend", Network.ImpairmentBackend.class).byDefault(Network.ImpairmentBackend.AUTO);

    /** All of a network, in the order of its record. */
    public static final Section<Network> NETWORK = Section.of(
            Network.class,
            NAME,
            Parameter.word("topology", Network.Topology.class).byDefault(Network.Topology.CABLE),
            Parameter.word("framing", Network.Framing.class).byDefault(Network.Framing.ETHERNET),
            BACKEND,
            Parameter.number("seed", 0, Long.MAX_VALUE).byDefault(1L),
            FORWARD,
            REVERSE,
            EDGE_RATE,
            Parameter.of(
                            "initial-window",
                            "a whole number from 1 to " + Network.MAXIMUM_INITIAL_WINDOW + ", or " + Parameter.AUTO,
                            NetworkParameters::parseWindow,
                            segments -> segments == Network.AUTO_WINDOW ? Parameter.AUTO : segments.toString())
                    .byDefault(Network.AUTO_WINDOW),
            FLOWS,
            SITES);

    private NetworkParameters() {}

    /** Declares a share, written in percent and stored in millionths. */
    public static Parameter<Integer> share(String name) {
        return Parameter.of(
                name, "a share from 0% to 100%, to four digits", Quantities::parseShare, Quantities::formatShare);
    }

    private static void check(LinkDirection direction, Section.Keys keys) {
        if (direction.jitterNs() > direction.delayNs()) {
            keys.add(
                    JITTER,
                    Durations.format(direction.jitterNs())
                            + " is more than the delay, which would become negative; it may be up to "
                            + Durations.format(direction.delayNs()) + ".");
        }
        if (direction.outages().size() > Outage.MAXIMUM_OUTAGES) {
            keys.add(OUTAGES, "there are more than " + Outage.MAXIMUM_OUTAGES + " outages.");
        }
        if (direction.minPacketBytes() > LinkDirection.MAXIMUM_PACKET_BYTES) {
            keys.add(
                    PACKET_TIME,
                    "the rate carries " + direction.minPacketBytes() + " bytes in "
                            + Durations.format(direction.packetNs()) + "; the kernel takes up to "
                            + LinkDirection.MAXIMUM_PACKET_BYTES + ".");
        }
    }

    private static int parseWindow(String text) {
        return text.equals(Parameter.AUTO)
                ? Network.AUTO_WINDOW
                : (int) Quantities.parseNumber(text, 1, Network.MAXIMUM_INITIAL_WINDOW);
    }

    private static Queue parseQueue(String text) {
        Matcher packets = PACKETS_TEXT.matcher(text);
        if (packets.matches()) {
            return new Queue(Queue.Unit.PACKETS, Quantities.parseNumber(packets.group(1), 1, Queue.MAXIMUM_PACKETS));
        }
        return BYTES_TEXT.matcher(text).matches()
                ? new Queue(
                        Queue.Unit.BYTES,
                        Parameter.bytes("queue", Queue.MINIMUM_BYTES, Queue.MAXIMUM_BYTES)
                                .parse(text))
                : new Queue(Queue.Unit.NANOSECONDS, Quantities.within(Durations.parseNs(text), 1, Queue.MAXIMUM_NS));
    }

    private static String formatQueue(Queue queue) {
        return switch (queue.unit()) {
            case PACKETS -> queue.amount() + " packets";
            case BYTES -> queue.amount() + "B";
            case NANOSECONDS -> Durations.format(queue.amount());
        };
    }
}
