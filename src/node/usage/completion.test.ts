/** The completion scripts, each run by its shell where that is installed. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { need } from "../../../test/kit/needs.ts";
import { COMMANDS, SHELLS } from "./commands.ts";
import { completionScript } from "./completion.ts";
import { optionsOf } from "./rows.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "spanflame-completion-"));
  for (const shell of SHELLS) writeFileSync(join(folder, shell), completionScript(shell));
});
afterAll(() => rmSync(folder, { recursive: true }));

function has(shell: string): boolean {
  try {
    execFileSync(shell, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const run = (shell: string, ...args: string[]) => execFileSync(shell, args, { cwd: folder, encoding: "utf8" });
const NAMES = Object.keys(COMMANDS);

need(has("bash"), "no bash").describe("bash", () => {
  /** The words offered for the last of `words`, as bash separates them. */
  function offered(...words: string[]): string[] {
    const script = `
      source ./bash
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      _spanflame
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run("bash", "-uc", script).split("\n").filter(Boolean);
  }

  it("offers commands first, later files, which bash completes itself", () => {
    expect(offered("spanflame", "")).toEqual(NAMES);
    expect(offered("spanflame", "va")).toEqual(["validate"]);
    expect(offered("spanflame", "convert", "")).toEqual([]);
    expect(run("bash", "-c", "source ./bash; complete -p spanflame")).toBe(
      "complete -o default -F _spanflame spanflame\n",
    );
  });

  it("offers the options of the command, and of none without", () => {
    const flags = optionsOf(COMMANDS.convert).map(({ name }) => `--${name}`);
    const found = offered("spanflame", "convert", "a.jfr", "--");
    expect(found).toEqual(flags);
    expect(offered("spanflame", "-q", "info", "--js")).toEqual(["--json"]);
    expect(offered("spanflame", "--po")).toEqual(["--port"]);
    expect(offered("spanflame", "a.jfr", "--no")).toEqual(["--no-open"]);
  });

  it("offers the values of an option, also after =", () => {
    expect(offered("spanflame", "convert", "--format", "otlp")).toEqual(["otlp", "otlp-json"]);
    expect(offered("spanflame", "convert", "--preset", "=", "py")).toEqual(["pyroscope"]);
    expect(offered("spanflame", "convert", "--preset", "=")).toEqual(["default", "otel", "aggregated", "pyroscope"]);
    expect(offered("spanflame", "top", "--type", "wal")).toEqual(["wall"]);
    expect(offered("spanflame", "convert", "-o", "x")).toEqual([]);
    expect(offered("spanflame", "completion", "")).toEqual([...SHELLS]);
    expect(offered("spanflame", "help", "wh")).toEqual(["why"]);
  });
});

need(has("zsh"), "no zsh").describe("zsh", () => {
  it("reads the script and calls _arguments with the options of the command", () => {
    const script = `
      _arguments() { print -rl -- "$@" }; _describe() { : }; _files() { : }; compdef() { : }
      words=(spanflame convert ''); CURRENT=3; source ./zsh`;
    const specs = run("zsh", "-fc", script);
    for (const { name } of optionsOf(COMMANDS.convert)) expect(specs).toContain(`--${name}[`);
    expect(specs).toContain(":F:(otlp otlp-json ");
  });
});

need(has("fish"), "no fish").describe("fish", () => {
  const offered = (line: string) =>
    run("fish", "--no-config", "-c", `source ./fish; complete -C '${line}'`)
      .split("\n")
      .map((row) => row.split("\t")[0]);

  it("offers commands, options and values", () => {
    for (const name of NAMES) expect(offered("spanflame ")).toContain(name);
    expect(offered("spanflame convert --form")).toContain("--format");
    expect(offered("spanflame convert --format otlp")).toEqual(expect.arrayContaining(["otlp", "otlp-json"]));
  });
});

describe("every script", () => {
  it.each(SHELLS)("%s names every command and option, and quotes its texts", (shell) => {
    const script = completionScript(shell);
    for (const [name, row] of Object.entries(COMMANDS)) {
      expect(script).toContain(name);
      for (const option of optionsOf(row))
        expect(script).toContain(shell === "fish" ? `-l ${option.name}` : `--${option.name}`);
    }
    // Quotes are paired, so no phrase of the table ends a word of the shell.
    expect((script.replaceAll("'\\''", "").match(/'/g) ?? []).length % 2).toBe(0);
  });
});
