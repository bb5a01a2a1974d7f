import type { Plugin } from "vite";

/** `plugins` take part in the build of the script. */
export function reportPage(plugins?: Plugin[]): Plugin;
