/** `spanflame top`: lists the hottest functions of a selection. */

import { formatPercent, formatValue } from "../model/words/format.ts";
import { countOf, parseFilter } from "./arguments.ts";
import { meantBy } from "./asked-ids.ts";
import { ExitCode } from "./exit.ts";
import { allProfiles, readNeeded } from "./need.ts";
import { nothingLeftOf } from "./nothing.ts";
import { chosenProfile } from "./read.ts";
import { sampleCallsOf } from "./sampled-calls.ts";
import { print, printJson, printTable, say } from "./terminal.ts";
import type { CallOf } from "./usage/commands.ts";

const ROWS = 25;

export async function top({ inputs, values }: CallOf<"top">): Promise<ExitCode> {
  const parsed = await parseFilter(values);
  const limit = countOf("--limit", values.limit, ROWS);
  const need = { filter: parsed, stacks: true, single: parsed.time !== undefined || parsed.file !== undefined };
  const { core, runs, traces, exit } = await readNeeded(inputs, values, need);
  if (exit === ExitCode.Failed) return exit;
  const filter = await sampleCallsOf(core, runs, values, meantBy(core, traces, parsed));
  const chosen = chosenProfile(core, values);
  const nothing = { samples: 0, value: 0n };
  const totals = chosen === null ? nothing : core.select(chosen.profile.id, filter, chosen.measure);
  const { samples, value: total } = totals;
  if (samples === 0) {
    const profiles = await allProfiles(core, inputs, values, need);
    say(`spanflame: ${nothingLeftOf(chosen?.profile.type, profiles, filter, inputs)}`);
  }
  const unit = chosen?.profile.measures[chosen.measure]?.unit ?? "";
  const frames = samples === 0 ? [] : core.views.top("self", 0, limit).rows;
  if (values.json) {
    printJson({ total, unit, frames });
    return exit;
  }
  print(`total ${formatValue(total, unit)}`);
  printTable(
    frames.map(({ name, self, total: inclusive }) => {
      return [formatValue(self, unit), formatPercent(self, total), formatValue(inclusive, unit), name];
    }),
  );
  return exit;
}
