/** Entry of the worker of an embedded flame graph: the session of the page, with the library's core. */
import * as Comlink from "comlink";
import { loadModule } from "../library/load-core.ts";
import { Session } from "../worker/session.ts";

// Before the file is there; the request for it reports a failure.
loadModule().catch(() => {});

Comlink.expose(new Session({ first: () => loadModule() }));
