/** Links from a frame to its source: a template of the user, filled in. */

export interface SourceTool {
  name: string;
  template: string;
}

/** Upper-case words are to be replaced by the user. */
export const SOURCE_TOOLS: readonly SourceTool[] = [
  { name: "GitHub", template: "https://github.com/OWNER/REPOSITORY/blob/main/src/main/java/{path}#L{line}" },
  { name: "IntelliJ IDEA", template: "idea://open?file=/PROJECT/src/main/java/{path}&line={line}" },
  { name: "VS Code", template: "vscode://file/PROJECT/src/main/java/{path}:{line}" },
];

/** Schemes of web pages and editors. No other may be opened: `javascript:` and `data:` would run in the page. */
const SCHEMES = ["https:", "http:", "idea:", "jetbrains:", "vscode:", "vscode-insiders:", "cursor:", "zed:"];

/** What is wrong with a template; "" for nothing. */
export function templateFault(template: string): string {
  const filled = fill(template, "a/B.java", 1);
  const scheme = URL.canParse(filled) ? new URL(filled).protocol : "";
  if (!SCHEMES.includes(scheme)) return `A link begins with ${SCHEMES.map((each) => `${each}//`).join(", ")}.`;
  if (!/^[a-z-]+:[^{]*\{path\}/.test(template)) return "{path} is missing: Spanflame replaces it with the file.";
  return "";
}

/** The address of a line; null where the template cannot be used. */
export function sourceLink(template: string, path: string, line: number): string | null {
  if (templateFault(template) !== "") return null;
  const filled = fill(template, path, Math.max(1, line));
  return URL.canParse(filled) && SCHEMES.includes(new URL(filled).protocol) ? filled : null;
}

function fill(template: string, path: string, line: number): string {
  const encoded = path.replace(/^\/+/, "").split("/").map(encodeURIComponent).join("/");
  return template
    .trim()
    .replaceAll("{path}", () => encoded)
    .replaceAll("{line}", `${line}`);
}
