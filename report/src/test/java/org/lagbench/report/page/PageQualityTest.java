package org.lagbench.report.page;

import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Opens each page in a browser, wide and narrow, light and dark. */
@Tag("one-java")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageQualityTest {
    @AutoClose
    private ShownReport report;

    private Path crowded;

    @BeforeAll
    void show(@TempDir Path directory) throws Exception {
        report = ShownReport.in(directory);
        crowded = ShownReport.write(CrowdedSession.write(directory));
    }

    @ParameterizedTest
    @CsvSource({"1400, light", "390, dark"})
    void opensWithPictureThatAllCanUse(int width, String scheme) throws Exception {
        for (Path page : new Path[] {report.page(), crowded}) {
            report.browser().open(page, width, scheme);
            PageChecks.checkFirstChart(report.browser());
            PageChecks.checkLayout(report.browser());
        }
        report.open(width, scheme);
        PageChecks.checkAccessibility(report.browser());
    }
}
