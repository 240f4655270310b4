package org.lagbench.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JvmOptionsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                // these options load code
                "-Xbootclasspath/a:x",
                "-Xrunjdwp:suspend=y",
                "-Dlagbench.packetio=.",
                "-Djava.library.path=.",
                "-Djava.system.class.loader=x",
                "-XX:OnError=touch",
                "-XX:+EnableJVMCI",
                // these options take options from elsewhere
                "-XX:Flags=x",
                "-XX:VMOptionsFile=x",
                "-XX:CompileCommandFile=x",
                // these options open a port
                "-Dcom.sun.management.jmxremote.port=5000",
                "-XX:+ManagementServer",
                // these options write a file
                "-Xlog:gc:file=gc.txt",
                "-Xlog:gc:gc.txt",
                "-Xlog::gc.txt:time",
                "-Xlog:gc*=debug:\"gc.txt\":uptime,tags:filecount=0",
                "-Xloggc:gc.txt",
                "-XX:+LogVMOutput",
                "-XX:+HeapDumpOnOutOfMemoryError",
                "-XX:StartFlightRecording=filename=x.jfr",
                "-XX:AllocateHeapAt=.",
                "-XX:UseSerialGC=/tmp",
                "-Xshare:dump",
                // lagbench does not know these options
                "-XX:+UseNoSuchThing",
                "-Xnosuchthing",
                "-Xintx"
            })
    void marksAllButHarmlessOptionsAsDoubtful(String option) {
        assertThat(JvmOptions.parse("-Xmx64m " + option + " -Xint").doubtful()).containsExactly(option);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-version", "-X", "-javaagent:x.jar", "-cp", "@file"})
    void refusesOptionsThatAreNotForTheJvm(String option) {
        assertThatThrownBy(() -> JvmOptions.parse(option)).hasMessageContaining("is not accepted");
        assertThatThrownBy(() -> new JvmOptions(List.of("-Xint " + option))).hasMessageContaining("is not accepted");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-Xlog:gc",
                "-Xlog",
                "-Xlog:gc:stderr:time:foldmultilines=true",
                "-Xlog:gc::uptime",
                "-Xint -Xss512k -Xshare:off",
                "-XX:+UseZGC -Xmx1g -XX:-TieredCompilation -XX:MaxRAMPercentage=12.5",
                "-XX:+UnlockExperimentalVMOptions -XX:+UseShenandoahGC -XX:ShenandoahGCHeuristics=compact"
            })
    void acceptsHarmlessOptions(String options) {
        assertThat(JvmOptions.parse(options).text()).isEqualTo(options);
        assertThat(JvmOptions.parse(options).doubtful()).isEmpty();
    }
}
