/** `spanflame top`: lists the hottest functions of a selection. */

import type { Views } from "../../core/answers/views.ts";
import type { TopRow } from "../../core/types.ts";
import { isProfiler, PROFILER } from "../../model/query/run-rules.ts";
import { formatPercent } from "../../model/words/format.ts";
import { countOf, parseFilter } from "../../node/arguments.ts";
import { meantBy } from "../../node/asked-ids.ts";
import { ExitCode } from "../../node/exit.ts";
import { inputsOf } from "../../node/inputs.ts";
import { sayLoss, sayLost } from "../../node/losses.ts";
import { nothingLeftOf } from "../../node/nothing.ts";
import { chosenProfile, timesOf, valuesOf } from "../../node/read.ts";
import { print, printJson, printTable, say } from "../../node/terminal.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { HeldCore } from "../../requests/held-core.ts";
import { allProfiles, noteInferable, readNeeded, SPANS_TOO } from "../convert/need.ts";
import { sampleCallsOf } from "../convert/sampled-calls.ts";

const ROWS = 25;
const NEGATIVE = "spanflame: note: some values are negative, so shares may be above 100 %";

export async function top({ inputs, values: given }: CallOf<"top">): Promise<ExitCode> {
  const values = { ...given, ...SPANS_TOO };
  const parsed = await parseFilter(values);
  const limit = countOf("--limit", values.limit, ROWS);
  const need = { filter: parsed, stacks: true, single: parsed.time !== undefined || parsed.file !== undefined };
  const sources = inputsOf(inputs);
  const { core, runs, traces, exit } = await readNeeded(sources, values, need);
  if (exit === ExitCode.Failed) return exit;
  const filter = await sampleCallsOf(core, runs, values, meantBy(core, traces, parsed));
  const chosen = chosenProfile(core, values);
  const views = chosen && new HeldCore(core).about(chosen.profile.id, filter, chosen.measure);
  const { samples, value: total } = views?.totals() ?? { samples: 0, value: 0n };
  if (samples === 0) {
    const profiles = await allProfiles(core, sources, values, need);
    say(`spanflame: ${nothingLeftOf(chosen?.profile.type, { core, profiles, filter, inputs })}`);
    sayLost(core);
  }
  const unit = chosen?.profile.measures[chosen.measure]?.unit ?? "";
  const losses = sayLoss(chosen?.profile);
  const frames = views === null || samples === 0 ? [] : rowsOf(views, total, limit);
  if (values.json) {
    printJson({ total, unit, frames, ...losses });
    noteInferable(core, values, chosen?.profile);
    return exit;
  }
  const times = timesOf(chosen);
  const words = valuesOf(chosen);
  print(`total ${[words(total), ...times(total)].join(", ")}`);
  if (total < 0n || frames.some(({ self }) => self < 0n || self > total)) say(NEGATIVE);
  printTable(
    frames.map(({ name, self, total: inclusive }) => {
      const all = [words(inclusive), ...times(inclusive)];
      return [words(self), ...times(self), formatPercent(self, total), ...all, name];
    }),
    ["self", ...times(0n).map(() => "time"), "share", "total", ...times(0n).map(() => "time"), "function"],
  );
  noteInferable(core, values, chosen?.profile);
  return exit;
}

/** The first functions by self time. Samples without a stack have a row as well, so that all rows add to the total. */
function rowsOf(views: Views, total: bigint, limit: number): TopRow[] {
  const rows = heaviest(views, limit).map((row) => ({ ...row, name: row.name || "(no name)" }));
  const rest = total - views.selfSum();
  if (rest === 0n) return rows;
  const place = rows.findIndex(({ self }) => self < rest);
  rows.splice(place < 0 ? rows.length : place, 0, { name: "(no stack)", self: rest, total: rest });
  return rows.slice(0, limit);
}

/**
 * The profiler's own behind the application's. Functions of equal weight by name: which of them are listed does not
 * depend on the order of the file.
 */
function heaviest(views: Views, limit: number): TopRow[] {
  const how = { last: PROFILER };
  const { count, rows } = views.top("self", 0, limit, how);
  const last = rows.at(-1);
  const isLast = ({ self, total }: TopRow) => self === last?.self && total === last.total;
  while (last !== undefined && rows.length < count && isLast(rows.at(-1) ?? last))
    rows.push(...views.top("self", rows.length, limit, how).rows);
  const order = (a: bigint, b: bigint) => Number(a < b) - Number(a > b);
  const byName = (a: TopRow, b: TopRow) => Number(a.name > b.name) - Number(a.name < b.name);
  const behind = ({ name }: TopRow) => Number(isProfiler(name));
  return rows
    .sort((a, b) => behind(a) - behind(b) || order(a.self, b.self) || order(a.total, b.total) || byName(a, b))
    .slice(0, limit);
}
