-- Views of a data set of Spanflame (docs/parquet.md). Replace DATASET by its folder or address, and leave out
-- tables without a folder (spans, calls). Functions take all their parameters; '' or 0 selects everything: top(type = 'cpu', service = '', …).
-- Printed from src/fleet/tables/views.ts by npm run docs.

-- A row for each observation.
CREATE OR REPLACE VIEW samples AS
SELECT *, toDate(extract(_path, 'date=([0-9-]+)/[^/]*$')) AS date
FROM file('DATASET/samples/*/*.parquet', Parquet, '`part` Nullable(String), `recording_id` Nullable(Int32), `time` Nullable(DateTime64(6, \'UTC\')), `time_end` Nullable(DateTime64(6, \'UTC\')), `time_unix_nano` Nullable(Int64), `profile_type` Nullable(String), `unit` Nullable(String), `value` Nullable(Int64), `period` Nullable(Int64), `unit2` Nullable(String), `value2` Nullable(Int64), `event` Nullable(String), `local_root_span_id` Nullable(Int64), `span_id` Nullable(Int64), `trace_id` Nullable(FixedString(16)), `service` Nullable(String), `instance` Nullable(String), `environment` Nullable(String), `version` Nullable(String), `host` Nullable(String), `pod` Nullable(String), `operation` Nullable(String), `endpoint` Nullable(String), `thread` Nullable(String), `thread_id` Nullable(Int64), `leaf` Nullable(String), `stack_id` Nullable(Int32), `attributes` Map(String, Nullable(String))')
SETTINGS use_hive_partitioning = 0;

-- A row for each stack of a part.
CREATE OR REPLACE VIEW stacks AS
SELECT *, toDate(extract(_path, 'date=([0-9-]+)/[^/]*$')) AS date
FROM file('DATASET/stacks/*/*.parquet', Parquet, '`part` Nullable(String), `stack_id` Nullable(Int32), `stack_hash` Nullable(FixedString(16)), `frames` Array(Int32), `lines` Array(Int32)')
SETTINGS use_hive_partitioning = 0;

-- A row for each function of a part.
CREATE OR REPLACE VIEW functions AS
SELECT *, toDate(extract(_path, 'date=([0-9-]+)/[^/]*$')) AS date
FROM file('DATASET/functions/*/*.parquet', Parquet, '`part` Nullable(String), `function_id` Nullable(Int32), `function_name` Nullable(String), `display_name` Nullable(String), `class_name` Nullable(String), `file` Nullable(String), `frame_type` Nullable(String)')
SETTINGS use_hive_partitioning = 0;

-- A row for each recording, trace file and dump, and each date of it; of a folder of dumps for each run.
CREATE OR REPLACE VIEW recordings AS
SELECT *, toDate(extract(_path, 'date=([0-9-]+)/[^/]*$')) AS date
FROM file('DATASET/recordings/*/*.parquet', Parquet, '`part` Nullable(String), `recording_id` Nullable(Int32), `sha256` Nullable(String), `file` Nullable(String), `bytes` Nullable(Int64), `service` Nullable(String), `instance` Nullable(String), `environment` Nullable(String), `version` Nullable(String), `host` Nullable(String), `pod` Nullable(String), `start` Nullable(DateTime64(6, \'UTC\')), `end` Nullable(DateTime64(6, \'UTC\')), `samples` Nullable(Int64), `resource` Map(String, Nullable(String)), `diagnostics` Array(Nullable(String))')
SETTINGS use_hive_partitioning = 0;

-- A row for each span of a trace file (`--trace`), and for each that a recording knows (`--spans`).
CREATE OR REPLACE VIEW spans AS
SELECT *, toDate(extract(_path, 'date=([0-9-]+)/[^/]*$')) AS date
FROM file('DATASET/spans/*/*.parquet', Parquet, '`part` Nullable(String), `recording_id` Nullable(Int32), `trace_id` Nullable(FixedString(16)), `span_id` Nullable(Int64), `parent_span_id` Nullable(Int64), `service` Nullable(String), `name` Nullable(String), `kind` Nullable(String), `status` Nullable(String), `thread` Nullable(String), `start` Nullable(DateTime64(6, \'UTC\')), `end` Nullable(DateTime64(6, \'UTC\')), `start_unix_nano` Nullable(Int64), `duration_nano` Nullable(Int64), `origin` Nullable(String)')
SETTINGS use_hive_partitioning = 0;

-- A row for each call of a Cloud Profiler dump.
CREATE OR REPLACE VIEW calls AS
SELECT *, toDate(extract(_path, 'date=([0-9-]+)/[^/]*$')) AS date
FROM file('DATASET/calls/*/*.parquet', Parquet, '`part` Nullable(String), `recording_id` Nullable(Int32), `call_id` Nullable(String), `service` Nullable(String), `instance` Nullable(String), `name` Nullable(String), `method` Nullable(String), `title` Nullable(String), `thread` Nullable(String), `thread_id` Nullable(Int64), `start` Nullable(DateTime64(6, \'UTC\')), `start_unix_nano` Nullable(Int64), `duration_nano` Nullable(Int64), `suspension_nano` Nullable(Int64), `cpu_nano` Nullable(Int64), `wait_nano` Nullable(Int64), `queue_nano` Nullable(Int64), `allocated_bytes` Nullable(Int64), `file_read_bytes` Nullable(Int64), `file_written_bytes` Nullable(Int64), `net_read_bytes` Nullable(Int64), `net_written_bytes` Nullable(Int64), `logs_generated_bytes` Nullable(Int64), `logs_written_bytes` Nullable(Int64), `transactions` Nullable(Int64), `invocations` Nullable(Int64), `tree_nano` Nullable(Int64), `tree` Nullable(String), `origin` Nullable(String), `status` Nullable(String), `trace_id` Nullable(FixedString(16)), `span_id` Nullable(Int64), `params` Map(String, Nullable(String))')
SETTINGS use_hive_partitioning = 0;

