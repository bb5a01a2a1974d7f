/** Single entries of the tables for the host: the texts and values that appear on the page or in an answer. */
import { ATTRIBUTE_KEY, ATTRIBUTE_TYPE, ATTRIBUTE_VALUE, attributes, encoded, strings } from "./tables";

export function stringPointer(i: u32): usize {
  return i < strings.count ? strings.pointer(i) : 0;
}

export function stringSize(i: u32): u32 {
  return i < strings.count ? strings.size(i) : 0;
}

/** String index of an attribute's key. */
export function attributeKey(i: u32): u32 {
  return i < attributes.count ? attributes.get(i, ATTRIBUTE_KEY) : 0;
}

/** ValueKind of an attribute. */
export function attributeType(i: u32): u32 {
  return i < attributes.count ? attributes.get(i, ATTRIBUTE_TYPE) : 0;
}

/** String index or number of an attribute, as 64 bits. */
export function attributeValue(i: u32): u64 {
  return i < attributes.count ? attributes.get64(i, ATTRIBUTE_VALUE) : 0;
}

/** An AnyValue that is no scalar. */
export function encodedPointer(i: u32): usize {
  return i < encoded.count ? encoded.pointer(i) : 0;
}

export function encodedSize(i: u32): u32 {
  return i < encoded.count ? encoded.size(i) : 0;
}
