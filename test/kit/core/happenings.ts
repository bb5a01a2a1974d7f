/** Recordings of events at stated milliseconds, whose context is inferred. */
import type { Core } from "../../../src/core/core.ts";
import { keepContexts } from "../../../src/core/samples/contexts.ts";
import { inference } from "../../../src/model/context/infer.ts";
import { buildChunk, type Item, type TypeSpec, type Value } from "../jfr/jfr-builder.ts";
import { Constants, MAIN, type Stack, type Thread } from "../jfr/jfr-types.ts";
import { emptyCore, feed } from "./read-store.ts";

/** Milliseconds as ticks of a chunk with a tick for each nanosecond. */
export const ms = (n: number) => BigInt(Math.round(n * 1_000_000));
export interface Happening {
  type: string;
  from: number;
  to?: number;
  thread?: Thread;
  stack?: Stack;
  values?: Record<string, Value>;
}

/** A core that read one chunk with these events, and inferred their context. */
export async function inferredFrom(types: readonly TypeSpec[], happenings: readonly Happening[]): Promise<Core> {
  const core = await emptyCore();
  await keepContexts(core, inference());
  const constants = new Constants();
  const items = happenings.map(({ type, from, to = from, thread = MAIN, stack, values = {} }): Item => {
    const fields = types.find(({ name }) => name === type)?.fields ?? [];
    const empty = Object.fromEntries(fields.map(({ name, type: of }) => [name, of === "java.lang.String" ? null : 0n]));
    return {
      event: type,
      values: {
        ...empty,
        startTime: ms(from),
        duration: ms(to) - ms(from),
        eventThread: constants.thread(thread),
        ...(stack === undefined ? {} : { stackTrace: constants.stack(stack) }),
        ...values,
      },
    };
  });
  core.beginFile("built.jfr", 0);
  feed(core, buildChunk({ types: [...types], items: [...items, { checkpoint: constants.all() }] }).bytes);
  core.endFile();
  return core;
}
