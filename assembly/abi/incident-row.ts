/** A row of the incidents (`assembly/store/incidents.ts`). */
export const INCIDENT_KIND = 0;
export const INCIDENT_CHUNK = 4;
export const INCIDENT_ID = 8;
export const INCIDENT_TEXT = 12;
export const INCIDENT_TIME = 16;
export const INCIDENT_AMOUNT = 24;
export const INCIDENT_BYTES = 32;
