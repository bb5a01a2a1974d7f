/**
 * The views that answer questions about profiles, as SQL with the words of an engine. A weight is the value of an
 * observation; samples that count as one each are multiplied by the time between two samples, where it is known, so
 * that recordings with different periods add up.
 */
import { SELECTORS, type Selector } from "./selectors.ts";
import type { ParameterType, Words } from "./view-words.ts";

export interface Parameter {
  name: string;
  type: ParameterType;
  /** The call must have it. */
  required?: true;
  /** Condition of a row `s` of samples. */
  condition?: (value: string, words: Words) => string;
  /** What it means for the date of a part: the other tables are then read for these dates only. */
  date?: (date: string, value: string) => string;
  /** Samples since a time, as rows `s`. */
  samples?: (value: string, none: string) => string;
  about: string;
}

/** Conditions of the parameters. */
export interface Selection {
  /** The samples that are asked, as rows `s`. */
  samples: string;
  /** Of a row `s` of samples. */
  where: string;
  /** Of the date of a row of another table, under its alias. */
  dates(alias: string): string;
}

interface Key {
  name: string;
  /** SQL of a row `s` of samples. */
  of: string;
}

export interface Query {
  name: string;
  about: string;
  parameters: readonly Parameter[];
  columns: readonly { name: string; type: "text" | "int64" | "double" | "timestamp" | "date"; about: string }[];
  sql(words: Words, selection: Selection, of: (parameter: string) => string): string;
}

const TYPE: Parameter = {
  name: "type",
  type: "text",
  required: true,
  condition: (value) => `s.profile_type = ${value}`,
  about: "profile type, such as cpu",
};
/**
 * Samples since a time, and those whose window has it. Engines leave out row groups by the least and the most value of
 * a column, and not by conditions of several, so that these are two questions.
 */
const samplesSince = (value: string, none: string) => `(
      SELECT s.* FROM samples s WHERE (${none} OR (s.time >= ${value} AND s.date >= CAST(${value} AS DATE)))
      UNION ALL
      SELECT s.* FROM samples s
      WHERE NOT (${none}) AND s.time < ${value} AND s.time_end > ${value} AND s.date >= CAST(${value} AS DATE)
    ) s`;

/** A time selects dates, too: the first and the last one may have some of it. */
function parameterOf({ name, type, column, compare, about }: Selector): Parameter {
  const condition: Parameter["condition"] = (value, words) =>
    type === "bytes" ? words.ofTrace(value) : `s.${column} ${compare} ${value}`;
  if (type !== "timestamp") return { name, type, condition, about };
  const order = compare === "<" ? "<=" : compare;
  const date: Parameter["date"] = (date, value) => `${date} ${order} CAST(${value} AS DATE)`;
  return { name, type, ...(compare === "<" ? { condition } : { samples: samplesSince }), date, about };
}

const SELECTION = SELECTORS.map(parameterOf);
const TEXTS = SELECTION.filter(({ type }) => type === "text");

const NAME: Parameter = { name: "name", type: "text", required: true, about: "display name of the function" };
/** The two sides of a comparison. */
const sides = (type: "date" | "text", noun: string): Parameter[] => [
  { name: "before", type, required: true, about: `first ${noun}` },
  { name: "after", type, required: true, about: `second ${noun}` },
];

const WEIGHT = "s.value * coalesce(s.period, 1)";
const UNIT = "CASE WHEN s.period IS NULL THEN s.unit ELSE 'nanoseconds' END";

/** Labels of samples without a stack and of frames without a name, as `top` and collapsed stacks have them. */
const NO_STACK = "(no stack)";
const LEAF = `CASE WHEN s.stack_id IS NULL THEN '${NO_STACK}' ELSE coalesce(nullif(s.leaf, ''), '(no name)') END`;
const label = (alias: string) => `coalesce(nullif(${alias}.display_name, ''), '(no name)')`;

/**
 * Weights of functions by `keys`, as CTEs; the last one is `weights (keys, function_name, self, total)`, whose rows
 * add up. Stacks with the same hash are one, so that lists of frames are opened once. A function counts once for each
 * stack, also if several functions of the stack have the same display name.
 */
