import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { keepForOffline } from "../offline/install.ts";
import { startViewer } from "../worker/client.ts";
import { App } from "./app/App.tsx";
import { RECORDING } from "./app/lazy-recording.ts";
import "./theme/tokens.css";
import "./theme/base.css";
import "./theme/print.css";

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
  void import("./theme/load-fonts.ts");
  RECORDING.prefetch();
  void keepForOffline();
});
