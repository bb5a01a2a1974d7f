/** Names of labels and context fields with ids that the user gives, as assembly/store/id-names.ts reads them. */
import { SpanflameError } from "./error.ts";
import type { Instance } from "./instance.ts";
import { Packer } from "./packer.ts";

export interface IdNames {
  trace?: string | readonly string[] | undefined;
  span?: string | readonly string[] | undefined;
}

const TRACE = 1;
const SPAN = 2;

/** Names of labels and fields that have trace and span ids; the core keeps them over resets. */
export function readIdNames(instance: Instance, { trace = [], span = [] }: IdNames): void {
  const packer = new Packer();
  const put = (role: number, names: string | readonly string[]) => {
    for (const name of [names].flat()) {
      packer.word(role);
      packer.text(name);
    }
  };
  put(TRACE, trace);
  put(SPAN, span);
  const bytes = packer.taken();
  setIdNames(instance, bytes);
}

/** Gives the core names of ids as bytes, in the form that it reads. */
export function setIdNames(instance: Instance, bytes: Uint8Array): void {
  const isTaken = instance.lend(bytes, (p, n) => instance.wasm.setIdNames(p, n));
  if (!isTaken) throw new SpanflameError("option.value", "the names of labels with ids are too long together");
  instance.setup = { ...instance.setup, idNames: bytes };
}
