/**
 * Reads of recordings what is near some requests: their chunks are found by the bytes of the ids, then their time by
 * their own samples and scopes, and only the chunks around that time are read, with all rules of inferred context. The
 * answer is that of everything, unless a thread worked for more than a minute without any event.
 */
import { statSync } from "node:fs";
import { readOnlyNeeded } from "../core/reading/read-filter.ts";
import type { Diagnostic, EventType, ExtraEvent, Filter, TimeRange } from "../core/types.ts";
import { chunksAround, chunksWith, onlyChunks, type PlacedHeader } from "../input/window-chunks.ts";
import { otherTypes } from "../model/recording/other-events.ts";
import { isTrace } from "../model/words/ids.ts";
import { HeldCore } from "../requests/held-core.ts";
import { AROUND, SLACK, timeOfIds } from "../requests/request-events.ts";
import { extraEvents, idNamesOf } from "./arguments.ts";
import { ExitCode } from "./exit.ts";
import type { NamedInput } from "./inputs.ts";
import { type OpenInput, openInput } from "./node-source.ts";
import { type InputsRead, readPaths, readSaid } from "./read.ts";

type Choice = Parameters<typeof readSaid>[1];
type Placed = ReadonlyMap<string, readonly PlacedHeader[]>;

/** The file is searched for each of them. */
const MOST_IDS = 16;

/**
 * As `readSaid` with inferred context, for an answer about the samples of a filter and what was around them.
 * `everyEvent`: also those that are no profile.
 */
export async function readAround(
  inputs: readonly NamedInput[],
  choice: Choice,
  filter: Filter,
  everyEvent = false,
): ReturnType<typeof readSaid> {
  const all = { ...choice, inferred: true };
  const whole = async () => ({ ...all, ...(everyEvent && { extra: await otherEventsIn(inputs, all, []) }) });
  if (!maySkip(inputs, choice, filter)) return readSaid(inputs, await whole());
  const ids = [filter.localRoot ?? filter.span ?? []].flat();
  if (ids.length === 0) return readSaid(inputs, await whole());
  return (await readWindow(inputs, all, filter, ids, everyEvent)) ?? readSaid(inputs, await whole());
}

/** Null where all must be read. */
async function readWindow(
  inputs: readonly NamedInput[],
  choice: Choice,
  filter: Filter,
  ids: readonly bigint[],
  everyEvent: boolean,
) {
  if (ids.some(isTrace) || ids.length > MOST_IDS) return null;
  const [all, some] = [new Map<string, PlacedHeader[]>(), new Map<string, PlacedHeader[]>()];
  for (const { path } of inputs) {
    const input = await openInput(path);
    try {
      const chunks = await chunksWith(input.source, ids);
      if (chunks === null) return null;
      all.set(path, chunks.all);
      some.set(path, chunks.some);
    } finally {
      await input.close();
    }
  }
  const own = await readOwn(inputs, all, some, ids, filter, everyEvent);
  if (own === null) return null;
  const { time, types } = own;
  const near = new Map<string, PlacedHeader[]>();
  const others = new Map<string, PlacedHeader[]>();
  for (const [path, chunks] of all) {
    near.set(path, chunksAround(chunks, time.from - AROUND, time.to + AROUND));
    others.set(
      path,
      near.get(path)!.filter((chunk) => !some.get(path)!.includes(chunk)),
    );
  }
  const open = openOnly(all, near);
  const extra = everyEvent ? await otherEventsIn(having(inputs, others), choice, types, openOnly(all, others)) : [];
  const around = { from: time.from - SLACK, to: time.to + SLACK };
  const read = await readPaths(
    inputs,
    { ...choice, jobs: choice.jobs ?? "1", around, extra },
    {
      need: (core) => void readOnlyNeeded(core, { filter: { time: around }, stacks: true, all: true }),
      open,
    },
  );
  return isSound(read, ids, filter, everyEvent) ? { ...read, exit: ExitCode.Done } : null;
}

