/** Entry of the Web Worker: compiles the core once, at start, and answers the page. */
import * as Comlink from "comlink";
import { fetchedCore } from "./fetched-core.ts";
import { Session } from "./session.ts";

const modules = fetchedCore();
// Before a file is picked; the request for it reports a failure.
modules.first().catch(() => {});

Comlink.expose(new Session(modules));
