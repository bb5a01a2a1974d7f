/** A fact and a setting (`assembly/store/facts.ts`). */
export const FACT_CHUNK = 0;
export const FACT_EVENT = 4;
export const FACT_NAME = 8;
export const FACT_VALUE = 12;
export const FACT_BYTES = 16;

export const SETTING_EVENT = 0;
export const SETTING_NAME = 4;
export const SETTING_VALUE = 8;
export const SETTING_BYTES = 16;
