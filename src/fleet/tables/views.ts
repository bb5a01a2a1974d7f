/**
 * The file of views for a SQL engine: tables of the data set, and functions that answer questions about profiles. The
 * repository has the files as docs/sql/views.ENGINE.sql; `spanflame query` makes the one for DuckDB with its data set.
 */
import { PARTS_FILE, PARTS_FOLDER } from "../../core/tables/data-sets.ts";
import { type Column, TABLES, type Table } from "../parquet/schema.ts";
import { type Parameter, QUERIES, type Query, type Selection } from "./view-queries.ts";
import { type Engine, WORDS, type Words } from "./view-words.ts";

/** The place of the data set in the files of the package. */
export const PLACE = "DATASET";

const COLUMN_TYPES: Readonly<Record<Engine, Readonly<Record<string, string>>>> = {
  duckdb: {
    text: "VARCHAR",
    int32: "INTEGER",
    int64: "BIGINT",
    timestamp: "TIMESTAMPTZ",
    bytes16: "BLOB",
    "list<int32>": "INTEGER[]",
    "list<text>": "VARCHAR[]",
    "map<text,text>": "MAP(VARCHAR, VARCHAR)",
  },
  spark: {
    text: "STRING",
    int32: "INT",
    int64: "BIGINT",
    timestamp: "TIMESTAMP",
    bytes16: "BINARY",
    "list<int32>": "ARRAY<INT>",
    "list<text>": "ARRAY<STRING>",
    "map<text,text>": "MAP<STRING, STRING>",
  },
  clickhouse: {
    text: "Nullable(String)",
    int32: "Nullable(Int32)",
    int64: "Nullable(Int64)",
    timestamp: "Nullable(DateTime64(6, 'UTC'))",
    bytes16: "Nullable(FixedString(16))",
    "list<int32>": "Array(Int32)",
    "list<text>": "Array(Nullable(String))",
    "map<text,text>": "Map(String, Nullable(String))",
  },
};

/** Parts that the data set has, by its lists. A copy that lacks one of them is refused. */
const LISTED_PARTS = `CREATE OR REPLACE VIEW listed_parts AS
WITH named AS (
  SELECT unnest(coalesce(dates, error('parts.json is of an earlier version: export the recordings into a new folder'))).list AS list
  FROM read_json('${PLACE}/${PARTS_FILE}', columns = {dates: 'STRUCT(list VARCHAR)[]'})
),
lists AS (
  SELECT parse_filename(filename) AS list, unnest(parts) AS part
  FROM read_json('${PLACE}/${PARTS_FOLDER}/*.json', columns = {parts: 'STRUCT("table" VARCHAR, date VARCHAR, part VARCHAR)[]'}, filename = true)
),
listed AS (
  SELECT list, part."table" AS in_table, part.part AS part, part."table" || '/date=' || part.date || '/' || part.part || '.parquet' AS path
  FROM named LEFT JOIN lists USING (list)
),
files AS (
  SELECT regexp_extract(file, '[^/]+/[^/]+/[^/]+$') AS path, file FROM glob('${PLACE}/*/*/*.parquet')
)
SELECT in_table, CASE WHEN file IS NULL
  THEN error('the copy of the data set is not complete: ' || coalesce(path, list) || ' is missing') ELSE part END AS part
FROM listed LEFT JOIN files USING (path);`;

/**
 * Statements that make a table of the data set known to the engine. Its columns are stated, as parts may lack some.
 * `paths`: of its parts, for DuckDB; else it follows LISTED_PARTS.
 */
