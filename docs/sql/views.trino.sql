-- Views of a data set of Spanflame (docs/parquet.md). Replace DATASET by its folder or address, and leave out
-- tables without a folder (spans, calls). Not run: no test has Trino. Its views have no parameters: select by profile_type, date, service, version and endpoint, and add up the rows.
-- Printed from src/fleet/tables/views.ts by npm run docs.

-- A row for each observation.
CREATE TABLE IF NOT EXISTS samples (
  "part" VARCHAR,
  "recording_id" INTEGER,
  "time" TIMESTAMP,
  "time_end" TIMESTAMP,
  "time_unix_nano" BIGINT,
  "profile_type" VARCHAR,
  "unit" VARCHAR,
  "value" BIGINT,
  "period" BIGINT,
  "unit2" VARCHAR,
  "value2" BIGINT,
  "event" VARCHAR,
  "local_root_span_id" BIGINT,
  "span_id" BIGINT,
  "trace_id" VARBINARY,
  "service" VARCHAR,
  "instance" VARCHAR,
  "environment" VARCHAR,
  "version" VARCHAR,
  "host" VARCHAR,
  "pod" VARCHAR,
  "operation" VARCHAR,
  "endpoint" VARCHAR,
  "thread" VARCHAR,
  "thread_id" BIGINT,
  "leaf" VARCHAR,
  "stack_id" INTEGER,
  "attributes" MAP(VARCHAR, VARCHAR),
  "date" DATE
) WITH (external_location = 'DATASET/samples', format = 'PARQUET', partitioned_by = ARRAY['date']);
CALL system.sync_partition_metadata(CURRENT_SCHEMA, 'samples', 'ADD');

-- A row for each stack of a part.
CREATE TABLE IF NOT EXISTS stacks (
  "part" VARCHAR,
  "stack_id" INTEGER,
  "stack_hash" VARBINARY,
  "frames" ARRAY(INTEGER),
  "lines" ARRAY(INTEGER),
  "date" DATE
) WITH (external_location = 'DATASET/stacks', format = 'PARQUET', partitioned_by = ARRAY['date']);
CALL system.sync_partition_metadata(CURRENT_SCHEMA, 'stacks', 'ADD');

-- A row for each function of a part.
CREATE TABLE IF NOT EXISTS functions (
  "part" VARCHAR,
  "function_id" INTEGER,
  "function_name" VARCHAR,
  "display_name" VARCHAR,
  "class_name" VARCHAR,
  "file" VARCHAR,
  "frame_type" VARCHAR,
  "date" DATE
) WITH (external_location = 'DATASET/functions', format = 'PARQUET', partitioned_by = ARRAY['date']);
CALL system.sync_partition_metadata(CURRENT_SCHEMA, 'functions', 'ADD');

-- A row for each recording, trace file and dump, and each date of it; of a folder of dumps for each run.
CREATE TABLE IF NOT EXISTS recordings (
  "part" VARCHAR,
  "recording_id" INTEGER,
  "sha256" VARCHAR,
  "file" VARCHAR,
  "bytes" BIGINT,
  "service" VARCHAR,
  "instance" VARCHAR,
  "environment" VARCHAR,
  "version" VARCHAR,
  "host" VARCHAR,
  "pod" VARCHAR,
  "start" TIMESTAMP,
  "end" TIMESTAMP,
  "samples" BIGINT,
  "resource" MAP(VARCHAR, VARCHAR),
  "diagnostics" ARRAY(VARCHAR),
  "date" DATE
) WITH (external_location = 'DATASET/recordings', format = 'PARQUET', partitioned_by = ARRAY['date']);
CALL system.sync_partition_metadata(CURRENT_SCHEMA, 'recordings', 'ADD');

-- A row for each span of a trace file (`--trace`), and for each that a recording knows (`--spans`).
CREATE TABLE IF NOT EXISTS spans (
  "part" VARCHAR,
  "recording_id" INTEGER,
  "trace_id" VARBINARY,
  "span_id" BIGINT,
  "parent_span_id" BIGINT,
  "service" VARCHAR,
  "name" VARCHAR,
  "kind" VARCHAR,
  "status" VARCHAR,
  "thread" VARCHAR,
  "start" TIMESTAMP,
  "end" TIMESTAMP,
  "start_unix_nano" BIGINT,
  "duration_nano" BIGINT,
  "origin" VARCHAR,
  "date" DATE
) WITH (external_location = 'DATASET/spans', format = 'PARQUET', partitioned_by = ARRAY['date']);
CALL system.sync_partition_metadata(CURRENT_SCHEMA, 'spans', 'ADD');

