/**
 * Commands of the documentation: the lines of `sh` blocks in Markdown, in their order, with the output that the
 * document gives for them.
 *
 *   ```sh
 *   spanflame info recording.jfr          # a comment
 *   spanflame validate bad.pb             # exits with 1
 *   curl http://localhost:4318            # not tested: needs a Collector
 *   ```
 *
 * A `text` or `json` block that follows with only a blank line between is the output of the last command; a line `…` of
 * a text means any number of lines.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./run-cli.ts";

export interface DocCommand {
  /** Path of the document. */
  file: string;
  /** As it is typed, without its comment. */
  text: string;
  /** The exit code that the document states, else 0. */
  code: number;
  /** Why it is not run; null if it is. */
  untested: string | null;
  output: { kind: "text" | "json"; text: string } | null;
}

const FENCE = /^( *)```(\w*)[^\n]*\n([\s\S]*?)^ *```[ \t]*$(\n[ \t]*)*/gm;

/** Documents for users and contributors. */
export function documents(): string[] {
  const inside = (folder: string) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`);
  return [
    "README.md",
    "CONTRIBUTING.md",
    "LIMITATIONS.md",
    "SECURITY.md",
    ...inside("docs"),
    ...inside("docs/parquet"),
    ...inside("docs/api"),
    ...inside("docs/decisions"),
  ];
}

export function commandsOf(file: string): DocCommand[] {
  const markdown = readFileSync(join(ROOT, file), "utf8");
  const commands: DocCommand[] = [];
  /** Where a block of output would follow the last command. */
  let outputAt = -1;
  for (const match of markdown.matchAll(FENCE)) {
    const [whole, indent = "", language, body = ""] = match;
    const last = commands.at(-1);
    if (language === "sh") commands.push(...linesOf(body, indent).map((line) => commandOf(file, line)));
    else if ((language === "text" || language === "json") && outputAt === match.index && last !== undefined)
      last.output = { kind: language, text: body.replaceAll(`\n${indent}`, "\n").trimEnd() };
    outputAt = language === "sh" ? match.index + whole.length : -1;
  }
  return commands;
}

/** Lines without their indentation; a line that ends in a backslash goes on. */
function linesOf(body: string, indent: string): string[] {
  return body
    .split("\n")
    .map((line) => line.slice(indent.length))
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.trim().startsWith("#"));
}

function commandOf(file: string, line: string): DocCommand {
  // A comment begins with a blank and a hash sign outside of quotes.
  const [, text = line, comment = ""] = /^((?:[^'"#]|'[^']*'|"[^"]*"|(?<=\S)#)*?)(?:\s+#\s*(.*))?$/.exec(line) ?? [];
  return {
    file,
    text: text.trim(),
    code: Number(/exits? with (\d)/.exec(comment)?.[1] ?? 0),
    untested: /not tested: (.+)/.exec(comment)?.[1] ?? null,
    output: null,
  };
}
