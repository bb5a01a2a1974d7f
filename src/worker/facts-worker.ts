/** Entry of the worker that reads the facts of files. */
import * as Comlink from "comlink";
import { answerFacts } from "./facts.ts";
import type { FactsWorker } from "./facts-api.ts";
import { fetchedCore } from "./fetched-core.ts";

const modules = fetchedCore();
const worker: FactsWorker = { facts: (...given) => answerFacts(modules, ...given) };

Comlink.expose(worker);
