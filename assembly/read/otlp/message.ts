/**
 * Reader of one OTLP profiles message. It fills the store in slices, as the chunk reader does:
 *
 *   scanOtlp   only the resources, of a file with several messages: shared attributes are needed before the first
 *   openOtlp   positions of all fields
 *   step       strings → attributes → mappings … stacks → resources → layouts → samples; about `budget` bytes
 *
 *   ProfilesData      1 ResourceProfiles … · 2 ProfilesDictionary
 *   ResourceProfiles  1 Resource · 2 ScopeProfiles … · 3 schema URL
 *   ScopeProfiles     1 InstrumentationScope · 2 Profile … · 3 schema URL
 *
 *   profile  | pointer u32 | size u32 | resource u32 (its ordinal) | scope u32 (its number) | layouts u32 |    20 bytes
 */

import * as Diagnostic from "../../abi/formats/otlp";
import * as Slice from "../../abi/slice";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { endScratch, scratch } from "../../memory/scratch";
import { setSlice, sliceAt, sliceEnd, sliceSize } from "../../memory/slice";
import { diagnose, hush } from "../../store/diagnostics";
import { NO_ROW } from "../../store/profile-lookup";
import { eventCount, MAX_EVENTS, MAX_PROFILES, profileCount } from "../../store/profiles";
import { Holder, internResource } from "../../store/scopes";
import { setMarked } from "../async-profiler";
import { countSample } from "../counter";
import { beginEncodings, endEncodings } from "../encoded";
import { beginWire, DELIMITED, field, from, offsetOf, take, takeOf, to, wire } from "../protobuf";
import { filtered } from "../wanted";
import { readAttributes } from "./attributes";
import { LATER, MIXED, OLD, pointsBefore, weighLayout } from "./layout";
import { readLinks } from "./links";
import { beginStacks, readFunctions, readLocations, readMappings, readStacks } from "./locations";
import { isOfEngine, readProfile, traces64 } from "./profile";
import { forgetResources, noteShared, ownOf, readResource, shareResource } from "./resource";
import { beginSamples, readSample } from "./sample";
import { beginScopes, isOurs, isSeparate, noteResourceUrl, noteScope, readScopes, scopeCount, scopeRow } from "./scope";
import { beginStrings, largestOfType, readStrings } from "./strings";
import { beginTables, endTables, indexDictionary, Table, tableSize } from "./tables";

/** Wire types of ProfilesData; of ResourceProfiles and ScopeProfiles. */
const PROFILES_DATA: u64 = 0x440;
const MESSAGES: u64 = 0x4440;

/** A slice before them. */
const PROFILE_RESOURCE: usize = 8;
const PROFILE_SCOPE_NUMBER: usize = 12;
/** The layouts of its samples (layout.ts). */
const PROFILE_LAYOUTS: usize = 16;
const PROFILE_ROW: usize = 20;
const BOTH: u32 = LATER | OLD;

/** Parts of a message in the order of reading: each may refer to those before it. */
enum Part {
  Strings,
  Attributes,
  Mappings,
  Functions,
  Locations,
  Links,
  Stacks,
  /** Resources, scopes, and the layouts of samples. */
  Rest,
  Samples,
}

/** Rows of the dictionary that are read at a time: a few milliseconds of work, as for so many bytes of samples. */
const ROWS: u32 = 4096;
const ROWS_BYTES: i64 = 1 << 18;

/** The part that is read next, and the row of its table. */
let part: Part = Part.Strings;
let nextRow: u32 = 0;

const profiles: Buffer = ownBuffer(1 << 8);
/** | pointer u32 | size u32 | per ResourceProfiles that has profiles, the place of its Resource. */
const resources: Buffer = ownBuffer(1 << 8);
/** u32 per resource: its attribute set; later the attributes that not all resources have. */
let resourceSets: usize = 0;
let scanned: bool = false;

