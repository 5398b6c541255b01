package io.leasehold.tidiness;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;

/** What a class uses of another: calls and method references alike. */
public final class Uses {

  /** The use of any method of the type with one of the names, whatever its parameters. */
  public static DescribedPredicate<JavaAccess<?>> anyOf(Class<?> type, String... methods) {
    String names = String.join("|", methods);
    return uses(equivalentTo(type), names).as("%s.%s", type.getSimpleName(), names);
  }

  /** The use of anything that tells the time of this machine. */
  public static DescribedPredicate<JavaAccess<?>> aClockOfThisMachine() {
    return uses(equivalentTo(System.class), "nanoTime|currentTimeMillis")
        .or(uses(resideInAPackage("java.time"), "now|system.*|tick.*"))
        .as("a clock of this machine");
  }

  private static DescribedPredicate<JavaAccess<?>> uses(
      DescribedPredicate<JavaClass> owners, String names) {
    return target(owner(owners)).and(target(nameMatching(names)));
  }

  private Uses() {}
}
