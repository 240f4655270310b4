package org.lagbench.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JvmOptionsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-Xlog:gc:file=gc.txt",
                "-Xlog:gc:gc.txt",
                "-Xlog::gc.txt:time",
                "-Xlog:gc*=debug:\"gc.txt\":uptime,tags:filecount=0",
                "-Xloggc:gc.txt",
                "-XX:StartFlightRecording=filename=x.jfr",
                "-XX:HeapDumpPath=/tmp",
                "-XX:ErrorFile=/tmp/x"
            })
    void refusesToOverwriteFiles(String option) {
        assertThatThrownBy(() -> JvmOptions.parse("-Xmx64m " + option))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("makes the JVM overwrite a file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:OnError=touch", "-Xbootclasspath/a:x", "-XX:VMOptionsFile=x", "-version", "-X"})
    void refusesOptionsThatRunPrograms(String option) {
        assertThatThrownBy(() -> JvmOptions.parse(option)).hasMessageContaining("is not accepted");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-Xlog:gc",
                "-Xlog",
                "-Xlog:gc:stderr:time:foldmultilines=true",
                "-Xlog:gc::uptime",
                "-XX:+UseZGC -Xmx1g -Dx=y"
            })
    void acceptsOptionsWithoutFiles(String options) {
        assertThat(JvmOptions.parse(options).text()).isEqualTo(options);
    }
}
