/** The page asks before it reads from another host: nothing leaves before a yes, a no leaves a page to go on with. */
import { readFileSync } from "node:fs";
import { formatBytes } from "../../src/model/words/format.ts";
import { answer, serve, type TestServer } from "../../test/kit/http/server.ts";
import { expectNothingByAxe } from "../kit/axe.ts";
import { fixture, profileOf, SHOP } from "../kit/expected.ts";
import { allowHost, expect, expectTotals, openFixture, test } from "../kit/page.ts";

const RECORDING = readFileSync(fixture("shop.jfr"));
const CPU = profileOf(SHOP, "cpu");
const CORS = {
  "access-control-allow-origin": "*",
  "content-type": "x/y",
  "content-length": String(RECORDING.length),
};

let servers: TestServer[] = [];
test.afterEach(async () => {
  for (const server of servers) await server.close();
  servers = [];
});

async function host(receivers: Set<string>): Promise<TestServer> {
  const server = await serve(answer(200, RECORDING, CORS));
  servers.push(server);
  receivers.add(server.url);
  return server;
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`the question names host, file and amount, in ${colorScheme} colours`, async ({ page, receivers }) => {
    const server = await host(receivers);
    await page.emulateMedia({ colorScheme });
    await page.goto(`./?url=${server.url}/a/shop.jfr#view=flame`);
    const dialog = page.getByRole("dialog", { name: "Read from another host?" });
    await expect(dialog).toContainText("/a/shop.jfr");
    await expect(page.getByTestId("consent-host")).toHaveText(server.url);
    await expect(dialog.getByTestId("consent-no")).toBeFocused();
    await expectNothingByAxe(page);
    expect(server.received).toEqual([]);
    await dialog.getByTestId("consent-size").click();
    await expect(dialog.getByRole("status")).toHaveText(`${formatBytes(RECORDING.length)}.`);
    expect(server.received.map(({ method }) => method)).toEqual(["HEAD"]);
    await dialog.getByTestId("consent-yes").click();
    await expectTotals(page, CPU);
  });
}

test("a no by Escape, which is not final", async ({ page, receivers }) => {
  const server = await host(receivers);
  await page.goto(`./?url=${server.url}/shop.jfr#view=flame`);
  await expect(page.getByTestId("consent-no")).toBeFocused();
  await page.keyboard.press("Escape");
  const message = page.getByTestId("message");
  await expect(message).toContainText(`Nothing was read from ${server.url}: you did not allow it.`);
  await expect(page.getByTestId("open-sample")).toBeVisible();
  expect(server.received).toEqual([]);
  await message.getByTestId("ask-again").click();
  await allowHost(page, server.url);
  await expectTotals(page, CPU);
});

test("a yes holds for the host until it is forgotten, or once only", async ({ page, receivers }) => {
  const [first, second] = [await host(receivers), await host(receivers)];
  await page.goto(`./?url=${first.url}/a.jfr&url=${second.url}/b.jfr&url=${first.url}/c.jfr#view=flame`);
  await expect(page.getByTestId("consent")).toContainText("/c.jfr");
  await allowHost(page, first.url);
  await expect(page.getByTestId("consent-host")).toHaveText(second.url);
  await page.getByTestId("consent-keep").uncheck();
  await allowHost(page, second.url);
  await expect(page.getByTestId("files")).toContainText("a.jfr, b.jfr, c.jfr");
  await page.goto(`./?url=${first.url}/a.jfr#view=flame`);
  await expectTotals(page, CPU);
  await page.getByTestId("shortcuts").click();
  const allowed = page.getByTestId("allowed-hosts");
  await expect(allowed).toContainText(first.url);
  await expect(allowed).not.toContainText(second.url);
  await allowed.getByTestId("forget-hosts").click();
  await expect(allowed).toBeHidden();
  await page.reload();
  await expect(page.getByTestId("consent-host")).toHaveText(first.url);
});

test("the question shows the host of an address that pretends to be another, and lines that lie as text", async ({
  page,
  receivers,
}) => {
  const server = await host(receivers);
  const lie = `${server.url.replace("//", "//trusted.example@")}/‮gpj.<b>x</b>?from=trusted.example`;
  await page.goto(`./?url=${encodeURIComponent(lie)}#view=flame`);
  await expect(page.getByTestId("consent-host")).toHaveText(server.url);
  await expect(page.getByTestId("consent").locator("b")).toHaveCount(0);
  expect(await page.getByTestId("consent").textContent()).not.toMatch(/[\u202e]|trusted\.example@/);
});

test("in a frame the page reads from its own host only", async ({ page, receivers, baseURL }) => {
  const server = await host(receivers);
  await openFixture(page, fixture("shop.jfr"));
  // The server forbids frames; another one may not.
  await page.route("**/framed/**", async (route) => {
    const response = await route.fetch({ url: route.request().url().replace("/framed/", "/") });
    const headers = { ...response.headers() };
    delete headers["content-security-policy"];
    await route.fulfill({ response, headers });
  });
  await page.route("**/around", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><title>around</title><iframe src="framed/?url=${server.url}/shop.jfr"></iframe>`,
    }),
  );
  await page.goto(`${baseURL}around`);
  const message = page.frameLocator("iframe").getByTestId("message");
  await expect(message).toContainText("In a frame this page reads from no other host");
  expect(server.received).toEqual([]);
});
