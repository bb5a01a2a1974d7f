/** `push --datadog` to an agent on a loopback port: the form that arrives has the samples that were sent. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { answer, serve } from "../../../test/kit/http/server.ts";
import { pprofOf } from "../../../test/kit/otlp/pprof-message.ts";
import { askCli, buildCli, callCli, ROOT } from "../../../test/kit/run-cli.ts";

const SHOP = join(ROOT, "fixtures", "shop.jfr");
const OUT = mkdtempSync(join(tmpdir(), "spanflame-datadog-"));
afterAll(() => rmSync(OUT, { recursive: true }));
beforeAll(() => buildCli(), 120_000);

interface Info {
  files: { name: string; resource: Record<string, string> }[];
  profiles: { type: string; samples: number; value: string }[];
}

it("sends a form that is read as an upload with the same samples and the same process", async () => {
  const agent = await serve(answer(202));
  const path = join(OUT, "sent");
  try {
    const { code, err } = await callCli(["push", SHOP, "--datadog", "--to", agent.url]);
    expect([code, err]).toEqual([0, expect.stringMatching(/upload of \d profiles, .* observations accepted\n/)]);
    const [received] = agent.received;
    expect([agent.received.length, received!.path]).toEqual([1, "/profiling/v1/input"]);
    expect(received!.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    writeFileSync(path, received!.body);
  } finally {
    await agent.close();
  }
  const [sent, back] = [await askCli<Info>("info", SHOP), await askCli<Info>("info", path)];
  // A second measure of a sample is another profile of pprof.
  const sums = ({ profiles }: Info) => new Set(profiles.map(({ samples }) => samples));
  expect(sums(back)).toEqual(sums(sent));
  expect(back.files[0]?.resource).toMatchObject({ "process.pid": sent.files[0]!.resource["process.pid"] });
  const spans = (input: string, type: string) => askCli<object>("spans", input, "--type", type);
  expect(await spans(path, "cpu")).toEqual(await spans(SHOP, "cpu"));
});

it("sends the selected samples only, and nothing if there are none", async () => {
  const agent = await serve(answer(200), answer(403));
  try {
    const push = (...args: string[]) => callCli(["push", SHOP, "--datadog", "--to", agent.url, ...args]);
    const [{ id, samples }] = (
      await askCli<{ rows: [{ id: string; samples: number }] }>("spans", SHOP, "--type", "cpu")
    ).rows;
    expect((await push("--type", "cpu", "--local-root", id)).code).toBe(0);
    const path = join(OUT, "one");
    writeFileSync(path, agent.received[0]!.body);
    expect((await askCli<Info>("info", path)).profiles.map((profile) => profile.samples)).toEqual([samples]);
    const none = await push("--local-root", "1");
    expect([none.code, none.err, agent.received.length]).toEqual([0, expect.stringContaining("nothing was sent"), 1]);
    expect((await push()).code).toBe(1);
  } finally {
    await agent.close();
  }
});

it("states the time of its profile where samples have none", async () => {
  const agent = await serve(answer(200));
  const path = join(OUT, "go.pprof");
  const times = { timeNanos: "1700000000000000000", durationNanos: "60000000000" };
  writeFileSync(
    path,
    pprofOf({ types: [["cpu", "nanoseconds"]], samples: [{ stack: ["main"], values: [7] }], ...times }),
  );
  try {
    expect((await callCli(["push", path, "--datadog", "--to", agent.url])).code).toBe(0);
    const text = Buffer.from(agent.received[0]!.body).toString("latin1");
    const stated = ["start", "end"].map((name) => new RegExp(`"${name}":"([^"]+)"`).exec(text)?.[1]);
    expect(stated).toEqual(["2023-11-14T22:13:20.000000000Z", "2023-11-14T22:14:20.000000000Z"]);
  } finally {
    await agent.close();
  }
});
