/** A row of the incidents (`assembly/store/incidents.ts`). */
export const KIND = 0;
export const CHUNK = 4;
export const ID = 8;
export const TEXT = 12;
export const TIME = 16;
export const AMOUNT = 24;
export const BYTES = 32;
