package io.leasehold.contract;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.MethodDescriptor;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.MethodOrdererContext;

/** Runs the rules in the order of their numbers. */
public final class RuleOrder implements MethodOrderer {

  private static final Pattern NUMBERED = Pattern.compile("R(\\d+) .*");

  @Override
  public void orderMethods(MethodOrdererContext context) {
    context.getMethodDescriptors().sort(Comparator.comparingInt(RuleOrder::number));
  }

  private static int number(MethodDescriptor method) {
    Matcher matcher = NUMBERED.matcher(method.getDisplayName());
    return matcher.matches() ? Integer.parseInt(matcher.group(1)) : Integer.MAX_VALUE;
  }
}
