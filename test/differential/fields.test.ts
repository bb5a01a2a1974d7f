/**
 * Every field of every event that the JDK can record, compared with the output of its `jfr print --json`: counts,
 * numbers, texts, times, threads and stacks, and the values of the catalogue's own rows. The recording is made here.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Core } from "../../src/core/core.ts";
import type { EventRow, ValueRule } from "../../src/core/tables/catalogue-types.ts";
import { extraType } from "../../src/core/tables/extra-events.ts";
import type { ExtraEvent } from "../../src/core/types.ts";
import { Expected } from "./jdk/expected.ts";
import { catalogueRows, coreWith, EXTRAS, foundIn } from "./jdk/found.ts";
import { findJdk, type Jdk, run } from "./jdk/jdk.ts";
import { recordEverything } from "./jdk/recording.ts";
import { firstDifference, type Row, Stacks } from "./jdk/rows.ts";
import { toolEvents } from "./jdk/tool-events.ts";
import { readTypes } from "./jdk/tool-types.ts";
import { clockOf, isNumber, slackOf, unitOf } from "./jdk/tool-values.ts";

const MILLIS = 1000;
const RECORDING_MS = 120_000;
const COMPARING_MS = 120_000;

/** What the measures of a profile take of an event. */
const FIRST = ({ value }: EventRow): ValueRule => value;
const SECOND = ({ second }: EventRow): ValueRule => second ?? { rule: "count" };

const jdk = findJdk();
/** Another recording to compare, of one chunk: for trying by hand. */
const given = process.env.SPANFLAME_FIELDS_OF;

describe.skipIf(jdk === null)(
  jdk === null ? "skipped: no JDK of 17 or newer" : `every event of JDK ${jdk.version}`,
  () => {
    let folder: string;
    const stacks = new Stacks();
    let recording: Uint8Array;
    let expected: Expected;
    let plain: Core;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "spanflame-fields-"));
      const path = given ?? recordEverything(jdk as Jdk, folder, MILLIS);
      recording = new Uint8Array(readFileSync(path));
      expected = new Expected(readTypes(run(jdk as Jdk, "jfr", ["metadata", path])), clockOf(recording), stacks);
      for await (const event of toolEvents(jdk as Jdk, path)) expected.add(event);
      plain = await coreWith(recording, []);
    }, RECORDING_MS);

    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it("is counted", () => {
      const counts = expected.counts();
      expect(Object.keys(counts).length).toBeGreaterThan(given ? 5 : 100);
      expect(plain.files()[0]?.chunks.map(({ events }) => events)).toEqual([counts]);
      expect(plain.diagnostics().filter(({ severity }) => severity !== "info")).toEqual([]);
    });

    it(
      "has the same numbers and texts, at the same time, on the same thread and stack",
      async () => {
        const extra: ExtraEvent[] = Object.keys(expected.counts()).flatMap((event) => [
          { event },
          ...expected
            .fieldsOf(event)
            .filter(isNumber)
            .map(({ name }) => ({ event, value: name })),
        ]);
        const faults: string[] = [];
        let compared = 0;
        for (let from = 0; from < extra.length; from += EXTRAS) {
          const some = extra.slice(from, from + EXTRAS);
          const core = await coreWith(recording, some);
          const levels = some.filter(({ event, value }) =>
            expected.fieldsOf(event).some((field) => field.name === value && expected.isLevel(event, field)),
          );
          const refused = core.diagnostics().some(({ code }) => code === "jfr.value.level");
          if (refused !== levels.length > 0) faults.push(`${levels.length} levels, refused: ${refused}`);
          some.forEach((each, i) => {
            const found = foundIn(core, catalogueRows.length + i, 0, stacks);
            const field = expected.fieldsOf(each.event).find(({ name }) => name === each.value);
            const rows = expected.named(each.event, each.value);
            compared += rows.length;
            const what = [extraType(each), field === undefined ? "count" : unitOf(field)];
            if (rows.length > 0 && `${found.type} ${found.unit}` !== what.join(" "))
              faults.push(`${what}: we say ${found.type} ${found.unit}`);
            note(faults, extraType(each), rows, found.rows, field === undefined ? 0n : slackOf(field));
          });
        }
        report(faults);
        console.log(
          `compared ${Object.keys(expected.counts()).length} events, ${extra.length} fields, ${compared} values`,
        );
        expect(compared).toBeGreaterThan(1000);
      },
      COMPARING_MS,
    );

    it(
      "has the values of the catalogue's rows",
      () => {
        const faults: string[] = [];
        let filled = 0;
        for (const [profile, row] of catalogueRows.entries()) {
          const measures = row.second === undefined ? [FIRST] : [FIRST, SECOND];
          const events = row.events.filter((each) => (each.routed === true) === isRouted(each.event));
          for (const [measure, ruleOf] of measures.entries()) {
            const wanted = events.flatMap((event) => expected.byRow(event, ruleOf(event)));
            if (wanted.length > 0) filled++;
            note(faults, `${row.type} measure ${measure}`, wanted, foundIn(plain, profile, measure, stacks).rows, 1n);
          }
        }
        report(faults);
        expect(filled).toBeGreaterThan(given ? 1 : 20);
      },
      COMPARING_MS,
    );

    /** Only what a type lacks routes: a JDK has no STATE_DEFAULT, by which the states of async-profiler are routed. */
    function isRouted(event: string): boolean {
      const routes = catalogueRows.flatMap(({ events }) => events.filter((each) => each.event === event));
      const lacking = routes.flatMap(({ route }) => (route !== undefined && "lacks" in route ? [route.lacks] : []));
      return lacking.some((name) => expected.fieldsOf(event).every((field) => field.name !== name));
    }

    function note(faults: string[], name: string, wanted: Row[], found: Row[], value: bigint): void {
      const difference = firstDifference(wanted, found, { time: 1n, value }, stacks);
      if (difference !== null) faults.push(`${name}: ${difference}`);
    }

    function report(faults: string[]): void {
      expect(faults.slice(0, 20).join("\n"), `${faults.length} fields differ`).toBe("");
    }
  },
);
