/** `npx vite build examples/react`; the address of the page may be any. */
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  plugins: [react()],
  // Workers are modules; their later parts are fetched when they are needed.
  worker: { format: "es" },
});
