package org.lagbench.core.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The lines between an agent and a sender process that makes several runs. A line of the process's standard input has
 * the options of a run. The process prints {@value #COMPLETE} at the end of each run, and ends after a failed one.
 */
public final class SenderRequest {
    /** The only argument of a sender that makes several runs. */
    public static final String OPTION = "--requests";

    /** The line that the process prints at the end of a run. */
    public static final String COMPLETE = "run complete";

    private SenderRequest() {}

    /** Returns the line for the options of a run, in ASCII. */
    public static String line(List<String> options) {
        return options.stream().map(option -> URLEncoder.encode(option, UTF_8)).collect(Collectors.joining(" "));
    }

    /** Returns the options in a line. */
    public static List<String> options(String line) {
        return Stream.of(line.split(" ", -1))
                .map(word -> URLDecoder.decode(word, UTF_8))
                .toList();
    }
}
