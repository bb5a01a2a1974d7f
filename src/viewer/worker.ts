/** Entry of the worker of an embedded flame graph: what the page's worker knows of graphs, with the library's core. */
import * as Comlink from "comlink";
import { loadModule } from "../library/load-core.ts";
import { GraphSession } from "../worker/graph-session.ts";

// Before the file is there; the request for it reports a failure.
loadModule().catch(() => {});

Comlink.expose(new GraphSession({ first: () => loadModule() }));