function weights(words: Words, { samples, where, dates }: Selection, keys: readonly Key[]): string {
  const [named, groups] = [taken(keys), grouped(keys)];
  const of = (table: string) => shown(keys, table);
  const by = (table: string) => listed(keys, table);
  return `chosen AS (
    SELECT ${named}s.part AS part, s.stack_id AS stack_id, ${words.sum(WEIGHT)} AS weight
    FROM ${samples}
    WHERE ${where} AND s.stack_id IS NOT NULL
    GROUP BY ${groups}s.part, s.stack_id
  ),
  hashed AS (
    SELECT ${of("c")}k.stack_hash AS stack_hash, ${words.sum("c.weight")} AS weight,
      ${words.any(words.place("c.part", "c.stack_id"))} AS place
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE ${dates("k")}
    GROUP BY ${by("c")}k.stack_hash
  ),
  stacked AS (
    SELECT ${of("h")}k.part AS part, k.stack_id AS stack_id, h.weight AS weight, ${words.distinct("k.frames")} AS frames,
      ${words.first("k.frames")} AS leaf_id
    FROM hashed h JOIN stacks k ON ${words.partOf("h.place")} = k.part AND ${words.stackOf("h.place")} = k.stack_id
    WHERE ${dates("k")}
  ),
  labelled AS (
    SELECT f.part AS part, f.function_id AS function_id, ${label("f")} AS display_name
    FROM functions f
    WHERE ${dates("f")}
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
    SELECT ${of("t")}t.part AS part, t.leaf_id AS function_id, ${words.sum("t.weight")} AS weight
    FROM stacked t
    GROUP BY ${by("t")}t.part, t.leaf_id
  ),
  by_function AS (
    SELECT ${of("e")}e.part AS part, e.function_id AS function_id, ${words.sum("e.weight")} AS weight
    FROM ${words.each("stacked", "frames", "function_id")} e
    GROUP BY ${by("e")}e.part, e.function_id
  ),
  by_shared AS (
    SELECT DISTINCT ${of("e")}e.part AS part, e.stack_id AS stack_id, n.display_name AS display_name, e.weight AS weight
    FROM ${words.each("stacked", "frames", "function_id")} e
      JOIN named n ON e.part = n.part AND e.function_id = n.function_id
    WHERE n.is_shared = 1
  ),
  weights AS (
    SELECT ${of("b")}n.display_name AS function_name, b.weight AS self, CAST(0 AS ${words.types.int64}) AS total
    FROM by_leaf b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    UNION ALL
    SELECT ${of("b")}n.display_name AS function_name, CAST(0 AS ${words.types.int64}) AS self, b.weight AS total
    FROM by_function b JOIN named n ON b.part = n.part AND b.function_id = n.function_id
    WHERE n.is_shared = 0
    UNION ALL
    SELECT ${of("d")}d.display_name AS function_name, CAST(0 AS ${words.types.int64}) AS self, d.weight AS total
    FROM by_shared d
    UNION ALL
    SELECT ${named}'${NO_STACK}' AS function_name, ${WEIGHT} AS self, ${WEIGHT} AS total
    FROM ${samples}
    WHERE ${where} AND s.stack_id IS NULL
  )`;
}

/** Columns of keys under an alias: in a list, with names in a list of results, and as conditions of a join. */
const listed = (keys: readonly Key[], alias: string) => keys.map(({ name }) => `${alias}.${name}, `).join("");
const shown = (keys: readonly Key[], alias: string) => keys.map(({ name }) => `${alias}.${name} AS ${name}, `).join("");
const taken = (keys: readonly Key[]) => keys.map(({ name, of }) => `${of} AS ${name}, `).join("");
const grouped = (keys: readonly Key[]) => keys.map(({ of }) => `${of}, `).join("");

const WEIGHTS = [
  { name: "self", type: "int64", about: "Weight of samples with the function at the top of the stack." },
  { name: "total", type: "int64", about: "Weight of samples with the function anywhere in the stack." },
] as const;