-- A row for each call of a Cloud Profiler dump.
CREATE TABLE IF NOT EXISTS calls (
  "part" VARCHAR,
  "recording_id" INTEGER,
  "call_id" VARCHAR,
  "service" VARCHAR,
  "instance" VARCHAR,
  "name" VARCHAR,
  "method" VARCHAR,
  "title" VARCHAR,
  "thread" VARCHAR,
  "thread_id" BIGINT,
  "start" TIMESTAMP,
  "start_unix_nano" BIGINT,
  "duration_nano" BIGINT,
  "suspension_nano" BIGINT,
  "cpu_nano" BIGINT,
  "wait_nano" BIGINT,
  "queue_nano" BIGINT,
  "allocated_bytes" BIGINT,
  "file_read_bytes" BIGINT,
  "file_written_bytes" BIGINT,
  "net_read_bytes" BIGINT,
  "net_written_bytes" BIGINT,
  "logs_generated_bytes" BIGINT,
  "logs_written_bytes" BIGINT,
  "transactions" BIGINT,
  "invocations" BIGINT,
  "tree_nano" BIGINT,
  "tree" VARCHAR,
  "origin" VARCHAR,
  "status" VARCHAR,
  "trace_id" VARBINARY,
  "span_id" BIGINT,
  "params" MAP(VARCHAR, VARCHAR),
  "date" DATE
) WITH (external_location = 'DATASET/calls', format = 'PARQUET', partitioned_by = ARRAY['date']);
CALL system.sync_partition_metadata(CURRENT_SCHEMA, 'calls', 'ADD');

-- Functions by weight.
CREATE OR REPLACE VIEW top AS
  WITH chosen AS (
    SELECT s.profile_type AS profile_type, s.date AS date, s.service AS service, s.version AS version, s.endpoint AS endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, s.part AS part, s.stack_id AS stack_id, CAST(sum(s.value * coalesce(s.period, 1)) AS BIGINT) AS weight
    FROM samples s
    WHERE 1 = 1 AND s.stack_id IS NOT NULL
    GROUP BY s.profile_type, s.date, s.service, s.version, s.endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, s.part, s.stack_id
  ),
  hashed AS (
    SELECT c.profile_type AS profile_type, c.date AS date, c.service AS service, c.version AS version, c.endpoint AS endpoint, c.unit AS unit, k.stack_hash AS stack_hash, CAST(sum(c.weight) AS BIGINT) AS weight,
      arbitrary(CAST(ROW(c.part, c.stack_id) AS ROW(part VARCHAR, stack_id INTEGER))) AS place
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE 1 = 1
    GROUP BY c.profile_type, c.date, c.service, c.version, c.endpoint, c.unit, k.stack_hash
  ),
  stacked AS (
    SELECT h.profile_type AS profile_type, h.date AS date, h.service AS service, h.version AS version, h.endpoint AS endpoint, h.unit AS unit, k.part AS part, k.stack_id AS stack_id, h.weight AS weight, array_distinct(k.frames) AS frames,
      k.frames[1] AS leaf_id
    FROM hashed h JOIN stacks k ON h.place.part = k.part AND h.place.stack_id = k.stack_id
    WHERE 1 = 1
  ),
  labelled AS (
    SELECT f.part AS part, f.function_id AS function_id, coalesce(nullif(f.display_name, ''), '(no name)') AS display_name
    FROM functions f
    WHERE 1 = 1
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
    SELECT t.profile_type AS profile_type, t.date AS date, t.service AS service, t.version AS version, t.endpoint AS endpoint, t.unit AS unit, t.part AS part, t.leaf_id AS function_id, CAST(sum(t.weight) AS BIGINT) AS weight
    FROM stacked t
    GROUP BY t.profile_type, t.date, t.service, t.version, t.endpoint, t.unit, t.part, t.leaf_id
  ),
  by_function AS (
    SELECT e.profile_type AS profile_type, e.date AS date, e.service AS service, e.version AS version, e.endpoint AS endpoint, e.unit AS unit, e.part AS part, e.function_id AS function_id, CAST(sum(e.weight) AS BIGINT) AS weight
    FROM (SELECT t.*, u.function_id FROM stacked t CROSS JOIN UNNEST(frames) AS u (function_id)) e
    GROUP BY e.profile_type, e.date, e.service, e.version, e.endpoint, e.unit, e.part, e.function_id
  ),
  by_shared AS (
    SELECT DISTINCT e.profile_type AS profile_type, e.date AS date, e.service AS service, e.version AS version, e.endpoint AS endpoint, e.unit AS unit, e.part AS part, e.stack_id AS stack_id, n.display_name AS display_name, e.weight AS weight
    FROM (SELECT t.*, u.function_id FROM stacked t CROSS JOIN UNNEST(frames) AS u (function_id)) e
      JOIN named n ON e.part = n.part AND e.function_id = n.function_id
    WHERE n.is_shared = 1
  ),
  weights AS (
    SELECT b.profile_type AS profile_type, b.date AS date, b.service AS service, b.version AS version, b.endpoint AS endpoint, b.unit AS unit, n.display_name AS function_name, b.weight AS self, CAST(0 AS BIGINT) AS total
    FROM by_leaf b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    UNION ALL
    SELECT b.profile_type AS profile_type, b.date AS date, b.service AS service, b.version AS version, b.endpoint AS endpoint, b.unit AS unit, n.display_name AS function_name, CAST(0 AS BIGINT) AS self, b.weight AS total
    FROM by_function b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    WHERE n.is_shared = 0
    UNION ALL
    SELECT d.profile_type AS profile_type, d.date AS date, d.service AS service, d.version AS version, d.endpoint AS endpoint, d.unit AS unit, d.display_name AS function_name, CAST(0 AS BIGINT) AS self, d.weight AS total
    FROM by_shared d
    UNION ALL
    SELECT s.profile_type AS profile_type, s.date AS date, s.service AS service, s.version AS version, s.endpoint AS endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, '(no stack)' AS function_name, s.value * coalesce(s.period, 1) AS self, s.value * coalesce(s.period, 1) AS total
    FROM samples s
    WHERE 1 = 1 AND s.stack_id IS NULL
  )
  SELECT w.profile_type AS profile_type, w.date AS date, w.service AS service, w.version AS version, w.endpoint AS endpoint, w.function_name AS function_name, CAST(sum(w.self) AS BIGINT) AS self,
    CAST(sum(w.total) AS BIGINT) AS total, w.unit AS unit
  FROM weights w
  GROUP BY w.profile_type, w.date, w.service, w.version, w.endpoint, w.function_name, w.unit
  ORDER BY self DESC, total DESC, function_name;

