package org.lagbench.native1394;

import java.util.Arrays;
import java.util.List;
import org.lagbench.core.settings.Settings;

/** A transmission speed of IEEE-1394 and the largest isochronous packet that one cycle carries at it (IEEE 1394b). */
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

    /** The speed that the setting asks for. */
    static Speed of(Settings settings) {
        return valueOf("S" + settings.word(Ieee1394Settings.SPEED));
    }

    /** All speeds as the setting writes them: the number of Mbit/s. */
    static List<String> words() {
        return Arrays.stream(values()).map(Speed::word).toList();
    }

    /** As the setting writes it: "400". */
    String word() {
        return name().substring(1);
    }

    /** Largest payload of an isochronous packet in bytes. */
    int maximumPacketBytes() {
        return maximumPacketBytes;
    }

    /** The number that stands for it on the bus: 0 for S100, 3 for S800. */
    int code() {
        return code;
    }
}
