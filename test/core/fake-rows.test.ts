/**
 * A row that is added to a table is in everything made from it: tabs, panels, lists of the browser tests, help, cards
 * of the export dialog, documents, detection of files.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { VIEW_FACTS } from "../../e2e/kit/view-facts.ts";
import { FRAME_VIEWS, RECORDING_VIEWS, VIEW_PICTURES, viewsOfTabs, WITH_EVERY_VIEW } from "../../e2e/kit/view-lists.ts";
import { isLate } from "../../scripts/build-core.mjs";
import { INPUT_FORMATS } from "../../src/core/inputs/formats.ts";
import type { Filter } from "../../src/core/types.ts";
import { wantedOf } from "../../src/fleet/tables/selectors.ts";
import { sniff } from "../../src/input/classify.ts";
import { chipsOf, filterChipsOf } from "../../src/model/query/chips.ts";
import { argsOf } from "../../src/model/query/filters.ts";
import { EMPTY_QUERY, VIEWS } from "../../src/model/query/query.ts";
import type { ExportChoice } from "../../src/model/query/written/export-choice.ts";
import { downloadName } from "../../src/model/query/written/file-name.ts";
import { hashToQuery, queryToHash } from "../../src/model/query/written/query-hash.ts";
import { isProfileName, usualEndings } from "../../src/model/recording/folder-files.ts";
import { parseFilter } from "../../src/node/arguments.ts";
import { SHELLS, VIEW } from "../../src/node/usage/commands.ts";
import { completionScript } from "../../src/node/usage/completion.ts";
import { helpOf, helpPage } from "../../src/node/usage/help.ts";
import { manPage } from "../../src/node/usage/man.ts";
import { FormatCards } from "../../src/ui/parts/export/FileOptions.tsx";
import { ViewTabs } from "../../src/ui/shell/analysis/AnalysisPanel.tsx";
import { PANELS, panelsAt } from "../../src/ui/shell/app/panels.tsx";
import { VIEW_ROWS } from "../../src/ui/views/views.ts";
import { commandsTable, formatsTable } from "../kit/doc-tables.ts";
import { MESSAGES, READ_AGAIN } from "../kit/formats.ts";

// The part of a browser that the page uses while it is loaded.
vi.hoisted(() => vi.stubGlobal("document", { title: "" }));

// Each mock is the module of a table with a row more, before others make something from it.
vi.mock(import("../../src/model/query/query.ts"), async (original) => {
  const module = await original();
  (module.VIEWS as unknown as string[]).push("phoney");
  return module;
});
vi.mock(import("../../src/ui/views/views.ts"), async (original) => {
  const module = await original();
  Object.assign(module.VIEW_ROWS.at(-1)!, { label: "Phoney", title: "Phoney", about: "Phoney", needs: ["weight"] });
  return module;
});
vi.mock(import("../../e2e/kit/view-facts.ts"), async (original) => {
  const module = await original();
  const phoney = { of: "recordings", shows: "p", frames: true, picture: "tour/phoney.png" };
  Object.assign(module.VIEW_FACTS, { phoney });
  return module;
});
vi.mock(import("../../src/node/usage/commands.ts"), async (original) => {
  const module = await original();
  Object.assign(module.COMMANDS, { phoney: { ...module.COMMANDS.info, about: "Phones" } });
  return module;
});
vi.mock(import("../../src/core/tables/formats.ts"), async (original) => {
  const module = await original();
  const [otlp] = module.FORMATS;
  module.FORMATS.push({ ...otlp!, name: "phoney" as "otlp", label: "Phoney", endings: ["phoney"] });
  return module;
});
vi.mock(import("../../src/core/inputs/formats.ts"), async (original) => {
  const module = await original();
  Object.assign(module.INPUT_FORMATS, { phoney: { ...module.INPUT_FORMATS.pprof, endings: ["phoney"] } });
  return module;
});
vi.mock(import("../../src/input/formats.ts"), async (original) => {
  const module = await original();
  const known = ([first]: Uint8Array) => (first === 0xf0 ? { kind: "phoney" } : null);
  Object.assign(module.FORMATS, { phoney: { known } });
  return module;
});
vi.mock(import("../../src/model/query/filters.ts"), async (original) => {
  const module = await original();
  (module.FILTER_KINDS as unknown[]).push("phoney");
  Object.assign(module.FILTERS, {
    phoney: {
      ...module.FILTERS.file,
      field: "phoney",
      of: ({ phoney }: { phoney?: string }) => (phoney === undefined ? [] : [{ name: phoney }]),
      print: ({ name }: { name: string }) => ["phoney", name],
      parse: (hash: URLSearchParams) => hash.getAll("phoney").map((name) => ({ name })),
      fileName: ({ name }: { name: string }) => name,
      options: { phoney: { about: "samples of Phoney", value: "P", read: (name: string) => ({ name }) } },
      args: ({ name }: { name: string }) => ["--phoney", name],
    },
  });
  return module;
});
vi.mock(import("../../src/ui/shell/app/panels.tsx"), async (original) => {
  const module = await original();
  const panels = module.PANELS as unknown as { id: string; at: string; show(): string }[];
  const places = [...new Set(panels.map(({ at }) => at))];
  // The others need a page.
  panels.splice(0, panels.length, ...places.map((at) => ({ id: "phoney", at, show: () => `phoney ${at}` })));
  return module;
});

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** The test ids of a markup. */
const idsIn = (markup: string) => [...markup.matchAll(/data-testid="([^"]*)"/g)].map(([, id = ""]) => id);

