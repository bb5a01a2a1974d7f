/** Row of a thread. Name and id are attributes. */
export const NAME: u32 = 0;
export const ID: u32 = 1;
export const KIND: u32 = 2;
