/**
 * `spanflame waits` against what a workload knew of every hold and every wait (fixtures/waits): eight workers and a
 * thread without a request contend for four monitors.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { buildCli, callCli, ROOT } from "../../../test/kit/run-cli.ts";

const MS = 1e6;
const fixture = (name: string) => join(ROOT, "fixtures", name);
const RECORDING = fixture("waits/holders-jdk25.jfr");

/** Kind, lock, thread, span, root, from, to. */
type Row = [kind: string, lock: number, thread: string, span: string, root: string, from: string, to: string];
interface Truth {
  classes: string[];
  holds: Row[];
  waits: Row[];
}

interface Held {
  thread: string;
  span: string | null;
  localRoot: string | null;
  operation: string | null;
  startUnixNano: string;
  durationNano: string;
  certain: boolean;
}

interface Wait extends Omit<Held, "certain"> {
  kind: string;
  class: string | null;
  address: string | null;
  target: string | null;
  held: Held[];
}

interface Answer {
  waits: Wait[];
  total: { waits: number; durationNano: string; heldNano: string };
}

const TRUTH: Truth = JSON.parse(gunzipSync(readFileSync(fixture("waits/holders-jdk25.holds.json.gz"))).toString());

async function asked(...args: string[]): Promise<Answer> {
  const { out, err, code } = await callCli(["waits", ...args, "--json"]);
  expect(code, err).toBe(0);
  return JSON.parse(out.toString());
}

/** The one with the largest sum, and whether all of it is certain. */
function mainOf(held: readonly Held[]): { key: string; certain: boolean } | null {
  const sums = new Map<string, { nano: number; certain: boolean }>();
  for (const { thread, span, localRoot, durationNano, certain } of held) {
    const key = [thread, span ?? 0, localRoot ?? 0].join();
    const known = sums.get(key) ?? { nano: 0, certain: true };
    sums.set(key, { nano: known.nano + Number(durationNano), certain: known.certain && certain });
  }
  const [first] = [...sums].sort((a, b) => b[1].nano - a[1].nano);
  return first === undefined ? null : { key: first[0], certain: first[1].certain };
}

/** Those that held the lock in a time for nearly as long as the one that held it longest. */
function trueHolders(lock: number, from: number, to: number): string[] {
  const sums = new Map<string, number>();
  for (const [kind, other, thread, span, root, a, b] of TRUTH.holds) {
    const shared = Math.min(to, Number(b)) - Math.max(from, Number(a));
    if (kind !== "monitor" || other !== lock || shared <= 0) continue;
    const key = [thread, span, root].join();
    sums.set(key, (sums.get(key) ?? 0) + shared);
  }
  const most = Math.max(...sums.values());
  return [...sums].filter(([, nano]) => nano > 0.8 * most).map(([key]) => key);
}

beforeAll(buildCli, 120_000);

describe("spanflame waits", () => {
  it("names who held what was waited for", async () => {
    const { waits } = await asked(RECORDING);
    const counts = { asked: 0, right: 0, certain: 0, wrong: 0 };
    for (const [kind, lock, thread, span, root, a, b] of TRUTH.waits) {
      const [from, to] = [Number(a), Number(b)];
      if (kind !== "monitor" || to - from < 20 * MS) continue;
      counts.asked++;
      const wait = waits.find(
        (each) =>
          each.thread === thread &&
          Math.abs(Number(each.startUnixNano) - from) < 6 * MS &&
          Math.abs(Number(each.durationNano) - (to - from)) < 8 * MS,
      );
      expect(wait, `${thread} at ${a}`).toBeDefined();
      const { held, durationNano, ...own } = wait!;
      expect([own.kind, own.class]).toEqual(["monitor", TRUTH.classes[lock]]);
      expect([own.span ?? "0", own.localRoot ?? "0"]).toEqual([span, root]);
      expect(held.reduce((sum, part) => sum + Number(part.durationNano), 0)).toBeLessThanOrEqual(Number(durationNano));
      const main = mainOf(held);
      const isRight = main !== null && trueHolders(lock, from, to).includes(main.key);
      if (isRight) counts.right++;
      if (main?.certain === true) counts.certain++;
      if (main?.certain === true && !isRight) counts.wrong++;
    }
    expect(counts.asked).toBeGreaterThan(200);
    expect(counts.right / counts.asked).toBeGreaterThan(0.9);
    expect(counts.certain / counts.asked).toBeGreaterThan(0.6);
    expect(counts.wrong / counts.certain).toBeLessThan(0.12);
  });

  it("says for which request the holder worked", async () => {
    const { waits } = await asked(RECORDING);
    const [longest] = waits.filter(({ kind }) => kind === "monitor").sort((a, b) => +b.durationNano - +a.durationNano);
    expect(longest).toMatchObject({ class: "demo.Holders$Catalog", operation: "GET /catalog" });
    expect(longest?.held.some(({ operation }) => operation === "POST /reindex")).toBe(true);
  });

  it("adds up to the waits of the selection", async () => {
    const { waits, total } = await asked(RECORDING);
    const sum = waits.reduce((all, wait) => all + BigInt(wait.durationNano), 0n);
    expect(total).toMatchObject({ waits: waits.length, durationNano: String(sum) });
    const root = waits.find(({ localRoot }) => localRoot !== null)?.localRoot ?? "";
    const own = await asked(RECORDING, "--local-root", root);
    const stops = ["gc", "safepoint"];
    const expected = waits.filter(({ localRoot }) => localRoot === root);
    expect(own.waits.filter(({ kind }) => !stops.includes(kind))).toEqual(expected);
    expect(expected.length).toBeGreaterThan(0);
  });

  it("has the other kinds with what they waited for", async () => {
    const { waits } = await asked(fixture("recorded/jdk17-profile.jfr"));
    const kinds = new Map(waits.map((wait) => [wait.kind, wait]));
    expect([...kinds.keys()].sort()).toEqual(["gc", "monitor", "notify", "park", "safepoint", "sleep", "socket"]);
    expect(kinds.get("park")?.class).toMatch(/^java[.]util[.]concurrent[.]locks[.]/);
    expect(kinds.get("socket")?.target).toMatch(/^localhost:\d+$/);
    // Without spans the threads are named.
    expect(kinds.get("monitor")?.held[0]).toMatchObject({ thread: expect.stringMatching(/./), span: null });
  });

  it("is an empty list for a selection without waits", async () => {
    expect(await asked(fixture("shop.jfr"), "--local-root", "5")).toEqual({
      schema: 1,
      waits: [],
      total: { waits: 0, durationNano: "0", heldNano: "0" },
    });
  });
});
