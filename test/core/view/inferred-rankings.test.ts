/** How many samples of each row of a ranking have inferred context: those that the row has among such samples alone. */
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { keepContexts } from "../../../src/core/samples/contexts.ts";
import type { Filter, RankBy, RankRow } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { inference } from "../../../src/model/context/infer.ts";
import { inferredFilter } from "../../../src/model/query/attribute.ts";
import { inferredSpans } from "../../../src/model/query/inferred-spans.ts";
import { emptyCore } from "../../kit/core/read-store.ts";

const KINDS: RankBy[] = [
  { kind: "span" },
  { kind: "local-root" },
  { kind: "attribute", key: "thread.name" },
  { kind: "attribute", key: "spanflame.context.rule" },
];

async function opened(name: string, inferred: boolean): Promise<Core> {
  const core = await emptyCore();
  if (inferred) keepContexts(core, inference());
  const bytes = await readFile(new URL(`../../../fixtures/traces/${name}`, import.meta.url));
  await readInputs(core, [{ name, source: bytesSource(bytes) }]);
  return core;
}

function rowsOf(core: Core, profile: number, filter: Filter, by: RankBy): RankRow[] {
  core.select(profile, filter);
  return core.views.rank(by, 0, 2 ** 31 - 1, { requests: true }).rows;
}

const keyOf = ({ id, label }: RankRow) => `${id} ${label}`;

describe.each(["apctx-jdk17.jfr", "jdkscope-jdk25.jfr"])("rankings of %s", (name) => {
  it("count the samples with inferred context in each row", async () => {
    const core = await opened(name, true);
    let counted = 0;
    for (const { id, inferredSpan = 0 } of core.profiles()) {
      for (const by of KINDS) {
        const attributes = by.kind === "attribute" ? [inferredFilter()] : inferredSpans();
        const marked = rowsOf(core, id, { attributes }, by);
        const expected = new Map(marked.map((row) => [keyOf(row), row.samples]));
        for (const row of rowsOf(core, id, {}, by)) expect(row.inferred).toBe(expected.get(keyOf(row)) ?? 0);
        for (const row of marked) expect(row.inferred).toBe(row.samples);
      }
      counted += inferredSpan;
    }
    expect(counted).toBeGreaterThan(0);
  });

  it("count no sample without inference", async () => {
    const core = await opened(name, false);
    for (const { id } of core.profiles())
      for (const by of KINDS) for (const row of rowsOf(core, id, {}, by)) expect(row.inferred).toBe(0);
  });
});
