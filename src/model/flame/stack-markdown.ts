/** A stack as Markdown, for an issue or a chat: its value, then its frames as code. */
import { detailParts, type FrameDetail } from "./detail.ts";

export function stackMarkdown(stack: string, detail: FrameDetail): string {
  // A fence is longer than any run of backticks in the names.
  const longest = Math.max(2, ...[...stack.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${detailParts({ ...detail, kind: "" }).join(" · ")}\n\n${fence}text\n${stack}\n${fence}\n`;
}
