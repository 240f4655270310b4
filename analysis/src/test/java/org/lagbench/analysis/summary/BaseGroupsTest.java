package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BaseGroupsTest {
    @Test
    void hasEveryGroupThatBaseDeclares() throws Exception {
        List<MetricGroup<?>> declared = new ArrayList<>();
        for (Field field : MetricGroup.class.getFields()) {
            declared.add((MetricGroup<?>) field.get(null));
        }
        assertThat(new BaseGroups().groups()).containsExactlyInAnyOrderElementsOf(declared);
    }
}
