/** Configuration of `npx vite build`. The page can be served at any path. */
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  plugins: [react()],
  // Workers are modules; their later parts are fetched when they are needed.
  worker: { format: "es" },
});
