/**
 * Every command of the documentation is run (test/kit/doc-commands.ts), with the built command line as `spanflame` and
 * the sample recording under every name. Commands that build or test the project are checked for their scripts and
 * files, because they are what runs this test.
 */
import { spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asFolder, writeStreams } from "../../test/kit/cdt/cdt-writer.ts";
import { commandsOf, type DocCommand, documents } from "../../test/kit/doc-commands.ts";
import { buildCli, CLI, callCli, ROOT } from "../../test/kit/run-cli.ts";
import { COMMANDS } from "../node/usage/commands.ts";

const SAMPLE = join(ROOT, "public", "sample.jfr");
const TRACE = join(ROOT, "fixtures", "traces", "ddctx-jdk17.captured.datadog.json.gz");
const STEADY = join(ROOT, "fixtures", "recorded", "dd152-jdk17-all.jfr");
/** The folders of recordings that documents name. */
const FOLDERS = ["runs/host1", "runs/host2", "baseline", "current", "recordings"];
/** Comparisons take these, which are within the limits of the CI example. */
const COMPARED = ["before.jfr", "after.jfr"];

/** The folder `dump`: one call of 600 ms. */
const DUMP = asFolder(
  writeStreams({
    start: 1643822466534,
    calls: [
      {
        threadId: 1,
        thread: "main",
        at: 1643822466600,
        root: { method: "void shop.Cart.add() (Cart.java:7)", before: 0, after: 600, children: [] },
        isRecorded: true,
        reactive: 0,
        params: {},
      },
    ],
  }).streams,
  "server1/2022/02/02/1643822466534",
);

/** Commands that need a network or another program. A new one is added here on purpose. */
const UNTESTED: Record<string, number> = {
  "docs/bundlers.md": 1,
  "docs/hosting.md": 1,
  "docs/howto.md": 7,
  "docs/languages.md": 5,
  "docs/receive.md": 2,
  "docs/recording.md": 2,
};

const all = documents().flatMap(commandsOf);
const isOurs = ({ text }: DocCommand) => /^(?:npx (?:--yes )?)?spanflame\b/.test(text);
const isProject = ({ text }: DocCommand) => /^(?:npm|npx (?:vitest|playwright)|git|node)\b/.test(text);

let home: string;
let bin: string;
let receiver: Server;
let endpoint: string;

beforeAll(async () => {
  await buildCli();
  home = mkdtempSync(join(tmpdir(), "spanflame-docs-"));
  bin = join(home, "bin");
  mkdirSync(bin);
  const start = `"${process.execPath}" "${CLI}"`;
  writeFileSync(join(bin, "spanflame"), `#!/bin/sh\nexec ${start} "$@"\n`);
  writeFileSync(
    join(bin, "npx"),
    `#!/bin/sh\n[ "$1" = --yes ] && shift\n[ "$1" = spanflame ] || exit 97\nshift\nexec ${start} "$@"\n`,
  );
  for (const name of ["spanflame", "npx"]) chmodSync(join(bin, name), 0o755);
  receiver = createServer((request, response) => {
    request.resume();
    request.on("end", () => response.writeHead(200, { "content-type": "application/x-protobuf" }).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
}, 120_000);

afterAll(() => {
  receiver.close();
  rmSync(home, { recursive: true });
});

/** A folder for the commands of a document, with the files that they need. */
function folderFor(file: string, commands: readonly DocCommand[]): string {
  const folder = join(home, file.replaceAll(/\W/g, "-"));
  for (const name of FOLDERS) {
    mkdirSync(join(folder, name), { recursive: true });
    copyFileSync(SAMPLE, join(folder, name, "recording.jfr"));
  }
  for (const [path, bytes] of Object.entries(DUMP)) {
    mkdirSync(join(folder, "dump", dirname(path)), { recursive: true });
    writeFileSync(join(folder, "dump", path), bytes);
  }
  // The recordings have another application, and a condition that selects nothing is an error.
  const limits = readFileSync(join(ROOT, "examples", "ci-gate", "perf-limits.txt"), "utf8").replace("com.acme.*", "*");
  writeFileSync(join(folder, "perf-limits.txt"), limits);
  copyFileSync(join(ROOT, "fixtures", "elf", "stripped.so.debug"), join(folder, "libkiosk.so.debug"));
  copyFileSync(TRACE, join(folder, "trace.json"));
  writeFileSync(join(folder, "key.txt"), "api-key=secret\n");
  for (const { text } of commands) {
    for (const [name] of text.matchAll(/(?<=^|[\s=<])[\w./-]+\.jfr(?=$|\s)/g)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      copyFileSync(COMPARED.includes(name) ? STEADY : SAMPLE, join(folder, name));
    }
    for (const [path] of text.matchAll(/(?<=\s)fixtures\/recorded\/\S+/g))
      cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    for (const [, target = ""] of text.matchAll(/> ?(\S+)/g))
      mkdirSync(dirname(join(folder, target.replace("~", "."))), { recursive: true });
  }
  return folder;
}

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** A line of words that no shell has to read, and that asks neither a host nor the environment. */
const PLAIN = /^spanflame(?: +(?!--fetch)[\w./,=+-]+)+$/;

/** Runs a line, in a shell where it needs one. The viewer is ended when it has printed its address. */
async function run(text: string, folder: string): Promise<Ended> {
  const isViewer = opensViewer(text);
  if (PLAIN.test(text) && !isViewer) {
    const { code, out, err } = await callCli(text.split(/ +/).slice(1), { cwd: folder });
    return { code, out: out.toString(), err };
  }
  const line = `${text.replaceAll(/https?:\/\/[\w.:-]+/g, endpoint)}${isViewer ? " --no-open" : ""}`;
  const env = {
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    HOME: folder,
    KEY: "secret",
    GITHUB_OUTPUT: "/dev/null",
  };
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-c", isViewer ? `exec ${line}` : line], { cwd: folder, env });
    let out = "";
    let err = "";
    child.stdout.on("data", (part: Buffer) => {
      out += part.toString();
      if (isViewer && out.includes("http://127.0.0.1")) child.kill("SIGTERM");
    });
    child.stderr.on("data", (part: Buffer) => {
      err += part.toString();
      if (isViewer && err.includes("http://127.0.0.1")) child.kill("SIGTERM");
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out, err }));
    child.stdin.end();
  });
}

