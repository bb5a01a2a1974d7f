/**
 * The references that keep a live object, as one text, from the root of the garbage collector on. Indices of arrays are
 * left out, so that objects of one collection have one path.
 *
 *   jdk.types.OldObject   | type: Class | description | referrer: Reference |
 *   jdk.types.Reference   | field: OldObjectField | object: OldObject |
 */

import { Buffer, ownBuffer } from "../../memory/buffer";
import { equalBytes } from "../../memory/hash";
import { internString, strings } from "../../store/tables";
import { appendScalar } from "../utf8";
import { classLabel, wantClasses } from "./constants";
import { isClass, spells } from "./metadata";
import { planParts, readParts } from "./parts";
import { spend } from "./plan";
import * as FieldRow from "./rows/field-row";
import { fieldNamed, fieldOf, found, NO_FIELD, NO_TEXT, NOWHERE, slot, stringOf, textOf, wantTextOf } from "./struct";

/** The JVM writes at most 200 references of a path. */
const MOST_STEPS: u32 = 256;
/** A longer path ends here. */
const LONGEST: u32 = 4096;

let objectClass: u32 = NO_FIELD;
let objectPlan: u32 = 0;
let typeClass: u32 = NO_FIELD;
let description: u32 = NOWHERE;
let referenceClass: u32 = NO_FIELD;
let referencePlan: u32 = 0;
let fieldName: u32 = NOWHERE;

/** Keys of the objects that hold the references, and strings of their fields' names: u64 | u32, the last one first. */
const holders: Buffer = ownBuffer(256);
const fields: Buffer = ownBuffer(256);
const path: Buffer = ownBuffer(LONGEST);

function classOfField(cls: u32, field: u32): u32 {
  return field === NO_FIELD ? NO_FIELD : load<u32>(fieldOf(cls, field), FieldRow.CLASS);
}

/** Prepares the objects of this class, which have their referrer in field `referrer`. */
export function wantReferrers(cls: u32, referrer: u32): void {
  objectClass = cls;
  referenceClass = classOfField(cls, referrer);
  const type = fieldNamed(cls, "type");
  const words = fieldNamed(cls, "description");
  typeClass = classOfField(cls, type);
  wantClasses(typeClass);
  description = wantTextOf(cls, words);
  objectPlan = planParts(cls, type, words, referrer);
  if (!isClass(referenceClass)) return;
  const field = fieldNamed(referenceClass, "field");
  fieldName = wantTextOf(referenceClass, field);
  referencePlan = planParts(referenceClass, field, fieldNamed(referenceClass, "object"), NO_FIELD);
}

/** String of the path to object `key`, 0 where the recording has none. */
export function pathTo(key: u64): u32 {
  holders.size = 0;
  fields.size = 0;
  let reference = readParts(objectClass, objectPlan, key) ? slot(2) : 0;
  for (let i: u32 = 0; i < MOST_STEPS && reference !== 0 && spend(64); i++) {
    if (!readParts(referenceClass, referencePlan, reference)) break;
    const field = slot(0);
    const holder = slot(1);
    if (holder === 0) break;
    holders.u64(holder);
    fields.u32(stringOf(fieldName, field));
    reference = readParts(objectClass, objectPlan, holder) ? slot(2) : 0;
  }
  path.size = 0;
  let before: u32 = 0;
  for (let i = fields.size >> 2; i > 0 && path.size < LONGEST; i--) {
    const start = path.size;
    if (start !== 0) append(" → ");
    appendHolder(load<u64>(holders.at + ((<usize>i - 1) << 3)));
    const field = load<u32>(fields.at + ((<usize>i - 1) << 2));
    if (field !== NO_TEXT && field !== 0) {
      append(".");
      path.bytes(strings.pointer(field), strings.size(field));
    }
    // Nodes of a list are one step.
    const size = path.size - start;
    if (start !== 0 && size === start - before && equalBytes(path.at + before, path.at + start, size)) {
      path.size = start;
    } else before = start;
  }
  return path.size === 0 || !spend(path.size) ? 0 : internString(path.at, path.size);
}

/** The class of an object, or the class that it is. */
function appendHolder(key: u64): void {
  const isKnown = readParts(objectClass, objectPlan, key);
  const words = slot(1);
  const label = isKnown ? classLabel(typeClass, slot(0)) : 0;
  if (label === 0) {
    append("?");
    return;
  }
  if (spells(strings.pointer(label), strings.size(label), "java.lang.Class") && textOf(description, words)) {
    const mark = "Class Name: ";
    const n = <u32>mark.length;
    if (found.size > n && spells(found.at, n, mark)) {
      path.bytes(found.at + n, found.size - n);
      return;
    }
  }
  path.bytes(strings.pointer(label), strings.size(label));
}

function append(text: string): void {
  for (let i = 0; i < text.length; i++) appendScalar(path, text.charCodeAt(i));
}
