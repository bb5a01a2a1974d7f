/** The weight of a sample: the sum of its values, of its second values, or the number of its observations. */
import { PROFILE_SECOND_STORED, PROFILE_SECOND_TYPE } from "../abi/profile-row";
import { profileAt, profileCount } from "../store/profiles";

export enum Measure {
  Value,
  Second,
  Count,
}

/** The measure of a profile (-1: of all) if its first one is requested, or with `second` its second, if it has one. */
export function measureOf(profile: i32, second: bool): Measure {
  if (!second || profile < 0 || <u32>profile >= profileCount) return Measure.Value;
  const p = profileAt(profile);
  if (load<u32>(p, PROFILE_SECOND_TYPE) === 0) return Measure.Value;
  return load<u32>(p, PROFILE_SECOND_STORED) !== 0 ? Measure.Second : Measure.Count;
}
