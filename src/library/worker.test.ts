/** Recordings in a worker against the library itself: both ends in one thread, with messages that are cloned. */
import * as Comlink from "comlink";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

describe("a recording in a worker", () => {
  it("has the facts, tables and answers of the recording", async () => {
    expect(remote.profiles).toEqual(recording.profiles);
    expect(await remote.marks()).toEqual(recording.marks());
    expect(await remote.tables.links()).toEqual(recording.tables.links());
    expect(await remote.tables.stacks()).toEqual(recording.tables.stacks());
    const cpu = recording.select("cpu", { frame: "h2" });
    const same = remote.select("cpu", { frame: "h2" });
    expect(await same.total()).toEqual(cpu.total);
    expect(await same.flame({ width: 100 })).toEqual(cpu.flame({ width: 100 }));
    expect(await same.changed(remote.select("cpu"))).toEqual(cpu.changed(recording.select("cpu")));
  });

  it("iterates in batches", async () => {
    const cpu = recording.select("cpu");
    const same = remote.select("cpu");
    expect(cpu.total.samples).toBeGreaterThan(1000);
    expect(await all(same.samples())).toEqual(
      [...cpu.samples()].map((sample) => ({ ...sample, attributes: { ...sample.attributes } })),
    );
    expect(await all(same.stacks())).toEqual([...cpu.stacks()]);
    expect(await all(same.attributes())).toEqual([...cpu.attributes()]);
    expect(await all(same.columns({ pageRows: 500 }))).toEqual([...cpu.columns({ pageRows: 500 })]);
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
