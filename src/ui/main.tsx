import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startViewer } from "../worker/client.ts";
import { App } from "./app/App.tsx";
import "./theme/tokens.css";
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
