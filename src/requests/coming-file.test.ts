/** Bytes of a file that is being fetched: they are awaited, and end with the fetching, a failure or a stop. */
import { afterEach, describe, expect, it } from "vitest";
import type { Arrived, InputFile } from "./api/api.ts";
import { ComingFile } from "./coming-file.ts";

const BYTES = 1000;
const ports: MessagePort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

/** A file of 1,000 bytes of which none has come. */
function coming(isSure: boolean) {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const file: InputFile = { name: "a.jfr", blob: new Blob() };
  file.coming = { address: "https://host/a.jfr", bytes: BYTES, isSure, port: port2 };
  const { source } = new ComingFile(file, file.coming, stopped);
  const come = (bytes: number, end?: string | null) => {
    const arrived: Arrived = { blob: new Blob([new Uint8Array(bytes).fill(7)]), ...(end !== undefined && { end }) };
    port1.postMessage(arrived);
  };
  return { file, source, come, stop };
}

describe.each([true, false])("a file whose size is sure: %s", (isSure) => {
  it("gives bytes when they have come, and is a file in the end", async () => {
    const { file, source, come } = coming(isSure);
    const first = source.slice(0, 300);
    come(200);
    come(400);
    expect(await first).toEqual(new Uint8Array(300).fill(7));
    const rest = source.slice(300, BYTES + 5);
    come(BYTES, null);
    expect((await rest).length).toBe(BYTES - 300);
    expect([file.blob.size, file.coming, source.byteLength]).toEqual([BYTES, undefined, BYTES]);
  });

  it("gives what came before a failure, and then the failure", async () => {
    const { file, source, come } = coming(isSure);
    const some = source.slice(0, 600);
    come(400, "the line broke");
    expect((await some).length).toBe(400);
    const after = await source.slice(400, 500).catch(({ message }: Error) => message);
    const fault = after instanceof Uint8Array ? ((await source.change?.())?.message ?? "") : after;
    expect(fault).toContain("the line broke");
    expect(file.coming).toBeDefined();
  });

  it("ends where it is when it is stopped", async () => {
    const { source, come, stop } = coming(isSure);
    come(400);
    expect((await source.slice(0, 400)).length).toBe(400);
    const more = source.slice(400, 600);
    stop();
    expect((await more).length).toBe(0);
    expect(source.byteLength).toBe(400);
  });
});

it("has the size that it states, and is a stream where that is not sure", () => {
  expect([coming(true).source.byteLength, coming(true).source.ahead]).toEqual([BYTES, undefined]);
  expect([coming(false).source.byteLength, typeof coming(false).source.ahead]).toEqual([0, "function"]);
});
