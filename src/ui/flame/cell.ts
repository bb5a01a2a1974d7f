/** Height of a level of the flame graph in CSS pixels. */
export const CELL_PX = 20;
