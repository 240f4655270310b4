package org.lagbench.core.run;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.core.model.Parameter;

/**
 * Options for the JVMs of a run, beyond those that lagbench needs itself: {@code -X…} and {@code -D…}.
 *
 * @param options each an option, without blanks
 */
public record JvmOptions(List<String> options) {
    /** The word for no options. */
    public static final String DEFAULT = "default";

    public static final JvmOptions NONE = new JvmOptions(List.of());

    /** The accepted values, as part of a sentence. */
    public static final String ACCEPTED = "JVM options separated by blanks (-XX:+UseSerialGC -Xmx64m), or " + DEFAULT;

    private static final Pattern FORM = Pattern.compile("-[XD]\\S+");

    private static final Pattern HARMLESS = Pattern.compile(
            "-X(int|comp|mixed|batch|rs|noclassgc|check:jni|share:(auto|on|off)|(mn|ms|mx|ss)[0-9]+[kKmMgGtT]?)");

    private static final Pattern FLAG = Pattern.compile("-XX:(?:[+-](\\w+)|(\\w+)=[\\w.]+)");

    /** The names of flags that only tune: none loads code, opens a port, or reads or writes a file. */
    private static final Set<String> HARMLESS_FLAGS = Set.of(
            """
            ActiveProcessorCount AlwaysPreTouch BackgroundCompilation CICompilerCount CompileThreshold
            ConcGCThreads DisableExplicitGC DoEscapeAnalysis ExplicitGCInvokesConcurrent FreqInlineSize
            G1HeapRegionSize G1HeapWastePercent G1MaxNewSizePercent G1NewSizePercent G1ReservePercent
            GCPauseIntervalMillis GCTimeRatio GuaranteedSafepointInterval InitialCodeCacheSize InitialHeapSize
            InitialRAMPercentage InitiatingHeapOccupancyPercent Inline LargePageSizeInBytes MaxDirectMemorySize
            MaxGCPauseMillis MaxHeapSize MaxInlineSize MaxMetaspaceSize MaxNewSize MaxRAM MaxRAMPercentage
            MaxTenuringThreshold MetaspaceSize MinHeapSize MinRAMPercentage NewRatio NewSize ParallelGCThreads
            ReservedCodeCacheSize ResizeTLAB SegmentedCodeCache ShenandoahGCHeuristics ShenandoahGCMode
            SoftMaxHeapSize SoftRefLRUPolicyMSPerMB SurvivorRatio TLABSize ThreadStackSize TieredCompilation
            TieredStopAtLevel UnlockDiagnosticVMOptions UnlockExperimentalVMOptions UseAdaptiveSizePolicy
            UseCompressedClassPointers UseCompressedOops UseContainerSupport UseCountedLoopSafepoints
            UseDynamicNumberOfGCThreads UseEpsilonGC UseG1GC UseLargePages UseNUMA UseOnStackReplacement
            UseParallelGC UseSerialGC UseShenandoahGC UseStringDeduplication UseTLAB UseTransparentHugePages
            UseZGC ZAllocationSpikeTolerance ZCollectionInterval ZFragmentationLimit ZGenerational ZUncommit
            ZUncommitDelay
            """
                    .split("\\s+"));

    /** The outputs of {@code -Xlog:what:output} that are no file; without an output it is the first. */
    private static final Set<String> LOG_OUTPUTS = Set.of("", "stdout", "stderr");

    public JvmOptions {
        options = List.copyOf(options);
        for (String option : options) {
            if (!FORM.matcher(option).matches()) {
                throw new Parameter.Refusal(
                        "\"" + option + "\" is not accepted; a JVM option here begins with -X or -D.");
            }
        }
    }

    /**
     * Reads options separated by blanks; {@link #DEFAULT} and an empty text mean none.
     *
     * @throws IllegalArgumentException if an option is not accepted; the message says what is
     */
    @JsonCreator
    public static JvmOptions parse(String text) {
        String stripped = text.strip();
        return stripped.isEmpty() || stripped.equals(DEFAULT) ? NONE : new JvmOptions(List.of(stripped.split("\\s+")));
    }

    /** Returns the options separated by blanks, or {@link #DEFAULT}, as {@link #parse} reads them. */
    @JsonValue
    public String text() {
        return options.isEmpty() ? DEFAULT : String.join(" ", options);
    }

    /** Returns the options that are not known to be harmless: they may load code, open a port or write a file. */
    public List<String> doubtful() {
        return options.stream().filter(option -> !isHarmless(option)).toList();
    }

    private static boolean isHarmless(String option) {
        Matcher flag = FLAG.matcher(option);
        if (flag.matches()) {
            return HARMLESS_FLAGS.contains(flag.group(1) == null ? flag.group(2) : flag.group(1));
        }
        String[] log = option.split(":", 4);
        return log[0].equals("-Xlog")
                ? log.length < 3 || LOG_OUTPUTS.contains(log[2])
                : HARMLESS.matcher(option).matches();
    }
}