-- Collapsed stacks: the text that Spanflame and flamegraph.pl read.
CREATE OR REPLACE VIEW flame AS
  WITH chosen AS (
    SELECT s.profile_type AS profile_type, s.date AS date, s.service AS service, s.version AS version, s.endpoint AS endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, s.part AS part, s.stack_id AS stack_id, CAST(sum(s.value * coalesce(s.period, 1)) AS BIGINT) AS weight
    FROM samples s
    WHERE 1 = 1 AND s.stack_id IS NOT NULL
    GROUP BY s.profile_type, s.date, s.service, s.version, s.endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, s.part, s.stack_id
  ),
  stacked AS (
    SELECT c.profile_type AS profile_type, c.date AS date, c.service AS service, c.version AS version, c.endpoint AS endpoint, c.unit AS unit, c.part AS part, c.stack_id AS stack_id, c.weight AS weight, k.frames AS frames
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE 1 = 1
  ),
  texts AS (
    SELECT e.profile_type AS profile_type, e.date AS date, e.service AS service, e.version AS version, e.endpoint AS endpoint, e.unit AS unit, e.part AS part, e.stack_id AS stack_id, arbitrary(e.weight) AS weight, array_join(array_agg(translate(coalesce(nullif(n.display_name, ''), '(no name)'), concat(';', chr(10)), ': ') ORDER BY e.at DESC), ';') AS stack
    FROM (SELECT t.*, u.function_id, u.at FROM stacked t CROSS JOIN UNNEST(frames) WITH ORDINALITY AS u (function_id, at)) e
      JOIN functions n ON e.part = n.part AND e.function_id = n.function_id
    GROUP BY e.profile_type, e.date, e.service, e.version, e.endpoint, e.unit, e.part, e.stack_id
  ),
  lines AS (
    SELECT x.profile_type AS profile_type, x.date AS date, x.service AS service, x.version AS version, x.endpoint AS endpoint, x.unit AS unit, x.stack AS stack, CAST(sum(x.weight) AS BIGINT) AS weight
    FROM (
      SELECT t.profile_type AS profile_type, t.date AS date, t.service AS service, t.version AS version, t.endpoint AS endpoint, t.unit AS unit, t.stack AS stack, t.weight AS weight
      FROM texts t
      UNION ALL
      SELECT s.profile_type AS profile_type, s.date AS date, s.service AS service, s.version AS version, s.endpoint AS endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, '(no stack)' AS stack, s.value * coalesce(s.period, 1) AS weight
      FROM samples s
      WHERE 1 = 1 AND s.stack_id IS NULL
    ) x
    GROUP BY x.profile_type, x.date, x.service, x.version, x.endpoint, x.unit, x.stack
  )
  SELECT l.profile_type AS profile_type, l.date AS date, l.service AS service, l.version AS version, l.endpoint AS endpoint, l.stack AS stack, l.weight AS value, concat(l.stack, ' ', CAST(l.weight AS VARCHAR)) AS line,
    l.unit AS unit
  FROM lines l
  ORDER BY unit, stack;

