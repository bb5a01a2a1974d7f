import type { Plugin } from "vite";

export function reportPage(): Plugin;
