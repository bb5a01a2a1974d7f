/**
 * `spanflame waits` against what a workload knew of every hold and every wait (fixtures/waits): eight workers and a
 * thread without a request contend for four monitors.
 */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { hourly } from "../../../test/kit/hourly.ts";
import { buildCli, callCli, ROOT } from "../../../test/kit/run-cli.ts";

const MS = 1e6;
const fixture = (name: string) => join(ROOT, "fixtures", name);
const RECORDING = fixture("waits/holders-jdk25.jfr");
const LOCKS = fixture("waits/locks-jdk25.jfr");

/** Kind, lock, thread, span, root, from, to. */
type Row = [kind: string, lock: number, thread: string, span: string, root: string, from: string, to: string];
/** Kind, lock, thread, from, to. */
type LockRow = [kind: string, lock: number, thread: string, from: string, to: string];
interface Truth {
  classes: string[];
  holds: Row[];
  waits: Row[];
}

interface Held {
  attributes: Record<string, string>;
  thread: string;
  threadId: string | null;
  span: string | null;
  localRoot: string | null;
  operation: string | null;
  startUnixNano: string;
  durationNano: string;
  certain: boolean;
}

interface Wait extends Omit<Held, "certain" | "attributes"> {
  kind: string;
  class: string | null;
  address: string | null;
  target: string | null;
  held: Held[];
}

