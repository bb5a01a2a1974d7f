-- Views of a data set of Spanflame (docs/parquet.md). Replace DATASET by its folder or address, and leave out
-- the second statement of tables without a folder (spans, calls). duckdb -c "$(sed "s|DATASET|$PWD/profiles|" views.duckdb.sql)" profiles.duckdb makes a database of views.
-- Printed from src/fleet/tables/views.ts by npm run docs.

CREATE OR REPLACE VIEW listed_parts AS
WITH named AS (
  SELECT unnest(coalesce(dates, error('parts.json is of an earlier version: export the recordings into a new folder'))).list AS list
  FROM read_json('DATASET/parts.json', columns = {dates: 'STRUCT(list VARCHAR)[]'})
),
lists AS (
  SELECT parse_filename(filename) AS list, unnest(parts) AS part
  FROM read_json('DATASET/parts/*.json', columns = {parts: 'STRUCT("table" VARCHAR, date VARCHAR, part VARCHAR)[]'}, filename = true)
),
listed AS (
  SELECT list, part."table" AS in_table, part.part AS part, part."table" || '/date=' || part.date || '/' || part.part || '.parquet' AS path
  FROM named LEFT JOIN lists USING (list)
),
files AS (
  SELECT regexp_extract(file, '[^/]+/[^/]+/[^/]+$') AS path, file FROM glob('DATASET/*/*/*.parquet')
)
SELECT in_table, CASE WHEN file IS NULL
  THEN error('the copy of the data set is not complete: ' || coalesce(path, list) || ' is missing') ELSE part END AS part
FROM listed LEFT JOIN files USING (path);

-- A row for each observation.
CREATE OR REPLACE VIEW samples AS
SELECT * FROM read_parquet('DATASET/samples/*/*.parquet', hive_partitioning = true, hive_types = {'date': DATE}, union_by_name = true)
WHERE part IN (SELECT p.part FROM listed_parts p WHERE p.in_table = 'samples')
UNION ALL BY NAME SELECT NULL::TIMESTAMPTZ AS "time_end", NULL::VARCHAR AS "environment", NULL::VARCHAR AS "version", NULL::VARCHAR AS "host", NULL::VARCHAR AS "pod" WHERE false;

-- A row for each stack of a part.
CREATE OR REPLACE VIEW stacks AS
SELECT * FROM read_parquet('DATASET/stacks/*/*.parquet', hive_partitioning = true, hive_types = {'date': DATE}, union_by_name = true)
WHERE part IN (SELECT p.part FROM listed_parts p WHERE p.in_table = 'stacks');

-- A row for each function of a part.
CREATE OR REPLACE VIEW functions AS
SELECT * FROM read_parquet('DATASET/functions/*/*.parquet', hive_partitioning = true, hive_types = {'date': DATE}, union_by_name = true)
WHERE part IN (SELECT p.part FROM listed_parts p WHERE p.in_table = 'functions');

-- A row for each recording, trace file and dump, and each date of it; of a folder of dumps for each run.
CREATE OR REPLACE VIEW recordings AS
SELECT * FROM read_parquet('DATASET/recordings/*/*.parquet', hive_partitioning = true, hive_types = {'date': DATE}, union_by_name = true)
WHERE part IN (SELECT p.part FROM listed_parts p WHERE p.in_table = 'recordings')
UNION ALL BY NAME SELECT NULL::VARCHAR AS "environment", NULL::VARCHAR AS "version", NULL::VARCHAR AS "host", NULL::VARCHAR AS "pod" WHERE false;

-- A row for each span of a trace file (`--trace`), and for each that a recording knows (`--spans`).
CREATE OR REPLACE VIEW spans AS SELECT NULL::VARCHAR AS "part", NULL::INTEGER AS "recording_id", NULL::BLOB AS "trace_id", NULL::BIGINT AS "span_id", NULL::BIGINT AS "parent_span_id", NULL::VARCHAR AS "service", NULL::VARCHAR AS "name", NULL::VARCHAR AS "kind", NULL::VARCHAR AS "status", NULL::VARCHAR AS "thread", NULL::TIMESTAMPTZ AS "start", NULL::TIMESTAMPTZ AS "end", NULL::BIGINT AS "start_unix_nano", NULL::BIGINT AS "duration_nano", NULL::VARCHAR AS "origin", NULL::DATE AS date WHERE false;
CREATE OR REPLACE VIEW spans AS
SELECT * FROM read_parquet('DATASET/spans/*/*.parquet', hive_partitioning = true, hive_types = {'date': DATE}, union_by_name = true)
WHERE part IN (SELECT p.part FROM listed_parts p WHERE p.in_table = 'spans');

-- A row for each call of a Cloud Profiler dump.
CREATE OR REPLACE VIEW calls AS SELECT NULL::VARCHAR AS "part", NULL::INTEGER AS "recording_id", NULL::VARCHAR AS "call_id", NULL::VARCHAR AS "service", NULL::VARCHAR AS "instance", NULL::VARCHAR AS "name", NULL::VARCHAR AS "method", NULL::VARCHAR AS "title", NULL::VARCHAR AS "thread", NULL::BIGINT AS "thread_id", NULL::TIMESTAMPTZ AS "start", NULL::BIGINT AS "start_unix_nano", NULL::BIGINT AS "duration_nano", NULL::BIGINT AS "suspension_nano", NULL::BIGINT AS "cpu_nano", NULL::BIGINT AS "wait_nano", NULL::BIGINT AS "queue_nano", NULL::BIGINT AS "allocated_bytes", NULL::BIGINT AS "file_read_bytes", NULL::BIGINT AS "file_written_bytes", NULL::BIGINT AS "net_read_bytes", NULL::BIGINT AS "net_written_bytes", NULL::BIGINT AS "logs_generated_bytes", NULL::BIGINT AS "logs_written_bytes", NULL::BIGINT AS "transactions", NULL::BIGINT AS "invocations", NULL::BIGINT AS "tree_nano", NULL::VARCHAR AS "tree", NULL::VARCHAR AS "origin", NULL::VARCHAR AS "status", NULL::BLOB AS "trace_id", NULL::BIGINT AS "span_id", NULL::MAP(VARCHAR, VARCHAR) AS "params", NULL::DATE AS date WHERE false;
CREATE OR REPLACE VIEW calls AS
SELECT * FROM read_parquet('DATASET/calls/*/*.parquet', hive_partitioning = true, hive_types = {'date': DATE}, union_by_name = true)
WHERE part IN (SELECT p.part FROM listed_parts p WHERE p.in_table = 'calls');

