package io.leasehold.bench.peers;

import java.lang.reflect.Method;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

/**
 * Rules that a peer is known not to keep.
 *
 * @param breaches by the numbers of the rules
 */
record KnownBreaches(Map<String, Breach> breaches) implements InvocationInterceptor {

  @Override
  public void interceptTestMethod(
      Invocation<Void> rule, ReflectiveInvocationContext<Method> method, ExtensionContext context)
      throws Throwable {
    String name = context.getDisplayName();
    Breach breach = breaches.get(name.substring(0, name.indexOf(' ')));
    if (breach == null) {
      rule.proceed();
      return;
    }
    try {
      rule.proceed();
    } catch (TestAbortedException notAsked) {
      throw notAsked;
    } catch (Exception | AssertionError failure) {
      throw new TestAbortedException("not kept: " + breach.reason(), failure);
    }
    if (breach.isCertain()) {
      throw new AssertionError("kept after all; take it off the list: " + name);
    }
  }
}
