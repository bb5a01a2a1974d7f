-- Views of a data set of Spanflame (docs/parquet.md). Replace DATASET by its folder or address, and leave out
-- tables without a folder (spans, calls). Spark 4 has functions that return tables. spark.sql takes one statement at a time.
-- Printed from src/fleet/tables/views.ts by npm run docs.

-- A row for each observation.
CREATE OR REPLACE TEMPORARY VIEW samples (`part` STRING, `recording_id` INT, `time` TIMESTAMP, `time_end` TIMESTAMP, `time_unix_nano` BIGINT, `profile_type` STRING, `unit` STRING, `value` BIGINT, `period` BIGINT, `unit2` STRING, `value2` BIGINT, `event` STRING, `local_root_span_id` BIGINT, `span_id` BIGINT, `trace_id` BINARY, `service` STRING, `instance` STRING, `environment` STRING, `version` STRING, `host` STRING, `pod` STRING, `operation` STRING, `endpoint` STRING, `thread` STRING, `thread_id` BIGINT, `leaf` STRING, `stack_id` INT, `attributes` MAP<STRING, STRING>, date DATE)
USING parquet OPTIONS (path 'DATASET/samples');

-- A row for each stack of a part.
CREATE OR REPLACE TEMPORARY VIEW stacks (`part` STRING, `stack_id` INT, `stack_hash` BINARY, `frames` ARRAY<INT>, `lines` ARRAY<INT>, date DATE)
USING parquet OPTIONS (path 'DATASET/stacks');

-- A row for each function of a part.
CREATE OR REPLACE TEMPORARY VIEW functions (`part` STRING, `function_id` INT, `function_name` STRING, `display_name` STRING, `class_name` STRING, `file` STRING, `frame_type` STRING, date DATE)
USING parquet OPTIONS (path 'DATASET/functions');

-- A row for each recording, trace file and dump, and each date of it; of a folder of dumps for each run.
CREATE OR REPLACE TEMPORARY VIEW recordings (`part` STRING, `recording_id` INT, `sha256` STRING, `file` STRING, `bytes` BIGINT, `service` STRING, `instance` STRING, `environment` STRING, `version` STRING, `host` STRING, `pod` STRING, `start` TIMESTAMP, `end` TIMESTAMP, `samples` BIGINT, `resource` MAP<STRING, STRING>, `diagnostics` ARRAY<STRING>, date DATE)
USING parquet OPTIONS (path 'DATASET/recordings');

-- A row for each span of a trace file (`--trace`), and for each that a recording knows (`--spans`).
CREATE OR REPLACE TEMPORARY VIEW spans (`part` STRING, `recording_id` INT, `trace_id` BINARY, `span_id` BIGINT, `parent_span_id` BIGINT, `service` STRING, `name` STRING, `kind` STRING, `status` STRING, `thread` STRING, `start` TIMESTAMP, `end` TIMESTAMP, `start_unix_nano` BIGINT, `duration_nano` BIGINT, `origin` STRING, date DATE)
USING parquet OPTIONS (path 'DATASET/spans');

-- A row for each call of a Cloud Profiler dump.
CREATE OR REPLACE TEMPORARY VIEW calls (`part` STRING, `recording_id` INT, `call_id` STRING, `service` STRING, `instance` STRING, `name` STRING, `method` STRING, `title` STRING, `thread` STRING, `thread_id` BIGINT, `start` TIMESTAMP, `start_unix_nano` BIGINT, `duration_nano` BIGINT, `suspension_nano` BIGINT, `cpu_nano` BIGINT, `wait_nano` BIGINT, `queue_nano` BIGINT, `allocated_bytes` BIGINT, `file_read_bytes` BIGINT, `file_written_bytes` BIGINT, `net_read_bytes` BIGINT, `net_written_bytes` BIGINT, `logs_generated_bytes` BIGINT, `logs_written_bytes` BIGINT, `transactions` BIGINT, `invocations` BIGINT, `tree_nano` BIGINT, `tree` STRING, `origin` STRING, `status` STRING, `trace_id` BINARY, `span_id` BIGINT, `params` MAP<STRING, STRING>, date DATE)
USING parquet OPTIONS (path 'DATASET/calls');

