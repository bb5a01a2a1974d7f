/**
 * The events that become samples, as the host's catalogue says (src/core/catalogue.ts has one row per event):
 *
 *   u8 profiles · profile*     profile := type · unit · period type · period unit · config field · setting
 *   u8 events · event*         event   := name · u8 profile · u8 rule · field a · field b · field c · u8 n · (field key)^n
 *   text := u8 size · bytes
 */
import { alloc } from "../../memory/arena";
import { addEvent, addProfile, MAX_EVENTS, MAX_PROFILES } from "../../store/profiles";
import { internString } from "../../store/tables";

/** How an observation's value is computed; the numbers are the host's. */
export enum Rule {
  Count,
  Field,
  Scaled,
  Duration,
}

/** Extra attributes per event row. */
export const MAX_EXTRAS: u32 = 8;

const ROW_BYTES: usize = 48 + 64 + 32;
const ROW_NAME: usize = 0;
const ROW_RULE: usize = 8;
const ROW_A: usize = 12;
const ROW_B: usize = 20;
const ROW_C: usize = 28;
const ROW_EXTRAS: usize = 36;
const ROW_EXTRA: usize = 48;
const ROW_EXTRA_KEY: usize = 112;

const SETTING_BYTES: usize = 16;

let rows: usize = 0;
let settings: usize = 0;
export let rowCount: u32 = 0;
export let settingCount: u32 = 0;
let at: usize = 0;

export function resetCatalogue(): void {
  rows = alloc(<usize>MAX_EVENTS * ROW_BYTES);
  settings = alloc(<usize>MAX_PROFILES * SETTING_BYTES);
  rowCount = 0;
  settingCount = 0;
}

function byte(): u32 {
  const b: u32 = load<u8>(at);
  at++;
  return b;
}

/** Stores pointer and size of the next text at `to`. */
function text(to: usize): void {
  const n = byte();
  store<u32>(to, <u32>at);
  store<u32>(to, n, 4);
  at += n;
}

function string(): u32 {
  const n = byte();
  const s = internString(at, n);
  at += n;
  return s;
}

/** Takes over the catalogue, whose `size` bytes stand at `p` only for the time of the call. */
export function loadCatalogue(p: usize, size: u32): void {
  at = alloc(size + 8);
  memory.copy(at, p, size);
  const profiles = byte();
  for (let i: u32 = 0; i < profiles; i++) {
    const type = string();
    const unit = string();
    const periodType = string();
    addProfile(type, unit, periodType, string());
    text(settings + <usize>i * SETTING_BYTES);
    text(settings + <usize>i * SETTING_BYTES + 8);
  }
  settingCount = profiles;
  const events = byte();
  for (let i: u32 = 0; i < events; i++) {
    const row = rows + <usize>i * ROW_BYTES;
    text(row + ROW_NAME);
    const name = internString(<usize>load<u32>(row, ROW_NAME), load<u32>(row, ROW_NAME + 4));
    addEvent(name, byte());
    store<u32>(row, byte(), ROW_RULE);
    text(row + ROW_A);
    text(row + ROW_B);
    text(row + ROW_C);
    const extras = byte();
    store<u32>(row, extras, ROW_EXTRAS);
    for (let k: u32 = 0; k < extras; k++) {
      text(row + ROW_EXTRA + ((<usize>k) << 3));
      store<u32>(row + ROW_EXTRA_KEY + ((<usize>k) << 2), string());
    }
  }
  rowCount = events;
}

/** Pointers to a text: | ptr u32 | size u32 |. */
export function rowName(i: u32): usize {
  return rows + <usize>i * ROW_BYTES + ROW_NAME;
}

export function rowRule(i: u32): Rule {
  return <Rule>load<u32>(rows + <usize>i * ROW_BYTES, ROW_RULE);
}

/** Field a, b or c (0, 1, 2) of the row's rule. */
export function rowField(i: u32, which: u32): usize {
  return rows + <usize>i * ROW_BYTES + ROW_A + ((<usize>which) << 3);
}

export function rowExtras(i: u32): u32 {
  return load<u32>(rows + <usize>i * ROW_BYTES, ROW_EXTRAS);
}

export function rowExtra(i: u32, k: u32): usize {
  return rows + <usize>i * ROW_BYTES + ROW_EXTRA + ((<usize>k) << 3);
}

/** Attribute key (string index) of extra `k`. */
export function rowExtraKey(i: u32, k: u32): u32 {
  return load<u32>(rows + <usize>i * ROW_BYTES + ROW_EXTRA_KEY + ((<usize>k) << 2));
}

/** Name of the field of datadog.DatadogProfilerConfig that has the period of profile `i`. */
export function configField(i: u32): usize {
  return settings + <usize>i * SETTING_BYTES;
}

/** Name in jdk.ActiveSetting that has the period of profile `i`. */
export function settingName(i: u32): usize {
  return settings + <usize>i * SETTING_BYTES + 8;
}
