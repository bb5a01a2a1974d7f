/**
 * Lists of the state at the end of a chunk, such as the objects still alive, of files that share chunks: one process
 * wrote them, so only the list of the chunk that began last counts, whatever the order of the files.
 */
import type { Instance } from "../instance/instance.ts";
import type { Contexts } from "../samples/contexts.ts";
import type { Diagnostic } from "../types.ts";
import type { Contents, List } from "./contents.ts";

interface Owner {
  readonly instance: Instance;
  readonly contents: Contents;
  contexts: Pick<Contexts, "takeBack"> | null;
  note(diagnostic: Diagnostic): void;
}

/** Takes the older lists back of the process of the file that ended; returns the number of their observations. */
export function takeOlderBack(owner: Owner): number {
  const { instance, contents, contexts } = owner;
  const process = contents.processOf(instance.files.length - 1);
  const own = contents.lists.filter(({ file }) => contents.processOf(file) === process);
  const latest = new Map<number, List>();
  for (const list of own) {
    const known = latest.get(list.event);
    if (known === undefined || known.begin < list.begin) latest.set(list.event, list);
  }
  let sum = 0;
  for (const list of own) {
    const newer = latest.get(list.event)!;
    if (newer === list) continue;
    const { file, event, first, end } = list;
    const taken = instance.wasm.takeListBack(event, first, end);
    contents.lists.splice(contents.lists.indexOf(list), 1);
    if (taken === 0) continue;
    for (const other of contents.lists) {
      if (other.first >= end) other.first -= taken;
      if (other.end >= end) other.end -= taken;
    }
    contexts?.takeBack(file, event, end, taken);
    const { name } = instance.files[file]!;
    instance.files[file]!.samples -= taken;
    sum += taken;
    const entries = taken === 1 ? "the entry of this list is" : `the ${taken} entries of this list are`;
    const place = instance.files[newer.file]!.name;
    const message = `${place}, which has chunks of this file, has a later list of live objects: ${entries} not counted`;
    owner.note({ code: "jfr.snapshot.superseded", severity: "info", message, file: name, chunk: null, offset: null });
  }
  if (sum > 0) instance.changeSamples();
  return sum;
}
