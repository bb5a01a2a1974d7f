/** Story and findings of selections: made stacks of known shares, and a recording whose workload is known. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import type { Filter } from "../../../src/core/types.ts";
import { why } from "../../../src/core/why.ts";
import { readInputs } from "../../../src/input/open.ts";
import { LOOK } from "../../../src/model/query/look.ts";
import { foldOf, PROFILER } from "../../../src/model/query/run-rules.ts";
import { drawn } from "../../../src/model/query/shape.ts";
import type { FindingRule } from "../../../src/model/span-time/rule-types.ts";
import { codeOf } from "../../../src/model/why/application.ts";
import { findingsOf } from "../../../src/model/why/findings.ts";
import { FINDING_RULES } from "../../../src/model/why/rules.ts";
import { endOf, summaryOf, summarySteps } from "../../../src/model/why/summary.ts";
import { HeldCore } from "../../../src/requests/held-core.ts";
import { emptyCore } from "../../kit/core/read-store.ts";
import { buildChunk, type Item } from "../../kit/jfr/jfr-builder.ts";
import { event, field, JVM_TYPES, START } from "../../kit/jfr/jfr-types.ts";
import { pprofOf } from "../../kit/otlp/pprof-message.ts";

async function opened(name: string, bytes: Uint8Array): Promise<Core> {
  const core = await emptyCore();
  await readInputs(core, [{ name, source: bytesSource(bytes) }]);
  return core;
}

const recorded = (name: string) =>
  opened(name, readFileSync(new URL(`../../../fixtures/recorded/${name}.jfr`, import.meta.url)));

function summary(core: Core, type: string, filter: Filter) {
  const profiles = core.profiles();
  const profile = profiles.find((each) => each.type === type)!.id;
  const context = { profiles, marks: core.views.marks(), whole: new Map() };
  return summaryOf(new HeldCore(core), why, { profile, measure: 0, filter }, context);
}

const EXTENT = { nanos: 1e9, pauseNanos: 0, kept: null, blocked: [] };

describe("findings", () => {
  const STACKS = [
    "main;com.acme.Cart.check;java.util.regex.Pattern.compile;java.util.regex.Pattern.closure 40",
    "main;com.acme.Cart.check;java.lang.Integer.valueOf 20",
    "main;com.acme.Cart.check 900",
    "main;com.acme.Rare.act;java.lang.String.intern 2",
    "main;com.acme.Cart.write;com.fasterxml.jackson.databind.ObjectMapper.writeValue 38",
  ].join("\n");
  let core: Core;
  const found = (rules: readonly FindingRule[], filter: Filter = {}, extent = EXTENT) => {
    const profiles = core.profiles().map((profile) => ({ ...profile, type: "cpu" }));
    return endOf(
      findingsOf(new HeldCore(core), profiles, { profile: profiles[0]!.id, measure: 0, filter }, rules, extent),
    );
  };
  beforeAll(async () => {
    core = await opened("a.collapsed", Buffer.from(STACKS));
  });

  it("have their share, their tone and the samples that they are about", () => {
    expect(found(FINDING_RULES).map(({ name, tone, amount, samples }) => [name, tone, amount, samples])).toEqual([
      ["Regular expression compilation", "warning", 4, 40],
      ["Boxing", "info", 2, 20],
    ]);
  });

  it("follow the selection", () => {
    const names = (filter: Filter) =>
      found(FINDING_RULES, filter).map(({ name, amount }) => [name, Math.round(amount)]);
    expect(names({ frames: [{ pattern: "Cart\\.write" }] })).toEqual([["JSON", 100]]);
    expect(names({ frames: [{ pattern: "Nothing" }] })).toEqual([]);
    // Two samples are chance, whatever their share is.
    expect(names({ frames: [{ pattern: "Rare" }] })).toEqual([]);
  });

  it("come from a user's rules too, anywhere, at the leaf, outermost and unless", () => {
    const rule = { in: ["cpu"], figure: "share", info: 1, warning: 50, why: "", advice: "" } as const;
    const rules: FindingRule[] = [
      { ...rule, name: "anywhere", any: "^com\\.acme\\.Cart\\.check$" },
      { ...rule, name: "leaf", leaf: "^com\\.acme\\.Cart\\.check$" },
      { ...rule, name: "outermost", outermost: "^main$" },
      { ...rule, name: "unless", any: "^main$", unless: "Pattern\\.compile$" },
      { ...rule, name: "all but", unless: "Cart\\.check$" },
    ];
    expect(Object.fromEntries(found(rules).map(({ name, amount }) => [name, amount]))).toEqual({
      anywhere: 96,
      leaf: 90,
      outermost: 100,
      unless: 96,
      "all but": 4,
    });
  });

  it("compare pauses, rates and times with the selection's time", () => {
    const pauses = { ...EXTENT, pauseNanos: 80_000_000 };
    expect(found(FINDING_RULES, { frames: [{ pattern: "Rare" }] }, pauses)).toMatchObject([
      { name: "Garbage collection pauses", tone: "info", amount: 8, profile: null },
    ]);
    const rule = { name: "x", in: ["cpu"], info: 0, warning: 1000, why: "", advice: "" } as const;
    const [rate] = found([{ ...rule, figure: "rate" }], {}, { ...EXTENT, nanos: 2e9 });
    expect(rate).toMatchObject({ amount: 500, samples: 1000 });
    const [time] = found([{ ...rule, figure: "time" }], {}, { nanos: 4000, pauseNanos: 0, kept: null, blocked: [] });
    expect(time?.amount).toBe(25);
  });
});

describe("the profiler itself", () => {
  const STACKS = [
    "main;com.datadoghq.profiler.JavaProfiler.recordTrace0 60",
    "main;com.acme.Cart.check;jdk.internal.misc.Unsafe.park 10",
    "main;com.acme.Cart.check 30",
  ].join("\n");

  it("is a finding, and behind the functions of the application in every order but the reversed one", async () => {
    const core = await opened("self.collapsed", new TextEncoder().encode(STACKS));
    const [{ type } = { type: "" }] = core.profiles();
    const { top } = summary(core, type, {});
    const names = ["com.acme.Cart.check", "jdk.internal.misc.Unsafe.park", "main"];
    expect(top.map(({ name }) => name)).toEqual([...names, "com.datadoghq.profiler.JavaProfiler.recordTrace0"]);
    const profiles = core.profiles().map((profile) => ({ ...profile, type: "cpu" }));
    const wanted = { profile: profiles[0]!.id, measure: 0, filter: {} };
    const findings = endOf(findingsOf(new HeldCore(core), profiles, wanted, FINDING_RULES, EXTENT));
    expect(findings).toMatchObject([{ name: "The profiler itself", amount: 60, tone: "warning" }]);
    const rows = (how: object) => core.views.top("total", 0, 9, how).rows.map(({ name }) => name);
    expect(rows({ last: PROFILER }).at(-1)).toContain("recordTrace0");
    expect(rows({ last: PROFILER, reversed: true })).toEqual(rows({ reversed: true }));
    expect(rows({ last: PROFILER }).sort()).toEqual(rows({}).sort());
  });

  it("is one frame with all below it in graphs, unless they are to show it", async () => {
    const below = "main;com.acme.Cart.check;CTimer::signalHandler;Profiler::recordSample;memcpy 5";
    const agent = "java.lang.Thread.run;com.datadog.profiling.controller.A.run;java.io.File.read 7";
    const core = await opened("self.collapsed", new TextEncoder().encode([STACKS, below, agent].join("\n")));
    const held = new HeldCore(core);
    const wanted = { profile: core.profiles()[0]!.id, measure: 0, filter: {} };
    const graph = (profiler: boolean) => {
      const { frames } = held
        .look(drawn({ ...wanted, ...foldOf({ ...LOOK, profiler }) }))
        .frames({ focus: 0, width: 1000 });
      return Array.from(frames.name, (name, row) => `${frames.names[name]} ${frames.total[row]}`).slice(1);
    };
    expect(graph(false).sort()).toEqual([
      ...["Profiler 5", "Profiler 60", "Profiler 7", "com.acme.Cart.check 45"],
      ...["java.lang.Thread.run 7", "jdk.internal.misc.Unsafe.park 10", "main 105"],
    ]);
    const shown = graph(true);
    for (const name of ["memcpy 5", "java.io.File.read 7", "CTimer::signalHandler 5"]) expect(shown).toContain(name);
    expect(shown.join()).not.toMatch(/Profiler \d/);
  });
});

describe("a lock", () => {
  it("is a finding by the time that threads waited for it, without Object.wait", async () => {
    const types = [
      ...JVM_TYPES,
      ...["jdk.JavaMonitorEnter", "jdk.JavaMonitorWait"].map((name) => event(name, [START, field("duration", "long")])),
    ];
    const lock = (startTime: bigint): Item => ({
      event: "jdk.JavaMonitorEnter",
      values: { startTime, duration: 100_000_000n },
    });
    const items = [0n, 200_000_000n, 400_000_000n, 600_000_000n].map(lock);
    const core = await opened("locks.jfr", buildChunk({ types, items }).bytes);
    const { findings } = summary(core, "lock-contention", {});
    expect(findings).toMatchObject([{ name: "Lock contention", figure: "time", tone: "warning" }]);
    expect(findings[0]!.amount).toBeGreaterThan(50);
  });
});

describe("the story of a recorded request", () => {
  it("is the same on each profile of time", async () => {
    const core = await recorded("ddagent-jdk17");
    core.views.choose(null, {}, 0);
    const [root] = core.views.rank({ kind: "local-root" }, 0, 1, { sort: "duration" }).rows;
    const filter = { localRoot: root!.id };
    const wall = summary(core, "wall", filter).story;
    expect(wall?.parts.length).toBeGreaterThan(0);
    expect(summary(core, "cpu", filter).story).toEqual(wall);
  });

  it("has the workload's functions, its endpoint and the sleeps of its database", async () => {
    const core = await recorded("dd152-jdk17-all");
    const { story, findings } = summary(core, "cpu", {});
    expect(story?.parts.map(({ name, state }) => [name, state])).toContainEqual(["demo.Ops$Db.query", "asleep"]);
    expect(story!.states.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 6);
    expect(findings.map(({ name }) => name)).toContain("Sleeping");
    const profile = core.profiles().find(({ type }) => type === "cpu")!.id;
    core.select(profile, {});
    const { rows } = core.views.rank({ kind: "local-root" }, 0, 100, { about: ["trace endpoint"] });
    for (const { id, about } of rows.slice(0, 5)) {
      const { peers, peerFilter } = summary(core, "cpu", { localRoot: id }).story!;
      expect(peers?.value).toBe(about);
      // Every request has samples, and there are 16 of each endpoint.
      expect(peers?.requests).toBe(15);
      expect(peerFilter?.not?.localRoot).toEqual([id]);
    }
  });

  it("is the same when other questions are answered between its steps", async () => {
    const core = await recorded("dd152-jdk17-all");
    const wall = core.profiles().find(({ type }) => type === "wall")!.id;
    core.select(wall, {});
    const [root] = core.views.rank({ kind: "local-root" }, 0, 1, { sort: "duration" }).rows;
    const filter: Filter = { localRoot: root!.id };
    const wanted = summary(core, "wall", filter);
    const context = { profiles: core.profiles(), marks: core.views.marks(), whole: new Map() };
    const steps = summarySteps(new HeldCore(core), why, { profile: wall, measure: 0, filter }, context);
    let step = steps.next();
    let count = 1;
    for (; step.done !== true; count++) {
      for (const { id } of core.profiles()) {
        core.select(id, { attributes: [{ key: "thread.name", value: "worker-1" }] });
        core.views.frames({ focus: 0, width: 100 });
        core.views.rank({ kind: "attribute", key: "thread.name" }, 0, 5);
      }
      step = steps.next();
    }
    expect(step.value).toEqual(wanted);
    expect(count).toBeGreaterThan(10);
  });

  it("has no attribute that is constant within the request", async () => {
    const core = await recorded("dd152-jdk17-all");
    core.views.choose(null, {}, 0);
    const { rows } = core.views.rank({ kind: "local-root" }, 0, 20);
    for (const { id } of rows) {
      const keys = summary(core, "wall", { localRoot: id }).standingOut.map(({ key }) => key);
      expect(
        keys.filter((key) => ["trace endpoint", "trace operation", "tenant", "thread.name"].includes(key)),
      ).toEqual([]);
    }
  });
});

it.each([
  ["Node", "/srv/shop/cart.mjs", "node:internal/modules/cjs/loader", "/srv/shop/node_modules/express/lib/router.js"],
  ["Python", "/srv/shop/cart.py", "/usr/lib/python3.12/threading.py", "/srv/.venv/lib/python3.12/site-packages/a.py"],
  ["Go", "/srv/shop/cart.go", "/usr/local/go/src/net/http/server.go", "/srv/go/pkg/mod/github.com/a/b@v1.0.0/b.go"],
])("the story of a program of %s is about the functions of its files", async (_, own, runtime, library) => {
  const stacks = [
    { stack: ["encode", "hash", "price", "handle", "start"], values: [60] },
    { stack: ["handle", "start"], values: [39] },
  ];
  const files = { encode: runtime, hash: own, price: own, handle: library, start: runtime };
  const core = await opened("a.pprof", pprofOf({ types: [["cpu", "nanoseconds"]], samples: stacks, files }));
  const { story } = summary(core, "cpu", {});
  expect(story?.parts).toMatchObject([{ name: "hash", caller: "price", state: "running" }]);
  expect(story?.inLibraries).toBe(false);
});

it.each([
  ["Regular expressions in Python", "Patterns compiled again", "compile", "/usr/lib/python3.12/re/_compiler.py"],
  ["JSON in Python", "JSON", "raw_decode", "/usr/lib/python3.12/json/decoder.py"],
  ["dates in Python", "Date parsing", "_strptime", "/usr/lib/python3.12/_strptime.py"],
  ["an ORM in Ruby", "Object-relational mapping", "find_by", "/srv/gems/activerecord-8.0.1/lib/active_record/core.rb"],
  ["JSON in Go", "JSON", "encoding/json.(*decodeState).object", "/usr/local/go/src/encoding/json/decode.go"],
  ["locks in Go", "Spinning for mutexes", "sync.(*Mutex).lockSlow", "/usr/local/go/src/sync/mutex.go"],
  ["the collector in Node", "Garbage collection", "(garbage collector)", ""],
  ["files in Node", "Synchronous file access", "readFileSync", "node:fs"],
  [
    "modules in PHP",
    "Module loading",
    "Composer\\Autoload\\ClassLoader::findFile",
    "/srv/vendor/composer/ClassLoader.php",
  ],
])("%s are a finding, and functions of the program with the same name are none", async (_, finding, name, file) => {
  const samples = Array.from({ length: 20 }, (_, i) => ({
    stack: i < 6 ? [name, "handle"] : ["handle"],
    values: [1],
  }));
  const found = async (files: Record<string, string>) => {
    const message = pprofOf({ types: [["cpu", "nanoseconds"]], samples, files });
    const core = await opened("a.pprof", message);
    return summary(core, "cpu", {}).findings.filter((each) => each.name === finding);
  };
  const own = { handle: "/srv/shop/cart.any" };
  const [first] = await found({ ...own, [name]: file });
  expect(first).toMatchObject({ amount: 30, tone: "warning" });
  expect(first?.pattern).not.toBe("");
  // The name alone tells as much only where it has a package.
  const isNamed = /[./\\(]|Sync$/.test(name);
  expect(await found({ ...own, [name]: "/srv/shop/cart.any" })).toHaveLength(isNamed ? 1 : 0);
});

it("application code is neither the JDK's, nor a library's, unless the user says so", () => {
  const names = [
    "java.util.HashMap.get",
    "org.apache.Foo.bar",
    "com.acme.Cart.total",
    "main",
    "libc-2.31.so.epoll_ctl",
  ];
  expect(names.map(codeOf().application)).toEqual([false, false, true, false, false]);
  expect(names.map(codeOf("org.apache.").application)).toEqual([false, true, false, false, false]);
  expect(names.map(codeOf().outsideJdk)).toEqual([false, true, true, false, false]);
});
