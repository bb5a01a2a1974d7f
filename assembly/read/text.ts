/** Texts of protobuf messages, which should be UTF-8. */
import { Buffer, ownBuffer } from "../memory/buffer";
import { equalBytes } from "../memory/hash";
import { internString } from "../store/tables";
import { appendUtf8, isAscii } from "./utf8";

const decoded: Buffer = ownBuffer(4096);

/** The text interned last had to be repaired. */
export let repaired: bool = false;

/** String index of the `n` bytes at `p`. */
export function internUtf8(p: usize, n: u32): u32 {
  repaired = false;
  if (isAscii(p, n)) return internString(p, n);
  decoded.size = 0;
  appendUtf8(decoded, p, n);
  repaired = decoded.size !== n || !equalBytes(decoded.at, p, n);
  return internString(decoded.at, decoded.size);
}
