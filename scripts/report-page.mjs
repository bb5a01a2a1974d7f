/**
 * Script and style of the report: src/report/page/, bundled, as texts with the hashes for the report's policy. Both are
 * the same in every report, so they are made once, when the page or the CLI is built.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const ID = "virtual:report-page";
const ENTRY = fileURLToPath(new URL("../src/report/page/main.ts", import.meta.url));
const STYLE = fileURLToPath(new URL("../src/report/page/style.css", import.meta.url));
const TOKENS = fileURLToPath(new URL("../src/ui/primitives/theme/tokens.css", import.meta.url));
const PARTS = fileURLToPath(new URL("../src/ui/parts/drawing/TimeBar.module.css", import.meta.url));

async function bundled(plugins) {
  const result = await build({
    configFile: false,
    publicDir: false,
    plugins,
    logLevel: "warn",
    build: {
      write: false,
      target: "es2022",
      minify: true,
      rolldownOptions: { checks: { bundlerTimings: false } },
      lib: { entry: ENTRY, formats: ["iife"], name: "report", fileName: "report" },
    },
  });
  const { output } = Array.isArray(result) ? result[0] : result;
  return output[0].code.trim();
}

/** The colours that the page gives the parts of a time, as rules for the rectangles of a report. */
async function partColours() {
  const colours = new Map(
    Array.from(
      (await readFile(TOKENS, "utf8")).matchAll(/(--state-[\w-]+): (light-dark\([^)]*\));/g),
      ([, ...row]) => row,
    ),
  );
  const rule = /((?:\[data-part="[\w-]+"\],?\s*)+)\{[^}]*?--part:[^}]*?var\((--state-[\w-]+)\)/g;
  const rules = Array.from((await readFile(PARTS, "utf8")).matchAll(rule), ([, selector, name]) => {
    const colour = colours.get(name);
    if (colour === undefined) throw new Error(`report-page: no colour ${name}`);
    return `${selector.trim()} {\n  fill: ${colour};\n}`;
  });
  if (rules.length === 0) throw new Error("report-page: no colours of parts");
  return rules.join("\n");
}

/** A text that an HTML parser takes for the whole content of its element, including markup in it. */
function whole(text, element) {
  if (/\r|<!--|<\/(script|style)|<script/i.test(text)) throw new Error(`report-page: the ${element} would end early`);
  return text;
}

function hashOf(text) {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** Gives `virtual:report-page`, as src/report/report-page.d.ts declares it. */
export function reportPage(plugins = []) {
  return {
    name: "spanflame:report-page",
    resolveId(source) {
      return source === ID ? `\0${ID}` : null;
    },
    async load(id) {
      if (id !== `\0${ID}`) return null;
      const script = whole(await bundled(plugins), "script");
      const style = whole(`${(await readFile(STYLE, "utf8")).trim()}\n${await partColours()}`, "style");
      const texts = { SCRIPT: script, SCRIPT_HASH: hashOf(script), STYLE: style, STYLE_HASH: hashOf(style) };
      return Object.entries(texts)
        .map(([name, text]) => `export const ${name} = ${JSON.stringify(text)};`)
        .join("\n");
    },
  };
}
