/** Builds the site into .vitepress/dist: the documents, and at /app/ the viewer of ../dist with its sample. */
import { cpSync, existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vitepress";

const viewer = fileURLToPath(new URL("../dist/", import.meta.url));
const root = fileURLToPath(new URL(".", import.meta.url));
if (!existsSync(viewer)) throw new Error("no viewer: run npm ci && npm run build in the folder above first");
const pages = `${root}.pages`;
rmSync(pages, { recursive: true, force: true });
cpSync(fileURLToPath(new URL("../docs/", import.meta.url)), pages, { recursive: true });
await build(root);
cpSync(viewer, `${root}.vitepress/dist/app`, { recursive: true });
