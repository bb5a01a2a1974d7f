/** `spanflame completion`: prints the completion script of a shell. */
import { ExitCode } from "../node/exit.ts";
import { print } from "../node/terminal.ts";
import { type CallOf, SHELLS } from "../node/usage/commands.ts";
import { completionScript } from "../node/usage/completion.ts";

/** The shell is one of the row's choices. */
export function completion({ inputs }: CallOf<"completion">): ExitCode {
  const shell = SHELLS.find((each) => each === inputs[0])!;
  for (const line of completionScript(shell).split("\n")) print(line);
  return ExitCode.Done;
}