const FUNCTION = { name: "function_name", type: "text", about: "Display name of the function." } as const;
const UNIT_OF = { name: "unit", type: "text", about: "Unit of the weights." } as const;

/** A function by the values of a column of samples. `since`: with the first day of each value, in that order. */
function history(name: string, about: string, column: Query["columns"][number], since: boolean): Query {
  const by = column.name;
  return {
    name,
    about,
    parameters: [TYPE, NAME, ...SELECTION.filter((parameter) => parameter.name !== by)],
    columns: [
      column,
      FUNCTION,
      ...WEIGHTS,
      { name: "of_all", type: "int64", about: `Weight of all samples of that ${by}.` },
      UNIT_OF,
      ...(since ? [{ name: "first_date", type: "date", about: `First UTC date of that ${by}.` } as const] : []),
    ],
    sql: (words, selection, of) => {
      const { samples, where } = selection;
      const keys = [
        { name: by, of: `s.${by}` },
        { name: "unit", of: UNIT },
      ];
      return `WITH ${weights(words, selection, keys)},
  all_of AS (
    SELECT s.${by} AS ${by}, ${UNIT} AS unit, ${words.sum(WEIGHT)} AS weight, min(s.date) AS first_date
    FROM ${samples}
    WHERE ${where}
    GROUP BY s.${by}, ${UNIT}
  )
  SELECT w.${by} AS ${by}, w.function_name AS function_name, ${words.sum("w.self")} AS self, ${words.sum("w.total")} AS total,
    ${words.any("d.weight")} AS of_all, w.unit AS unit${since ? `, ${words.any("d.first_date")} AS first_date` : ""}
  FROM weights w JOIN all_of d ON w.unit = d.unit AND w.${by} IS NOT DISTINCT FROM d.${by}
  WHERE w.function_name = ${of("name")}
  GROUP BY w.${by}, w.function_name, w.unit
  ORDER BY ${since ? "first_date, " : ""}w.${by}, function_name`;
    },
  };
}

/** Functions by the change of their share between two values of a column of samples. */
function difference(name: string, column: "date" | "version", noun: string): Query {
  return {
    name,
    about: `Functions by the change of their share between two ${noun}s.`,
    parameters: [
      TYPE,
      ...sides(column === "date" ? "date" : "text", noun),
      ...TEXTS.filter((parameter) => parameter.name !== column),
    ],
    columns: [
      FUNCTION,
      { name: "self_before", type: "double", about: `Share of all weight of the first ${noun}, in percent.` },
      { name: "self_after", type: "double", about: `Share of all weight of the second ${noun}, in percent.` },
      { name: "change", type: "double", about: "Difference in percentage points." },
    ],
    sql: (words, { samples, where }, of) => {
      // Counts and times are not added: each unit has its own shares, and counts by its observations.
      const shares = (day: string) => `(
      SELECT u.leaf AS leaf, 100e0 * sum(u.part) AS share
      FROM (
        SELECT ${LEAF} AS leaf,
          1e0 * sum(${WEIGHT}) / nullif(sum(sum(${WEIGHT})) OVER (PARTITION BY ${UNIT}), 0)
            * sum(count(*)) OVER (PARTITION BY ${UNIT}) / sum(count(*)) OVER () AS part
        FROM ${samples}
        WHERE ${where} AND s.${column} = ${day}
        GROUP BY ${UNIT}, ${LEAF}
      ) u
      GROUP BY u.leaf
    )`;
      // ClickHouse has '' for the name of a missing row.
      return `SELECT coalesce(nullif(a.leaf, ''), b.leaf) AS function_name, CAST(coalesce(a.share, 0) AS ${words.double}) AS self_before,
    CAST(coalesce(b.share, 0) AS ${words.double}) AS self_after,
    CAST(coalesce(b.share, 0) - coalesce(a.share, 0) AS ${words.double}) AS change
  FROM ${shares(of("before"))} a FULL OUTER JOIN ${shares(of("after"))} b ON a.leaf = b.leaf
  ORDER BY abs(CAST(coalesce(b.share, 0) - coalesce(a.share, 0) AS ${words.double})) DESC, function_name`;
    },
  };
}

