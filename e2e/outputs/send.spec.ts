/**
 * Sending from the page: to a receiver that allows it, to one that does not, and to an address without a receiver. The
 * page sends nothing before the user asks for it.
 */
import { gunzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { partialSuccess, status } from "../../test/kit/http/answers.ts";
import { type Answer, answer, serve, type TestServer } from "../../test/kit/http/server.ts";
import { flatten, readOtlp, readOtlpJson } from "../../test/kit/otlp/otlp-schema.ts";
import { findingsOf } from "../../test/kit/otlp/valid.ts";
import { fixture, heaviest, SHOP } from "../kit/expected.ts";
import { cellOf, openExport } from "../kit/export.ts";
import { expect, findOnCpu, openFixture, test } from "../kit/page.ts";

const [ROOT, ROOT_CELL] = heaviest(SHOP.localRoots, "cpu")[0] ?? ["", { samples: 0, value: 0 }];

let server: TestServer | null = null;
test.afterEach(async () => {
  await server?.close();
  server = null;
});

/** A receiver that answers preflights as its headers say, and messages in turn. */
async function receiver(
  receivers: Set<string>,
  headers: Record<string, string>,
  ...answers: Answer[]
): Promise<TestServer> {
  let next = 0;
  server = await serve((response, received) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (received.method !== "POST") return answer(204)(response, received);
    answers[Math.min(next++, answers.length - 1)]?.(response, received);
  });
  receivers.add(server.url);
  return server;
}

/** What a Collector says to a page that it allows. */
async function allowing(page: Page): Promise<Record<string, string>> {
  return {
    "access-control-allow-origin": await page.evaluate(() => location.origin),
    "access-control-allow-headers": "content-type, otlp-profiles-development-version, content-encoding, api-key",
  };
}

const posts = ({ received }: TestServer) => received.filter(({ method }) => method === "POST");

/** The heaviest root's samples, on their way to this address. */
async function openSending(page: Page, address: string, ...checked: string[]): Promise<void> {
  await findOnCpu(page, ROOT);
  await openExport(page);
  for (const id of ["target-receiver", ...checked])
    await page.getByTestId(id).check({ force: id.startsWith("format-") });
  await page.getByTestId("endpoint").fill(address);
}

const log = (page: Page) => page.getByTestId("send-log").getByRole("listitem");

test("exactly what is filtered arrives, once it is sent and not before", async ({ page, receivers }) => {
  await openFixture(page, fixture("shop.jfr"));
  const { url } = await receiver(receivers, await allowing(page), answer(200));
  await openSending(page, url);
  await expect(page.getByTestId("send-warning")).toContainText("This sends data");
  await expect(page.getByTestId("send-warning")).toContainText(await page.evaluate(() => location.origin));
  expect(server?.received).toEqual([]);

  await page.getByTestId("export-send").click();
  await expect(log(page)).toHaveText([new RegExp(`^cpu, .* KiB: ${ROOT_CELL.samples} observations accepted$`)]);
  const [post, ...others] = posts(server as TestServer);
  expect(others).toEqual([]);
  expect(post).toMatchObject({
    path: "/v1development/profiles",
    headers: { "content-type": "application/x-protobuf", "otlp-profiles-development-version": "1" },
  });
  const body = post?.body ?? Buffer.alloc(0);
  expect(findingsOf(body, "protobuf")).toEqual([]);
  const [profile] = flatten(readOtlp(body));
  expect(cellOf(profile?.samples ?? [])).toEqual(ROOT_CELL);
});

test("JSON, gzip and a header go as they are asked for", async ({ page, receivers }) => {
  await openFixture(page, fixture("shop.jfr"), "#by=root&inferred=no");
  const { url } = await receiver(receivers, await allowing(page), answer(200));
  await openSending(page, `${url}/otlp/profiles`, "format-otlp-json", "export-gzip", "scope-all");
  await page.getByTestId("header-add").click();
  await page.getByLabel("Name of header 1").fill("api-key");
  await page.getByLabel("Value of api-key").fill("secret");
  await expect(page.getByLabel("Value of api-key")).toHaveAttribute("type", "password");
  await page.getByTestId("export-send").click();
  await expect(log(page)).toHaveText([/^\d profiles, .*: [\d,]+ observations accepted$/]);
  const [post] = posts(server as TestServer);
  expect(post).toMatchObject({
    path: "/otlp/profiles",
    headers: { "content-type": "application/json", "content-encoding": "gzip", "api-key": "secret" },
  });
  const profiles = flatten(readOtlpJson(gunzipSync(post?.body ?? Buffer.alloc(0)).toString("utf8")));
  const cells = Object.fromEntries(profiles.map(({ type, samples }) => [type, cellOf(samples)]));
  expect(cells).toEqual(SHOP.localRoots[ROOT]);
});

test("a busy receiver is asked again, and that is said; a partial success is not sent again", async ({
  page,
  receivers,
}) => {
  await openFixture(page, fixture("shop.jfr"));
  const busy = answer(503, status(14, "try later"));
  const { url } = await receiver(receivers, await allowing(page), busy, answer(200, partialSuccess(1, "too old")));
  await openSending(page, url);
  await page.getByTestId("export-send").click();
  await expect(log(page)).toHaveText([
    /: 503 Service Unavailable try later \(code 14\); again in [\d.]+ s \(1 of 5\)$/,
    /: accepted except for 1 rejected profiles: too old$/,
  ]);
  await expect(page.getByTestId("export-send")).toBeVisible();
  expect(posts(server as TestServer)).toHaveLength(2);
});

test("a receiver that does not allow the page gets nothing, and what to check is said", async ({ page, receivers }) => {
  await openFixture(page, fixture("shop.jfr"));
  const { url } = await receiver(receivers, {}, answer(200));
  await openSending(page, url, "export-gzip");
  await page.getByTestId("header-add").click();
  await page.getByLabel("Name of header 1").fill("api-key");
  await page.getByTestId("export-send").click();
  const origin = await page.evaluate(() => location.origin);
  await expect(log(page)).toHaveText([
    /: not sent: the server answers, but does not allow requests from this page \(CORS\)$/,
    new RegExp(
      `cors.allowed_origins contains ${origin} .* content-type, otlp-profiles-development-version, content-encoding, api-key\\.`,
    ),
  ]);
  expect(posts(server as TestServer)).toEqual([]);
});

test("where nobody answers that is said, and waiting can be stopped", async ({ page, receivers }) => {
  await openFixture(page, fixture("shop.jfr"));
  const { url, close } = await serve(answer(200));
  await close();
  receivers.add(url);
  await openSending(page, url);
  await page.getByTestId("export-send").click();
  await expect(log(page).first()).toContainText("no server answers");
  await page.getByTestId("export-stop").click();
  await expect(log(page).last()).toContainText("Stopped");
  await expect(page.getByTestId("export-send")).toBeVisible();
});

test("the page and the worker with the recording still may not ask elsewhere", async ({ page, receivers }) => {
  await openFixture(page, fixture("shop.jfr"));
  const { url } = await receiver(receivers, await allowing(page), answer(200));
  const ask = (to: string) =>
    fetch(to).then(
      () => "answered",
      () => "refused",
    );
  expect(await page.evaluate(ask, url)).toBe("refused");
  expect(await Promise.all(page.workers().map((worker) => worker.evaluate(ask, url)))).toEqual(["refused"]);
  expect(server?.received).toEqual([]);
  // Of the page by its header and by its meta element; a worker tells its own.
  const violations = await page.evaluate(() => window.violations?.splice(0));
  expect(violations).toEqual([`connect-src: ${url}/`, `connect-src: ${url}/`]);
});
