#!/usr/bin/env node
import { OptionError } from "../model/query/filters.ts";
/** Entry of the command line: picks the command, turns its outcome into an exit code. */
import { convert } from "./convert.ts";
import { ExitCode } from "./exit.ts";
import { HELP } from "./help.ts";
import { info } from "./info.ts";
import { push } from "./push.ts";
import { serve } from "./serve.ts";
import { settle } from "./settle.ts";
import { spans } from "./spans.ts";
import { ReaderLeft, say } from "./terminal.ts";
import { top } from "./top.ts";
import { validate } from "./validate.ts";
import { why } from "./why.ts";

const COMMANDS: Record<string, (args: string[]) => Promise<ExitCode>> = {
  convert,
  push,
  info,
  top,
  why,
  spans,
  validate,
};

async function main(args: string[]): Promise<ExitCode> {
  const [first = "", ...rest] = args;
  const command = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  try {
    return await (command === undefined ? serve(args) : command(rest));
  } catch (error) {
    if (error instanceof ReaderLeft) return ExitCode.Done;
    if (error instanceof OptionError) {
      say(`spanflame: ${error.message}`);
      for (const line of (HELP.split("\n\n", 1)[0] ?? "").split("\n")) say(line);
      return ExitCode.Usage;
    }
    if (error instanceof WebAssembly.RuntimeError) {
      say(`spanflame: the decoder stopped on this input (${error.message}); none of it was kept`);
      return ExitCode.Failed;
    }
    say(`spanflame: ${error instanceof Error ? error.message : String(error)}`);
    return ExitCode.Failed;
  }
}

process.exitCode = await main(process.argv.slice(2));
settle();
