/** `spanflame help`: prints the help of a command. */
import { ExitCode, UsageError } from "./exit.ts";
import { print } from "./terminal.ts";
import { type CallOf, COMMANDS } from "./usage/commands.ts";
import { helpPage } from "./usage/help.ts";
import { didYouMean } from "./usage/suggest.ts";

export function help({ inputs: [name] }: CallOf<"help">): ExitCode {
  const page = helpPage(name, process.stdout.columns);
  if (page === null) {
    const names = Object.keys(COMMANDS);
    throw new UsageError(`there is no command ${JSON.stringify(name)}${didYouMean(name ?? "", names)}`);
  }
  for (const line of page.split("\n")) print(line);
  return ExitCode.Done;
}
