/** `spanflame diff` and `spanflame gate` as processes: figures, conditions, exit codes, Markdown and folders. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildChunk } from "../../../test/kit/jfr/jfr-builder.ts";
import { type CpuSample, cpuChunk, field } from "../../../test/kit/jfr/jfr-types.ts";
import { later } from "../../../test/kit/jfr/later.ts";
import { pprofOf } from "../../../test/kit/otlp/pprof-message.ts";
import { buildCli, callCli, ROOT } from "../../../test/kit/run-cli.ts";

interface Change {
  a: number;
  b: number;
  change: number;
  relative: number | null;
  significant: boolean;
}
interface Diff {
  type: string;
  unit: string;
  per: string;
  a: { files: string[]; samples: number; value: number; seconds: number | null; requests: number | null };
  b: Diff["a"];
  total: Change | null;
  rows: { name: string; nameInA?: string; self: Change | null; total: Change }[];
  changed: { rows: number; significant: number };
  conditions: { condition: string; result: string; functions: number; a: number; b: number }[];
  caveats: string[];
}

/** `count` samples with this leaf, below the frame `run`; each fourth has the same request. */
function samplesOf(count: number, className: string, method: string, endpoint = "/x"): CpuSample[] {
  const frames = [
    { className, method },
    { className: "com/acme/Main", method: "run" },
  ];
  return Array.from({ length: count }, (_, i) => {
    return { at: BigInt(i), stack: { frames }, root: BigInt(1 + (i % 4)), more: { endpoint } };
  });
}

const ENDPOINT = field("endpoint", "java.lang.String");

/** A recording of so many seconds. */
function recording(seconds: number, ...samples: CpuSample[][]): Uint8Array {
  const nanos = BigInt(seconds * 1e9);
  return buildChunk(cpuChunk(samples.flat(), { startNanos: 0n, durationNanos: nanos }, [ENDPOINT])).bytes;
}

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  await buildCli();
  folder = mkdtempSync(join(tmpdir(), "spanflame-diff-"));
  // Twice as long, with three times as many samples of Slow, and of Even as many in a second.
  const before = recording(
    10,
    samplesOf(200, "com/acme/Slow", "work"),
    samplesOf(400, "com/acme/Even", "work", "/y"),
    samplesOf(50, "com/acme/Shop$$Lambda$17/0x00007f", "run"),
  );
  const after = recording(
    20,
    samplesOf(1200, "com/acme/Slow", "work"),
    samplesOf(800, "com/acme/Even", "work", "/y"),
    samplesOf(100, "com/acme/Shop$$Lambda$99/0x0000ab", "run"),
    samplesOf(40, "com/acme/New|Class", "call"),
  );
  writeFileSync(at("before.jfr"), before);
  writeFileSync(at("after.jfr"), after);
  for (const name of ["host1", "host2"]) {
    mkdirSync(at(`runs/${name}`), { recursive: true });
    writeFileSync(at(`runs/${name}/rec.jfr`), later(before, Number(name.at(-1))));
  }
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

async function diff(...args: string[]): Promise<{ code: number | null; answer: Diff }> {
  const { code, out, err } = await callCli(["diff", ...args, "--json"], { cwd: folder });
  if (out.length === 0) throw new Error(err);
  return { code, answer: JSON.parse(out.toString()) };
}

const both = ["before.jfr", "after.jfr"];

