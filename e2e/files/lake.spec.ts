/** A trace out of a data set on a static host: `#lake=`. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { writeSimulatedFleet } from "../../test/kit/jfr/simulated-fleet.ts";
import { fixture } from "../kit/expected.ts";
import { allowHost, expect, expectTotals, test } from "../kit/page.ts";

const CLI = new URL("../../dist-node/cli.js", import.meta.url).pathname;
const RECORDING = fixture("recorded/dd152-jdk17-all.jfr");
const folder = mkdtempSync(join(tmpdir(), "spanflame-lake-"));
const run = (...args: string[]) => execFileSync(process.execPath, [CLI, ...args, "-q"], { encoding: "utf8" });

let server: Server;
let origin = "";
const ranges: string[] = [];
/** Whether the server knows ranges, and the bytes that it got rid of. */
let hasRanges = true;
let sent = 0;
test.beforeAll(async () => {
  run("export", RECORDING, "--parquet", join(folder, "set"));
  server = createServer((request, response) => {
    const cors = { "access-control-allow-origin": "*", "access-control-allow-headers": "range" };
    if (request.method === "OPTIONS") return response.writeHead(204, cors).end();
    const path = join(folder, decodeURIComponent(request.url ?? ""));
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return response.writeHead(404, cors).end();
    const bytes = readFileSync(path);
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    if (!hasRanges && path.endsWith(".parquet")) {
      const whole = Buffer.alloc(64 << 20);
      bytes.copy(whole);
      response.writeHead(200, { ...cors, "content-length": whole.length });
      response.on("close", () => {
        sent += response.socket?.bytesWritten ?? 0;
      });
      return response.end(whole);
    }
    if (from === undefined) return response.writeHead(200, cors).end(bytes);
    ranges.push(path);
    return response.writeHead(206, cors).end(bytes.subarray(Number(from), Number(to) + 1));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
test.afterAll(async () => {
  // The reused browser keeps its connections.
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

test("#lake= opens a trace by ranges, and ?lake= does as well", async ({ page, receivers }) => {
  receivers.add(origin);
  const { rows } = JSON.parse(run("spans", RECORDING, "--type", "wall", "--limit", "1", "--json")) as {
    rows: { id: string; samples: number; value: string }[];
  };
  const { id, samples, value } = rows[0]!;
  await page.goto(`./#lake=${encodeURIComponent(`${origin}/set/`)}&root=${id}&type=wall`);
  await allowHost(page, origin);
  await expect(page.getByTestId("files")).toContainText(".pb");
  expect(ranges.length).toBeGreaterThan(3);
  await page.goto(`./?lake=${encodeURIComponent(`${origin}/set/`)}&root=${id}#type=wall`);
  await expectTotals(page, { samples, value: Number(value) });
});

test("&trace= opens the spans and samples of a trace that came after its recording", async ({ page, receivers }) => {
  receivers.add(origin);
  const [recording, trace] = ["ddctx-jdk17.jfr", "ddctx-jdk17.captured.datadog.json.gz"].map((name) =>
    fixture(`traces/${name}`),
  ) as [string, string];
  for (const more of [[], ["--trace", trace]]) run("export", recording, "--parquet", join(folder, "traces"), ...more);
  const { spans } = JSON.parse(run("trace", recording, "--trace", trace, "--json")) as {
    spans: { traceId: string; profiles: { type: string; samples: number }[] }[];
  };
  const samplesOf = (id: string) =>
    spans
      .filter(({ traceId }) => traceId === id)
      .flatMap(({ profiles }) => profiles)
      .reduce((sum, { type, samples }) => sum + (type === "wall" ? samples : 0), 0);
  const ids = [...new Set(spans.map(({ traceId }) => traceId))];
  const id = ids.reduce((most, each) => (samplesOf(each) > samplesOf(most) ? each : most));
  await page.goto(`./#lake=${encodeURIComponent(`${origin}/traces/`)}&trace=${id}&type=wall&view=trace`);
  await allowHost(page, origin);
  await expect(page.getByRole("treegrid").or(page.getByTestId("waterfall")).first()).toBeVisible();
  await expect(page.getByTestId("total-samples")).toHaveAttribute("data-exact", String(samplesOf(id)));
});

test("&root= selects a local root whose trace the data set knows, by a link with times", async ({
  page,
  receivers,
}) => {
  receivers.add(origin);
  const [recording, trace] = ["ddctx-jdk17.jfr", "ddctx-jdk17.captured.datadog.json.gz"].map((name) =>
    fixture(`traces/${name}`),
  ) as [string, string];
  run("export", recording, "--trace", trace, "--parquet", join(folder, "roots"));
  const { rows } = JSON.parse(run("spans", recording, "--type", "wall", "--limit", "1", "--json")) as {
    rows: { id: string; samples: number; value: string }[];
  };
  const { id, samples, value } = rows[0]!;
  const times = "from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z";
  await page.goto(`./#lake=${encodeURIComponent(`${origin}/roots/`)}&root=${id}&type=wall&${times}`);
  await allowHost(page, origin);
  await expectTotals(page, { samples, value: Number(value) });
});

test("&trace= opens a trace over four services as one waterfall with the samples of all", async ({
  page,
  receivers,
}) => {
  receivers.add(origin);
  const input = join(folder, "services");
  const fleet = writeSimulatedFleet(input, 8, 2);
  const set = join(folder, "services-set");
  run("export", join(input, "in"), "--parquet", set);
  // The traces come later than the recordings.
  const traces = [...fleet.early, ...fleet.late].flatMap((path) => ["--trace", join(input, path)]);
  run("export", join(input, fleet.recordings[0]!), "--parquet", set, ...traces);
  run("compact", set, "--index");
  const [trace = 0n] = fleet.traces;
  const own = fleet.samples.filter((sample) => sample.trace === trace);
  const services = [...new Set(own.map(({ service }) => service))];
  expect(services).toHaveLength(4);
  const id = trace.toString(16).padStart(32, "0");
  await page.goto(`./#lake=${encodeURIComponent(`${origin}/services-set/`)}&trace=${id}&type=cpu&view=trace`);
  await allowHost(page, origin);
  const waterfall = page.getByRole("treegrid").or(page.getByTestId("waterfall")).first();
  for (const service of services) await expect(waterfall).toContainText(`GET /${service}`);
  await expect(page.getByTestId("total-samples")).toHaveAttribute("data-exact", String(own.length));
  expect(ranges.some((path) => path.includes("/services-set/ids/"))).toBe(true);
});

test("a trace that the data set does not have is reported", async ({ page, receivers }) => {
  receivers.add(origin);
  await page.goto(`./#lake=${encodeURIComponent(`${origin}/set/`)}&root=0x123456789abcdef`);
  await allowHost(page, origin);
  await expect(page.getByTestId("message")).toContainText("has no samples of 0123456789abcdef");
});

test("a server without ranges is refused at once", async ({ page, receivers }) => {
  receivers.add(origin);
  hasRanges = false;
  await page.goto(`./#lake=${encodeURIComponent(`${origin}/set/`)}&root=0x123456789abcdef`);
  await allowHost(page, origin);
  await expect(page.getByTestId("message")).toContainText("data sets need a server with ranges");
  await expect(page.getByTestId("message")).toContainText(".parquet: the server answers 200");
  hasRanges = true;
  // What the sockets hold of answers that were given up: of one file the page had read all.
  expect(sent).toBeLessThan(64 << 20);
});

test("a damaged part is left out and listed among the messages", async ({ page, receivers }) => {
  receivers.add(origin);
  // Another part with the same roots.
  const twice = join(folder, "twice.pb");
  run("convert", RECORDING, "-o", twice);
  run("export", RECORDING, "--parquet", join(folder, "damaged"));
  const [part = ""] = partsIn("damaged/stacks");
  run("export", twice, "--parquet", join(folder, "damaged"));
  const bytes = readFileSync(join(folder, part));
  writeFileSync(join(folder, part), bytes.fill(0x55, 4, bytes.length >> 1));
  const { rows } = JSON.parse(run("spans", twice, "--type", "wall", "--limit", "1", "--json")) as {
    rows: { id: string; samples: number; value: string }[];
  };
  const { id, samples, value } = rows[0]!;
  await page.goto(`./#lake=${encodeURIComponent(`${origin}/damaged/`)}&root=${id}&type=wall`);
  await allowHost(page, origin);
  await expectTotals(page, { samples, value: Number(value) });
  await page.getByTestId("message-details").click();
  await expect(page.getByTestId("message")).toContainText(part.slice("damaged/".length));
});

test("the inbox of a catalogue says so", async ({ page, receivers }) => {
  receivers.add(origin);
  const set = join(folder, "inbox");
  run("export", RECORDING, "--parquet", set);
  writeFileSync(join(set, "_spanflame", "registered"), "Iceberg as profiles\n");
  // The next batch writes it to the list that hosts have.
  run("export", fixture("shop.jfr"), "--parquet", set);
  await page.goto(`./#lake=${encodeURIComponent(`${origin}/inbox/`)}&root=${rootOf(RECORDING)}`);
  await allowHost(page, origin);
  await page.getByTestId("message-details").click();
  await expect(page.getByTestId("message")).toContainText("an inbox of Iceberg as profiles");
});

test("a copy that lacks a part of its list is refused", async ({ page, receivers }) => {
  receivers.add(origin);
  run("export", RECORDING, "--parquet", join(folder, "incomplete"));
  const [part = ""] = partsIn("incomplete/stacks");
  rmSync(join(folder, part));
  await page.goto(`./#lake=${encodeURIComponent(`${origin}/incomplete/`)}&root=${rootOf(RECORDING)}`);
  await allowHost(page, origin);
  await expect(page.getByTestId("message")).toContainText("the copy of the data set is not complete");
  await expect(page.getByTestId("message")).toContainText(`/${basename(part)}: 404`);
});

function rootOf(recording: string): string {
  const { rows } = JSON.parse(run("spans", recording, "--type", "wall", "--limit", "1", "--json")) as {
    rows: { id: string }[];
  };
  return rows[0]!.id;
}

/** Files of a table, by their paths in the folder. */
function partsIn(table: string): string[] {
  const names = readdirSync(join(folder, table), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".parquet")).map((name) => `${table}/${name}`);
}
