/** `spanflame events`: the events of any type of the selected requests, in order and by type. */
import { MOST_FRAMES } from "../../model/events/telling.ts";
import { formatCounted, formatNanos } from "../../model/words/format.ts";
import { visible } from "../../model/words/text.ts";
import { countOf, parseFilter } from "../../node/arguments.ts";
import { meantBy } from "../../node/asked-ids.ts";
import { ExitCode, UsageError } from "../../node/exit.ts";
import { inputsOf } from "../../node/inputs.ts";
import { chosenProfile } from "../../node/read.ts";
import { readAround } from "../../node/request-window.ts";
import { print, printJson, printTable, say } from "../../node/terminal.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { HeldCore } from "../../requests/held-core.ts";
import { type EventRow, RequestEvents, typesOf } from "../../requests/request-events.ts";

/** Events with their stacks, unless `--limit` states another number. */
const SHOWN = { text: 20, json: 1000 };

export async function events({ inputs, values }: CallOf<"events">): Promise<ExitCode> {
  const { type, event, value, ...choice } = values;
  if (value !== undefined && event === undefined) throw new UsageError("--value: it is a field of an --event");
  const parsed = await parseFilter(choice);
  const { text, json } = values.stacks ? SHOWN : { text: Number.MAX_SAFE_INTEGER, json: Number.MAX_SAFE_INTEGER };
  const limit = countOf("--limit", values.limit, values.json ? json : text);
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
    const told = (row: EventRow) => ({ ...all.happened(row), ...(values.stacks && stackRecord(all, row)) });
    printJson({ types, events: rows.slice(0, limit).map(told), total: { events: rows.length } });
    return exit;
  }
  if (rows.length === 0) say("spanflame: no events");
  if (values.stacks) {
    for (const row of rows.slice(0, limit)) printEvent(all, row);
    if (rows.length > limit) say(`spanflame: ${formatCounted(rows.length - limit, "more event")}: --limit N prints N`);
    return exit;
  }
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

function stackRecord(all: RequestEvents, row: EventRow) {
  const stack = all.reader.functionsOf(row.stack);
  return { stack: stack.slice(0, MOST_FRAMES), frames: stack.length };
}

/** An event in a line, and the functions of its stack below it, the leaf first. */
function printEvent(all: RequestEvents, row: EventRow): void {
  const { type, offsetNano, durationNano, thread } = all.happened(row);
  const length = durationNano === null ? [] : [formatNanos(Number(durationNano))];
  print([`+${formatNanos(Number(offsetNano))}`, ...length, visible(type), visible(thread || "(no name)")].join("  "));
  const { stack, frames } = stackRecord(all, row);
  for (const name of stack) print(`    ${visible(name)}`);
  if (frames > stack.length) print(`    and ${formatCounted(frames - stack.length, "more frame")}`);
}