describe("diff", () => {
  it("compares values per second, and finds the functions that changed", async () => {
    const { code, answer } = await diff(...both);
    expect(code).toBe(0);
    expect(answer).toMatchObject({ type: "cpu", unit: "samples", per: "second" });
    expect(answer.a).toMatchObject({ files: ["before.jfr"], samples: 650, value: 650, seconds: 10, requests: 4 });
    expect(answer.b).toMatchObject({ files: ["after.jfr"], samples: 2140, seconds: 20, requests: 4 });
    expect(answer.total).toMatchObject({ a: 65, b: 107, change: 42, significant: true });
    const row = (name: string) => answer.rows.find((each) => each.name === name);
    expect(row("com.acme.Slow.work")?.self).toMatchObject({ a: 20, b: 60, relative: 2, significant: true });
    expect(row("com.acme.Even.work")?.self).toMatchObject({ a: 40, b: 40, change: 0, significant: false });
    expect(row("com.acme.New|Class.call")?.self).toMatchObject({ a: 0, b: 2, relative: null, significant: true });
    expect(row("com.acme.Main.run")).toMatchObject({ self: { a: 0, b: 0 }, total: { a: 65, b: 107 } });
    expect(answer.rows[0]?.name).toBe("com.acme.Slow.work");
    expect(answer.changed).toEqual({ rows: 5, significant: 3 });
  });

  it("takes generated names of both runs for one function", async () => {
    const { answer } = await diff(...both);
    const lambda = answer.rows.find(({ name }) => name.includes("Lambda"));
    expect(lambda).toMatchObject({ name: "com.acme.Shop$$Lambda.run", self: { a: 5, b: 5, significant: false } });
    expect((await diff(...both, "--raw-names")).answer.rows.filter(({ name }) => name.includes("Lambda"))).toHaveLength(
      2,
    );
  });

  it("treats code that a compiler renumbered as one function, by what it calls", async () => {
    const stack = (number: number, callee: string, count: number) => `main;S.lambda$run$${number};${callee} ${count}`;
    const lines = (...of: string[]) => `${of.join("\n")}\n`;
    writeFileSync(at("one.txt"), lines(stack(1, "parse", 100), stack(2, "draw", 300)));
    writeFileSync(at("two.txt"), lines(stack(1, "log", 100), stack(2, "parse", 100), stack(3, "draw", 800)));
    const { answer } = await diff("one.txt", "two.txt");
    const rows = answer.rows.filter(({ name }) => name.startsWith("S."));
    expect(rows.map(({ name, nameInA, total }) => [name, nameInA, total.a, total.b])).toEqual([
      ["S.lambda$run$1", undefined, 0, 0.1],
      ["S.lambda$run$2", "S.lambda$run$1", 0.25, 0.1],
      ["S.lambda$run$3", "S.lambda$run$2", 0.75, 0.8],
    ]);
    const raw = (await diff("one.txt", "two.txt", "--raw-names")).answer.rows;
    expect(raw.filter(({ nameInA }) => nameInA !== undefined)).toEqual([]);
    expect(raw.find(({ name }) => name === "S.lambda$run$1")?.total).toMatchObject({ a: 0.25, b: 0.1 });

    const out = async (...args: string[]) =>
      (await callCli(["diff", "one.txt", "two.txt", ...args], { cwd: folder })).out.toString();
    expect(await out()).toContain("S.lambda$run$2 (A: S.lambda$run$1)\n");
    expect(await out("--markdown")).toContain("| `S.lambda$run$2` (A: `S.lambda$run$1`) | 0 % | 0 % |");
    // A condition selects by the name of either side.
    const conditions = ["total(S.lambda$run$3) < 99%", "total(/n.1$/) < 99%", "self(/run/) < 1%"];
    const judged = (await diff("one.txt", "two.txt", ...conditions.flatMap((each) => ["--fail-if", each]))).answer;
    expect(judged.conditions).toMatchObject([
      { functions: 1, a: 0.75, b: 0.8 },
      { functions: 2, a: 0.25, b: 0.2 },
      { functions: 3, a: 0, b: 0 },
    ]);
  });

  it("compares per request and by shares, by endpoint and under filters", async () => {
    expect((await diff(...both, "--per", "request")).answer.total).toMatchObject({ a: 650 / 4, b: 2140 / 4 });
    const shares = (await diff(...both, "--per", "share")).answer;
    expect(shares.total).toBeNull();
    expect(shares.rows[0]).toMatchObject({ name: "com.acme.Slow.work", self: { a: 200 / 650, b: 1200 / 2140 } });
    const { rows } = (await diff(...both, "--by", "endpoint")).answer;
    expect(rows).toMatchObject([
      { name: "/x", self: null, total: { a: 25, b: 67, significant: true } },
      { name: "/y", self: null, total: { a: 40, b: 40, significant: false } },
    ]);
    const { answer } = await diff(...both, "--attr", "endpoint=/y");
    expect(answer.rows.map(({ name }) => name).sort()).toEqual(["com.acme.Even.work", "com.acme.Main.run"]);
  });

  it("adds up the recordings of a folder, and takes one of them with --file", async () => {
    const { answer } = await diff("runs", "before.jfr");
    expect(answer.a).toMatchObject({ files: ["runs/host1/rec.jfr", "runs/host2/rec.jfr"], samples: 1300, seconds: 20 });
    expect(answer.total).toMatchObject({ a: 65, b: 65, significant: false });
    expect(answer.changed.significant).toBe(0);
    const one = (await diff("runs", "runs", "--file", "runs/host2")).answer;
    expect([one.a.samples, one.a.seconds]).toEqual([650, 10]);
  });

  it("of a message without durations compares shares", async () => {
    const { out } = await callCli(["convert", at("before.jfr"), "-o", at("before.pb"), "-q"]);
    expect(out.length).toBe(0);
    const { answer } = await diff("before.pb", "after.jfr");
    expect([answer.per, answer.a.seconds]).toEqual(["share", null]);
    expect(answer.caveats).toContain("A duration is unknown, so shares are compared.");
    const { code, err } = await callCli(["diff", at("before.pb"), at("after.jfr"), "--per", "second"]);
    expect([code, err]).toEqual([2, "spanflame: --per second: the duration of A is unknown\n"]);
  });

  it.each([
    [["before.jfr"], 2, "diff needs two recordings or folders: spanflame diff before.jfr after.jfr"],
    [["before.jfr", "missing.jfr"], 1, "B has no samples of cpu under the filters"],
    [[...both, "--frame", "Nosuch"], 1, "A has no samples of cpu under the filters"],
    [[...both, "--type", "lock-contention"], 1, "A and B have no samples of this type"],
    [[...both, "--by", "thread"], 2, '--by: "thread" is not one of function, endpoint'],
    [[...both, "--fail-if", "self() > 5 parsecs"], 2, "--fail-if: parsecs: is no unit; the units are %, pp, ns"],
    [[...both, "--fail-if", "self(/(/) > +5%"], 2, "--fail-if: self(/(/) > +5%: missing closing )"],
    [[...both, "--fail-if", "self() > +5ms"], 2, "--fail-if: self() > +5ms: values of cpu are counts"],
    [[...both, "--conditions", "none.txt"], 2, "--conditions: none.txt: there is no such file"],
  ])("%j ends with %i: %s", async (args, code, words) => {
    const ended = await callCli(["diff", ...args], { cwd: folder });
    expect([ended.code, ended.err]).toEqual([code, expect.stringContaining(words)]);
  });
});