-- Local roots by weight, the heaviest first; ORDER BY duration_nano DESC lists the slowest.
CREATE OR REPLACE VIEW traces AS
  SELECT r.profile_type AS profile_type, r.date AS date, r.version AS version, r.id AS local_root_span_id, nullif(lower(to_hex(to_big_endian_64(r.id))), '0000000000000000') AS root_id, r.service AS service,
    r.endpoint AS endpoint, r.start AS start, coalesce(r.last_nano - r.first_nano, 0) AS duration_nano, r.observations AS observations,
    r.weight AS weight, r.unit AS unit
  FROM (
    SELECT s.profile_type AS profile_type, s.date AS date, s.version AS version, s.local_root_span_id AS id, s.service AS service, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, max(s.endpoint) AS endpoint, min(s.time) AS start,
      min(nullif(s.time_unix_nano, 0)) AS first_nano, max(s.time_unix_nano) AS last_nano, count(*) AS observations,
      CAST(sum(s.value * coalesce(s.period, 1)) AS BIGINT) AS weight
    FROM samples s
    WHERE 1 = 1 AND s.local_root_span_id <> 0
    GROUP BY s.profile_type, s.date, s.version, s.local_root_span_id, s.service, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END
  ) r
  ORDER BY weight DESC, root_id;

-- Endpoints with their requests, and the weight of a request.
CREATE OR REPLACE VIEW operations AS
  WITH requests AS (
    SELECT s.profile_type AS profile_type, s.date AS date, s.version AS version, s.service AS service, s.local_root_span_id AS id, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, max(s.endpoint) AS endpoint,
      CAST(sum(s.value * coalesce(s.period, 1)) AS BIGINT) AS weight
    FROM samples s
    WHERE 1 = 1 AND s.local_root_span_id <> 0
    GROUP BY s.profile_type, s.date, s.version, s.service, s.local_root_span_id, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END
  )
  SELECT r.profile_type AS profile_type, r.date AS date, r.version AS version, r.service AS service, r.endpoint AS endpoint, count(*) AS requests, CAST(sum(r.weight) AS BIGINT) AS weight,
    CAST(avg(r.weight) AS DOUBLE) AS per_request, approx_percentile(r.weight, 0.5) AS p50,
    approx_percentile(r.weight, 0.95) AS p95, approx_percentile(r.weight, 0.99) AS p99, r.unit AS unit
  FROM requests r
  GROUP BY r.profile_type, r.date, r.version, r.service, r.endpoint, r.unit
  ORDER BY weight DESC, r.service, r.endpoint;

