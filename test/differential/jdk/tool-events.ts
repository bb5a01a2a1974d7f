/** `jfr print --json`, event by event: with all stacks in it, it is too long for one string. */
import { type Jdk, output } from "./jdk.ts";

/** Anything that the tool prints; numbers that a double cannot hold come as bigint. */
export type Json = null | boolean | number | bigint | string | Json[] | { [name: string]: Json };
export type Fields = { [name: string]: Json };

export interface ToolEvent {
  type: string;
  values: Fields;
}

const FIRST = '"events": [{';
/** Texts are escaped, so only the end of an event looks like it. */
const BETWEEN = "\n    }, {";
const LAST = "\n    }]";

/** The tool writes a value a line. */
const LONG = /^( *"[^"]*": )(-?\d{16,})(?=,? *$)/gm;
/** Before a number put into quotes: no workload of ours has a text that begins with it. */
const MARK = "\u0000long ";

function parse(text: string): ToolEvent {
  const safe = text.replace(LONG, `$1"${MARK.replace("\u0000", "\\u0000")}$2"`);
  const long = (_: string, value: unknown) =>
    typeof value === "string" && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value;
  // A reviver costs more than the rest: only where it is needed.
  return JSON.parse(`{${safe}}`, safe === text ? undefined : long) as ToolEvent;
}

export async function* toolEvents(jdk: Jdk, path: string): AsyncGenerator<ToolEvent> {
  let rest = "";
  let begun = false;
  for await (const text of output(jdk, "jfr", ["print", "--json", "--stack-depth", "100000", path])) {
    let from = Math.max(0, rest.length - BETWEEN.length);
    rest += text;
    if (!begun) {
      const first = rest.indexOf(FIRST);
      if (first < 0) continue;
      rest = rest.slice(first + FIRST.length);
      from = 0;
      begun = true;
    }
    let at = 0;
    for (let end = rest.indexOf(BETWEEN, from); end >= 0; end = rest.indexOf(BETWEEN, at)) {
      yield parse(rest.slice(at, end));
      at = end + BETWEEN.length;
    }
    rest = rest.slice(at);
  }
  const end = rest.indexOf(LAST);
  if (end < 0) throw new Error(`jfr print: no end in ${rest.slice(-100)}`);
  yield parse(rest.slice(0, end));
}
