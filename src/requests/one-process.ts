/** Whether the files from `first` on may be of one process: ids of threads are those of one. */
import type { Core } from "../core/core.ts";
import { factsOf, factsOfFile } from "../core/instance/resource.ts";
import { areOfOneProcess } from "../core/writing/processes.ts";

export function isOneProcess(core: Core, first: number): boolean {
  const facts = factsOf(core.instance, first);
  const files = core.files(first).map(({ format, resource }, i) => factsOfFile(format, resource, facts[i] ?? []));
  return areOfOneProcess(files);
}
