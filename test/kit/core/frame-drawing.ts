/** Answers for frames drawn as text, for comparison with a drawing in a test. */
import type { Frames } from "./view-harness.ts";

/** Frames as a picture: indentation is the call; `name total`, then self where it differs, then the hidden frames. */
export function picture(frames: Frames): string {
  const depth: number[] = [];
  return frames.rows
    .map((row, i) => {
      depth[i] = i === 0 ? 0 : (depth[row.parent] as number) + 1;
      const self = row.self === row.total ? "" : ` self ${row.self}`;
      const hidden = row.hiddenFrames === 0 ? "" : ` +${row.hiddenFrames} frames ${row.hiddenValue}`;
      return {
        at: i,
        parent: row.parent,
        text: `${"  ".repeat(depth[i])}${row.name || "*"} ${row.total}${self}${hidden}`,
      };
    })
    .reduce<{ text: string; line: number[] }[]>((lines, row) => {
      // Rows come in node order; a picture wants each child below its parent.
      const line = row.at === 0 ? [0] : [...(lines[row.parent] as { line: number[] }).line, row.at];
      lines.push({ text: row.text, line });
      return lines;
    }, [])
    .sort((a, b) => {
      for (let i = 0; i < Math.min(a.line.length, b.line.length); i++) {
        const d = (a.line[i] as number) - (b.line[i] as number);
        if (d !== 0) return d;
      }
      return a.line.length - b.line.length;
    })
    .map((line) => line.text)
    .join("\n");
}

/** Cuts the common indentation of a template text. */
export function drawing(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const indent = Math.min(...lines.map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(indent)).join("\n");
}
