/**
 * A Profile's id: 16 bytes that depend on its content only, so the same input and options give the same id, here and
 * when the message is read back and written again. A Profile of another producer keeps its id if it is written as a
 * whole: other signals refer to it.
 */

import * as ProfileRow from "../../abi/rows/profile-row";
import * as WritePlan from "../../abi/write-plan";
import { Measure } from "../../store/measure";
import { profileAt } from "../../store/profiles";
import * as AttributeRow from "../../store/rows/attribute-row";
import * as LinkRow from "../../store/rows/link-row";
import { skippedSamples } from "../../store/skipped";
import { links } from "../../store/tables";
import { attributeText, attributeValue, attributeWord, stringPointer, stringSize } from "../added";
import { marked } from "../columns";
import { writtenHigh, writtenLow } from "../link-traces";
import * as OutputRow from "../output-row";
import { ranged, resourceCount } from "../plan";
import { linkMap, profileRests, profileSamples, profileSums } from "../reach";
import { durationNano, durationOf, startOf, timeUnixNano } from "../scope";
import { isSeparate, listed, listedAttribute } from "./resource";

/** The halves of an id, in the order of its bytes. */
const LOW: usize = 8;

export let idHigh: u64 = 0;
export let idLow: u64 = 0;

/** The part that all Profiles of the message share. */
let common: u64 = 0;

/** To be called once a message, when links are numbered. Sums, because the order of links is no part of the content. */
export function beginProfileIds(): void {
  let sum: u64 = 0;
  for (let i: u32 = 1; i < links.count; i++) {
    if (!marked(linkMap, i)) continue;
    const trace = mix(writtenHigh(i), writtenLow(i));
    sum += mix(trace, links.get64(i, LinkRow.SPAN));
  }
  common = mix(mix(sum, timeUnixNano()), durationNano());
}

/** Leaves the id of an output in `idHigh` and `idLow`. */
export function profileId(output: usize): void {
  if (isAsRead(output)) {
    const id = profileAt(load<u32>(output, OutputRow.PROFILE)) + ProfileRow.ID;
    idHigh = bswap<u64>(load<u64>(id));
    idLow = bswap<u64>(load<u64>(id, LOW));
    return;
  }
  let h = mix(common, load<u64>(profileSums + ((<usize>load<u32>(output, OutputRow.PROFILE)) << 3)));
  h = mixText(h, load<u32>(output, OutputRow.TYPE));
  h = mixText(h, load<u32>(output, OutputRow.UNIT));
  h = mixText(h, load<u32>(output, OutputRow.LABEL));
  h = mix(h, load<u64>(output, OutputRow.PERIOD));
  h = mixResource(h, load<u32>(output, OutputRow.PROFILE));
  // Nothing distinguishes two of one type without samples.
  if (!marked(profileSamples, load<u32>(output, OutputRow.PROFILE))) h = mix(h, load<u32>(output, OutputRow.PROFILE));
  idHigh = mix(h, 1);
  // An id of zeros means no id.
  idLow = mix(h, 2) | 1;
}

/** Whether the output is all of a Profile that was read with an id, in the form in which it was read. */
function isAsRead(output: usize): bool {
  const profile = load<u32>(output, OutputRow.PROFILE);
  const id = profileAt(profile) + ProfileRow.ID;
  if ((load<u64>(id) | load<u64>(id, LOW)) === 0 || ranged || marked(profileRests, profile)) return false;
  // Samples that the reader skipped are a rest as well.
  if (skippedSamples(profile) !== 0) return false;
  const isChanged = load<u32>(output, OutputRow.FLAGS) & (WritePlan.OUTPUT_AGGREGATED | WritePlan.OUTPUT_JOINED);
  return isChanged === 0 && load<u32>(output, OutputRow.MEASURE) === <u32>Measure.Value;
}

/** The time of a separate Resource, and the attributes that only it has: two may have the same samples. */
function mixResource(h: u64, profile: u32): u64 {
  if (!isSeparate(profile)) return h;
  h = mix(mix(h, startOf(profile)), durationOf(profile));
  for (let i = resourceCount; i < listed; i++) {
    h = mixText(h, attributeWord(listedAttribute(i), AttributeRow.KEY));
    const text = attributeText(listedAttribute(i));
    h = text !== 0 ? mixText(h, text) : mix(h, attributeValue(listedAttribute(i)));
  }
  return h;
}

function mixText(h: u64, s: u32): u64 {
  const p = stringPointer(s);
  for (let i: u32 = 0; i < stringSize(s); i++) h = mix(h, load<u8>(p + i));
  return mix(h, 256);
}

/** Two rounds of the finaliser of MurmurHash3 (public domain, Austin Appleby), one for each word. */
function mix(h: u64, v: u64): u64 {
  return finish(finish(h ^ 0x9e37_79b9_7f4a_7c15) + v);
}

function finish(h: u64): u64 {
  h = (h ^ (h >> 33)) * 0xff51_afd7_ed55_8ccd;
  h = (h ^ (h >> 33)) * 0xc4ce_b9fe_1a85_ec53;
  return h ^ (h >> 33);
}
