/** Recordings in a worker against the library itself: both ends in one thread, with messages that are cloned. */
import { createHash } from "node:crypto";
import * as Comlink from "comlink";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { fileInput, loadCore, openRecording } from "../../test/kit/open-recording.ts";
import type { Recording } from "./recording.ts";
import { openInWorker, type WorkerRecording } from "./worker.ts";
import { WorkerHost } from "./worker-host.ts";

const SAMPLE = fileInput("public/sample.jfr");
const channel = new MessageChannel();
let recording: Recording;
let remote: WorkerRecording;

beforeAll(async () => {
  Comlink.expose(new WorkerHost(), channel.port1 as unknown as Comlink.Endpoint);
  const worker = channel.port2 as unknown as Worker;
  recording = await openRecording(SAMPLE);
  remote = await openInWorker(SAMPLE, { worker, wasm: await loadCore() });
});
afterAll(() => channel.port1.close());

async function all<T>(members: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const member of members) found.push(member);
  return found;
}

/** A message with a hash in place of its bytes, which are slow to compare one by one. */
function hashed({ bytes, ...rest }: { bytes: Uint8Array }) {
  return { ...rest, hash: createHash("sha256").update(bytes).digest("hex") };
}

describe("a recording in a worker", () => {
  it("has the facts, tables and answers of the recording", async () => {
    expect(remote.profiles).toEqual(recording.profiles);
    expect(await remote.marks()).toEqual(recording.marks());
    expect(await remote.tables.links()).toEqual(recording.tables.links());
    expect(await remote.tables.stacks()).toEqual(recording.tables.stacks());
    const cpu = recording.select("cpu", { frame: "h2" });
    const same = remote.select("cpu", { frame: "h2" });
    expect(await same.total()).toEqual(cpu.total());
    expect(await same.flame({ width: 100 })).toEqual(cpu.flame({ width: 100 }));
    expect(await same.changed(remote.select("cpu"))).toEqual(cpu.changed(recording.select("cpu")));
  });

  it("iterates in batches", async () => {
    const cpu = recording.select("cpu");
    const same = remote.select("cpu");
    expect(cpu.total().samples).toBeGreaterThan(500);
    expect(await all(same.samples())).toEqual(
      [...cpu.samples()].map(({ stack: { index, frames }, attributes, ...sample }) => {
        return { ...sample, stack: { index, frames }, attributes: { ...attributes } };
      }),
    );
    expect(await all(same.stacks())).toEqual([...cpu.stacks()]);
    expect(await all(same.attributes())).toEqual([...cpu.attributes()]);
    expect(await all(same.columns({ pageRows: 500 }))).toEqual([...cpu.columns({ pageRows: 500 })]);
  });

  it("writes the same messages, whole, in parts and several", async () => {
    const cpu = recording.select("cpu");
    const same = remote.select("cpu");
    expect(hashed(await remote.write("otlp"))).toEqual(hashed(recording.write("otlp")));
    for (const how of [undefined, { preset: "otel" }] as const) {
      const { bytes, ...totals } = cpu.write("otlp", how);
      const parts: Uint8Array[] = [];
      expect(await same.writeTo("otlp", (part) => parts.push(part), how)).toEqual(totals);
      expect(Buffer.concat(parts).equals(bytes)).toBe(true);
      const stream = same.writeAsync("otlp", how);
      const streamed: Uint8Array[] = [];
      let next = await stream.next();
      for (; !next.done; next = await stream.next()) streamed.push(next.value);
      expect(next.value).toEqual(totals);
      expect(Buffer.concat(streamed).equals(bytes)).toBe(true);
    }
    const messages = await all(remote.select(null).messages("otlp", { limit: 1 }));
    expect(messages.length).toBeGreaterThan(5);
    const expected = await all(recording.select(null).messages("otlp", { limit: 1 }));
    expect(messages.map(hashed)).toEqual(expected.map(hashed));
  });

  it("makes the same reports and pictures, of several selections at once", async () => {
    const now = new Date(0);
    const thread = { thread: "worker-1" };
    const answers = (of: typeof recording | typeof remote) => [
      of.select("cpu").html({ now }),
      of.select("cpu", thread).svg({ dark: true }),
      of.select("wall").total(),
      of.select(null, thread).html({ now }),
    ];
    const each: unknown[] = [];
    for (const answer of answers(recording)) each.push(await answer);
    expect(new Set(each).size).toBe(4);
    expect(await Promise.all(answers(recording))).toEqual(each);
    expect(await Promise.all(answers(remote))).toEqual(each);
  });

  it("ends writing with the signal, at once, and answers afterwards", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const reason = new Error("enough");
    const parts = remote.select(null).writeAsync("otlp-json", { signal });
    const messages = remote.select(null).messages("otlp", { signal, limit: 1 });
    expect((await messages.next()).done).toBe(false);
    const pending = parts.next();
    controller.abort(reason);
    await expect(pending).rejects.toBe(reason);
    await expect(messages.next()).rejects.toBe(reason);
    await expect(remote.select(null).writeAsync("otlp", { signal }).next()).rejects.toBe(reason);
    expect(await remote.select("cpu").total()).toEqual(recording.select("cpu").total());
  });

  it("ends writing when the sink throws or the loop ends", async () => {
    const reason = new Error("the disk is full");
    const given: Uint8Array[] = [];
    const sink = (part: Uint8Array) => {
      given.push(part);
      throw reason;
    };
    await expect(remote.select(null).writeTo("otlp-json", sink)).rejects.toBe(reason);
    expect(given).toHaveLength(1);
    for await (const part of remote.select(null).writeAsync("otlp")) {
      expect(part.length).toBeGreaterThan(0);
      break;
    }
    expect(await remote.select("cpu").total()).toEqual(recording.select("cpu").total());
  });

  it("refuses wrong options of writing with the codes of the library", async () => {
    const same = remote.select("cpu");
    const code = (code: string) => ({ code });
    await expect(same.writeTo("otlp", "file" as never)).rejects.toMatchObject(code("option.value"));
    await expect(same.writeTo("otlq" as never, () => {})).rejects.toMatchObject(code("format.unknown"));
    await expect(same.writeAsync("otlp", { pretty: true }).next()).rejects.toMatchObject(code("option.unknown"));
    await expect(same.writeAsync("otlp", { signal: 5 as never }).next()).rejects.toMatchObject(code("option.value"));
    await expect(same.messages("otlp", { limit: -1 }).next()).rejects.toMatchObject(code("option.value"));
    await expect(all(remote.select(null).writeAsync("collapsed"))).rejects.toMatchObject(code("write.profiles"));
  });

  it("refuses wrong calls, and ends an iteration by a break", async () => {
    await expect(remote.select("cpu").top({ limit: -1 })).rejects.toMatchObject({ code: "option.value" });
    await expect(all(remote.select("cup").samples())).rejects.toMatchObject({ code: "profile.unknown" });
    await expect(all(remote.select("cpu").columns({ pageRows: 0 }))).rejects.toMatchObject({ code: "option.value" });
    for await (const { frames } of remote.select("cpu").stacks()) {
      expect(frames.length).toBeGreaterThan(0);
      break;
    }
  });

  it("answers nothing once it is closed", async () => {
    const worker = new MessageChannel();
    Comlink.expose(new WorkerHost(), worker.port1 as unknown as Comlink.Endpoint);
    const closed = await openInWorker(SAMPLE, { worker: worker.port2 as unknown as Worker, wasm: await loadCore() });
    const selection = closed.select("cpu");
    closed.close();
    await expect(selection.top()).rejects.toMatchObject({ code: "recording.closed" });
    await expect(closed.tables.stacks()).rejects.toMatchObject({ code: "recording.closed" });
    await expect(all(selection.samples())).rejects.toMatchObject({ code: "recording.closed" });
    worker.port1.close();
  });
});

