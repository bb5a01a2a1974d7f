/** `spanflame help`: prints the help of a command. */
import { ExitCode, UsageError } from "../node/exit.ts";
import { print } from "../node/terminal.ts";
import { type CallOf, COMMANDS } from "../node/usage/commands.ts";
import { helpPage } from "../node/usage/help.ts";
import { didYouMean } from "../node/usage/suggest.ts";

export function help({ inputs: [name] }: CallOf<"help">): ExitCode {
  const page = helpPage(name, process.stdout.columns);
  if (page === null) {
    const names = Object.keys(COMMANDS);
    throw new UsageError(`there is no command ${JSON.stringify(name)}${didYouMean(name ?? "", names)}`);
  }
  for (const line of page.split("\n")) print(line);
  return ExitCode.Done;
}
