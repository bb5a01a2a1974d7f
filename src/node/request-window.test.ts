import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildCli, callCli, ROOT } from "../../test/kit/run-cli.ts";
import { isSilent } from "./request-window.ts";

const folder = mkdtempSync(join(tmpdir(), "request-window-"));
beforeAll(buildCli, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

it("is enough where only notes are said, but for an answer that has every event", () => {
  const [note, warning] = [{ severity: "info" }, { severity: "warning" }] as const;
  expect([isSilent([], true), isSilent([note], false)]).toEqual([true, true]);
  expect([isSilent([note], true), isSilent([note, warning], false)]).toEqual([false, false]);
});

it("says of a request in a file with notes what it says when everything is read", async () => {
  const fixture = (name: string) => readFileSync(join(ROOT, "fixtures", name));
  const near = fixture("traces/ddctx-jdk17.jfr");
  const path = join(folder, "several.jfr");
  // Copies of chunks are noted.
  writeFileSync(path, Buffer.concat([near, near]));
  for (const command of ["waits", "events"]) {
    const call = [command, path, "--local-root", "8887233962777031210", "--json"];
    const some = await callCli(call);
    const all = await callCli(call, { env: { SPANFLAME_READ_ALL: "1" } });
    expect([some.code, `${some.out}`, `${some.err}`], command).toEqual([all.code, `${all.out}`, `${all.err}`]);
  }
});
