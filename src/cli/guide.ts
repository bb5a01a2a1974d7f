/** `spanflame guide` and `spanflame schemas`: what to ask, and the shapes of the answers. */
import { readdirSync, readFileSync } from "node:fs";
import { ExitCode, UsageError } from "../node/exit.ts";
import { print } from "../node/terminal.ts";
import type { CallOf } from "../node/usage/commands.ts";
import { GUIDE, GUIDE_NOTES } from "../node/usage/guide.ts";
import { wrapped } from "../node/usage/help.ts";
import { notOneOf } from "../node/usage/suggest.ts";

export function guide(): ExitCode {
  for (const { title, questions } of GUIDE) {
    print(title);
    for (const { about, args } of questions) {
      print(`  ${about}`);
      print(`    spanflame ${args}`);
    }
  }
  for (const line of GUIDE_NOTES.flatMap((note) => ["", ...wrapped(note, process.stdout.columns).split("\n")]))
    print(line);
  return ExitCode.Done;
}

const SCHEMAS = new URL("../docs/schema/", import.meta.url);
const ENDING = ".schema.json";

/** Lists the schemas, or prints one. */
export function schemas({ inputs: [wanted] }: CallOf<"schemas">): ExitCode {
  const names = readdirSync(SCHEMAS).flatMap((name) => (name.endsWith(ENDING) ? [name.slice(0, -ENDING.length)] : []));
  if (wanted !== undefined && !names.includes(wanted)) throw new UsageError(notOneOf("schemas", wanted, names));
  const lines =
    wanted === undefined
      ? names
      : readFileSync(new URL(wanted + ENDING, SCHEMAS), "utf8")
          .trimEnd()
          .split("\n");
  for (const line of lines) print(line);
  return ExitCode.Done;
}