-- A function from day to day.
CREATE OR REPLACE VIEW function_history AS
  WITH chosen AS (
    SELECT s.profile_type AS profile_type, s.service AS service, s.version AS version, s.endpoint AS endpoint, s.date AS date, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, s.part AS part, s.stack_id AS stack_id, CAST(sum(s.value * coalesce(s.period, 1)) AS BIGINT) AS weight
    FROM samples s
    WHERE 1 = 1 AND s.stack_id IS NOT NULL
    GROUP BY s.profile_type, s.service, s.version, s.endpoint, s.date, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, s.part, s.stack_id
  ),
  hashed AS (
    SELECT c.profile_type AS profile_type, c.service AS service, c.version AS version, c.endpoint AS endpoint, c.date AS date, c.unit AS unit, k.stack_hash AS stack_hash, CAST(sum(c.weight) AS BIGINT) AS weight,
      arbitrary(CAST(ROW(c.part, c.stack_id) AS ROW(part VARCHAR, stack_id INTEGER))) AS place
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE 1 = 1
    GROUP BY c.profile_type, c.service, c.version, c.endpoint, c.date, c.unit, k.stack_hash
  ),
  stacked AS (
    SELECT h.profile_type AS profile_type, h.service AS service, h.version AS version, h.endpoint AS endpoint, h.date AS date, h.unit AS unit, k.part AS part, k.stack_id AS stack_id, h.weight AS weight, array_distinct(k.frames) AS frames,
      k.frames[1] AS leaf_id
    FROM hashed h JOIN stacks k ON h.place.part = k.part AND h.place.stack_id = k.stack_id
    WHERE 1 = 1
  ),
  labelled AS (
    SELECT f.part AS part, f.function_id AS function_id, coalesce(nullif(f.display_name, ''), '(no name)') AS display_name
    FROM functions f
    WHERE 1 = 1
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
    SELECT t.profile_type AS profile_type, t.service AS service, t.version AS version, t.endpoint AS endpoint, t.date AS date, t.unit AS unit, t.part AS part, t.leaf_id AS function_id, CAST(sum(t.weight) AS BIGINT) AS weight
    FROM stacked t
    GROUP BY t.profile_type, t.service, t.version, t.endpoint, t.date, t.unit, t.part, t.leaf_id
  ),
  by_function AS (
    SELECT e.profile_type AS profile_type, e.service AS service, e.version AS version, e.endpoint AS endpoint, e.date AS date, e.unit AS unit, e.part AS part, e.function_id AS function_id, CAST(sum(e.weight) AS BIGINT) AS weight
    FROM (SELECT t.*, u.function_id FROM stacked t CROSS JOIN UNNEST(frames) AS u (function_id)) e
    GROUP BY e.profile_type, e.service, e.version, e.endpoint, e.date, e.unit, e.part, e.function_id
  ),
  by_shared AS (
    SELECT DISTINCT e.profile_type AS profile_type, e.service AS service, e.version AS version, e.endpoint AS endpoint, e.date AS date, e.unit AS unit, e.part AS part, e.stack_id AS stack_id, n.display_name AS display_name, e.weight AS weight
    FROM (SELECT t.*, u.function_id FROM stacked t CROSS JOIN UNNEST(frames) AS u (function_id)) e
      JOIN named n ON e.part = n.part AND e.function_id = n.function_id
    WHERE n.is_shared = 1
  ),
  weights AS (
    SELECT b.profile_type AS profile_type, b.service AS service, b.version AS version, b.endpoint AS endpoint, b.date AS date, b.unit AS unit, n.display_name AS function_name, b.weight AS self, CAST(0 AS BIGINT) AS total
    FROM by_leaf b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    UNION ALL
    SELECT b.profile_type AS profile_type, b.service AS service, b.version AS version, b.endpoint AS endpoint, b.date AS date, b.unit AS unit, n.display_name AS function_name, CAST(0 AS BIGINT) AS self, b.weight AS total
    FROM by_function b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    WHERE n.is_shared = 0
    UNION ALL
    SELECT d.profile_type AS profile_type, d.service AS service, d.version AS version, d.endpoint AS endpoint, d.date AS date, d.unit AS unit, d.display_name AS function_name, CAST(0 AS BIGINT) AS self, d.weight AS total
    FROM by_shared d
    UNION ALL
    SELECT s.profile_type AS profile_type, s.service AS service, s.version AS version, s.endpoint AS endpoint, s.date AS date, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, '(no stack)' AS function_name, s.value * coalesce(s.period, 1) AS self, s.value * coalesce(s.period, 1) AS total
    FROM samples s
    WHERE 1 = 1 AND s.stack_id IS NULL
  ),
  all_of AS (
    SELECT s.profile_type AS profile_type, s.service AS service, s.version AS version, s.endpoint AS endpoint, s.date AS date, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, CAST(sum(s.value * coalesce(s.period, 1)) AS BIGINT) AS weight, min(s.date) AS first_date
    FROM samples s
    WHERE 1 = 1
    GROUP BY s.profile_type, s.service, s.version, s.endpoint, s.date, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END
  )
  SELECT w.profile_type AS profile_type, w.service AS service, w.version AS version, w.endpoint AS endpoint, w.date AS date, w.function_name AS function_name, CAST(sum(w.self) AS BIGINT) AS self, CAST(sum(w.total) AS BIGINT) AS total,
    arbitrary(d.weight) AS of_all, w.unit AS unit
  FROM weights w JOIN all_of d ON w.unit = d.unit AND w.profile_type IS NOT DISTINCT FROM d.profile_type AND w.service IS NOT DISTINCT FROM d.service AND w.version IS NOT DISTINCT FROM d.version AND w.endpoint IS NOT DISTINCT FROM d.endpoint AND w.date IS NOT DISTINCT FROM d.date
  GROUP BY w.profile_type, w.service, w.version, w.endpoint, w.date, w.function_name, w.unit
  ORDER BY w.date, function_name;