/** The profile whose samples are read, and the rest of it. */
let current: u32 = 0;
let at: usize = 0;
let end: usize = 0;
let inProfile: bool = false;
/** Samples of the message read so far, as it has them. */

/** Takes the resources of a message of the file into account, which is opened later. */
export function scanOtlp(p: usize, n: u32): void {
  hush(true);
  index(p, n);
  beginStrings(largestType());
  readStrings(0, tableSize(Table.String));
  readResources(true);
  endTables();
  endEncodings();
  endScratch();
  hush(false);
  scanned = true;
}

/** Another file: nothing is known of its resources. */
export function beginMessages(): void {
  scanned = false;
  forgetResources();
}

/** Opens the message of `n` bytes at `p`; false when there is nothing of one in it. */
export function openOtlp(p: usize, n: u32): bool {
  const found = index(p, n);
  beginStrings(largestType());
  setMarked(false);
  part = Part.Strings;
  nextRow = 0;
  current = 0;
  inProfile = false;
  return found;
}

/** Reads the next rows of the dictionary, or all that follows it. */
function readBeforeSamples(): void {
  if (part === Part.Rest) {
    readRest();
    part = Part.Samples;
    return;
  }
  const n = tableSize(tableOf(part));
  let end = min<u32>(n, nextRow + ROWS);
  if (part === Part.Strings) readStrings(nextRow, end);
  else if (part === Part.Attributes) readAttributes(nextRow, end);
  else if (part === Part.Mappings) readMappings(nextRow, end);
  else if (part === Part.Functions) readFunctions(nextRow, end);
  else if (part === Part.Locations) readLocations(nextRow, end);
  else if (part === Part.Links) readLinks(nextRow, end);
  else if (!filtered) readStacks(nextRow, end);
  else {
    beginStacks();
    end = n;
  }
  nextRow = end;
  if (end < n) return;
  nextRow = 0;
  if (part === Part.Strings) noteMarks();
  part++;
}

function noteMarks(): void {
  let all: bool = profiles.size !== 0;
  for (let row = profiles.at; row < profiles.at + profiles.size; row += PROFILE_ROW)
    all = all && isOfEngine(sliceAt(row), sliceEnd(row));
  setMarked(all);
}

function tableOf(part: Part): Table {
  if (part === Part.Strings) return Table.String;
  if (part === Part.Attributes) return Table.Attribute;
  if (part === Part.Mappings) return Table.Mapping;
  if (part === Part.Functions) return Table.Function;
  if (part === Part.Locations) return Table.Location;
  return part === Part.Links ? Table.Link : Table.Stack;
}

function readRest(): void {
  readResources(!scanned);
  ownResources();
  noteShared();
  readScopes();
  settleLayouts();
}

/** Finds the layout of each profile; one that allows both has that of its neighbours. */
function settleLayouts(): void {
  const ofScopes = scratch(scopeCount() + 1);
  const ofResources = scratch((resources.size >> 3) + 1);
  let ofAll: u32 = 0;
  let later: i64 = 0;
  const last = profiles.at + profiles.size;
  for (let row = profiles.at; row < last; row += PROFILE_ROW) {
    const layouts = weighLayout(sliceAt(row), sliceEnd(row));
    store<u32>(row, layouts, PROFILE_LAYOUTS);
    const one = layouts & BOTH;
    if (one === LATER) later++;
    if (one === BOTH) continue;
    const scope = ofScopes + load<u32>(row, PROFILE_SCOPE_NUMBER);
    const resource = ofResources + load<u32>(row, PROFILE_RESOURCE);
    store<u8>(scope, load<u8>(scope) | one);
    store<u8>(resource, load<u8>(resource) | one);
    ofAll |= one;
  }
  for (let row = profiles.at; row < last; row += PROFILE_ROW) {
    const layouts = load<u32>(row, PROFILE_LAYOUTS);
    let one = layouts & BOTH;
    if (one === BOTH) {
      one = load<u8>(ofScopes + load<u32>(row, PROFILE_SCOPE_NUMBER));
      if (!isLone(one)) one = load<u8>(ofResources + load<u32>(row, PROFILE_RESOURCE));
      if (!isLone(one)) one = ofAll;
      if (!isLone(one)) {
        diagnose(Diagnostic.LayoutOpen, offsetOf(sliceAt(row)), 0);
        one = LATER;
      }
      store<u32>(row, one | (layouts & MIXED), PROFILE_LAYOUTS);
    }
    if (one === OLD) diagnose(Diagnostic.OldLayout, offsetOf(sliceAt(row)), later);
  }
}

