/** The script of the worker of `openInWorker`: a module that answers requests about recordings. */
import * as Comlink from "comlink";
import { WorkerHost } from "./worker-host.ts";

Comlink.expose(new WorkerHost());
