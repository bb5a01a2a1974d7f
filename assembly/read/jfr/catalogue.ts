/**
 * The events that become samples or facts, from the host's catalogue (src/core/tables/catalogue.ts and
 * src/core/instance/resource.ts):
 *
 *   u8 profiles · profile*   profile := type · unit · second type · second unit · period type · period unit ·
 *                                       config field · u8 flags · u32 period of a setting 0 · u8 n · setting^n
 *                           setting := [?] event # name
 *   u8 events · event*       event   := name · u8 profile · u8 flags · value rule · second rule · skip · route field ·
 *                                       route where · u8 n · route text^n · u8 n · (field key)^n · u8 n · known^n ·
 *                                       stack field · thread field · unit
 *   u8 facts · fact*         fact    := event · u8 n · field^n · u8 n · name^n
 *   u8 measurements · measurement*   measurement := event · u8 series · u8 n · value field^n · where field · where text
 *   u8 limits · limit*       limit   := setting · u8 windows of a unit of its time
 *   rule := u8 kind · field a · field b · field c           text := u8 size · bytes
 *
 * Texts stay where they are: a row has pointers to them, | ptr u32 | size u32 |, and a list is
 * | ptr u32 | count u32 | to such pairs.
 */

import * as Catalogue from "../../abi/catalogue";
import * as Slice from "../../abi/slice";
import * as Rule from "../../abi/value-rule";
import { alloc } from "../../memory/arena";
import { onReset } from "../../memory/resets";
import { hasBytes, setSlice, sliceAt, sliceSize } from "../../memory/slice";
import { noteSampled } from "../../store/periods";
import { addEvent, addProfile, endCatalogue, MAX_EVENTS, MAX_PROFILES } from "../../store/profiles";
import { internString } from "../../store/tables";
import * as CatalogueRow from "./rows/catalogue-row";

const MAX_FACTS: u32 = 16;
const MAX_MEASUREMENTS: u32 = 16;
const MAX_LIMITS: u32 = 4;

/*
 *   event    | name 8 | flags | value rule | second rule | snapshot | fields a to f 48 | skip 8 | route field 8 |
 *            | route where 8 | route texts 8 | attributes 8 (field and key by turns) | known 8 |
 *            | stack field 8 | thread field 8 | unit 8 |                                                  144 bytes
 *   setting  | config field 8 | settings 8 | period of 0, u32 | 0 |                                       24 bytes
 *   fact     | event 8 | fields 8 | names 8 |                                                            24 bytes
 *   measurement | event 8 | values 8 | where field 8 | where text 8 | series | 0 |                       40 bytes
 *   limit    | setting 8 | windows | 0 |                                                                 16 bytes
 */

const SETTINGS_BYTES: usize = 24;
const SETTINGS_UNSET: usize = 16;
const FACTS_BYTES: usize = 24;
export const FACT_FIELDS: usize = 8;
export const FACT_NAMES: usize = 16;
const MEASUREMENTS_BYTES: usize = 40;
export const MEASUREMENT_VALUES: usize = 8;
export const MEASUREMENT_WHERE: usize = 16;
export const MEASUREMENT_TEXT: usize = 24;
export const MEASUREMENT_WHICH: usize = 32;
const LIMITS_BYTES: usize = 16;
export const LIMIT_WINDOWS: usize = 8;

let rows: usize = 0;
let settings: usize = 0;
let facts: usize = 0;
let measurements: usize = 0;
let limits: usize = 0;
export let rowCount: u32 = 0;
export let settingCount: u32 = 0;
export let factCount: u32 = 0;
export let measurementRowCount: u32 = 0;
export let limitCount: u32 = 0;
let at: usize = 0;

onReset((): void => {
  rows = alloc(<usize>MAX_EVENTS * CatalogueRow.BYTES);
  settings = alloc(<usize>MAX_PROFILES * SETTINGS_BYTES);
  facts = alloc(<usize>MAX_FACTS * FACTS_BYTES);
  measurements = alloc(<usize>MAX_MEASUREMENTS * MEASUREMENTS_BYTES);
  limits = alloc(<usize>MAX_LIMITS * LIMITS_BYTES);
  rowCount = 0;
  settingCount = 0;
  factCount = 0;
  measurementRowCount = 0;
  limitCount = 0;
});

function byte(): u32 {
  const b: u32 = load<u8>(at);
  at++;
  return b;
}

/** Stores pointer and size of the next text at `to`. */
function text(to: usize): void {
  const n = byte();
  setSlice(to, at, n);
  at += n;
}

function string(): u32 {
  const n = byte();
  const s = internString(at, n);
  at += n;
  return s;
}

/** Stores pointer and count of the texts that follow, `each` of them a time, at `to`. */
function list(to: usize, each: u32): void {
  const n = byte() * each;
  const p = alloc(<usize>n * Slice.BYTES + Slice.BYTES);
  setSlice(to, p, n);
  for (let i: u32 = 0; i < n; i++) text(p + <usize>i * Slice.BYTES);
}