describe("conditions", () => {
  it.each([
    ["self(com.acme.Slow.*) > +5%", 4, "failed", 1],
    ["self(com.acme.Even.*) > +5%", 0, "passed", 1],
    ["total(com.acme.*) > +50%", 4, "failed", 5],
    ["total(com.acme.Main.run) > +64%", 0, "unsure", 1],
    ["self() > 100", 4, "failed", 5],
    ["self(com.acme.Slow.work) > 50%", 4, "failed", 1],
    ["self(com.acme.Slow.work) > +2pp", 4, "failed", 1],
    ["total(com.acme.Even.work) < -10%", 0, "passed", 1],
    ["self(com.acme.slow.work) > +5%", 0, "passed", 0],
  ])("%s: exit code %i", async (condition, code, result, functions) => {
    const ended = await diff(...both, "--fail-if", condition);
    expect([ended.code, ended.answer.conditions[0]]).toMatchObject([code, { condition, result, functions }]);
    const nothing = `${condition} selects no function of A or B.`;
    if (functions === 0) expect(ended.answer.caveats).toContain(nothing);
    else expect(ended.answer.caveats).not.toContain(nothing);
  });

  it("of a gate are refused where they select nothing, unless that is allowed", async () => {
    const idle = ["gate", ...both, "--fail-if", "self(com.acmee.*) > +5%"];
    const { code, err } = await callCli(idle, { cwd: folder });
    expect([code, err]).toEqual([2, expect.stringContaining("self(com.acmee.*) > +5% selects no function of A or B")]);
    expect((await callCli([...idle, "--allow-empty"], { cwd: folder })).code).toBe(0);
    expect((await callCli(["gate", ...both, "--fail-if", "self() > 100"], { cwd: folder })).code).toBe(4);
  });

  it("fail if one of several fails, of arguments and of a file", async () => {
    writeFileSync(at("limits.txt"), "# limits\n\nself(com.acme.Even.*) > +5%\nself(com.acme.Slow.*) > +5%\n");
    const gate = async (...args: string[]) => callCli(["gate", ...both, ...args], { cwd: folder });
    const { code, out } = await gate("--conditions", "limits.txt", "--fail-if", "total() > +500%");
    expect(code).toBe(4);
    const lines = out.toString().trimEnd().split("\n");
    expect(lines.slice(-4)).toEqual([
      "passed: total() > +500%: A 65/s, B 107/s, limit 390/s",
      "passed: self(com.acme.Even.*) > +5%: A 40/s, B 40/s, limit 42/s",
      "failed: self(com.acme.Slow.*) > +5%: A 20/s, B 60/s, limit 21/s",
      "Failed: 1 of 3 conditions.",
    ]);
    expect((await gate("--fail-if", "total() > +500%")).code).toBe(0);
    expect(await gate()).toMatchObject({ code: 2, err: expect.stringContaining("gate needs a condition") });
  });
});

