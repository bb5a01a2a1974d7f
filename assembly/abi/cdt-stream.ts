/** Streams of a CDT dump, and the order in which the core reads those of a run. */
export const Dictionary = 0;
export const PosDictionary = 1;
export const CallsDictionary = 2;
export const Params = 3;
export const Suspend = 4;
export const Calls = 5;
export const Trace = 6;
export const Sql = 7;
export const Xml = 8;
