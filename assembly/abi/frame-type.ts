/** Frame types of locations; the texts are `profile.frame.type` of the semantic conventions. */
export const None = 0;
export const Jvm = 1;
export const Native = 2;
export const Kernel = 3;
