/** Codes in the catalogue that the host hands over; its layout is in `assembly/read/jfr/catalogue.ts`. */

/** In place of a rule: the profile has no second measure. */
export const NO_RULE = 255;
/** Flag of a profile: only the last chunk that has it counts. */
export const CATALOGUE_SNAPSHOT = 1;
/**
 * Flags of an event: it gets its samples from the row before that routes; every text is an attribute; frame 0 of its
 * stacks has the address of the instruction itself, while all other frames have return addresses; it is a call of the
 * method in its field `method`, and its stack that of the caller; a user maps it, so that fields which it names and the
 * event lacks have a diagnostic; recorders may limit how many they write; its value counts since the start of
 * something, or is a level, which is not added up.
 */
export const EVENT_ROUTED = 1;
export const EVENT_EVERY_TEXT = 2;
export const EVENT_EXACT_LEAF = 4;
export const EVENT_CALL = 8;
export const EVENT_MAPPED = 16;
export const EVENT_LIMITED = 32;
export const EVENT_COUNTER = 64;
export const EVENT_LEVEL = 128;
/**
 * Numbers of series from here on are what losses are computed from, which every reading keeps. They have 8 bits; the
 * others of the word are the number of the event in its chunk, because two events of one time may count the same.
 */
export const LOSS_SERIES = 64;
