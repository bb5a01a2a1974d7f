/** Names of thread pools. */
const isDigit = (c: string | undefined) => c !== undefined && c >= "0" && c <= "9";

/**
 * The thread pool of a thread: its name with the number at the end replaced, `http-nio-8080-exec-*` of
 * `http-nio-8080-exec-12`, and `RMI(*)` of `RMI(7)`. A name that does not end with a number is its own pool.
 */
export function poolName(thread: string): string {
  let end = thread.length;
  while (end > 0 && ")]".includes(thread[end - 1]!)) end--;
  let start = end;
  while (isDigit(thread[start - 1])) start--;
  return start === end ? thread : `${thread.slice(0, start)}*${thread.slice(end)}`;
}
