/** Links of tracing tools: they open the span, else its trace, else the time around it, and say which. */
import { answersOf } from "../../test/kit/page-answers.ts";
import { expectNothingByAxe } from "../kit/axe.ts";
import { fixture } from "../kit/expected.ts";
import { chips, drop, expect, fromDisk, showView, tabTo, test } from "../kit/page.ts";

const RECORDING = fixture("traces/ddctx-jdk17.jfr");
const TRACE = fixture("traces/ddctx-jdk17.whole.otlp.pb.gz");
const GRAPH = "[data-testid=flame]";

async function known() {
  const { core, spans } = await answersOf(RECORDING, TRACE, false);
  const [request] = await spans.ask("slowRequests", [{}, 1]);
  if (request === undefined) throw new Error("no request");
  return { request, core };
}

test("a link opens the span that it names, else the trace, in any form of the search box", async ({ page }) => {
  const { request } = await known();
  const span = request.id.toString(16).padStart(16, "0");
  await page.goto(`./#trace=00-${request.trace}-${span}-01&span=0x${span}&around=1m`);
  const note = page.getByTestId("link-note");
  await expect(note).toContainText(
    `This link shows trace ${request.trace} in Overview. Drop its recording to open it.`,
  );
  await drop(page, fromDisk(RECORDING), fromDisk(TRACE));
  const line = page.getByTestId("linked");
  await expect(line).toContainText("The span of the link is selected.");
  await expect(chips(page)).toHaveCount(1);
  await expect(page.getByTestId("why-sentence")).toBeVisible();
  await expectNothingByAxe(page, { without: [GRAPH] });
  await line.getByRole("button", { name: "Dismiss" }).click();
  await expect(line).toHaveCount(0);

  await page.goto("about:blank");
  await page.goto(`./#trace=${request.trace}&span=1234567&around=1m`);
  await drop(page, fromDisk(RECORDING), fromDisk(TRACE));
  await expect(line).toContainText(
    "No sample carries the span 000000000012d687 of the link. The trace of the link is selected.",
  );
  await expect(page.getByTestId("request-bars")).toBeVisible();
});

test("a link to an unknown trace opens the time that its id says, and one without a time says so", async ({ page }) => {
  const { core } = await known();
  const start = core.files()[0]?.chunks[0]?.startUnixNano ?? 0n;
  const second = (start / 1_000_000_000n + 5n).toString(16);
  await page.goto(`./#trace=${second}00000000a3ce929d0e0e4736&around=2s`);
  await drop(page, fromDisk(RECORDING));
  const line = page.getByTestId("linked");
  await expect(line).toContainText(
    /of the link\. The time of 2 s before and after .* UTC is selected: its id says that it began then\./,
  );
  await expect(chips(page)).toHaveCount(1);
  await expect(page.getByTestId("total-samples")).not.toHaveText("0");

  await page.goto("about:blank");
  await page.goto("./#span=0x1234567&around=1m");
  await drop(page, fromDisk(RECORDING));
  await expect(line).toContainText("Nothing says when it was, or these files are of another time.");
  await showView(page, "flame");
  const none = page.getByTestId("no-samples");
  await expect(none).toContainText("The recording does not have this span id");
  await expect(page.getByTestId("unknown-id")).toContainText(/The recordings cover ddctx-jdk17\.jfr.*Z, \d+ requests/);
  const add = none.getByRole("button", { name: "Add another recording…" });
  await tabTo(page, add);
  await page.getByTestId("add-recording").setInputFiles(fixture("shop.jfr"));
  await expect(page.getByTestId("files")).toHaveAttribute("data-tip", /shop\.jfr/);
});

test("the only trace of a file is selected when it opens", async ({ page }) => {
  const { request, core } = await known();
  const { spans } = await answersOf(RECORDING, TRACE, false);
  const found = await spans.ask("spans", [request.trace, []]);
  const text = (column: Uint32Array, at: number) => found?.texts[column[at] ?? 0] ?? "";
  const json = {
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: Array.from(found?.id ?? [], (id, at) => ({
              traceId: request.trace,
              spanId: id.toString(16).padStart(16, "0"),
              parentSpanId:
                (found?.up[at] ?? -1) < 0 ? "" : (found?.id[found.up[at] ?? 0] ?? 0n).toString(16).padStart(16, "0"),
              name: text(found?.nameOf ?? new Uint32Array(), at),
              startTimeUnixNano: String((found?.start ?? 0n) + BigInt(Math.round(found?.from[at] ?? 0))),
              endTimeUnixNano: String(
                (found?.start ?? 0n) + BigInt(Math.round((found?.from[at] ?? 0) + (found?.length[at] ?? 0))),
              ),
            })),
          },
        ],
      },
    ],
  };
  const samples = core
    .profiles()
    .map(({ id }) => core.select(id, { localRoot: request.id }).samples)
    .reduce((sum, each) => sum + each, 0);
  expect(samples).toBeGreaterThan(0);
  for (const [hash, view] of [
    ["", "overview"],
    ["#view=trace", "trace"],
  ]) {
    await page.goto("about:blank");
    await page.goto(`./${hash}`);
    await drop(page, fromDisk(RECORDING), { name: "one.json", bytes: Buffer.from(JSON.stringify(json)) });
    await expect(page.getByTestId(`view-${view}`)).toHaveAttribute("aria-selected", "true");
    await expect(chips(page)).toHaveCount(1);
  }
});

test("a link waits for the trace file that says when its trace was", async ({ page }) => {
  const { core } = await known();
  const start = (core.files()[0]?.chunks[0]?.startUnixNano ?? 0n) + 5_000_000_000n;
  const traceId = "0123456789abcdef0123456789abcdef";
  const times = { startTimeUnixNano: String(start), endTimeUnixNano: String(start + 1_000_000_000n) };
  const spans = [{ traceId, spanId: "00000000000000ff", name: "elsewhere", ...times }];
  const json = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
  await page.goto(`./#trace=${traceId}&around=1s`);
  await drop(page, fromDisk(RECORDING));
  const line = page.getByTestId("linked");
  await expect(line).toContainText("Nothing says when it was");
  await drop(page, { name: "one.json", bytes: Buffer.from(JSON.stringify(json)) });
  await expect(line).toContainText("UTC is selected: its trace file has it then.");
  await expect(chips(page)).toHaveCount(1);
  await expect(chips(page)).toContainText(["time"]);
  await expect(page.getByTestId("why-sentence")).toBeVisible();
});
