package io.leasehold.raft.spring;

import io.leasehold.raft.RaftLeases;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health of this process' node, where the actuator and a node are there. */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnSingleCandidate(RaftLeases.class)
@ConditionalOnEnabledHealthIndicator("leasehold")
public final class LeaseholdHealthAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean(name = "leaseholdHealthIndicator")
  HealthIndicator leaseholdHealthIndicator(RaftLeases leases) {
    return new LeaseholdHealthIndicator(leases::health);
  }
}
