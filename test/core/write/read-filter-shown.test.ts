/**
 * Filters given to the readers before reading: reports and pictures, for which other samples are read without stacks.
 * They are those that are made after everything was read, but for the order of frames and functions of equal weight.
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Conversion, conversionOf, formatOf } from "../../../src/cli/convert/conversion.ts";
import { outputNeed } from "../../../src/cli/convert/need.ts";
import { writeShown } from "../../../src/cli/convert/shown.ts";
import { Core } from "../../../src/core/core.ts";
import type { Filter } from "../../../src/core/types.ts";
import { SHOWN_FORMATS } from "../../../src/model/words/shown-formats.ts";
import type { ReportData } from "../../../src/report/data.ts";
import { CORE, casesOf, fixture, RECORDINGS, read } from "../../kit/core/read-filters.ts";
import { matrixOf } from "../../kit/needs.ts";

const FORMATS = SHOWN_FORMATS.flatMap(({ name, pageOnly }) => (pageOnly === true ? [] : [name]));
const folder = mkdtempSync(join(tmpdir(), "read-filter-shown-"));

beforeAll(() => {
  vi.useFakeTimers({ now: 1e12, toFake: ["Date"] });
});
afterAll(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

async function shown(core: Core, conversion: Conversion): Promise<string> {
  const path = join(folder, "shown");
  const open = () => {
    const file = openSync(path, "w");
    return { name: path, file, close: () => closeSync(file) };
  };
  await writeShown(core, conversion, ["a.jfr"], { path, files: { open } }, { traces: null });
  return readFileSync(path, "utf8");
}

async function conversion(format: string, type: string, filter: Filter): Promise<Conversion> {
  const made = await conversionOf({ type } as Conversion["values"], formatOf(format, ""));
  return { ...made, chipped: { ...made.chipped, filter } };
}

const BOX = /<g data-kind="(?:frame|hidden)".*<\/g>\n/g;
const DATA = /(<script type="application\/json" id="data">)(.*?)(<\/script>)/s;
/** Its colours are those of the first frames of a kind. */
const LEGEND = /<g data-kind="legend">.*|<li><svg .*/g;
const ROW = /<tr><th scope="row">.*<\/tr>\n/g;

/** The text with the boxes of a picture, without their places, in an order that does not depend on that of reading. */
function unordered(text: string): string {
  const boxes = (text.match(BOX) ?? []).map((box) => box.replaceAll(/ x="[^"]*"/g, "")).sort();
  const colourless = text.replaceAll(LEGEND, (line) => line.replaceAll(/fill="[^"]*"/g, ""));
  const report = colourless.replace(DATA, (_, start, data, end) => start + paths(JSON.parse(data)) + end);
  return `${report.replaceAll(BOX, "").replaceAll(ROW, "")}${boxes.join("")}${functions(text).join("")}`;
}

/** Rows of the top functions; of those as light as the last one, the table may have any. */
function functions(text: string): string[] {
  const rows = text.match(ROW) ?? [];
  const self = (row: string) => /<td>.*?<\/td>/.exec(row)?.[0];
  return rows.filter((row) => self(row) !== self(rows.at(-1)!)).sort();
}

/** The data of a report with a text for each frame: the names from the root on, and its values. */
function paths({ names, parent, name, total, self, frameType, tone, tones, folded, ...rest }: ReportData): string {
  const hidden = new Map(folded.map(([row, ...more]) => [row, more]));
  const path: string[] = [];
  const lines = name.map((id, row) => {
    path.push(row === 0 ? "" : `${path[parent[row]!]};${names[id]}`);
    const own = [total[row], self[row], frameType[row], tones[Number.parseInt(tone[row]!, 36)], hidden.get(row)];
    return `${path[row]} ${JSON.stringify(own)}`;
  });
  return `${JSON.stringify(rest)}\n${lines.sort().join("\n")}`;
}

describe.each(matrixOf(RECORDINGS))("%s", (name) => {
  it.each(FORMATS)("has the same %s", async (format) => {
    const [whole, part] = [await Core.instantiate(CORE, [], 1n), await Core.instantiate(CORE, [], 2n)];
    const bytes = fixture(name);
    await read(whole, bytes, null);
    const [first] = whole.profiles();
    for (const [what, type = first!.type, filter] of casesOf(whole)) {
      const asked = await conversion(format, type, filter);
      const need = outputNeed(asked);
      await read(part, bytes, need === null ? null : { types: [type], ...need, all: true });
      const [a, b] = [await shown(part, asked), await shown(whole, asked)].map(unordered);
      expect(a === b, `${what}: ${a!.length} and ${b!.length}`).toBe(true);
    }
  });
});
