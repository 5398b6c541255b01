package io.leasehold.store;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.leasehold.tidiness.Uses.aClockOfThisMachine;
import static io.leasehold.tidiness.Uses.anyOf;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Who may know whom inside the store, and the promise that its core is pure. */
@AnalyzeClasses(
    packages = "io.leasehold.store",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArrowsTest {

  @ArchTest
  static final ArchRule coreKnowsNobody =
      classes()
          .that()
          .resideInAPackage("io.leasehold.store.core..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.leasehold",
              "io.leasehold.store.core..",
              "org.jspecify..",
              "java.lang..",
              "java.math",
              "java.nio.charset",
              "java.time..",
              "java.util",
              "java.util.function",
              "java.util.regex",
              "java.util.stream")
          .because("every replica must decide alike from state, command and entry alone")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule coreReadsNeitherClockNorChance =
      noClasses()
          .that()
          .resideInAPackage("io.leasehold.store.core..")
          .should()
          .accessTargetWhere(aClockOfThisMachine())
          .orShould()
          .accessTargetWhere(anyOf(UUID.class, "randomUUID"))
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.util.Random")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.time.Clock")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.lang.Thread")
          .because("lease time and everything that is unique come with the log entry")
          .allowEmptyShould(true);

  /** The iteration order of the unmodifiable sets and maps of the JDK differs from JVM to JVM. */
  @ArchTest
  static final ArchRule coreIteratesInTheSameOrderEverywhere =
      noClasses()
          .that()
          .resideInAPackage("io.leasehold.store.core..")
          .should()
          .accessTargetWhere(anyOf(Set.class, "of", "copyOf"))
          .orShould()
          .accessTargetWhere(anyOf(Map.class, "of", "ofEntries", "copyOf"))
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.util.IdentityHashMap")
          .because("replicas must produce the same changes in the same order: use lists and trees")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule codecKnowsOnlyTheCore =
      noClasses()
          .that()
          .resideInAPackage("io.leasehold.store.codec..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.leasehold.store.rocks..",
              "io.leasehold.store.ratis..",
              "org.rocksdb..",
              "org.apache.ratis..")
          .because("bytes are the same whoever stores or carries them")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule tableKnowsNoRaft =
      noClasses()
          .that()
          .resideInAPackage("io.leasehold.store.rocks..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.leasehold.store.ratis..", "org.apache.ratis..")
          .because("the table is tested on a folder, without a server")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule shellKnowsNoRocksDb =
      noClasses()
          .that()
          .resideInAPackage("io.leasehold.store.ratis..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.rocksdb..")
          .because("what RocksDB can do wrong is understood in one package, rocks")
          .allowEmptyShould(true);
}