/** Other filters, and the words about damage, need more than the surroundings of a request. */
function maySkip(inputs: readonly NamedInput[], choice: Choice, filter: Filter): boolean {
  const { trace = [], strict, file, symbols = [] } = choice;
  const isPlain = Object.keys(filter).every((key) => ["localRoot", "span", "time"].includes(key));
  const isOwn = trace.length === 0 && symbols.length === 0 && strict !== true && file === undefined;
  const isFile = ({ path, fault, dump, upload }: NamedInput) =>
    path !== "-" &&
    (fault ?? dump ?? upload) === undefined &&
    statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  const hasNames = Object.values(idNamesOf(choice)).some((names) => names !== undefined);
  const isRead = process.env.SPANFLAME_READ_ALL === undefined && !hasNames;
  return isPlain && isOwn && isRead && inputs.every(isFile);
}

const NEVER = { from: 1n, to: 1n };

/** The events of `known` types and of inputs that are no profile, and that no option makes one; by their durations. */
async function otherEventsIn(
  inputs: readonly NamedInput[],
  choice: Choice,
  known: readonly EventType[],
  open?: ReturnType<typeof openOnly>,
): Promise<ExtraEvent[]> {
  const need = (core: InputsRead["core"]) =>
    void readOnlyNeeded(core, { filter: { time: NEVER }, stacks: false, all: false });
  const read = inputs.length === 0 ? [] : (await readPaths(inputs, { jobs: "1" }, { need, open })).core.eventTypes();
  const types = new Map([...known, ...read].map((type) => [type.event, type]));
  return otherTypes([...types.values()], await extraEvents(choice));
}

const having = (inputs: readonly NamedInput[], chunks: Placed) =>
  inputs.filter(({ path }) => chunks.get(path)!.length > 0);

function openOnly(all: Placed, some: Placed) {
  return async (path: string): Promise<OpenInput> => {
    const input = await openInput(path);
    return { ...input, source: onlyChunks(input.source, all.get(path) ?? [], some.get(path) ?? []) };
  };
}

/** The time of the samples and of the scopes with any of the ids, and the types in their chunks; null without any. */
async function readOwn(
  inputs: readonly NamedInput[],
  all: Placed,
  some: Placed,
  ids: readonly bigint[],
  filter: Filter,
  everyEvent: boolean,
): Promise<{ time: TimeRange; types: EventType[] } | null> {
  const own: Filter = filter.localRoot === undefined ? { span: [...ids] } : { localRoot: [...ids] };
  const { core } = await readPaths(
    having(inputs, some),
    { jobs: "1", spans: true },
    {
      need: (core) => void readOnlyNeeded(core, { filter: own, stacks: false, all: false }),
      open: openOnly(all, some),
    },
  );
  if (!isSilent(core.diagnostics(), everyEvent)) return null;
  const time = await timeOfIds(new HeldCore(core), own, ids);
  return time && { time, types: core.eventTypes() };
}

/**
 * Whether nothing is to be said of what was read. Lists of live objects that take the place of others are events, so an
 * answer with every event has to know all of them.
 */
export function isSilent(said: readonly Pick<Diagnostic, "severity">[], everyEvent: boolean): boolean {
  return said.every(({ severity }) => severity === "info" && !everyEvent);
}

/** Whether nothing is to be said of the inputs, and each id is that of samples. */
function isSound(
  { core, inputs }: InputsRead,
  ids: readonly bigint[],
  { localRoot }: Filter,
  everyEvent: boolean,
): boolean {
  const held = new HeldCore(core);
  const has = (id: bigint) => held.totals(null, localRoot === undefined ? { span: id } : { localRoot: id }).samples > 0;
  return isSilent(core.diagnostics(), everyEvent) && inputs.every(({ read }) => read === "wholly") && ids.every(has);
}