function isLone(layouts: u32): bool {
  return layouts === LATER || layouts === OLD;
}

/** Notes where dictionary, resources and profiles are. */
function index(p: usize, n: u32): bool {
  beginWire(p, Diagnostic.Broken, Diagnostic.Cut, Diagnostic.WireType);
  beginEncodings(n);
  beginTables();
  profiles.size = 0;
  resources.size = 0;
  beginScopes();
  const last = p + n;
  let found = false;
  let dictionary = false;
  while (p < last) {
    p = takeOf(p, last, PROFILES_DATA);
    if (field === 0) continue;
    found = true;
    if (field === 1) {
      indexResource(from, to);
    } else {
      dictionary = true;
      indexDictionary(from, to);
    }
  }
  if (!dictionary && profiles.size !== 0) diagnose(Diagnostic.NoDictionary, 0, 0);
  return found;
}

function indexResource(p: usize, last: usize): void {
  const ordinal = resources.size >> 3;
  const before = profiles.size;
  const firstScope = scopeCount();
  let resource: usize = 0;
  let resourceSize: u32 = 0;
  let url: usize = 0;
  let urlSize: u32 = 0;
  while (p < last) {
    p = takeOf(p, last, MESSAGES);
    if (field === 1) {
      resource = from;
      resourceSize = <u32>(to - from);
    } else if (field === 2) {
      indexScope(from, to, ordinal);
    } else if (field === 3) {
      url = from;
      urlSize = <u32>(to - from);
    }
  }
  noteResourceUrl(firstScope, url, urlSize);
  if (profiles.size === before) return;
  resources.u32(<u32>resource);
  resources.u32(resourceSize);
}

function indexScope(p: usize, last: usize, resource: u32): void {
  const first = profiles.size;
  let scope: usize = 0;
  let scopeEnd: usize = 0;
  let url: usize = 0;
  let urlSize: u32 = 0;
  while (p < last) {
    p = takeOf(p, last, MESSAGES);
    if (field === 1) {
      scope = from;
      scopeEnd = to;
    } else if (field === 3) {
      url = from;
      urlSize = <u32>(to - from);
    } else if (field === 2) {
      profiles.u32(<u32>from);
      profiles.u32(<u32>(to - from));
      profiles.u32(resource);
      profiles.u32(0);
      profiles.u32(0);
    }
  }
  if (profiles.size === first) return;
  const number = noteScope(scope, scopeEnd, url, urlSize);
  for (let o = first; o < profiles.size; o += <u32>PROFILE_ROW)
    store<u32>(profiles.at + o, number, PROFILE_SCOPE_NUMBER);
}

/** The largest string index that a type of a profile has. Profiles of versions before v1.8 are left out here. */
function largestType(): u64 {
  let most: u64 = 0;
  for (let row = profiles.at; row < profiles.at + profiles.size; row += PROFILE_ROW) {
    const start = sliceAt(row);
    const last = sliceEnd(row);
    let before: i32 = 0;
    for (let p = start; p < last; ) {
      p = take(p, last);
      before += pointsBefore();
      if ((field === 1 || field === 5) && wire === DELIMITED) most = max<u64>(most, largestOfType(from, to));
    }
    if (before <= 0) continue;
    diagnose(Diagnostic.EarlierLayout, offsetOf(start), 0);
    setSlice(row, 0, 0);
  }
  return most;
}

