/** Facts of a profile beside its samples: its name among the others, and its recorder's settings. */
import * as FactRow from "../../../assembly/abi/rows/fact-row.ts";
import type { ProfileRow } from "../tables/catalogue.ts";
import type { Setting } from "../types.ts";
import type { Access } from "./access.ts";

/** Facts of a profile that was read from a message and is not in the catalogue: its type and unit. */
export function messageProfile(type: string, unit: string): ProfileRow {
  return { type: type === "" ? "unnamed" : type, unit, label: type, about: "", setting: "", foreign: true, events: [] };
}

/**
 * Names of the profiles of a store: the type. If an earlier profile has that name, the first event or the unit is
 * appended: `cpu:jdk.ExecutionSample`, `cpu:nanoseconds`; if that is taken too, a number.
 */
export function profileNames(rows: readonly ProfileRow[]): string[] {
  const names = new Set<string>();
  for (const { type, unit, events } of rows) {
    const base = type.split(":", 1)[0] ?? type;
    let name = names.has(type) ? `${base}:${events[0]?.event ?? unit}` : type;
    for (let n = 2; names.has(name); n++) name = `${base}:${unit}:${n}`;
    names.add(name);
  }
  return [...names];
}

/** Settings that limit the data or the frequency of a recorder. */
const TELLING = new Set([
  "threshold",
  "period",
  "throttle",
  "ratelimit",
  "cutoff",
  "interval",
  "wall",
  "alloc",
  "lock",
  "nativemem",
]);

/** Every distinct setting that the recordings state, in the order read. */
export function readSettings(core: Access): Setting[] {
  const { wasm, memory } = core;
  const at = wasm.settingRows();
  return Array.from({ length: Math.max(0, wasm.settingCount() - 1) }, (_, i) => {
    const p = at + FactRow.SETTING_BYTES * (i + 1);
    return {
      event: core.string(memory.u32(p + FactRow.SETTING_EVENT)),
      name: core.string(memory.u32(p + FactRow.SETTING_NAME)),
      value: core.string(memory.u32(p + FactRow.SETTING_VALUE)),
    };
  });
}

/** The telling settings of a profile's events; zero and empty ones say nothing. */
export function settingsOf({ events, period }: ProfileRow, settings: readonly Setting[]): Setting[] {
  const own = new Set(events.map(({ event }) => event));
  const named = new Set(period?.settings);
  const ofWallMode = new Set(period?.wallSettings);
  const inWallMode = settings.some(
    ({ event, name, value }) => event === "jdk.ActiveRecording" && name === "event" && value === "wall",
  );
  const isOf = ({ event, name }: Setting) => {
    if (ofWallMode.has(`${event}#${name}`)) return inWallMode;
    return own.has(event.replace(/^com\.oracle\./, "")) ? TELLING.has(name) : named.has(`${event}#${name}`);
  };
  const off = switchedOff(settings).filter(({ event }) => own.has(event));
  return [...settings.filter((setting) => isOf(setting) && !/^(0( ?[a-z]+)?|off|)$/.test(setting.value)), ...off];
}

/** The setting `enabled` of each event that no recording switched on. */
function switchedOff(settings: readonly Setting[]): Setting[] {
  const enabled = settings.filter(({ name }) => name === "enabled");
  const on = new Set(enabled.flatMap(({ event, value }) => (value === "false" ? [] : [event])));
  return enabled.filter(({ event }) => !on.has(event));
}
