/** The man page and the tables of docs/cli.md are as the table of commands makes them: `npm run docs` writes them. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { commandsTable } from "../../../test/kit/doc-tables.ts";
import { need } from "../../../test/kit/needs.ts";
import { VERSION } from "../../core/version.ts";
import { ExitCode } from "../exit.ts";
import { COMMANDS, VIEW } from "./commands.ts";
import { ENVIRONMENT } from "./environment.ts";
import { EXIT_CODES } from "./exit-codes.ts";
import { manPage } from "./man.ts";
import { optionsOf } from "./rows.ts";

const MAN = "../../../docs/spanflame.1";
const CLI = "../../../docs/cli.md";
const END = "<!-- Printed until here. -->";

it("docs/spanflame.1 is the page of the table", async () => {
  const page = manPage(VERSION);
  await expect(page).toMatchFileSnapshot(MAN);
  for (const row of [VIEW, ...Object.values(COMMANDS)]) {
    for (const { name } of optionsOf(row).filter((option) => !("hidden" in option))) {
      expect(page).toContain(`\\-\\-${name.replaceAll("-", "\\-")}`);
    }
  }
});

it("package.json names the man page", () => {
  const { man, files } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
  expect(man).toEqual(["docs/spanflame.1"]);
  expect(files.some((path: string) => "docs/spanflame.1".startsWith(path))).toBe(true);
});

it("every exit code has words", () => {
  const codes = Object.values(ExitCode).filter((code) => typeof code === "number");
  expect(EXIT_CODES.map(([code]) => Number(code))).toEqual(codes);
});

const hasGroff = (() => {
  try {
    execFileSync("groff", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

need(hasGroff, "no groff").it("groff sets the page without a warning", () => {
  const page = fileURLToPath(new URL(MAN, import.meta.url));
  const script = 'groff -man -Tascii -wall "$1" 2>&1 >/dev/null';
  expect(execFileSync("sh", ["-c", script, "sh", page], { encoding: "utf8" })).toBe("");
});

/** A table of docs/cli.md between its comments. */
function withTable(text: string, start: string, table: string): string {
  const [before = "", rest = ""] = text.split(start);
  const [, ...after] = rest.split(END);
  expect(after.length).toBeGreaterThan(0);
  return `${before}${start}\n\n${table}\n\n${END}${after.join(END)}`;
}

it("docs/cli.md has the commands and variables of the tables", async () => {
  const variables = ENVIRONMENT.map(({ name, about }) => `| \`${name}\` | ${about} |`);
  let text = readFileSync(new URL(CLI, import.meta.url), "utf8");
  const from = (file: string) => `<!-- Printed from src/node/usage/${file} by \`npm run docs\`. -->`;
  text = withTable(text, from("commands.ts"), commandsTable());
  text = withTable(text, from("environment.ts"), ["| variable | |", "|---|---|", ...variables].join("\n"));
  await expect(text).toMatchFileSnapshot(CLI);
});
