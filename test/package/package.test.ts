/** The package as users have it: its content, its types, and programs that use it in Node and with each bundler. */
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findBrowser } from "../../scripts/find-browser.mjs";
import { ROOT } from "../kit/build-once.ts";
import { type Installed, installPackage, runNode } from "../kit/installed.ts";
import { BUNDLERS, bundleWithEsbuild, bundleWithVite, startVite } from "./bundlers.ts";
import { serveFolder } from "./serve-folder.ts";

const RECORDING = join(ROOT, "fixtures", "shop.jfr");
/**
 * Bytes of all files of the package. The library keeps its lines, so that an uncaught error shows one: 0.43 MB. Its
 * reports and pictures are 0.29 MB. Lists of parts, facts that come later and times of windows are 0.06 MB.
 * Why and waits in the library, the page's events, and the critical path in frames are 0.12 MB. Spans as samples,
 * sources with samples, and requests as a list are 0.15 MB. Endpoints and last parts of the recorder are 0.02 MB. The
 * receiver, msgpack, files of other profilers, printed traces and record are 0.42 MB.
 * Markdown answers, watched folders and the guide of languages are 0.03 MB.
 */
const MOST_BYTES = 10_880_000;
/** Bytes that a program pays for one small function. */
const MOST_FOR_HEX_ID = 5_000;

const toolPath = (tool: string) => join(ROOT, "node_modules", tool);

let installed: Installed;
beforeAll(async () => {
  installed = await installPackage();
}, 120_000);
afterAll(() => installed?.remove());

