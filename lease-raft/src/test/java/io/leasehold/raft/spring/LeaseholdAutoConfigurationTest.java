package io.leasehold.raft.spring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LeaseProvider;
import io.leasehold.memory.InMemoryLeases;
import io.leasehold.raft.RaftLeases;
import io.leasehold.spring.FencedLock;
import io.leasehold.spring.LeaseLockRegistry;
import io.leasehold.store.StoreStartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

/** Which beans there are, and what is said when no node can be started. */
final class LeaseholdAutoConfigurationTest {

  private static final String[] NODE = {
    "leasehold.cluster=shop",
    "leasehold.id=n1",
    "leasehold.members=n1=127.0.0.1:7101,n2=127.0.0.1:7102",
    "leasehold.dir=leases-n1"
  };

  private final ApplicationContextRunner application =
      new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(registered()));

  private final ApplicationContextRunner withLeases =
      application
          .withBean(LeaseProvider.class, InMemoryLeases::create)
          .withPropertyValues("leasehold.id=n1");

  private static Class<?>[] registered() {
    ClassLoader loader = LeaseholdAutoConfigurationTest.class.getClassLoader();
    return ImportCandidates.load(AutoConfiguration.class, loader).getCandidates().stream()
        .filter(name -> name.startsWith("io.leasehold."))
        .map(LeaseholdAutoConfigurationTest::load)
        .toArray(Class<?>[]::new);
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What Spring Boot would show. */
  private static FailureAnalysis analysisOf(Throwable failure) {
    List<FailureAnalyzer> analyzers =
        SpringFactoriesLoader.forDefaultResourceLocation()
            .load(FailureAnalyzer.class, (type, name, some) -> {}); // some need a bean factory
    return analyzers.stream()
        .filter(analyzer -> analyzer.getClass().getName().startsWith("io.leasehold."))
        .map(analyzer -> analyzer.analyze(failure))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void applicationWithoutMembersIsLeftAlone() {
    application
        .withPropertyValues("leasehold.cluster=shop", "leasehold.id=n1", "leasehold.members=")
        .run(
            context ->
                assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean(LeaseProvider.class)
                    .doesNotHaveBean(LockRegistry.class)
                    .doesNotHaveBean(HealthIndicator.class));
  }

  @Test
  void nodeCanBeSwitchedOff() {
    application
        .withPropertyValues(NODE)
        .withPropertyValues("leasehold.enabled=false")
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaseProvider.class));
    withLeases
        .withPropertyValues("leasehold.enabled=false")
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockRegistry.class));
  }

  @Test
  void propertyThatIsMissingIsShownInOneSentence() {
    application
        .withPropertyValues("leasehold.members[0]=n1=127.0.0.1:7101", "leasehold.cluster=shop")
        .run(
            context ->
                assertThat(analysisOf(requireNonNull(context.getStartupFailure())).getDescription())
                    .isEqualTo(
                        "The property leasehold.id must be set: which of leasehold.members this node is"));
  }

  @Test
  void reasonWhyANodeDoesNotStartIsShownAlsoWhereBeansAreLazy(@TempDir Path folder)
      throws IOException {
    Path file = Files.createFile(folder.resolve("file"));

    application
        .withPropertyValues(NODE)
        .withPropertyValues("leasehold.dir=" + file)
        .withInitializer(
            context ->
                context.addBeanFactoryPostProcessor(
                    new LazyInitializationBeanFactoryPostProcessor()))
        .run(
            context -> {
              FailureAnalysis analysis = analysisOf(requireNonNull(context.getStartupFailure()));
              assertThat(analysis.getCause()).isInstanceOf(StoreStartException.class);
              assertThat(analysis.getDescription()).contains(file.toString());
            });
  }

  @Test
  void applicationsOwnProviderIsUsed() {
    withLeases
        .withPropertyValues(NODE)
        .run(
            context -> {
              assertThat(context).doesNotHaveBean(RaftLeases.class);
              FencedLock lock = context.getBean(LeaseLockRegistry.class).obtain("printer");
              assertThat(lock).hasToString("FencedLock[locks/printer, n1]");
              assertThat(lock.tryLock()).isTrue();
              lock.unlock();
            });
  }

  @Test
  void applicationsOwnLockRegistryIsUsed() {
    withLeases
        .withBean(LockRegistry.class, DefaultLockRegistry::new)
        .run(context -> assertThat(context).doesNotHaveBean(LeaseLockRegistry.class));
  }

  @Test
  void locksAreConfigured() {
    withLeases
        .withPropertyValues(
            "leasehold.locks.prefix=app:", "leasehold.locks.owner=pod-7", "leasehold.locks.ttl=3s")
        .run(
            context ->
                assertThat(context.getBean(LeaseLockRegistry.class).obtain("printer"))
                    .hasToString("FencedLock[app:printer, pod-7]"));
  }

  @Test
  void applicationWithoutSpringIntegrationOrActuatorHasLeasesAlone() {
    withLeases
        .withClassLoader(new FilteredClassLoader(LockRegistry.class, HealthIndicator.class))
        .run(
            context -> {
              assertThat(context).hasNotFailed().hasSingleBean(LeaseProvider.class);
              assertThat(context).doesNotHaveBean("leaseLockRegistry");
              assertThat(context).doesNotHaveBean("leaseholdHealthIndicator");
            });
  }
}
