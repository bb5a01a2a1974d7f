/** Checks how many operands a command is given, and which. */
import { UsageError } from "../exit.ts";
import type { CommandRow } from "./rows.ts";
import { notOneOf } from "./suggest.ts";

/** Throws UsageError. */
export function checkOperands(name: string, row: CommandRow, inputs: readonly string[]): void {
  const { count, value, choices, path } = row.operands;
  const [first, second] = inputs;
  if (first === undefined && count !== "any" && count !== "none" && count !== "two") {
    const example = (row.examples[0]?.args ?? name).replace(/ [<>].*/, "");
    const wanted = choices === undefined ? value : `one of ${choices.join(", ")}`;
    throw new UsageError(`${name} needs ${path === "file" ? "a file" : wanted}: spanflame ${example}`);
  }
  if (count === "one" && second !== undefined) {
    throw new UsageError(`${name} takes one ${path ?? value}; ${JSON.stringify(second)} is one too many`);
  }
  if (count === "two" && inputs.length !== 2) {
    throw new UsageError(`${name} needs two recordings or folders: spanflame ${row.examples[0]?.args ?? name}`);
  }
  if (choices !== undefined && first !== undefined && !choices.includes(first)) {
    throw new UsageError(notOneOf(name, first, choices));
  }
  if (inputs.filter((input) => input === "-").length > 1) throw new UsageError("- can be given once");
}
