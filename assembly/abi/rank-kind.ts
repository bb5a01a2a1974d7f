/** Kinds of rankings: by local root, span or attribute. */
export const LocalRoot = 0;
export const Span = 1;
export const Attribute = 2;
