/** An archive of a dump of four calls: 10, 30, 60 and 100 ms, the last without a record; a pause in the second. */
import { asZip, type WrittenCall, writeStreams } from "./cdt-writer.ts";

const START = Date.UTC(2024, 1, 3);

export function shortDump(): Uint8Array {
  const calls = [10, 30, 60, 100].map((after, i): WrittenCall => {
    const inner = { method: "void a.B.inner() (B.java:2) [b.jar]", before: 0, after: 5, children: [] };
    return {
      ...{ threadId: i, thread: `worker-${i % 2}`, at: START + 1000 * i, isRecorded: i < 3, reactive: 0 },
      root: { method: `void a.B.run${i}() (B.java:1)`, before: 0, after: after - 5, children: [inner] },
      params: { tenant: [i === 1 ? "acme" : "other"] },
    };
  });
  const { streams } = writeStreams({ start: START, pauses: [[1020, 8]], isPhrased: true, calls });
  return asZip(streams, `web/2024/02/03/${START}`, "/");
}
