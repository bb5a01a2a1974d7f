/**
 * Field numbers of the samples of a message. v1.10 renumbered them, and a message does not state its version:
 *
 *              2                  3                  4
 *   now        attribute indices  link V             values
 *   before     values             attribute indices  link V
 *
 * A field 3 with a length, or a field 4 without one, is of the layout before; the opposite is of the layout now. If
 * samples have neither field, a field 2 is of the layout before if it has as many numbers as there are timestamps and
 * one of them is not the index of an attribute.
 */
import { beginNumbers, DELIMITED, field, from, nextNumber, number, take, to, wire } from "../protobuf";
import { Table, tableSize } from "./tables";

enum Verdict {
  Open,
  Now,
  Old,
}

let verdict: Verdict = Verdict.Open;
/** Some number of a field 2 is no index of an attribute; all samples have as many of them as timestamps. */
let beyond: bool = false;
let paired: bool = true;

export function beginLayout(): void {
  verdict = Verdict.Open;
  beyond = false;
  paired = true;
}

/** Whether the samples of the profile at [p, end) tell; true ends the search. */
export function tellsLayout(p: usize, end: usize): bool {
  while (p < end) {
    p = take(p, end);
    if (field !== 2 || wire !== DELIMITED) continue;
    verdict = look(from, to);
    if (verdict !== Verdict.Open) return true;
  }
  return false;
}

/** To be called after one profile has decided the layout, or all were undecided. */
export function isOldLayout(): bool {
  return verdict === Verdict.Old || (verdict === Verdict.Open && beyond && paired);
}

function look(p: usize, end: usize): Verdict {
  let numbers: u32 = 0;
  let times: u32 = 0;
  while (p < end) {
    const start = p;
    p = take(p, end);
    const delimited = wire === DELIMITED;
    if (field === 3) return delimited ? Verdict.Old : Verdict.Now;
    if (field === 4) return delimited ? Verdict.Now : Verdict.Old;
    if (field === 5) times += delimited ? <u32>(to - from) >> 3 : 1;
    if (field !== 2) continue;
    beginNumbers(start);
    while (nextNumber()) {
      numbers++;
      if (number >= <u64>tableSize(Table.Attribute)) beyond = true;
    }
  }
  if (numbers !== times) paired = false;
  return Verdict.Open;
}
