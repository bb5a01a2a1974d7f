/** `spanflame events`: the events of any type of the selected requests, in order and by type. */
import { formatNanos } from "../../model/words/format.ts";
import { countOf, parseFilter } from "../../node/arguments.ts";
import { meantBy } from "../../node/asked-ids.ts";
import { ExitCode, UsageError } from "../../node/exit.ts";
import { inputsOf } from "../../node/inputs.ts";
import { chosenProfile } from "../../node/read.ts";
import { readAround } from "../../node/request-window.ts";
import { printJson, printTable, say } from "../../node/terminal.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { HeldCore } from "../../requests/held-core.ts";
import { RequestEvents, typesOf } from "../../requests/request-events.ts";

export async function events({ inputs, values }: CallOf<"events">): Promise<ExitCode> {
  const { type, event, value, ...choice } = values;
  if (value !== undefined && event === undefined) throw new UsageError("--value: it is a field of an --event");
  const parsed = await parseFilter(choice);
  const limit = countOf("--limit", values.limit, Number.MAX_SAFE_INTEGER);
  const field = value === undefined ? {} : { event, value };
  const { core, traces, exit } = await readAround(inputsOf(inputs), { ...choice, ...field }, parsed, true);
  if (exit === ExitCode.Failed) return exit;
  const isChosen = (type ?? value) !== undefined;
  const profiles = isChosen ? [chosenProfile(core, { type, ...field })?.profile ?? []].flat() : core.profiles();
  const filter = meantBy(core, traces, parsed);
  const isWanted = (name: string) => event === undefined || name === event;
  const all = await RequestEvents.of(new HeldCore(core), profiles, filter, isWanted);
  const { rows } = all;
  const types = typesOf(rows);
  if (values.json) {
    printJson({ types, events: rows.slice(0, limit).map((row) => all.happened(row)), total: { events: rows.length } });
    return exit;
  }
  if (rows.length === 0) say("spanflame: no events");
  const time = (nano: bigint | null) => (nano === null ? "" : formatNanos(Number(nano)));
  printTable(
    types
      .slice(0, limit)
      .map(({ type, count, durationNano, p50Nano, p95Nano, maxNano }) => [
        time(durationNano),
        `${count}`,
        time(p50Nano),
        time(p95Nano),
        time(maxNano),
        type,
      ]),
    ["time", "events", "median", "95 %", "longest", "type"],
  );
  return exit;
}
