package io.leasehold.harness.cli;

import picocli.CommandLine.IVersionProvider;

/** The version that the jar was built as. */
final class VersionFromManifest implements IVersionProvider {

  @Override
  public String[] getVersion() {
    String version = VersionFromManifest.class.getPackage().getImplementationVersion();
    return new String[] {"leasehold " + (version == null ? "(not from a jar)" : version)};
  }
}
