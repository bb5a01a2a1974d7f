import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { keepForOffline } from "../offline/install.ts";
import { startViewer } from "../worker/client.ts";
import { App } from "./shell/app/App.tsx";
import { RECORDING } from "./shell/app/use-query.ts";
import "./primitives/theme/tokens.css";
import "./primitives/theme/base.css";
import "./primitives/theme/print.css";

startViewer();

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

// While the page waits for a file.
addEventListener("load", () => {
  void import("./primitives/theme/load-fonts.ts");
  RECORDING.prefetch();
  void keepForOffline();
});