-- A function from version to version.
CREATE OR REPLACE VIEW function_versions AS
  WITH chosen AS (
    SELECT s.profile_type AS profile_type, s.date AS date, s.service AS service, s.endpoint AS endpoint, s.version AS version, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, s.part AS part, s.stack_id AS stack_id, CAST(sum(s.value * coalesce(s.period, 1)) AS BIGINT) AS weight
    FROM samples s
    WHERE 1 = 1 AND s.stack_id IS NOT NULL
    GROUP BY s.profile_type, s.date, s.service, s.endpoint, s.version, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, s.part, s.stack_id
  ),
  hashed AS (
    SELECT c.profile_type AS profile_type, c.date AS date, c.service AS service, c.endpoint AS endpoint, c.version AS version, c.unit AS unit, k.stack_hash AS stack_hash, CAST(sum(c.weight) AS BIGINT) AS weight,
      arbitrary(CAST(ROW(c.part, c.stack_id) AS ROW(part VARCHAR, stack_id INTEGER))) AS place
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE 1 = 1
    GROUP BY c.profile_type, c.date, c.service, c.endpoint, c.version, c.unit, k.stack_hash
  ),
  stacked AS (
    SELECT h.profile_type AS profile_type, h.date AS date, h.service AS service, h.endpoint AS endpoint, h.version AS version, h.unit AS unit, k.part AS part, k.stack_id AS stack_id, h.weight AS weight, array_distinct(k.frames) AS frames,
      k.frames[1] AS leaf_id
    FROM hashed h JOIN stacks k ON h.place.part = k.part AND h.place.stack_id = k.stack_id
    WHERE 1 = 1
  ),
  labelled AS (
    SELECT f.part AS part, f.function_id AS function_id, coalesce(nullif(f.display_name, ''), '(no name)') AS display_name
    FROM functions f
    WHERE 1 = 1
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
    SELECT t.profile_type AS profile_type, t.date AS date, t.service AS service, t.endpoint AS endpoint, t.version AS version, t.unit AS unit, t.part AS part, t.leaf_id AS function_id, CAST(sum(t.weight) AS BIGINT) AS weight
    FROM stacked t
    GROUP BY t.profile_type, t.date, t.service, t.endpoint, t.version, t.unit, t.part, t.leaf_id
  ),
  by_function AS (
    SELECT e.profile_type AS profile_type, e.date AS date, e.service AS service, e.endpoint AS endpoint, e.version AS version, e.unit AS unit, e.part AS part, e.function_id AS function_id, CAST(sum(e.weight) AS BIGINT) AS weight
    FROM (SELECT t.*, u.function_id FROM stacked t CROSS JOIN UNNEST(frames) AS u (function_id)) e
    GROUP BY e.profile_type, e.date, e.service, e.endpoint, e.version, e.unit, e.part, e.function_id
  ),
  by_shared AS (
    SELECT DISTINCT e.profile_type AS profile_type, e.date AS date, e.service AS service, e.endpoint AS endpoint, e.version AS version, e.unit AS unit, e.part AS part, e.stack_id AS stack_id, n.display_name AS display_name, e.weight AS weight
    FROM (SELECT t.*, u.function_id FROM stacked t CROSS JOIN UNNEST(frames) AS u (function_id)) e
      JOIN named n ON e.part = n.part AND e.function_id = n.function_id
    WHERE n.is_shared = 1
  ),
  weights AS (
    SELECT b.profile_type AS profile_type, b.date AS date, b.service AS service, b.endpoint AS endpoint, b.version AS version, b.unit AS unit, n.display_name AS function_name, b.weight AS self, CAST(0 AS BIGINT) AS total
    FROM by_leaf b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    UNION ALL
    SELECT b.profile_type AS profile_type, b.date AS date, b.service AS service, b.endpoint AS endpoint, b.version AS version, b.unit AS unit, n.display_name AS function_name, CAST(0 AS BIGINT) AS self, b.weight AS total
    FROM by_function b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    WHERE n.is_shared = 0
    UNION ALL
    SELECT d.profile_type AS profile_type, d.date AS date, d.service AS service, d.endpoint AS endpoint, d.version AS version, d.unit AS unit, d.display_name AS function_name, CAST(0 AS BIGINT) AS self, d.weight AS total
    FROM by_shared d
    UNION ALL
    SELECT s.profile_type AS profile_type, s.date AS date, s.service AS service, s.endpoint AS endpoint, s.version AS version, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, '(no stack)' AS function_name, s.value * coalesce(s.period, 1) AS self, s.value * coalesce(s.period, 1) AS total
    FROM samples s
    WHERE 1 = 1 AND s.stack_id IS NULL
  ),
  all_of AS (
    SELECT s.profile_type AS profile_type, s.date AS date, s.service AS service, s.endpoint AS endpoint, s.version AS version, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, CAST(sum(s.value * coalesce(s.period, 1)) AS BIGINT) AS weight, min(s.date) AS first_date
    FROM samples s
    WHERE 1 = 1
    GROUP BY s.profile_type, s.date, s.service, s.endpoint, s.version, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END
  )
  SELECT w.profile_type AS profile_type, w.date AS date, w.service AS service, w.endpoint AS endpoint, w.version AS version, w.function_name AS function_name, CAST(sum(w.self) AS BIGINT) AS self, CAST(sum(w.total) AS BIGINT) AS total,
    arbitrary(d.weight) AS of_all, w.unit AS unit, arbitrary(d.first_date) AS first_date
  FROM weights w JOIN all_of d ON w.unit = d.unit AND w.profile_type IS NOT DISTINCT FROM d.profile_type AND w.date IS NOT DISTINCT FROM d.date AND w.service IS NOT DISTINCT FROM d.service AND w.endpoint IS NOT DISTINCT FROM d.endpoint AND w.version IS NOT DISTINCT FROM d.version
  GROUP BY w.profile_type, w.date, w.service, w.endpoint, w.version, w.function_name, w.unit
  ORDER BY first_date, w.version, function_name;