/** Whether a line opens the viewer: its first word is no command and no option that ends at once. */
function opensViewer(text: string): boolean {
  const first = /^(?:npx (?:--yes )?)?spanflame(?:\s+(\S+))?/.exec(text)?.[1];
  return first === undefined || !(Object.hasOwn(COMMANDS, first) || /^(-h|--help|-V|--version)$/.test(first));
}

function checkOutput({ output }: DocCommand, out: string): void {
  if (output === null) return;
  if (output.kind === "json") {
    expect(JSON.parse(out)).toEqual(JSON.parse(output.text));
    return;
  }
  const escaped = (line: string) => line.trimEnd().replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const lines = output.text.split("\n").map((line) => (line.trim() === "…" ? "[\\s\\S]*" : escaped(line)));
  expect(out.replaceAll(/[ \t]+$/gm, "").trimEnd()).toMatch(new RegExp(`^${lines.join("\n")}$`));
}

const pages = documents()
  .map((file) => [file, commandsOf(file).filter((each) => each.untested === null && isOurs(each))] as const)
  .filter(([, commands]) => commands.length > 0);

describe("the commands of", () => {
  it.each(pages)("%s end as it says", async (file, commands) => {
    const folder = folderFor(file, commands);
    for (const command of commands) {
      const { code, out, err } = await run(command.text, folder);
      const ended = opensViewer(command.text) ? 0 : code;
      // Neither a stack of calls, nor an id or a type that the sample does not have.
      expect([command.text, ended, err]).toEqual([
        command.text,
        command.code,
        expect.not.stringMatching(/^ {4}at |no samples/m),
      ]);
      checkOutput(command, out);
    }
  });

  it("every document are of a known program, or say why they are not run", () => {
    const unknown = all.filter((each) => each.untested === null && !isOurs(each) && !isProject(each));
    expect(unknown.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  });

  it("every document that are not run are as many as they were", () => {
    const counts: Record<string, number> = {};
    for (const { file, untested } of all) if (untested !== null) counts[file] = (counts[file] ?? 0) + 1;
    expect(counts).toEqual(UNTESTED);
  });

  it("the project have their scripts and files", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: object };
    for (const { file, text } of all.filter((each) => each.untested === null && isProject(each))) {
      for (const [, script = ""] of text.matchAll(/npm (?:run ([\w:-]+)|(?:start|test)\b)/g))
        if (script !== "")
          expect([file, text, Object.keys(scripts)]).toEqual([file, text, expect.arrayContaining([script])]);
      for (const [path] of text.matchAll(/(?<=\s)(?:scripts|bench|test|e2e|src)\/[\w./-]+/g))
        expect([file, path, existsSync(join(ROOT, path))]).toEqual([file, path, true]);
    }
  });
});