-- Functions by weight.
CREATE OR REPLACE VIEW top AS
  WITH chosen AS (
    SELECT CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, s.part AS part, s.stack_id AS stack_id, toInt64(sum(s.value * coalesce(s.period, 1))) AS weight
    FROM (
      SELECT s.* FROM samples s WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.time >= {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0) AND s.time < {since:DateTime64(6, 'UTC')} AND s.time_end > {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)
    ) s
    WHERE s.profile_type = {type:String}
      AND ({service:String} = '' OR (s.service = {service:String}))
      AND ({endpoint:String} = '' OR (s.endpoint = {endpoint:String}))
      AND ({root:Int64} = 0 OR (s.local_root_span_id = {root:Int64}))
      AND ({trace:String} = '' OR (s.trace_id = unhex({trace:String})))
      AND (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (s.time < {until:DateTime64(6, 'UTC')} AND s.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
      AND ({environment:String} = '' OR (s.environment = {environment:String}))
      AND ({version:String} = '' OR (s.version = {version:String}))
      AND ({host:String} = '' OR (s.host = {host:String}))
      AND ({pod:String} = '' OR (s.pod = {pod:String})) AND s.stack_id IS NOT NULL
    GROUP BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, s.part, s.stack_id
  ),
  hashed AS (
    SELECT c.unit AS unit, k.stack_hash AS stack_hash, toInt64(sum(c.weight)) AS weight,
      any(tuple(c.part, c.stack_id)) AS place
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (k.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (k.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
    GROUP BY c.unit, k.stack_hash
  ),
  stacked AS (
    SELECT h.unit AS unit, k.part AS part, k.stack_id AS stack_id, h.weight AS weight, arrayDistinct(k.frames) AS frames,
      k.frames[1] AS leaf_id
    FROM hashed h JOIN stacks k ON tupleElement(h.place, 1) = k.part AND tupleElement(h.place, 2) = k.stack_id
    WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (k.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (k.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
  ),
  labelled AS (
    SELECT f.part AS part, f.function_id AS function_id, coalesce(nullif(f.display_name, ''), '(no name)') AS display_name
    FROM functions f
    WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (f.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (f.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
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
    SELECT t.unit AS unit, t.part AS part, t.leaf_id AS function_id, toInt64(sum(t.weight)) AS weight
    FROM stacked t
    GROUP BY t.unit, t.part, t.leaf_id
  ),
  by_function AS (
    SELECT e.unit AS unit, e.part AS part, e.function_id AS function_id, toInt64(sum(e.weight)) AS weight
    FROM (SELECT *, arrayJoin(frames) AS function_id FROM stacked) e
    GROUP BY e.unit, e.part, e.function_id
  ),
  by_shared AS (
    SELECT DISTINCT e.unit AS unit, e.part AS part, e.stack_id AS stack_id, n.display_name AS display_name, e.weight AS weight
    FROM (SELECT *, arrayJoin(frames) AS function_id FROM stacked) e
      JOIN named n ON e.part = n.part AND e.function_id = n.function_id
    WHERE n.is_shared = 1
  ),
  weights AS (
    SELECT b.unit AS unit, n.display_name AS function_name, b.weight AS self, CAST(0 AS Int64) AS total
    FROM by_leaf b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    UNION ALL
    SELECT b.unit AS unit, n.display_name AS function_name, CAST(0 AS Int64) AS self, b.weight AS total
    FROM by_function b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    WHERE n.is_shared = 0
    UNION ALL
    SELECT d.unit AS unit, d.display_name AS function_name, CAST(0 AS Int64) AS self, d.weight AS total
    FROM by_shared d
    UNION ALL
    SELECT CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, '(no stack)' AS function_name, s.value * coalesce(s.period, 1) AS self, s.value * coalesce(s.period, 1) AS total
    FROM (
      SELECT s.* FROM samples s WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.time >= {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0) AND s.time < {since:DateTime64(6, 'UTC')} AND s.time_end > {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)
    ) s
    WHERE s.profile_type = {type:String}
      AND ({service:String} = '' OR (s.service = {service:String}))
      AND ({endpoint:String} = '' OR (s.endpoint = {endpoint:String}))
      AND ({root:Int64} = 0 OR (s.local_root_span_id = {root:Int64}))
      AND ({trace:String} = '' OR (s.trace_id = unhex({trace:String})))
      AND (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (s.time < {until:DateTime64(6, 'UTC')} AND s.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
      AND ({environment:String} = '' OR (s.environment = {environment:String}))
      AND ({version:String} = '' OR (s.version = {version:String}))
      AND ({host:String} = '' OR (s.host = {host:String}))
      AND ({pod:String} = '' OR (s.pod = {pod:String})) AND s.stack_id IS NULL
  )
  SELECT w.function_name AS function_name, toInt64(sum(w.self)) AS self,
    toInt64(sum(w.total)) AS total, w.unit AS unit
  FROM weights w
  GROUP BY w.function_name, w.unit
  ORDER BY self DESC, total DESC, function_name;

-- Collapsed stacks: the text that Spanflame and flamegraph.pl read.
CREATE OR REPLACE VIEW flame AS
  WITH chosen AS (
    SELECT CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, s.part AS part, s.stack_id AS stack_id, toInt64(sum(s.value * coalesce(s.period, 1))) AS weight
    FROM (
      SELECT s.* FROM samples s WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.time >= {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0) AND s.time < {since:DateTime64(6, 'UTC')} AND s.time_end > {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)
    ) s
    WHERE s.profile_type = {type:String}
      AND ({service:String} = '' OR (s.service = {service:String}))
      AND ({endpoint:String} = '' OR (s.endpoint = {endpoint:String}))
      AND ({root:Int64} = 0 OR (s.local_root_span_id = {root:Int64}))
      AND ({trace:String} = '' OR (s.trace_id = unhex({trace:String})))
      AND (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (s.time < {until:DateTime64(6, 'UTC')} AND s.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
      AND ({environment:String} = '' OR (s.environment = {environment:String}))
      AND ({version:String} = '' OR (s.version = {version:String}))
      AND ({host:String} = '' OR (s.host = {host:String}))
      AND ({pod:String} = '' OR (s.pod = {pod:String})) AND s.stack_id IS NOT NULL
    GROUP BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, s.part, s.stack_id
  ),
  stacked AS (
    SELECT c.unit AS unit, c.part AS part, c.stack_id AS stack_id, c.weight AS weight, k.frames AS frames
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (k.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (k.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
  ),
  texts AS (
    SELECT e.unit AS unit, e.part AS part, e.stack_id AS stack_id, any(e.weight) AS weight, arrayStringConcat(arrayMap(x -> x.2, arraySort(x -> -x.1, groupArray((toInt64(e.at), translate(coalesce(nullif(n.display_name, ''), '(no name)'), concat(';', char(10)), ': '))))), ';') AS stack
    FROM (SELECT *, function_id, at FROM stacked ARRAY JOIN frames AS function_id, arrayEnumerate(frames) AS at) e
      JOIN functions n ON e.part = n.part AND e.function_id = n.function_id
    GROUP BY e.unit, e.part, e.stack_id
  ),
  lines AS (
    SELECT x.unit AS unit, x.stack AS stack, toInt64(sum(x.weight)) AS weight
    FROM (
      SELECT t.unit AS unit, t.stack AS stack, t.weight AS weight
      FROM texts t
      UNION ALL
      SELECT CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, '(no stack)' AS stack, s.value * coalesce(s.period, 1) AS weight
      FROM (
      SELECT s.* FROM samples s WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.time >= {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0) AND s.time < {since:DateTime64(6, 'UTC')} AND s.time_end > {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)
    ) s
      WHERE s.profile_type = {type:String}
      AND ({service:String} = '' OR (s.service = {service:String}))
      AND ({endpoint:String} = '' OR (s.endpoint = {endpoint:String}))
      AND ({root:Int64} = 0 OR (s.local_root_span_id = {root:Int64}))
      AND ({trace:String} = '' OR (s.trace_id = unhex({trace:String})))
      AND (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (s.time < {until:DateTime64(6, 'UTC')} AND s.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
      AND ({environment:String} = '' OR (s.environment = {environment:String}))
      AND ({version:String} = '' OR (s.version = {version:String}))
      AND ({host:String} = '' OR (s.host = {host:String}))
      AND ({pod:String} = '' OR (s.pod = {pod:String})) AND s.stack_id IS NULL
    ) x
    GROUP BY x.unit, x.stack
  )
  SELECT l.stack AS stack, l.weight AS value, concat(l.stack, ' ', CAST(l.weight AS String)) AS line,
    l.unit AS unit
  FROM lines l
  ORDER BY unit, stack;

-- Local roots by weight, the heaviest first; ORDER BY duration_nano DESC lists the slowest.
CREATE OR REPLACE VIEW traces AS
  SELECT r.id AS local_root_span_id, nullIf(lower(leftPad(hex(r.id), 16, '0')), '0000000000000000') AS root_id, r.service AS service,
    r.endpoint AS endpoint, r.start AS start, coalesce(r.last_nano - r.first_nano, 0) AS duration_nano, r.observations AS observations,
    r.weight AS weight, r.unit AS unit
  FROM (
    SELECT s.local_root_span_id AS id, s.service AS service, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, max(s.endpoint) AS endpoint, min(s.time) AS start,
      min(nullif(s.time_unix_nano, 0)) AS first_nano, max(s.time_unix_nano) AS last_nano, count(*) AS observations,
      toInt64(sum(s.value * coalesce(s.period, 1))) AS weight
    FROM (
      SELECT s.* FROM samples s WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.time >= {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0) AND s.time < {since:DateTime64(6, 'UTC')} AND s.time_end > {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)
    ) s
    WHERE s.profile_type = {type:String}
      AND ({service:String} = '' OR (s.service = {service:String}))
      AND ({endpoint:String} = '' OR (s.endpoint = {endpoint:String}))
      AND ({root:Int64} = 0 OR (s.local_root_span_id = {root:Int64}))
      AND ({trace:String} = '' OR (s.trace_id = unhex({trace:String})))
      AND (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (s.time < {until:DateTime64(6, 'UTC')} AND s.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
      AND ({environment:String} = '' OR (s.environment = {environment:String}))
      AND ({version:String} = '' OR (s.version = {version:String}))
      AND ({host:String} = '' OR (s.host = {host:String}))
      AND ({pod:String} = '' OR (s.pod = {pod:String})) AND s.local_root_span_id <> 0
    GROUP BY s.local_root_span_id, s.service, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END
  ) r
  ORDER BY weight DESC, root_id;

-- Endpoints with their requests, and the weight of a request.
CREATE OR REPLACE VIEW operations AS
  WITH requests AS (
    SELECT s.service AS service, s.local_root_span_id AS id, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, max(s.endpoint) AS endpoint,
      toInt64(sum(s.value * coalesce(s.period, 1))) AS weight
    FROM (
      SELECT s.* FROM samples s WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.time >= {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0) AND s.time < {since:DateTime64(6, 'UTC')} AND s.time_end > {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)
    ) s
    WHERE s.profile_type = {type:String}
      AND ({service:String} = '' OR (s.service = {service:String}))
      AND ({endpoint:String} = '' OR (s.endpoint = {endpoint:String}))
      AND ({root:Int64} = 0 OR (s.local_root_span_id = {root:Int64}))
      AND ({trace:String} = '' OR (s.trace_id = unhex({trace:String})))
      AND (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (s.time < {until:DateTime64(6, 'UTC')} AND s.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
      AND ({environment:String} = '' OR (s.environment = {environment:String}))
      AND ({version:String} = '' OR (s.version = {version:String}))
      AND ({host:String} = '' OR (s.host = {host:String}))
      AND ({pod:String} = '' OR (s.pod = {pod:String})) AND s.local_root_span_id <> 0
    GROUP BY s.service, s.local_root_span_id, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END
  )
  SELECT r.service AS service, r.endpoint AS endpoint, count(*) AS requests, toInt64(sum(r.weight)) AS weight,
    CAST(avg(r.weight) AS Float64) AS per_request, arraySort(groupArray(r.weight))[toUInt64(ceil(0.5 * count()))] AS p50,
    arraySort(groupArray(r.weight))[toUInt64(ceil(0.95 * count()))] AS p95, arraySort(groupArray(r.weight))[toUInt64(ceil(0.99 * count()))] AS p99, r.unit AS unit
  FROM requests r
  GROUP BY r.service, r.endpoint, r.unit
  ORDER BY weight DESC, r.service, r.endpoint;

-- A function from day to day.
CREATE OR REPLACE VIEW function_history AS
  WITH chosen AS (
    SELECT s.date AS date, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, s.part AS part, s.stack_id AS stack_id, toInt64(sum(s.value * coalesce(s.period, 1))) AS weight
    FROM (
      SELECT s.* FROM samples s WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.time >= {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0) AND s.time < {since:DateTime64(6, 'UTC')} AND s.time_end > {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)
    ) s
    WHERE s.profile_type = {type:String}
      AND ({service:String} = '' OR (s.service = {service:String}))
      AND ({endpoint:String} = '' OR (s.endpoint = {endpoint:String}))
      AND ({root:Int64} = 0 OR (s.local_root_span_id = {root:Int64}))
      AND ({trace:String} = '' OR (s.trace_id = unhex({trace:String})))
      AND (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (s.time < {until:DateTime64(6, 'UTC')} AND s.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
      AND ({environment:String} = '' OR (s.environment = {environment:String}))
      AND ({version:String} = '' OR (s.version = {version:String}))
      AND ({host:String} = '' OR (s.host = {host:String}))
      AND ({pod:String} = '' OR (s.pod = {pod:String})) AND s.stack_id IS NOT NULL
    GROUP BY s.date, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, s.part, s.stack_id
  ),
  hashed AS (
    SELECT c.date AS date, c.unit AS unit, k.stack_hash AS stack_hash, toInt64(sum(c.weight)) AS weight,
      any(tuple(c.part, c.stack_id)) AS place
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (k.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (k.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
    GROUP BY c.date, c.unit, k.stack_hash
  ),
  stacked AS (
    SELECT h.date AS date, h.unit AS unit, k.part AS part, k.stack_id AS stack_id, h.weight AS weight, arrayDistinct(k.frames) AS frames,
      k.frames[1] AS leaf_id
    FROM hashed h JOIN stacks k ON tupleElement(h.place, 1) = k.part AND tupleElement(h.place, 2) = k.stack_id
    WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (k.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (k.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
  ),
  labelled AS (
    SELECT f.part AS part, f.function_id AS function_id, coalesce(nullif(f.display_name, ''), '(no name)') AS display_name
    FROM functions f
    WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (f.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (f.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
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
    SELECT t.date AS date, t.unit AS unit, t.part AS part, t.leaf_id AS function_id, toInt64(sum(t.weight)) AS weight
    FROM stacked t
    GROUP BY t.date, t.unit, t.part, t.leaf_id
  ),
  by_function AS (
    SELECT e.date AS date, e.unit AS unit, e.part AS part, e.function_id AS function_id, toInt64(sum(e.weight)) AS weight
    FROM (SELECT *, arrayJoin(frames) AS function_id FROM stacked) e
    GROUP BY e.date, e.unit, e.part, e.function_id
  ),
  by_shared AS (
    SELECT DISTINCT e.date AS date, e.unit AS unit, e.part AS part, e.stack_id AS stack_id, n.display_name AS display_name, e.weight AS weight
    FROM (SELECT *, arrayJoin(frames) AS function_id FROM stacked) e
      JOIN named n ON e.part = n.part AND e.function_id = n.function_id
    WHERE n.is_shared = 1
  ),
  weights AS (
    SELECT b.date AS date, b.unit AS unit, n.display_name AS function_name, b.weight AS self, CAST(0 AS Int64) AS total
    FROM by_leaf b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    UNION ALL
    SELECT b.date AS date, b.unit AS unit, n.display_name AS function_name, CAST(0 AS Int64) AS self, b.weight AS total
    FROM by_function b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    WHERE n.is_shared = 0
    UNION ALL
    SELECT d.date AS date, d.unit AS unit, d.display_name AS function_name, CAST(0 AS Int64) AS self, d.weight AS total
    FROM by_shared d
    UNION ALL
    SELECT s.date AS date, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, '(no stack)' AS function_name, s.value * coalesce(s.period, 1) AS self, s.value * coalesce(s.period, 1) AS total
    FROM (
      SELECT s.* FROM samples s WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.time >= {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0) AND s.time < {since:DateTime64(6, 'UTC')} AND s.time_end > {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)
    ) s
    WHERE s.profile_type = {type:String}
      AND ({service:String} = '' OR (s.service = {service:String}))
      AND ({endpoint:String} = '' OR (s.endpoint = {endpoint:String}))
      AND ({root:Int64} = 0 OR (s.local_root_span_id = {root:Int64}))
      AND ({trace:String} = '' OR (s.trace_id = unhex({trace:String})))
      AND (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (s.time < {until:DateTime64(6, 'UTC')} AND s.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
      AND ({environment:String} = '' OR (s.environment = {environment:String}))
      AND ({version:String} = '' OR (s.version = {version:String}))
      AND ({host:String} = '' OR (s.host = {host:String}))
      AND ({pod:String} = '' OR (s.pod = {pod:String})) AND s.stack_id IS NULL
  ),
  all_of AS (
    SELECT s.date AS date, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, toInt64(sum(s.value * coalesce(s.period, 1))) AS weight, min(s.date) AS first_date
    FROM (
      SELECT s.* FROM samples s WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.time >= {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0) AND s.time < {since:DateTime64(6, 'UTC')} AND s.time_end > {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)
    ) s
    WHERE s.profile_type = {type:String}
      AND ({service:String} = '' OR (s.service = {service:String}))
      AND ({endpoint:String} = '' OR (s.endpoint = {endpoint:String}))
      AND ({root:Int64} = 0 OR (s.local_root_span_id = {root:Int64}))
      AND ({trace:String} = '' OR (s.trace_id = unhex({trace:String})))
      AND (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (s.time < {until:DateTime64(6, 'UTC')} AND s.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
      AND ({environment:String} = '' OR (s.environment = {environment:String}))
      AND ({version:String} = '' OR (s.version = {version:String}))
      AND ({host:String} = '' OR (s.host = {host:String}))
      AND ({pod:String} = '' OR (s.pod = {pod:String}))
    GROUP BY s.date, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END
  )
  SELECT w.date AS date, w.function_name AS function_name, toInt64(sum(w.self)) AS self, toInt64(sum(w.total)) AS total,
    any(d.weight) AS of_all, w.unit AS unit
  FROM weights w JOIN all_of d ON w.unit = d.unit AND w.date IS NOT DISTINCT FROM d.date
  WHERE w.function_name = {name:String}
  GROUP BY w.date, w.function_name, w.unit
  ORDER BY w.date, function_name;

-- A function from version to version.
CREATE OR REPLACE VIEW function_versions AS
  WITH chosen AS (
    SELECT s.version AS version, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, s.part AS part, s.stack_id AS stack_id, toInt64(sum(s.value * coalesce(s.period, 1))) AS weight
    FROM (
      SELECT s.* FROM samples s WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.time >= {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0) AND s.time < {since:DateTime64(6, 'UTC')} AND s.time_end > {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)
    ) s
    WHERE s.profile_type = {type:String}
      AND ({service:String} = '' OR (s.service = {service:String}))
      AND ({endpoint:String} = '' OR (s.endpoint = {endpoint:String}))
      AND ({root:Int64} = 0 OR (s.local_root_span_id = {root:Int64}))
      AND ({trace:String} = '' OR (s.trace_id = unhex({trace:String})))
      AND (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (s.time < {until:DateTime64(6, 'UTC')} AND s.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
      AND ({environment:String} = '' OR (s.environment = {environment:String}))
      AND ({host:String} = '' OR (s.host = {host:String}))
      AND ({pod:String} = '' OR (s.pod = {pod:String})) AND s.stack_id IS NOT NULL
    GROUP BY s.version, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, s.part, s.stack_id
  ),
  hashed AS (
    SELECT c.version AS version, c.unit AS unit, k.stack_hash AS stack_hash, toInt64(sum(c.weight)) AS weight,
      any(tuple(c.part, c.stack_id)) AS place
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (k.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (k.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
    GROUP BY c.version, c.unit, k.stack_hash
  ),
  stacked AS (
    SELECT h.version AS version, h.unit AS unit, k.part AS part, k.stack_id AS stack_id, h.weight AS weight, arrayDistinct(k.frames) AS frames,
      k.frames[1] AS leaf_id
    FROM hashed h JOIN stacks k ON tupleElement(h.place, 1) = k.part AND tupleElement(h.place, 2) = k.stack_id
    WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (k.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (k.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
  ),
  labelled AS (
    SELECT f.part AS part, f.function_id AS function_id, coalesce(nullif(f.display_name, ''), '(no name)') AS display_name
    FROM functions f
    WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (f.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (f.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
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
    SELECT t.version AS version, t.unit AS unit, t.part AS part, t.leaf_id AS function_id, toInt64(sum(t.weight)) AS weight
    FROM stacked t
    GROUP BY t.version, t.unit, t.part, t.leaf_id
  ),
  by_function AS (
    SELECT e.version AS version, e.unit AS unit, e.part AS part, e.function_id AS function_id, toInt64(sum(e.weight)) AS weight
    FROM (SELECT *, arrayJoin(frames) AS function_id FROM stacked) e
    GROUP BY e.version, e.unit, e.part, e.function_id
  ),
  by_shared AS (
    SELECT DISTINCT e.version AS version, e.unit AS unit, e.part AS part, e.stack_id AS stack_id, n.display_name AS display_name, e.weight AS weight
    FROM (SELECT *, arrayJoin(frames) AS function_id FROM stacked) e
      JOIN named n ON e.part = n.part AND e.function_id = n.function_id
    WHERE n.is_shared = 1
  ),
  weights AS (
    SELECT b.version AS version, b.unit AS unit, n.display_name AS function_name, b.weight AS self, CAST(0 AS Int64) AS total
    FROM by_leaf b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    UNION ALL
    SELECT b.version AS version, b.unit AS unit, n.display_name AS function_name, CAST(0 AS Int64) AS self, b.weight AS total
    FROM by_function b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    WHERE n.is_shared = 0
    UNION ALL
    SELECT d.version AS version, d.unit AS unit, d.display_name AS function_name, CAST(0 AS Int64) AS self, d.weight AS total
    FROM by_shared d
    UNION ALL
    SELECT s.version AS version, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, '(no stack)' AS function_name, s.value * coalesce(s.period, 1) AS self, s.value * coalesce(s.period, 1) AS total
    FROM (
      SELECT s.* FROM samples s WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.time >= {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0) AND s.time < {since:DateTime64(6, 'UTC')} AND s.time_end > {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)
    ) s
    WHERE s.profile_type = {type:String}
      AND ({service:String} = '' OR (s.service = {service:String}))
      AND ({endpoint:String} = '' OR (s.endpoint = {endpoint:String}))
      AND ({root:Int64} = 0 OR (s.local_root_span_id = {root:Int64}))
      AND ({trace:String} = '' OR (s.trace_id = unhex({trace:String})))
      AND (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (s.time < {until:DateTime64(6, 'UTC')} AND s.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
      AND ({environment:String} = '' OR (s.environment = {environment:String}))
      AND ({host:String} = '' OR (s.host = {host:String}))
      AND ({pod:String} = '' OR (s.pod = {pod:String})) AND s.stack_id IS NULL
  ),
  all_of AS (
    SELECT s.version AS version, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, toInt64(sum(s.value * coalesce(s.period, 1))) AS weight, min(s.date) AS first_date
    FROM (
      SELECT s.* FROM samples s WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.time >= {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0) AND s.time < {since:DateTime64(6, 'UTC')} AND s.time_end > {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)
    ) s
    WHERE s.profile_type = {type:String}
      AND ({service:String} = '' OR (s.service = {service:String}))
      AND ({endpoint:String} = '' OR (s.endpoint = {endpoint:String}))
      AND ({root:Int64} = 0 OR (s.local_root_span_id = {root:Int64}))
      AND ({trace:String} = '' OR (s.trace_id = unhex({trace:String})))
      AND (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (s.time < {until:DateTime64(6, 'UTC')} AND s.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
      AND ({environment:String} = '' OR (s.environment = {environment:String}))
      AND ({host:String} = '' OR (s.host = {host:String}))
      AND ({pod:String} = '' OR (s.pod = {pod:String}))
    GROUP BY s.version, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END
  )
  SELECT w.version AS version, w.function_name AS function_name, toInt64(sum(w.self)) AS self, toInt64(sum(w.total)) AS total,
    any(d.weight) AS of_all, w.unit AS unit, any(d.first_date) AS first_date
  FROM weights w JOIN all_of d ON w.unit = d.unit AND w.version IS NOT DISTINCT FROM d.version
  WHERE w.function_name = {name:String}
  GROUP BY w.version, w.function_name, w.unit
  ORDER BY first_date, w.version, function_name;

-- Functions by the change of their share between two days.
CREATE OR REPLACE VIEW diff AS
  SELECT coalesce(nullif(a.leaf, ''), b.leaf) AS function_name, CAST(coalesce(a.share, 0) AS Float64) AS self_before,
    CAST(coalesce(b.share, 0) AS Float64) AS self_after,
    CAST(coalesce(b.share, 0) - coalesce(a.share, 0) AS Float64) AS change
  FROM (
      SELECT u.leaf AS leaf, 100e0 * sum(u.part) AS share
      FROM (
        SELECT CASE WHEN s.stack_id IS NULL THEN '(no stack)' ELSE coalesce(nullif(s.leaf, ''), '(no name)') END AS leaf,
          1e0 * sum(s.value * coalesce(s.period, 1)) / nullif(sum(sum(s.value * coalesce(s.period, 1))) OVER (PARTITION BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END), 0)
            * sum(count(*)) OVER (PARTITION BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END) / sum(count(*)) OVER () AS part
        FROM samples s
        WHERE s.profile_type = {type:String}
      AND ({service:String} = '' OR (s.service = {service:String}))
      AND ({endpoint:String} = '' OR (s.endpoint = {endpoint:String}))
      AND ({environment:String} = '' OR (s.environment = {environment:String}))
      AND ({version:String} = '' OR (s.version = {version:String}))
      AND ({host:String} = '' OR (s.host = {host:String}))
      AND ({pod:String} = '' OR (s.pod = {pod:String})) AND s.date = {before:Date}
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
        WHERE s.profile_type = {type:String}
      AND ({service:String} = '' OR (s.service = {service:String}))
      AND ({endpoint:String} = '' OR (s.endpoint = {endpoint:String}))
      AND ({environment:String} = '' OR (s.environment = {environment:String}))
      AND ({version:String} = '' OR (s.version = {version:String}))
      AND ({host:String} = '' OR (s.host = {host:String}))
      AND ({pod:String} = '' OR (s.pod = {pod:String})) AND s.date = {after:Date}
        GROUP BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, CASE WHEN s.stack_id IS NULL THEN '(no stack)' ELSE coalesce(nullif(s.leaf, ''), '(no name)') END
      ) u
      GROUP BY u.leaf
    ) b ON a.leaf = b.leaf
  ORDER BY abs(CAST(coalesce(b.share, 0) - coalesce(a.share, 0) AS Float64)) DESC, function_name;

-- Functions by the change of their share between two versions.
CREATE OR REPLACE VIEW diff_versions AS
  SELECT coalesce(nullif(a.leaf, ''), b.leaf) AS function_name, CAST(coalesce(a.share, 0) AS Float64) AS self_before,
    CAST(coalesce(b.share, 0) AS Float64) AS self_after,
    CAST(coalesce(b.share, 0) - coalesce(a.share, 0) AS Float64) AS change
  FROM (
      SELECT u.leaf AS leaf, 100e0 * sum(u.part) AS share
      FROM (
        SELECT CASE WHEN s.stack_id IS NULL THEN '(no stack)' ELSE coalesce(nullif(s.leaf, ''), '(no name)') END AS leaf,
          1e0 * sum(s.value * coalesce(s.period, 1)) / nullif(sum(sum(s.value * coalesce(s.period, 1))) OVER (PARTITION BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END), 0)
            * sum(count(*)) OVER (PARTITION BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END) / sum(count(*)) OVER () AS part
        FROM samples s
        WHERE s.profile_type = {type:String}
      AND ({service:String} = '' OR (s.service = {service:String}))
      AND ({endpoint:String} = '' OR (s.endpoint = {endpoint:String}))
      AND ({environment:String} = '' OR (s.environment = {environment:String}))
      AND ({host:String} = '' OR (s.host = {host:String}))
      AND ({pod:String} = '' OR (s.pod = {pod:String})) AND s.version = {before:String}
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
        WHERE s.profile_type = {type:String}
      AND ({service:String} = '' OR (s.service = {service:String}))
      AND ({endpoint:String} = '' OR (s.endpoint = {endpoint:String}))
      AND ({environment:String} = '' OR (s.environment = {environment:String}))
      AND ({host:String} = '' OR (s.host = {host:String}))
      AND ({pod:String} = '' OR (s.pod = {pod:String})) AND s.version = {after:String}
        GROUP BY CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, CASE WHEN s.stack_id IS NULL THEN '(no stack)' ELSE coalesce(nullif(s.leaf, ''), '(no name)') END
      ) u
      GROUP BY u.leaf
    ) b ON a.leaf = b.leaf
  ORDER BY abs(CAST(coalesce(b.share, 0) - coalesce(a.share, 0) AS Float64)) DESC, function_name;

-- Functions by hour, service, version and endpoint: a table of it answers questions of months.
CREATE OR REPLACE VIEW rollup AS
  WITH chosen AS (
    SELECT date_trunc('hour', s.time) AS hour, s.service AS service, s.version AS version, s.endpoint AS endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, s.part AS part, s.stack_id AS stack_id, toInt64(sum(s.value * coalesce(s.period, 1))) AS weight
    FROM (
      SELECT s.* FROM samples s WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.time >= {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0) AND s.time < {since:DateTime64(6, 'UTC')} AND s.time_end > {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)
    ) s
    WHERE s.profile_type = {type:String}
      AND ({service:String} = '' OR (s.service = {service:String}))
      AND ({endpoint:String} = '' OR (s.endpoint = {endpoint:String}))
      AND ({root:Int64} = 0 OR (s.local_root_span_id = {root:Int64}))
      AND ({trace:String} = '' OR (s.trace_id = unhex({trace:String})))
      AND (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (s.time < {until:DateTime64(6, 'UTC')} AND s.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
      AND ({environment:String} = '' OR (s.environment = {environment:String}))
      AND ({version:String} = '' OR (s.version = {version:String}))
      AND ({host:String} = '' OR (s.host = {host:String}))
      AND ({pod:String} = '' OR (s.pod = {pod:String})) AND s.stack_id IS NOT NULL
    GROUP BY date_trunc('hour', s.time), s.service, s.version, s.endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END, s.part, s.stack_id
  ),
  hashed AS (
    SELECT c.hour AS hour, c.service AS service, c.version AS version, c.endpoint AS endpoint, c.unit AS unit, k.stack_hash AS stack_hash, toInt64(sum(c.weight)) AS weight,
      any(tuple(c.part, c.stack_id)) AS place
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (k.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (k.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
    GROUP BY c.hour, c.service, c.version, c.endpoint, c.unit, k.stack_hash
  ),
  stacked AS (
    SELECT h.hour AS hour, h.service AS service, h.version AS version, h.endpoint AS endpoint, h.unit AS unit, k.part AS part, k.stack_id AS stack_id, h.weight AS weight, arrayDistinct(k.frames) AS frames,
      k.frames[1] AS leaf_id
    FROM hashed h JOIN stacks k ON tupleElement(h.place, 1) = k.part AND tupleElement(h.place, 2) = k.stack_id
    WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (k.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (k.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
  ),
  labelled AS (
    SELECT f.part AS part, f.function_id AS function_id, coalesce(nullif(f.display_name, ''), '(no name)') AS display_name
    FROM functions f
    WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (f.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (f.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
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
    SELECT t.hour AS hour, t.service AS service, t.version AS version, t.endpoint AS endpoint, t.unit AS unit, t.part AS part, t.leaf_id AS function_id, toInt64(sum(t.weight)) AS weight
    FROM stacked t
    GROUP BY t.hour, t.service, t.version, t.endpoint, t.unit, t.part, t.leaf_id
  ),
  by_function AS (
    SELECT e.hour AS hour, e.service AS service, e.version AS version, e.endpoint AS endpoint, e.unit AS unit, e.part AS part, e.function_id AS function_id, toInt64(sum(e.weight)) AS weight
    FROM (SELECT *, arrayJoin(frames) AS function_id FROM stacked) e
    GROUP BY e.hour, e.service, e.version, e.endpoint, e.unit, e.part, e.function_id
  ),
  by_shared AS (
    SELECT DISTINCT e.hour AS hour, e.service AS service, e.version AS version, e.endpoint AS endpoint, e.unit AS unit, e.part AS part, e.stack_id AS stack_id, n.display_name AS display_name, e.weight AS weight
    FROM (SELECT *, arrayJoin(frames) AS function_id FROM stacked) e
      JOIN named n ON e.part = n.part AND e.function_id = n.function_id
    WHERE n.is_shared = 1
  ),
  weights AS (
    SELECT b.hour AS hour, b.service AS service, b.version AS version, b.endpoint AS endpoint, b.unit AS unit, n.display_name AS function_name, b.weight AS self, CAST(0 AS Int64) AS total
    FROM by_leaf b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    UNION ALL
    SELECT b.hour AS hour, b.service AS service, b.version AS version, b.endpoint AS endpoint, b.unit AS unit, n.display_name AS function_name, CAST(0 AS Int64) AS self, b.weight AS total
    FROM by_function b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    WHERE n.is_shared = 0
    UNION ALL
    SELECT d.hour AS hour, d.service AS service, d.version AS version, d.endpoint AS endpoint, d.unit AS unit, d.display_name AS function_name, CAST(0 AS Int64) AS self, d.weight AS total
    FROM by_shared d
    UNION ALL
    SELECT date_trunc('hour', s.time) AS hour, s.service AS service, s.version AS version, s.endpoint AS endpoint, CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END AS unit, '(no stack)' AS function_name, s.value * coalesce(s.period, 1) AS self, s.value * coalesce(s.period, 1) AS total
    FROM (
      SELECT s.* FROM samples s WHERE (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.time >= {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0) AND s.time < {since:DateTime64(6, 'UTC')} AND s.time_end > {since:DateTime64(6, 'UTC')} AND s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)
    ) s
    WHERE s.profile_type = {type:String}
      AND ({service:String} = '' OR (s.service = {service:String}))
      AND ({endpoint:String} = '' OR (s.endpoint = {endpoint:String}))
      AND ({root:Int64} = 0 OR (s.local_root_span_id = {root:Int64}))
      AND ({trace:String} = '' OR (s.trace_id = unhex({trace:String})))
      AND (toUnixTimestamp64Micro({since:DateTime64(6, 'UTC')}) = 0 OR (s.date >= CAST({since:DateTime64(6, 'UTC')} AS DATE)))
      AND (toUnixTimestamp64Micro({until:DateTime64(6, 'UTC')}) = 0 OR (s.time < {until:DateTime64(6, 'UTC')} AND s.date <= CAST({until:DateTime64(6, 'UTC')} AS DATE)))
      AND ({environment:String} = '' OR (s.environment = {environment:String}))
      AND ({version:String} = '' OR (s.version = {version:String}))
      AND ({host:String} = '' OR (s.host = {host:String}))
      AND ({pod:String} = '' OR (s.pod = {pod:String})) AND s.stack_id IS NULL
  )
  SELECT w.hour AS hour, w.service AS service, w.version AS version, w.endpoint AS endpoint, w.function_name AS function_name, toInt64(sum(w.self)) AS self,
    toInt64(sum(w.total)) AS total, w.unit AS unit
  FROM weights w
  GROUP BY w.hour, w.service, w.version, w.endpoint, w.unit, w.function_name
  ORDER BY hour, w.service, w.version, w.endpoint, function_name;
