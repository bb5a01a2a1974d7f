/** The documentation site: pages are the files of docs/, the sidebar is its index (docs/README.md). */
import { existsSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const DOCS = fileURLToPath(new URL("../../docs/", import.meta.url));
const FORGE = "https://github.com/spanflame/spanflame/blob/main/";

/** A group for each heading of the index, an item for each link to a document. */
function sidebar() {
  return readFileSync(join(DOCS, "README.md"), "utf8")
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      text: part.slice(0, part.indexOf("\n")),
      collapsed: false,
      items: [...part.matchAll(/\[([^\]]+)\]\(([^)]+\.md)\)/g)]
        .filter(([, , path]) => !path.startsWith("../"))
        .map(([, text, path]) => ({ text: text[0].toUpperCase() + text.slice(1), link: `/${path}` })),
    }))
    .filter(({ items }) => items.length > 0);
}

/** Links to files that are no pages lead to the forge. */
function toForge(page, href) {
  if (/^[a-z]+:|^#|^\//.test(href)) return href;
  const [path, hash = ""] = href.split("#");
  const file = normalize(join("docs", page, "..", path));
  const isPage = file.startsWith("docs/") && path.endsWith(".md") && !file.startsWith("docs/notes/");
  return isPage && existsSync(join(DOCS, "..", file)) ? href : `${FORGE}${file}${hash && `#${hash}`}`;
}

export default {
  title: "Spanflame",
  description: "Why one request was slow: flame graphs and OTLP profiles of one span",
  lang: "en",
  base: process.env.SITE_BASE ?? "/",
  // A copy of docs/, because pages find the packages of the folder that they are in (build.mjs).
  srcDir: ".pages",
  srcExclude: ["notes/**"],
  rewrites: { "README.md": "index.md", ":folder/README.md": ":folder/index.md" },
  cleanUrls: false,
  markdown: {
    config(md) {
      const open =
        md.renderer.rules.link_open ?? ((tokens, i, options, _, self) => self.renderToken(tokens, i, options));
      md.renderer.rules.link_open = (tokens, i, options, env, self) => {
        const href = tokens[i].attrGet("href") ?? "";
        const page = env.relativePath.replace(/(^|\/)index\.md$/, "$1README.md");
        tokens[i].attrSet("href", toForge(page, href).replace(/(^|\/)README\.md/, "$1index.md"));
        return open(tokens, i, options, env, self);
      };
      // A page is text: braces and tags of it are no template.
      md.core.ruler.push("no-template", (state) => {
        for (const token of state.tokens.flatMap((each) => [each, ...(each.children ?? [])]))
          if (token.type === "code_inline") token.attrSet("v-pre", "");
      });
    },
  },
  themeConfig: {
    nav: [
      { text: "Try the viewer", link: "/app/?sample", target: "_self" },
      { text: "Start", link: "/howto" },
      { text: "Command line", link: "/cli" },
      { text: "Library", link: "/library" },
    ],
    sidebar: sidebar(),
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: "https://github.com/spanflame/spanflame" }],
  },
};
