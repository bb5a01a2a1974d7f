/** Attribute of samples with the name of their event (assembly/store/keys.ts): profiles of several events have it. */
export const EVENT_KEY = "jfr.event";