describe("the package", () => {
  it("has what its description names, and no source maps", async () => {
    const { files, unpackedSize } = installed;
    expect(files.filter((path) => path.endsWith(".map"))).toEqual([]);
    for (const path of ["README.md", "LICENSE", "LIMITATIONS.md", "docs/cli.md", "docs/hosting.md"]) {
      expect(files).toContain(path);
    }
    for (const folder of ["dist", "dist-lib", "dist-node"]) {
      expect(files).toContain(`${folder}/THIRD-PARTY-NOTICES.txt`);
    }
    expect(files.filter((path) => /(^|\/)core\.wasm$/.test(path))).toEqual(["dist-lib/core.wasm"]);
    expect(unpackedSize).toBeLessThan(MOST_BYTES);
  });

  it("is built when it is packed, from nothing and as a whole", async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    expect(scripts.prepack).toBe("npm run build");
    // Without names these are all builds.
    expect(scripts.build).toMatch(/^npm run build:core && node scripts\/builds\.mjs --force$/);
  });

  /** Scripts and styles with a text. */
  async function filesWith(text: RegExp): Promise<string[]> {
    const scripts = installed.files.filter((path) => /\.(js|css)$/.test(path));
    const texts = scripts.map((path) => readFile(join(installed.folder, "node_modules/spanflame", path), "utf8"));
    const having = (await Promise.all(texts)).map((each) => text.test(each));
    return scripts.filter((_, i) => having[i]);
  }

  it("names no file of a source map", async () => {
    expect(await filesWith(/^\/[/*]# sourceMappingURL=/m)).toEqual([]);
  });

  it("has one client module for React's server components: bundlers warn of each", async () => {
    expect(await filesWith(/^["']use client["']/)).toEqual(["dist-lib/viewer.js"]);
  });

  it("shows the line of an error that a program does not catch", async () => {
    const program = join(installed.folder, "wrong.mjs");
    await writeFile(program, 'import { parseId } from "spanflame";\nparseId(null);\n');
    const ending = runNode([program], installed.folder);
    const lines = String(await ending.catch((error: Error) => error.message)).split("\n");
    expect(lines.join("\n")).toMatch(/node_modules.spanflame.dist-lib/);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(250);
  });

  it("passes publint", async () => {
    await runNode([toolPath("publint/src/cli.js"), "run", installed.tarball, "--strict"], ROOT);
  });

  it("has the right types for every way of resolution", async () => {
    // Programs in CommonJS require the modules, which every Node that the package supports can do.
    const args = [toolPath("@arethetypeswrong/cli/dist/index.js"), installed.tarball, "--profile", "esm-only"];
    await runNode(args, ROOT);
  });

  it.each(["node16", "nodenext", "bundler"])("compiles with strict types, resolved as %s", async (resolution) => {
    const program = join(installed.folder, "types.ts");
    await writeFile(program, await readFile(join(ROOT, "test", "package", "consumer.txt"), "utf8"));
    const module = resolution === "bundler" ? "esnext" : resolution;
    const types = ["--strict", "--skipLibCheck", "false", "--exactOptionalPropertyTypes", "--types", ""];
    const target = ["--target", "es2022", "--lib", "es2022,dom", "--noEmit", "--ignoreConfig"];
    const how = ["--module", module, "--moduleResolution", resolution];
    await runNode([toolPath("typescript/bin/tsc"), program, ...types, ...target, ...how], installed.folder);
  });

  it("compiles the examples of its guide with strict types", async () => {
    const guide = await readFile(join(ROOT, "docs", "library.md"), "utf8");
    const examples = [...guide.matchAll(/^```js\n([\s\S]*?)```/gm)].map(([, code = ""]) => code);
    expect(examples.length).toBeGreaterThan(10);
    const folder = join(installed.folder, "guide");
    await mkdir(folder, { recursive: true });
    const programs = examples.map((_, i) => join(folder, `example-${i}.ts`));
    // The page of one states no type of its parameter, and one has a wrong option.
    const typed = (code: string) =>
      code.replace("hottest(file)", "hottest(file: File)").replace(/^.*localroot/m, "// @ts-expect-error\n$&");
    await Promise.all(examples.map((code, i) => writeFile(programs[i] ?? "", typed(code))));
    const types = ["--strict", "--exactOptionalPropertyTypes", "--types", "node"];
    const target = ["--target", "es2022", "--lib", "es2022,dom,dom.asynciterable", "--noEmit", "--ignoreConfig"];
    await installed.link("@types/node", "undici-types");
    const how = ["--module", "nodenext", "--skipLibCheck", "false"];
    await runNode([toolPath("typescript/bin/tsc"), ...programs, ...types, ...target, ...how], installed.folder);
  });

  it("compiles for Node without the types of browsers", async () => {
    const program = join(installed.folder, "types.ts");
    const code = `import { open } from "spanflame";
      import { openFile } from "spanflame/node";
      const recording = await open(await openFile("a.jfr"), { wasm: new Uint8Array(1) });
      recording.select("cpu").top();`;
    await writeFile(program, code);
    await installed.link("@types/node", "undici-types");
    const how = ["--strict", "--skipLibCheck", "false", "--types", "node", "--noEmit", "--ignoreConfig"];
    const target = ["--module", "nodenext", "--target", "es2022", "--lib", "es2023"];
    await runNode([toolPath("typescript/bin/tsc"), program, ...how, ...target], installed.folder);
  });

  it("compiles in a program of React", async () => {
    const program = join(installed.folder, "FlameGraph.tsx");
    const code = `import { FlameGraph } from "spanflame/viewer";
      export const graph = <FlameGraph src="a.jfr" type="cpu" onSelect={({ name }) => console.log(name.length)} />;
      export const element = <span-flame src="a.jfr" local-root="12" view="sandwich" className="graph" />;
      // @ts-expect-error there is no such view
      export const wrong = <span-flame view="none" />;`;
    await writeFile(program, code);
    await installed.link("@types/react", "csstype");
    const how = ["--strict", "--skipLibCheck", "false", "--types", "", "--noEmit", "--ignoreConfig"];
    const target = ["--module", "esnext", "--moduleResolution", "bundler", "--jsx", "react-jsx"];
    await runNode([toolPath("typescript/bin/tsc"), program, ...how, ...target], installed.folder);
  });

  it("costs a program little that uses little of it", async () => {
    const entry = join(installed.folder, "small.js");
    await writeFile(entry, 'import { hexId } from "spanflame";\nconsole.log(hexId(18n));\n');
    const output = join(installed.folder, "small.out.js");
    await bundleWithEsbuild({ entryPoints: [entry], outfile: output });
    expect((await stat(output)).size).toBeLessThan(MOST_FOR_HEX_ID);
    expect(await runNode([output], installed.folder)).toContain("0000000000000012");
  });

  it("has the sizes that docs/bundlers.md states", async () => {
    const guide = await readFile(join(ROOT, "docs", "bundlers.md"), "utf8");
    const stated = (part: string) => Number(new RegExp(`^\\| ${part}.* \\| (\\d+) \\|`, "m").exec(guide)?.[1]);
    const zipped = async (path: string) => gzipSync(await readFile(path), { level: 9 }).length / 1000;
    const close = (measured: number, part: string) =>
      expect(Math.abs(measured - stated(part)), `${part}: ${measured} KB`).toBeLessThan(0.06 * measured);

    const folder = join(installed.folder, "sizes");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "open.js"), 'import { open } from "spanflame";\nglobalThis.open = open;\n');
    const { outputs } = await bundleWithEsbuild({
      ...{ absWorkingDir: folder, entryPoints: ["open.js"], outdir: "out", splitting: true, external: ["node:*"] },
      loader: { ".wasm": "file" },
    });
    // What the program loads before it asks for anything; each part is a file of its own.
    const loaded = new Set(["out/open.js"]);
    for (const path of loaded) {
      for (const { kind, path: next } of outputs[path]?.imports ?? []) {
        if (kind === "import-statement" && next in outputs) loaded.add(next);
      }
    }
    let program = 0;
    for (const path of loaded) program += await zipped(join(folder, path));
    close(program, "`open`");
    close(await zipped(join(installed.folder, "node_modules/spanflame/dist-lib/core.wasm")), "decoder");
  });
});

const ELEMENT_PAGE = `<!doctype html>
<html lang="en">
  <head><script type="module" src="./main.js"></script></head>
  <body><span-flame src="./shop.jfr" type="cpu"></span-flame></body>
</html>`;

/** Element, component and library in one program, each with its worker. */
const TOGETHER_PAGE = `<!doctype html>
<html lang="en">
  <head><script type="module" src="./main.js"></script></head>
  <body>
    <div id="element"><span-flame src="./shop.jfr" type="cpu"></span-flame></div>
    <div id="component"></div>
    <output aria-label="worker"></output>
  </body>
</html>`;
const TOGETHER = `
  import { createElement } from "react";
  import { createRoot } from "react-dom/client";
  import { open } from "spanflame";
  import { FlameGraph } from "spanflame/viewer";
  import "spanflame/viewer/element";
  import { openInWorker } from "spanflame/worker";

  const graph = createElement(FlameGraph, { src: "./shop.jfr", type: "cpu", style: { height: 300 } });
  createRoot(document.getElementById("component")).render(graph);
  const file = await (await fetch("./shop.jfr")).blob();
  const [near, far] = [await open(file), await openInWorker(file)];
  const [{ name }] = near.select("cpu").top({ limit: 1 }).rows;
  const { rows } = await far.select("cpu").top({ limit: 1 });
  document.querySelector("output").textContent = rows[0].name === name ? name : "different";
`;

/** Opens the page of a folder; `problems` are the errors that the browser reports. */
type Use = (page: Page, problems: string[]) => Promise<void>;

async function visit(browser: Browser, folder: string, use: Use): Promise<void> {
  const { address, close } = await serveFolder(folder);
  try {
    await visitAddress(browser, address, use);
  } finally {
    await close();
  }
}

async function visitAddress(browser: Browser, address: string, use: Use): Promise<void> {
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  try {
    // A favicon is asked for, which no example has.
    await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
    await page.goto(address);
    await use(page, problems);
  } finally {
    await page.close();
  }
}

describe("a program", () => {
  let expected: { rows: string[]; otlp: Buffer };
  let browser: Browser;
  beforeAll(async () => {
    const example = await installed.copyExample("node");
    const otlp = join(example, "profile.otlp");
    const printed = await runNode([join(example, "top.mjs"), RECORDING, otlp], example);
    const rows = printed.trim().split("\n");
    expected = { rows: rows.map((row) => row.trim().replace(/ {2,}/, "\t")), otlp: await readFile(otlp) };
    const { executablePath, args } = await findBrowser();
    browser = await chromium.launch({ executablePath, args });
  }, 120_000);
  afterAll(() => browser?.close());

  it("in Node reads, ranks and writes", () => {
    expect(expected.rows).toHaveLength(10);
    expect(expected.rows[0]).toMatch(/^\d[^\t]*\t\S/);
    expect(expected.otlp.length).toBeGreaterThan(1_000);
  });

  it("in CommonJS requires the package", async () => {
    const program = join(installed.folder, "common.cjs");
    const code = `
      const { open } = require("spanflame");
      const { readFileSync } = require("node:fs");
      open(readFileSync(${JSON.stringify(RECORDING)})).then((recording) => {
        console.log(Buffer.from(recording.select("cpu").write("otlp").bytes).toString("base64"));
      });`;
    await writeFile(program, code);
    const printed = Buffer.from(await runNode([program], installed.folder), "base64");
    expect(printed.equals(expected.otlp)).toBe(true);
  });

  it("records a service with the spans of its requests", async () => {
    const example = await installed.copyExample("record");
    await runNode(["--import", "spanflame/record", join(example, "service.mjs"), "10"], example);
    const written = (await readdir(example)).find((name) => name.endsWith(".pb")) ?? "";
    const command = join(installed.folder, "node_modules", ".bin", "spanflame");
    expect(JSON.parse(await runNode([command, "validate", written, "--json"], example)).valid).toBe(true);
    expect(await runNode([command, "top", written, "--type", "cpu", "--limit", "50"], example)).toContain("price");
  });

  it("reads a CPU profile of V8", async () => {
    const folder = await installed.copyExample("node");
    const work = "function spin() { const until = Date.now() + 200; while (Date.now() < until); } spin();";
    await runNode(["--cpu-prof", "--cpu-prof-name", "app.cpuprofile", "-e", work], folder);
    const command = join(installed.folder, "node_modules", ".bin", "spanflame");
    expect(await runNode([command, "top", "app.cpuprofile", "--type", "cpu", "--limit", "3"], folder)).toContain(
      "spin",
    );
  });

  it("of the command line gates a recording by the conditions of the example", async () => {
    const example = await installed.copyExample("ci-gate");
    const command = join(installed.folder, "node_modules", ".bin", "spanflame");
    // Its application is not that of the recording.
    const gate = ["gate", RECORDING, RECORDING, "--conditions", join(example, "perf-limits.txt"), "--allow-empty"];
    expect(await runNode([command, ...gate], installed.folder)).toMatch(/\S/);
  });

  it("finds the page in the package, to host it", async () => {
    const program = join(installed.folder, "host.mjs");
    await writeFile(program, 'console.log(import.meta.resolve("spanflame/dist/index.html"));\n');
    const page = await readFile(new URL((await runNode([program], installed.folder)).trim()), "utf8");
    expect(page).toContain("<title>Spanflame</title>");
  });

  /** Uses the worker's example, and compares its list and its file with those of Node. */
  async function expectSame(page: Page, problems: string[]): Promise<void> {
    await page.getByLabel("Recording").setInputFiles(RECORDING);
    const link = page.getByRole("link", { name: "profile.otlp" });
    await link.waitFor().catch(async (cause) => {
      throw new Error(await page.getByRole("status").innerText(), { cause });
    });
    expect(problems).toEqual([]);
    const rows = await page.locator("tbody tr").allInnerTexts();
    expect(rows.map((row) => row.trim())).toEqual(expected.rows);
    const otlp = await link.evaluate(async (element: HTMLAnchorElement) => {
      return Array.from(new Uint8Array(await (await fetch(element.href)).arrayBuffer()));
    });
    expect(Buffer.from(otlp).equals(expected.otlp)).toBe(true);
  }

  it.each(Object.entries(BUNDLERS))("bundled by %s reads in a worker as in Node", async (name, bundle) => {
    const example = await installed.copyExample("worker");
    const output = join(installed.folder, `dist-${name}`);
    await bundle(example, output, "spanflame/worker-script");
    await visit(browser, output, expectSame);
  });

  it("on Vite's development server reads in a worker as in Node", async () => {
    const { address, close } = await startVite(await installed.copyExample("worker"));
    try {
      await visitAddress(browser, address, async (page, problems) => {
        // The first visit has the server bundle the package.
        await page.waitForLoadState("networkidle");
        await expectSame(page, problems);
      });
    } finally {
      await close();
    }
  });

  it.each(Object.entries(BUNDLERS))("bundled by %s draws a recording in an element", async (name, bundle) => {
    const example = join(installed.folder, "element");
    await mkdir(example, { recursive: true });
    await writeFile(join(example, "main.js"), 'import "spanflame/viewer/element";\n');
    await writeFile(join(example, "index.html"), ELEMENT_PAGE);
    const output = join(installed.folder, `dist-element-${name}`);
    await bundle(example, output, "spanflame/viewer-worker");
    await copyFile(RECORDING, join(output, "shop.jfr"));
    await visit(browser, output, async (page, problems) => {
      const total = page.getByTestId("total-value").or(page.getByRole("alert")).first();
      await total.waitFor();
      expect(problems).toEqual([]);
      expect(await total.getAttribute("data-exact")).toBe("198");
      // The graph is drawn after its total is shown.
      await page.locator("g.frame").nth(10).waitFor();
    });
  });

  it.each(Object.entries(BUNDLERS))(
    "bundled by %s has the element, the component and the worker",
    async (name, bundle) => {
      const example = join(installed.folder, "together");
      await mkdir(example, { recursive: true });
      await installed.link("react", "react-dom", "scheduler");
      await writeFile(join(example, "main.js"), TOGETHER);
      await writeFile(join(example, "index.html"), TOGETHER_PAGE);
      const output = join(installed.folder, `dist-together-${name}`);
      await bundle(example, output, "spanflame/worker-script", "spanflame/viewer-worker");
      await copyFile(RECORDING, join(output, "shop.jfr"));
      await visit(browser, output, async (page, problems) => {
        const said = page.getByRole("status", { name: "worker" });
        await said.filter({ hasText: /./ }).waitFor();
        expect([problems, await said.innerText()]).toEqual([[], expected.rows[0]?.split("\t")[1]]);
        for (const graph of ["#element", "#component"]) {
          const shown = page
            .locator(graph)
            .getByTestId("total-value")
            .or(page.locator(graph).getByRole("alert"))
            .first();
          await shown.waitFor();
          expect(await shown.getAttribute("data-exact")).toBe("198");
        }
        expect(problems).toEqual([]);
      });
    },
  );

  it("without a bundler shows a flame graph", async () => {
    const example = await installed.copyExample("embedding");
    const { serve } = await import(pathToFileURL(join(example, "serve.mjs")).href);
    const { url, close } = await serve({ recording: RECORDING });
    try {
      await visitAddress(browser, url, (page) => page.locator("#recording g.frame").first().waitFor());
    } finally {
      await close();
    }
  });

  it("of React shows flame graphs", async () => {
    const example = await installed.copyExample("react");
    await installed.link("react", "react-dom", "vite", "@vitejs/plugin-react");
    const output = join(installed.folder, "dist-react");
    await bundleWithVite(example, output, "spanflame/viewer-worker");
    await copyFile(RECORDING, join(output, "recording.jfr"));
    await visit(browser, output, async (page, problems) => {
      await page.locator("g.frame").first().waitFor();
      expect(await page.locator(".graph").count()).toBe(2);
      expect(problems).toEqual([]);
    });
  });
});