it("the Markdown has the verdict, the conditions, the changes, and the recordings", async () => {
  const args = ["diff", ...both, "--markdown", "--fail-if", "self(com.acme.Slow.*) > +5%"];
  const { code, out } = await callCli(args, { cwd: folder });
  expect(code).toBe(4);
  expect(out.toString()).toBe(`<!-- spanflame -->
### cpu samples per second: +64.6 % ± 14.5 %

**Failed: 1 of 1 condition.**

| Condition | A | B | limit of B | Result |
|---|--:|--:|--:|---|
| \`self(com.acme.Slow.*) > +5%\` | 20/s | 60/s | 21/s | failed |

| Function | self A | self B | change of self | change of total |
|---|--:|--:|--:|--:|
| \`com.acme.Slow.work\` | 20/s | 60/s | **+200.0 % ± 45.0 %** | **+200.0 % ± 45.0 %** |
| \`com.acme.New\\|Class.call\` | 0/s | 2/s | **new (± 0.657/s)** | **new (± 0.657/s)** |
| \`com.acme.Main.run\` | 0/s | 0/s | unchanged | **+64.6 % ± 14.5 %** |

<details><summary>Recordings and caveats</summary>

- A: \`before.jfr\`: 10 s, 650 samples, 4 requests; heaviest local root \`0x0000000000000001\`
- B: \`after.jfr\`: 20 s, 2,140 samples, 4 requests; heaviest local root \`0x0000000000000001\`
- Heaviest local root of \`com.acme.Slow.work\` in B: \`0x0000000000000001\`
- Heaviest local root of \`com.acme.New\\|Class.call\` in B: \`0x0000000000000001\`
- Heaviest local root of \`com.acme.Main.run\` in B: \`0x0000000000000001\`
- Errors are 95 % sampling errors; runs of one program can differ by more.

</details>
`);
});

it("samples without a stack have a row, and a count is a number of samples", async () => {
  const summed = (plain: number, stackless: number) =>
    pprofOf({
      types: [["samples", "count"]],
      samples: [
        { stack: ["leaf"], values: [plain] },
        { stack: [], values: [stackless] },
      ],
    });
  writeFileSync(at("a.pprof"), summed(500, 100));
  writeFileSync(at("b.pprof"), summed(500, 300));
  const { answer } = await diff("a.pprof", "b.pprof");
  expect([answer.a.samples, answer.b.samples]).toEqual([600, 800]);
  const shares = answer.rows.map(({ name, self, total }) => [name, self?.a, self?.b, total.a, self?.significant]);
  expect(shares.sort()).toEqual([
    ["(no stack)", 1 / 6, 3 / 8, 1 / 6, true],
    ["leaf", 5 / 6, 5 / 8, 5 / 6, true],
  ]);
  // Conditions are about functions.
  const condition = "self(l*) > +1%";
  const { conditions } = (await diff("a.pprof", "b.pprof", "--fail-if", condition)).answer;
  expect(conditions).toMatchObject([{ functions: 1, a: 5 / 6, b: 5 / 8 }]);
});

it("the text has a table of the changes", async () => {
  const { out } = await callCli(["diff", join(ROOT, "fixtures/shop-chunks.jfr"), join(ROOT, "fixtures/shop.jfr")]);
  expect(out.toString()).toContain("No function changed significantly.");
});

it("compares profiles of one kind, whatever their producers call their types", async () => {
  const from = "fixtures/recorded/dd152-jdk17-all.jfr";
  const folder = mkdtempSync(join(tmpdir(), "spanflame-kinds-"));
  try {
    const to = join(folder, "otel.pb");
    expect((await callCli(["convert", from, "-o", to, "--preset", "otel", "-q"])).code).toBe(0);
    for (const type of ["cpu", "wall", "alloc-samples"]) {
      const { out, code } = await callCli(["diff", from, to, "--type", type, "--json"]);
      const { a, b, total, changed } = JSON.parse(String(out)) as Diff;
      expect([type, code, b.samples, b.value]).toEqual([type, 0, a.samples, a.value]);
      expect([total?.change, changed.significant]).toEqual([0, 0]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
