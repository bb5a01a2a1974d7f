/** Lines of source files, against the frames that the call tree has by line. */
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { type Asking, asking } from "../../test/kit/asking.ts";
import { PLAIN } from "../core/tables/extra-events.ts";
import { WHOLE } from "../model/query/shape.ts";
import type { Query } from "./api.ts";
import { Session } from "./session.ts";

const at = (path: string) => readFile(new URL(`../../${path}`, import.meta.url));

/** `profile`: the one with the most samples. */
async function opened(path: string): Promise<Asking<Session> & { profile: number }> {
  const first = await at("build/core-first.wasm");
  const rest = await at("build/core-rest.wasm");
  const session = asking(
    new Session({ first: () => WebAssembly.compile(first), rest: () => WebAssembly.compile(rest) }),
  );
  const bytes = await at(path);
  const blob = new Blob([Uint8Array.from(path.endsWith(".gz") ? gunzipSync(bytes) : bytes)]);
  const answer = await session.open([{ name: "recording", blob }], PLAIN, () => {});
  if (!answer.ok) throw new Error(answer.error.message);
  const [profile] = answer.value.profiles.sort((a, b) => b.samples - a.samples);
  return Object.assign(session, { profile: profile?.id ?? 0 });
}

/** Self and total of each line by the call tree of frames with lines, `NAME:LINE`, of functions that `isOf` accepts. */
async function linesByTree(session: Asking<Session>, query: Query, isOf: (name: string) => boolean) {
  const answer = await session.frames({ ...query, shape: { ...WHOLE, lines: true } }, { focus: 0, width: 1e9 });
  if (!answer.ok) throw new Error(answer.error.message);
  const { names, name, parent, self, total } = answer.value.frames;
  const lineOf = (row: number) => {
    const [, method = "", digits = "0"] = /^(.*?)(?::(\d+))?$/.exec(names[name[row] ?? 0] ?? "") ?? [];
    return row > 0 && isOf(method) ? Number(digits) : null;
  };
  const isAgain = (row: number, line: number): boolean => {
    for (let above = parent[row] ?? 0; above > 0; above = parent[above] ?? 0) if (lineOf(above) === line) return true;
    return false;
  };
  const lines = new Map<number, { line: number; self: number; total: number }>();
  for (let row = 1; row < name.length; row++) {
    const line = lineOf(row);
    if (line === null) continue;
    const sums = lines.get(line) ?? { line, self: 0, total: 0 };
    sums.self += self[row] ?? 0;
    if (!isAgain(row, line)) sums.total += total[row] ?? 0;
    lines.set(line, sums);
  }
  return [...lines.values()].sort((a, b) => a.line - b.line);
}

it.each([
  ["fixtures/recorded/ddagent-jdk17.jfr", (name: string) => /^demo\.Shop(?!\$\$Lambda)/.test(name), "demo/Shop.java"],
  ["fixtures/planted/go-fold.pb.gz", (name: string) => name.startsWith("main."), "example.com/shop/main.go"],
])("%s has the values of the frames by line", async (path, isOf, file) => {
  const session = await opened(path);
  const query = { profile: session.profile, measure: 0, filter: {} };
  const answer = await session.sourceLines(query, file);
  const totals = await session.totals(query);
  if (!answer.ok || !totals.ok) throw new Error("no answer");
  const { lines, self, total, whole } = answer.value;
  expect(lines.length).toBeGreaterThan(1);
  expect(lines).toEqual(await linesByTree(session, query, isOf));
  expect(whole).toBe(Number(totals.value.value));
  expect(self).toBe(lines.reduce((sum, row) => sum + row.self, 0));
  expect(total).toBeLessThanOrEqual(whole);
  // Filters hold, and another path has no line.
  const without = { ...query, filter: { frames: [{ pattern: "Shop|main", exclude: true }] } };
  expect(await session.sourceLines(without, file)).toMatchObject({ ok: true, value: { lines: [], total: 0 } });
  expect(await session.sourceLines(query, `other/${file}`)).toMatchObject({ ok: true, value: { lines: [], whole } });
});
