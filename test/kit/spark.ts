/** Spark, which scripts/fetch-spark.mjs fetches, and its rows. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { SPARK as JARS, whyNoJava } from "../../scripts/fetch-spark.mjs";
import { isSkipped, type Need, need } from "./needs.ts";
import { ROOT } from "./run-cli.ts";

export type Row = Record<string, string | number>;

const noSpark = existsSync(JARS) ? null : "no Spark; node scripts/fetch-spark.mjs fetches it";
const reason = isSkipped("spark") ? "SPANFLAME_SKIP" : (noSpark ?? (await whyNoJava()));
export const SPARK: Need = need(reason === null, reason ?? "");

/** Rows of the queries in files of SQL: those after a row with the column `question` are its own. */
export async function runSpark(options: string[], set: string, ...files: string[]): Promise<Map<string, Row[]>> {
  const example = join(ROOT, "examples", "spark");
  const java = [`@${join(example, "java-options.txt")}`, "-cp", join(JARS, "*"), ...options];
  const args = [...java, join(example, "RunSql.java"), set, ...files];
  const { stdout } = await promisify(execFile)("java", args, { maxBuffer: 1 << 26 });
  const answers = new Map<string, Row[]>();
  let question = "";
  for (const line of stdout.split("\n").filter((text) => text !== "")) {
    const row = JSON.parse(line) as Row;
    if (row.question === undefined) answers.get(question)?.push(row);
    else {
      question = String(row.question);
      answers.set(question, []);
    }
  }
  return answers;
}
