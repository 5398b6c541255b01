package io.leasehold.store.rocks;

import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ChecksumType;
import org.rocksdb.CompressionType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WriteOptions;

/**
 * Every option of RocksDB, with its reason.
 *
 * <p>The table is small and lives inside somebody else's process: it may use about 64 MB of native
 * memory (two write buffers, the block cache, some index blocks) and two background threads, and
 * what it lacks in memory is read from disk.
 */
final class RocksOptions implements AutoCloseable {

  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;

  /**
   * One piece, for one thread that mostly uses it: RocksDB would cut it into pieces of 512 kB, each
   * too small for the filter of a file, which then is read from disk for every lease that is free.
   */
  private final Cache blockCache = new LRUCache(16 * MIB, 0, false, 0.5);

  private final BloomFilter bloomFilter = new BloomFilter(10);
  private final Options options = new Options();
  private final WriteOptions writeOptions = new WriteOptions();

  RocksOptions() {
    existence();
    memory();
    files();
    tables();
    logging();
    writes();
  }

  Options options() {
    return options;
  }

  WriteOptions writeOptions() {
    return writeOptions;
  }

  private void existence() {
    options
        .setCreateIfMissing(true)
        // Stop at the first sign of a corrupt file rather than serve what is left.
        .setParanoidChecks(true)
        // There is no write-ahead log: what is in memory is written when the table is closed, so
        // that a restart has nothing to apply again.
        .setAvoidFlushDuringShutdown(false);
  }

  private void memory() {
    options
        // One fills while the other is written out.
        .setWriteBufferSize(16 * MIB)
        .setMaxWriteBufferNumber(2)
        .setMinWriteBufferNumberToMerge(1)
        // Most acquires look for a lease that is free: the filter saves the walk to find nothing.
        .setMemtablePrefixBloomSizeRatio(0.02)
        .setMemtableWholeKeyFiltering(true)
        // One thread writes.
        .setAllowConcurrentMemtableWrite(false)
        .setEnableWriteThreadAdaptiveYield(false)
        // One to write out memory, one to merge files.
        .setMaxBackgroundJobs(2)
        .setMaxSubcompactions(1);
  }

  private void files() {
    options
        // A file descriptor less for the application is worth more than a file reopened now and
        // then; with 16 MB a file, 64 cover a table of 1 GB.
        .setMaxOpenFiles(64)
        .setMaxFileOpeningThreads(1)
        .setTargetFileSizeBase(16 * MIB)
        .setMaxBytesForLevelBase(64 * MIB)
        .setLevelCompactionDynamicLevelBytes(true)
        .setLevel0FileNumCompactionTrigger(4)
        .setLevel0SlowdownWritesTrigger(20)
        .setLevel0StopWritesTrigger(36)
        // Names and node names repeat; LZ4 costs next to nothing.
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        // Write out in small portions: one large fsync would hold up that of the Raft log.
        .setBytesPerSync(MIB)
        // Else the record of the files grows to a gigabyte in a node that runs for years.
        .setMaxManifestFileSize(4 * MIB)
        // A checkpoint links files, and must find them as they are.
        .setAllowMmapWrites(false)
        .setAllowMmapReads(false)
        // Opening should not read every file for statistics that only tune merges.
        .setSkipStatsUpdateOnDbOpen(true);
  }

  private void tables() {
    options.setTableFormatConfig(
        new BlockBasedTableConfig()
            .setBlockCache(blockCache)
            .setBlockSize(8 * KIB)
            // Inside the cache, so that its size bounds them too.
            .setCacheIndexAndFilterBlocks(true)
            .setCacheIndexAndFilterBlocksWithHighPriority(true)
            .setPinL0FilterAndIndexBlocksInCache(true)
            .setFilterPolicy(bloomFilter)
            .setWholeKeyFiltering(true)
            // Verified on every read of a block (the default of ReadOptions).
            .setChecksumType(ChecksumType.kXXH3)
            .setFormatVersion(6));
  }

  private void logging() {
    options
        // RocksDB's own log is for the rare post-mortem: warnings, at most 2 MB.
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setMaxLogFileSize(MIB)
        .setKeepLogFileNum(2)
        .setStatsDumpPeriodSec(0)
        .setStatsPersistPeriodSec(0);
  }

  private void writes() {
    writeOptions
        // The Raft log is the log: entries after the applied index are applied again.
        .setDisableWAL(true)
        .setSync(false);
  }

  @Override
  public void close() {
    writeOptions.close();
    options.close();
    bloomFilter.close();
    blockCache.close();
  }
}
