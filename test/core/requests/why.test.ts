/** What a selection is about, asked of the library's core. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { why } from "../../../src/core/why.ts";
import { HeldCore } from "../../../src/requests/held-core.ts";
import { read } from "../../kit/core/read-store.ts";

it("is answered in Node, and leaves the selection it is about", async () => {
  const core = await read(new Uint8Array(readFileSync(new URL("../../../fixtures/shop.jfr", import.meta.url))));
  const profile = core.profiles().find(({ type }) => type === "wall")!.id;
  core.select(profile, {});
  const [root] = core.views.rank({ kind: "local-root" }, 0, 1).rows;
  const filter = { localRoot: root!.id };
  const totals = core.select(profile, filter);
  const { rows } = core.views.top("self", 0, 10);

  const answer = why(new HeldCore(core), { profile, measure: 0, filter });
  expect(answer).toMatchObject({ totals, top: rows });
  expect(answer.split.find((each) => each.profile === profile)?.totals).toEqual(totals);
  // A value that all samples of a request have identifies the request, so it does not stand out.
  expect(answer.standingOut.length).toBeGreaterThan(0);
  for (const { share } of answer.standingOut) expect(share).toBeLessThan(1);
  expect(core.views.top("self", 0, 10).rows).toEqual(rows);

  expect(why(new HeldCore(core), { profile, measure: 0, filter: {} }).standingOut).toEqual([]);
});
