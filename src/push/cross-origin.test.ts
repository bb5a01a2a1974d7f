/** Requests to other origins. Node does not have a browser's restrictions, so a substitute fails as browsers do. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { crossOriginFetch, NotAllowed } from "./cross-origin.ts";
import { PLATFORM, push } from "./push.ts";

const URL_ = "http://receiver.example/v1development/profiles";
afterEach(() => vi.unstubAllGlobals());

/** Refuses messages; a question without CORS gets this. */
function browser(probe: () => Promise<Response>) {
  const asked = vi.fn((_url: unknown, init: RequestInit = {}) =>
    init.mode === "no-cors" ? probe() : Promise.reject(new TypeError("Failed to fetch")),
  );
  vi.stubGlobal("fetch", asked);
  return asked;
}

const slept: number[] = [];
const world = { ...PLATFORM, fetch: crossOriginFetch, sleep: async (ms: number) => void slept.push(ms) };
const post = () => push(new Uint8Array(9), "otlp", { url: URL_, headers: { "api-key": "secret" } }, () => {}, world);

describe("crossOriginFetch", () => {
  it("tells a receiver that does not allow the page, and is not asked again", async () => {
    const asked = browser(() => Promise.resolve(new Response()));
    expect(await post()).toMatchObject({ result: "refused", status: 0, notAllowed: true });
    expect(asked).toHaveBeenCalledTimes(2);
    // The request that detects it has no content.
    expect(asked.mock.calls[1]?.[1]).toMatchObject({ mode: "no-cors", credentials: "omit" });
    expect(asked.mock.calls[1]?.[1]).not.toHaveProperty("headers");
    expect(asked.mock.calls[1]?.[1]).not.toHaveProperty("body");
  });

  it("tells that nobody answers, who is asked again", async () => {
    browser(() => Promise.reject(new TypeError("Failed to fetch")));
    expect(await post()).toEqual({
      result: "refused",
      status: 0,
      message: "no server answers, or the browser does not allow this page to send the request",
    });
    expect(slept).toHaveLength(4);
  });

  it("passes on what ended the request from here", async () => {
    browser(() => Promise.resolve(new Response()));
    const request = crossOriginFetch(URL_, { method: "POST", signal: AbortSignal.abort() });
    await expect(request).rejects.not.toBeInstanceOf(NotAllowed);
  });
});
