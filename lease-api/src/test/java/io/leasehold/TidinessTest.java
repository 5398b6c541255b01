package io.leasehold;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import io.leasehold.tidiness.HouseRules;

@AnalyzeClasses(packages = "io.leasehold")
final class TidinessTest {

  @ArchTest static final ArchTests houseRules = ArchTests.in(HouseRules.class);

  @ArchTest
  static void apiBringsNoLibraryAlong(JavaClasses ignored) {
    JavaClasses api =
        new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .importPackages("io.leasehold");

    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..", "io.leasehold..", "org.jspecify..", "com.google.errorprone.annotations..")
        .because("whoever compiles against the contract gets the contract and nothing else")
        .check(api);
  }
}
