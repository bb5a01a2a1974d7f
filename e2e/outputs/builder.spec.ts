/** `ProfileBuilder` of the built package in a browser, with a strict policy: it builds, writes, validates, opens. */
import { resolve } from "../../test/kit/otlp/resolve.ts";
import { embedded } from "../kit/embedded.ts";
import { expect } from "../kit/page.ts";

const test = embedded();

test("a program in a page makes a profile, validates it, opens it, and gets the same bytes as in Node", async ({
  page,
  address,
}) => {
  await page.goto("./");
  const made = await page.evaluate(make, `${address}spanflame/index.js`);
  expect(made).toMatchObject({ valid: true, rows: [["leaf", "7"]], samples: [["leaf", "root"]], pprof: true });
  expect(made.bytes).toEqual((await make(new URL("../../dist-lib/index.js", import.meta.url).href)).bytes);
  const [line] = resolve(Uint8Array.from(made.bytes));
  expect(JSON.stringify(line)).toContain("shop ☃");
});

/** Runs in the page and in Node. */
async function make(module: string) {
  const { ProfileBuilder }: typeof import("../../src/library/index.ts") = await import(module);
  const builder = await ProfileBuilder.create();
  const [leaf = 0, root = 0] = ["leaf", "root"].map((name) =>
    builder.location({ lines: [{ function: builder.function({ name, file: `${name}.js` }) }], type: "v8js" }),
  );
  const resource = builder.resource({ "service.name": "shop ☃" });
  const cpu = builder.profile({ type: "cpu", unit: "nanoseconds", period: 1000, resource });
  const link = builder.link({ span: 5n, localRoot: 4n });
  cpu.add({ stack: builder.stack([leaf, root]), link, time: 1_700_000_000_000_000_000n, value: 7 });
  const { valid } = await builder.validate();
  const bytes = Array.from(builder.write("otlp").bytes);
  const pprof = builder.write("pprof").bytes.length > 0;
  const recording = await builder.open();
  builder.close();
  const selection = recording.select("cpu", { localRoot: 4n });
  const rows = selection.top({ limit: 1 }).rows.map(({ name, self }) => [name, String(self)]);
  const samples = Array.from(selection.samples(), ({ stack }) => stack.frames.map((frame) => frame.function));
  recording.close();
  return { valid, bytes, pprof, rows, samples };
}