describe("a worker that does not answer", () => {
  const ends: MessagePort[] = [];
  afterEach(() => {
    vi.useRealTimers();
    for (const port of ends.splice(0)) port.close();
  });

  /** The page's end of a worker that has `host`, or runs no script. */
  function workerOf(host?: object) {
    const { port1, port2 } = new MessageChannel();
    ends.push(port1);
    if (host !== undefined) Comlink.expose(host, port1 as unknown as Comlink.Endpoint);
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    return Object.assign(port2, { terminate: vi.fn() }) as unknown as Worker;
  }

  it("is an error ten seconds after its start", async () => {
    const worker = workerOf();
    const outcome = vi.fn();
    const opened = openInWorker(SAMPLE, { worker }).catch(outcome);
    await vi.advanceTimersByTimeAsync(9_500);
    expect(outcome).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(500);
    await opened;
    expect(outcome.mock.calls[0]?.[0]).toMatchObject({
      code: "worker.failed",
      message: expect.stringMatching(/webpack/),
    });
    expect(worker.terminate).toHaveBeenCalled();
  });

  it("may take as long as it needs once it has started", async () => {
    let finish = (_: unknown) => {};
    const finished = new Promise((resolve) => {
      finish = resolve;
    });
    const ping = vi.fn();
    const open = (_number: number, _sent: unknown, _options: unknown, progress: () => void) => {
      progress();
      return finished;
    };
    const worker = workerOf({ ping, open });
    const outcomes: Promise<unknown>[] = [];
    // The second one asks a worker that is busy with the first.
    for (let i = 0; i < 2; i++) {
      await new Promise<void>((isReading) => {
        outcomes.push(openInWorker(SAMPLE, { worker, onProgress: () => isReading() }));
      });
    }
    await vi.advanceTimersByTimeAsync(60_000);
    finish({ ok: false, error: { code: "input.unknown", message: "" } });
    for (const outcome of outcomes) await expect(outcome).rejects.toMatchObject({ code: "input.unknown" });
    expect(ping).toHaveBeenCalledTimes(1);
    expect(worker.terminate).not.toHaveBeenCalled();
  });
});
