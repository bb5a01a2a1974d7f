/**
 * Names of functions: the linkage name of an entry, or of an entry that it refers to (abstract origin, specification),
 * else the plain name (DWARF 5, sections 2.13 and 3.3.8) with its namespaces and classes.
 */

import * as Section from "../../abi/elf-section";
import * as Found from "../../abi/faults/dwarf-fault";
import * as CalledRow from "../../abi/rows/called-row";
import * as LookupRow from "../../abi/rows/lookup-row";
import { missed, over, seek, uleb } from "../elf/pages";
import { lookupAt, lookupCount } from "../elf/symbols";
import { textOf } from "../elf/texts";
import { attributeOf, declarationOf } from "./abbreviations";
import * as At from "./at";
import { qualifierOf } from "./containers";
import { ALTERNATE, formClass, formValue, INFO_REFERENCE, NONE, UNIT_REFERENCE } from "./forms";
import { unitAt } from "./places";
import { scopeAt } from "./tree";
import {
  entriesAt,
  found,
  hasContainers,
  infoImage,
  infoStream,
  NO_IMAGE,
  placeOfText,
  readValue,
  supplement,
  unitEnd,
  unitOffset,
} from "./unit";

/** Entries that refer to each other. */
const MOST_HOPS: u32 = 16;

/** Bit of an origin that is in the supplement. */
export const IN_SUPPLEMENT: u64 = 1 << 62;

function inSupplement(): u64 {
  return infoImage === supplement ? IN_SUPPLEMENT : 0;
}

/** The entry that was read last is of a function that other units can call. */
let isExternal: bool = false;

/** Reads the name of a scope as far as the current unit has it; its abbreviations are loaded. */
export function nameScope(scope: u32): void {
  const row = scopeAt(scope);
  for (let hop: u32 = 0; hop < MOST_HOPS; hop++) {
    const origin = load<u64>(row, CalledRow.ORIGIN);
    if (origin === 0) return;
    const offset = (origin - 1) ^ inSupplement();
    if (offset < entriesAt || offset >= unitEnd) return;
    const next = readNames(row, offset);
    if (missed) return;
    if (
      next === 0 &&
      hasContainers &&
      load<u32>(row, CalledRow.LINKAGE) === 0 &&
      load<u32>(row, CalledRow.NAME) !== 0
    ) {
      // An external function without a linkage name is one of C, whose name has no namespaces.
      const qualifier = qualifierOf(offset, isExternal);
      if (missed) return;
      store<u32>(row, qualifier, CalledRow.QUALIFIER);
    }
    store<u64>(row, next, CalledRow.ORIGIN);
  }
  found(Found.Fuel, Section.DebugInfo, load<u64>(row, CalledRow.ORIGIN) - 1);
  store<u64>(row, 0, CalledRow.ORIGIN);
}

/** Reads the names of one entry. Returns the offset, + 1, of the entry that it refers to, if that may have more. */
function readNames(row: usize, offset: u64): u64 {
  seek(infoStream(), offset, unitEnd);
  const declaration = declarationOf(uleb());
  if (declaration === null) return 0;
  let next: u64 = 0;
  let linkageClass: u32 = NONE;
  let linkage: u64 = 0;
  let nameClass: u32 = NONE;
  let name: u64 = 0;
  isExternal = false;
  for (let i: u32 = 0; i < declaration.count; i++) {
    const attribute = attributeOf(declaration, i);
    readValue(attribute.form, attribute.implicit);
    switch (attribute.name) {
      case At.LINKAGE_NAME:
      case At.MIPS_LINKAGE_NAME:
        linkageClass = formClass;
        linkage = formValue;
        break;
      case At.NAME:
        nameClass = formClass;
        name = formValue;
        break;
      case At.EXTERNAL:
        isExternal = formValue !== 0;
        break;
      case At.ABSTRACT_ORIGIN:
      case At.SPECIFICATION:
        if (formClass === UNIT_REFERENCE) next = (inSupplement() | (unitOffset + formValue)) + 1;
        if (formClass === INFO_REFERENCE) next = (inSupplement() | formValue) + 1;
        if (formClass !== ALTERNATE) break;
        if (supplement === NO_IMAGE) found(Found.Alternate);
        else next = (IN_SUPPLEMENT | formValue) + 1;
        break;
      default:
        break;
    }
  }
  if (over) {
    found(Found.Units);
    return 0;
  }
  if (load<u32>(row, CalledRow.NAME) === 0) store<u32>(row, textOf(placeOfText(nameClass, name)), CalledRow.NAME);
  const text = textOf(placeOfText(linkageClass, linkage));
  if (text === 0) return next;
  store<u32>(row, text, CalledRow.LINKAGE);
  return 0;
}

/** Reads the names of the functions that addresses of a unit have, and of those around them. */
export function nameScopes(unit: u32): void {
  for (let i: u32 = 0; i < lookupCount && !missed; i++) {
    if (unitAt(i) !== unit) continue;
    let scope = load<u32>(lookupAt(i), LookupRow.SCOPE);
    while (scope !== 0 && !missed) {
      const row = scopeAt(scope);
      if (load<u32>(row, CalledRow.IS_USED) !== 0) break;
      nameScope(scope);
      if (missed) return;
      store<u32>(scopeAt(scope), 1, CalledRow.IS_USED);
      scope = load<u32>(scopeAt(scope), CalledRow.PARENT);
    }
  }
}
