package org.lagbench.native1394;

import java.util.Arrays;
import java.util.List;
import org.lagbench.core.model.Settings;

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
        return valueOf("S" + settings.word(Ieee1394Settings.SPEED));
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