-- Functions by weight.
CREATE OR REPLACE MACRO top(type, service := NULL, endpoint := NULL, root := NULL, trace := NULL, since := NULL, until := NULL, environment := NULL, version := NULL, host := NULL, pod := NULL) AS TABLE
  WITH chosen AS (
    SELECT CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, s.part AS part, s.stack_id AS stack_id, CAST(least(sum(s.value * coalesce(s.period, 1)), 9223372036854775807) AS BIGINT) AS weight
    FROM (
      SELECT s.* FROM samples s WHERE (since IS NULL OR (s.time >= CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (since IS NULL) AND s.time < CAST(since AS TIMESTAMPTZ) AND s.time_end > CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)
    ) s
    WHERE s.profile_type = type
      AND (service IS NULL OR (s.service = service))
      AND (endpoint IS NULL OR (s.endpoint = endpoint))
      AND (root IS NULL OR (s.local_root_span_id = root))
      AND (trace IS NULL OR ((s.trace_id = trace OR (s.trace_id IS NULL AND (s.span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))) OR s.local_root_span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))))))))
      AND (since IS NULL OR (s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (s.time < CAST(until AS TIMESTAMPTZ) AND s.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
      AND (environment IS NULL OR (s.environment = environment))
      AND (version IS NULL OR (s.version = version))
      AND (host IS NULL OR (s.host = host))
      AND (pod IS NULL OR (s.pod = pod)) AND s.stack_id IS NOT NULL
    GROUP BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, s.part, s.stack_id
  ),
  hashed AS (
    SELECT c.unit AS unit, k.stack_hash AS stack_hash, CAST(least(sum(c.weight), 9223372036854775807) AS BIGINT) AS weight,
      any_value({'part': c.part, 'stack_id': c.stack_id}) AS place
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE (since IS NULL OR (k.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (k.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
    GROUP BY c.unit, k.stack_hash
  ),
  stacked AS (
    SELECT h.unit AS unit, k.part AS part, k.stack_id AS stack_id, h.weight AS weight, CASE WHEN len(k.frames) > 200 THEN list_distinct(k.frames)
        ELSE list_filter(k.frames, lambda item, i: list_position(k.frames, item) = i) END AS frames,
      k.frames[1] AS leaf_id
    FROM hashed h JOIN stacks k ON h.place.part = k.part AND h.place.stack_id = k.stack_id
    WHERE (since IS NULL OR (k.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (k.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
  ),
  labelled AS (
    SELECT f.part AS part, f.function_id AS function_id, coalesce(nullif(f.display_name, ''), '(no name)') AS display_name
    FROM functions f
    WHERE (since IS NULL OR (f.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (f.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
  ),
  shared AS (
    SELECT f.part AS part, f.display_name AS display_name
    FROM labelled f
    GROUP BY f.part, f.display_name
    HAVING count(*) > 1
  ),
  named AS (
    SELECT f.part AS part, f.function_id AS function_id, f.display_name AS display_name,
      CASE WHEN n.part IS NULL THEN 0 ELSE 1 END AS is_shared
    FROM labelled f LEFT JOIN shared n ON f.part = n.part AND f.display_name = n.display_name
  ),
  by_leaf AS (
    SELECT t.unit AS unit, t.part AS part, t.leaf_id AS function_id, CAST(least(sum(t.weight), 9223372036854775807) AS BIGINT) AS weight
    FROM stacked t
    GROUP BY t.unit, t.part, t.leaf_id
  ),
  by_function AS (
    SELECT e.unit AS unit, e.part AS part, e.function_id AS function_id, CAST(least(sum(e.weight), 9223372036854775807) AS BIGINT) AS weight
    FROM (SELECT *, unnest(frames) AS function_id FROM stacked) e
    GROUP BY e.unit, e.part, e.function_id
  ),
  by_shared AS (
    SELECT DISTINCT e.unit AS unit, e.part AS part, e.stack_id AS stack_id, n.display_name AS display_name, e.weight AS weight
    FROM (SELECT *, unnest(frames) AS function_id FROM stacked) e
      JOIN named n ON e.part = n.part AND e.function_id = n.function_id
    WHERE n.is_shared = 1
  ),
  weights AS (
    SELECT b.unit AS unit, n.display_name AS function_name, b.weight AS self, CAST(0 AS BIGINT) AS total
    FROM by_leaf b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    UNION ALL
    SELECT b.unit AS unit, n.display_name AS function_name, CAST(0 AS BIGINT) AS self, b.weight AS total
    FROM by_function b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    WHERE n.is_shared = 0
    UNION ALL
    SELECT d.unit AS unit, d.display_name AS function_name, CAST(0 AS BIGINT) AS self, d.weight AS total
    FROM by_shared d
    UNION ALL
    SELECT CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, '(no stack)' AS function_name, s.value * coalesce(s.period, 1) AS self, s.value * coalesce(s.period, 1) AS total
    FROM (
      SELECT s.* FROM samples s WHERE (since IS NULL OR (s.time >= CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (since IS NULL) AND s.time < CAST(since AS TIMESTAMPTZ) AND s.time_end > CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)
    ) s
    WHERE s.profile_type = type
      AND (service IS NULL OR (s.service = service))
      AND (endpoint IS NULL OR (s.endpoint = endpoint))
      AND (root IS NULL OR (s.local_root_span_id = root))
      AND (trace IS NULL OR ((s.trace_id = trace OR (s.trace_id IS NULL AND (s.span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))) OR s.local_root_span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))))))))
      AND (since IS NULL OR (s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (s.time < CAST(until AS TIMESTAMPTZ) AND s.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
      AND (environment IS NULL OR (s.environment = environment))
      AND (version IS NULL OR (s.version = version))
      AND (host IS NULL OR (s.host = host))
      AND (pod IS NULL OR (s.pod = pod)) AND s.stack_id IS NULL
  )
  SELECT w.function_name AS function_name, CAST(least(sum(w.self), 9223372036854775807) AS BIGINT) AS self,
    CAST(least(sum(w.total), 9223372036854775807) AS BIGINT) AS total, w.unit AS unit
  FROM weights w
  GROUP BY w.function_name, w.unit
  ORDER BY self DESC, total DESC, function_name;

-- Collapsed stacks: the text that Spanflame and flamegraph.pl read.
CREATE OR REPLACE MACRO flame(type, service := NULL, endpoint := NULL, root := NULL, trace := NULL, since := NULL, until := NULL, environment := NULL, version := NULL, host := NULL, pod := NULL) AS TABLE
  WITH chosen AS (
    SELECT CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, s.part AS part, s.stack_id AS stack_id, CAST(least(sum(s.value * coalesce(s.period, 1)), 9223372036854775807) AS BIGINT) AS weight
    FROM (
      SELECT s.* FROM samples s WHERE (since IS NULL OR (s.time >= CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (since IS NULL) AND s.time < CAST(since AS TIMESTAMPTZ) AND s.time_end > CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)
    ) s
    WHERE s.profile_type = type
      AND (service IS NULL OR (s.service = service))
      AND (endpoint IS NULL OR (s.endpoint = endpoint))
      AND (root IS NULL OR (s.local_root_span_id = root))
      AND (trace IS NULL OR ((s.trace_id = trace OR (s.trace_id IS NULL AND (s.span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))) OR s.local_root_span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))))))))
      AND (since IS NULL OR (s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (s.time < CAST(until AS TIMESTAMPTZ) AND s.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
      AND (environment IS NULL OR (s.environment = environment))
      AND (version IS NULL OR (s.version = version))
      AND (host IS NULL OR (s.host = host))
      AND (pod IS NULL OR (s.pod = pod)) AND s.stack_id IS NOT NULL
    GROUP BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, s.part, s.stack_id
  ),
  stacked AS (
    SELECT c.unit AS unit, c.part AS part, c.stack_id AS stack_id, c.weight AS weight, k.frames AS frames
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE (since IS NULL OR (k.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (k.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
  ),
  texts AS (
    SELECT e.unit AS unit, e.part AS part, e.stack_id AS stack_id, any_value(e.weight) AS weight, string_agg(translate(coalesce(nullif(n.display_name, ''), '(no name)'), concat(';', chr(10)), ': '), ';' ORDER BY e.at DESC) AS stack
    FROM (SELECT *, unnest(frames) AS function_id, generate_subscripts(frames, 1) AS at FROM stacked) e
      JOIN functions n ON e.part = n.part AND e.function_id = n.function_id
    GROUP BY e.unit, e.part, e.stack_id
  ),
  lines AS (
    SELECT x.unit AS unit, x.stack AS stack, CAST(least(sum(x.weight), 9223372036854775807) AS BIGINT) AS weight
    FROM (
      SELECT t.unit AS unit, t.stack AS stack, t.weight AS weight
      FROM texts t
      UNION ALL
      SELECT CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, '(no stack)' AS stack, s.value * coalesce(s.period, 1) AS weight
      FROM (
      SELECT s.* FROM samples s WHERE (since IS NULL OR (s.time >= CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (since IS NULL) AND s.time < CAST(since AS TIMESTAMPTZ) AND s.time_end > CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)
    ) s
      WHERE s.profile_type = type
      AND (service IS NULL OR (s.service = service))
      AND (endpoint IS NULL OR (s.endpoint = endpoint))
      AND (root IS NULL OR (s.local_root_span_id = root))
      AND (trace IS NULL OR ((s.trace_id = trace OR (s.trace_id IS NULL AND (s.span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))) OR s.local_root_span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))))))))
      AND (since IS NULL OR (s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (s.time < CAST(until AS TIMESTAMPTZ) AND s.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
      AND (environment IS NULL OR (s.environment = environment))
      AND (version IS NULL OR (s.version = version))
      AND (host IS NULL OR (s.host = host))
      AND (pod IS NULL OR (s.pod = pod)) AND s.stack_id IS NULL
    ) x
    GROUP BY x.unit, x.stack
  )
  SELECT l.stack AS stack, l.weight AS value, concat(l.stack, ' ', CAST(l.weight AS VARCHAR)) AS line,
    l.unit AS unit
  FROM lines l
  ORDER BY unit, stack;

-- Local roots by weight, the heaviest first; ORDER BY duration_nano DESC lists the slowest.
CREATE OR REPLACE MACRO traces(type, service := NULL, endpoint := NULL, root := NULL, trace := NULL, since := NULL, until := NULL, environment := NULL, version := NULL, host := NULL, pod := NULL) AS TABLE
  SELECT r.id AS local_root_span_id, nullif(printf('%016x', r.id), '0000000000000000') AS root_id, r.service AS service,
    r.endpoint AS endpoint, r.start AS start, coalesce(r.last_nano - r.first_nano, 0) AS duration_nano, r.observations AS observations,
    r.weight AS weight, r.unit AS unit
  FROM (
    SELECT s.local_root_span_id AS id, s.service AS service, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, max(s.endpoint) AS endpoint, min(s.time) AS start,
      min(nullif(s.time_unix_nano, 0)) AS first_nano, max(s.time_unix_nano) AS last_nano, count(*) AS observations,
      CAST(least(sum(s.value * coalesce(s.period, 1)), 9223372036854775807) AS BIGINT) AS weight
    FROM (
      SELECT s.* FROM samples s WHERE (since IS NULL OR (s.time >= CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (since IS NULL) AND s.time < CAST(since AS TIMESTAMPTZ) AND s.time_end > CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)
    ) s
    WHERE s.profile_type = type
      AND (service IS NULL OR (s.service = service))
      AND (endpoint IS NULL OR (s.endpoint = endpoint))
      AND (root IS NULL OR (s.local_root_span_id = root))
      AND (trace IS NULL OR ((s.trace_id = trace OR (s.trace_id IS NULL AND (s.span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))) OR s.local_root_span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))))))))
      AND (since IS NULL OR (s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (s.time < CAST(until AS TIMESTAMPTZ) AND s.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
      AND (environment IS NULL OR (s.environment = environment))
      AND (version IS NULL OR (s.version = version))
      AND (host IS NULL OR (s.host = host))
      AND (pod IS NULL OR (s.pod = pod)) AND s.local_root_span_id <> 0
    GROUP BY s.local_root_span_id, s.service, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END
  ) r
  ORDER BY weight DESC, root_id;

-- Endpoints with their requests, and the weight of a request.
CREATE OR REPLACE MACRO operations(type, service := NULL, endpoint := NULL, root := NULL, trace := NULL, since := NULL, until := NULL, environment := NULL, version := NULL, host := NULL, pod := NULL) AS TABLE
  WITH requests AS (
    SELECT s.service AS service, s.local_root_span_id AS id, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, max(s.endpoint) AS endpoint,
      CAST(least(sum(s.value * coalesce(s.period, 1)), 9223372036854775807) AS BIGINT) AS weight
    FROM (
      SELECT s.* FROM samples s WHERE (since IS NULL OR (s.time >= CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (since IS NULL) AND s.time < CAST(since AS TIMESTAMPTZ) AND s.time_end > CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)
    ) s
    WHERE s.profile_type = type
      AND (service IS NULL OR (s.service = service))
      AND (endpoint IS NULL OR (s.endpoint = endpoint))
      AND (root IS NULL OR (s.local_root_span_id = root))
      AND (trace IS NULL OR ((s.trace_id = trace OR (s.trace_id IS NULL AND (s.span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))) OR s.local_root_span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))))))))
      AND (since IS NULL OR (s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (s.time < CAST(until AS TIMESTAMPTZ) AND s.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
      AND (environment IS NULL OR (s.environment = environment))
      AND (version IS NULL OR (s.version = version))
      AND (host IS NULL OR (s.host = host))
      AND (pod IS NULL OR (s.pod = pod)) AND s.local_root_span_id <> 0
    GROUP BY s.service, s.local_root_span_id, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END
  )
  SELECT r.service AS service, r.endpoint AS endpoint, count(*) AS requests, CAST(least(sum(r.weight), 9223372036854775807) AS BIGINT) AS weight,
    CAST(avg(r.weight) AS DOUBLE) AS per_request, quantile_disc(r.weight, 0.5) AS p50,
    quantile_disc(r.weight, 0.95) AS p95, quantile_disc(r.weight, 0.99) AS p99, r.unit AS unit
  FROM requests r
  GROUP BY r.service, r.endpoint, r.unit
  ORDER BY weight DESC, r.service, r.endpoint;

-- A function from day to day.
CREATE OR REPLACE MACRO function_history(type, name, service := NULL, endpoint := NULL, root := NULL, trace := NULL, since := NULL, until := NULL, environment := NULL, version := NULL, host := NULL, pod := NULL) AS TABLE
  WITH chosen AS (
    SELECT s.date AS date, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, s.part AS part, s.stack_id AS stack_id, CAST(least(sum(s.value * coalesce(s.period, 1)), 9223372036854775807) AS BIGINT) AS weight
    FROM (
      SELECT s.* FROM samples s WHERE (since IS NULL OR (s.time >= CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (since IS NULL) AND s.time < CAST(since AS TIMESTAMPTZ) AND s.time_end > CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)
    ) s
    WHERE s.profile_type = type
      AND (service IS NULL OR (s.service = service))
      AND (endpoint IS NULL OR (s.endpoint = endpoint))
      AND (root IS NULL OR (s.local_root_span_id = root))
      AND (trace IS NULL OR ((s.trace_id = trace OR (s.trace_id IS NULL AND (s.span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))) OR s.local_root_span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))))))))
      AND (since IS NULL OR (s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (s.time < CAST(until AS TIMESTAMPTZ) AND s.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
      AND (environment IS NULL OR (s.environment = environment))
      AND (version IS NULL OR (s.version = version))
      AND (host IS NULL OR (s.host = host))
      AND (pod IS NULL OR (s.pod = pod)) AND s.stack_id IS NOT NULL
    GROUP BY s.date, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, s.part, s.stack_id
  ),
  hashed AS (
    SELECT c.date AS date, c.unit AS unit, k.stack_hash AS stack_hash, CAST(least(sum(c.weight), 9223372036854775807) AS BIGINT) AS weight,
      any_value({'part': c.part, 'stack_id': c.stack_id}) AS place
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE (since IS NULL OR (k.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (k.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
    GROUP BY c.date, c.unit, k.stack_hash
  ),
  stacked AS (
    SELECT h.date AS date, h.unit AS unit, k.part AS part, k.stack_id AS stack_id, h.weight AS weight, CASE WHEN len(k.frames) > 200 THEN list_distinct(k.frames)
        ELSE list_filter(k.frames, lambda item, i: list_position(k.frames, item) = i) END AS frames,
      k.frames[1] AS leaf_id
    FROM hashed h JOIN stacks k ON h.place.part = k.part AND h.place.stack_id = k.stack_id
    WHERE (since IS NULL OR (k.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (k.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
  ),
  labelled AS (
    SELECT f.part AS part, f.function_id AS function_id, coalesce(nullif(f.display_name, ''), '(no name)') AS display_name
    FROM functions f
    WHERE (since IS NULL OR (f.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (f.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
  ),
  shared AS (
    SELECT f.part AS part, f.display_name AS display_name
    FROM labelled f
    GROUP BY f.part, f.display_name
    HAVING count(*) > 1
  ),
  named AS (
    SELECT f.part AS part, f.function_id AS function_id, f.display_name AS display_name,
      CASE WHEN n.part IS NULL THEN 0 ELSE 1 END AS is_shared
    FROM labelled f LEFT JOIN shared n ON f.part = n.part AND f.display_name = n.display_name
  ),
  by_leaf AS (
    SELECT t.date AS date, t.unit AS unit, t.part AS part, t.leaf_id AS function_id, CAST(least(sum(t.weight), 9223372036854775807) AS BIGINT) AS weight
    FROM stacked t
    GROUP BY t.date, t.unit, t.part, t.leaf_id
  ),
  by_function AS (
    SELECT e.date AS date, e.unit AS unit, e.part AS part, e.function_id AS function_id, CAST(least(sum(e.weight), 9223372036854775807) AS BIGINT) AS weight
    FROM (SELECT *, unnest(frames) AS function_id FROM stacked) e
    GROUP BY e.date, e.unit, e.part, e.function_id
  ),
  by_shared AS (
    SELECT DISTINCT e.date AS date, e.unit AS unit, e.part AS part, e.stack_id AS stack_id, n.display_name AS display_name, e.weight AS weight
    FROM (SELECT *, unnest(frames) AS function_id FROM stacked) e
      JOIN named n ON e.part = n.part AND e.function_id = n.function_id
    WHERE n.is_shared = 1
  ),
  weights AS (
    SELECT b.date AS date, b.unit AS unit, n.display_name AS function_name, b.weight AS self, CAST(0 AS BIGINT) AS total
    FROM by_leaf b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    UNION ALL
    SELECT b.date AS date, b.unit AS unit, n.display_name AS function_name, CAST(0 AS BIGINT) AS self, b.weight AS total
    FROM by_function b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    WHERE n.is_shared = 0
    UNION ALL
    SELECT d.date AS date, d.unit AS unit, d.display_name AS function_name, CAST(0 AS BIGINT) AS self, d.weight AS total
    FROM by_shared d
    UNION ALL
    SELECT s.date AS date, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, '(no stack)' AS function_name, s.value * coalesce(s.period, 1) AS self, s.value * coalesce(s.period, 1) AS total
    FROM (
      SELECT s.* FROM samples s WHERE (since IS NULL OR (s.time >= CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (since IS NULL) AND s.time < CAST(since AS TIMESTAMPTZ) AND s.time_end > CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)
    ) s
    WHERE s.profile_type = type
      AND (service IS NULL OR (s.service = service))
      AND (endpoint IS NULL OR (s.endpoint = endpoint))
      AND (root IS NULL OR (s.local_root_span_id = root))
      AND (trace IS NULL OR ((s.trace_id = trace OR (s.trace_id IS NULL AND (s.span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))) OR s.local_root_span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))))))))
      AND (since IS NULL OR (s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (s.time < CAST(until AS TIMESTAMPTZ) AND s.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
      AND (environment IS NULL OR (s.environment = environment))
      AND (version IS NULL OR (s.version = version))
      AND (host IS NULL OR (s.host = host))
      AND (pod IS NULL OR (s.pod = pod)) AND s.stack_id IS NULL
  ),
  all_of AS (
    SELECT s.date AS date, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, CAST(least(sum(s.value * coalesce(s.period, 1)), 9223372036854775807) AS BIGINT) AS weight, min(s.date) AS first_date
    FROM (
      SELECT s.* FROM samples s WHERE (since IS NULL OR (s.time >= CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (since IS NULL) AND s.time < CAST(since AS TIMESTAMPTZ) AND s.time_end > CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)
    ) s
    WHERE s.profile_type = type
      AND (service IS NULL OR (s.service = service))
      AND (endpoint IS NULL OR (s.endpoint = endpoint))
      AND (root IS NULL OR (s.local_root_span_id = root))
      AND (trace IS NULL OR ((s.trace_id = trace OR (s.trace_id IS NULL AND (s.span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))) OR s.local_root_span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))))))))
      AND (since IS NULL OR (s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (s.time < CAST(until AS TIMESTAMPTZ) AND s.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
      AND (environment IS NULL OR (s.environment = environment))
      AND (version IS NULL OR (s.version = version))
      AND (host IS NULL OR (s.host = host))
      AND (pod IS NULL OR (s.pod = pod))
    GROUP BY s.date, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END
  )
  SELECT w.date AS date, w.function_name AS function_name, CAST(least(sum(w.self), 9223372036854775807) AS BIGINT) AS self, CAST(least(sum(w.total), 9223372036854775807) AS BIGINT) AS total,
    any_value(d.weight) AS of_all, w.unit AS unit
  FROM weights w JOIN all_of d ON w.unit = d.unit AND w.date IS NOT DISTINCT FROM d.date
  WHERE w.function_name = name
  GROUP BY w.date, w.function_name, w.unit
  ORDER BY w.date, function_name;

-- A function from version to version.
CREATE OR REPLACE MACRO function_versions(type, name, service := NULL, endpoint := NULL, root := NULL, trace := NULL, since := NULL, until := NULL, environment := NULL, host := NULL, pod := NULL) AS TABLE
  WITH chosen AS (
    SELECT s.version AS version, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, s.part AS part, s.stack_id AS stack_id, CAST(least(sum(s.value * coalesce(s.period, 1)), 9223372036854775807) AS BIGINT) AS weight
    FROM (
      SELECT s.* FROM samples s WHERE (since IS NULL OR (s.time >= CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (since IS NULL) AND s.time < CAST(since AS TIMESTAMPTZ) AND s.time_end > CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)
    ) s
    WHERE s.profile_type = type
      AND (service IS NULL OR (s.service = service))
      AND (endpoint IS NULL OR (s.endpoint = endpoint))
      AND (root IS NULL OR (s.local_root_span_id = root))
      AND (trace IS NULL OR ((s.trace_id = trace OR (s.trace_id IS NULL AND (s.span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))) OR s.local_root_span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))))))))
      AND (since IS NULL OR (s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (s.time < CAST(until AS TIMESTAMPTZ) AND s.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
      AND (environment IS NULL OR (s.environment = environment))
      AND (host IS NULL OR (s.host = host))
      AND (pod IS NULL OR (s.pod = pod)) AND s.stack_id IS NOT NULL
    GROUP BY s.version, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, s.part, s.stack_id
  ),
  hashed AS (
    SELECT c.version AS version, c.unit AS unit, k.stack_hash AS stack_hash, CAST(least(sum(c.weight), 9223372036854775807) AS BIGINT) AS weight,
      any_value({'part': c.part, 'stack_id': c.stack_id}) AS place
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE (since IS NULL OR (k.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (k.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
    GROUP BY c.version, c.unit, k.stack_hash
  ),
  stacked AS (
    SELECT h.version AS version, h.unit AS unit, k.part AS part, k.stack_id AS stack_id, h.weight AS weight, CASE WHEN len(k.frames) > 200 THEN list_distinct(k.frames)
        ELSE list_filter(k.frames, lambda item, i: list_position(k.frames, item) = i) END AS frames,
      k.frames[1] AS leaf_id
    FROM hashed h JOIN stacks k ON h.place.part = k.part AND h.place.stack_id = k.stack_id
    WHERE (since IS NULL OR (k.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (k.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
  ),
  labelled AS (
    SELECT f.part AS part, f.function_id AS function_id, coalesce(nullif(f.display_name, ''), '(no name)') AS display_name
    FROM functions f
    WHERE (since IS NULL OR (f.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (f.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
  ),
  shared AS (
    SELECT f.part AS part, f.display_name AS display_name
    FROM labelled f
    GROUP BY f.part, f.display_name
    HAVING count(*) > 1
  ),
  named AS (
    SELECT f.part AS part, f.function_id AS function_id, f.display_name AS display_name,
      CASE WHEN n.part IS NULL THEN 0 ELSE 1 END AS is_shared
    FROM labelled f LEFT JOIN shared n ON f.part = n.part AND f.display_name = n.display_name
  ),
  by_leaf AS (
    SELECT t.version AS version, t.unit AS unit, t.part AS part, t.leaf_id AS function_id, CAST(least(sum(t.weight), 9223372036854775807) AS BIGINT) AS weight
    FROM stacked t
    GROUP BY t.version, t.unit, t.part, t.leaf_id
  ),
  by_function AS (
    SELECT e.version AS version, e.unit AS unit, e.part AS part, e.function_id AS function_id, CAST(least(sum(e.weight), 9223372036854775807) AS BIGINT) AS weight
    FROM (SELECT *, unnest(frames) AS function_id FROM stacked) e
    GROUP BY e.version, e.unit, e.part, e.function_id
  ),
  by_shared AS (
    SELECT DISTINCT e.version AS version, e.unit AS unit, e.part AS part, e.stack_id AS stack_id, n.display_name AS display_name, e.weight AS weight
    FROM (SELECT *, unnest(frames) AS function_id FROM stacked) e
      JOIN named n ON e.part = n.part AND e.function_id = n.function_id
    WHERE n.is_shared = 1
  ),
  weights AS (
    SELECT b.version AS version, b.unit AS unit, n.display_name AS function_name, b.weight AS self, CAST(0 AS BIGINT) AS total
    FROM by_leaf b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    UNION ALL
    SELECT b.version AS version, b.unit AS unit, n.display_name AS function_name, CAST(0 AS BIGINT) AS self, b.weight AS total
    FROM by_function b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    WHERE n.is_shared = 0
    UNION ALL
    SELECT d.version AS version, d.unit AS unit, d.display_name AS function_name, CAST(0 AS BIGINT) AS self, d.weight AS total
    FROM by_shared d
    UNION ALL
    SELECT s.version AS version, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, '(no stack)' AS function_name, s.value * coalesce(s.period, 1) AS self, s.value * coalesce(s.period, 1) AS total
    FROM (
      SELECT s.* FROM samples s WHERE (since IS NULL OR (s.time >= CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (since IS NULL) AND s.time < CAST(since AS TIMESTAMPTZ) AND s.time_end > CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)
    ) s
    WHERE s.profile_type = type
      AND (service IS NULL OR (s.service = service))
      AND (endpoint IS NULL OR (s.endpoint = endpoint))
      AND (root IS NULL OR (s.local_root_span_id = root))
      AND (trace IS NULL OR ((s.trace_id = trace OR (s.trace_id IS NULL AND (s.span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))) OR s.local_root_span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))))))))
      AND (since IS NULL OR (s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (s.time < CAST(until AS TIMESTAMPTZ) AND s.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
      AND (environment IS NULL OR (s.environment = environment))
      AND (host IS NULL OR (s.host = host))
      AND (pod IS NULL OR (s.pod = pod)) AND s.stack_id IS NULL
  ),
  all_of AS (
    SELECT s.version AS version, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, CAST(least(sum(s.value * coalesce(s.period, 1)), 9223372036854775807) AS BIGINT) AS weight, min(s.date) AS first_date
    FROM (
      SELECT s.* FROM samples s WHERE (since IS NULL OR (s.time >= CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (since IS NULL) AND s.time < CAST(since AS TIMESTAMPTZ) AND s.time_end > CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)
    ) s
    WHERE s.profile_type = type
      AND (service IS NULL OR (s.service = service))
      AND (endpoint IS NULL OR (s.endpoint = endpoint))
      AND (root IS NULL OR (s.local_root_span_id = root))
      AND (trace IS NULL OR ((s.trace_id = trace OR (s.trace_id IS NULL AND (s.span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))) OR s.local_root_span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))))))))
      AND (since IS NULL OR (s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (s.time < CAST(until AS TIMESTAMPTZ) AND s.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
      AND (environment IS NULL OR (s.environment = environment))
      AND (host IS NULL OR (s.host = host))
      AND (pod IS NULL OR (s.pod = pod))
    GROUP BY s.version, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END
  )
  SELECT w.version AS version, w.function_name AS function_name, CAST(least(sum(w.self), 9223372036854775807) AS BIGINT) AS self, CAST(least(sum(w.total), 9223372036854775807) AS BIGINT) AS total,
    any_value(d.weight) AS of_all, w.unit AS unit, any_value(d.first_date) AS first_date
  FROM weights w JOIN all_of d ON w.unit = d.unit AND w.version IS NOT DISTINCT FROM d.version
  WHERE w.function_name = name
  GROUP BY w.version, w.function_name, w.unit
  ORDER BY first_date, w.version, function_name;

-- Functions by the change of their share between two days.
CREATE OR REPLACE MACRO diff(type, before, after, service := NULL, endpoint := NULL, environment := NULL, version := NULL, host := NULL, pod := NULL) AS TABLE
  SELECT coalesce(nullif(a.leaf, ''), b.leaf) AS function_name, CAST(coalesce(a.share, 0) AS DOUBLE) AS self_before,
    CAST(coalesce(b.share, 0) AS DOUBLE) AS self_after,
    CAST(coalesce(b.share, 0) - coalesce(a.share, 0) AS DOUBLE) AS change
  FROM (
      SELECT u.leaf AS leaf, 100e0 * sum(u.part) AS share
      FROM (
        SELECT CASE WHEN s.stack_id IS NULL THEN '(no stack)' ELSE coalesce(nullif(s.leaf, ''), '(no name)') END AS leaf,
          1e0 * sum(s.value * coalesce(s.period, 1)) / nullif(sum(sum(s.value * coalesce(s.period, 1))) OVER (PARTITION BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END), 0)
            * sum(count(*)) OVER (PARTITION BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END) / sum(count(*)) OVER () AS part
        FROM samples s
        WHERE s.profile_type = type
      AND (service IS NULL OR (s.service = service))
      AND (endpoint IS NULL OR (s.endpoint = endpoint))
      AND (environment IS NULL OR (s.environment = environment))
      AND (version IS NULL OR (s.version = version))
      AND (host IS NULL OR (s.host = host))
      AND (pod IS NULL OR (s.pod = pod)) AND s.date = CAST(before AS DATE)
        GROUP BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, CASE WHEN s.stack_id IS NULL THEN '(no stack)' ELSE coalesce(nullif(s.leaf, ''), '(no name)') END
      ) u
      GROUP BY u.leaf
    ) a FULL OUTER JOIN (
      SELECT u.leaf AS leaf, 100e0 * sum(u.part) AS share
      FROM (
        SELECT CASE WHEN s.stack_id IS NULL THEN '(no stack)' ELSE coalesce(nullif(s.leaf, ''), '(no name)') END AS leaf,
          1e0 * sum(s.value * coalesce(s.period, 1)) / nullif(sum(sum(s.value * coalesce(s.period, 1))) OVER (PARTITION BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END), 0)
            * sum(count(*)) OVER (PARTITION BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END) / sum(count(*)) OVER () AS part
        FROM samples s
        WHERE s.profile_type = type
      AND (service IS NULL OR (s.service = service))
      AND (endpoint IS NULL OR (s.endpoint = endpoint))
      AND (environment IS NULL OR (s.environment = environment))
      AND (version IS NULL OR (s.version = version))
      AND (host IS NULL OR (s.host = host))
      AND (pod IS NULL OR (s.pod = pod)) AND s.date = CAST(after AS DATE)
        GROUP BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, CASE WHEN s.stack_id IS NULL THEN '(no stack)' ELSE coalesce(nullif(s.leaf, ''), '(no name)') END
      ) u
      GROUP BY u.leaf
    ) b ON a.leaf = b.leaf
  ORDER BY abs(CAST(coalesce(b.share, 0) - coalesce(a.share, 0) AS DOUBLE)) DESC, function_name;

-- Functions by the change of their share between two versions.
CREATE OR REPLACE MACRO diff_versions(type, before, after, service := NULL, endpoint := NULL, environment := NULL, host := NULL, pod := NULL) AS TABLE
  SELECT coalesce(nullif(a.leaf, ''), b.leaf) AS function_name, CAST(coalesce(a.share, 0) AS DOUBLE) AS self_before,
    CAST(coalesce(b.share, 0) AS DOUBLE) AS self_after,
    CAST(coalesce(b.share, 0) - coalesce(a.share, 0) AS DOUBLE) AS change
  FROM (
      SELECT u.leaf AS leaf, 100e0 * sum(u.part) AS share
      FROM (
        SELECT CASE WHEN s.stack_id IS NULL THEN '(no stack)' ELSE coalesce(nullif(s.leaf, ''), '(no name)') END AS leaf,
          1e0 * sum(s.value * coalesce(s.period, 1)) / nullif(sum(sum(s.value * coalesce(s.period, 1))) OVER (PARTITION BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END), 0)
            * sum(count(*)) OVER (PARTITION BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END) / sum(count(*)) OVER () AS part
        FROM samples s
        WHERE s.profile_type = type
      AND (service IS NULL OR (s.service = service))
      AND (endpoint IS NULL OR (s.endpoint = endpoint))
      AND (environment IS NULL OR (s.environment = environment))
      AND (host IS NULL OR (s.host = host))
      AND (pod IS NULL OR (s.pod = pod)) AND s.version = before
        GROUP BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, CASE WHEN s.stack_id IS NULL THEN '(no stack)' ELSE coalesce(nullif(s.leaf, ''), '(no name)') END
      ) u
      GROUP BY u.leaf
    ) a FULL OUTER JOIN (
      SELECT u.leaf AS leaf, 100e0 * sum(u.part) AS share
      FROM (
        SELECT CASE WHEN s.stack_id IS NULL THEN '(no stack)' ELSE coalesce(nullif(s.leaf, ''), '(no name)') END AS leaf,
          1e0 * sum(s.value * coalesce(s.period, 1)) / nullif(sum(sum(s.value * coalesce(s.period, 1))) OVER (PARTITION BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END), 0)
            * sum(count(*)) OVER (PARTITION BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END) / sum(count(*)) OVER () AS part
        FROM samples s
        WHERE s.profile_type = type
      AND (service IS NULL OR (s.service = service))
      AND (endpoint IS NULL OR (s.endpoint = endpoint))
      AND (environment IS NULL OR (s.environment = environment))
      AND (host IS NULL OR (s.host = host))
      AND (pod IS NULL OR (s.pod = pod)) AND s.version = after
        GROUP BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, CASE WHEN s.stack_id IS NULL THEN '(no stack)' ELSE coalesce(nullif(s.leaf, ''), '(no name)') END
      ) u
      GROUP BY u.leaf
    ) b ON a.leaf = b.leaf
  ORDER BY abs(CAST(coalesce(b.share, 0) - coalesce(a.share, 0) AS DOUBLE)) DESC, function_name;

-- Functions by hour, service, version and endpoint: a table of it answers questions of months.
CREATE OR REPLACE MACRO rollup(type, service := NULL, endpoint := NULL, root := NULL, trace := NULL, since := NULL, until := NULL, environment := NULL, version := NULL, host := NULL, pod := NULL) AS TABLE
  WITH chosen AS (
    SELECT date_trunc('hour', s.time) AS hour, s.service AS service, s.version AS version, s.endpoint AS endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, s.part AS part, s.stack_id AS stack_id, CAST(least(sum(s.value * coalesce(s.period, 1)), 9223372036854775807) AS BIGINT) AS weight
    FROM (
      SELECT s.* FROM samples s WHERE (since IS NULL OR (s.time >= CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (since IS NULL) AND s.time < CAST(since AS TIMESTAMPTZ) AND s.time_end > CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)
    ) s
    WHERE s.profile_type = type
      AND (service IS NULL OR (s.service = service))
      AND (endpoint IS NULL OR (s.endpoint = endpoint))
      AND (root IS NULL OR (s.local_root_span_id = root))
      AND (trace IS NULL OR ((s.trace_id = trace OR (s.trace_id IS NULL AND (s.span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))) OR s.local_root_span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))))))))
      AND (since IS NULL OR (s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (s.time < CAST(until AS TIMESTAMPTZ) AND s.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
      AND (environment IS NULL OR (s.environment = environment))
      AND (version IS NULL OR (s.version = version))
      AND (host IS NULL OR (s.host = host))
      AND (pod IS NULL OR (s.pod = pod)) AND s.stack_id IS NOT NULL
    GROUP BY date_trunc('hour', s.time), s.service, s.version, s.endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, s.part, s.stack_id
  ),
  hashed AS (
    SELECT c.hour AS hour, c.service AS service, c.version AS version, c.endpoint AS endpoint, c.unit AS unit, k.stack_hash AS stack_hash, CAST(least(sum(c.weight), 9223372036854775807) AS BIGINT) AS weight,
      any_value({'part': c.part, 'stack_id': c.stack_id}) AS place
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE (since IS NULL OR (k.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (k.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
    GROUP BY c.hour, c.service, c.version, c.endpoint, c.unit, k.stack_hash
  ),
  stacked AS (
    SELECT h.hour AS hour, h.service AS service, h.version AS version, h.endpoint AS endpoint, h.unit AS unit, k.part AS part, k.stack_id AS stack_id, h.weight AS weight, CASE WHEN len(k.frames) > 200 THEN list_distinct(k.frames)
        ELSE list_filter(k.frames, lambda item, i: list_position(k.frames, item) = i) END AS frames,
      k.frames[1] AS leaf_id
    FROM hashed h JOIN stacks k ON h.place.part = k.part AND h.place.stack_id = k.stack_id
    WHERE (since IS NULL OR (k.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (k.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
  ),
  labelled AS (
    SELECT f.part AS part, f.function_id AS function_id, coalesce(nullif(f.display_name, ''), '(no name)') AS display_name
    FROM functions f
    WHERE (since IS NULL OR (f.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (f.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
  ),
  shared AS (
    SELECT f.part AS part, f.display_name AS display_name
    FROM labelled f
    GROUP BY f.part, f.display_name
    HAVING count(*) > 1
  ),
  named AS (
    SELECT f.part AS part, f.function_id AS function_id, f.display_name AS display_name,
      CASE WHEN n.part IS NULL THEN 0 ELSE 1 END AS is_shared
    FROM labelled f LEFT JOIN shared n ON f.part = n.part AND f.display_name = n.display_name
  ),
  by_leaf AS (
    SELECT t.hour AS hour, t.service AS service, t.version AS version, t.endpoint AS endpoint, t.unit AS unit, t.part AS part, t.leaf_id AS function_id, CAST(least(sum(t.weight), 9223372036854775807) AS BIGINT) AS weight
    FROM stacked t
    GROUP BY t.hour, t.service, t.version, t.endpoint, t.unit, t.part, t.leaf_id
  ),
  by_function AS (
    SELECT e.hour AS hour, e.service AS service, e.version AS version, e.endpoint AS endpoint, e.unit AS unit, e.part AS part, e.function_id AS function_id, CAST(least(sum(e.weight), 9223372036854775807) AS BIGINT) AS weight
    FROM (SELECT *, unnest(frames) AS function_id FROM stacked) e
    GROUP BY e.hour, e.service, e.version, e.endpoint, e.unit, e.part, e.function_id
  ),
  by_shared AS (
    SELECT DISTINCT e.hour AS hour, e.service AS service, e.version AS version, e.endpoint AS endpoint, e.unit AS unit, e.part AS part, e.stack_id AS stack_id, n.display_name AS display_name, e.weight AS weight
    FROM (SELECT *, unnest(frames) AS function_id FROM stacked) e
      JOIN named n ON e.part = n.part AND e.function_id = n.function_id
    WHERE n.is_shared = 1
  ),
  weights AS (
    SELECT b.hour AS hour, b.service AS service, b.version AS version, b.endpoint AS endpoint, b.unit AS unit, n.display_name AS function_name, b.weight AS self, CAST(0 AS BIGINT) AS total
    FROM by_leaf b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    UNION ALL
    SELECT b.hour AS hour, b.service AS service, b.version AS version, b.endpoint AS endpoint, b.unit AS unit, n.display_name AS function_name, CAST(0 AS BIGINT) AS self, b.weight AS total
    FROM by_function b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    WHERE n.is_shared = 0
    UNION ALL
    SELECT d.hour AS hour, d.service AS service, d.version AS version, d.endpoint AS endpoint, d.unit AS unit, d.display_name AS function_name, CAST(0 AS BIGINT) AS self, d.weight AS total
    FROM by_shared d
    UNION ALL
    SELECT date_trunc('hour', s.time) AS hour, s.service AS service, s.version AS version, s.endpoint AS endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, '(no stack)' AS function_name, s.value * coalesce(s.period, 1) AS self, s.value * coalesce(s.period, 1) AS total
    FROM (
      SELECT s.* FROM samples s WHERE (since IS NULL OR (s.time >= CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (since IS NULL) AND s.time < CAST(since AS TIMESTAMPTZ) AND s.time_end > CAST(since AS TIMESTAMPTZ) AND s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)
    ) s
    WHERE s.profile_type = type
      AND (service IS NULL OR (s.service = service))
      AND (endpoint IS NULL OR (s.endpoint = endpoint))
      AND (root IS NULL OR (s.local_root_span_id = root))
      AND (trace IS NULL OR ((s.trace_id = trace OR (s.trace_id IS NULL AND (s.span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))) OR s.local_root_span_id IN (SELECT p.span_id FROM spans p WHERE p.trace_id IN (trace, unhex('0000000000000000' || right(hex(trace), 16)))))))))
      AND (since IS NULL OR (s.date >= CAST(CAST(since AS TIMESTAMPTZ) AS DATE)))
      AND (until IS NULL OR (s.time < CAST(until AS TIMESTAMPTZ) AND s.date <= CAST(CAST(until AS TIMESTAMPTZ) AS DATE)))
      AND (environment IS NULL OR (s.environment = environment))
      AND (version IS NULL OR (s.version = version))
      AND (host IS NULL OR (s.host = host))
      AND (pod IS NULL OR (s.pod = pod)) AND s.stack_id IS NULL
  )
  SELECT w.hour AS hour, w.service AS service, w.version AS version, w.endpoint AS endpoint, w.function_name AS function_name, CAST(least(sum(w.self), 9223372036854775807) AS BIGINT) AS self,
    CAST(least(sum(w.total), 9223372036854775807) AS BIGINT) AS total, w.unit AS unit
  FROM weights w
  GROUP BY w.hour, w.service, w.version, w.endpoint, w.unit, w.function_name
  ORDER BY hour, w.service, w.version, w.endpoint, function_name;
