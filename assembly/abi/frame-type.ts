/**
 * Frame types of locations: the values of `profile.frame.type` that the semantic conventions have (their texts:
 * assembly/store/frame-types.ts), and of frames without a location.
 */
export const None = 0;
export const Jvm = 1;
export const Native = 2;
export const Kernel = 3;
export const Beam = 4;
export const Cpython = 5;
export const Cuda = 6;
export const Dotnet = 7;
export const Go = 8;
export const Luajit = 9;
export const Perl = 10;
export const Php = 11;
export const Ruby = 12;
export const Rust = 13;
export const V8js = 14;
/** A frame above a stack: an attribute of the sample (assembly/view/roots.ts). */
export const Root = 15;
/** A run of frames in one (assembly/view/shape.ts). */
export const Run = 16;
