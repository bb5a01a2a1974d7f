/** What threads did in the samples of a frame, against the samples themselves. */
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { type Asking, asking } from "../../test/kit/asking.ts";
import { PLAIN } from "../core/tables/extra-events.ts";
import { WHOLE } from "../model/query/shape.ts";
import type { Query } from "./api.ts";
import { Session } from "./session.ts";

const at = (path: string) => readFile(new URL(`../../${path}`, import.meta.url));

async function opened(path: string) {
  const first = await at("build/core-first.wasm");
  const rest = await at("build/core-rest.wasm");
  const session = asking(
    new Session({ first: () => WebAssembly.compile(first), rest: () => WebAssembly.compile(rest) }),
  );
  const answer = await session.open([{ name: "a.jfr", blob: new Blob([await at(path)]) }], PLAIN, () => {});
  if (!answer.ok) throw new Error(answer.error.message);
  const idOf = (kind: string) => answer.value.profiles.find(({ meaning }) => meaning.kind === kind)?.id ?? -1;
  return { session, idOf };
}

async function framesIn(session: Asking<Session>, query: Query, focus = 0) {
  const answer = await session.frames(query, { focus, width: 1e9 });
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value.frames;
}

async function statesIn(session: Asking<Session>, query: Query, node: number) {
  const answer = await session.frameStates(query, node);
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

it("has parts that add up to the value of each frame, in every shape of the tree and under a filter", async () => {
  const { session, idOf } = await opened("fixtures/recorded/dd152-jdk17-all.jfr");
  const whole = { profile: idOf("wall"), measure: 0, filter: {} };
  const shaped = { ...whole, shape: { ...WHOLE, merged: ["Thread.run"], recursion: "all" as const } };
  const filtered = { ...whole, filter: { frames: [{ pattern: "java" }] } };
  const seen = new Set<string>();
  for (const query of [whole, shaped, filtered, whole]) {
    const { node, total } = await framesIn(session, query);
    for (let row = 0; row < node.length; row += 1 + Math.floor(node.length / 40)) {
      const states = await statesIn(session, query, node[row] ?? 0);
      expect(states?.reduce((sum, { value }) => sum + value, 0)).toBe(total[row]);
      const values = states?.map(({ value }) => value) ?? [];
      expect(values).toEqual([...values].sort((a, b) => b - a));
      for (const { part } of states ?? []) seen.add(part);
    }
  }
  expect(seen.size).toBeGreaterThan(2);
});

it("calls a frame that only sleeps asleep", async () => {
  const { session, idOf } = await opened("fixtures/recorded/dd152-jdk17-all.jfr");
  const query = { profile: idOf("wall"), measure: 0, filter: {} };
  const { names, name, node } = await framesIn(session, query);
  const row = name.findIndex((each) => names[each] === "java.lang.Thread.sleep");
  expect((await statesIn(session, query, node[row] ?? 0))?.map(({ part }) => part)).toEqual(["sleep"]);
});

it("is unknown for CPU samples and with root frames", async () => {
  const { session, idOf } = await opened("fixtures/recorded/dd152-jdk17-all.jfr");
  expect(await statesIn(session, { profile: idOf("cpu"), measure: 0, filter: {} }, 0)).toBeNull();
  const roots = [{ by: "thread", keys: ["thread.name"], pooled: false, none: "no name" }];
  const rooted = { profile: idOf("wall"), measure: 0, filter: {}, shape: { ...WHOLE, roots } };
  expect(await statesIn(session, rooted, 0)).toBeNull();
});
