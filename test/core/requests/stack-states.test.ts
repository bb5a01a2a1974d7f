/** The table of what stacks wait for: its filters select the very samples that it classifies. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { openSamples } from "../../../src/core/samples/sample-reader.ts";
import { isOfKind } from "../../../src/core/tables/kinds.ts";
import type { Filter } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { bitsOf, framesOf, STACK_STATES, stateOfBits } from "../../../src/model/context/stack-states.ts";
import { stateFilters } from "../../../src/model/span-time/thread-states.ts";
import { HeldCore } from "../../../src/requests/held-core.ts";
import { emptyCore } from "../../kit/core/read-store.ts";

it.each(["recorded/dd152-jdk17-all", "recorded/ap46-jdk17-all", "recorded/ddagent-jdk17", "shop"])(
  "selects each sample of %s once, by its state",
  async (name) => {
    const bytes = readFileSync(new URL(`../../../fixtures/${name}.jfr`, import.meta.url));
    const core = await emptyCore();
    await readInputs(core, [{ name, source: bytesSource(new Uint8Array(bytes)) }]);
    const held = new HeldCore(core);
    const reader = await openSamples(held);
    const walls = core.profiles().filter(isOfKind("wall"));
    expect(walls.length).toBeGreaterThan(0);
    for (const { id, samplesWithAttribute } of walls) {
      const samplesOf = (filter: Filter) => held.totals(id, filter, 0).samples;
      const all = [null, ...STACK_STATES];
      const selected = all.map((state) => [state, samplesOf({ frames: framesOf(state) })]);
      const classified = new Map<string | null, number>();
      reader.each(id, {}, ({ stack }) => {
        const state = stateOfBits(reader.bitsOf(stack, bitsOf));
        classified.set(state, (classified.get(state) ?? 0) + 1);
      });
      expect(selected).toEqual(all.map((state) => [state, classified.get(state) ?? 0]));
      const { kinds, rest } = stateFilters({}, samplesWithAttribute["thread.state"] !== undefined);
      const sum = [...kinds.map(({ filter }) => filter), rest].reduce((total, filter) => total + samplesOf(filter), 0);
      expect(sum).toBe(samplesOf({}));
    }
  },
);
