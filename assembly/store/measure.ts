/** The measures of a profile: the weight of its samples in views, and the values in an output. */
import * as ProfileRow from "../abi/rows/profile-row";
import { profileAt, profileCount } from "./profiles";

export enum Measure {
  /** The sum of the values. */
  Value,
  /** The sum of the second values. */
  Second,
  /** The number of observations: each has the value 1. */
  Count,
}

/** The measure of a profile (-1: of all) if its first one is requested, or with `second` its second, if it has one. */
export function measureOf(profile: i32, second: bool): Measure {
  if (!second || profile < 0 || <u32>profile >= profileCount) return Measure.Value;
  return load<u32>(profileAt(profile), ProfileRow.SECOND_TYPE) === 0 ? Measure.Value : secondMeasure(profile);
}

/** The second measure of a profile that has one. */
export function secondMeasure(profile: u32): Measure {
  return load<u32>(profileAt(profile), ProfileRow.SECOND_STORED) !== 0 ? Measure.Second : Measure.Count;
}
