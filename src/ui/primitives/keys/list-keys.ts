/** Keys that move through the rows of a list or table. */

/**
 * The row that a key leads to from the active one; null where it is no such key. `page` is how many rows a page key
 * goes by.
 */
export function rowForKey(key: string, active: number, count: number, page: number): number | null {
  const to = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + page,
    PageUp: active - page,
    Home: 0,
    End: count - 1,
  }[key];
  return to === undefined ? null : Math.min(Math.max(0, to), Math.max(0, count - 1));
}
