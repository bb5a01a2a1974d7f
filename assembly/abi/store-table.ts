/** Tables that the host reads as columns (`assembly/write/store-columns.ts`). */
export const Strings = 1;
export const Functions = 2;
export const Mappings = 3;
export const Stacks = 4;
export const Links = 5;
export const Attributes = 6;
export const Sets = 7;
export const Threads = 8;
/** How many frames each location has. */
export const FrameCounts = 9;
/** The frames of locations. */
export const Frames = 10;
