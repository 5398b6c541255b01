package io.leasehold.raft.spring;

import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether this process is to be a node: by {@code leasehold.enabled}, else if it has members. */
final class OnLeaseholdCondition extends SpringBootCondition {

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata annotated) {
    Binder properties = Binder.get(context.getEnvironment());
    List<String> members =
        properties.bind("leasehold.members", Bindable.listOf(String.class)).orElse(List.of());
    return properties
        .bind("leasehold.enabled", Boolean.class)
        .map(enabled -> new ConditionOutcome(enabled, "leasehold.enabled is " + enabled))
        .orElseGet(
            () ->
                members.isEmpty()
                    ? ConditionOutcome.noMatch("leasehold.members is not set")
                    : ConditionOutcome.match("leasehold.members is set"));
  }
}
