/**
 * The attribute table, and the attributes that the store has a column for: those that our writer makes of threads,
 * events, ids and frame types, and those that semantic conventions name.
 */

import * as Diagnostic from "../../abi/formats/otlp";
import * as ValueKind from "../../abi/value-kind";
import { isText } from "../../memory/ascii";
import { Buffer } from "../../memory/buffer";
import { scratch } from "../../memory/scratch";
import { diagnose } from "../../store/diagnostics";
import { IdName, idNameOf } from "../../store/id-names";
import {
  BUILD_ID_KEY,
  ENDPOINT_KEY,
  EVENT_KEY,
  FRAME_TYPE_KEY,
  GO_BUILD_ID_KEY,
  OPERATION_KEY,
  SECOND_KEY,
  THREAD_ID_KEY,
  THREAD_NAME_KEY,
  TRACE_ORIGIN_KEY,
  TRACES_64,
  TYPE_KEY,
} from "../../store/keys";
import * as AttributeRow from "../../store/rows/attribute-row";
import { attributes, internMeasured, strings } from "../../store/tables";
import { field, from, offsetOf, takeOf, to, value } from "../protobuf";
import { Added, addToSet } from "../set";
import { bits, kind, readValue } from "./any-value";
import { beginRows, elementAt, elementSize, firstRow, rowAt, setRow, Table, tableSize } from "./tables";

export enum Role {
  Plain,
  ThreadName,
  ThreadId,
  /** `jfr.event`: the event row. */
  Event,
  /** `profile.type`, which our writer adds to every sample. */
  Type,
  /** Attributes of a whole local root (store/roots.ts). */
  Said,
  FrameType,
  BuildId,
  GoBuildId,
  /** `spanflame.trace_id`, which our writer adds to a profile whose trace ids are local roots. */
  TraceOrigin,
  /** `spanflame.trace_id` where the ids are traces of 64 bits. */
  Traces64,
  /** `spanflame.second_value`: the second value of each observation. */
  Second,
  /** An id: the sum of this and its `IdName`. */
  Id = 32,
}

const KEY_VALUE_AND_UNIT: u64 = 0x1410;

/** u8 per element. */
let roles: usize = 0;
/** Some element is `Role.Traces64`. */
export let saysTraces64: bool = false;

export function readAttributes(first: u32, end: u32): void {
  if (first === 0) {
    beginRows(Table.Attribute);
    roles = scratch(tableSize(Table.Attribute) + 1);
    saysTraces64 = false;
  }
  for (let i = max<u32>(first, firstRow(Table.Attribute)); i < end; i++) {
    const p = elementAt(Table.Attribute, i);
    const row = readAttribute(p, p + elementSize(Table.Attribute, i));
    setRow(Table.Attribute, i, row);
    const role = roleOf(row);
    store<u8>(roles + i, <u8>role);
    if (role === Role.Traces64) saysTraces64 = true;
  }
}

/** A KeyValueAndUnit: 1 key's string index · 2 AnyValue · 3 unit's string index. */
function readAttribute(p: usize, end: usize): u32 {
  let key: u32 = 0;
  let unit: u32 = 0;
  let type = ValueKind.None;
  let content: u64 = 0;
  while (p < end) {
    const start = p;
    p = takeOf(p, end, KEY_VALUE_AND_UNIT);
    if (field === 1) {
      key = rowAt(Table.String, value, start);
    } else if (field === 3) {
      unit = rowAt(Table.String, value, start);
    } else if (field === 2) {
      readValue(from, to);
      type = kind;
      content = bits;
    }
  }
  return internMeasured(key, type, content, unit);
}

export function roleOf(row: u32): Role {
  const key = attributes.get(row, AttributeRow.KEY);
  const p = strings.pointer(key);
  const n = strings.size(key);
  const type = attributes.get(row, AttributeRow.TYPE);
  if (type === ValueKind.Int) {
    if (isText(p, n, THREAD_ID_KEY)) return Role.ThreadId;
    return isText(p, n, SECOND_KEY) ? Role.Second : idRole(p, n);
  }
  if (type === ValueKind.Encoded) return idRole(p, n);
  if (type !== ValueKind.Text) return Role.Plain;
  if (isText(p, n, THREAD_NAME_KEY)) return Role.ThreadName;
  if (isText(p, n, THREAD_ID_KEY)) return Role.ThreadId;
  if (isText(p, n, EVENT_KEY)) return Role.Event;
  if (isText(p, n, TYPE_KEY)) return Role.Type;
  if (isText(p, n, ENDPOINT_KEY) || isText(p, n, OPERATION_KEY)) return Role.Said;
  if (isText(p, n, FRAME_TYPE_KEY)) return Role.FrameType;
  if (isText(p, n, BUILD_ID_KEY)) return Role.BuildId;
  if (isText(p, n, GO_BUILD_ID_KEY)) return Role.GoBuildId;
  if (!isText(p, n, TRACE_ORIGIN_KEY)) return idRole(p, n);
  const value = <u32>attributes.get64(row, AttributeRow.VALUE);
  return isText(strings.pointer(value), strings.size(value), TRACES_64) ? Role.Traces64 : Role.TraceOrigin;
}

function idRole(p: usize, n: u32): Role {
  const name = idNameOf(p, n);
  return name === IdName.None ? Role.Plain : <Role>(<u32>Role.Id + <u32>name);
}

/** Role of the attribute of index `i`, which `rowAt` knows. */
export function roleAt(i: u64): Role {
  return i < <u64>tableSize(Table.Attribute) ? <Role>load<u8>(roles + <usize>i) : Role.Plain;
}

/** Adds an attribute to a set, and reports a diagnostic if it does not fit in. */
export function addAttribute(set: Buffer, row: u32, p: usize): void {
  const added = addToSet(set, row);
  if (added === Added.Yes) return;
  diagnose(added === Added.Full ? Diagnostic.AttributesMany : Diagnostic.AttributeTwice, offsetOf(p), 0);
}
