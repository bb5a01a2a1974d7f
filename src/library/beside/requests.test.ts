/** Traces, context, the time of requests and calls in the worker, between other requests, and with wrong options. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as Comlink from "comlink";
import { describe, expect, it, vi } from "vitest";
import { type Case, cases, FIXTURES } from "../../../test/kit/figure-cases.ts";
import { openRecording } from "../../../test/kit/open-recording.ts";
import { openInWorker } from "../worker.ts";
import { WorkerHost } from "../worker-host.ts";

vi.mock("../load-core.ts", async () => {
  const { readFileSync: read } = await import("node:fs");
  const wasm = WebAssembly.compile(read("build/core.wasm"));
  return { loadModule: () => wasm };
});

const fileOf = (name: string) => ({ name, data: readFileSync(join(FIXTURES, name)) });

function given({ recording, trace }: Case) {
  return [fileOf(recording), { infer: true, ...(trace !== null && { traces: fileOf(trace) }) }] as const;
}

/** A worker in the same thread. */
function nearWorker(): Worker {
  const { port1, port2 } = new MessageChannel();
  Comlink.expose(new WorkerHost(), port1 as unknown as Comlink.Endpoint);
  return Object.assign(port2, { terminate: () => port1.close() }) as unknown as Worker;
}

describe("the worker", () => {
  const of = { recording: "traces/relay-dd17.jfr", trace: "traces/relay-dd17.whole.otlp.json.gz" };

  it("answers as the library does", async () => {
    const [file, options] = given(of);
    const [near, far] = [
      await openRecording(file, options),
      await openInWorker(file, { worker: nearWorker(), ...options }),
    ];
    expect(far.traces).toEqual(near.traces);
    const list = { by: "samples", limit: 3 } as const;
    expect(await far.traceRows(list)).toEqual(await near.traceRows(list));
    const [{ trace = 0n } = {}] = (await near.traceRows(list)).rows;
    expect(await far.spans({ trace })).toEqual(await near.spans({ trace }));
    expect(await near.spans({ id: trace })).toMatchObject({ trace });
    expect(await far.operations()).toEqual(await near.operations());
    const thread = near.select("wall").rank("thread").rows[0]!.label;
    const time = await far.timeOf(far.select("wall", { thread }));
    expect(time).toEqual(await near.timeOf(near.select("wall", { thread })));
    expect(await far.calls()).toEqual(await near.calls());
    await expect(far.operations({ by: "none" as "p50" })).rejects.toMatchObject({ code: "option.value" });
    far.close();
  });
});

describe("requests", () => {
  it("leave the answers about selections as they are, whatever their order", async () => {
    const recording = await openRecording(...given(cases.find(({ trace }) => trace !== null)!));
    const [profile] = recording.profiles;
    const selection = recording.select(profile!.id, { noSpan: true });
    const before = selection.top();
    const asked = [recording.operations(), recording.timeOf(recording.select(null)), recording.traceRows()];
    expect(selection.top()).toEqual(before);
    for (const each of asked) {
      await each;
      expect(selection.top()).toEqual(before);
      expect(selection.rank("span").count).toBe(0);
    }
    const late = recording.timeOf(recording.select(null));
    recording.close();
    await expect(late).rejects.toMatchObject({ code: "recording.closed" });
    await expect(recording.operations()).rejects.toMatchObject({ code: "recording.closed" });
  });

  it("need all samples", async () => {
    const only = { profiles: "cpu" };
    const [file] = given(cases[0]!);
    await expect(openRecording(file, { only, infer: true })).rejects.toMatchObject({ code: "option.value" });
    await expect(openRecording(file, { only, traces: file })).rejects.toMatchObject({ code: "option.value" });
  });

  it("are about selections of the same recording", async () => {
    const [a, b] = [await openRecording(fileOf("shop.jfr")), await openRecording(fileOf("shop.jfr"))];
    await expect(a.timeOf(b.select(null))).rejects.toMatchObject({ code: "option.value" });
    await expect(a.timeOf({} as never)).rejects.toMatchObject({ code: "option.value" });
    await expect(a.traceRows({ by: "none" as never })).rejects.toMatchObject({ code: "option.value" });
    await expect(a.spans({ id: 0n })).rejects.toMatchObject({ code: "option.id" });
  });

  it("say what is wrong with a trace file", async () => {
    const recording = await openRecording(fileOf("shop.jfr"), {
      traces: { name: "t.json", data: new TextEncoder().encode("{}") },
    });
    expect(recording.diagnostics.map(({ code, file }) => [code, file])).toContainEqual([
      expect.stringMatching(/^trace\./),
      "t.json",
    ]);
    expect(recording.traces).toBe(null);
  });
});
