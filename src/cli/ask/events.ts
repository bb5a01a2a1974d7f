/** `spanflame events`: the events of any type of the selected requests, in order and by type. */
import { openSamples } from "../../core/samples/sample-reader.ts";
import type { Filter, ProfileSummary } from "../../core/types.ts";
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

export async function events({ inputs, values }: CallOf<"events">): Promise<ExitCode> {
  const { type, event, value, ...choice } = values;
  if (value !== undefined && event === undefined) throw new UsageError("--value: it is a field of an --event");
  const parsed = await parseFilter(choice);
  const limit = countOf("--limit", values.limit, Number.MAX_SAFE_INTEGER);
  const field = value === undefined ? {} : { event, value };
  const subject = { everyEvent: true };
  const { core, traces, exit } = await readAround(inputsOf(inputs), { ...choice, ...field }, parsed, subject);
  if (exit === ExitCode.Failed) return exit;
  const isChosen = (type ?? value) !== undefined;
  const profiles = isChosen ? [chosenProfile(core, { type, ...field })?.profile ?? []].flat() : core.profiles();
  const filter = meantBy(core, traces, parsed);
  const all = await eventsIn(new HeldCore(core), profiles, filter, (name) => event === undefined || name === event);
  const types = typesOf(all);
  if (values.json) {
    printJson({ types, events: all.slice(0, limit), total: { events: all.length } });
    return exit;
  }
  if (all.length === 0) say("spanflame: no events");
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

interface Happened {
  type: string;
  /** Since the first event of the answer. */
  offsetNano: bigint;
  startUnixNano: bigint;
  /** Null for events at one moment. */
  durationNano: bigint | null;
  /** What the event counts, such as bytes; null for times and plain counts. */
  value: { unit: string; amount: bigint } | null;
  thread: string;
  span: bigint | null;
  localRoot: bigint | null;
  fields: Record<string, string>;
}

/** Added while reading. */
const OWN = "spanflame.";
/** Units of values that are 1. */
const PLAIN = new Set(["count", "samples"]);

async function eventsIn(
  held: HeldCore,
  profiles: readonly ProfileSummary[],
  filter: Filter,
  isWanted: (event: string) => boolean,
): Promise<Happened[]> {
  const reader = await openSamples(held);
  const known = new Map(profiles.map((profile) => [profile.id, profile]));
  const found: Happened[] = [];
  // Several profiles may be of one event.
  let last = "";
  reader.eachOf(new Set(known.keys()), filter, (profile, sample) => {
    const { event: type, time, thread, stack } = sample;
    const key = `${type} ${time} ${thread} ${stack}`;
    if (!isWanted(type) || key === last) return;
    last = key;
    const { unit } = known.get(profile)!;
    const isTime = unit === "nanoseconds";
    const isPlain = isTime || PLAIN.has(unit);
    found.push({
      type,
      offsetNano: 0n,
      startUnixNano: time,
      durationNano: isTime ? sample.value : null,
      value: isPlain ? null : { unit, amount: sample.value },
      thread: reader.threadName(thread),
      span: sample.span || null,
      localRoot: sample.root || null,
      fields: Object.fromEntries([...reader.attributesOf(sample.set)].filter(([name]) => !name.startsWith(OWN))),
    });
  });
  found.sort((a, b) => Number(a.startUnixNano - b.startUnixNano));
  const first = found[0]?.startUnixNano ?? 0n;
  return found.map((each) => ({ ...each, offsetNano: each.startUnixNano - first }));
}

/** The types, those with the most time first, then by count. Durations are null where no event of the type has one. */
function typesOf(all: readonly Happened[]) {
  const groups = new Map<string, bigint[]>();
  const counts = new Map<string, number>();
  for (const { type, durationNano } of all) {
    counts.set(type, (counts.get(type) ?? 0) + 1);
    const group = groups.get(type) ?? [];
    groups.set(type, group);
    if (durationNano !== null) group.push(durationNano);
  }
  const rows = [...groups].map(([type, durations]) => {
    durations.sort((a, b) => Number(a - b));
    const at = (share: number) => durations[Math.max(0, Math.ceil(share * durations.length) - 1)] ?? null;
    const durationNano = durations.length === 0 ? null : durations.reduce((sum, each) => sum + each, 0n);
    return { type, count: counts.get(type)!, durationNano, p50Nano: at(0.5), p95Nano: at(0.95), maxNano: at(1) };
  });
  return rows.sort((a, b) => Number((b.durationNano ?? 0n) - (a.durationNano ?? 0n)) || b.count - a.count);
}
