package io.leasehold.raft;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.leasehold.tidiness.Uses.aClockOfThisMachine;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.leasehold.time.Ticker;

/** What the holder's side may know: the store's seam, and a time that can be turned by hand. */
@AnalyzeClasses(
    packages = "io.leasehold.raft",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArrowsTest {

  @ArchTest
  static final ArchRule holderKnowsTheStoreByItsSeam =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.ratis..", "org.rocksdb..", "com.google.protobuf..")
          .because("renewal, deadlines and losses are tested against a store of plain objects")
          .allowEmptyShould(true);

  /**
   * A method reference such as {@code System::nanoTime}, given where collaborators are wired, is
   * one.
   */
  @ArchTest
  static final ArchRule onlyATickerReadsAClock =
      noClasses()
          .that()
          .areNotAssignableTo(Ticker.class)
          .should()
          .callMethodWhere(aClockOfThisMachine())
          .because("what depends on time must run in a simulation: take a Ticker")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule onlyThePackageForSpringKnowsSpring =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.leasehold.raft.spring")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.springframework..", "io.leasehold.spring", "io.leasehold.raft.spring")
          .because("Spring is optional: without it on the class path a node runs all the same");
}
