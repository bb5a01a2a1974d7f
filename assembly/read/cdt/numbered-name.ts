/** Names of rows without a text: `#` and their number. */
import { internString } from "../../store/tables";

const digits: usize = memory.data(24);

/** The string `#12`. */
export function numberedName(n: u64): u32 {
  let p = digits + 24;
  do {
    p--;
    store<u8>(p, <u8>(0x30 + <u32>(n % 10)));
    n /= 10;
  } while (n !== 0);
  p--;
  store<u8>(p, 0x23);
  return internString(p, <u32>(digits + 24 - p));
}
