/** Damage of a section's row or of the head of its packed data, one bit each. */
/** It reaches beyond the end of the file. */
export const Outside = 1;
/** It states more unpacked bytes than its packed ones can have. */
export const Claim = 2;
/** Its packing is unknown. */
export const Packing = 4;
/** A symbol table whose table of names is missing. */
export const Nameless = 8;
/** It is packed, and states that it has no bytes. */
export const Empty = 16;
