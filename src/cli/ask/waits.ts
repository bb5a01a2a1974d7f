/** `spanflame waits`: what the selected requests waited for, and who held it. */
import { isEverything } from "../../core/answers/filters.ts";
import { safepoints } from "../../core/answers/series.ts";
import { openSamples } from "../../core/samples/sample-reader.ts";
import type { Filter } from "../../core/types.ts";
import { type Stop, stopsIn, type Wait, waitsOf } from "../../model/waits/waits.ts";
import { formatNanos } from "../../model/words/format.ts";
import { countOf, parseFilter } from "../../node/arguments.ts";
import { meantBy } from "../../node/asked-ids.ts";
import { ExitCode } from "../../node/exit.ts";
import { inputsOf } from "../../node/inputs.ts";
import { readSaid } from "../../node/read.ts";
import { printJson, printTable, say } from "../../node/terminal.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { HeldCore } from "../../requests/held-core.ts";
import { requestFacts } from "./request-facts.ts";

export async function waits({ inputs, values }: CallOf<"waits">): Promise<ExitCode> {
  const parsed = await parseFilter(values);
  const limit = countOf("--limit", values.limit, Number.MAX_SAFE_INTEGER);
  const { core, traces, exit } = await readSaid(inputsOf(inputs), { ...values, inferred: true });
  if (exit === ExitCode.Failed) return exit;
  const filter = meantBy(core, traces, parsed);
  const held = new HeldCore(core);
  const reader = await openSamples(held);
  const facts = await requestFacts(held, traces, "local-root");
  const nameOf = (root: bigint) => facts(root).endpoint;
  const stops = stopsOf(held, filter);
  const all = waitsOf(reader, core.profiles(), core.contexts?.files ?? [], filter, nameOf, stops);
  if (values.json) {
    printJson({ waits: all.slice(0, limit).map(record), total: totalOf(all) });
    return exit;
  }
  if (all.length === 0) say("spanflame: no waits");
  const longest = [...all].sort((a, b) => Number(b.durationNano - a.durationNano)).slice(0, limit);
  printTable(
    longest.map((wait) => [
      formatNanos(Number(wait.durationNano)),
      wait.kind,
      wait.class ?? wait.target ?? "",
      wait.operation ?? wait.thread,
      holderOf(wait),
    ]),
    ["duration", "kind", "on", "request", "held by"],
  );
  return exit;
}

/** Pauses between the first and the last sample of the selection; all of them without a filter. */
function stopsOf(held: HeldCore, filter: Filter): Stop[] {
  const { core } = held;
  const marks = core.views.marks();
  const views = held.about(null, filter);
  const time = isEverything(filter) ? null : views.pauseCover(marks).time;
  const isNone = time === null && !isEverything(filter);
  return isNone ? [] : stopsIn(marks, safepoints(core.instance, marks.start), time);
}

function record({ address, ...wait }: Wait) {
  return { ...wait, address: address === null ? null : `0x${address.toString(16)}` };
}

function totalOf(all: readonly Wait[]) {
  const sum = (of: (wait: Wait) => bigint) => all.reduce((total, wait) => total + of(wait), 0n);
  const heldNano = sum(({ held }) => held.reduce((total, { durationNano }) => total + durationNano, 0n));
  return { waits: all.length, durationNano: sum(({ durationNano }) => durationNano), heldNano };
}

/** The one that held it longest. */
function holderOf({ held }: Wait): string {
  const [longest] = [...held].sort((a, b) => Number(b.durationNano - a.durationNano));
  if (longest === undefined) return "";
  const { durationNano, operation, thread, certain } = longest;
  return `${formatNanos(Number(durationNano))} by ${operation ?? thread}${certain ? "" : " (likely)"}`;
}
