package io.leasehold.harness;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import io.leasehold.tidiness.HouseRules;

@AnalyzeClasses(packages = "io.leasehold.harness")
final class TidinessTest {

  @ArchTest static final ArchTests houseRules = ArchTests.in(HouseRules.class);
}