-- Functions by the change of their share between two days.
CREATE OR REPLACE VIEW diff AS
  SELECT coalesce(a.profile_type, b.profile_type) AS profile_type, coalesce(a.service, b.service) AS service, coalesce(a.version, b.version) AS version, coalesce(a.endpoint, b.endpoint) AS endpoint, coalesce(b.date, date_add('day', 1, a.date)) AS date, coalesce(nullif(a.leaf, ''), b.leaf) AS function_name, CAST(coalesce(a.share, 0) AS DOUBLE) AS self_before,
    CAST(coalesce(b.share, 0) AS DOUBLE) AS self_after,
    CAST(coalesce(b.share, 0) - coalesce(a.share, 0) AS DOUBLE) AS change
  FROM (
      SELECT u.profile_type AS profile_type, u.date AS date, u.service AS service, u.version AS version, u.endpoint AS endpoint, u.leaf AS leaf, 100e0 * sum(u.part) AS share
      FROM (
        SELECT s.profile_type AS profile_type, s.date AS date, s.service AS service, s.version AS version, s.endpoint AS endpoint, CASE WHEN s.stack_id IS NULL THEN '(no stack)' ELSE coalesce(nullif(s.leaf, ''), '(no name)') END AS leaf,
          1e0 * sum(s.value * coalesce(s.period, 1)) / nullif(sum(sum(s.value * coalesce(s.period, 1))) OVER (PARTITION BY s.profile_type, s.date, s.service, s.version, s.endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END), 0)
            * sum(count(*)) OVER (PARTITION BY s.profile_type, s.date, s.service, s.version, s.endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END) / sum(count(*)) OVER (PARTITION BY s.profile_type, s.date, s.service, s.version, s.endpoint) AS part
        FROM samples s
        WHERE 1 = 1
        GROUP BY s.profile_type, s.date, s.service, s.version, s.endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, CASE WHEN s.stack_id IS NULL THEN '(no stack)' ELSE coalesce(nullif(s.leaf, ''), '(no name)') END
      ) u
      GROUP BY u.profile_type, u.date, u.service, u.version, u.endpoint, u.leaf
    ) a FULL OUTER JOIN (
      SELECT u.profile_type AS profile_type, u.date AS date, u.service AS service, u.version AS version, u.endpoint AS endpoint, u.leaf AS leaf, 100e0 * sum(u.part) AS share
      FROM (
        SELECT s.profile_type AS profile_type, s.date AS date, s.service AS service, s.version AS version, s.endpoint AS endpoint, CASE WHEN s.stack_id IS NULL THEN '(no stack)' ELSE coalesce(nullif(s.leaf, ''), '(no name)') END AS leaf,
          1e0 * sum(s.value * coalesce(s.period, 1)) / nullif(sum(sum(s.value * coalesce(s.period, 1))) OVER (PARTITION BY s.profile_type, s.date, s.service, s.version, s.endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END), 0)
            * sum(count(*)) OVER (PARTITION BY s.profile_type, s.date, s.service, s.version, s.endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END) / sum(count(*)) OVER (PARTITION BY s.profile_type, s.date, s.service, s.version, s.endpoint) AS part
        FROM samples s
        WHERE 1 = 1
        GROUP BY s.profile_type, s.date, s.service, s.version, s.endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, CASE WHEN s.stack_id IS NULL THEN '(no stack)' ELSE coalesce(nullif(s.leaf, ''), '(no name)') END
      ) u
      GROUP BY u.profile_type, u.date, u.service, u.version, u.endpoint, u.leaf
    ) b ON a.leaf = b.leaf AND b.date = date_add('day', 1, a.date) AND a.profile_type IS NOT DISTINCT FROM b.profile_type AND a.service IS NOT DISTINCT FROM b.service AND a.version IS NOT DISTINCT FROM b.version AND a.endpoint IS NOT DISTINCT FROM b.endpoint
  ORDER BY abs(CAST(coalesce(b.share, 0) - coalesce(a.share, 0) AS DOUBLE)) DESC, function_name;