export const QUERIES: readonly Query[] = [
  {
    name: "top",
    about: "Functions by weight.",
    parameters: [TYPE, ...SELECTION],
    columns: [FUNCTION, ...WEIGHTS, UNIT_OF],
    sql: (words, selection) => `WITH ${weights(words, selection, [{ name: "unit", of: UNIT }])}
  SELECT w.function_name AS function_name, ${words.sum("w.self")} AS self,
    ${words.sum("w.total")} AS total, w.unit AS unit
  FROM weights w
  GROUP BY w.function_name, w.unit
  ORDER BY self DESC, total DESC, function_name`,
  },
  {
    name: "flame",
    about: "Collapsed stacks: the text that Spanflame and flamegraph.pl read.",
    parameters: [TYPE, ...SELECTION],
    columns: [
      { name: "stack", type: "text", about: "Display names from the root, with semicolons between them." },
      { name: "value", type: "int64", about: "Weight." },
      { name: "line", type: "text", about: "A line of a file of collapsed stacks." },
      { name: "unit", type: "text", about: "Unit of the weight." },
    ],
    sql: (words, { samples, where, dates }) => {
      const keys = [{ name: "unit", of: UNIT }];
      const safe = words.oneLine(label("n"));
      return `WITH chosen AS (
    SELECT ${taken(keys)}s.part AS part, s.stack_id AS stack_id, ${words.sum(WEIGHT)} AS weight
    FROM ${samples}
    WHERE ${where} AND s.stack_id IS NOT NULL
    GROUP BY ${grouped(keys)}s.part, s.stack_id
  ),
  stacked AS (
    SELECT ${shown(keys, "c")}c.part AS part, c.stack_id AS stack_id, c.weight AS weight, k.frames AS frames
    FROM chosen c JOIN stacks k ON c.part = k.part AND c.stack_id = k.stack_id
    WHERE ${dates("k")}
  ),
  texts AS (
    SELECT ${shown(keys, "e")}e.part AS part, e.stack_id AS stack_id, ${words.any("e.weight")} AS weight, ${words.joined(safe, "e.at")} AS stack
    FROM ${words.eachAt("stacked", "frames", "function_id")} e
      JOIN functions n ON e.part = n.part AND e.function_id = n.function_id
    GROUP BY ${listed(keys, "e")}e.part, e.stack_id
  ),
  lines AS (
    SELECT ${shown(keys, "x")}x.stack AS stack, ${words.sum("x.weight")} AS weight
    FROM (
      SELECT ${shown(keys, "t")}t.stack AS stack, t.weight AS weight
      FROM texts t
      UNION ALL
      SELECT ${taken(keys)}'${NO_STACK}' AS stack, ${WEIGHT} AS weight
      FROM ${samples}
      WHERE ${where} AND s.stack_id IS NULL
    ) x
    GROUP BY ${listed(keys, "x")}x.stack
  )
  SELECT l.stack AS stack, l.weight AS value, concat(l.stack, ' ', CAST(l.weight AS ${words.types.text})) AS line,
    l.unit AS unit
  FROM lines l
  ORDER BY unit, stack`;
    },
  },
  {
    name: "traces",
    about: "Local roots by weight, the heaviest first; ORDER BY duration_nano DESC lists the slowest.",
    parameters: [TYPE, ...SELECTION],
    columns: [
      { name: "local_root_span_id", type: "int64", about: "Local root." },
      { name: "root_id", type: "text", about: "The same as 16 hex digits." },
      { name: "service", type: "text", about: "Service." },
      { name: "endpoint", type: "text", about: "Endpoint." },
      { name: "start", type: "timestamp", about: "First observation." },
      { name: "duration_nano", type: "int64", about: "Time from the first observation with a time to the last." },
      { name: "observations", type: "int64", about: "Number of observations." },
      { name: "weight", type: "int64", about: "Weight." },
      { name: "unit", type: "text", about: "Unit of the weight." },
    ],
    sql: (
      words,
      { samples, where },
    ) => `SELECT r.id AS local_root_span_id, ${words.hexId("r.id")} AS root_id, r.service AS service,
    r.endpoint AS endpoint, r.start AS start, coalesce(r.last_nano - r.first_nano, 0) AS duration_nano, r.observations AS observations,
    r.weight AS weight, r.unit AS unit
  FROM (
    SELECT s.local_root_span_id AS id, s.service AS service, ${UNIT} AS unit, max(s.endpoint) AS endpoint, min(s.time) AS start,
      min(nullif(s.time_unix_nano, 0)) AS first_nano, max(s.time_unix_nano) AS last_nano, count(*) AS observations,
      ${words.sum(WEIGHT)} AS weight
    FROM ${samples}
    WHERE ${where} AND s.local_root_span_id <> 0
    GROUP BY s.local_root_span_id, s.service, ${UNIT}
  ) r
  ORDER BY weight DESC, root_id`,
  },
  {
    name: "operations",
    about: "Endpoints with their requests, and the weight of a request.",
    parameters: [TYPE, ...SELECTION],
    columns: [
      { name: "service", type: "text", about: "Service." },
      { name: "endpoint", type: "text", about: "Endpoint." },
      { name: "requests", type: "int64", about: "Local roots with samples." },
      { name: "weight", type: "int64", about: "Weight of all requests." },
      { name: "per_request", type: "double", about: "Weight of a request, on average." },
      { name: "p50", type: "int64", about: "Weight that half of the requests do not exceed." },
      { name: "p95", type: "int64", about: "Weight that 95 % of the requests do not exceed." },
      { name: "p99", type: "int64", about: "Weight that 99 % of the requests do not exceed." },
      UNIT_OF,
    ],
    sql: (words, { samples, where }) => `WITH requests AS (
    SELECT s.service AS service, s.local_root_span_id AS id, ${UNIT} AS unit, max(s.endpoint) AS endpoint,
      ${words.sum(WEIGHT)} AS weight
    FROM ${samples}
    WHERE ${where} AND s.local_root_span_id <> 0
    GROUP BY s.service, s.local_root_span_id, ${UNIT}
  )
  SELECT r.service AS service, r.endpoint AS endpoint, count(*) AS requests, ${words.sum("r.weight")} AS weight,
    CAST(avg(r.weight) AS ${words.double}) AS per_request, ${words.quantile("r.weight", 0.5)} AS p50,
    ${words.quantile("r.weight", 0.95)} AS p95, ${words.quantile("r.weight", 0.99)} AS p99, r.unit AS unit
  FROM requests r
  GROUP BY r.service, r.endpoint, r.unit
  ORDER BY weight DESC, r.service, r.endpoint`,
  },
  history("function_history", "A function from day to day.", { name: "date", type: "date", about: "UTC date." }, false),
  history(
    "function_versions",
    "A function from version to version.",
    { name: "version", type: "text", about: "Version of the service." },
    true,
  ),
  difference("diff", "date", "day"),
  difference("diff_versions", "version", "version"),
  {
    name: "rollup",
    about: "Functions by hour, service, version and endpoint: a table of it answers questions of months.",
    parameters: [TYPE, ...SELECTION],
    columns: [
      { name: "hour", type: "timestamp", about: "Begin of the hour, UTC." },
      { name: "service", type: "text", about: "Service." },
      { name: "version", type: "text", about: "Version of the service." },
      { name: "endpoint", type: "text", about: "Endpoint." },
      FUNCTION,
      ...WEIGHTS,
      UNIT_OF,
    ],
    sql: (words, selection) => {
      const own = ["service", "version", "endpoint"].map((name) => ({ name, of: `s.${name}` }));
      const keys = [{ name: "hour", of: "date_trunc('hour', s.time)" }, ...own, { name: "unit", of: UNIT }];
      return `WITH ${weights(words, selection, keys)}
  SELECT ${shown(keys.slice(0, -1), "w")}w.function_name AS function_name, ${words.sum("w.self")} AS self,
    ${words.sum("w.total")} AS total, w.unit AS unit
  FROM weights w
  GROUP BY ${listed(keys, "w")}w.function_name
  ORDER BY hour, w.service, w.version, w.endpoint, function_name`;
    },
  },
];
