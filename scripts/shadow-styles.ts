/**
 * Styles for a shadow root: the style sheets of a build as one text in its script, in place of a file. Rules for the
 * page's root and body become rules for the host, and design tokens take the values that the embedding page sets.
 */
import type { Plugin } from "vite";
import { CSS_VARIABLES } from "../src/viewer/css-variables.ts";

const MODULE = "virtual:viewer-styles";
/** In the script until all styles are known. */
const PLACE = "__SPANFLAME_VIEWER_STYLES__";

export function shadowStyles(): Plugin {
  return {
    name: "spanflame:shadow-styles",
    apply: "build",
    enforce: "post",
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : null),
    load: (id) => (id === `\0${MODULE}` ? `export default ${JSON.stringify(PLACE)};` : null),
    generateBundle(_options, bundle) {
      let text = "";
      for (const [file, output] of Object.entries(bundle)) {
        if (output.type !== "asset" || !file.endsWith(".css")) continue;
        text += output.source;
        delete bundle[file];
      }
      const literal = JSON.stringify(forHost(text));
      let places = 0;
      for (const output of Object.values(bundle)) {
        if (output.type !== "chunk") continue;
        output.code = output.code.replace(new RegExp(`(["'\`])${PLACE}\\1`), () => {
          places++;
          return literal;
        });
      }
      if (places !== 1) this.error(`the styles of the viewer have ${places} places in its scripts`);
    },
  };
}

/** Throws where the style sheets are not as they are expected, so that nothing gets lost unseen. */
export function forHost(css: string): string {
  let text = replaced(css, /:root\[([^\]]*)\]/g, ":host([$1])");
  text = replaced(text, /:root/g, ":host");
  text = replaced(text, /html,\s*body,\s*#root\s*\{[^}]*\}/, "");
  text = replaced(text, /(?<=[},/\s])body\s*\{/, ":host{");
  // The scheme is the one of the page around, or that of the theme.
  text = replaced(text, /:host\s*\{\s*color-scheme:\s*light dark;/, ":host{");
  for (const { name, token } of CSS_VARIABLES) {
    text = replaced(text, new RegExp(`(?<=[;{\\s])${token}:\\s*([^;}]+)`), `${token}:var(${name}, $1)`);
  }
  return text;
}

function replaced(text: string, expression: RegExp, by: string): string {
  const after = text.replace(expression, by);
  if (after === text) throw new Error(`the styles of the viewer have nothing like ${expression}`);
  return after;
}
