/** A recording of `?url=` is on the page while it is fetched: first its first chunk, in the end all of it. */
import { readFileSync } from "node:fs";
import { createGzip, constants as zlib } from "node:zlib";
import type { Page } from "@playwright/test";
import { serve, type TestServer } from "../../test/kit/http/server.ts";
import { coreOf, profileIn } from "../kit/core.ts";
import { fixture, profileOf, SHOP, SHOP_CHUNKS } from "../kit/expected.ts";
import { allowHost, expect, expectTotals, showView, test } from "../kit/page.ts";
import { chunksOf, coreOfPart } from "../kit/slow-file.ts";

const PATH = fixture("shop-chunks.jfr");
const BYTES = readFileSync(PATH);
const [, SECOND = 0, THIRD = 0, END = 0] = chunksOf(PATH);
/** More than the browser's decompressor takes at once. */
const PIECE = 80_000;
const ALL = profileOf(SHOP_CHUNKS, "cpu");
const cpuUpTo = async (end: number) => profileIn(await coreOfPart(PATH, end), "cpu");
const incoming = (page: Page) => page.getByTestId("incoming");

const servers: TestServer[] = [];
test.afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

interface Slow {
  url: string;
  /** How often the file was asked for. */
  requests: () => number;
  /** Sends the first bytes of the file. The last ones end the answer. */
  upTo: (end: number) => void;
  /** The connection breaks. */
  break: () => void;
}

/** A host that sends its file as far as the test says. */
async function slowHost(
  receivers: Set<string>,
  parts: ReadonlyMap<number, Buffer>,
  headers: Record<string, string> = {},
): Promise<Slow> {
  let end = 0;
  let destroy = () => {};
  const pumps = new Set<() => void>();
  const server = await serve((response) => {
    response.writeHead(200, { "access-control-allow-origin": "*", "content-type": "x/y", ...headers });
    const left = new Map(parts);
    const pump = () => {
      for (const [upTo, part] of left) {
        if (upTo > end) return;
        left.delete(upTo);
        response.write(part);
      }
      response.end();
    };
    destroy = () => response.socket?.resetAndDestroy();
    pumps.add(pump);
    response.flushHeaders();
    pump();
  });
  servers.push(server);
  receivers.add(server.url);
  const upTo = (next: number) => {
    end = next;
    for (const pump of pumps) pump();
  };
  return { url: server.url, requests: () => server.received.length, upTo, break: () => destroy() };
}

/** A file, divided where its chunks begin. */
function chunked(bytes = BYTES): Map<number, Buffer> {
  return new Map([
    [SECOND, bytes.subarray(0, SECOND)],
    [THIRD, bytes.subarray(SECOND, THIRD)],
    [END, bytes.subarray(THIRD)],
  ]);
}

/** The same, compressed as a whole. */
async function compressed(level = 6): Promise<Map<number, Buffer>> {
  const gzip = createGzip({ level });
  const parts = new Map<number, Buffer>();
  let out: Buffer[] = [];
  gzip.on("data", (part: Buffer) => out.push(part));
  for (const [end, part] of chunked()) {
    gzip.write(part);
    if (end === END) await new Promise<void>((resolve) => gzip.on("end", resolve).end());
    else await new Promise<void>((resolve) => gzip.flush(zlib.Z_SYNC_FLUSH, resolve));
    parts.set(end, Buffer.concat(out));
    out = [];
  }
  return parts;
}

/** A compressed file, of which a piece is read at once: with each chunk comes one of the next. */
async function packed(): Promise<Map<number, Buffer>> {
  const all = Buffer.concat([...(await compressed(0)).values()]);
  const ends = [SECOND + PIECE, THIRD + PIECE, all.length];
  const parts = ends.map((end, i) => all.subarray(ends[i - 1] ?? 0, end));
  return new Map([SECOND, THIRD, END].map((end, i) => [end, parts[i] ?? all]));
}

async function openFirst(page: Page, host: Slow, name = "shop-chunks.jfr"): Promise<void> {
  await page.goto(`./?url=${host.url}/${name}#view=flame`);
  await allowHost(page, host.url);
  host.upTo(SECOND);
  await expectTotals(page, await cpuUpTo(SECOND));
  await expect(incoming(page)).toContainText(name);
}

const LENGTH = { "content-length": String(END) };
const GZIP = { "content-encoding": "gzip" };
const HOSTS: [string, () => Promise<Map<number, Buffer>>, (parts: Map<number, Buffer>) => Record<string, string>][] = [
  ["that states its size", async () => chunked(), () => LENGTH],
  ["that states no size", async () => chunked(), () => ({})],
  ["of a compressed body", compressed, () => GZIP],
  [
    "of a compressed body, whose size it states",
    compressed,
    (parts) => ({ ...GZIP, "content-length": String(Buffer.concat([...parts.values()]).length) }),
  ],
  ["of a compressed file", packed, () => ({})],
];

for (const [what, partsOf, headersOf] of HOSTS) {
  test(`the first chunk is on the page before the second one is sent by a host ${what}`, async ({
    page,
    receivers,
  }) => {
    const parts = await partsOf();
    const host = await slowHost(receivers, parts, headersOf(parts));
    await openFirst(page, host);
    await expect(page.getByTestId("flame").locator("g.frame").first()).toBeVisible();
    await page.getByTestId("flame").evaluate((element) => element.setAttribute("data-mark", ""));
    host.upTo(THIRD);
    await expectTotals(page, await cpuUpTo(THIRD));
    await showView(page, "top");
    await expect(page.getByTestId("top-row").first()).toBeVisible();
    await showView(page, "flame");
    host.upTo(END);
    await expectTotals(page, ALL);
    await expect(incoming(page)).toHaveCount(0);
    await expect(page.getByTestId("message")).toHaveCount(0);
    expect(host.requests()).toBe(1);
  });
}

