import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { keepForOffline } from "../offline/install.ts";
import { startViewer } from "../worker/client.ts";
import { App } from "./app/App.tsx";
import { RECORDING } from "./part/parts.ts";
import "./theme/tokens.css";

// Both are on their way while the page waits for a file.
startViewer();
RECORDING.prefetch();

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

addEventListener("load", () => void keepForOffline());
