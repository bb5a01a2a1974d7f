/** By what samples are ranked. */
export const LocalRoot = 0;
export const Span = 1;
export const Attribute = 2;
