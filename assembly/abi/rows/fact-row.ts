/** A fact and a setting (`assembly/store/facts.ts`). */
export const CHUNK = 0;
export const EVENT = 4;
export const NAME = 8;
export const VALUE = 12;
export const BYTES = 16;

export const SETTING_EVENT = 0;
export const SETTING_NAME = 4;
export const SETTING_VALUE = 8;
export const SETTING_BYTES = 16;
