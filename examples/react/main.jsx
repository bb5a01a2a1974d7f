/** A React page with two flame graphs of one recording: CPU time, and the callers and callees of a function. */

import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { FlameGraph } from "spanflame/viewer";
import "./page.css";

function Page() {
  const [selected, setSelected] = useState("");
  const [ready, setReady] = useState(null);
  const [type, setType] = useState("cpu");
  return (
    <main>
      <h1>A flame graph in a React page</h1>
      <label>
        Profile{" "}
        <select value={type} onChange={({ target }) => setType(target.value)}>
          {ready?.profiles.map((each) => (
            <option key={each.type}>{each.type}</option>
          ))}
        </select>
      </label>
      <FlameGraph
        className="graph"
        src="/recording.jfr"
        type={type}
        onReady={setReady}
        onSelect={({ name }) => setSelected(name)}
      />
      <h2>Callers and callees of {selected === "" ? "the function with most self value" : selected}</h2>
      <FlameGraph className="graph" recording={ready?.recording} type={type} view="sandwich" function={selected} />
    </main>
  );
}

createRoot(document.querySelector("#root")).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
