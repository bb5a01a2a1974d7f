/**
 * The processes that wrote the files of a core. Files are of one process unless something that identifies a process
 * differs; files that identify none are together.
 */
import { Packer } from "../instance/packer.ts";
import { type FileFacts, isSame, messageResource, sharedOf } from "../instance/resource.ts";
import type { FileSummary, Resource } from "../types.ts";

/** The Resources of a message. */
export interface Resources {
  /** Attributes of all of them. */
  shared: Resource;
  /** The attributes that only one has, by process. Empty if the message has one Resource. */
  processes: Resource[];
  /** Numbers of the files of each process. */
  files: number[][];
}

/** Equal ones are of one process, whatever else differs. */
const INSTANCE = "service.instance.id";
const IDENTIFYING = [
  INSTANCE,
  "process.pid",
  "host.name",
  "host.id",
  "container.id",
  "k8s.pod.uid",
  "k8s.pod.name",
  "k8s.namespace.name",
  "service.namespace",
  "service.name",
];

type Identity = Map<string, Resource[string]>;

function identityOf({ resource, started }: FileFacts): Identity {
  const stated = IDENTIFYING.flatMap((key): [string, Resource[string]][] => {
    const value = resource[key];
    return value === undefined || value === "" ? [] : [[key, value]];
  });
  return new Map(started === "" ? stated : [...stated, ["started", started]]);
}

function isOneProcess(one: Identity, other: Identity): boolean {
  const common = [...one].filter(([key]) => other.has(key));
  const agrees = ([key, value]: [string, Resource[string]]) => isSame(other.get(key), value);
  const instance = common.find(([key]) => key === INSTANCE);
  return instance === undefined ? common.length > 0 && common.every(agrees) : agrees(instance);
}

/** Numbers of the files of each process, in the order of their first files; those without identity are the last. */
function processesOf(files: readonly FileFacts[]): { known: number[][]; unknown: number[] } {
  const known: { files: number[]; identities: Identity[] }[] = [];
  const unknown: number[] = [];
  for (const [i, file] of files.entries()) {
    const identity = identityOf(file);
    if (identity.size === 0) {
      unknown.push(i);
      continue;
    }
    const process = known.find(({ identities }) => identities.every((other) => isOneProcess(identity, other)));
    if (process === undefined) known.push({ files: [i], identities: [identity] });
    else {
      process.files.push(i);
      // Equal ones need not be compared again.
      if (process.identities.length < 16) process.identities.push(identity);
    }
  }
  return { known: known.map((each) => each.files), unknown };
}

/** Whether the files are taken for those of one process. */
export function areOfOneProcess(files: readonly FileFacts[]): boolean {
  const { known, unknown } = processesOf(files);
  return known.length + Math.min(unknown.length, 1) < 2;
}

/**
 * The Resources of a message of these files. `isDivided`: its format has several. `overrides` are of each of them; an
 * empty text removes an attribute.
 */
export function messageResources(files: readonly FileFacts[], overrides: Resource, isDivided: boolean): Resources {
  const { known, unknown } = isDivided ? processesOf(files) : { known: [], unknown: [] };
  if (known.length < 2) return { shared: messageResource(files, overrides), processes: [], files: [] };
  const groups = unknown.length === 0 ? known : [...known, unknown];
  const resources = groups.map((group) =>
    messageResource(
      group.map((i) => files[i]!),
      {},
    ),
  );
  const common = sharedOf(resources);
  const keys = new Set(common.map(([key]) => key));
  const processes = resources.map((all) => Object.fromEntries(Object.entries(all).filter(([key]) => !keys.has(key))));
  const all = Object.fromEntries(common);
  return { shared: messageResource([{ format: "otlp", resource: all }], overrides), processes, files: groups };
}

/** The observations of each process as the core divides them by (assembly/write/processes.ts). */
export function divisionBytes(groups: readonly number[][], files: readonly FileSummary[]): Uint8Array {
  let read = 0;
  const firsts = files.map(({ samples }) => {
    read += samples;
    return read - samples;
  });
  const packer = new Packer();
  for (const [process, group] of groups.entries()) {
    for (const i of group) {
      const { samples, chunks, messages, format } = files[i]!;
      // Runs of dumps have Resources already.
      if (format === "cdt") continue;
      const times = [...chunks, ...messages].filter(({ startUnixNano }) => startUnixNano !== 0n);
      const ends = times.map(({ startUnixNano, durationNano }) => startUnixNano + durationNano);
      packer.word(process + 1);
      packer.word(0);
      packer.word(firsts[i]!);
      packer.word(firsts[i]! + samples);
      packer.long(least(times.map(({ startUnixNano }) => startUnixNano)));
      packer.long(most(ends));
    }
  }
  return packer.taken();
}

function least(times: readonly bigint[]): bigint {
  return times.reduce((known, time) => (time < known ? time : known), times[0] ?? 0n);
}

function most(times: readonly bigint[]): bigint {
  return times.reduce((known, time) => (time > known ? time : known), 0n);
}
