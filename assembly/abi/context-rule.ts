/** Rules that infer the context of an observation (docs/context.md). */
export const Scope = 1;
export const Trace = 2;
export const Neighbours = 3;
/** Attributes alone, of contextual fields: span and root are the event's own. */
export const Contextual = 4;
