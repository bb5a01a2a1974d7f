import { expect, it } from "vitest";
import { limited } from "./limited.ts";

/** A body of `parts` parts of ten bytes, and whether its sender was told to stop. */
function body(parts: number): { stream: ReadableStream<Uint8Array<ArrayBuffer>>; stopped: () => unknown } {
  let sent = 0;
  let reason: unknown = null;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (sent++ === parts) controller.close();
      else controller.enqueue(new Uint8Array(10).fill(sent));
    },
    cancel(why) {
      reason = why;
    },
  });
  return { stream, stopped: () => reason };
}

const fault = () => new Error("too long");

it("a body of at most so many bytes is whole", async () => {
  const { stream, stopped } = body(3);
  expect((await new Response(limited(stream, 30, fault)).arrayBuffer()).byteLength).toBe(30);
  expect(stopped()).toBe(null);
});

it("a body without an end fails after so many bytes, those before arrive, and its sender stops", async () => {
  const { stream, stopped } = body(Number.POSITIVE_INFINITY);
  const parts: number[] = [];
  const read = async () => {
    for await (const part of limited(stream, 35, fault) as unknown as AsyncIterable<Uint8Array>) parts.push(part[0]!);
  };
  await expect(read()).rejects.toThrow("too long");
  expect(parts).toEqual([1, 2, 3]);
  expect(stopped()).toEqual(fault());
});