-- Functions by hour, service, version and endpoint: a table of it answers questions of months.
CREATE OR REPLACE VIEW rollup AS
  WITH chosen AS (
    SELECT s.profile_type AS profile_type, s.date AS date, date_trunc('hour', s.time) AS hour, s.service AS service, s.version AS version, s.endpoint AS endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, s.part AS part, s.stack_id AS stack_id, CAST(sum(s.value * coalesce(s.period, 1)) AS BIGINT) AS weight
    FROM samples s
    WHERE 1 = 1 AND s.stack_id IS NOT NULL
    GROUP BY s.profile_type, s.date, date_trunc('hour', s.time), s.service, s.version, s.endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, s.part, s.stack_id
  ),
  hashed AS (
    SELECT c.profile_type AS profile_type, c.date AS date, c.hour AS hour, c.service AS service, c.version AS version, c.endpoint AS endpoint, c.unit AS unit, k.stack_hash AS stack_hash, CAST(sum(c.weight) AS BIGINT) AS weight,
      arbitrary(CAST(ROW(c.part, c.stack_id) AS ROW(part VARCHAR, stack_id INTEGER))) AS place
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE 1 = 1
    GROUP BY c.profile_type, c.date, c.hour, c.service, c.version, c.endpoint, c.unit, k.stack_hash
  ),
  stacked AS (
    SELECT h.profile_type AS profile_type, h.date AS date, h.hour AS hour, h.service AS service, h.version AS version, h.endpoint AS endpoint, h.unit AS unit, k.part AS part, k.stack_id AS stack_id, h.weight AS weight, array_distinct(k.frames) AS frames,
      k.frames[1] AS leaf_id
    FROM hashed h JOIN stacks k ON h.place.part = k.part AND h.place.stack_id = k.stack_id
    WHERE 1 = 1
  ),
  labelled AS (
    SELECT f.part AS part, f.function_id AS function_id, coalesce(nullif(f.display_name, ''), '(no name)') AS display_name
    FROM functions f
    WHERE 1 = 1
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
    SELECT t.profile_type AS profile_type, t.date AS date, t.hour AS hour, t.service AS service, t.version AS version, t.endpoint AS endpoint, t.unit AS unit, t.part AS part, t.leaf_id AS function_id, CAST(sum(t.weight) AS BIGINT) AS weight
    FROM stacked t
    GROUP BY t.profile_type, t.date, t.hour, t.service, t.version, t.endpoint, t.unit, t.part, t.leaf_id
  ),
  by_function AS (
    SELECT e.profile_type AS profile_type, e.date AS date, e.hour AS hour, e.service AS service, e.version AS version, e.endpoint AS endpoint, e.unit AS unit, e.part AS part, e.function_id AS function_id, CAST(sum(e.weight) AS BIGINT) AS weight
    FROM (SELECT t.*, u.function_id FROM stacked t CROSS JOIN UNNEST(frames) AS u (function_id)) e
    GROUP BY e.profile_type, e.date, e.hour, e.service, e.version, e.endpoint, e.unit, e.part, e.function_id
  ),
  by_shared AS (
    SELECT DISTINCT e.profile_type AS profile_type, e.date AS date, e.hour AS hour, e.service AS service, e.version AS version, e.endpoint AS endpoint, e.unit AS unit, e.part AS part, e.stack_id AS stack_id, n.display_name AS display_name, e.weight AS weight
    FROM (SELECT t.*, u.function_id FROM stacked t CROSS JOIN UNNEST(frames) AS u (function_id)) e
      JOIN named n ON e.part = n.part AND e.function_id = n.function_id
    WHERE n.is_shared = 1
  ),
  weights AS (
    SELECT b.profile_type AS profile_type, b.date AS date, b.hour AS hour, b.service AS service, b.version AS version, b.endpoint AS endpoint, b.unit AS unit, n.display_name AS function_name, b.weight AS self, CAST(0 AS BIGINT) AS total
    FROM by_leaf b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    UNION ALL
    SELECT b.profile_type AS profile_type, b.date AS date, b.hour AS hour, b.service AS service, b.version AS version, b.endpoint AS endpoint, b.unit AS unit, n.display_name AS function_name, CAST(0 AS BIGINT) AS self, b.weight AS total
    FROM by_function b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    WHERE n.is_shared = 0
    UNION ALL
    SELECT d.profile_type AS profile_type, d.date AS date, d.hour AS hour, d.service AS service, d.version AS version, d.endpoint AS endpoint, d.unit AS unit, d.display_name AS function_name, CAST(0 AS BIGINT) AS self, d.weight AS total
    FROM by_shared d
    UNION ALL
    SELECT s.profile_type AS profile_type, s.date AS date, date_trunc('hour', s.time) AS hour, s.service AS service, s.version AS version, s.endpoint AS endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, '(no stack)' AS function_name, s.value * coalesce(s.period, 1) AS self, s.value * coalesce(s.period, 1) AS total
    FROM samples s
    WHERE 1 = 1 AND s.stack_id IS NULL
  )
  SELECT w.profile_type AS profile_type, w.date AS date, w.hour AS hour, w.service AS service, w.version AS version, w.endpoint AS endpoint, w.function_name AS function_name, CAST(sum(w.self) AS BIGINT) AS self,
    CAST(sum(w.total) AS BIGINT) AS total, w.unit AS unit
  FROM weights w
  GROUP BY w.profile_type, w.date, w.hour, w.service, w.version, w.endpoint, w.unit, w.function_name
  ORDER BY hour, w.service, w.version, w.endpoint, function_name;