export function tableStatement(engine: Engine, table: Table, place: string, paths?: readonly string[]): string {
  const { name, columns } = table;
  const types = COLUMN_TYPES[engine];
  const columnList = columns.map((column) => `\`${column.name}\` ${types[column.type]}`);
  switch (engine) {
    case "duckdb": {
      const listed = paths?.map((path) => `'${place}/${path}'`).join(", ");
      const [files, where] =
        listed === undefined
          ? [
              `'${place}/${name}/*/*.parquet'`,
              `\nWHERE part IN (SELECT p.part FROM listed_parts p WHERE p.in_table = '${name}')`,
            ]
          : [`[${listed}]`, ""];
      const later = columns.filter(({ isLater }) => isLater === true).map((column) => missing(column));
      const more = later.length === 0 ? "" : `\nUNION ALL BY NAME SELECT ${later.join(", ")} WHERE false`;
      // Such a folder above the data set would be a column, too, and replace one of the same name.
      if (place.includes("="))
        return `CREATE OR REPLACE VIEW ${name} AS
SELECT * EXCLUDE (filename), CAST(regexp_extract(filename, 'date=([0-9-]+)/[^/]*$', 1) AS DATE) AS date
FROM read_parquet(${files}, hive_partitioning = false, filename = true, union_by_name = true)${more};`;
      return `CREATE OR REPLACE VIEW ${name} AS
SELECT * FROM read_parquet(${files}, hive_partitioning = true, hive_types = {'date': DATE}, union_by_name = true)${where}${more};`;
    }
    case "spark":
      return `CREATE OR REPLACE TEMPORARY VIEW ${name} (${columnList.join(", ")}, date DATE)
USING parquet OPTIONS (path '${place}/${name}');`;
    case "clickhouse":
      return `CREATE OR REPLACE VIEW ${name} AS
SELECT *, toDate(extract(_path, 'date=([0-9-]+)/[^/]*$')) AS date
FROM file('${place}/${name}/*/*.parquet', Parquet, '${columnList.join(", ").replaceAll("'", "\\'")}')
SETTINGS use_hive_partitioning = 0;`;
  }
}

/** A table without rows, for a data set without its folder. */
export function emptyTableStatement({ name, columns }: Table): string {
  return `CREATE OR REPLACE VIEW ${name} AS SELECT ${columns.map(missing).join(", ")}, NULL::DATE AS date WHERE false;`;
}

const missing = ({ name, type }: Column) => `NULL::${COLUMN_TYPES.duckdb[type]} AS "${name}"`;

/** `none` is the condition that a parameter is not given. */
type Given = (parameter: Parameter) => { value: string; none: string };

function selectionOf(words: Words, parameters: readonly Parameter[], given: Given): Selection {
  const joined = (of: (parameter: Parameter, value: string) => (string | undefined)[]) => {
    const conditions = parameters.flatMap((parameter) => {
      const { value, none } = given(parameter);
      const own = of(parameter, value).filter((condition) => condition !== undefined);
      if (own.length === 0) return [];
      return [parameter.required === true ? own.join(" AND ") : `(${none} OR (${own.join(" AND ")}))`];
    });
    return conditions.length === 0 ? "1 = 1" : conditions.join("\n      AND ");
  };
  const since = parameters.find(({ samples }) => samples !== undefined);
  const { value, none } = since === undefined ? { value: "", none: "" } : given(since);
  return {
    samples: since?.samples?.(value, none) ?? "samples s",
    where: joined(({ condition, date }, value) => [condition?.(value, words), date?.("s.date", value)]),
    dates: (alias) => joined(({ date }, value) => [date?.(`${alias}.date`, value)]),
  };
}