test("the first chunk of the file that the command line serves is on the page before the second one is sent", async ({
  page,
  receivers,
}) => {
  const host = await slowHost(receivers, chunked(), LENGTH);
  await page.route("**/files.json", (route) => route.fulfill({ json: [{ name: "served.jfr" }] }));
  await page.route("**/files/0", (route) => route.fulfill({ status: 307, headers: { location: host.url } }));
  await page.goto("./?files");
  host.upTo(SECOND);
  await expectTotals(page, await cpuUpTo(SECOND));
  await expect(incoming(page)).toContainText("served.jfr");
  host.upTo(END);
  await expectTotals(page, ALL);
  await expect(incoming(page)).toHaveCount(0);
});

test("the share that has come is told before the first chunk is there", async ({ page, receivers }) => {
  const parts = new Map([[1, BYTES.subarray(0, 100_000)], ...chunked()]);
  parts.set(SECOND, BYTES.subarray(100_000, SECOND));
  const host = await slowHost(receivers, parts, LENGTH);
  await page.goto(`./?url=${host.url}/shop-chunks.jfr#view=flame`);
  await allowHost(page, host.url);
  host.upTo(1);
  await expect(page.getByTestId("progress")).toContainText("97.7 KiB of");
  host.upTo(END);
  await expectTotals(page, ALL);
});

test("Cancel keeps what is there, and other files are added to all of it", async ({ page, receivers }) => {
  const host = await slowHost(receivers, chunked(), LENGTH);
  await openFirst(page, host);
  await page.getByTestId("incoming-cancel").click();
  await expect(incoming(page)).toHaveCount(0);
  await expectTotals(page, await cpuUpTo(SECOND));
  await expect(page.getByTestId("message")).toContainText("Cancelled: the page shows the data read so far.");
  host.upTo(END);
  await page.getByTestId("files").click();
  await page.getByTestId("add-input").setInputFiles(fixture("shop.jfr"));
  await expectTotals(page, profileIn(await coreOf([PATH, fixture("shop.jfr")]), "cpu"));
  expect(host.requests()).toBe(2);
});

test("a file dropped meanwhile takes its place", async ({ page, receivers }) => {
  const host = await slowHost(receivers, chunked(), LENGTH);
  await openFirst(page, host);
  await page.getByTestId("files").click();
  await page.getByTestId("add-input").setInputFiles(fixture("shop.jfr"));
  host.upTo(END);
  await expectTotals(page, profileIn(await coreOf([PATH, fixture("shop.jfr")]), "cpu"));
  await expect(incoming(page)).toHaveCount(0);
});

test("damage in a late chunk is reported when it has come, and all else is there", async ({ page, receivers }) => {
  const bytes = Buffer.from(BYTES);
  bytes.fill(0xff, THIRD, THIRD + 20_000);
  const host = await slowHost(receivers, chunked(bytes), LENGTH);
  await openFirst(page, host);
  host.upTo(THIRD);
  await expectTotals(page, await cpuUpTo(THIRD));
  await expect(page.getByTestId("message")).toHaveCount(0);
  host.upTo(END);
  await expect(incoming(page)).toHaveCount(0);
  await expect(page.getByTestId("message")).toContainText("shop-chunks.jfr");
  await expectTotals(page, await cpuUpTo(THIRD));
});

test("what came before the connection broke stays, and the message says so", async ({ page, receivers }) => {
  const host = await slowHost(receivers, chunked(), LENGTH);
  await openFirst(page, host);
  host.break();
  await expect(incoming(page)).toHaveCount(0);
  await expect(page.getByTestId("message")).toContainText("cannot be read");
  await expectTotals(page, await cpuUpTo(SECOND));
});

test("a file that is no recording is opened when all of it has come", async ({ page, receivers }) => {
  const text = Buffer.from("main;work 3\n");
  const host = await slowHost(
    receivers,
    new Map([
      [1, text.subarray(0, 6)],
      [2, text.subarray(6)],
    ]),
  );
  await page.goto(`./?url=${host.url}/stacks.folded#view=flame`);
  await allowHost(page, host.url);
  host.upTo(1);
  await expect(page.getByTestId("progress")).toBeVisible();
  host.upTo(2);
  await expect(page.getByTestId("flame")).toBeVisible();
});

test("the recording has all bytes where it is read again", async ({ page, receivers }) => {
  const host = await slowHost(receivers, chunked(), LENGTH);
  await openFirst(page, host);
  host.upTo(END);
  await expectTotals(page, ALL);
  await expect(incoming(page)).toHaveCount(0);
  await page.getByTestId("files").click();
  await page.getByTestId("add-input").setInputFiles(fixture("shop.jfr"));
  const both = profileIn(await coreOf([PATH, fixture("shop.jfr")]), "cpu");
  await expectTotals(page, both);
  expect(both.samples).toBe(ALL.samples + profileOf(SHOP, "cpu").samples);
  expect(host.requests()).toBe(1);
});
