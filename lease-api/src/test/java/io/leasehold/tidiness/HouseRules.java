package io.leasehold.tidiness;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.leasehold.tidiness.Uses.anyOf;

import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * The rules every module keeps, its tests included. Each module has a {@code TidinessTest} that
 * runs them on its own packages:
 *
 * <pre>{@code
 * @ArchTest static final ArchTests houseRules = ArchTests.in(HouseRules.class);
 * }</pre>
 */
public final class HouseRules {

  @ArchTest
  public static final ArchRule nobodySleeps =
      noClasses()
          .should()
          .accessTargetWhere(anyOf(Thread.class, "sleep").or(anyOf(TimeUnit.class, "sleep")))
          .because(
              "sleeping makes tests slow and races rare; turn a VirtualTime by hand, schedule on a"
                  + " Timer, or across processes wait for a fact with Awaitility")
          .allowEmptyShould(true);

  @ArchTest
  public static final ArchRule namesSayWhatAClassIs =
      noClasses()
          .should()
          .haveNameMatching(".*(Util|Utils|Helper|Helpers|Manager|Impl)")
          .because(
              "a class is named after the one thing it is; a method goes to its subject's type")
          .allowEmptyShould(true);

  @ArchTest
  public static final ArchRule timersCanBeTurnedByHand =
      noClasses()
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.util.Timer")
          .because("java.util.Timer runs on real time only; take an io.leasehold.time.Timer")
          .allowEmptyShould(true);

  @ArchTest
  public static final ArchRule randomnessHasASeed =
      noClasses()
          .should()
          .callConstructor(Random.class)
          .orShould()
          .accessTargetWhere(anyOf(Math.class, "random"))
          .because("a run that failed must be repeatable: pass a seed, and print it")
          .allowEmptyShould(true);

  @ArchTest
  public static final ArchRule loggersHaveOneName =
      fields()
          .that()
          .haveRawType("org.slf4j.Logger")
          .should()
          .haveName("LOG")
          .because("a logger is a constant, and looks the same wherever it is used")
          .allowEmptyShould(true);

  private HouseRules() {}
}
