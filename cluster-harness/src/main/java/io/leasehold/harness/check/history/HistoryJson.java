package io.leasehold.harness.check.history;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.cfg.EnumFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * How a history's lines become JSON and back: absent means 0, false, none; enums in small letters.
 */
final class HistoryJson {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_DEFAULT, JsonInclude.Include.ALWAYS))
          .build();

  static final ObjectReader HEADER_READER = MAPPER.readerFor(HistoryHeader.class);
  static final ObjectReader EVENT_READER = MAPPER.readerFor(HistoryEvent.class);
  static final ObjectWriter HEADER_WRITER = MAPPER.writerFor(HistoryHeader.class);
  static final ObjectWriter EVENT_WRITER = MAPPER.writerFor(HistoryEvent.class);

  private HistoryJson() {}
}
