package io.leasehold.bench;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import io.leasehold.tidiness.HouseRules;

@AnalyzeClasses(
    packages = "io.leasehold.bench",
    importOptions = TidinessTest.WithoutGeneratedClasses.class)
final class TidinessTest {

  @ArchTest static final ArchTests houseRules = ArchTests.in(HouseRules.class);

  /** What JMH writes around a benchmark is not ours. */
  static final class WithoutGeneratedClasses implements ImportOption {

    @Override
    public boolean includes(Location location) {
      return !location.contains("/jmh_generated/");
    }
  }
}