/** Takes over the catalogue, whose `size` bytes are at `p` only for the time of the call. */
export function loadCatalogue(p: usize, size: u32): void {
  at = alloc(size + 8);
  memory.copy(at, p, size);
  settingCount = byte();
  const snapshots = memory.data(<i32>MAX_PROFILES);
  for (let i: u32 = 0; i < settingCount; i++) {
    const type = string();
    const unit = string();
    const secondType = string();
    const secondUnit = string();
    const periodType = string();
    noteSampled(addProfile(type, unit, secondType, secondUnit, periodType, string()));
    text(settings + <usize>i * SETTINGS_BYTES);
    store<u8>(snapshots + i, <u8>(byte() & Catalogue.CATALOGUE_SNAPSHOT));
    store<u32>(settings + <usize>i * SETTINGS_BYTES, load<u32>(at), SETTINGS_UNSET);
    at += 4;
    list(settings + <usize>i * SETTINGS_BYTES + 8, 1);
  }
  endCatalogue();
  rowCount = byte();
  for (let i: u32 = 0; i < rowCount; i++) loadEvent(rowAt(i), snapshots);
  factCount = min<u32>(byte(), MAX_FACTS);
  for (let i: u32 = 0; i < factCount; i++) {
    text(factAt(i));
    list(factAt(i) + FACT_FIELDS, 1);
    list(factAt(i) + FACT_NAMES, 1);
  }
  measurementRowCount = min<u32>(byte(), MAX_MEASUREMENTS);
  for (let i: u32 = 0; i < measurementRowCount; i++) {
    const row = measurementAt(i);
    text(row);
    store<u32>(row, byte(), MEASUREMENT_WHICH);
    list(row + MEASUREMENT_VALUES, 1);
    text(row + MEASUREMENT_WHERE);
    text(row + MEASUREMENT_TEXT);
  }
  limitCount = min<u32>(byte(), MAX_LIMITS);
  for (let i: u32 = 0; i < limitCount; i++) {
    text(limitAt(i));
    store<u32>(limitAt(i), byte(), LIMIT_WINDOWS);
  }
}

function loadEvent(row: usize, snapshots: usize): void {
  text(row);
  const name = internString(sliceAt(row), sliceSize(row));
  const profile = byte();
  store<u32>(row, load<u8>(snapshots + profile), CatalogueRow.SNAPSHOT);
  store<u32>(row, byte(), CatalogueRow.FLAGS);
  store<u32>(row, byte(), CatalogueRow.RULE);
  for (let i: usize = 0; i < 3; i++) text(row + CatalogueRow.FIELDS + i * Slice.BYTES);
  const second = byte();
  store<u32>(row, second, CatalogueRow.SECOND);
  for (let i: usize = 3; i < 6; i++) text(row + CatalogueRow.FIELDS + i * Slice.BYTES);
  text(row + CatalogueRow.SKIP);
  text(row + CatalogueRow.ROUTE);
  text(row + CatalogueRow.WHERE);
  list(row + CatalogueRow.ROUTE_TEXTS, 1);
  list(row + CatalogueRow.ATTRIBUTES, 2);
  list(row + CatalogueRow.KNOWN, 1);
  text(row + CatalogueRow.STACK);
  text(row + CatalogueRow.THREAD);
  text(row + CatalogueRow.UNIT);
  addEvent(name, profile, second !== Catalogue.NO_RULE && second !== <u32>Rule.Count);
}

/** Row of event `i`. It starts with the event's name, as a text. */
export function rowAt(i: u32): usize {
  return rows + <usize>i * CatalogueRow.BYTES;
}

/** Field a, b, c (0, 1, 2) of the row's value rule or of its second rule (3, 4, 5). */
export function rowField(row: usize, which: u32): usize {
  return row + CatalogueRow.FIELDS + <usize>which * Slice.BYTES;
}

/** Row of fact `i`. It starts with the event's name. */
export function factAt(i: u32): usize {
  return facts + <usize>i * FACTS_BYTES;
}

/** Row of measurement `i`. It starts with the event's name. */
export function measurementAt(i: u32): usize {
  return measurements + <usize>i * MEASUREMENTS_BYTES;
}

/** Row of limit `i`. It starts with the name of the setting. */
export function limitAt(i: u32): usize {
  return limits + <usize>i * LIMITS_BYTES;
}

/** Texts in the list at `list`, and the one of index `i`. */
export function listSize(list: usize): u32 {
  return sliceSize(list);
}

export function listText(list: usize, i: u32): usize {
  return sliceAt(list) + <usize>i * Slice.BYTES;
}

/** The number of these bytes among the texts of a list, from 1 on; 0 if they are none of them. */
export function placeInList(list: usize, p: usize, n: u32): u32 {
  for (let i: u32 = 0; i < listSize(list); i++) if (hasBytes(listText(list, i), p, n)) return i + 1;
  return 0;
}

/** Name of the field of datadog.DatadogProfilerConfig that has the period of profile `i`. */
export function configField(i: u32): usize {
  return settings + <usize>i * SETTINGS_BYTES;
}

/** The period of profile `i` where a setting has no other than 0: the recorder's default. 0 = no default is known. */
export function unsetPeriod(i: u32): i64 {
  return load<u32>(settings + <usize>i * SETTINGS_BYTES, SETTINGS_UNSET);
}

/** Settings, as `event#name`, that have the period of profile `i`. */
export function settingNames(i: u32): usize {
  return settings + <usize>i * SETTINGS_BYTES + 8;
}

/**
 * The row after `index` with the same name, which takes the events that are routed to it; `index` itself if there is no
 * such row.
 */
export function routedRow(index: u32): u32 {
  const name = rowAt(index);
  for (let k = index + 1; k < rowCount; k++) {
    const row = rowAt(k);
    if (
      hasBytes(row, sliceAt(name), sliceSize(name)) &&
      (load<u32>(row, CatalogueRow.FLAGS) & Catalogue.EVENT_ROUTED) !== 0
    )
      return k;
  }
  return index;
}
