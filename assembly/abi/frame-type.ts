/**
 * Frame types of locations, with the texts of `profile.frame.type` (semantic conventions), and of frames without a
 * location.
 */
export const None = 0;
export const Jvm = 1;
export const Native = 2;
export const Kernel = 3;
/** A frame above a stack: an attribute of the sample (assembly/view/roots.ts). */
export const Root = 4;
/** A run of frames in one (assembly/view/shape.ts). */
export const Run = 5;
