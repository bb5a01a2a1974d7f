/** Node programs with the built recorder: samples, parts and ends. endpoints.test.ts has their requests. */
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildOnce, ROOT } from "../../test/kit/build-once.ts";
import { answer, serve, silence } from "../../test/kit/http/server.ts";
import { importsOf, resolveFrom } from "../../test/kit/imports.ts";
import { openRecording } from "../../test/kit/open-recording.ts";
import {
  type Ended,
  IMPORTS,
  opened as openedAt,
  PRELOADED,
  program,
  run,
  within,
} from "../../test/kit/record/programs.ts";
import { validate } from "../library/validate.ts";

let folder: string;
beforeAll(async () => {
  await buildOnce("library");
  folder = await mkdtemp(join(tmpdir(), "spanflame-record-"));
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

const opened = (name: string) => openedAt(at(name));
const at = (name: string) => join(folder, name);

describe("a sample", () => {
  it.each([99, 1000])("has the span and the attributes of the slice that it fell into, at %i Hz", async (hz) => {
    const env = { SPANFLAME_RECORD_FILE: at(`slices-${hz}.pb`), SPANFLAME_RECORD_ATTRIBUTES: "way,step" };
    const { stdout, stderr, code } = await run([...PRELOADED, "test/kit/record/workload.mjs"], {
      ...env,
      SPANFLAME_RECORD_HZ: String(hz),
    });
    expect([code, stderr]).toEqual([0, ""]);
    const slices = (JSON.parse(stdout) as [string, string, string, string][]).map(
      ([begin, end, span, step]) => [BigInt(begin), BigInt(end), BigInt(span), step] as const,
    );
    const wrong: unknown[] = [];
    let checked = 0;
    const samples = within(await opened(`slices-${hz}.pb`), "slice").sort((a, b) => Number(a.time - b.time));
    let next = 0;
    for (const { time, link, attributes } of samples) {
      while (next < slices.length && (slices[next]?.[1] ?? 0n) < time) next++;
      const [begin = 0n, end = 0n, span = 0n, step = ""] = slices[next] ?? [];
      // Closer to an end, it may belong to either side.
      if (time < begin + EDGE || time > end - EDGE) continue;
      checked++;
      const seen = [link?.span ?? 0n, String(attributes.step ?? "")];
      const isRight = seen[0] === span && seen[1] === step && (span === 0n || link?.trace === traceOf(span));
      if (!isRight) wrong.push({ time, seen, span, step });
    }
    expect(checked).toBeGreaterThan(hz === 99 ? 8 : 80);
    expect(wrong).toEqual([]);
  });

  it("has its own span where the thread waits for a processor while the recorder reads the clocks", async () => {
    const text = `
      const { bigint } = process.hrtime;
      let calls = 0;
      process.hrtime.bigint = () => { if (calls++ === 0) burn(100); return bigint(); };
      await start({ hz: 1000 });
      function work() { burn(80); }
      function other() { burn(80); }
      other();
      context.with({ span: 9n }, work);
      const recording = await stop();
      const spansIn = (name) => new Set([...recording.select("cpu").samples()]
        .filter(({ stack }) => stack.frames.some((frame) => frame.function === name)).map(({ link }) => link?.span));
      console.log(calls > 0, spansIn("work"), spansIn("other"));`;
    expect(await run(program(text))).toMatchObject({ stdout: "true Set(1) { 9n } Set(1) { undefined }\n", stderr: "" });
  });

  it("of a collection is on the stack of the code that it interrupted, and the span's", async () => {
    const text = `
      await start({ hz: 1000 });
      let kept;
      function fill() {
        for (const end = performance.now() + 600; performance.now() < end; ) {
          kept = [];
          for (let i = 0; i < 20_000; i++) kept.push({ i });
        }
      }
      context.with({ span: 9n }, fill);
      const recording = await stop();
      const samples = [...recording.select("cpu").samples()];
      const named = samples.map(({ stack, link }) => [link?.span, ...stack.frames.map((frame) => frame.function)]);
      const collected = named.filter(([span, leaf]) => span === 9n && leaf === "(garbage collector)");
      const share = collected.filter((names) => names.length > 3).length / collected.length;
      const others = samples.filter(({ stack, link }) => link && stack.frames[0].function === "(program)");
      console.log(collected.length > 5, share > 0.9, others.length);`;
    expect(await run(program(text))).toMatchObject({ stdout: "true true 0\n", stderr: "" });
  });

  it("has the root of its http request where there is no tracer, and the trace that the caller names", async () => {
    const text = `
      import http from "node:http";
      const server = http.createServer(async (request, response) => {
        burn(100); await sleep(1); burn(100); response.end();
      }).listen(0, "127.0.0.1", async () => {
        const url = "http://127.0.0.1:" + server.address().port + "/cart?x=1";
        const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        await Promise.all([fetch(url), fetch(url), fetch(url, { headers: { traceparent } })]);
        server.close(); server.closeAllConnections();
        burn(300);
      });`;
    await writeFile(at("server.mjs"), `${IMPORTS.split("\n").slice(1).join("\n")}\n${text}`);
    const env = { SPANFLAME_RECORD_FILE: at("http.pb") };
    const ended = await run([...PRELOADED, at("server.mjs")], { ...env, SPANFLAME_RECORD_ATTRIBUTES: "url.path" });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const samples = within(await opened("http.pb"), "burn");
    const linked = samples.filter(({ link }) => link !== null);
    expect(new Set(linked.map(({ link }) => link?.span)).size).toBe(3);
    expect(new Set(linked.map(({ attributes }) => attributes["url.path"]))).toEqual(new Set(["/cart"]));
    expect(new Set(linked.map(({ link }) => link?.trace))).toContain(0x0af7651916cd43dd8448eb211c80319cn);
    expect(samples.length).toBeGreaterThan(linked.length);
  });

  it("has the active span of OpenTelemetry, with the root of its spans", async () => {
    // The API's global object, and a context manager and spans as the SDK makes them.
    const text = `
      import { AsyncLocalStorage } from "node:async_hooks";
      await start({ hz: 1000 });
      const SPAN = Symbol.for("OpenTelemetry Context Key SPAN");
      const contextOf = (span) => ({ getValue: (key) => (key === SPAN ? span : undefined) });
      const spanOf = (spanId, parent, isRemote) => ({
        spanContext: () => ({ spanId, traceId: "0af7651916cd43dd8448eb211c80319c" }),
        ...(parent && { parentSpanContext: { spanId: parent, isRemote } }),
      });
      const storage = new AsyncLocalStorage();
      const api = (globalThis[Symbol.for("opentelemetry.js.api.1")] ??= { version: "1.9.0" });
      api.context = { with: (context, fn, thisArg, ...args) => storage.run(context, fn.bind(thisArg), ...args) };
      const server = contextOf(spanOf("00000000000000a1", "00000000000000ff", true));
      const inner = contextOf(spanOf("00000000000000a2", "00000000000000a1"));
      function outerWork() { burn(150); } function innerWork() { burn(150); } function background() { burn(150); }
      function ownWork() { burn(150); }
      const result = await api.context.with(server, async function (a) {
        outerWork();
        await api.context.with(inner, async () => { await sleep(1); innerWork(); context.with({ span: 5n }, ownWork); });
        api.context.with(contextOf(undefined), background);
        return this.x + a;
      }, { x: 1 }, 2);
      const written = await stop();
      for (const { stack, link, attributes } of written.select("cpu").samples()) {
        const name = stack.frames.map((frame) => frame.function).find((name) => /Work|background/.test(name));
        const root = attributes["datadog.local_root_span_id"]?.replace(/^0+/, "");
        if (name) console.log(name, link ? [link.span.toString(16), root, link.trace.toString(16)].join(" ") : "none");
      }
      console.log("result", result);`;
    const { stdout, stderr } = await run(program(text));
    expect(stderr).toBe("");
    const trace = "af7651916cd43dd8448eb211c80319c";
    expect([...new Set(stdout.trim().split("\n"))].sort()).toEqual([
      "background none",
      `innerWork a2 a1 ${trace}`,
      `outerWork a1 a1 ${trace}`,
      `ownWork 5 a1 ${trace}`,
      "result 3",
    ]);
  });
});

describe("a message", () => {
  it("states process, thread and period, and the time since the sample before as value", async () => {
    const env = { SPANFLAME_RECORD_FILE: at("%p-%t-%n.pb"), OTEL_RESOURCE_ATTRIBUTES: "service.name=shop,a=b%20c" };
    const { stderr } = await run([...PRELOADED, ...program("burn(400); await sleep(200); burn(100);")], env);
    expect(stderr).toBe("");
    const name = (await readdir(folder)).find((each) => /^\d+-0-1\.pb$/.test(each)) ?? "";
    const recording = await opened(name);
    expect(recording.files[0]?.resource).toMatchObject({
      "service.name": "shop",
      a: "b c",
      "process.runtime.name": "nodejs",
    });
    const [cpu] = recording.profiles;
    expect([cpu?.type, cpu?.period]).toEqual(["cpu", 2_000_000n]);
    const samples = within(recording, "burn");
    expect(samples[0]?.thread).toMatchObject({ name: "main", id: "0" });
    expect([...recording.select("cpu").samples()].some(({ stack }) => stack.frames[0]?.function === "(idle)")).toBe(
      false,
    );
    expect(await validate(await readFile(at(name)))).toMatchObject({ valid: true });
  });

  it("has objects that live, without time and span, if that is asked for", async () => {
    const text = `
      await start({ profiles: ["cpu", "live-heap"] });
      const kept = [];
      function fill() { for (let i = 0; i < 200; i++) kept.push(new Array(10_000).fill(i)); }
      context.with({ span: 3n }, fill);
      const recording = await stop();
      const samples = [...recording.select("live-heap").samples()];
      const own = samples.filter(({ stack }) => stack.frames.some((frame) => frame.function === "fill"));
      console.log(own.length > 0, own.every(({ time, link }) => time === 0n && link === null), kept.length);`;
    expect(await run(program(text))).toMatchObject({ stdout: "true true 200\n", stderr: "", code: 0 });
  });

  it("is one of each thread", async () => {
    const text = `
      import { Worker } from "node:worker_threads";
      burn(300);
      new Worker("(" + burn + ")(300)", { eval: true });`;
    await run([...PRELOADED, ...program(text)], { SPANFLAME_RECORD_FILE: at("thread.pb") });
    expect(within(await opened("thread.pb"), "burn").length).toBeGreaterThan(0);
    const [first] = within(await opened("thread-t1.pb"), "burn");
    expect(first?.thread).toMatchObject({ name: "worker-1", id: "1" });
  });

  it("is in a file that no other part, recording, thread or process of the run replaces", async () => {
    await writeFile(at("own.pb"), "of an earlier run");
    const text = `${IMPORTS}
      import { execFileSync } from "node:child_process";
      import { isMainThread, Worker } from "node:worker_threads";
      const file = process.env.OWN;
      for (let i = 0; i < 2; i++) { await start({ file }); burn(20); await flush(); burn(20); await stop(); }
      if (isMainThread && process.argv[2] !== "child") {
        execFileSync(process.execPath, [process.argv[1], "child"]);
        const both = [1, 2].map(() => new Worker(new URL(import.meta.url)));
        await Promise.all(both.map((each) => new Promise((done) => each.on("exit", done))));
      }`;
    await writeFile(
      at("own.mjs"),
      text.replace("spanflame/record", pathToFileURL(join(ROOT, "dist-lib/record.js")).href),
    );
    expect(await run([at("own.mjs")], { OWN: at("own.pb") })).toMatchObject({ code: 0, stderr: "" });
    const files = (await readdir(folder)).filter((name) => /^own.*pb$/.test(name));
    const of = (mark: string) => ["", "-2", "-3", "-4"].map((part) => `own${mark}${part}.pb`);
    const child =
      files
        .find((name) => name.startsWith("own-p"))
        ?.slice(3)
        .split(/[-.]/)[1] ?? "";
    expect(files.sort()).toEqual([...of(""), ...of("-t1"), ...of("-t2"), ...of(`-${child}`)].sort());
    await Promise.all(files.map(opened));
  });

  it("is sent to a receiver, each part and the last one", async () => {
    const server = await serve(answer(200));
    const text = "await start({ push: process.env.URL, hz: 500 }); burn(300); await flush(); burn(300);";
    const ended = await run(program(text), { URL: server.url });
    await server.close();
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(server.received.map(({ path }) => path)).toEqual(new Array(2).fill("/v1development/profiles"));
    for (const { body } of server.received) {
      const recording = await openRecording({ name: "part", data: body });
      expect(within(recording, "burn").length).toBeGreaterThan(0);
    }
  });
});

it("what a receiver answers is printed without signs that move a terminal", async () => {
  const error = JSON.stringify({ partialSuccess: { rejectedProfiles: "1", errorMessage: "full\u001b[2J\nnow" } });
  const server = await serve(answer(200, error, { "content-type": "application/json" }));
  const { code, stderr } = await run(program("await start({ push: process.env.URL }); burn(50);"), { URL: server.url });
  await server.close();
  expect(code).toBe(0);
  expect(stderr).toContain("the receiver did not take a part: full\\u001b[2J\\u000anow\n");
});

it("a recording begins without the library and the core", () => {
  const seen = new Set<string>();
  const follow = (file: string) => {
    if (seen.has(file) || !file.startsWith("src/")) return;
    seen.add(file);
    for (const { specifier, typeOnly, isLazy } of importsOf(readFileSync(join(ROOT, file), "utf8")))
      if (!typeOnly && !isLazy) follow(resolveFrom(file, specifier));
  };
  follow("src/record/index.ts");
  expect(
    [...seen].filter((file) => /^src\/(library\/(index|open|load-core)|core\/core|push\/push)\.ts/.test(file)),
  ).toEqual([]);
});

it("a receiver that hangs does not keep a program that ends", async () => {
  const server = await serve(silence);
  const text =
    "await start({ push: process.env.URL }); burn(30); process.kill(process.pid, 'SIGTERM'); await sleep(60_000);";
  const ended = await run(program(text), { URL: server.url });
  await server.close();
  expect(ended).toMatchObject({ signal: "SIGTERM", stderr: expect.stringContaining("the program has ended") });
}, 20_000);

it("two templates that give the same name write separate files", async () => {
  const text =
    "for (const file of process.env.NAMES.split(' ')) { await start({ file }); await flush(); await stop(); }";
  const names = ["same.pb", "./same.pb", "same-2.pb"].map((name) => `${folder}/${name}`);
  expect(await run(program(text), { NAMES: names.join(" ") })).toMatchObject({ code: 0, stderr: "" });
  const files = (await readdir(folder)).filter((name) => name.startsWith("same"));
  expect(files.sort()).toEqual(["-2-2", "-2-3", "-2", "-3", "-4", ""].map((mark) => `same${mark}.pb`));
});

it("the example is recorded with its requests and tenants", async () => {
  const env = { SPANFLAME_RECORD_FILE: at("service.pb"), SPANFLAME_RECORD_ATTRIBUTES: "http.route,tenant" };
  expect(await run([...PRELOADED, "examples/record/service.mjs", "20"], env)).toMatchObject({ code: 0, stderr: "" });
  const samples = within(await opened("service.pb"), "price");
  expect(samples.length).toBeGreaterThan(0);
  expect(new Set(samples.map(({ link }) => link?.trace !== undefined))).toEqual(new Set([true]));
  const tenants = samples.flatMap(({ attributes }) => attributes.tenant ?? []);
  expect(new Set(tenants)).toEqual(new Set(["eu", "us"]));
  // A sample that meets the change of a context has that around it: on a busy machine one of some.
  expect(tenants.length).toBeGreaterThan(0.8 * samples.length);
});

describe("the end of a program", () => {
  const ENDS: [name: string, text: string, ended: Partial<Ended>][] = [
    ["the end of its event loop", "", { code: 0 }],
    ["process.exit", "process.exit(7);", { code: 7 }],
    ["an uncaught error", "throw new Error('seven');", { code: 1 }],
    ["SIGTERM", "process.kill(process.pid, 'SIGTERM'); await sleep(10_000);", { signal: "SIGTERM" }],
    ...(["SIGHUP", "SIGQUIT", "SIGUSR2"] as const).map((signal): (typeof ENDS)[number] => [
      signal,
      `process.kill(process.pid, '${signal}'); await sleep(10_000);`,
      { signal },
    ]),
    [
      "a signal that it handles once, and sends again",
      `process.once("SIGTERM", () => setTimeout(() => process.kill(process.pid, "SIGTERM"), 10));
      process.kill(process.pid, "SIGTERM"); await sleep(10_000);`,
      { signal: "SIGTERM" },
    ],
    [
      "a signal by a handler that counts the others, as signal-exit does",
      `const listeners = [];
      globalThis[Symbol.for("signal-exit emitter")] = { on: (_, then) => listeners.push(then) };
      process.on("SIGTERM", function own() {
        if (process.listeners("SIGTERM").length !== 1) return;
        process.off("SIGTERM", own);
        for (const each of listeners) each();
        process.kill(process.pid, "SIGTERM");
      });
      process.kill(process.pid, "SIGTERM"); await sleep(10_000);`,
      { signal: "SIGTERM" },
    ],
    [
      "a signal that it handles",
      "process.on('SIGINT', () => process.exit(3)); process.kill(process.pid, 'SIGINT'); await sleep(10_000);",
      { code: 3 },
    ],
  ];
  it.each(ENDS)("by %s leaves a whole file and its code", async (name, text, wanted) => {
    const file = `end ${name}.pb`;
    const ended = await run([...PRELOADED, ...program(`burn(300); ${text}`)], { SPANFLAME_RECORD_FILE: at(file) });
    expect(ended).toMatchObject(wanted);
    expect(within(await opened(file), "burn").length).toBeGreaterThan(0);
  });

  const LAST: [name: string, text: string, code: number][] = [
    ["an uncaught error", "throw new Error('seven');", 1],
    ["a rejection", "await Promise.reject(new Error('seven'));", 1],
    ["process.exit", "process.exit(7);", 7],
  ];
  it.each(LAST)("by %s sends the last part to a receiver", async (_, text, code) => {
    const server = await serve(answer(200));
    const env = { SPANFLAME_RECORD_PUSH: server.url };
    const ended = await run([...PRELOADED, ...program(`burn(300); ${text}`)], env);
    await server.close();
    expect([ended.code, ended.stderr.includes("SPANFLAME")]).toEqual([code, false]);
    expect(server.received.map(({ path }) => path)).toEqual(["/v1development/profiles"]);
    const recording = await openRecording({ name: "last", data: server.received[0]!.body });
    expect(within(recording, "burn").length).toBeGreaterThan(0);
    // The server has ended: the program ends as without it, with a warning.
    const alone = await run([...PRELOADED, ...program(`burn(30); ${text}`)], env);
    expect(alone.code).toBe(code);
    expect(alone.stderr).toContain("[SPANFLAME_RECORD] Warning: the receiver did not take the last part");
  });

  it("is not disturbed by a file that cannot be written, or by an option that is wrong", async () => {
    const lost = await run([...PRELOADED, ...program("burn(30);")], { SPANFLAME_RECORD_FILE: at("no/such/folder.pb") });
    expect(lost.code).toBe(0);
    expect(lost.stderr).toContain("[SPANFLAME_RECORD]");
    execFileSync("mkfifo", [at("pipe.pb")]);
    const piped = await run([...PRELOADED, ...program("burn(30);")], { SPANFLAME_RECORD_FILE: at("pipe.pb") });
    expect([piped.code, piped.stderr.includes("pipe.pb is a pipe; the recorder writes files")]).toEqual([0, true]);
    const wrong = await run([...PRELOADED, ...program("console.log(recorder.recording);")], {
      SPANFLAME_RECORD_HZ: "fast",
    });
    expect(wrong).toMatchObject({ code: 0, stdout: "false\n" });
    expect(wrong.stderr).toContain("hz is a whole number from 1 to 1000, not NaN");
  });
});

describe("a context", () => {
  it("is the same without a recording, and gives what its function gives", async () => {
    const text = `
      const seen = await context.with({ span: 1n, attributes: { a: 1, b: "x".repeat(300) } }, async (n) => {
        await sleep(1);
        context.set("c", true); context.clear("a");
        return [n, context.current()];
      }, 5);
      const { attributes, ...ids } = seen[1];
      const bound = context.with({ span: 2n }, () => context.bind(() => context.current().span));
      const faults = [{ span: 0n }, { span: 1 }, { trace: 1n << 128n }, { attributes: { a: {} } }, { spam: 1n }]
        .map((value) => { try { return context.with(value, () => "called"); } catch (error) { return error.code; } });
      console.log(JSON.stringify([seen[0], ids, { ...attributes, b: attributes.b.length }, bound(), faults,
        context.set("a", 1), context.clear("a"), context.current(), recorder.recording],
        (_, value) => (typeof value === "bigint" ? String(value) : value)));`;
    const { stdout, stderr } = await run(program(text));
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual([
      5,
      { span: "1", localRoot: "1", trace: null },
      { b: 256, c: true },
      "2",
      ["option.id", "option.id", "option.id", "option.value", "option.unknown"],
      ...[false, false, null, false],
    ]);
  });

  it("that only the runtime goes on with is not named", async () => {
    const text = `
      const json = "[" + "1,".repeat(2e6) + "1]";
      await start({ hz: 1000 });
      context.with({ span: 1n }, () => setTimeout(JSON.parse, 40, json));
      await sleep(300);
      const recording = await stop();
      const samples = [...recording.select("cpu").samples()];
      console.log(samples.some(({ link }) => link?.span === 1n));`;
    expect(await run(program(text))).toMatchObject({ stdout: "true\n", stderr: "" });
  });

  it("that outlives its function is named once, and so is an attribute that is no slot", async () => {
    const text = `
      await start({ hz: 500, attributes: ["http.route"] });
      const later = () => setTimeout(burn, 40, 200);
      context.with({ span: 1n, attributes: { "http.route": "/late", secret: 1 } }, later);
      for (let i = 0; i < 300; i++) await context.with({ span: 3n }, async () => {});
      await sleep(300);
      await context.with({ span: 4n, attributes: { "http.route": "/async" } }, async () => void later());
      await context.with({ span: 2n, attributes: { "http.route": "/kept" } }, () => sleep(20).then(() => burn(40)));
      await sleep(300);
      await stop();`;
    const { stderr } = await run(program(text));
    expect(stderr.match(/\[SPANFLAME_CONTEXT_LATE\][^\n]*/g)).toEqual(
      ["/late", "/async"].map((route) => expect.stringContaining(route)),
    );
    expect(stderr.match(/\[SPANFLAME_RECORD\][^\n]*/g)).toEqual([expect.stringContaining("secret")]);
  });

  it("is that of before after an error, and beside promises that never settle", async () => {
    const text = `
      await start({ hz: 500 });
      const never = Array.from({ length: 20_000 }, (_, i) => context.with({ span: BigInt(i + 1) }, () => new Promise(() => {})));
      const codes = [];
      function outer() { burn(200); }
      await context.with({ span: 70_000n }, async () => {
        await context.with({ span: 70_001n }, async () => { throw new Error("async"); }).catch((e) => codes.push(e.message));
        try { context.with({ span: 70_002n }, () => { throw new Error("sync"); }); } catch (e) { codes.push(e.message); }
        outer();
        codes.push(String(context.current().span));
      });
      function none() { burn(200); }
      none();
      const recording = await stop();
      const spansIn = (name) => [...new Set([...recording.select("cpu").samples()]
        .filter(({ stack }) => stack.frames.some((frame) => frame.function === name)).map(({ link }) => String(link?.span)))];
      console.log(codes.join(), spansIn("outer"), spansIn("none"), never.length);`;
    const { stdout, stderr } = await run(program(text));
    expect([stdout, stderr]).toEqual(["async,sync,70000 [ '70000' ] [ 'undefined' ] 20000\n", ""]);
  });

  it("begins and ends with an error code where the recorder is asked in the wrong order", async () => {
    const text = `
      const codeOf = (call) => call().then(() => "done", (error) => error.code);
      console.log(JSON.stringify([await codeOf(stop), await codeOf(flush), await codeOf(start), recorder.recording,
        await codeOf(start), await codeOf(stop), recorder.recording, await codeOf(() => start({ hz: 0 })), recorder.recording]));`;
    const { stdout } = await run(program(text));
    expect(JSON.parse(stdout)).toEqual([
      ...["record.stopped", "record.stopped", "done", true],
      ...["record.running", "done", false, "option.value", false],
    ]);
  });

  it("ends a program by a signal as before while it runs, also twice", async () => {
    const child = spawn(process.execPath, [...PRELOADED, "-e", "setInterval(() => {}, 1000); console.log('ready')"], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, SPANFLAME_RECORD_FILE: at("signal.pb") },
    });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    const ended = new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
    child.kill("SIGINT");
    child.kill("SIGINT");
    expect(await ended).toBe("SIGINT");
    expect((await opened("signal.pb")).profiles).toHaveLength(1);
  });
});

const EDGE = 60_000n;
const traceOf = (span: bigint) => (7n << 64n) | (span - ((span - 1n) % 10n));
