/** The recording of an element, whose worker is a stand-in. */
import { afterEach, expect, it, vi } from "vitest";
import { readRecording } from "./recording.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("a worker whose script does not run is an error", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  class Silent extends EventTarget {
    postMessage() {}
    terminate() {}
  }
  vi.stubGlobal("Worker", Silent);
  const file = Promise.resolve({ name: "data", blob: new Blob(["a 1"]) });
  const opened = readRecording(file, () => {}).forGraphs().overview;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await opened).toMatchObject({
    ok: false,
    error: { code: "worker.failed", message: expect.stringMatching(/webpack/) },
  });
});
