package io.leasehold;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import io.leasehold.tidiness.HouseRules;
import java.util.Map;

@AnalyzeClasses(packages = "io.leasehold")
final class TidinessTest {

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(new DoNotIncludeTests())
          .importPackages("io.leasehold");

  private static final Map<String, String[]> LIBRARY_OF_ADAPTER =
      Map.of(
          "io.leasehold.etcd", new String[] {"io.etcd.."},
          "io.leasehold.kubernetes", new String[] {"io.fabric8.."},
          "io.leasehold.pekko",
              new String[] {"org.apache.pekko..", "com.typesafe.config..", "scala.."},
          "io.leasehold.spring",
              new String[] {
                "org.springframework.dao", "org.springframework.integration.support.locks"
              },
          "io.leasehold.shedlock", new String[] {"net.javacrumbs.shedlock.."},
          "io.leasehold.vertx", new String[] {"io.vertx.."});

  @ArchTest static final ArchTests houseRules = ArchTests.in(HouseRules.class);

  @ArchTest
  static void apiBringsNoLibraryAlong(JavaClasses ignored) {
    String[] adapters = LIBRARY_OF_ADAPTER.keySet().toArray(String[]::new);

    classes()
        .that()
        .resideOutsideOfPackages(adapters)
        .should()
        .onlyDependOnClassesThat(inJavaOrLeasehold().and(resideOutsideOfPackages(adapters)))
        .because("whoever compiles against the contract gets the contract and nothing else")
        .check(MAIN);
  }

  @ArchTest
  static void adapterNeedsNoLibraryButItsOwn(JavaClasses ignored) {
    LIBRARY_OF_ADAPTER.forEach(
        (adapter, library) ->
            classes()
                .that()
                .resideInAPackage(adapter)
                .should()
                .onlyDependOnClassesThat(inJavaOrLeasehold().or(resideInAnyPackage(library)))
                .because("whoever uses an adapter has that library, and no other")
                .check(MAIN));
  }

  @ArchTest
  static void adaptersWorkOnEveryBackend(JavaClasses ignored) {
    noClasses()
        .that()
        .resideInAnyPackage(LIBRARY_OF_ADAPTER.keySet().toArray(String[]::new))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.leasehold.memory..")
        .because("an adapter knows the interfaces and not who implements them")
        .check(MAIN);
  }

  private static DescribedPredicate<JavaClass> inJavaOrLeasehold() {
    return resideInAnyPackage(
        "java..", "io.leasehold..", "org.jspecify..", "com.google.errorprone.annotations..");
  }
}
