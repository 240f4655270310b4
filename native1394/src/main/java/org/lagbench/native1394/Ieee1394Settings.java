package org.lagbench.native1394;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Settings;
import org.lagbench.packetio.transport.SideConfig;

/**
 * The validated settings of one run over IEEE-1394. {@link #DEFINITIONS} describes them.
 *
 * @param receiverPort empty to choose a port on the sender's bus
 * @param channel empty for the first free channel
 * @param replyChannel the channel of the replies in round trips; empty for the first free channel
 * @param interruptInterval number of packets after which the kernel notifies the receiver
 */
record Ieee1394Settings(
        int senderPort,
        OptionalInt receiverPort,
        OptionalInt channel,
        OptionalInt replyChannel,
        Speed speed,
        int tag,
        int sync,
        int queuePackets,
        int interruptInterval,
        int receiveQueuePackets) {
    private static final String SPEED = "speed";

    /** libraw1394 uses version 4 of the kernel's interface, which keeps 512 packet headers per interrupt. */
    static final int MAXIMUM_INTERRUPT_INTERVAL = 512;

    private static final String SENDER_PORT = "sender-port";
    private static final String RECEIVER_PORT = "receiver-port";
    private static final String CHANNEL = "channel";
    private static final String REPLY_CHANNEL = "reply-channel";
    private static final String TAG = "tag";
    private static final String SYNC = "sync";
    private static final String QUEUE_PACKETS = "queue-packets";
    private static final String INTERRUPT_INTERVAL = "interrupt-interval";
    private static final String INPUT_BUFFER = "input-buffer";
    private static final String RECEIVE_QUEUE_PACKETS = "receive-queue-packets";

    static final List<Parameter<?>> DEFINITIONS = List.of(
            Parameter.number(SENDER_PORT, 0, 15).byDefault(0L).described("The port (controller) that sends."),
            Parameter.number(RECEIVER_PORT, 0, 15)
                    .orWord(Parameter.AUTO)
                    .described("The port (controller) that receives; auto selects one on the sender's bus."),
            Parameter.number(CHANNEL, 0, 63)
                    .orWord(Parameter.AUTO)
                    .described("The isochronous channel; auto reserves the first one that is free."),
            Parameter.number(REPLY_CHANNEL, 0, 63)
                    .orWord(Parameter.AUTO)
                    .described("The isochronous channel of the replies in round trips; auto reserves the first one"
                            + " that is free."),
            Parameter.choice(SPEED, Speed.words())
                    .byDefault(Speed.S400.word())
                    .described("Transmission speed in Mbit/s."),
            Parameter.number(TAG, 0, 3).byDefault(0L).described("The tag field of each packet's isochronous header."),
            Parameter.number(SYNC, 0, 15)
                    .byDefault(0L)
                    .described("The sync code (sy field) of each packet's isochronous header."),
            Parameter.number(QUEUE_PACKETS, 2, 1024)
                    .byDefault(16L)
                    .described("Depth of the transmit queue in packets."),
            Parameter.number(INTERRUPT_INTERVAL, 1, MAXIMUM_INTERRUPT_INTERVAL)
                    .orWord(Parameter.AUTO)
                    .described("How many packets the receiving kernel collects per interrupt; auto is 1, or follows"
                            + " from input-buffer."),
            Parameter.bytes(INPUT_BUFFER, 24, 65536)
                    .orWord(Parameter.AUTO)
                    .described("The interrupt interval as a buffer size: this size divided by the packet size,"
                            + " 1 to 512 packets."),
            Parameter.number(RECEIVE_QUEUE_PACKETS, 64, 8192)
                    .byDefault(2048L)
                    .described("Depth of the receive buffer in packets; 2048 cover a stall of 256 ms."));

    /** Returns the settings of a run, validated against each other and the packet size. */
    static Ieee1394Settings of(SideConfig run) throws LagbenchException {
        return of(run.packetBytes(), run.settings());
    }

    /** Returns the settings, validated against each other and the packet size. */
    static Ieee1394Settings of(int packetBytes, Settings settings) throws LagbenchException {
        Speed speed = Speed.of(settings);
        if (packetBytes > speed.maximumPacketBytes()) {
            throw usage("A packet of " + packetBytes + " bytes does not fit an isochronous packet at " + speed
                    + "; the maximum is " + speed.maximumPacketBytes() + ".");
        }
        if (settings.optionalNumber(INTERRUPT_INTERVAL).isPresent()
                && settings.optionalNumber(INPUT_BUFFER).isPresent()) {
            throw usage(INTERRUPT_INTERVAL + " and " + INPUT_BUFFER
                    + " exclude each other; set one of them and leave the other auto.");
        }
        Ieee1394Settings checked = new Ieee1394Settings(
                (int) settings.number(SENDER_PORT),
                optionalInt(settings, RECEIVER_PORT),
                optionalInt(settings, CHANNEL),
                optionalInt(settings, REPLY_CHANNEL),
                speed,
                (int) settings.number(TAG),
                (int) settings.number(SYNC),
                queuePackets(settings),
                interruptInterval(settings, packetBytes),
                (int) settings.number(RECEIVE_QUEUE_PACKETS));
        if (checked.receiveQueuePackets < 2 * checked.interruptInterval) {
            throw usage(RECEIVE_QUEUE_PACKETS + ": " + checked.receiveQueuePackets
                    + " packets are too few for an interrupt interval of " + checked.interruptInterval
                    + "; the minimum is twice the interval.");
        }
        if (checked.channel.isPresent() && checked.channel.equals(checked.replyChannel)) {
            throw usage(CHANNEL + " and " + REPLY_CHANNEL + " are both " + checked.channel.getAsInt()
                    + "; a channel has one sender.");
        }
        return checked;
    }

    /** Returns the number of packets after which the kernel notifies the receiver. */
    static int interruptInterval(Settings settings, int packetBytes) {
        OptionalLong inputBuffer = settings.optionalNumber(INPUT_BUFFER);
        if (inputBuffer.isPresent()) {
            long packets = inputBuffer.getAsLong() / packetBytes;
            return (int) Math.max(1, Math.min(MAXIMUM_INTERRUPT_INTERVAL, packets));
        }
        return (int) settings.optionalNumber(INTERRUPT_INTERVAL).orElse(1);
    }

    static int queuePackets(Settings settings) {
        return (int) settings.number(QUEUE_PACKETS);
    }

    private static OptionalInt optionalInt(Settings settings, String name) {
        OptionalLong value = settings.optionalNumber(name);
        return value.isPresent() ? OptionalInt.of((int) value.getAsLong()) : OptionalInt.empty();
    }

    private static LagbenchException usage(String sentence) {
        return ExitCode.USAGE.failure(sentence);
    }

    /** A transmission speed of IEEE-1394 and its maximum isochronous packet per cycle (IEEE 1394b). */
    enum Speed {
        S100(0, 1024),
        S200(1, 2048),
        S400(2, 4096),
        S800(3, 8192);

        private final int code;
        private final int maximumPacketBytes;

        Speed(int code, int maximumPacketBytes) {
            this.code = code;
            this.maximumPacketBytes = maximumPacketBytes;
        }

        /** Returns the speed that the settings name. */
        static Speed of(Settings settings) {
            return valueOf("S" + settings.word(SPEED));
        }

        /** Returns all speeds as in the setting, in Mbit/s. */
        static List<String> words() {
            return Arrays.stream(values()).map(Speed::word).toList();
        }

        /** Returns the speed as in the setting, such as "400". */
        String word() {
            return name().substring(1);
        }

        /** Returns the maximum payload of an isochronous packet in bytes. */
        int maximumPacketBytes() {
            return maximumPacketBytes;
        }

        /** Returns the speed's code on the bus: 0 for S100, 3 for S800. */
        int code() {
            return code;
        }
    }
}
