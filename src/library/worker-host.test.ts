/** The worker's side of recordings in a worker, asked without a worker. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openWith } from "./open.ts";
import type { Sample } from "./sample-types.ts";
import { type Answer, type Asked, WorkerHost } from "./worker-host.ts";

const wasm = WebAssembly.compile(readFileSync("build/core.wasm"));
const data = readFileSync("fixtures/shop.jfr");

async function opened(): Promise<WorkerHost> {
  const host = new WorkerHost();
  const answer = await host.open(1, [{ name: "shop.jfr", data }], { wasm: await wasm, traces: [], symbols: [] });
  expect(answer).toMatchObject({ ok: true, value: { inputs: [{ name: "shop.jfr", read: "wholly" }] } });
  return host;
}

function asked(request: Asked["request"], given: unknown[] = [], profile: string | number = "cpu"): Asked {
  return { recording: 1, key: 1, profile, options: undefined, request, given };
}

function value(answer: Answer<unknown>): unknown {
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

describe("a recording in a worker", () => {
  it("answers as the library does", async () => {
    const host = await opened();
    using recording = await openWith(() => wasm, { name: "shop.jfr", data });
    const cpu = recording.select("cpu");
    expect(value(await host.ask(asked("total")))).toEqual(cpu.total());
    expect(value(await host.ask(asked("top", [{ limit: 3 }])))).toEqual(cpu.top({ limit: 3 }));
    expect(value(await host.ask(asked("write", ["otlp"])))).toEqual(cpu.write("otlp"));
    const slow = { ...asked("changed"), key: 2, options: { frame: "render" } };
    const baseline = { selection: { key: 1, profile: "cpu", options: undefined } };
    expect(value(await host.ask({ ...slow, given: [baseline] }))).toEqual(
      recording.select("cpu", { frame: "render" }).changed(cpu),
    );
  });

  it("iterates in batches", async () => {
    const host = await opened();
    using recording = await openWith(() => wasm, { name: "shop.jfr", data });
    const wanted = recording.select("alloc-samples");
    const all = async (request: Asked["request"], given: unknown[] = []) => {
      value(await host.iterate(7, asked(request, given, "alloc-samples")));
      const batches: unknown[][] = [];
      for (let done = false; !done; ) {
        const next = value(await host.next(7)) as { items: unknown[]; done: boolean };
        batches.push(next.items);
        done = next.done;
      }
      return batches;
    };
    const samples = [...wanted.samples()].map(({ stack, ...sample }) => {
      return { ...sample, stack: { index: stack.index, frames: stack.frames } };
    });
    expect((await all("samples")).flat()).toEqual(samples);
    const [batch = []] = (await all("samples")) as Sample[][];
    expect(new Set(batch.map(({ stack }) => stack)).size).toBe(new Set(batch.map(({ stack }) => stack.index)).size);
    const pages = await all("columns", [{ pageRows: 10 }]);
    expect(pages.flat()).toEqual([...wanted.columns({ pageRows: 10 })]);
    expect(pages[0]).toHaveLength(1);
    expect(value(await host.fact(1, "tables", "threads"))).toEqual(recording.tables.threads());
    expect(value(await host.fact(1, "recording", "timeRows"))).toEqual(recording.timeRows());
  });

  it("makes a selection again that it has forgotten", async () => {
    const host = await opened();
    const before = value(await host.ask(asked("total")));
    for (let key = 2; key < 80; key++) await host.ask({ ...asked("total"), key });
    expect(value(await host.ask(asked("total")))).toEqual(before);
  });

  it("reports errors with their codes", async () => {
    const host = await opened();
    const fault = async (given: Promise<Answer<unknown>>) => {
      const answer = await given;
      return answer.ok ? null : answer.error.fault;
    };
    expect(await fault(host.ask(asked("top", [], "cup")))).toMatchObject({ code: "profile.unknown" });
    expect(await fault(host.ask(asked("top", [{ limti: 3 }])))).toMatchObject({ code: "option.unknown" });
    host.close(1);
    expect(await fault(host.ask(asked("top")))).toMatchObject({ code: "recording.closed" });
    const reading = host.open(2, [{ name: "shop.jfr", data }], { wasm: await wasm, traces: [], symbols: [] });
    host.cancel(2);
    expect(await fault(reading)).toMatchObject({ code: null, name: "AbortError" });
  });
});
