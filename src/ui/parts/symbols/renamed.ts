/** The function of a frame that was known by its address, under the name that symbols give it. */
import type { LibraryNames, LibrarySum } from "../../../worker/api.ts";

/** The outermost function at the address in `name`, `library+0x12`; null if no library has a name for it. */
export function renamed(
  name: string,
  libraries: readonly Pick<LibrarySum, "name" | "buildId">[],
  names: ReadonlyMap<string, LibraryNames>,
): string | null {
  const [, file, hex] = /^(.+)\+0x([0-9a-f]{1,16})$/.exec(name) ?? [];
  if (file === undefined) return null;
  const offset = BigInt(`0x${hex}`);
  for (const library of libraries) {
    if (library.name !== file && `[${library.buildId.slice(0, 8)}]` !== file) continue;
    const resolved = names.get(library.buildId)?.resolved;
    // Of a return address, the call before it was looked up.
    const frames = (resolved?.get(offset) ?? resolved?.get(offset - 1n))?.frames ?? [];
    const outermost = frames.at(-1);
    if (outermost !== undefined) return outermost.function;
  }
  return null;
}
