import { describe, expect, it, vi } from "vitest";
import { fileInput, loadCore, openRecording } from "../../test/kit/open-recording.ts";
import type { ByteSource } from "../bytes/byte-source.ts";
import { openWith } from "./open.ts";
import type { OpenOptions } from "./options.ts";

const RECORDING = fileInput("public/sample.jfr");

/** Many files, so that there are many steps. */
const many = (n: number, data: Uint8Array) => Array.from({ length: n }, (_, i) => ({ name: `${i}`, data }));

/** Counts turns of the event loop while `job` runs. */
async function withTurns<T>(job: (turns: () => number) => Promise<T>): Promise<T> {
  let turns = 0;
  let going = true;
  const count = () => {
    turns++;
    if (going) setImmediate(count);
  };
  setImmediate(count);
  try {
    return await job(() => turns);
  } finally {
    going = false;
  }
}

/** Reads with a clock on which each step of reading takes `stepMs`; for each step, the turns before it. */
function turnsBySteps(inputs: { name: string; data: Uint8Array }[], stepMs: number): Promise<number[]> {
  return withTurns(async (turns) => {
    let clock = 0;
    const before: number[] = [];
    const onProgress = () => {
      before.push(turns());
      clock += stepMs;
    };
    const recording = await openWith(loadCore, inputs, { onProgress }, () => clock);
    recording.close();
    return before;
  });
}

describe("the event loop", () => {
  it("gets a turn after 50 ms of reading", async () => {
    const before = await turnsBySteps(many(6, RECORDING.data), 50);
    expect(before.length).toBeGreaterThan(6);
    for (let i = 1; i < before.length; i++) expect(before[i]).toBeGreaterThan(before[i - 1]!);
  });

  it("gets one for every few short steps", async () => {
    const before = await turnsBySteps(many(12, RECORDING.data), 25);
    for (let i = 2; i < before.length; i++) expect(before[i]).toBeGreaterThan(before[i - 2]!);
  });

  it("is left alone by steps that take no time", async () => {
    const before = await turnsBySteps(many(6, RECORDING.data), 0);
    expect(new Set(before).size).toBe(1);
  });

  it("gets turns while a message in JSON is converted", async () => {
    using recording = await openRecording(RECORDING);
    const data = recording.write("otlp-json").bytes;
    await withTurns(async (turns) => {
      let clock = 0;
      const read: number[] = [];
      const source: ByteSource = {
        byteLength: data.length,
        slice: async (start, end) => {
          read.push(turns());
          clock += 50;
          return data.subarray(start, end);
        },
      };
      await openWith(loadCore, { name: "message.json", data: source }, {}, () => clock);
      expect(read.length).toBeGreaterThan(4);
      for (let i = 1; i < read.length; i++) expect(read[i]).toBeGreaterThan(read[i - 1]!);
    });
  });
});

describe("recordings that are opened at the same time", () => {
  it("are each complete", async () => {
    const inputs = [RECORDING, fileInput("fixtures/shop.jfr")];
    const alone = [await openRecording(inputs[0]!), await openRecording(inputs[1]!)];
    const together = await Promise.all(inputs.map((input) => openRecording(input)));
    expect(together.map(({ profiles }) => profiles)).toEqual(alone.map(({ profiles }) => profiles));
  });
});

describe("a signal", () => {
  const aborted = async (options: (controller: AbortController) => OpenOptions, reason?: unknown) => {
    const controller = new AbortController();
    const given = options(controller);
    return openRecording(many(5, RECORDING.data), { ...given, signal: controller.signal }).then(
      () => "open",
      (error) => (reason === undefined ? error.name : error),
    );
  };

  it("that is over ends the opening before anything is read", async () => {
    const onProgress = vi.fn();
    const name = await aborted((controller) => {
      controller.abort();
      return { onProgress };
    });
    expect([name, onProgress.mock.calls.length]).toEqual(["AbortError", 0]);
  });

  it("ends it at the next step, with the reason given", async () => {
    const reason = new Error("enough");
    const onProgress = vi.fn();
    const error = await aborted((controller) => {
      onProgress.mockImplementationOnce(() => controller.abort(reason));
      return { onProgress };
    }, reason);
    expect([error, onProgress.mock.calls.length]).toEqual([reason, 1]);
  });

  it("ends a message in parts and a list of messages", async () => {
    using recording = await openRecording(RECORDING);
    const all = recording.select(null);
    const controller = new AbortController();
    const { signal } = controller;
    const parts = all.writeAsync("otlp-json", { signal });
    const messages = all.messages("otlp", { signal, limit: 1 });
    expect((await parts.next()).done).toBe(false);
    expect((await messages.next()).done).toBe(false);
    controller.abort();
    await expect(parts.next()).rejects.toThrow(/abort/i);
    await expect(messages.next()).rejects.toThrow(/abort/i);
    await expect(all.writeAsync("otlp", { signal }).next()).rejects.toThrow(/abort/i);
  });
});

describe("writing in parts", () => {
  it("gives the event loop a turn before the message is made, and before each of several messages", async () => {
    using recording = await openRecording(RECORDING);
    await withTurns(async (turns) => {
      const before = turns();
      const parts = recording.select(null).writeAsync("otlp");
      await parts.next();
      expect(turns()).toBeGreaterThan(before);
      let last = turns();
      for await (const _ of recording.select(null).messages("otlp", { limit: 1 })) {
        expect(turns()).toBeGreaterThan(last);
        last = turns();
      }
    });
  });
});
