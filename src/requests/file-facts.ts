/** Facts of one file: the row that a table of many files has for it. */

import type { Views } from "../core/answers/views.ts";
import type { Core } from "../core/core.ts";
import { PROFILES } from "../core/tables/catalogue.ts";
import { recordedTime } from "../core/tables/recorded-time.ts";
import { readInputs } from "../input/open.ts";
import type { FileFacts, FunctionShares, ProfileFacts } from "../model/collection/facts.ts";
import { type ProfileTab, profileTabs } from "../model/recording/profile-tabs.ts";
import { damageGroups } from "../model/words/damage.ts";
import { chooseMeasure } from "../model/words/measure.ts";
import type { InputFile } from "./api/api.ts";
import { FileSource } from "./file-source.ts";
import { HeldCore } from "./held-core.ts";
import { Refusal } from "./refusal.ts";

/** Functions of a profile that a trend over files can show: by total time, and by self time. */
const MOST = { total: 400, self: 200 };

/** Reads a file into the core, in place of all that it has. `onBytes`: how far the reading is. */
export async function readFacts(core: Core, file: InputFile, onBytes: (bytes: number) => void): Promise<FileFacts> {
  core.reset();
  const source = new FileSource(file.blob);
  const input = { name: file.name, source, around: file.upload?.resource };
  const { readable } = await readInputs(core, [input], { onProgress: ({ bytes }) => onBytes(bytes) });
  if (source.fault !== null) throw new Refusal("file.changed", source.fault);
  const resource = Object.fromEntries(core.files().flatMap((each) => Object.entries(each.resource)));
  return {
    service: resource["service.name"] ?? "",
    instance: resource["service.instance.id"] ?? resource["host.name"] ?? "",
    time: core.views.timeBounds() ?? recordedTime(core.files()),
    profiles: profileTabs(PROFILES, core.profiles()).flatMap((tab) => factsOfProfile(core, tab) ?? []),
    damage: damageOf(core),
    readable: readable > 0,
  };
}

function factsOfProfile(core: Core, { type, label, profile }: ProfileTab): ProfileFacts | null {
  if (profile === null) return null;
  const measure = chooseMeasure(profile, "");
  const views = new HeldCore(core).about(profile.id, {}, measure);
  return { type, label, samples: profile.samples, functions: functionsOf(views) };
}

function functionsOf(views: Views): FunctionShares {
  const { value } = views.totals();
  const byTotal = views.top("total", 0, MOST.total);
  const rows = new Map([...byTotal.rows, ...views.top("self", 0, MOST.self).rows].map((row) => [row.name, row]));
  const share = (part: bigint) => (value === 0n ? 0 : Number(part) / Number(value));
  const listed = [...rows.values()];
  const last = byTotal.rows.at(-1);
  return {
    names: listed.map(({ name }) => name),
    self: Float64Array.from(listed, ({ self }) => share(self)),
    total: Float64Array.from(listed, ({ total }) => share(total)),
    bound: byTotal.count > byTotal.rows.length && last !== undefined ? share(last.total) : 0,
  };
}

/** The gravest error of the reading, in the words of the page. */
function damageOf(core: Core): string | null {
  const [first] = damageGroups(core.diagnostics(), core.files());
  return first?.severity === "error" ? first.fact : null;
}
