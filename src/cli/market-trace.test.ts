/**
 * A program under dd-java-agent: the body that the agent uploaded, the trace that a receiver on loopback took, and the
 * spans as the program itself knew them (test/producers/record.sh agent).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { askCli, buildCli, ROOT } from "../../test/kit/run-cli.ts";

const fixture = (name: string) => join(ROOT, "fixtures", "traces", name);
const UPLOAD = fixture("market.upload");
const TRACE = fixture("market.datadog.json.gz");
const MS = 1e6;

interface Known {
  spanId: string;
  parentSpanId: string;
  operation: string;
  resource: string;
  thread: string;
  wallMs: number;
}
interface Row {
  id: string;
  parent: string | null;
  name: string;
  resource: string;
  thread: string;
  durationNano: string;
  profiles: { type: string; samples: number }[];
}
interface Answer {
  recordings: { name: string; clock: { agree: number; asked: number } | null }[];
  spans: Row[];
  unmatchedRoots: unknown[];
}

let known: Known[];
let answer: Answer;
beforeAll(async () => {
  await buildCli();
  known = JSON.parse(gunzipSync(readFileSync(fixture("market.spans.json.gz"))).toString()).spans;
  answer = await askCli<Answer>("trace", UPLOAD, "--trace", TRACE);
}, 120_000);

describe("the trace of a program under dd-java-agent", () => {
  it("has every span that the program made, with its parent, thread and duration", () => {
    let far = 0;
    const rows = new Map(answer.spans.map((row) => [row.id, row]));
    expect(known.length).toBe(220);
    for (const { spanId, parentSpanId, operation, resource, thread, wallMs } of known) {
      const row = rows.get(spanId)!;
      const parent = parentSpanId === "0" ? null : parentSpanId;
      expect(row).toMatchObject({ parent, name: operation, resource, thread });
      if (Math.abs(Number(row.durationNano) / MS - wallMs) > 3) far++;
    }
    // The program measures within its spans, the first of which load the classes of the tracer.
    expect(far).toBeLessThan(6);
  });

  it("has the samples that the recording has of each span", async () => {
    const { rows } = await askCli<{ rows: { id: string; samples: number }[] }>(
      "spans",
      UPLOAD,
      "--type",
      "cpu",
      "--by",
      "span",
    );
    const own = (row: Row) => row.profiles.find(({ type }) => type === "cpu")?.samples;
    const found = answer.spans.flatMap((row) => (own(row) ? [[row.id, own(row)]] : []));
    expect(found.length).toBeGreaterThan(50);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(rows.map(({ id, samples }) => [id, samples])));
  });

  it("is on a clock by which all spans with samples agree, and leaves no root without its span", () => {
    const [recording] = answer.recordings;
    expect(recording?.name).toBe("market.upload/main.jfr");
    expect(recording?.clock?.agree).toBe(recording?.clock?.asked);
    expect(recording?.clock?.asked).toBeGreaterThan(100);
    expect(answer.unmatchedRoots).toEqual([]);
  });

  it("has times of spans that add up", async () => {
    const busy = answer.spans.filter(({ profiles }) => profiles.some(({ type }) => type === "wall"));
    for (const { id, durationNano } of busy.slice(0, 4)) {
      const why = await askCli<{ parts: { nano: string }[] }>("why", UPLOAD, "--trace", TRACE, "--span", id);
      expect(why.parts.reduce((sum, { nano }) => sum + BigInt(nano), 0n)).toBe(BigInt(durationNano));
    }
  });
});
