/** Passing over the attributes of an entry. */
import { skip } from "../elf/pages";
import { attributeOf, Declaration } from "./abbreviations";
import { VARIES } from "./forms";
import { readValue } from "./unit";

/** The cursor is after the code of an entry; it moves to the next entry. */
export function passEntry(declaration: Declaration): void {
  if (declaration.bytes !== VARIES) {
    skip(declaration.bytes);
    return;
  }
  for (let i: u32 = 0; i < declaration.count; i++) {
    const attribute = attributeOf(declaration, i);
    readValue(attribute.form, attribute.implicit);
  }
}