interface Blocked {
  class: string;
  holder: string;
  waiter: string;
  durationNano: string;
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

/** A request, or a pool of threads. */
const nameOf = (of: { operation: string | null; thread: string }) => of.operation ?? of.thread.replace(/\d+$/, "*");

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

function collapsedRoots(text: string): [string, bigint][] {
  return text
    .trim()
    .split("\n")
    .map((line) => [line.slice(0, line.indexOf(";")), BigInt(line.slice(line.lastIndexOf(" ") + 1))]);
}

function speedscopeRoots(text: string): [string, bigint][] {
  const { shared, profiles } = JSON.parse(text) as {
    shared: { frames: { name: string }[] };
    profiles: { samples: number[][]; weights: number[] }[];
  };
  return profiles.flatMap(({ samples, weights }) =>
    samples.map((stack, i): [string, bigint] => [shared.frames[stack[0]!]!.name, BigInt(weights[i]!)]),
  );
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

  it("names who held a ReentrantLock where it is seen, always as inferred, and no holder of a pool", async () => {
    const truth = JSON.parse(gunzipSync(readFileSync(LOCKS.replace(".jfr", ".holds.json.gz"))).toString());
    const { waits } = await asked(LOCKS);
    const parks = waits.filter(({ kind }) => kind === "park");
    const counts = { asked: 0, named: 0, wrong: 0 };
    for (const [kind, lock, thread, a, b] of truth.waits as LockRow[]) {
      const [from, to] = [Number(a), Number(b)];
      if (to - from < 20 * MS) continue;
      const own = parks.filter((each) => {
        const start = Number(each.startUnixNano);
        return each.thread === thread && start > from - 2 * MS && start + Number(each.durationNano) < to + 2 * MS;
      });
      expect(own.length, `${thread} at ${a}`).toBeGreaterThan(0);
      const held = own.flatMap((each) => each.held);
      expect(held.every(({ certain }) => !certain)).toBe(true);
      if (kind === "pool") {
        expect(held).toEqual([]);
        continue;
      }
      counts.asked++;
      const main = mainOf(held)?.key.split(",")[0];
      if (main === undefined) continue;
      counts.named++;
      const holds = (truth.holds as LockRow[]).filter((each) => each[0] === kind && each[1] === lock);
      const sums = new Map<string, number>();
      for (const [, , holder, x, y] of holds) {
        const shared = Math.min(to, Number(y)) - Math.max(from, Number(x));
        if (shared > 0) sums.set(holder, (sums.get(holder) ?? 0) + shared);
      }
      if ((sums.get(main) ?? 0) <= 0.8 * Math.max(...sums.values())) counts.wrong++;
    }
    expect(counts.named / counts.asked).toBeGreaterThan(0.05);
    expect(counts.wrong / counts.named).toBeLessThan(0.15);
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

  it("says of a request and of who blocks whom what it says when everything is read", async () => {
    const { waits } = await asked(RECORDING);
    const [agent, request] = [fixture("recorded/ddagent-jdk17.jfr"), "1630705100213871486"];
    const [root = "", other = ""] = new Set(waits.flatMap(({ localRoot }) => localRoot ?? []));
    const path = join(mkdtempSync(join(tmpdir(), "waits-")), "hours.jfr");
    writeFileSync(path, hourly(readFileSync(RECORDING), BigInt(root)));
    const damaged = `${path}.damaged`;
    writeFileSync(damaged, Buffer.concat([readFileSync(path), Buffer.from("no chunk")]));
    const calls = [
      [RECORDING, "--local-root", other],
      [RECORDING, "--span", waits.find(({ span }) => span !== null)?.span ?? ""],
      [RECORDING, "--by", "endpoint"],
      [RECORDING, "--by", "thread", "--local-root", root],
      [path, "--local-root", root],
      [damaged, "--local-root", root],
      [agent, "--local-root", request],
      [agent, "--by", "endpoint"],
      [fixture("recorded/jdk17-profile.jfr"), "--by", "thread-pool"],
      [fixture("shop.jfr"), agent, "--local-root", request],
      [fixture("shop.jfr"), "--local-root", "5"],
    ];
    for (const call of calls) {
      const some = await callCli(["waits", ...call, "--json"]);
      const all = await callCli(["waits", ...call, "--json"], { env: { SPANFLAME_READ_ALL: "1" } });
      expect([some.code, `${some.out}`, `${some.err}`], call.join(" ")).toEqual([all.code, `${all.out}`, `${all.err}`]);
    }
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

  it("names the holder's request and its attributes in why, its report and its JSON", async () => {
    const recording = fixture("recorded/ddagent-jdk17.jfr");
    const root = "1630705100213871486";
    const said =
      "Waited 12.5 ms for Object; 12.5 ms of it held by POST /checkout (request 0x2689f3314e908779, tenant initech).";
    const text = await callCli(["why", recording, "--local-root", root]);
    expect(text.out.toString()).toContain(said);
    const { sentence, waited } = JSON.parse(
      (await callCli(["why", recording, "--local-root", root, "--json"])).out.toString(),
    );
    expect(sentence).toContain(said);
    expect(waited).toEqual({
      class: "java.lang.Object",
      waits: 1,
      threads: 1,
      durationNano: "12498107",
      unknownNano: "0",
      holders: [
        {
          operation: "POST /checkout",
          thread: "worker-1",
          localRoot: "2777018038347663225",
          attributes: { tenant: "initech" },
          longestNano: "12498107",
          requests: 1,
          durationNano: "12498107",
          certainNano: "12498107",
        },
      ],
    });
    const report = await callCli(["convert", recording, "--local-root", root, "--format", "html", "-o", "-"]);
    expect(report.out.toString()).toContain(said);
  });

  it("tells of a request and a span without samples what events tell", async () => {
    const { waits } = await asked(RECORDING);
    const [longest] = waits
      .filter(({ kind, localRoot }) => kind === "monitor" && localRoot !== null)
      .sort((a, b) => Number(b.durationNano) - Number(a.durationNano));
    const said = "Waited 521 ms for Holders$Catalog; 521 ms of it held by POST /reindex (7 requests,";
    const request = await callCli(["why", RECORDING, "--local-root", longest?.localRoot ?? ""]);
    expect(request.err.toString()).not.toContain("no samples");
    expect(request.out.toString()).toContain(`534 ms: 97.7 % blocked in Holders.lambda$request$4 → Holders.use`);
    expect(request.out.toString()).toContain(said);
    const span = await callCli(["why", RECORDING, "--span", longest?.span ?? ""]);
    expect(span.out.toString()).toContain(said);
  });

  it("adds up the waits by holder and waiter, and has a finding about them", async () => {
    const { out } = await callCli(["waits", RECORDING, "--by", "endpoint", "--json"]);
    const { blocked, total } = JSON.parse(out.toString()) as { blocked: Blocked[]; total: Answer["total"] };
    const { waits } = await asked(RECORDING);
    const pairs = new Map<string, number>();
    for (const wait of waits) {
      for (const part of wait.held) {
        const key = [wait.class, nameOf(part), nameOf(wait)].join();
        pairs.set(key, (pairs.get(key) ?? 0) + Number(part.durationNano));
      }
    }
    expect(blocked).toHaveLength(pairs.size);
    for (const row of blocked) {
      expect(Number(row.durationNano)).toBe(pairs.get([row.class, row.holder, row.waiter].join()));
    }
    const sum = blocked.reduce((all, { durationNano }) => all + BigInt(durationNano), 0n);
    expect(String(sum)).toBe(total.heldNano);
    const threads = await callCli(["waits", RECORDING, "--by", "thread-pool", "--limit", "1"]);
    expect(threads.out.toString()).toMatch(/demo[.]Holders[$]Catalog +worker-[*] +worker-[*]/);
    const why = await callCli(["why", RECORDING]);
    expect(why.out.toString()).toContain(
      "of POST /reindex held up by POST /reindex (Holders$Catalog), 100 % of the time.",
    );
  });

  it("prints the command for what the holder did meanwhile, whatever other threads of its name did", async () => {
    const twins = join(mkdtempSync(join(tmpdir(), "waits-")), "twins.jfr");
    const bytes = readFileSync(RECORDING);
    // Names of one length: eight threads called worker-1.
    for (let at = bytes.indexOf("worker-"); at >= 0; at = bytes.indexOf("worker-", at + 1)) bytes[at + 7] = 0x31;
    writeFileSync(twins, bytes);
    const command = async (...inputs: string[]) => {
      const { err } = await callCli(["waits", ...inputs, "--by", "endpoint"]);
      const [, words = ""] = /spanflame (why .+)/.exec(err.toString()) ?? [];
      return words.split(" ").map((word) => word.replaceAll("'", ""));
    };
    const words = await command(RECORDING);
    const { waits } = await asked(RECORDING);
    const held = waits
      .flatMap((wait) => wait.held)
      .find((part) => words.includes(`--attr=thread.id=${part.threadId}`) && words.includes(part.startUnixNano));
    const top = async (...args: string[]) => {
      const { out, err, code } = await callCli(["top", "--type", "lock-contention", "--json", ...args]);
      expect(code, err.toString()).toBe(0);
      return JSON.parse(out.toString());
    };
    const time = [
      "--since",
      held!.startUnixNano,
      "--until",
      String(BigInt(held!.startUnixNano) + BigInt(held!.durationNano)),
    ];
    const own = await top(RECORDING, "--thread", held!.thread, ...time);
    expect(await top(...words.slice(1))).toEqual(own);
    const renamed = await command(twins);
    expect(renamed.map((word) => word.replace(twins, RECORDING))).toEqual(words);
    expect((await top(...renamed.slice(1))).total).toBe(own.total);
    // Of two recordings it names one: ids are those of a process.
    const both = await command(RECORDING, twins);
    expect((await top(...both.slice(1))).total).toBe(own.total);
  });

  it.each([
    ["lock-contention", RECORDING],
    ["park", LOCKS],
  ])(
    "has holders of %s as root frames and as filters, whose values are those of who blocks whom",
    async (type, path) => {
      const total = async (...args: string[]) => {
        const { out, err, code } = await callCli(["top", path, "--type", type, "--json", ...args]);
        expect(code, err.toString()).toBe(0);
        return BigInt(JSON.parse(out.toString()).total);
      };
      const { out } = await callCli(["waits", path, "--by", "endpoint", "--json"]);
      const { blocked } = JSON.parse(out.toString()) as { blocked: Blocked[] };
      const wanted = new Map<string, bigint>();
      const own = blocked.filter((row) => row.class.startsWith("java.util.concurrent.locks.") === (type === "park"));
      expect(own.length).toBeGreaterThan(0);
      for (const { holder, durationNano } of own) wanted.set(holder, (wanted.get(holder) ?? 0n) + BigInt(durationNano));
      const all = await total();
      wanted.set(
        "unknown holders",
        [...wanted.values()].reduce((rest, value) => rest - value, all),
      );
      for (const format of ["collapsed", "speedscope"]) {
        const args = ["convert", path, "--type", type, "--root-by", "holder", "--format", format];
        const written = (await callCli([...args, "-o", "-"])).out.toString();
        const found = new Map<string, bigint>();
        for (const [name, value] of format === "collapsed" ? collapsedRoots(written) : speedscopeRoots(written))
          found.set(name, (found.get(name) ?? 0n) + value);
        expect(found, format).toEqual(wanted);
      }
      for (const [holder, value] of wanted) expect(await total("--root-frame", `holder=${holder}`), holder).toBe(value);
      const [[first = "", value = 0n] = []] = [...wanted].filter(([name]) => name !== "unknown holders");
      expect(await total("--root-frame", `holder!=${first}`)).toBe(all - value);
      const { waits } = await asked(path, "--root-frame", `holder=${first}`);
      expect(waits.length).toBeGreaterThan(0);
      expect(waits.every(({ held }) => held.some((part) => nameOf(part) === first))).toBe(true);
      // Of other profiles no holder is known.
      const sampled = await callCli([
        "convert",
        RECORDING,
        "--type",
        "sleep",
        "--root-by",
        "holder",
        "-o",
        "-",
        "--format",
        "collapsed",
      ]);
      expect(new Set([...collapsedRoots(sampled.out.toString())].map(([name]) => name))).toEqual(
        new Set(["unknown holders"]),
      );
    },
  );
});
