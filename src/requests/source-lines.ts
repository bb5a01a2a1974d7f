/** The lines of a source file in the stacks of a selection. */
import type { SampleReader } from "../core/samples/sample-reader.ts";
import type { Selection } from "../core/types.ts";
import { type SourceLine, type SourceLines, sourceKey } from "../model/flame/source-files.ts";
import { sourcePath } from "../model/flame/source-place.ts";

/** `path`: as `sourcePath` has it for the functions of the file. */
export function sourceLines(reader: SampleReader, selection: Selection, path: string): SourceLines {
  const key = sourceKey(path);
  const isOf = new Map<number, boolean>();
  const lines = new Map<number, SourceLine>();
  const answer: SourceLines = { lines: [], self: 0, total: 0, whole: 0 };
  for (const [stack, value] of reader.valuesByStack(selection).entries()) {
    if (value === 0) continue;
    answer.whole += value;
    const seen = new Set<number>();
    let isLeaf = true;
    reader.placesOf(stack, (of, line, { file, name, isJava }) => {
      const wasLeaf = isLeaf;
      isLeaf = false;
      const known = isOf.get(of) ?? sourceKey(sourcePath(file, name, isJava)) === key;
      isOf.set(of, known);
      if (!known) return;
      const row = lines.get(line) ?? { line, self: 0, total: 0 };
      lines.set(line, row);
      if (wasLeaf) {
        row.self += value;
        answer.self += value;
      }
      if (!seen.has(line)) row.total += value;
      if (seen.size === 0) answer.total += value;
      seen.add(line);
    });
  }
  answer.lines = [...lines.values()].sort((a, b) => a.line - b.line);
  return answer;
}