/** Files of views that not every recording has. */
const FILES_OF: Record<string, string> = { calls: "dump", traces: "trace" };

describe("a row of the views", () => {
  it("has a tab, and the tabs are the views that browser tests go through", () => {
    const parts = { calls: false, traces: true, times: true, roots: true, spansAlone: false };
    const tabs = createElement(ViewTabs, { view: "flame", parts, onView: () => {}, controls: "" });
    const ids = idsIn(renderToStaticMarkup(tabs));
    expect(ids.at(-1)).toBe("view-phoney");
    expect(viewsOfTabs(ids).at(-1)).toBe("phoney");
    expect(viewsOfTabs(ids).sort()).toEqual(VIEWS.filter((view) => VIEW_FACTS[view].of !== "dump").sort());
  });

  it("is in every list of the browser tests", () => {
    for (const views of [FRAME_VIEWS, RECORDING_VIEWS, Object.values(VIEW_PICTURES)]) expect(views).toContain("phoney");
  });

  it("has the facts in the browser tests that it has on the page", () => {
    for (const { id, needs, only } of VIEW_ROWS) {
      const { frames, of } = VIEW_FACTS[id];
      expect([id, frames]).toEqual([id, needs.includes("weight")]);
      expect([id, of]).toEqual([id, FILES_OF[only ?? ""] ?? "recordings"]);
    }
    expect(WITH_EVERY_VIEW.length).toBe(new Set(VIEWS.map((view) => VIEW_FACTS[view].of)).size - 1);
  });

  it("names a picture that the documents show", () => {
    const documents = read("README.md") + read("docs/tour.md");
    const pictures = Object.keys(VIEW_PICTURES).filter((name) => !name.includes("phoney"));
    expect(pictures.filter((name) => !documents.includes(`${name.replace("tour/", "")})`))).toEqual([]);
    const there = ["", "tour/"].flatMap((folder) =>
      readdirSync(new URL(`../../docs/${folder}`, import.meta.url)).map((name) => folder + name),
    );
    expect(pictures.filter((name) => !there.includes(name))).toEqual([]);
  });
});

it("a row of the commands is in help, completion, manual and document", () => {
  expect(helpOf("", VIEW)).toContain("phoney");
  expect(helpPage("phoney")).toMatch(/^Phones\./);
  for (const shell of SHELLS) expect(completionScript(shell)).toContain("phoney");
  expect(manPage("1")).toContain("Phones");
  expect(commandsTable()).toMatch(/spanflame phoney .*Phones/);
});

it("a row of the output formats is in dialog, help, document and tests", () => {
  const choice = { target: "file", format: "otlp" } as ExportChoice;
  const cards = renderToStaticMarkup(createElement(FormatCards, { choice, onFormat: () => {} }));
  expect(idsIn(cards)).toContain("format-phoney");
  expect(helpPage("convert")).toMatch(/--format.*phoney/s);
  expect(formatsTable()).toContain("`.phoney`");
  // As it is an input format as well.
  for (const formats of [READ_AGAIN, MESSAGES]) expect(formats).toContain("phoney");
});

it("a row of the input formats is in detection, and the choice of files", () => {
  expect(sniff(Uint8Array.of(0xf0, 1))).toEqual({ kind: "phoney" });
  expect(isProfileName("a.phoney.gz")).toBe(true);
  expect(usualEndings()).toContain(".phoney");
  expect(Object.keys(INPUT_FORMATS)).toContain("phoney");
  expect(isLate("assembly/read/phoney/reader/openPhoney")).toBe(true);
  expect(isLate("assembly/read/jfr/reader/openChunk")).toBe(false);
});

it("a row of the filters is in links, chips and file names, is read as an option and printed as one", async () => {
  const filter = { phoney: "a b" } as Filter;
  const query = { ...EMPTY_QUERY, filter };
  expect(hashToQuery(queryToHash(query)).filter).toEqual(filter);
  expect(chipsOf(query)).toEqual([{ kind: "phoney", name: "a b" }]);
  expect(downloadName(["x.jfr"], "cpu", filter, "otlp")).toBe("x.cpu.a-b.pb");
  expect(helpPage("top")).toMatch(/--phoney P +samples of Phoney/);
  expect(argsOf(filterChipsOf(filter))).toEqual({ args: ["--phoney", "a b"], missing: [] });
  expect(await parseFilter({ phoney: ["a b"] })).toEqual(filter);
  expect(() => wantedOf(filterChipsOf(filter))).toThrow("no column for a filter by phoney");
});

it("a row of the panels is at its place, and every place is on the page", () => {
  const page = read("src/ui/shell/app/RecordingView.tsx");
  const places = PANELS.map(({ at }) => at);
  expect(places.length).toBeGreaterThan(1);
  for (const at of places) {
    expect(renderToStaticMarkup(createElement("p", null, panelsAt(at, {} as never)))).toBe(`<p>phoney ${at}</p>`);
    expect(page).toContain(`{panelsAt("${at}", page)}`);
  }
});