-- Functions by weight.
CREATE OR REPLACE TEMPORARY FUNCTION top(type STRING, service STRING DEFAULT NULL, endpoint STRING DEFAULT NULL, root BIGINT DEFAULT NULL, trace BINARY DEFAULT NULL, since TIMESTAMP DEFAULT NULL, until TIMESTAMP DEFAULT NULL, environment STRING DEFAULT NULL, version STRING DEFAULT NULL, host STRING DEFAULT NULL, pod STRING DEFAULT NULL)
RETURNS TABLE (function_name STRING, self BIGINT, total BIGINT, unit STRING)
RETURN
  WITH chosen AS (
    SELECT CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, s.part AS part, s.stack_id AS stack_id, CAST(sum(s.value * coalesce(s.period, 1)) AS BIGINT) AS weight
    FROM (
      SELECT s.* FROM samples s WHERE (top.since IS NULL OR (s.time >= top.since AND s.date >= CAST(top.since AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (top.since IS NULL) AND s.time < top.since AND s.time_end > top.since AND s.date >= CAST(top.since AS DATE)
    ) s
    WHERE s.profile_type = top.type
      AND (top.service IS NULL OR (s.service = top.service))
      AND (top.endpoint IS NULL OR (s.endpoint = top.endpoint))
      AND (top.root IS NULL OR (s.local_root_span_id = top.root))
      AND (top.trace IS NULL OR (s.trace_id = top.trace))
      AND (top.since IS NULL OR (s.date >= CAST(top.since AS DATE)))
      AND (top.until IS NULL OR (s.time < top.until AND s.date <= CAST(top.until AS DATE)))
      AND (top.environment IS NULL OR (s.environment = top.environment))
      AND (top.version IS NULL OR (s.version = top.version))
      AND (top.host IS NULL OR (s.host = top.host))
      AND (top.pod IS NULL OR (s.pod = top.pod)) AND s.stack_id IS NOT NULL
    GROUP BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, s.part, s.stack_id
  ),
  hashed AS (
    SELECT c.unit AS unit, k.stack_hash AS stack_hash, CAST(sum(c.weight) AS BIGINT) AS weight,
      any_value(named_struct('part', c.part, 'stack_id', c.stack_id)) AS place
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE (top.since IS NULL OR (k.date >= CAST(top.since AS DATE)))
      AND (top.until IS NULL OR (k.date <= CAST(top.until AS DATE)))
    GROUP BY c.unit, k.stack_hash
  ),
  stacked AS (
    SELECT h.unit AS unit, k.part AS part, k.stack_id AS stack_id, h.weight AS weight, array_distinct(k.frames) AS frames,
      k.frames[0] AS leaf_id
    FROM hashed h JOIN stacks k ON h.place.part = k.part AND h.place.stack_id = k.stack_id
    WHERE (top.since IS NULL OR (k.date >= CAST(top.since AS DATE)))
      AND (top.until IS NULL OR (k.date <= CAST(top.until AS DATE)))
  ),
  labelled AS (
    SELECT f.part AS part, f.function_id AS function_id, coalesce(nullif(f.display_name, ''), '(no name)') AS display_name
    FROM functions f
    WHERE (top.since IS NULL OR (f.date >= CAST(top.since AS DATE)))
      AND (top.until IS NULL OR (f.date <= CAST(top.until AS DATE)))
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
    SELECT t.unit AS unit, t.part AS part, t.leaf_id AS function_id, CAST(sum(t.weight) AS BIGINT) AS weight
    FROM stacked t
    GROUP BY t.unit, t.part, t.leaf_id
  ),
  by_function AS (
    SELECT e.unit AS unit, e.part AS part, e.function_id AS function_id, CAST(sum(e.weight) AS BIGINT) AS weight
    FROM (SELECT *, explode(frames) AS function_id FROM stacked) e
    GROUP BY e.unit, e.part, e.function_id
  ),
  by_shared AS (
    SELECT DISTINCT e.unit AS unit, e.part AS part, e.stack_id AS stack_id, n.display_name AS display_name, e.weight AS weight
    FROM (SELECT *, explode(frames) AS function_id FROM stacked) e
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
      SELECT s.* FROM samples s WHERE (top.since IS NULL OR (s.time >= top.since AND s.date >= CAST(top.since AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (top.since IS NULL) AND s.time < top.since AND s.time_end > top.since AND s.date >= CAST(top.since AS DATE)
    ) s
    WHERE s.profile_type = top.type
      AND (top.service IS NULL OR (s.service = top.service))
      AND (top.endpoint IS NULL OR (s.endpoint = top.endpoint))
      AND (top.root IS NULL OR (s.local_root_span_id = top.root))
      AND (top.trace IS NULL OR (s.trace_id = top.trace))
      AND (top.since IS NULL OR (s.date >= CAST(top.since AS DATE)))
      AND (top.until IS NULL OR (s.time < top.until AND s.date <= CAST(top.until AS DATE)))
      AND (top.environment IS NULL OR (s.environment = top.environment))
      AND (top.version IS NULL OR (s.version = top.version))
      AND (top.host IS NULL OR (s.host = top.host))
      AND (top.pod IS NULL OR (s.pod = top.pod)) AND s.stack_id IS NULL
  )
  SELECT w.function_name AS function_name, CAST(sum(w.self) AS BIGINT) AS self,
    CAST(sum(w.total) AS BIGINT) AS total, w.unit AS unit
  FROM weights w
  GROUP BY w.function_name, w.unit
  ORDER BY self DESC, total DESC, function_name;

-- Collapsed stacks: the text that Spanflame and flamegraph.pl read.
CREATE OR REPLACE TEMPORARY FUNCTION flame(type STRING, service STRING DEFAULT NULL, endpoint STRING DEFAULT NULL, root BIGINT DEFAULT NULL, trace BINARY DEFAULT NULL, since TIMESTAMP DEFAULT NULL, until TIMESTAMP DEFAULT NULL, environment STRING DEFAULT NULL, version STRING DEFAULT NULL, host STRING DEFAULT NULL, pod STRING DEFAULT NULL)
RETURNS TABLE (stack STRING, value BIGINT, line STRING, unit STRING)
RETURN
  WITH chosen AS (
    SELECT CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, s.part AS part, s.stack_id AS stack_id, CAST(sum(s.value * coalesce(s.period, 1)) AS BIGINT) AS weight
    FROM (
      SELECT s.* FROM samples s WHERE (flame.since IS NULL OR (s.time >= flame.since AND s.date >= CAST(flame.since AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (flame.since IS NULL) AND s.time < flame.since AND s.time_end > flame.since AND s.date >= CAST(flame.since AS DATE)
    ) s
    WHERE s.profile_type = flame.type
      AND (flame.service IS NULL OR (s.service = flame.service))
      AND (flame.endpoint IS NULL OR (s.endpoint = flame.endpoint))
      AND (flame.root IS NULL OR (s.local_root_span_id = flame.root))
      AND (flame.trace IS NULL OR (s.trace_id = flame.trace))
      AND (flame.since IS NULL OR (s.date >= CAST(flame.since AS DATE)))
      AND (flame.until IS NULL OR (s.time < flame.until AND s.date <= CAST(flame.until AS DATE)))
      AND (flame.environment IS NULL OR (s.environment = flame.environment))
      AND (flame.version IS NULL OR (s.version = flame.version))
      AND (flame.host IS NULL OR (s.host = flame.host))
      AND (flame.pod IS NULL OR (s.pod = flame.pod)) AND s.stack_id IS NOT NULL
    GROUP BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, s.part, s.stack_id
  ),
  stacked AS (
    SELECT c.unit AS unit, c.part AS part, c.stack_id AS stack_id, c.weight AS weight, k.frames AS frames
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE (flame.since IS NULL OR (k.date >= CAST(flame.since AS DATE)))
      AND (flame.until IS NULL OR (k.date <= CAST(flame.until AS DATE)))
  ),
  texts AS (
    SELECT e.unit AS unit, e.part AS part, e.stack_id AS stack_id, any_value(e.weight) AS weight, concat_ws(';', transform(sort_array(collect_list(struct(-e.at AS place, translate(coalesce(nullif(n.display_name, ''), '(no name)'), concat(';', char(10)), ': ') AS name))), x -> x.name)) AS stack
    FROM (SELECT t.*, p.pos + 1 AS at, p.function_id FROM stacked t LATERAL VIEW posexplode(frames) p AS pos, function_id) e
      JOIN functions n ON e.part = n.part AND e.function_id = n.function_id
    GROUP BY e.unit, e.part, e.stack_id
  ),
  lines AS (
    SELECT x.unit AS unit, x.stack AS stack, CAST(sum(x.weight) AS BIGINT) AS weight
    FROM (
      SELECT t.unit AS unit, t.stack AS stack, t.weight AS weight
      FROM texts t
      UNION ALL
      SELECT CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, '(no stack)' AS stack, s.value * coalesce(s.period, 1) AS weight
      FROM (
      SELECT s.* FROM samples s WHERE (flame.since IS NULL OR (s.time >= flame.since AND s.date >= CAST(flame.since AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (flame.since IS NULL) AND s.time < flame.since AND s.time_end > flame.since AND s.date >= CAST(flame.since AS DATE)
    ) s
      WHERE s.profile_type = flame.type
      AND (flame.service IS NULL OR (s.service = flame.service))
      AND (flame.endpoint IS NULL OR (s.endpoint = flame.endpoint))
      AND (flame.root IS NULL OR (s.local_root_span_id = flame.root))
      AND (flame.trace IS NULL OR (s.trace_id = flame.trace))
      AND (flame.since IS NULL OR (s.date >= CAST(flame.since AS DATE)))
      AND (flame.until IS NULL OR (s.time < flame.until AND s.date <= CAST(flame.until AS DATE)))
      AND (flame.environment IS NULL OR (s.environment = flame.environment))
      AND (flame.version IS NULL OR (s.version = flame.version))
      AND (flame.host IS NULL OR (s.host = flame.host))
      AND (flame.pod IS NULL OR (s.pod = flame.pod)) AND s.stack_id IS NULL
    ) x
    GROUP BY x.unit, x.stack
  )
  SELECT l.stack AS stack, l.weight AS value, concat(l.stack, ' ', CAST(l.weight AS STRING)) AS line,
    l.unit AS unit
  FROM lines l
  ORDER BY unit, stack;

-- Local roots by weight, the heaviest first; ORDER BY duration_nano DESC lists the slowest.
CREATE OR REPLACE TEMPORARY FUNCTION traces(type STRING, service STRING DEFAULT NULL, endpoint STRING DEFAULT NULL, root BIGINT DEFAULT NULL, trace BINARY DEFAULT NULL, since TIMESTAMP DEFAULT NULL, until TIMESTAMP DEFAULT NULL, environment STRING DEFAULT NULL, version STRING DEFAULT NULL, host STRING DEFAULT NULL, pod STRING DEFAULT NULL)
RETURNS TABLE (local_root_span_id BIGINT, root_id STRING, service STRING, endpoint STRING, start TIMESTAMP, duration_nano BIGINT, observations BIGINT, weight BIGINT, unit STRING)
RETURN
  SELECT r.id AS local_root_span_id, nullif(lower(lpad(hex(r.id), 16, '0')), '0000000000000000') AS root_id, r.service AS service,
    r.endpoint AS endpoint, r.start AS start, coalesce(r.last_nano - r.first_nano, 0) AS duration_nano, r.observations AS observations,
    r.weight AS weight, r.unit AS unit
  FROM (
    SELECT s.local_root_span_id AS id, s.service AS service, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, max(s.endpoint) AS endpoint, min(s.time) AS start,
      min(nullif(s.time_unix_nano, 0)) AS first_nano, max(s.time_unix_nano) AS last_nano, count(*) AS observations,
      CAST(sum(s.value * coalesce(s.period, 1)) AS BIGINT) AS weight
    FROM (
      SELECT s.* FROM samples s WHERE (traces.since IS NULL OR (s.time >= traces.since AND s.date >= CAST(traces.since AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (traces.since IS NULL) AND s.time < traces.since AND s.time_end > traces.since AND s.date >= CAST(traces.since AS DATE)
    ) s
    WHERE s.profile_type = traces.type
      AND (traces.service IS NULL OR (s.service = traces.service))
      AND (traces.endpoint IS NULL OR (s.endpoint = traces.endpoint))
      AND (traces.root IS NULL OR (s.local_root_span_id = traces.root))
      AND (traces.trace IS NULL OR (s.trace_id = traces.trace))
      AND (traces.since IS NULL OR (s.date >= CAST(traces.since AS DATE)))
      AND (traces.until IS NULL OR (s.time < traces.until AND s.date <= CAST(traces.until AS DATE)))
      AND (traces.environment IS NULL OR (s.environment = traces.environment))
      AND (traces.version IS NULL OR (s.version = traces.version))
      AND (traces.host IS NULL OR (s.host = traces.host))
      AND (traces.pod IS NULL OR (s.pod = traces.pod)) AND s.local_root_span_id <> 0
    GROUP BY s.local_root_span_id, s.service, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END
  ) r
  ORDER BY weight DESC, root_id;

-- Endpoints with their requests, and the weight of a request.
CREATE OR REPLACE TEMPORARY FUNCTION operations(type STRING, service STRING DEFAULT NULL, endpoint STRING DEFAULT NULL, root BIGINT DEFAULT NULL, trace BINARY DEFAULT NULL, since TIMESTAMP DEFAULT NULL, until TIMESTAMP DEFAULT NULL, environment STRING DEFAULT NULL, version STRING DEFAULT NULL, host STRING DEFAULT NULL, pod STRING DEFAULT NULL)
RETURNS TABLE (service STRING, endpoint STRING, requests BIGINT, weight BIGINT, per_request DOUBLE, p50 BIGINT, p95 BIGINT, p99 BIGINT, unit STRING)
RETURN
  WITH requests AS (
    SELECT s.service AS service, s.local_root_span_id AS id, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, max(s.endpoint) AS endpoint,
      CAST(sum(s.value * coalesce(s.period, 1)) AS BIGINT) AS weight
    FROM (
      SELECT s.* FROM samples s WHERE (operations.since IS NULL OR (s.time >= operations.since AND s.date >= CAST(operations.since AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (operations.since IS NULL) AND s.time < operations.since AND s.time_end > operations.since AND s.date >= CAST(operations.since AS DATE)
    ) s
    WHERE s.profile_type = operations.type
      AND (operations.service IS NULL OR (s.service = operations.service))
      AND (operations.endpoint IS NULL OR (s.endpoint = operations.endpoint))
      AND (operations.root IS NULL OR (s.local_root_span_id = operations.root))
      AND (operations.trace IS NULL OR (s.trace_id = operations.trace))
      AND (operations.since IS NULL OR (s.date >= CAST(operations.since AS DATE)))
      AND (operations.until IS NULL OR (s.time < operations.until AND s.date <= CAST(operations.until AS DATE)))
      AND (operations.environment IS NULL OR (s.environment = operations.environment))
      AND (operations.version IS NULL OR (s.version = operations.version))
      AND (operations.host IS NULL OR (s.host = operations.host))
      AND (operations.pod IS NULL OR (s.pod = operations.pod)) AND s.local_root_span_id <> 0
    GROUP BY s.service, s.local_root_span_id, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END
  )
  SELECT r.service AS service, r.endpoint AS endpoint, count(*) AS requests, CAST(sum(r.weight) AS BIGINT) AS weight,
    CAST(avg(r.weight) AS DOUBLE) AS per_request, percentile_disc(0.5) WITHIN GROUP (ORDER BY r.weight) AS p50,
    percentile_disc(0.95) WITHIN GROUP (ORDER BY r.weight) AS p95, percentile_disc(0.99) WITHIN GROUP (ORDER BY r.weight) AS p99, r.unit AS unit
  FROM requests r
  GROUP BY r.service, r.endpoint, r.unit
  ORDER BY weight DESC, r.service, r.endpoint;

-- A function from day to day.
CREATE OR REPLACE TEMPORARY FUNCTION function_history(type STRING, name STRING, service STRING DEFAULT NULL, endpoint STRING DEFAULT NULL, root BIGINT DEFAULT NULL, trace BINARY DEFAULT NULL, since TIMESTAMP DEFAULT NULL, until TIMESTAMP DEFAULT NULL, environment STRING DEFAULT NULL, version STRING DEFAULT NULL, host STRING DEFAULT NULL, pod STRING DEFAULT NULL)
RETURNS TABLE (date DATE, function_name STRING, self BIGINT, total BIGINT, of_all BIGINT, unit STRING)
RETURN
  WITH chosen AS (
    SELECT s.date AS date, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, s.part AS part, s.stack_id AS stack_id, CAST(sum(s.value * coalesce(s.period, 1)) AS BIGINT) AS weight
    FROM (
      SELECT s.* FROM samples s WHERE (function_history.since IS NULL OR (s.time >= function_history.since AND s.date >= CAST(function_history.since AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (function_history.since IS NULL) AND s.time < function_history.since AND s.time_end > function_history.since AND s.date >= CAST(function_history.since AS DATE)
    ) s
    WHERE s.profile_type = function_history.type
      AND (function_history.service IS NULL OR (s.service = function_history.service))
      AND (function_history.endpoint IS NULL OR (s.endpoint = function_history.endpoint))
      AND (function_history.root IS NULL OR (s.local_root_span_id = function_history.root))
      AND (function_history.trace IS NULL OR (s.trace_id = function_history.trace))
      AND (function_history.since IS NULL OR (s.date >= CAST(function_history.since AS DATE)))
      AND (function_history.until IS NULL OR (s.time < function_history.until AND s.date <= CAST(function_history.until AS DATE)))
      AND (function_history.environment IS NULL OR (s.environment = function_history.environment))
      AND (function_history.version IS NULL OR (s.version = function_history.version))
      AND (function_history.host IS NULL OR (s.host = function_history.host))
      AND (function_history.pod IS NULL OR (s.pod = function_history.pod)) AND s.stack_id IS NOT NULL
    GROUP BY s.date, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, s.part, s.stack_id
  ),
  hashed AS (
    SELECT c.date AS date, c.unit AS unit, k.stack_hash AS stack_hash, CAST(sum(c.weight) AS BIGINT) AS weight,
      any_value(named_struct('part', c.part, 'stack_id', c.stack_id)) AS place
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE (function_history.since IS NULL OR (k.date >= CAST(function_history.since AS DATE)))
      AND (function_history.until IS NULL OR (k.date <= CAST(function_history.until AS DATE)))
    GROUP BY c.date, c.unit, k.stack_hash
  ),
  stacked AS (
    SELECT h.date AS date, h.unit AS unit, k.part AS part, k.stack_id AS stack_id, h.weight AS weight, array_distinct(k.frames) AS frames,
      k.frames[0] AS leaf_id
    FROM hashed h JOIN stacks k ON h.place.part = k.part AND h.place.stack_id = k.stack_id
    WHERE (function_history.since IS NULL OR (k.date >= CAST(function_history.since AS DATE)))
      AND (function_history.until IS NULL OR (k.date <= CAST(function_history.until AS DATE)))
  ),
  labelled AS (
    SELECT f.part AS part, f.function_id AS function_id, coalesce(nullif(f.display_name, ''), '(no name)') AS display_name
    FROM functions f
    WHERE (function_history.since IS NULL OR (f.date >= CAST(function_history.since AS DATE)))
      AND (function_history.until IS NULL OR (f.date <= CAST(function_history.until AS DATE)))
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
    SELECT t.date AS date, t.unit AS unit, t.part AS part, t.leaf_id AS function_id, CAST(sum(t.weight) AS BIGINT) AS weight
    FROM stacked t
    GROUP BY t.date, t.unit, t.part, t.leaf_id
  ),
  by_function AS (
    SELECT e.date AS date, e.unit AS unit, e.part AS part, e.function_id AS function_id, CAST(sum(e.weight) AS BIGINT) AS weight
    FROM (SELECT *, explode(frames) AS function_id FROM stacked) e
    GROUP BY e.date, e.unit, e.part, e.function_id
  ),
  by_shared AS (
    SELECT DISTINCT e.date AS date, e.unit AS unit, e.part AS part, e.stack_id AS stack_id, n.display_name AS display_name, e.weight AS weight
    FROM (SELECT *, explode(frames) AS function_id FROM stacked) e
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
      SELECT s.* FROM samples s WHERE (function_history.since IS NULL OR (s.time >= function_history.since AND s.date >= CAST(function_history.since AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (function_history.since IS NULL) AND s.time < function_history.since AND s.time_end > function_history.since AND s.date >= CAST(function_history.since AS DATE)
    ) s
    WHERE s.profile_type = function_history.type
      AND (function_history.service IS NULL OR (s.service = function_history.service))
      AND (function_history.endpoint IS NULL OR (s.endpoint = function_history.endpoint))
      AND (function_history.root IS NULL OR (s.local_root_span_id = function_history.root))
      AND (function_history.trace IS NULL OR (s.trace_id = function_history.trace))
      AND (function_history.since IS NULL OR (s.date >= CAST(function_history.since AS DATE)))
      AND (function_history.until IS NULL OR (s.time < function_history.until AND s.date <= CAST(function_history.until AS DATE)))
      AND (function_history.environment IS NULL OR (s.environment = function_history.environment))
      AND (function_history.version IS NULL OR (s.version = function_history.version))
      AND (function_history.host IS NULL OR (s.host = function_history.host))
      AND (function_history.pod IS NULL OR (s.pod = function_history.pod)) AND s.stack_id IS NULL
  ),
  all_of AS (
    SELECT s.date AS date, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, CAST(sum(s.value * coalesce(s.period, 1)) AS BIGINT) AS weight, min(s.date) AS first_date
    FROM (
      SELECT s.* FROM samples s WHERE (function_history.since IS NULL OR (s.time >= function_history.since AND s.date >= CAST(function_history.since AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (function_history.since IS NULL) AND s.time < function_history.since AND s.time_end > function_history.since AND s.date >= CAST(function_history.since AS DATE)
    ) s
    WHERE s.profile_type = function_history.type
      AND (function_history.service IS NULL OR (s.service = function_history.service))
      AND (function_history.endpoint IS NULL OR (s.endpoint = function_history.endpoint))
      AND (function_history.root IS NULL OR (s.local_root_span_id = function_history.root))
      AND (function_history.trace IS NULL OR (s.trace_id = function_history.trace))
      AND (function_history.since IS NULL OR (s.date >= CAST(function_history.since AS DATE)))
      AND (function_history.until IS NULL OR (s.time < function_history.until AND s.date <= CAST(function_history.until AS DATE)))
      AND (function_history.environment IS NULL OR (s.environment = function_history.environment))
      AND (function_history.version IS NULL OR (s.version = function_history.version))
      AND (function_history.host IS NULL OR (s.host = function_history.host))
      AND (function_history.pod IS NULL OR (s.pod = function_history.pod))
    GROUP BY s.date, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END
  )
  SELECT w.date AS date, w.function_name AS function_name, CAST(sum(w.self) AS BIGINT) AS self, CAST(sum(w.total) AS BIGINT) AS total,
    any_value(d.weight) AS of_all, w.unit AS unit
  FROM weights w JOIN all_of d ON w.unit = d.unit AND w.date IS NOT DISTINCT FROM d.date
  WHERE w.function_name = function_history.name
  GROUP BY w.date, w.function_name, w.unit
  ORDER BY w.date, function_name;

-- A function from version to version.
CREATE OR REPLACE TEMPORARY FUNCTION function_versions(type STRING, name STRING, service STRING DEFAULT NULL, endpoint STRING DEFAULT NULL, root BIGINT DEFAULT NULL, trace BINARY DEFAULT NULL, since TIMESTAMP DEFAULT NULL, until TIMESTAMP DEFAULT NULL, environment STRING DEFAULT NULL, host STRING DEFAULT NULL, pod STRING DEFAULT NULL)
RETURNS TABLE (version STRING, function_name STRING, self BIGINT, total BIGINT, of_all BIGINT, unit STRING, first_date DATE)
RETURN
  WITH chosen AS (
    SELECT s.version AS version, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, s.part AS part, s.stack_id AS stack_id, CAST(sum(s.value * coalesce(s.period, 1)) AS BIGINT) AS weight
    FROM (
      SELECT s.* FROM samples s WHERE (function_versions.since IS NULL OR (s.time >= function_versions.since AND s.date >= CAST(function_versions.since AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (function_versions.since IS NULL) AND s.time < function_versions.since AND s.time_end > function_versions.since AND s.date >= CAST(function_versions.since AS DATE)
    ) s
    WHERE s.profile_type = function_versions.type
      AND (function_versions.service IS NULL OR (s.service = function_versions.service))
      AND (function_versions.endpoint IS NULL OR (s.endpoint = function_versions.endpoint))
      AND (function_versions.root IS NULL OR (s.local_root_span_id = function_versions.root))
      AND (function_versions.trace IS NULL OR (s.trace_id = function_versions.trace))
      AND (function_versions.since IS NULL OR (s.date >= CAST(function_versions.since AS DATE)))
      AND (function_versions.until IS NULL OR (s.time < function_versions.until AND s.date <= CAST(function_versions.until AS DATE)))
      AND (function_versions.environment IS NULL OR (s.environment = function_versions.environment))
      AND (function_versions.host IS NULL OR (s.host = function_versions.host))
      AND (function_versions.pod IS NULL OR (s.pod = function_versions.pod)) AND s.stack_id IS NOT NULL
    GROUP BY s.version, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, s.part, s.stack_id
  ),
  hashed AS (
    SELECT c.version AS version, c.unit AS unit, k.stack_hash AS stack_hash, CAST(sum(c.weight) AS BIGINT) AS weight,
      any_value(named_struct('part', c.part, 'stack_id', c.stack_id)) AS place
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE (function_versions.since IS NULL OR (k.date >= CAST(function_versions.since AS DATE)))
      AND (function_versions.until IS NULL OR (k.date <= CAST(function_versions.until AS DATE)))
    GROUP BY c.version, c.unit, k.stack_hash
  ),
  stacked AS (
    SELECT h.version AS version, h.unit AS unit, k.part AS part, k.stack_id AS stack_id, h.weight AS weight, array_distinct(k.frames) AS frames,
      k.frames[0] AS leaf_id
    FROM hashed h JOIN stacks k ON h.place.part = k.part AND h.place.stack_id = k.stack_id
    WHERE (function_versions.since IS NULL OR (k.date >= CAST(function_versions.since AS DATE)))
      AND (function_versions.until IS NULL OR (k.date <= CAST(function_versions.until AS DATE)))
  ),
  labelled AS (
    SELECT f.part AS part, f.function_id AS function_id, coalesce(nullif(f.display_name, ''), '(no name)') AS display_name
    FROM functions f
    WHERE (function_versions.since IS NULL OR (f.date >= CAST(function_versions.since AS DATE)))
      AND (function_versions.until IS NULL OR (f.date <= CAST(function_versions.until AS DATE)))
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
    SELECT t.version AS version, t.unit AS unit, t.part AS part, t.leaf_id AS function_id, CAST(sum(t.weight) AS BIGINT) AS weight
    FROM stacked t
    GROUP BY t.version, t.unit, t.part, t.leaf_id
  ),
  by_function AS (
    SELECT e.version AS version, e.unit AS unit, e.part AS part, e.function_id AS function_id, CAST(sum(e.weight) AS BIGINT) AS weight
    FROM (SELECT *, explode(frames) AS function_id FROM stacked) e
    GROUP BY e.version, e.unit, e.part, e.function_id
  ),
  by_shared AS (
    SELECT DISTINCT e.version AS version, e.unit AS unit, e.part AS part, e.stack_id AS stack_id, n.display_name AS display_name, e.weight AS weight
    FROM (SELECT *, explode(frames) AS function_id FROM stacked) e
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
      SELECT s.* FROM samples s WHERE (function_versions.since IS NULL OR (s.time >= function_versions.since AND s.date >= CAST(function_versions.since AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (function_versions.since IS NULL) AND s.time < function_versions.since AND s.time_end > function_versions.since AND s.date >= CAST(function_versions.since AS DATE)
    ) s
    WHERE s.profile_type = function_versions.type
      AND (function_versions.service IS NULL OR (s.service = function_versions.service))
      AND (function_versions.endpoint IS NULL OR (s.endpoint = function_versions.endpoint))
      AND (function_versions.root IS NULL OR (s.local_root_span_id = function_versions.root))
      AND (function_versions.trace IS NULL OR (s.trace_id = function_versions.trace))
      AND (function_versions.since IS NULL OR (s.date >= CAST(function_versions.since AS DATE)))
      AND (function_versions.until IS NULL OR (s.time < function_versions.until AND s.date <= CAST(function_versions.until AS DATE)))
      AND (function_versions.environment IS NULL OR (s.environment = function_versions.environment))
      AND (function_versions.host IS NULL OR (s.host = function_versions.host))
      AND (function_versions.pod IS NULL OR (s.pod = function_versions.pod)) AND s.stack_id IS NULL
  ),
  all_of AS (
    SELECT s.version AS version, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, CAST(sum(s.value * coalesce(s.period, 1)) AS BIGINT) AS weight, min(s.date) AS first_date
    FROM (
      SELECT s.* FROM samples s WHERE (function_versions.since IS NULL OR (s.time >= function_versions.since AND s.date >= CAST(function_versions.since AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (function_versions.since IS NULL) AND s.time < function_versions.since AND s.time_end > function_versions.since AND s.date >= CAST(function_versions.since AS DATE)
    ) s
    WHERE s.profile_type = function_versions.type
      AND (function_versions.service IS NULL OR (s.service = function_versions.service))
      AND (function_versions.endpoint IS NULL OR (s.endpoint = function_versions.endpoint))
      AND (function_versions.root IS NULL OR (s.local_root_span_id = function_versions.root))
      AND (function_versions.trace IS NULL OR (s.trace_id = function_versions.trace))
      AND (function_versions.since IS NULL OR (s.date >= CAST(function_versions.since AS DATE)))
      AND (function_versions.until IS NULL OR (s.time < function_versions.until AND s.date <= CAST(function_versions.until AS DATE)))
      AND (function_versions.environment IS NULL OR (s.environment = function_versions.environment))
      AND (function_versions.host IS NULL OR (s.host = function_versions.host))
      AND (function_versions.pod IS NULL OR (s.pod = function_versions.pod))
    GROUP BY s.version, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END
  )
  SELECT w.version AS version, w.function_name AS function_name, CAST(sum(w.self) AS BIGINT) AS self, CAST(sum(w.total) AS BIGINT) AS total,
    any_value(d.weight) AS of_all, w.unit AS unit, any_value(d.first_date) AS first_date
  FROM weights w JOIN all_of d ON w.unit = d.unit AND w.version IS NOT DISTINCT FROM d.version
  WHERE w.function_name = function_versions.name
  GROUP BY w.version, w.function_name, w.unit
  ORDER BY first_date, w.version, function_name;

-- Functions by the change of their share between two days.
CREATE OR REPLACE TEMPORARY FUNCTION diff(type STRING, before DATE, after DATE, service STRING DEFAULT NULL, endpoint STRING DEFAULT NULL, environment STRING DEFAULT NULL, version STRING DEFAULT NULL, host STRING DEFAULT NULL, pod STRING DEFAULT NULL)
RETURNS TABLE (function_name STRING, self_before DOUBLE, self_after DOUBLE, change DOUBLE)
RETURN
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
        WHERE s.profile_type = diff.type
      AND (diff.service IS NULL OR (s.service = diff.service))
      AND (diff.endpoint IS NULL OR (s.endpoint = diff.endpoint))
      AND (diff.environment IS NULL OR (s.environment = diff.environment))
      AND (diff.version IS NULL OR (s.version = diff.version))
      AND (diff.host IS NULL OR (s.host = diff.host))
      AND (diff.pod IS NULL OR (s.pod = diff.pod)) AND s.date = diff.before
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
        WHERE s.profile_type = diff.type
      AND (diff.service IS NULL OR (s.service = diff.service))
      AND (diff.endpoint IS NULL OR (s.endpoint = diff.endpoint))
      AND (diff.environment IS NULL OR (s.environment = diff.environment))
      AND (diff.version IS NULL OR (s.version = diff.version))
      AND (diff.host IS NULL OR (s.host = diff.host))
      AND (diff.pod IS NULL OR (s.pod = diff.pod)) AND s.date = diff.after
        GROUP BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, CASE WHEN s.stack_id IS NULL THEN '(no stack)' ELSE coalesce(nullif(s.leaf, ''), '(no name)') END
      ) u
      GROUP BY u.leaf
    ) b ON a.leaf = b.leaf
  ORDER BY abs(CAST(coalesce(b.share, 0) - coalesce(a.share, 0) AS DOUBLE)) DESC, function_name;

-- Functions by the change of their share between two versions.
CREATE OR REPLACE TEMPORARY FUNCTION diff_versions(type STRING, before STRING, after STRING, service STRING DEFAULT NULL, endpoint STRING DEFAULT NULL, environment STRING DEFAULT NULL, host STRING DEFAULT NULL, pod STRING DEFAULT NULL)
RETURNS TABLE (function_name STRING, self_before DOUBLE, self_after DOUBLE, change DOUBLE)
RETURN
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
        WHERE s.profile_type = diff_versions.type
      AND (diff_versions.service IS NULL OR (s.service = diff_versions.service))
      AND (diff_versions.endpoint IS NULL OR (s.endpoint = diff_versions.endpoint))
      AND (diff_versions.environment IS NULL OR (s.environment = diff_versions.environment))
      AND (diff_versions.host IS NULL OR (s.host = diff_versions.host))
      AND (diff_versions.pod IS NULL OR (s.pod = diff_versions.pod)) AND s.version = diff_versions.before
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
        WHERE s.profile_type = diff_versions.type
      AND (diff_versions.service IS NULL OR (s.service = diff_versions.service))
      AND (diff_versions.endpoint IS NULL OR (s.endpoint = diff_versions.endpoint))
      AND (diff_versions.environment IS NULL OR (s.environment = diff_versions.environment))
      AND (diff_versions.host IS NULL OR (s.host = diff_versions.host))
      AND (diff_versions.pod IS NULL OR (s.pod = diff_versions.pod)) AND s.version = diff_versions.after
        GROUP BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, CASE WHEN s.stack_id IS NULL THEN '(no stack)' ELSE coalesce(nullif(s.leaf, ''), '(no name)') END
      ) u
      GROUP BY u.leaf
    ) b ON a.leaf = b.leaf
  ORDER BY abs(CAST(coalesce(b.share, 0) - coalesce(a.share, 0) AS DOUBLE)) DESC, function_name;

-- Functions by hour, service, version and endpoint: a table of it answers questions of months.
CREATE OR REPLACE TEMPORARY FUNCTION rollup(type STRING, service STRING DEFAULT NULL, endpoint STRING DEFAULT NULL, root BIGINT DEFAULT NULL, trace BINARY DEFAULT NULL, since TIMESTAMP DEFAULT NULL, until TIMESTAMP DEFAULT NULL, environment STRING DEFAULT NULL, version STRING DEFAULT NULL, host STRING DEFAULT NULL, pod STRING DEFAULT NULL)
RETURNS TABLE (hour TIMESTAMP, service STRING, version STRING, endpoint STRING, function_name STRING, self BIGINT, total BIGINT, unit STRING)
RETURN
  WITH chosen AS (
    SELECT date_trunc('hour', s.time) AS hour, s.service AS service, s.version AS version, s.endpoint AS endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, s.part AS part, s.stack_id AS stack_id, CAST(sum(s.value * coalesce(s.period, 1)) AS BIGINT) AS weight
    FROM (
      SELECT s.* FROM samples s WHERE (rollup.since IS NULL OR (s.time >= rollup.since AND s.date >= CAST(rollup.since AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (rollup.since IS NULL) AND s.time < rollup.since AND s.time_end > rollup.since AND s.date >= CAST(rollup.since AS DATE)
    ) s
    WHERE s.profile_type = rollup.type
      AND (rollup.service IS NULL OR (s.service = rollup.service))
      AND (rollup.endpoint IS NULL OR (s.endpoint = rollup.endpoint))
      AND (rollup.root IS NULL OR (s.local_root_span_id = rollup.root))
      AND (rollup.trace IS NULL OR (s.trace_id = rollup.trace))
      AND (rollup.since IS NULL OR (s.date >= CAST(rollup.since AS DATE)))
      AND (rollup.until IS NULL OR (s.time < rollup.until AND s.date <= CAST(rollup.until AS DATE)))
      AND (rollup.environment IS NULL OR (s.environment = rollup.environment))
      AND (rollup.version IS NULL OR (s.version = rollup.version))
      AND (rollup.host IS NULL OR (s.host = rollup.host))
      AND (rollup.pod IS NULL OR (s.pod = rollup.pod)) AND s.stack_id IS NOT NULL
    GROUP BY date_trunc('hour', s.time), s.service, s.version, s.endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, s.part, s.stack_id
  ),
  hashed AS (
    SELECT c.hour AS hour, c.service AS service, c.version AS version, c.endpoint AS endpoint, c.unit AS unit, k.stack_hash AS stack_hash, CAST(sum(c.weight) AS BIGINT) AS weight,
      any_value(named_struct('part', c.part, 'stack_id', c.stack_id)) AS place
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE (rollup.since IS NULL OR (k.date >= CAST(rollup.since AS DATE)))
      AND (rollup.until IS NULL OR (k.date <= CAST(rollup.until AS DATE)))
    GROUP BY c.hour, c.service, c.version, c.endpoint, c.unit, k.stack_hash
  ),
  stacked AS (
    SELECT h.hour AS hour, h.service AS service, h.version AS version, h.endpoint AS endpoint, h.unit AS unit, k.part AS part, k.stack_id AS stack_id, h.weight AS weight, array_distinct(k.frames) AS frames,
      k.frames[0] AS leaf_id
    FROM hashed h JOIN stacks k ON h.place.part = k.part AND h.place.stack_id = k.stack_id
    WHERE (rollup.since IS NULL OR (k.date >= CAST(rollup.since AS DATE)))
      AND (rollup.until IS NULL OR (k.date <= CAST(rollup.until AS DATE)))
  ),
  labelled AS (
    SELECT f.part AS part, f.function_id AS function_id, coalesce(nullif(f.display_name, ''), '(no name)') AS display_name
    FROM functions f
    WHERE (rollup.since IS NULL OR (f.date >= CAST(rollup.since AS DATE)))
      AND (rollup.until IS NULL OR (f.date <= CAST(rollup.until AS DATE)))
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
    SELECT t.hour AS hour, t.service AS service, t.version AS version, t.endpoint AS endpoint, t.unit AS unit, t.part AS part, t.leaf_id AS function_id, CAST(sum(t.weight) AS BIGINT) AS weight
    FROM stacked t
    GROUP BY t.hour, t.service, t.version, t.endpoint, t.unit, t.part, t.leaf_id
  ),
  by_function AS (
    SELECT e.hour AS hour, e.service AS service, e.version AS version, e.endpoint AS endpoint, e.unit AS unit, e.part AS part, e.function_id AS function_id, CAST(sum(e.weight) AS BIGINT) AS weight
    FROM (SELECT *, explode(frames) AS function_id FROM stacked) e
    GROUP BY e.hour, e.service, e.version, e.endpoint, e.unit, e.part, e.function_id
  ),
  by_shared AS (
    SELECT DISTINCT e.hour AS hour, e.service AS service, e.version AS version, e.endpoint AS endpoint, e.unit AS unit, e.part AS part, e.stack_id AS stack_id, n.display_name AS display_name, e.weight AS weight
    FROM (SELECT *, explode(frames) AS function_id FROM stacked) e
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
      SELECT s.* FROM samples s WHERE (rollup.since IS NULL OR (s.time >= rollup.since AND s.date >= CAST(rollup.since AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (rollup.since IS NULL) AND s.time < rollup.since AND s.time_end > rollup.since AND s.date >= CAST(rollup.since AS DATE)
    ) s
    WHERE s.profile_type = rollup.type
      AND (rollup.service IS NULL OR (s.service = rollup.service))
      AND (rollup.endpoint IS NULL OR (s.endpoint = rollup.endpoint))
      AND (rollup.root IS NULL OR (s.local_root_span_id = rollup.root))
      AND (rollup.trace IS NULL OR (s.trace_id = rollup.trace))
      AND (rollup.since IS NULL OR (s.date >= CAST(rollup.since AS DATE)))
      AND (rollup.until IS NULL OR (s.time < rollup.until AND s.date <= CAST(rollup.until AS DATE)))
      AND (rollup.environment IS NULL OR (s.environment = rollup.environment))
      AND (rollup.version IS NULL OR (s.version = rollup.version))
      AND (rollup.host IS NULL OR (s.host = rollup.host))
      AND (rollup.pod IS NULL OR (s.pod = rollup.pod)) AND s.stack_id IS NULL
  )
  SELECT w.hour AS hour, w.service AS service, w.version AS version, w.endpoint AS endpoint, w.function_name AS function_name, CAST(sum(w.self) AS BIGINT) AS self,
    CAST(sum(w.total) AS BIGINT) AS total, w.unit AS unit
  FROM weights w
  GROUP BY w.hour, w.service, w.version, w.endpoint, w.unit, w.function_name
  ORDER BY hour, w.service, w.version, w.endpoint, function_name;
