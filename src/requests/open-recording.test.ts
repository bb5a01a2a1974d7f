import { describe, expect, it } from "vitest";
import { OpenRecording } from "./open-recording.ts";

const opened = () =>
  new OpenRecording({
    held: { core: { views: { forget: () => {} } } },
    calls: null,
    spans: { forget: () => {} },
  } as unknown as OpenRecording["read"]);

describe("answers that are kept", () => {
  it("does not ask the same again", async () => {
    const recording = opened();
    let asked = 0;
    const ask = (id: bigint) => recording.keep(["story", { localRoot: id }], () => ++asked);
    expect([await ask(1n), await ask(2n), await ask(1n)]).toEqual([1, 2, 1]);
  });

  it("asks again once the samples have changed, also while it was asked", async () => {
    const recording = opened();
    let asked = 0;
    const changing = () => {
      recording.forgetSamples();
      return ++asked;
    };
    expect(await recording.keep(["story"], changing)).toBe(1);
    expect(await recording.keep(["story"], () => ++asked)).toBe(2);
    recording.forgetSamples();
    expect(await recording.keep(["story"], () => ++asked)).toBe(3);
  });

  it("does not keep a failure, and keeps the newest answers only", async () => {
    const recording = opened();
    const failing = recording.keep([0], () => Promise.reject(new Error("once")));
    await expect(failing).rejects.toThrow("once");
    for (let i = 0; i < 100; i++) await recording.keep([i], () => i);
    expect(await recording.keep([0], () => "again")).toBe("again");
    expect(await recording.keep([99], () => "again")).toBe(99);
  });
});
