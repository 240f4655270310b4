package org.lagbench.core.run;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SenderRequestTest {
    @Test
    void keepsOptionsInOneAsciiLine() {
        List<String> options = List.of("--directory", "/tmp/Größe 1+1=2", "--set=a=%41\nb", "--jvm=", "");

        String line = SenderRequest.line(options);

        assertThat(line).doesNotContain("\n");
        assertThat(US_ASCII.newEncoder().canEncode(line)).isTrue();
        assertThat(SenderRequest.options(line)).isEqualTo(options);
    }
}