/** A statement for each view that answers a question. */
export function queryStatement(engine: Engine, query: Query): string {
  const words = WORDS[engine];
  const { name, parameters } = query;
  const typed = ({ type }: Parameter) => words.types[type];
  if (engine === "duckdb") {
    const list = parameters.map((parameter) => (parameter.required ? parameter.name : `${parameter.name} := NULL`));
    const value = (parameter: Parameter) => {
      const at = parameter.type === "timestamp" || parameter.type === "date";
      return at ? `CAST(${parameter.name} AS ${typed(parameter)})` : parameter.name;
    };
    const selection = selectionOf(words, parameters, (parameter) => ({
      value: value(parameter),
      none: `${parameter.name} IS NULL`,
    }));
    const of = (wanted: string) => value(parameters.find((parameter) => parameter.name === wanted)!);
    return `CREATE OR REPLACE MACRO ${name}(${list.join(", ")}) AS TABLE
  ${query.sql(words, selection, of)};`;
  }
  if (engine === "spark") {
    const list = parameters.map((parameter) => {
      return `${parameter.name} ${typed(parameter)}${parameter.required ? "" : " DEFAULT NULL"}`;
    });
    const columns = query.columns.map((column) => `${column.name} ${sparkType(column.type)}`);
    const of = (wanted: string) => `${name}.${wanted}`;
    const selection = selectionOf(words, parameters, (parameter) => ({
      value: of(parameter.name),
      none: `${of(parameter.name)} IS NULL`,
    }));
    return `CREATE OR REPLACE TEMPORARY FUNCTION ${name}(${list.join(", ")})
RETURNS TABLE (${columns.join(", ")})
RETURN
  ${query.sql(words, selection, of)};`;
  }
  const of = (parameter: Parameter) => `{${parameter.name}:${typed(parameter)}}`;
  const selection = selectionOf(words, parameters, (parameter) => ({
    value: parameter.type === "bytes" ? `unhex(${of(parameter)})` : of(parameter),
    none: NONE_IN_CLICKHOUSE[parameter.type](of(parameter)),
  }));
  const named = (wanted: string) => of(parameters.find((parameter) => parameter.name === wanted)!);
  return `CREATE OR REPLACE VIEW ${name} AS
  ${query.sql(words, selection, named)};`;
}

const NONE_IN_CLICKHOUSE: Readonly<Record<Parameter["type"], (value: string) => string>> = {
  text: (value) => `${value} = ''`,
  bytes: (value) => `${value} = ''`,
  int64: (value) => `${value} = 0`,
  timestamp: (value) => `toUnixTimestamp64Micro(${value}) = 0`,
  date: (value) => `toUInt16(${value}) = 0`,
};

function sparkType(type: string): string {
  return { text: "STRING", int64: "BIGINT", double: "DOUBLE", timestamp: "TIMESTAMP", date: "DATE" }[type] ?? type;
}

const HEADS: Readonly<Record<Engine, string>> = {
  duckdb: `duckdb -c "$(sed "s|${PLACE}|$PWD/profiles|" views.duckdb.sql)" profiles.duckdb makes a database of views.`,
  spark: "Spark 4 has functions that return tables. spark.sql takes one statement at a time.",
  clickhouse: "Functions take all their parameters; '' or 0 selects everything: top(type = 'cpu', service = '', …).",
};

/** Tables that a data set may lack. */
const OPTIONAL: readonly string[] = ["spans", "calls"];

/** The file of the package. */
export function viewsFile(engine: Engine): string {
  const isDuckDb = engine === "duckdb";
  const statements = [
    ...(isDuckDb ? [LISTED_PARTS] : []),
    ...TABLES.map((table) => {
      const empty = isDuckDb && OPTIONAL.includes(table.name) ? `${emptyTableStatement(table)}\n` : "";
      return `-- ${table.about}\n${empty}${tableStatement(engine, table, PLACE)}`;
    }),
    ...QUERIES.map((query) => `-- ${query.about}\n${queryStatement(engine, query)}`),
  ];
  const left = isDuckDb ? "the second statement of" : "";
  const head = `-- Views of a data set of Spanflame (docs/parquet.md). Replace ${PLACE} by its folder or address, and leave out
-- ${`${left} tables without a folder (${OPTIONAL.join(", ")}).`.trim()} ${HEADS[engine]}
-- Printed from src/fleet/tables/views.ts by npm run docs.`;
  return `${[head, ...statements].join("\n\n")}\n`;
}
