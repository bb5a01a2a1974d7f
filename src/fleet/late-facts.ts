/**
 * Facts of a process that one chunk of its recording states: files that share a chunk are of one process, so all of
 * them have the facts, whichever was exported first.
 */
import type { Resource } from "../core/types.ts";
import type { DataSet } from "./data-set.ts";
import { newKernels } from "./data-set-codec.ts";
import { registeredIn } from "./data-set-files.ts";
import { DEPLOYMENT, type DeploymentColumn, deploymentOf } from "./deployment.ts";
import { inAllDates } from "./exchange.ts";
import { writeIndex } from "./id-index.ts";
import { type ColumnData, intsOf, textMaps, textsOf, textValues } from "./parquet/column-data.ts";
import { DamagedFile } from "./parquet/damage.ts";
import { filePath } from "./parquet/parts.ts";
import { readPart, recordingsIn, replacedParts } from "./part-files.ts";
import type { PartRows } from "./tables/merge.ts";

type Facts = Record<string, string>;

const KEYS: readonly string[] = ["service.name", "service.instance.id", ...Object.values(DEPLOYMENT).flat()];

/** What a process states of these. */
export function factsOf(resource: Resource): Facts {
  const all = Object.entries(resource).map(([key, value]) => [key, String(value)] as const);
  return Object.fromEntries(all.filter(([key, value]) => KEYS.includes(key) && value !== ""));
}

export function instanceOf(resource: Facts): string {
  return resource["service.instance.id"] ?? resource["host.name"] ?? "";
}

/** Facts that files lack and others of their process state, by the SHA-256 of the file. */
function lackingIn({ links, facts, taken }: DataSet): Map<string, Facts> {
  const groups = new Map<string, Set<string>>();
  for (const [file, others] of links) {
    const joined = [file, ...others.flatMap((each) => taken.get(each) || [])].map((each) => groups.get(each) ?? [each]);
    const group = new Set(joined.flatMap((each) => [...each]));
    for (const each of group) groups.set(each, group);
  }
  const lacking = new Map<string, Facts>();
  for (const group of new Set(groups.values())) {
    const members = [...group].sort();
    const stated = members.toReversed().flatMap((each) => Object.entries(facts.get(each) ?? {}));
    const all: Facts = Object.fromEntries(stated);
    for (const each of members) {
      const own = facts.get(each) ?? {};
      const rest = Object.entries(all).filter(([key]) => !Object.hasOwn(own, key));
      // Copies have no rows.
      if (rest.length > 0 && taken.get(each) === each) lacking.set(each, Object.fromEntries(rest));
    }
  }
  return lacking;
}

/** Gives recordings the facts of their process that files of others state. */
export async function completeFacts(set: DataSet): Promise<void> {
  set.update();
  const lacking = lackingIn(set);
  if (lacking.size === 0 || registeredIn(set.folder) !== null) return;
  const kernels = await newKernels();
  const claims: string[] = [];
  const has = (date: string) => (part: string) =>
    recordingsIn(kernels, set.folder, filePath("recordings", date, part)).some((each) =>
      lacking.has(set.taken.get(each) ?? each),
    );
  try {
    const { files, indexed } = await inAllDates(
      set,
      claims,
      (date, parts) => parts.some(has(date)),
      ({ date, part }) => {
        if (!has(date)(part) || registeredIn(set.folder) !== null) return [];
        try {
          const rows = withFacts(readPart(kernels, set.folder, date, part), (each) =>
            lacking.get(set.taken.get(each) ?? each),
          );
          return replacedParts(kernels, set, date, [{ part, rows }], [part, "facts"]).files;
        } catch (error) {
          if (error instanceof DamagedFile) return [];
          throw error;
        }
      },
    );
    const recordings = [...lacking].map(([sha256, facts]) => {
      return { sha256, file: "", bytes: 0, isContent: true, of: sha256, facts };
    });
    set.commit({ recordings, files });
    for (const date of indexed) writeIndex(kernels, set, date);
  } finally {
    for (const claim of claims) set.unclaim(claim);
  }
}

/** A part whose recordings have these facts, too. */
function withFacts(rows: PartRows, factsOf: (sha256: string) => Facts | undefined): PartRows {
  const { recordings, samples } = rows;
  const more = textsOf(recordings.column("sha256")).map(factsOf);
  const resources = mapsOf(recordings.column("resource")).map((own, i) => ({ ...own, ...more[i] }));
  const ids = intsOf(samples.column("recording_id"));
  const columns = new Map<string, [recordings: ColumnData, samples: ColumnData]>();
  const change = (name: string, valueIn: (resource: Facts) => string, isOfRow: boolean) => {
    const before = textsOf(recordings.column(name));
    const changed = before.map((value, i) => (more[i] === undefined ? value : valueIn(resources[i]!) || value));
    const own = isOfRow ? textsOf(samples.column(name)) : null;
    const values = Array.from(ids, (id, row) => (own === null || own[row] === before[id] ? changed[id]! : own[row]!));
    columns.set(name, [textValues(changed, true), textValues(values, true)]);
  };
  // A row may state another service than its recording.
  change("service", (resource) => resource["service.name"] ?? "", true);
  change("instance", instanceOf, true);
  for (const name of Object.keys(DEPLOYMENT) as DeploymentColumn[])
    change(name, (resource) => deploymentOf(resource, name), false);
  const resource = textMaps(resources);
  const of = (name: string, table: 0 | 1) => (name === "resource" ? resource : columns.get(name)?.[table]);
  return {
    ...rows,
    recordings: { ...recordings, column: (name) => of(name, 0) ?? recordings.column(name) },
    samples: { ...samples, column: (name) => columns.get(name)?.[1] ?? samples.column(name) },
  };
}

function mapsOf(data: ColumnData): Facts[] {
  if (data.kind !== "map") return [];
  const [keys, values] = [textsOf(data.keys), textsOf(data.values)];
  return Array.from(data.offsets.subarray(1), (end, i) =>
    Object.fromEntries(
      Array.from({ length: end - data.offsets[i]! }, (_, k) => [
        keys[data.offsets[i]! + k]!,
        values[data.offsets[i]! + k]!,
      ]),
    ),
  );
}