/** `share`: they are news, because the file was not scanned. */
function readResources(share: bool): void {
  const n = resources.size >> 3;
  resourceSets = scratch((n + 1) << 2);
  for (let i: u32 = 0; i < n; i++) {
    const resource = resources.at + <usize>i * Slice.BYTES;
    const p = sliceAt(resource);
    const set: u32 = p === 0 ? 0 : readResource(p, sliceEnd(resource));
    store<u32>(resourceSets + ((<usize>i) << 2), set);
    if (share) shareResource(set);
  }
}

function ownResources(): void {
  const n = resources.size >> 3;
  const shared = scratch(n + 1);
  memory.fill(shared, 0, n + 1);
  for (let row = profiles.at; row < profiles.at + profiles.size; row += PROFILE_ROW) {
    if (!isSeparate(load<u32>(row, PROFILE_SCOPE_NUMBER))) store<u8>(shared + load<u32>(row, PROFILE_RESOURCE), 1);
  }
  for (let i: u32 = 0; i < n; i++) {
    const set = resourceSets + ((<usize>i) << 2);
    const isMoved = load<u8>(shared + i) !== 0;
    store<u32>(set, ownOf(load<u32>(set), sliceAt(resources.at + <usize>i * Slice.BYTES), isMoved));
  }
}

/** Goes on for about `budget` bytes. True while there is more. */
export function stepOtlp(budget: u32): bool {
  let left: i64 = budget;
  for (; part !== Part.Samples; left -= ROWS_BYTES) {
    if (left <= 0) return true;
    readBeforeSamples();
  }
  while (left > 0) {
    if (!inProfile && !nextProfile()) return false;
    while (at < end && left > 0) {
      const start = at;
      at = take(at, end);
      left -= <i64>(at - start);
      if (field !== 2 || wire !== DELIMITED) continue;
      readSample(from, to);
      countSample();
    }
    if (at >= end) inProfile = false;
  }
  return true;
}

function nextProfile(): bool {
  const n = <u32>(profiles.size / <u32>PROFILE_ROW);
  while (current < n) {
    const row = profiles.at + <usize>current * PROFILE_ROW;
    current++;
    at = sliceAt(row);
    end = sliceEnd(row);
    if (at === 0) continue;
    const scope = load<u32>(row, PROFILE_SCOPE_NUMBER);
    const own = load<u32>(resourceSets + ((<usize>load<u32>(row, PROFILE_RESOURCE)) << 2));
    const separate = isSeparate(scope);
    const holder = separate ? Holder.Message : Holder.Samples;
    // Samples say their resource in any case, so its profiles leave room for those of other scopes.
    const set = separate || hasRoom() ? own : 0;
    const to = readProfile(at, end, internResource(scopeRow(scope), set, holder));
    if (to === NO_ROW) continue;
    beginSamples(to, separate ? 0 : own, isOurs(scope), load<u32>(row, PROFILE_LAYOUTS), traces64);
    inProfile = true;
    return true;
  }
  return false;
}

/** Half of the rows are for resources that samples carry. */
function hasRoom(): bool {
  return profileCount < MAX_PROFILES / 2 && eventCount < MAX_EVENTS / 2;
}

/** Bytes of the profiles still to come. */
export function otlpBytesLeft(): u32 {
  let left: u32 = inProfile ? <u32>(end - at) : 0;
  const n = <u32>(profiles.size / <u32>PROFILE_ROW);
  for (let i = current; i < n; i++) left += sliceSize(profiles.at + <usize>i * PROFILE_ROW);
  return left;
}

/** Frees everything of the message except its rows in the store. */
export function closeOtlp(): void {
  profiles.size = 0;
  endTables();
  endEncodings();
  endScratch();
}
