/** Builds the site into .vitepress/dist: the documents, and at /app/ the viewer of ../dist with its sample. */
import { cpSync, existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vitepress";

const viewer = fileURLToPath(new URL("../dist/", import.meta.url));
const root = fileURLToPath(new URL(".", import.meta.url));
if (!existsSync(viewer)) throw new Error("no viewer: run npm ci && npm run build in the folder above first");
await build(root);
cpSync(viewer, `${root}.vitepress/dist/app`, { recursive: true });
